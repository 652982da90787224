/* The whole way of a command: a real gateway and launcher, a raw client at its socket.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>

#include "perfica-gateway.h"
#include "perfica-wire-connection.h"

typedef struct
{
  char *root;
  char *project;
  SandboxLauncher *launcher;
  PerficaGateway *gateway;
  PerficaBoard *board;
  PerficaWireConnection *client;
  PerficaWireMessage *last; /* result, hello reply or failure */
  gboolean closed;
} House;

static void
spin_until (gboolean (*done) (gpointer), gpointer data)
{
  gint64 end = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

  while (!done (data))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (500);
    }
}

static void
has_message (PerficaWireConnection *connection, PerficaWireMessage *message, House *house)
{
  if (message->type == PERFICA_WIRE_STATE || message->type == PERFICA_WIRE_OUTPUT)
    return;
  g_clear_pointer (&house->last, perfica_wire_message_unref);
  house->last = perfica_wire_message_ref (message);
}

static void
was_closed (PerficaWireConnection *connection, GError *error, House *house)
{
  house->closed = TRUE;
}

static gboolean
has_answer (gpointer data)
{
  House *house = data;

  return house->last || house->closed;
}

static GSocketConnection *
dial (void)
{
  g_autofree char *path = perfica_wire_socket_path (NULL);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;
  GSocketConnection *stream =
      g_socket_client_connect (client, G_SOCKET_CONNECTABLE (address), NULL, &error);

  g_assert_no_error (error);
  return stream;
}

static void
say_hello (House *house)
{
  g_autoptr (GSocketConnection) stream = dial ();
  PerficaWireHello hello = { .protocol = PERFICA_WIRE_VERSION,
                             .client = (char *) "test",
                             .folder = house->project };

  house->closed = FALSE;
  house->client = perfica_wire_connection_new (G_IO_STREAM (stream), PERFICA_WIRE_SIDE_CLIENT);
  g_signal_connect (house->client, "message", G_CALLBACK (has_message), house);
  g_signal_connect (house->client, "closed", G_CALLBACK (was_closed), house);
  perfica_wire_connection_start (house->client);
  g_clear_pointer (&house->last, perfica_wire_message_unref);
  perfica_wire_connection_send (house->client, perfica_wire_encode_hello (1, &hello));
  spin_until (has_answer, house);
}

static void
send_run (House *house, const char *command)
{
  static gint64 id = 10;
  PerficaWireRun run = { .command = (char *) command };

  g_clear_pointer (&house->last, perfica_wire_message_unref);
  perfica_wire_connection_send (house->client, perfica_wire_encode_run (id++, &run));
}

static const PerficaWireResult *
run (House *house, const char *command)
{
  send_run (house, command);
  spin_until (has_answer, house);
  g_assert_nonnull (house->last);
  g_assert_cmpint (house->last->type, ==, PERFICA_WIRE_RESULT);
  return house->last->result;
}

static void
make_folder (const char *root, const char *name, const char *variable)
{
  g_autofree char *path = g_build_filename (root, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  if (variable)
    g_setenv (variable, path, TRUE);
}

static void
set_up (House *house, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) folder = NULL;
  g_autofree char *limits = NULL;

  house->root = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  make_folder (house->root, "config", "XDG_CONFIG_HOME");
  make_folder (house->root, "state", "XDG_STATE_HOME");
  make_folder (house->root, "run", "XDG_RUNTIME_DIR");
  make_folder (house->root, "project", NULL);
  house->project = g_build_filename (house->root, "project", NULL);
  make_folder (house->root, "config/perfica", NULL);
  limits = g_build_filename (house->root, "config/perfica/limits.json", NULL);
  g_assert_true (
      g_file_set_contents (limits, "{\"short_seconds\":1,\"prompt_seconds\":2}", -1, NULL));
  g_chmod (limits, 0600);
  house->launcher = sandbox_launcher_new (g_getenv ("PERFICA_SUPERVISE"), &error);
  g_assert_no_error (error);
  house->gateway = perfica_gateway_new (house->launcher);
  perfica_gateway_start (house->gateway, &error);
  g_assert_no_error (error);
  folder = g_file_new_for_path (house->project);
  house->board = perfica_gateway_open_folder (house->gateway, folder, &error);
  g_assert_no_error (error);
  say_hello (house);
  g_assert_cmpint (house->last->type, ==, PERFICA_WIRE_HELLO_REPLY);
}

static void
confirm (House *house)
{
  g_autoptr (PerficaAttachment) one =
      g_list_model_get_item (perfica_gateway_get_attachments (house->gateway), 0);

  g_assert_nonnull (one);
  perfica_attachment_confirm (one);
}

static void
stopped (GObject *source, GAsyncResult *result, gpointer data)
{
  perfica_gateway_stop_finish (PERFICA_GATEWAY (source), result, NULL);
  *(gboolean *) data = TRUE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *) data;
}

static void
tear_down (House *house, gconstpointer data)
{
  const char *argv[] = { "rm", "-rf", house->root, NULL };
  gboolean done = FALSE;

  perfica_gateway_stop_async (house->gateway, stopped, &done);
  spin_until (is_true, &done);
  perfica_wire_connection_close (house->client);
  g_clear_object (&house->client);
  g_clear_pointer (&house->last, perfica_wire_message_unref);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (house->gateway);
  g_object_unref (house->launcher);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
  g_free (house->project);
  g_free (house->root);
}

static void
test_not_attached (House *house, gconstpointer data)
{
  g_assert_false (house->last->hello_reply->attached);
  g_assert_cmpint (run (house, "true")->outcome, ==, PERFICA_OUTCOME_NOT_ATTACHED);
}

static void
test_allow (House *house, gconstpointer data)
{
  const PerficaWireResult *result;

  confirm (house);
  result = run (house, "echo hello");
  g_assert_cmpint (result->outcome, ==, PERFICA_OUTCOME_RAN);
  g_assert_cmpint (result->exit_code, ==, 0);
  g_assert_cmpstr (result->stdout_head, ==, "hello\n");
  g_assert_cmpint (result->record, >, 0);
  g_assert_nonnull (result->output_path);
}

static void
test_refuse (House *house, gconstpointer data)
{
  confirm (house);
  g_assert_cmpint (run (house, "git push --force")->outcome, ==, PERFICA_OUTCOME_REFUSED);
  g_assert_nonnull (house->last->result->message);
}

static void
test_no_window (House *house, gconstpointer data)
{
  confirm (house);
  g_assert_cmpint (run (house, "git push")->outcome, ==, PERFICA_OUTCOME_NO_WINDOW);
}

static gboolean
waits (gpointer data)
{
  return g_list_model_get_n_items (G_LIST_MODEL (perfica_gateway_get_approvals (data))) > 0;
}

static void
test_ask (House *house, gconstpointer data)
{
  PerficaApprovals *approvals = perfica_gateway_get_approvals (house->gateway);
  g_autoptr (PerficaRequest) first = NULL;

  confirm (house);
  g_object_set (house->gateway, "window-open", TRUE, NULL);
  send_run (house, "git push");
  spin_until (waits, house->gateway);
  first = g_list_model_get_item (G_LIST_MODEL (approvals), 0);
  /* Not on show, then on show for less than a second: neither counts. */
  g_assert_false (perfica_approvals_answer (approvals, first, PERFICA_DECISION_ALLOW_ALWAYS, NULL));
  perfica_approvals_set_shown (approvals, first, TRUE);
  g_assert_false (perfica_approvals_answer (approvals, first, PERFICA_DECISION_ALLOW_ALWAYS, NULL));
  g_usleep (PERFICA_ALLOW_DELAY_US + 1000);
  g_assert_true (perfica_approvals_answer (approvals, first, PERFICA_DECISION_ALLOW_ALWAYS, NULL));
  spin_until (has_answer, house);
  g_assert_cmpint (house->last->result->outcome, ==, PERFICA_OUTCOME_RAN);
  /* What was granted isn't asked again. */
  g_assert_cmpint (run (house, "git push")->outcome, ==, PERFICA_OUTCOME_RAN);
}

static void
test_deny (House *house, gconstpointer data)
{
  PerficaApprovals *approvals = perfica_gateway_get_approvals (house->gateway);
  g_autoptr (PerficaRequest) first = NULL;

  confirm (house);
  g_object_set (house->gateway, "window-open", TRUE, NULL);
  send_run (house, "git push");
  spin_until (waits, house->gateway);
  first = g_list_model_get_item (G_LIST_MODEL (approvals), 0);
  g_assert_true (perfica_approvals_answer (approvals, first, PERFICA_DECISION_DENY, "not now"));
  spin_until (has_answer, house);
  g_assert_cmpint (house->last->result->outcome, ==, PERFICA_OUTCOME_DENIED);
  g_assert_nonnull (strstr (house->last->result->message, "not now"));
}

static void
test_full_auto (House *house, gconstpointer data)
{
  confirm (house);
  perfica_board_set_full_auto (house->board, TRUE);
  g_assert_cmpint (run (house, "git push")->outcome, ==, PERFICA_OUTCOME_RAN);
}

static void
test_long_line (House *house, gconstpointer data)
{
  g_autofree char *text = g_malloc (PERFICA_WIRE_MAX_REQUEST + 16);

  memset (text, 'x', PERFICA_WIRE_MAX_REQUEST + 16);
  g_clear_pointer (&house->last, perfica_wire_message_unref);
  perfica_wire_connection_send (house->client, g_bytes_new (text, PERFICA_WIRE_MAX_REQUEST + 16));
  spin_until (has_answer, house);
  g_assert_true (house->closed || house->last->failure->code == PERFICA_WIRE_CODE_TOO_LONG);
}

static void
test_nobody (House *house, gconstpointer data)
{
  confirm (house);
  g_object_set (house->gateway, "window-open", TRUE, NULL);
  g_assert_cmpint (run (house, "git push")->outcome, ==, PERFICA_OUTCOME_NOBODY);
}

static void
test_limit (House *house, gconstpointer data)
{
  confirm (house);
  g_assert_cmpint (run (house, "sleep 30")->outcome, ==, PERFICA_OUTCOME_LIMIT);
}

static void
test_window_closes (House *house, gconstpointer data)
{
  confirm (house);
  g_object_set (house->gateway, "window-open", TRUE, NULL);
  send_run (house, "git push");
  spin_until (waits, house->gateway);
  g_object_set (house->gateway, "window-open", FALSE, NULL);
  spin_until (has_answer, house);
  g_assert_cmpint (house->last->result->outcome, ==, PERFICA_OUTCOME_NO_WINDOW);
}

static void
test_no_tool (House *house, gconstpointer data)
{
  g_autoptr (PerficaLoop) loop = g_list_model_get_item (perfica_board_get_loops (house->board), 0);
  PerficaBubble *coder;
  g_autoptr (PerficaBubble) held =
      g_list_model_get_item (perfica_board_get_bubbles (house->board), 0);

  coder = held;
  perfica_board_remove_bubble (house->board, coder, NULL);
  perfica_board_add_bubble (house->board, "reader", PERFICA_ROLE_RESEARCHER, 0, loop, NULL);
  perfica_wire_connection_close (house->client);
  g_clear_object (&house->client);
  say_hello (house);
  for (guint i = 0; i < g_list_model_get_n_items (perfica_gateway_get_attachments (house->gateway));
       i++)
    {
      g_autoptr (PerficaAttachment) one =
          g_list_model_get_item (perfica_gateway_get_attachments (house->gateway), i);

      perfica_attachment_confirm (one);
    }
  g_assert_cmpint (run (house, "true")->outcome, ==, PERFICA_OUTCOME_NO_TOOL);
}

/* Confined or refused: never run without it. */
static void
test_sandbox (House *house, gconstpointer data)
{
  const PerficaWireResult *result;

  confirm (house);
  perfica_board_set_sandbox (house->board, PERFICA_SANDBOX_ON);
  result = run (house, "echo hello");
  g_test_message ("%s: %s", perfica_outcome_to_string (result->outcome), result->message);
  if (result->outcome == PERFICA_OUTCOME_UNCONFINED)
    g_assert_null (result->stdout_head);
  else
    {
      g_assert_cmpint (result->outcome, ==, PERFICA_OUTCOME_RAN);
      g_assert_cmpstr (result->stdout_head, ==, "hello\n");
      g_assert_cmpstr (result->confinement, !=, "none");
    }
}

static void
restarted (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  perfica_gateway_restart_finish (PERFICA_GATEWAY (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
test_restart (House *house, gconstpointer data)
{
  gboolean done = FALSE;

  confirm (house);
  test_ask (house, data);
  g_assert_cmpuint (g_list_model_get_n_items (perfica_board_get_grants (house->board)), ==, 1);
  perfica_gateway_restart_async (house->gateway, restarted, &done);
  spin_until (is_true, &done);
  g_assert_cmpuint (g_list_model_get_n_items (perfica_board_get_grants (house->board)), ==, 0);
  perfica_wire_connection_close (house->client);
  g_clear_object (&house->client);
  /* The client was confirmed before and is remembered; the grant is not. */
  say_hello (house);
  g_assert_true (house->last->hello_reply->attached);
  g_assert_cmpint (run (house, "git push")->outcome, ==, PERFICA_OUTCOME_NOBODY);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (House *, gconstpointer);
  } tests[] = {
    { "/journey/not-attached", test_not_attached },
    { "/journey/allow", test_allow },
    { "/journey/refuse", test_refuse },
    { "/journey/no-window", test_no_window },
    { "/journey/ask", test_ask },
    { "/journey/deny", test_deny },
    { "/journey/full-auto", test_full_auto },
    { "/journey/long-line", test_long_line },
    { "/journey/nobody", test_nobody },
    { "/journey/limit", test_limit },
    { "/journey/window-closes", test_window_closes },
    { "/journey/no-tool", test_no_tool },
    { "/journey/sandbox", test_sandbox },
    { "/journey/restart", test_restart },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, House, NULL, set_up, tests[i].run, tear_down);
  return g_test_run ();
}

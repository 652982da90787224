/* The whole way of a command: a real gateway and launcher, a raw client at its socket.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "house.h"

#include <glib/gstdio.h>
#include <string.h>
#include <utime.h>

#include "perfica-outputs.h"
#include "perfica-tidy.h"

static void
test_not_attached (House *house, gconstpointer data)
{
  g_assert_false (house->last->hello_reply->attached);
  /* No window is open: nobody could confirm it. */
  g_assert_cmpint (house_run (house, "true")->outcome, ==, PERFICA_OUTCOME_NOT_ATTACHED);
}

static gboolean
has_rows (gpointer list)
{
  return g_list_model_get_n_items (list) > 0;
}

static void
test_allow (House *house, gconstpointer data)
{
  g_autoptr (PerficaAttachment) one =
      g_list_model_get_item (perfica_gateway_get_attachments (house->gateway), 0);
  g_autoptr (GListModel) list = NULL;
  g_autoptr (PerficaEntry) entry = NULL;
  const PerficaWireResult *result;

  house_confirm (house);
  result = house_run (house, "echo hello");
  g_assert_cmpint (result->outcome, ==, PERFICA_OUTCOME_RAN);
  g_assert_cmpint (result->exit_code, ==, 0);
  g_assert_cmpstr (result->stdout_head, ==, "hello\n");
  g_assert_cmpint (result->record, >, 0);
  g_assert_nonnull (result->output_path);
  /* The record says who asked, as the window showed it. */
  list = perfica_activity_list (perfica_gateway_get_activity (house->gateway), NULL, NULL,
                                PERFICA_FILTER_ALL);
  house_spin_until (has_rows, list);
  entry = g_list_model_get_item (list, 0);
  g_assert_cmpstr (perfica_entry_get_client (entry), ==, perfica_attachment_get_program (one));
  g_assert_nonnull (strstr (perfica_entry_get_client (entry), "/test-journey (test)"));
}

static void
test_refuse (House *house, gconstpointer data)
{
  house_confirm (house);
  g_assert_cmpint (house_run (house, "git push --force")->outcome, ==, PERFICA_OUTCOME_REFUSED);
  g_assert_nonnull (house->last->result->message);
}

static void
test_no_window (House *house, gconstpointer data)
{
  house_confirm (house);
  g_assert_cmpint (house_run (house, "git push")->outcome, ==, PERFICA_OUTCOME_NO_WINDOW);
}

static void
test_ask (House *house, gconstpointer data)
{
  PerficaApprovals *approvals = perfica_gateway_get_approvals (house->gateway);
  g_autoptr (PerficaRequest) first = NULL;

  house_confirm (house);
  g_object_set (house->gateway, "window-open", TRUE, NULL);
  house_send_run (house, "git push");
  house_spin_until (house_waits, house->gateway);
  first = g_list_model_get_item (G_LIST_MODEL (approvals), 0);
  /* Not on show, then on show for less than a second: neither counts. */
  g_assert_false (perfica_approvals_answer (approvals, first, PERFICA_DECISION_ALLOW_ALWAYS, NULL));
  perfica_approvals_set_shown (approvals, first, TRUE);
  g_assert_false (perfica_approvals_answer (approvals, first, PERFICA_DECISION_ALLOW_ALWAYS, NULL));
  g_usleep (PERFICA_ALLOW_DELAY_US + 1000);
  g_assert_true (perfica_approvals_answer (approvals, first, PERFICA_DECISION_ALLOW_ALWAYS, NULL));
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->result->outcome, ==, PERFICA_OUTCOME_RAN);
  /* What was granted isn't asked again. */
  g_assert_cmpint (house_run (house, "git push")->outcome, ==, PERFICA_OUTCOME_RAN);
}

static void
test_deny (House *house, gconstpointer data)
{
  PerficaApprovals *approvals = perfica_gateway_get_approvals (house->gateway);
  g_autoptr (PerficaRequest) first = NULL;

  house_confirm (house);
  g_object_set (house->gateway, "window-open", TRUE, NULL);
  house_send_run (house, "git push");
  house_spin_until (house_waits, house->gateway);
  first = g_list_model_get_item (G_LIST_MODEL (approvals), 0);
  g_assert_true (perfica_approvals_answer (approvals, first, PERFICA_DECISION_DENY, "not now"));
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->result->outcome, ==, PERFICA_OUTCOME_DENIED);
  g_assert_nonnull (strstr (house->last->result->message, "not now"));
}

static void
test_full_auto (House *house, gconstpointer data)
{
  house_confirm (house);
  perfica_board_set_full_auto (house->board, TRUE);
  g_assert_cmpint (house_run (house, "git push")->outcome, ==, PERFICA_OUTCOME_RAN);
}

static void
test_long_line (House *house, gconstpointer data)
{
  g_autofree char *text = g_malloc (PERFICA_WIRE_MAX_REQUEST + 16);

  memset (text, 'x', PERFICA_WIRE_MAX_REQUEST + 16);
  g_clear_pointer (&house->last, perfica_wire_message_unref);
  perfica_wire_connection_send (house->client, g_bytes_new (text, PERFICA_WIRE_MAX_REQUEST + 16));
  house_spin_until (house_has_answer, house);
  g_assert_true (house->closed || house->last->failure->code == PERFICA_WIRE_CODE_TOO_LONG);
}

static void
test_nobody (House *house, gconstpointer data)
{
  house_confirm (house);
  g_object_set (house->gateway, "window-open", TRUE, NULL);
  g_assert_cmpint (house_run (house, "git push")->outcome, ==, PERFICA_OUTCOME_NOBODY);
}

static void
test_limit (House *house, gconstpointer data)
{
  house_confirm (house);
  g_assert_cmpint (house_run (house, "sleep 30")->outcome, ==, PERFICA_OUTCOME_LIMIT);
}

static void
test_window_closes (House *house, gconstpointer data)
{
  house_confirm (house);
  g_object_set (house->gateway, "window-open", TRUE, NULL);
  house_send_run (house, "git push");
  house_spin_until (house_waits, house->gateway);
  g_object_set (house->gateway, "window-open", FALSE, NULL);
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->result->outcome, ==, PERFICA_OUTCOME_NO_WINDOW);
}

static void
test_no_tool (House *house, gconstpointer data)
{
  g_autoptr (PerficaLoop) loop = g_list_model_get_item (perfica_board_get_loops (house->board), 0);
  GListModel *attachments = perfica_gateway_get_attachments (house->gateway);
  PerficaBubble *coder;
  g_autoptr (PerficaBubble) held =
      g_list_model_get_item (perfica_board_get_bubbles (house->board), 0);

  coder = held;
  perfica_board_remove_bubble (house->board, coder, NULL);
  perfica_board_add_bubble (house->board, "reader", PERFICA_ROLE_RESEARCHER, 0, loop, NULL);
  perfica_wire_connection_close (house->client);
  g_clear_object (&house->client);
  house_say_hello (house);
  /* Backwards: one that has left goes once it is confirmed. */
  for (guint i = g_list_model_get_n_items (attachments); i > 0; i--)
    {
      g_autoptr (PerficaAttachment) one = g_list_model_get_item (attachments, i - 1);

      perfica_attachment_confirm (one);
    }
  g_assert_cmpint (house_run (house, "true")->outcome, ==, PERFICA_OUTCOME_NO_TOOL);
}

/* Confined or refused: never run without it. */
static void
test_sandbox (House *house, gconstpointer data)
{
  const PerficaWireResult *result;

  house_confirm (house);
  perfica_board_set_sandbox (house->board, PERFICA_SANDBOX_ON);
  result = house_run (house, "echo hello");
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
test_restart (House *house, gconstpointer data)
{
  house_confirm (house);
  test_ask (house, data);
  g_assert_cmpuint (g_list_model_get_n_items (perfica_board_get_grants (house->board)), ==, 1);
  house_restart (house);
  g_assert_cmpuint (g_list_model_get_n_items (perfica_board_get_grants (house->board)), ==, 0);
  perfica_wire_connection_close (house->client);
  g_clear_object (&house->client);
  /* The client was confirmed before and is remembered; the grant is not. */
  house_say_hello (house);
  g_assert_true (house->last->hello_reply->attached);
  g_assert_cmpint (house_run (house, "git push")->outcome, ==, PERFICA_OUTCOME_NOBODY);
}

static gboolean
is_gone (gpointer data)
{
  return !g_file_test (data, G_FILE_TEST_EXISTS);
}

/* A command that prints nothing leaves no file; old ones go while the gateway runs. */
static void
test_outputs (House *house, gconstpointer data)
{
  g_autofree char *old = g_build_filename (house->project, ".perfica/outputs/old.log", NULL);
  struct utimbuf times = { 0, 0 };

  house_confirm (house);
  g_assert_null (house_run (house, "true")->output_path);
  g_assert_cmpint (house->last->result->outcome, ==, PERFICA_OUTCOME_RAN);
  for (guint i = 0; i < PERFICA_OUTPUTS_NEWEST; i++)
    {
      g_autofree char *path = NULL;
      const char *relative = house_run (house, "echo hello")->output_path;

      path = g_build_filename (house->project, relative, NULL);
      g_assert_false (is_gone (path));
    }
  g_assert_true (g_file_set_contents (old, "old", -1, NULL));
  g_assert_cmpint (g_utime (old, &times), ==, 0);
  for (guint i = PERFICA_OUTPUTS_NEWEST; i < PERFICA_TIDY_FILES; i++)
    house_run (house, "echo hello");
  house_spin_until (is_gone, old);
}

/* ---- A script that changes between question and run ---- */

static void
write_script (House *house, const char *text)
{
  g_autofree char *path = g_build_filename (house->project, "script.sh", NULL);
  g_autofree char *whole = g_strdup_printf ("#!/bin/bash\n%s\n", text);

  g_assert_true (g_file_set_contents (path, whole, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0700), ==, 0);
}

/* Once it waits, the script becomes another one, and the person allows what was shown. */
static void
allow_changed (House *house, const char *text)
{
  PerficaApprovals *approvals = perfica_gateway_get_approvals (house->gateway);
  g_autoptr (PerficaRequest) request = NULL;

  house_spin_until (house_waits, house->gateway);
  request = g_list_model_get_item (G_LIST_MODEL (approvals), 0);
  write_script (house, text);
  perfica_approvals_set_shown (approvals, request, TRUE);
  g_usleep (PERFICA_ALLOW_DELAY_US + 1000);
  g_assert_true (perfica_approvals_answer (approvals, request, PERFICA_DECISION_ALLOW_ONCE, NULL));
}

static void
test_changed (House *house, gconstpointer data)
{
  static const struct
  {
    const char *becomes;
    PerficaOutcome outcome;
  } changes[] = {
    /* A new reading, and its answer holds. */
    { "git push --force; touch ran", PERFICA_OUTCOME_REFUSED },
    { "echo harmless", PERFICA_OUTCOME_RAN },
    /* Asked again, and nobody answers that. */
    { "git push origin main; touch ran", PERFICA_OUTCOME_NOBODY },
  };
  g_autofree char *ran = g_build_filename (house->project, "ran", NULL);

  house_confirm (house);
  g_object_set (house->gateway, "window-open", TRUE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      write_script (house, "git push");
      house_send_run (house, "./script.sh");
      allow_changed (house, changes[i].becomes);
      house_spin_until (house_has_answer, house);
      g_assert_cmpint (house->last->result->outcome, ==, changes[i].outcome);
      g_assert_true (is_gone (ran));
    }
  /* It changes again while that is asked: no third time. */
  write_script (house, "git push");
  house_send_run (house, "./script.sh");
  allow_changed (house, "git push origin main; touch ran");
  allow_changed (house, "git push origin other; touch ran");
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->result->outcome, ==, PERFICA_OUTCOME_REFUSED);
  g_assert_nonnull (strstr (house->last->result->message, "script.sh keeps changing"));
  g_assert_true (is_gone (ran));
}

/* ---- What can't be had is never done without ---- */

/* A backend of another system, and a loop's folder that became a link. */
static void
test_unconfined (House *house, gconstpointer data)
{
  g_autofree char *ran = g_build_filename (house->project, "ran", NULL);

  house_confirm (house);
  perfica_board_set_sandbox (house->board, PERFICA_SANDBOX_ON);
  perfica_gateway_set_backend (house->gateway, SANDBOX_BACKEND_WSL);
  g_assert_cmpint (house_run (house, "touch ran")->outcome, ==, PERFICA_OUTCOME_UNCONFINED);
  g_assert_nonnull (house->last->result->message);
  g_assert_null (house->last->result->stdout_head);
  g_assert_cmpint (house->last->result->exit_code, ==, -1);
  g_assert_true (is_gone (ran));
  /* The record has it under its own name. */
  g_assert_cmpint (house->last->result->record, >, 0);
}

/* The app's folder, as a cloned repository may bring it: nothing runs without its output's file. */
static void
test_app_folder (House *house, gconstpointer data)
{
  static const char *const setups[] = {
    "ln -s ../away .perfica", "mkfifo .perfica", "echo > .perfica", "mkdir -m 0777 .perfica",
    "mkdir -m 0700 .perfica; ln -s ../../away .perfica/outputs"
  };
  g_autofree char *ran = g_build_filename (house->project, "ran", NULL);

  house_confirm (house);
  for (guint i = 0; i < G_N_ELEMENTS (setups); i++)
    {
      g_autofree char *line =
          g_strdup_printf ("mkdir -p ../away; rm -rf .perfica; umask 0; %s", setups[i]);
      const char *argv[] = { "bash", "-c", line, NULL };

      g_assert_true (g_spawn_sync (house->project, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
                                   NULL, NULL, NULL, NULL, NULL));
      g_assert_cmpint (house_run (house, "touch ran")->outcome, ==, PERFICA_OUTCOME_ERROR);
      g_assert_nonnull (strstr (house->last->result->message, ".perfica"));
      g_assert_true (is_gone (ran));
    }
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
    { "/journey/outputs", test_outputs },
    { "/journey/changed", test_changed },
    { "/journey/unconfined", test_unconfined },
    { "/journey/app-folder", test_app_folder },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, House, NULL, house_set_up, tests[i].run, house_tear_down);
  return g_test_run ();
}

/* A gateway for tests: a socket in a temporary folder that answers by the command's own text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fake-gateway.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

const char *
fake_gateway_agent (void)
{
  return PERFICA_AGENT;
}

static void
send_output (PerficaWireConnection *connection, gint64 id, gboolean is_stderr, const char *text)
{
  perfica_wire_connection_send (
      connection, perfica_wire_encode_output (id, is_stderr, (const guint8 *) text, strlen (text)));
}

static void
add_finding (PerficaWireResult *result, const char *answer, const char *intent)
{
  PerficaWireFinding *finding = perfica_wire_finding_new ();

  finding->answer = g_strdup (answer);
  finding->rule = g_strdup ("test.rule");
  finding->end = 3;
  finding->text = g_strdup ("because of the test");
  finding->intent = g_strdup (intent);
  if (g_strcmp0 (intent, "alternative") == 0)
    finding->alternative = g_strdup ("echo instead");
  g_ptr_array_add (result->findings, finding);
}

static PerficaWireResult *
make_result (const char *command, const char *folder)
{
  PerficaWireResult *result = perfica_wire_result_new (PERFICA_OUTCOME_RAN);

  result->exit_code = 0;
  result->duration_us = 1234000;
  result->answer = g_strdup ("allow");
  result->confinement = g_strdup ("bubblewrap");
  if (g_str_has_prefix (command, "outcome "))
    {
      result->outcome = perfica_outcome_from_string (command + 8);
      result->exit_code = -1;
      result->duration_us = result->outcome == PERFICA_OUTCOME_LIMIT ? 120000000 : 0;
      result->limit_seconds = 120;
      result->message = g_strdup_printf ("word of the gateway: %s", command + 8);
      if (result->outcome == PERFICA_OUTCOME_REFUSED)
        {
          g_free (result->answer);
          result->answer = g_strdup ("refuse");
          add_finding (result, "ask", NULL);
          add_finding (result, "refuse", "alternative");
          add_finding (result, "refuse", "person");
        }
    }
  else if (g_str_has_prefix (command, "exit "))
    {
      result->exit_code = atoi (command + 5);
      result->stdout_head = g_strdup_printf ("out %s\n", command + 5);
      result->stdout_total = strlen (result->stdout_head);
      result->stderr_head = g_strdup_printf ("err %s\n", command + 5);
      result->stderr_total = strlen (result->stderr_head);
    }
  else if (g_str_has_prefix (command, "signal "))
    {
      result->exit_code = -1;
      result->signal_number = atoi (command + 7);
    }
  else if (strcmp (command, "big") == 0)
    {
      result->stdout_head = g_strdup ("first");
      result->stdout_tail = g_strdup ("last");
      result->stdout_total = 1000009;
      result->output_path = g_strdup (".perfica/outputs/7.log");
    }
  else if (strcmp (command, "stream") == 0)
    result->stdout_total = result->stderr_total = 8;
  else if (strcmp (command, "gap") == 0)
    {
      result->stdout_total = 1004;
      result->output_path = g_strdup (".perfica/outputs/7.log");
    }
  else
    {
      result->stdout_head = g_strdup_printf ("%s\n%s\n", command, folder != NULL ? folder : "-");
      result->stdout_total = strlen (result->stdout_head);
    }
  return result;
}

static void
on_run (PerficaWireConnection *connection, gint64 id, const PerficaWireRun *run)
{
  g_autoptr (PerficaWireResult) result = NULL;

  if (strcmp (run->command, "drop") == 0)
    {
      perfica_wire_connection_close (connection);
      return;
    }
  if (strcmp (run->command, "ask") == 0)
    {
      perfica_wire_connection_send (
          connection, perfica_wire_encode_state (id, PERFICA_WIRE_STATE_ASKING, 60000));
      return;
    }
  if (g_str_has_prefix (run->command, "fail "))
    {
      perfica_wire_connection_send (
          connection, perfica_wire_encode_failure (id, atoi (run->command + 5), "failed so"));
      return;
    }
  perfica_wire_connection_send (connection,
                                perfica_wire_encode_state (id, PERFICA_WIRE_STATE_RUNNING, 120000));
  if (strcmp (run->command, "stream") == 0 && run->stream)
    {
      send_output (connection, id, FALSE, "one\n");
      send_output (connection, id, TRUE, "problem\n");
      send_output (connection, id, FALSE, "two\n");
    }
  if (strcmp (run->command, "gap") == 0 && run->stream)
    send_output (connection, id, FALSE, "one\n");
  result = make_result (run->command, run->folder);
  perfica_wire_connection_send (connection, perfica_wire_encode_result (id, result));
}

static void
take_text (char **slot, const char *text)
{
  g_free (*slot);
  *slot = g_strdup (text);
}

static void
on_hello (FakeGateway *gateway,
          PerficaWireConnection *connection,
          gint64 id,
          const PerficaWireHello *hello)
{
  char *tools[4] = { NULL };
  guint n = 0;
  PerficaWireHelloReply reply = {
    .protocol = PERFICA_WIRE_VERSION,
    .board = (char *) "Board",
    .board_folder = (char *) (gateway->board_folder ? gateway->board_folder : "/board"),
    .bubble = (char *) "Bubble",
    .role = (char *) "coder",
    .loop = (char *) (gateway->loop ? gateway->loop : "."),
    .loops = gateway->loops,
    .tools = tools,
    .attached = !gateway->unconfirmed
  };

  if (!gateway->no_read)
    tools[n++] = (char *) "read";
  if (!gateway->no_write)
    tools[n++] = (char *) "write";
  if (!gateway->no_run)
    tools[n++] = (char *) "run";

  gateway->hellos++;
  take_text (&gateway->last_client, hello->client);
  take_text (&gateway->last_board, hello->board);
  take_text (&gateway->last_bubble, hello->bubble);
  take_text (&gateway->last_role, hello->role);
  take_text (&gateway->last_folder, hello->folder);
  if (gateway->refuse_hello != 0)
    perfica_wire_connection_send (
        connection, perfica_wire_encode_failure (id, gateway->refuse_hello, "hello refused"));
  else
    perfica_wire_connection_send (connection, perfica_wire_encode_hello_reply (id, &reply));
}

static void
send_status (PerficaWireConnection *connection, gint64 id)
{
  g_autoptr (PerficaWireStatus) status = perfica_wire_status_new ();
  PerficaWireBoard *board = perfica_wire_board_new ("Board", "/board");

  status->version = g_strdup ("9.9");
  status->running = 4;
  g_ptr_array_add (board->bubbles, perfica_wire_bubble_new ("Bubble", "coder", "."));
  g_ptr_array_add (status->boards, board);
  g_ptr_array_add (status->clients,
                   perfica_wire_client_new ("codex", 42, "Board", "Bubble", FALSE));
  perfica_wire_connection_send (connection, perfica_wire_encode_status (id, status));
}

static void
on_message (PerficaWireConnection *connection, PerficaWireMessage *message, FakeGateway *gateway)
{
  if (gateway->mute)
    return;
  switch (message->type)
    {
    case PERFICA_WIRE_HELLO:
      on_hello (gateway, connection, message->id, message->hello);
      break;
    case PERFICA_WIRE_RUN:
      on_run (connection, message->id, message->run);
      break;
    case PERFICA_WIRE_CANCEL:
      {
        g_autoptr (PerficaWireResult) result = perfica_wire_result_new (PERFICA_OUTCOME_CANCELLED);

        gateway->cancels++;
        perfica_wire_connection_send (
            connection, perfica_wire_encode_result (message->cancel->request, result));
        break;
      }
    case PERFICA_WIRE_STATUS:
      send_status (connection, message->id);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void accept_next (FakeGateway *gateway);

static void
accepted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FakeGateway *gateway = user_data;
  g_autoptr (GSocketConnection) stream =
      g_socket_listener_accept_finish (G_SOCKET_LISTENER (source), result, NULL, NULL);
  PerficaWireConnection *connection;

  if (stream == NULL)
    return;
  connection = perfica_wire_connection_new (G_IO_STREAM (stream), PERFICA_WIRE_SIDE_GATEWAY);
  g_signal_connect (connection, "message", G_CALLBACK (on_message), gateway);
  perfica_wire_connection_start (connection);
  g_ptr_array_add (gateway->connections, connection);
  accept_next (gateway);
}

static void
accept_next (FakeGateway *gateway)
{
  g_socket_listener_accept_async (gateway->listener, NULL, accepted, gateway);
}

void
fake_gateway_init (FakeGateway *gateway)
{
  *gateway = (FakeGateway){ 0 };
  gateway->folder = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  gateway->connections = g_ptr_array_new_with_free_func (g_object_unref);
  g_setenv ("XDG_RUNTIME_DIR", gateway->folder, TRUE);
}

void
fake_gateway_listen (FakeGateway *gateway)
{
  g_autofree char *folder = perfica_wire_socket_folder (NULL);
  g_autofree char *path = perfica_wire_socket_path (NULL);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GError) error = NULL;

  g_mkdir (folder, 0700);
  g_unlink (path);
  gateway->listener = g_socket_listener_new ();
  g_socket_listener_add_address (gateway->listener, address, G_SOCKET_TYPE_STREAM,
                                 G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, &error);
  g_assert_no_error (error);
  accept_next (gateway);
}

void
fake_gateway_stop (FakeGateway *gateway)
{
  for (guint i = 0; i < gateway->connections->len; i++)
    perfica_wire_connection_close (gateway->connections->pdata[i]);
  g_ptr_array_set_size (gateway->connections, 0);
  if (gateway->listener != NULL)
    g_socket_listener_close (gateway->listener);
  g_clear_object (&gateway->listener);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

void
fake_gateway_clear (FakeGateway *gateway)
{
  g_autofree char *folder = perfica_wire_socket_folder (NULL);
  g_autofree char *path = perfica_wire_socket_path (NULL);

  fake_gateway_stop (gateway);
  g_unlink (path);
  g_rmdir (folder);
  g_rmdir (gateway->folder);
  g_clear_pointer (&gateway->folder, g_free);
  g_clear_pointer (&gateway->connections, g_ptr_array_unref);
  g_clear_pointer (&gateway->last_client, g_free);
  g_clear_pointer (&gateway->last_board, g_free);
  g_clear_pointer (&gateway->last_bubble, g_free);
  g_clear_pointer (&gateway->last_role, g_free);
  g_clear_pointer (&gateway->last_folder, g_free);
}

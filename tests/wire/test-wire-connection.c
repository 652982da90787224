/* Both ends of a socket: order, bounds, and who answers what.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gio/gio.h>

#include "perfica-wire-connection.h"

typedef struct
{
  PerficaWireConnection *connection;
  int peer; /* the raw other end */
  GString *seen;
  gboolean closed;
  int code;
} End;

static void
on_message (PerficaWireConnection *connection, PerficaWireMessage *message, End *end)
{
  g_string_append_printf (end->seen, "%d:%d ", message->type, (int) message->id);
}

static void
on_closed (PerficaWireConnection *connection, GError *error, End *end)
{
  g_assert_false (end->closed);
  end->closed = TRUE;
  end->code = error != NULL ? error->code : 0;
}

static void
end_init (End *end, PerficaWireSide side)
{
  int fds[2];
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GSocketConnection) stream = NULL;

  *end = (End){ .seen = g_string_new (NULL) };
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  socket = g_socket_new_from_fd (fds[0], NULL);
  stream = g_socket_connection_factory_create_connection (socket);
  end->peer = fds[1];
  end->connection = perfica_wire_connection_new (G_IO_STREAM (stream), side);
  g_signal_connect (end->connection, "message", G_CALLBACK (on_message), end);
  g_signal_connect (end->connection, "closed", G_CALLBACK (on_closed), end);
  perfica_wire_connection_start (end->connection);
}

static void
end_clear (End *end)
{
  PerficaWireConnection *connection = end->connection;

  perfica_wire_connection_close (connection);
  g_assert_true (end->closed);
  close (end->peer);
  g_object_add_weak_pointer (G_OBJECT (connection), (gpointer *) &end->connection);
  g_object_unref (connection);
  while (end->connection != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_string_free (end->seen, TRUE);
}

static void
put (End *end, const char *text)
{
  g_assert_cmpint (write (end->peer, text, strlen (text)), ==, (gssize) strlen (text));
}

#define CANCEL "{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{\"request\":1}}\n"
#define RUN "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"run\",\"params\":{\"command\":\"x\"}}\n"

static void
test_order (void)
{
  End end;

  end_init (&end, PERFICA_WIRE_SIDE_GATEWAY);
  put (&end, RUN CANCEL);
  put (&end, "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"sta");
  put (&end, "tus\",\"params\":{\"protocol\":1}}\n");
  shutdown (end.peer, SHUT_WR);
  while (!end.closed)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (end.seen->str, ==, "1:5 2:0 3:6 ");
  g_assert_cmpint (end.code, ==, 0);
  end_clear (&end);
}

/* Everything the gateway wrote until it closed. */
static char *
read_peer (End *end)
{
  GString *text = g_string_new (NULL);
  char buffer[4096];
  gssize n;

  while (!end->closed)
    g_main_context_iteration (NULL, TRUE);
  while ((n = recv (end->peer, buffer, sizeof buffer, MSG_DONTWAIT)) > 0)
    g_string_append_len (text, buffer, n);
  return g_string_free (text, FALSE);
}

static void
test_bad_lines (void)
{
  End end;
  g_autofree char *text = NULL;
  guint answers = 0;

  end_init (&end, PERFICA_WIRE_SIDE_GATEWAY);
  put (&end, "nonsense\n" RUN);
  for (int i = 0; i < PERFICA_WIRE_MAX_BAD_LINES + 5; i++)
    put (&end, "{}\n");
  put (&end, CANCEL);
  text = read_peer (&end);
  g_assert_cmpstr (end.seen->str, ==, "1:5 ");
  g_assert_nonnull (strstr (text, "-32700"));
  for (const char *p = text; (p = strchr (p, '\n')) != NULL; p++)
    answers++;
  g_assert_cmpuint (answers, ==, 1 + PERFICA_WIRE_MAX_BAD_LINES);
  end_clear (&end);
}

static void
test_long_line (void)
{
  End end;
  g_autofree char *text = NULL;
  g_autofree char *piece = g_strnfill (64 * 1024, 'x');

  end_init (&end, PERFICA_WIRE_SIDE_GATEWAY);
  for (int i = 0; i < 200 && !end.closed; i++)
    {
      gssize n = send (end.peer, piece, strlen (piece), MSG_DONTWAIT | MSG_NOSIGNAL);

      (void) n;
      g_main_context_iteration (NULL, FALSE);
    }
  text = read_peer (&end);
  g_assert_nonnull (strstr (text, "-32005"));
  end_clear (&end);
}

static void
test_client_side (void)
{
  End end;

  end_init (&end, PERFICA_WIRE_SIDE_CLIENT);
  put (&end, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"type\":\"opened\",\"board\":\"B\"}}\n");
  put (&end, RUN);
  put (&end, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"type\":\"opened\",\"board\":\"B\"}}\n");
  while (!end.closed)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (end.seen->str, ==, "8:1 ");
  g_assert_cmpint (end.code, ==, PERFICA_WIRE_CODE_UNKNOWN_METHOD);
  end_clear (&end);
}

static void
test_unread_queue (void)
{
  End end;
  g_autofree guint8 *data = g_malloc0 (PERFICA_WIRE_MAX_OUTPUT);
  guint sent = 0;

  end_init (&end, PERFICA_WIRE_SIDE_GATEWAY);
  while (perfica_wire_connection_send (
      end.connection, perfica_wire_encode_output (1, FALSE, data, PERFICA_WIRE_MAX_OUTPUT)))
    {
      sent++;
      g_assert_cmpuint (perfica_wire_connection_get_queued (end.connection), <=,
                        PERFICA_WIRE_MAX_QUEUED);
      g_assert_cmpuint (sent, <, 200);
    }
  g_assert_cmpuint (sent, >, 50);
  g_assert_false (end.closed);
  while (!end.closed)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (end.code, ==, PERFICA_WIRE_CODE_BUSY);
  end_clear (&end);
}

static void
test_finish_flushes (void)
{
  End end;
  g_autofree guint8 *data = g_malloc0 (PERFICA_WIRE_MAX_OUTPUT);
  gsize total = 0, got = 0;

  end_init (&end, PERFICA_WIRE_SIDE_GATEWAY);
  for (int i = 0; i < 30; i++)
    perfica_wire_connection_send (
        end.connection, perfica_wire_encode_output (1, TRUE, data, PERFICA_WIRE_MAX_OUTPUT));
  total = perfica_wire_connection_get_queued (end.connection);
  perfica_wire_connection_finish (end.connection);
  g_assert_false (
      perfica_wire_connection_send (end.connection, perfica_wire_encode_opened (1, "")));
  while (!end.closed)
    {
      char buffer[65536];
      gssize n = recv (end.peer, buffer, sizeof buffer, MSG_DONTWAIT);

      got += n > 0 ? (gsize) n : 0;
      g_main_context_iteration (NULL, FALSE);
    }
  for (;;)
    {
      char buffer[65536];
      gssize n = recv (end.peer, buffer, sizeof buffer, MSG_DONTWAIT);

      if (n <= 0)
        break;
      got += (gsize) n;
    }
  g_assert_cmpuint (got, ==, total);
  end_clear (&end);
}

static void
on_message_close (PerficaWireConnection *connection, PerficaWireMessage *message, gpointer data)
{
  perfica_wire_connection_close (connection);
}

static void
test_close_in_handler (void)
{
  End end;

  end_init (&end, PERFICA_WIRE_SIDE_GATEWAY);
  g_signal_connect (end.connection, "message", G_CALLBACK (on_message_close), NULL);
  put (&end, RUN RUN RUN);
  while (!end.closed)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (end.seen->str, ==, "1:5 ");
  end_clear (&end);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire/connection/order", test_order);
  g_test_add_func ("/wire/connection/bad-lines", test_bad_lines);
  g_test_add_func ("/wire/connection/long-line", test_long_line);
  g_test_add_func ("/wire/connection/client-side", test_client_side);
  g_test_add_func ("/wire/connection/unread-queue", test_unread_queue);
  g_test_add_func ("/wire/connection/finish-flushes", test_finish_flushes);
  g_test_add_func ("/wire/connection/close-in-handler", test_close_in_handler);
  return g_test_run ();
}

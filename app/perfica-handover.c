/* A second instance hands its folders to the one that runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-handover.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gi18n.h>

#include "perfica-wire-connection.h"

/* The other instance answers at once unless it hangs. */
#define PATIENCE_SECONDS 5

typedef struct
{
  GMainLoop *loop;
  guint waiting; /* answers that are still to come */
  GError *error; /* the first */
} HandOver;

static void
hand_over_fail (HandOver *hand, GError *error)
{
  if (hand->error == NULL)
    hand->error = error;
  else
    g_error_free (error);
}

static void
on_message (PerficaWireConnection *connection, PerficaWireMessage *message, gpointer user_data)
{
  HandOver *hand = user_data;

  if (message->type == PERFICA_WIRE_FAILURE)
    hand_over_fail (hand, g_error_new_literal (PERFICA_WIRE_ERROR, message->failure->code,
                                               message->failure->message));
  else if (message->type != PERFICA_WIRE_OPENED)
    return;
  if (--hand->waiting == 0)
    g_main_loop_quit (hand->loop);
}

static void
on_closed (PerficaWireConnection *connection, GError *error, gpointer user_data)
{
  HandOver *hand = user_data;

  if (hand->waiting > 0)
    hand_over_fail (hand,
                    error != NULL
                        ? g_error_copy (error)
                        : g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CLOSED,
                                               _ ("The Perfica that runs ended the connection.")));
  g_main_loop_quit (hand->loop);
}

static gboolean
on_patience_ended (gpointer user_data)
{
  HandOver *hand = user_data;

  hand_over_fail (hand,
                  g_error_new_literal (G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                                       _ ("Perfica runs already but does not answer; end it, then "
                                          "start it again.")));
  g_main_loop_quit (hand->loop);
  return G_SOURCE_REMOVE;
}

static void
send_folders (HandOver *hand, PerficaWireConnection *connection, const char *const *folders)
{
  gint64 id = 0;

  for (; *folders != NULL; folders++)
    perfica_wire_connection_send (connection, perfica_wire_encode_open_folder (++id, *folders));
  if (id == 0)
    perfica_wire_connection_send (connection, perfica_wire_encode_open_folder (++id, NULL));
  hand->waiting = id;
}

gboolean
perfica_hand_over (const char *socket, const char *const *folders, GError **error)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (socket);
  g_autoptr (GSocketConnection) stream = NULL;
  g_autoptr (PerficaWireConnection) connection = NULL;
  HandOver hand = { 0 };
  guint timeout;

  stream = g_socket_client_connect (client, G_SOCKET_CONNECTABLE (address), NULL, error);
  if (stream == NULL)
    return FALSE;
  hand.loop = g_main_loop_new (NULL, FALSE);
  connection = perfica_wire_connection_new (G_IO_STREAM (stream), PERFICA_WIRE_SIDE_CLIENT);
  g_signal_connect (connection, "message", G_CALLBACK (on_message), &hand);
  g_signal_connect (connection, "closed", G_CALLBACK (on_closed), &hand);
  perfica_wire_connection_start (connection);
  send_folders (&hand, connection, folders);
  timeout = g_timeout_add_seconds (PATIENCE_SECONDS, on_patience_ended, &hand);
  g_main_loop_run (hand.loop);
  if (g_main_context_find_source_by_id (NULL, timeout) != NULL)
    g_source_remove (timeout);
  hand.waiting = 0;
  g_signal_handlers_disconnect_by_data (connection, &hand);
  perfica_wire_connection_close (connection);
  g_main_loop_unref (hand.loop);
  if (hand.error == NULL)
    return TRUE;
  g_propagate_error (error, hand.error);
  return FALSE;
}

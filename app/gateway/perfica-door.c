/* The door: the socket that agents come through.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-door.h"

#include <errno.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfica-door-client.h"

struct _PerficaDoor
{
  PerficaGateway *gateway;
  char *path;
  GSocket *socket;
  GSource *source;
  GPtrArray *clients; /* PerficaDoorClient */
  GPtrArray *leaving; /* PerficaWireConnection: told why, not let in */
};

static void
client_closed (PerficaDoorClient *client, PerficaDoor *self)
{
  g_signal_handlers_disconnect_by_data (client, self);
  g_ptr_array_remove (self->clients, client);
}

static void
left (PerficaWireConnection *connection, GError *error, PerficaDoor *self)
{
  g_signal_handlers_disconnect_by_data (connection, self);
  g_ptr_array_remove (self->leaving, connection);
}

/* Says why and ends; reads nothing it sends. */
static void
turn_away (PerficaDoor *self, GSocketConnection *stream, int code, const char *message)
{
  PerficaWireConnection *connection;

  if (self->leaving->len >= PERFICA_MAX_CONNECTIONS)
    return; /* dropping the stream closes it */
  connection = perfica_wire_connection_new (G_IO_STREAM (stream), PERFICA_WIRE_SIDE_GATEWAY);
  g_ptr_array_add (self->leaving, connection);
  g_signal_connect (connection, "closed", G_CALLBACK (left), self);
  perfica_wire_connection_start (connection);
  perfica_wire_connection_send (connection, perfica_wire_encode_failure (0, code, message));
  perfica_wire_connection_finish (connection);
}

static void
let_in (PerficaDoor *self, GSocket *socket)
{
  g_autoptr (GSocketConnection) stream = g_socket_connection_factory_create_connection (socket);
  g_autoptr (GCredentials) peer = g_socket_get_credentials (socket, NULL);
  PerficaDoorClient *client;

  /* The folder's mode keeps other users out already; this holds where it doesn't. */
  if (!peer || g_credentials_get_unix_user (peer, NULL) != geteuid ())
    return;
  if (sandbox_peer_is_descendant (perfica_gateway_get_launcher (self->gateway),
                                  g_socket_get_fd (socket)))
    {
      turn_away (self, stream, PERFICA_WIRE_CODE_TURNED_AWAY,
                 _ ("Perfica doesn't talk to what its own commands start."));
      return;
    }
  if (self->clients->len >= PERFICA_MAX_CONNECTIONS)
    {
      turn_away (self, stream, PERFICA_WIRE_CODE_BUSY, _ ("Too many agents are connected."));
      return;
    }
  client = perfica_door_client_new (self->gateway, stream, g_credentials_get_unix_pid (peer, NULL));
  g_ptr_array_add (self->clients, client);
  g_signal_connect (client, "closed", G_CALLBACK (client_closed), self);
}

static gboolean
somebody_knocks (GSocket *listener, GIOCondition condition, gpointer data)
{
  g_autoptr (GSocket) socket = g_socket_accept (listener, NULL, NULL);

  if (socket)
    let_in (data, socket);
  return G_SOURCE_CONTINUE;
}

static GSocket *
listen_at (const char *path, GError **error)
{
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GSocketAddress) address = NULL;

  if (g_unlink (path) != 0 && errno != ENOENT)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path,
                   g_strerror (errno));
      return NULL;
    }
  socket =
      g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, error);
  if (!socket)
    return NULL;
  address = g_unix_socket_address_new (path);
  g_socket_set_blocking (socket, FALSE);
  g_socket_set_listen_backlog (socket, PERFICA_MAX_CONNECTIONS);
  if (!g_socket_bind (socket, address, FALSE, error) || g_chmod (path, 0600) != 0 ||
      !g_socket_listen (socket, error))
    return NULL;
  return g_steal_pointer (&socket);
}

PerficaDoor *
perfica_door_open (PerficaGateway *gateway, const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GSocket) socket = listen_at (path, &local);
  PerficaDoor *self;

  if (!socket)
    {
      g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_RUNTIME,
                   _ ("The gateway's socket can't be opened: %s."),
                   local ? local->message : g_strerror (errno));
      return NULL;
    }
  self = g_new0 (PerficaDoor, 1);
  self->gateway = gateway;
  self->path = g_strdup (path);
  self->clients = g_ptr_array_new_with_free_func (g_object_unref);
  self->leaving = g_ptr_array_new_with_free_func (g_object_unref);
  self->source = g_socket_create_source (socket, G_IO_IN, NULL);
  g_source_set_callback (self->source, G_SOURCE_FUNC (somebody_knocks), self, NULL);
  g_source_attach (self->source, g_main_context_get_thread_default ());
  self->socket = g_steal_pointer (&socket);
  return self;
}

void
perfica_door_close (PerficaDoor *self)
{
  g_unlink (self->path);
  g_source_destroy (self->source);
  g_source_unref (self->source);
  g_socket_close (self->socket, NULL);
  g_object_unref (self->socket);
  /* Each lives on by its own pending writes until its last answer is out. */
  for (guint i = 0; i < self->clients->len; i++)
    {
      g_signal_handlers_disconnect_by_data (self->clients->pdata[i], self);
      g_signal_connect (self->clients->pdata[i], "closed", G_CALLBACK (g_object_unref), NULL);
      perfica_door_client_finish (g_object_ref (self->clients->pdata[i]));
    }
  for (guint i = 0; i < self->leaving->len; i++)
    g_signal_handlers_disconnect_by_data (self->leaving->pdata[i], self);
  g_ptr_array_unref (self->clients);
  g_ptr_array_unref (self->leaving);
  g_free (self->path);
  g_free (self);
}

void
perfica_door_drop_board (PerficaDoor *self, PerficaBoard *board)
{
  for (guint i = self->clients->len; i > 0; i--)
    if (perfica_door_client_get_board (self->clients->pdata[i - 1]) == board)
      perfica_door_client_finish (self->clients->pdata[i - 1]);
}

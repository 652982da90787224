/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "house.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>

void
house_spin_until (gboolean (*done) (gpointer), gpointer data)
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

gboolean
house_has_answer (gpointer data)
{
  House *house = data;

  return house->last || house->closed;
}

GSocketConnection *
house_dial (void)
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

void
house_send_hello (House *house, const PerficaWireHello *hello)
{
  g_autoptr (GSocketConnection) stream = house_dial ();

  house->closed = FALSE;
  house->client = perfica_wire_connection_new (G_IO_STREAM (stream), PERFICA_WIRE_SIDE_CLIENT);
  g_signal_connect (house->client, "message", G_CALLBACK (has_message), house);
  g_signal_connect (house->client, "closed", G_CALLBACK (was_closed), house);
  perfica_wire_connection_start (house->client);
  g_clear_pointer (&house->last, perfica_wire_message_unref);
  perfica_wire_connection_send (house->client, perfica_wire_encode_hello (1, hello));
}

void
house_say_hello (House *house)
{
  PerficaWireHello hello = { .protocol = PERFICA_WIRE_VERSION,
                             .client = (char *) "test",
                             .folder = house->project };

  house_send_hello (house, &hello);
  house_spin_until (house_has_answer, house);
}

void
house_hang_up (House *house)
{
  perfica_wire_connection_close (house->client);
  g_clear_object (&house->client);
}

void
house_send_run (House *house, const char *command)
{
  PerficaWireRun run = { .command = (char *) command };

  g_clear_pointer (&house->last, perfica_wire_message_unref);
  perfica_wire_connection_send (house->client, perfica_wire_encode_run (++house->last_run, &run));
}

const PerficaWireResult *
house_run (House *house, const char *command)
{
  house_send_run (house, command);
  house_spin_until (house_has_answer, house);
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

void
house_set_up (House *house, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) folder = NULL;
  g_autofree char *limits = NULL;

  house->last_run = 9; /* hello has the 1 */
  house->root = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  make_folder (house->root, "config", "XDG_CONFIG_HOME");
  make_folder (house->root, "state", "XDG_STATE_HOME");
  make_folder (house->root, "run", "XDG_RUNTIME_DIR");
  make_folder (house->root, "project", NULL);
  house->project = g_build_filename (house->root, "project", NULL);
  make_folder (house->root, "config/perfica", NULL);
  limits = g_build_filename (house->root, "config/perfica/limits.json", NULL);
  g_assert_true (g_file_set_contents (
      limits, data ? data : "{\"short_seconds\":1,\"prompt_seconds\":2}", -1, NULL));
  g_chmod (limits, 0600);
  house->launcher = sandbox_launcher_new (g_getenv ("PERFICA_SUPERVISE"), &error);
  g_assert_no_error (error);
  house->gateway = perfica_gateway_new (house->launcher);
  perfica_gateway_start (house->gateway, &error);
  g_assert_no_error (error);
  folder = g_file_new_for_path (house->project);
  house->board = perfica_gateway_open_folder (house->gateway, folder, &error);
  g_assert_no_error (error);
  house_say_hello (house);
  g_assert_cmpint (house->last->type, ==, PERFICA_WIRE_HELLO_REPLY);
}

void
house_confirm (House *house)
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

gboolean
house_is_true (gpointer data)
{
  return *(gboolean *) data;
}

void
house_tear_down (House *house, gconstpointer data)
{
  const char *argv[] = { "rm", "-rf", house->root, NULL };
  gboolean done = FALSE;

  perfica_gateway_stop_async (house->gateway, stopped, &done);
  house_spin_until (house_is_true, &done);
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

gboolean
house_waits (gpointer data)
{
  return g_list_model_get_n_items (G_LIST_MODEL (perfica_gateway_get_approvals (data))) > 0;
}

static void
restarted (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  perfica_gateway_restart_finish (PERFICA_GATEWAY (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

void
house_restart (House *house)
{
  gboolean done = FALSE;

  perfica_gateway_restart_async (house->gateway, restarted, &done);
  house_spin_until (house_is_true, &done);
}

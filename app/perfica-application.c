/* The application object: builds the gateway, hands it to the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-application.h"

#include <glib-unix.h>
#include <glib/gi18n.h>

#include "perfica-compat.h"
#include "perfica-settings-window.h"
#include "perfica-window.h"

/* So many folders handed over wait for the person; more are dropped. */
#define MAX_HANDED_OVER 16

struct _PerficaApplication
{
  AdwApplication parent_instance;

  PerficaGateway *gateway;
  char **folders;
  gboolean background;
  gboolean ending;    /* the gateway is being stopped; nothing can keep us */
  gboolean asking;    /* a question of ours is open; there is one at a time */
  GQueue handed_over; /* GFile: folders that wait for their question */
  guint signals[3];
};

G_DEFINE_FINAL_TYPE (PerficaApplication, perfica_application, ADW_TYPE_APPLICATION)

static void ask_next_folder (PerficaApplication *self);

static PerficaWindow *
find_window (PerficaApplication *self)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (PERFICA_IS_WINDOW (l->data))
      return l->data;
  return NULL;
}

static PerficaWindow *
show_window (PerficaApplication *self)
{
  PerficaWindow *window = find_window (self);

  if (window == NULL)
    window = perfica_window_new (GTK_APPLICATION (self), self->gateway);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static guint
count_running (PerficaApplication *self)
{
  guint running = 0;

  g_object_get (self->gateway, "running", &running, NULL);
  return running;
}

/* Quit and restart --------------------------------------------------------- */

static void
on_stopped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PerficaApplication) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!perfica_gateway_stop_finish (PERFICA_GATEWAY (source), result, &error))
    g_printerr ("perfica: %s\n", error->message);
  g_application_quit (G_APPLICATION (self));
}

static void
end (PerficaApplication *self)
{
  if (self->ending)
    return;
  self->ending = TRUE;
  perfica_gateway_stop_async (self->gateway, on_stopped, g_object_ref (self));
}

static void
on_restarted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PerficaApplication) self = user_data;
  g_autoptr (GError) error = NULL;

  if (perfica_gateway_restart_finish (PERFICA_GATEWAY (source), result, &error))
    return;
  g_printerr ("perfica: %s\n", error->message);
  perfica_alert (GTK_WIDGET (show_window (self)), _ ("The gateway could not be restarted"),
                 error->message, NULL, FALSE, NULL, NULL);
}

static void
restart (PerficaApplication *self)
{
  perfica_gateway_restart_async (self->gateway, on_restarted, g_object_ref (self));
}

static void
on_quit_answered (const char *response, gpointer user_data)
{
  g_autoptr (PerficaApplication) self = user_data;

  self->asking = FALSE;
  if (g_str_equal (response, "accept"))
    end (self);
  else
    ask_next_folder (self);
}

static void
on_restart_answered (const char *response, gpointer user_data)
{
  g_autoptr (PerficaApplication) self = user_data;

  self->asking = FALSE;
  if (g_str_equal (response, "accept"))
    restart (self);
  ask_next_folder (self);
}

/* Asks first while commands run; they would be stopped. */
static gboolean
ask_if_running (PerficaApplication *self,
                const char *heading,
                const char *action,
                PerficaAlertFunc answered)
{
  guint running = count_running (self);
  g_autofree char *body = NULL;

  if (running == 0 || self->ending)
    return FALSE;
  if (self->asking)
    return TRUE;
  self->asking = TRUE;
  body = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE,
                   "%u command is running. It will be stopped, and its agent is told so.",
                   "%u commands are running. They will be stopped, and their agents are told so.",
                   running),
      running);
  perfica_alert (GTK_WIDGET (show_window (self)), heading, body, action, TRUE, answered,
                 g_object_ref (self));
  return TRUE;
}

static void
quit_activated (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  PerficaApplication *self = user_data;

  if (!ask_if_running (self, _ ("Quit Perfica?"), _ ("Stop and Quit"), on_quit_answered))
    end (self);
}

static void
restart_activated (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  PerficaApplication *self = user_data;

  if (!ask_if_running (self, _ ("Restart the gateway?"), _ ("Stop and Restart"),
                       on_restart_answered))
    restart (self);
}

/* SIGTERM is a log-out or a service manager: nobody is there to be asked. */
static gboolean
on_signal (gpointer user_data)
{
  end (user_data);
  return G_SOURCE_CONTINUE;
}

/* The other actions -------------------------------------------------------- */

static PerficaSettingsWindow *
show_settings (PerficaApplication *self)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (self));
  PerficaSettingsWindow *settings = NULL;

  for (GList *l = windows; l != NULL; l = l->next)
    if (PERFICA_IS_SETTINGS_WINDOW (l->data))
      settings = l->data;
  if (settings == NULL)
    {
      settings = perfica_settings_window_new (self->gateway);
      gtk_window_set_application (GTK_WINDOW (settings), GTK_APPLICATION (self));
      gtk_window_set_transient_for (GTK_WINDOW (settings), GTK_WINDOW (find_window (self)));
    }
  gtk_window_present (GTK_WINDOW (settings));
  return settings;
}

static void
settings_activated (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  show_settings (user_data);
}

static void
connect_activated (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  perfica_settings_window_show_page (show_settings (user_data), "agents");
}

static void
about_activated (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  perfica_about_show (gtk_application_get_active_window (user_data));
}

static const GActionEntry actions[] = {
  { .name = "quit", .activate = quit_activated },
  { .name = "restart-gateway", .activate = restart_activated },
  { .name = "settings", .activate = settings_activated },
  { .name = "connect-agent", .activate = connect_activated },
  { .name = "about", .activate = about_activated },
};

static void
add_accelerators (GtkApplication *app)
{
  const char *quit[] = { "<Primary>q", NULL };
  const char *settings[] = { "<Primary>comma", NULL };

  gtk_application_set_accels_for_action (app, "app.quit", quit);
  gtk_application_set_accels_for_action (app, "app.settings", settings);
}

static gboolean
is_board (PerficaGateway *gateway, GFile *folder)
{
  GListModel *boards = perfica_gateway_get_boards (gateway);
  const char *path = g_file_peek_path (folder);

  for (guint i = 0; i < g_list_model_get_n_items (boards); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (boards, i);

      if (g_strcmp0 (perfica_board_get_folder (board), path) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
on_handover_answered (const char *response, gpointer user_data)
{
  g_autoptr (PerficaApplication) self = user_data;
  g_autoptr (GFile) folder = g_queue_pop_head (&self->handed_over);

  self->asking = FALSE;
  if (g_str_equal (response, "accept"))
    perfica_window_open_folder (show_window (self), folder);
  ask_next_folder (self);
}

/* The one at the head is asked about until it is answered. */
static void
ask_next_folder (PerficaApplication *self)
{
  GFile *folder = g_queue_peek_head (&self->handed_over);

  if (folder == NULL || self->asking || self->ending)
    return;
  self->asking = TRUE;
  perfica_alert (GTK_WIDGET (show_window (self)), _ ("Open this folder as a board?"),
                 g_file_peek_path (folder), _ ("Open"), FALSE, on_handover_answered,
                 g_object_ref (self));
}

static gboolean
is_handed_over (PerficaApplication *self, GFile *folder)
{
  for (GList *l = self->handed_over.head; l != NULL; l = l->next)
    if (g_file_equal (l->data, folder))
      return TRUE;
  return FALSE;
}

/* Another instance, or anything of this user, handed a folder over: a new board needs the person's
 * word. */
static void
on_folder_handed_over (PerficaGateway *gateway, GFile *folder, PerficaApplication *self)
{
  PerficaWindow *window = show_window (self);

  if (folder == NULL)
    return;
  if (is_board (gateway, folder))
    {
      perfica_window_open_folder (window, folder);
      return;
    }
  if (is_handed_over (self, folder) || self->handed_over.length >= MAX_HANDED_OVER)
    return;
  g_queue_push_tail (&self->handed_over, g_object_ref (folder));
  ask_next_folder (self);
}

static void
perfica_application_startup (GApplication *app)
{
  PerficaApplication *self = PERFICA_APPLICATION (app);

  G_APPLICATION_CLASS (perfica_application_parent_class)->startup (app);
  perfica_ui_init ();
  g_action_map_add_action_entries (G_ACTION_MAP (app), actions, G_N_ELEMENTS (actions), app);
  add_accelerators (GTK_APPLICATION (app));
  g_signal_connect_object (self->gateway, "open-folder", G_CALLBACK (on_folder_handed_over), self,
                           0);
  self->signals[0] = g_unix_signal_add (SIGTERM, on_signal, self);
  self->signals[1] = g_unix_signal_add (SIGINT, on_signal, self);
  self->signals[2] = g_unix_signal_add (SIGHUP, on_signal, self);
  /* Agents are served with no window open; what would ask is refused then. */
  g_application_hold (app);
}

static void
perfica_application_activate (GApplication *app)
{
  PerficaApplication *self = PERFICA_APPLICATION (app);
  PerficaWindow *window;

  if (self->background)
    {
      self->background = FALSE;
      return;
    }
  window = show_window (self);
  for (char **folder = self->folders; *folder != NULL; folder++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (*folder);

      perfica_window_open_folder (window, file);
    }
  g_clear_pointer (&self->folders, g_strfreev);
  self->folders = g_new0 (char *, 1);
}

static void
perfica_application_shutdown (GApplication *app)
{
  PerficaApplication *self = PERFICA_APPLICATION (app);

  GList *windows;

  for (guint i = 0; i < G_N_ELEMENTS (self->signals); i++)
    g_clear_handle_id (&self->signals[i], g_source_remove);
  /* They hold the gateway. */
  while ((windows = gtk_application_get_windows (GTK_APPLICATION (app))) != NULL)
    gtk_window_destroy (windows->data);
  G_APPLICATION_CLASS (perfica_application_parent_class)->shutdown (app);
}

static void
perfica_application_dispose (GObject *object)
{
  PerficaApplication *self = PERFICA_APPLICATION (object);

  g_clear_object (&self->gateway);
  g_queue_clear_full (&self->handed_over, g_object_unref);
  g_clear_pointer (&self->folders, g_strfreev);
  G_OBJECT_CLASS (perfica_application_parent_class)->dispose (object);
}

static void
perfica_application_class_init (PerficaApplicationClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GApplicationClass *app_class = G_APPLICATION_CLASS (klass);

  object_class->dispose = perfica_application_dispose;
  app_class->startup = perfica_application_startup;
  app_class->activate = perfica_application_activate;
  app_class->shutdown = perfica_application_shutdown;
}

static void
perfica_application_init (PerficaApplication *self)
{
}

PerficaApplication *
perfica_application_new (PerficaGateway *gateway, const char *const *folders, gboolean background)
{
  /* Who is the only instance is decided by the lock on the socket's folder, not by the bus:
   * with no bus two instances would both be primary. */
  PerficaApplication *self =
      g_object_new (PERFICA_TYPE_APPLICATION, "application-id", "app.perfica.Perfica", "flags",
                    G_APPLICATION_NON_UNIQUE, NULL);

  self->gateway = g_object_ref (gateway);
  self->folders = g_strdupv ((char **) folders);
  self->background = background;
  return self;
}

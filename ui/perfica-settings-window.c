/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-settings-window.h"

#include <glib/gi18n.h>

#include "perfica-agent-row.h"
#include "perfica-closures.h"
#include "perfica-compat.h"
#include "perfica-confirm.h"
#include "perfica-escape.h"
#include "perfica-image-group.h"
#include "perfica-rows.h"
#include "perfica-settings.h"
#include "perfica-text-window.h"
#include "perfica-window.h"

#define MAX_VISIBLE_FOLDERS 64

struct _PerficaSettingsWindow
{
  AdwWindow parent_instance;

  PerficaGateway *gateway;
  PerficaSettings *settings;
  gboolean updating;
  GPtrArray *folder_rows;
  GPtrArray *shells; /* paths; the first is empty: the login shell */

  GtkWidget *toasts;
  GtkWidget *views;
  GtkWidget *sandbox;
  GtkWidget *backend;
  GtkWidget *state;
  GtkWidget *state_icon;
  GtkWidget *state_spinner;
  GtkWidget *step;
  GtkWidget *step_text;
  GtkWidget *step_box;
  GtkWidget *step_command;
  GtkWidget *step_warning;
  GtkWidget *step_detail;
  GtkWidget *image;
  GtkWidget *folders;
  GtkWidget *limited;
  GtkWidget *seconds_row;
  GtkWidget *seconds;
  GtkWidget *notifications;
  GtkWidget *shell;
  GtkWidget *font;
  GtkWidget *font_reset;
  GtkWidget *scrollback;
  GtkWidget *agents;
  GtkWidget *about;
};

G_DEFINE_FINAL_TYPE (PerficaSettingsWindow, perfica_settings_window, ADW_TYPE_WINDOW)

static void
say (PerficaSettingsWindow *self, const char *text)
{
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (self->toasts), adw_toast_new (text));
}

static void
show_step (PerficaSettingsWindow *self, const SandboxDiagnosis *diagnosis)
{
  const char *command = diagnosis->command;

  gtk_widget_set_visible (self->step, diagnosis->step != NULL);
  if (diagnosis->step == NULL)
    return;
  gtk_label_set_label (GTK_LABEL (self->step_text), _ (diagnosis->step));
  gtk_widget_set_visible (self->step_box, command != NULL);
  gtk_label_set_label (GTK_LABEL (self->step_command), command != NULL ? command : "");
  gtk_widget_set_visible (self->step_warning, diagnosis->warning != NULL);
  if (diagnosis->warning != NULL)
    gtk_label_set_label (GTK_LABEL (self->step_warning), _ (diagnosis->warning));
  gtk_widget_set_visible (self->step_detail, diagnosis->detail != NULL);
  if (diagnosis->detail != NULL)
    {
      g_autofree char *detail = perfica_escape_line (diagnosis->detail, 2000);

      gtk_label_set_label (GTK_LABEL (self->step_detail), detail);
    }
}

static void
update_diagnosis (PerficaSettingsWindow *self)
{
  const SandboxDiagnosis *diagnosis = perfica_gateway_get_diagnosis (self->gateway);
  gboolean known = diagnosis != NULL;

  gtk_widget_set_visible (self->state_spinner, !known);
  gtk_widget_set_visible (self->state_icon, known);
  if (!known)
    {
      gtk_widget_set_visible (self->step, FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->state), _ ("Checking…"));
      return;
    }
  gtk_widget_remove_css_class (self->state_icon, diagnosis->ready ? "warning" : "success");
  gtk_widget_add_css_class (self->state_icon, diagnosis->ready ? "success" : "warning");
  gtk_image_set_from_icon_name (GTK_IMAGE (self->state_icon), diagnosis->ready
                                                                  ? "perfica-shield-symbolic"
                                                                  : "dialog-warning-symbolic");
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->state),
                                 diagnosis->summary != NULL ? _ (diagnosis->summary) : "");
  show_step (self, diagnosis);
}

static guint
backend_position (SandboxBackendType backend)
{
  const SandboxBackendType *backends = sandbox_backends ();

  for (guint i = 0;; i++)
    if (backends[i] == backend || backends[i] == SANDBOX_BACKEND_NONE)
      return i;
}

static void
fill_backends (PerficaSettingsWindow *self)
{
  const SandboxBackendType *backends = sandbox_backends ();
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; backends[i] != SANDBOX_BACKEND_NONE; i++)
    gtk_string_list_append (names, perfica_backend_label (backends[i]));
  if (backends[0] == SANDBOX_BACKEND_NONE)
    gtk_string_list_append (names, perfica_backend_label (SANDBOX_BACKEND_NONE));
  self->updating = TRUE;
  adw_combo_row_set_model (ADW_COMBO_ROW (self->backend), G_LIST_MODEL (names));
  self->updating = FALSE;
}

static void
update_gateway (PerficaSettingsWindow *self)
{
  guint seconds = perfica_gateway_get_prompt_seconds (self->gateway);

  self->updating = TRUE;
  gtk_switch_set_active (GTK_SWITCH (self->sandbox),
                         perfica_gateway_get_sandbox_default (self->gateway));
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->backend),
                              backend_position (perfica_gateway_get_backend (self->gateway)));
  gtk_widget_set_visible (self->image,
                          perfica_gateway_get_backend (self->gateway) == SANDBOX_BACKEND_DOCKER);
  gtk_switch_set_active (GTK_SWITCH (self->limited), seconds != 0);
  gtk_widget_set_sensitive (self->seconds_row, seconds != 0);
  if (seconds != 0)
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->seconds), seconds);
  self->updating = FALSE;
}

static void
sandbox_off_confirmed (gboolean confirmed, gpointer owner)
{
  PerficaSettingsWindow *self = owner;

  if (self->gateway == NULL)
    return;
  if (confirmed)
    perfica_gateway_set_sandbox_default (self->gateway, FALSE);
  update_gateway (self);
}

static void
sandbox_changed (PerficaSettingsWindow *self)
{
  gboolean on = gtk_switch_get_active (GTK_SWITCH (self->sandbox));

  if (self->updating || on == perfica_gateway_get_sandbox_default (self->gateway))
    return;
  if (on)
    {
      perfica_gateway_set_sandbox_default (self->gateway, TRUE);
      return;
    }
  perfica_confirm_ask (GTK_WIDGET (self), _ ("Turn the sandbox off?"),
                       _ ("On boards that follow the default, commands that are allowed then run "
                          "with your rights, and can reach the network and every file you can."),
                       _ ("Turn Off"), sandbox_off_confirmed, self);
}

static void
backend_changed (PerficaSettingsWindow *self)
{
  guint chosen = adw_combo_row_get_selected (ADW_COMBO_ROW (self->backend));
  SandboxBackendType backend;

  if (self->updating || chosen == GTK_INVALID_LIST_POSITION)
    return;
  backend = sandbox_backends ()[chosen];
  if (backend == perfica_gateway_get_backend (self->gateway))
    return;
  perfica_gateway_set_backend (self->gateway, backend);
  gtk_widget_set_visible (self->image, backend == SANDBOX_BACKEND_DOCKER);
  perfica_gateway_check_backend (self->gateway);
  update_diagnosis (self);
}

static void
check_clicked (PerficaSettingsWindow *self)
{
  perfica_gateway_check_backend (self->gateway);
  gtk_widget_set_visible (self->state_spinner, TRUE);
  gtk_widget_set_visible (self->state_icon, FALSE);
}

static void
copy_text (PerficaSettingsWindow *self, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  say (self, _ ("Copied"));
}

static void
copy_step_clicked (PerficaSettingsWindow *self)
{
  copy_text (self, gtk_label_get_label (GTK_LABEL (self->step_command)));
}

static void
run_step_clicked (PerficaSettingsWindow *self)
{
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));
  const char *command = gtk_label_get_label (GTK_LABEL (self->step_command));

  if (!PERFICA_IS_WINDOW (parent))
    {
      copy_text (self, command);
      return;
    }
  perfica_window_run_in_terminal (PERFICA_WINDOW (parent), command, NULL);
  gtk_window_present (parent);
}

static void update_folders (PerficaSettingsWindow *self);

static void
set_folders (PerficaSettingsWindow *self, const char *add, const char *remove)
{
  g_auto (GStrv) old = perfica_gateway_get_visible_folders (self->gateway);
  g_autoptr (GStrvBuilder) folders = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  for (char **folder = old; folder != NULL && *folder != NULL; folder++)
    if (g_strcmp0 (*folder, remove) != 0 && g_strcmp0 (*folder, add) != 0)
      g_strv_builder_add (folders, *folder);
  if (add != NULL)
    g_strv_builder_add (folders, add);
  list = g_strv_builder_end (folders);
  perfica_gateway_set_visible_folders (self->gateway, (const char *const *) list);
  update_folders (self);
}

static void
folder_removed (GtkWidget *button, PerficaSettingsWindow *self)
{
  g_autofree char *folder = g_strdup (g_object_get_data (G_OBJECT (button), "folder"));

  set_folders (self, NULL, folder);
}

static void
add_folder_row (PerficaSettingsWindow *self, const char *folder)
{
  g_autofree char *label = perfica_folder_label (folder, g_get_home_dir ());
  g_autofree char *spoken = g_strdup_printf (_ ("Hide %s"), label);
  GtkWidget *row = perfica_rows_new (label, NULL);
  GtkWidget *button = perfica_rows_button ("user-trash-symbolic", spoken);

  g_object_set_data_full (G_OBJECT (button), "folder", g_strdup (folder), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (folder_removed), self);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->folders), row);
  g_ptr_array_add (self->folder_rows, row);
}

static void
update_folders (PerficaSettingsWindow *self)
{
  g_auto (GStrv) folders = perfica_gateway_get_visible_folders (self->gateway);

  for (guint i = 0; i < self->folder_rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self->folders),
                                  g_ptr_array_index (self->folder_rows, i));
  g_ptr_array_set_size (self->folder_rows, 0);
  for (char **folder = folders; folder != NULL && *folder != NULL; folder++)
    add_folder_row (self, *folder);
}

static void
folder_chosen (GFile *file, gpointer data)
{
  g_autoptr (PerficaSettingsWindow) self = data;
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (path == NULL || self->gateway == NULL)
    return;
  if (self->folder_rows->len >= MAX_VISIBLE_FOLDERS)
    say (self, _ ("The list is full"));
  else
    set_folders (self, path, NULL);
}

static void
add_folder_clicked (PerficaSettingsWindow *self)
{
  perfica_choose_folder (GTK_WIDGET (self), _ ("A Folder That the Sandbox Shows"), NULL,
                         folder_chosen, g_object_ref (self));
}

static void
limit_changed (PerficaSettingsWindow *self)
{
  gboolean limited = gtk_switch_get_active (GTK_SWITCH (self->limited));
  guint seconds = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->seconds));

  if (self->updating)
    return;
  gtk_widget_set_sensitive (self->seconds_row, limited);
  perfica_gateway_set_prompt_seconds (self->gateway, limited ? CLAMP (seconds, 10, 3600) : 0);
}

static void
fill_shells (PerficaSettingsWindow *self)
{
  static const char *const known[] = { "bash",           "zsh",     "fish", "pwsh",
                                       "powershell.exe", "cmd.exe", NULL };
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autofree char *chosen = NULL;
  guint selected = 0;

  g_object_get (self->settings, "terminal-shell", &chosen, NULL);
  gtk_string_list_append (names, _ ("Login shell"));
  g_ptr_array_add (self->shells, g_strdup (""));
  for (const char *const *name = known; *name != NULL; name++)
    {
      g_autofree char *path = g_find_program_in_path (*name);

      if (path == NULL)
        continue;
      if (g_strcmp0 (path, chosen) == 0)
        selected = self->shells->len;
      gtk_string_list_append (names, *name);
      g_ptr_array_add (self->shells, g_steal_pointer (&path));
    }
  self->updating = TRUE;
  adw_combo_row_set_model (ADW_COMBO_ROW (self->shell), G_LIST_MODEL (names));
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->shell), selected);
  self->updating = FALSE;
}

static void
shell_changed (PerficaSettingsWindow *self)
{
  guint chosen = adw_combo_row_get_selected (ADW_COMBO_ROW (self->shell));

  if (!self->updating && chosen < self->shells->len)
    g_object_set (self->settings, "terminal-shell", g_ptr_array_index (self->shells, chosen), NULL);
}

static void
update_font (PerficaSettingsWindow *self)
{
  g_autofree char *font = perfica_settings_dup_font (self->settings);

  self->updating = TRUE;
  gtk_font_chooser_set_font (GTK_FONT_CHOOSER (self->font), font != NULL ? font : "Monospace 11");
  gtk_widget_set_visible (self->font_reset, font != NULL);
  self->updating = FALSE;
}

static void
font_chosen (PerficaSettingsWindow *self)
{
  g_autofree char *font = gtk_font_chooser_get_font (GTK_FONT_CHOOSER (self->font));

  if (self->updating)
    return;
  g_object_set (self->settings, "terminal-font", font, NULL);
  update_font (self);
}

static void
font_reset_clicked (PerficaSettingsWindow *self)
{
  g_object_set (self->settings, "terminal-font", "", NULL);
  update_font (self);
}

static void
about_activated (PerficaSettingsWindow *self)
{
  perfica_about_show (GTK_WINDOW (self));
}

static void
privacy_activated (PerficaSettingsWindow *self)
{
  perfica_text_window_open (GTK_WINDOW (self), "privacy");
}

static void
terms_activated (PerficaSettingsWindow *self)
{
  perfica_text_window_open (GTK_WINDOW (self), "terms");
}

static void
licences_activated (PerficaSettingsWindow *self)
{
  perfica_text_window_open (GTK_WINDOW (self), "licences");
}

static void
add_agents (PerficaSettingsWindow *self)
{
  g_autofree char *program = perfica_snippet_agent ();
  gsize n;
  const PerficaSnippet *snippets = perfica_snippets (&n);

  for (gsize i = 0; i < n; i++)
    {
      GtkWidget *row = perfica_agent_row_new (&snippets[i], program, self->gateway);

      g_signal_connect_swapped (row, "copy", G_CALLBACK (copy_text), self);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->agents), row);
    }
}

static void
perfica_settings_window_dispose (GObject *object)
{
  PerficaSettingsWindow *self = PERFICA_SETTINGS_WINDOW (object);

  g_clear_pointer (&self->folder_rows, g_ptr_array_unref);
  g_clear_pointer (&self->shells, g_ptr_array_unref);
  g_clear_object (&self->settings);
  g_clear_object (&self->gateway);
  G_OBJECT_CLASS (perfica_settings_window_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, views);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, sandbox);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, backend);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, state);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, state_icon);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, state_spinner);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, step);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, step_text);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, step_box);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, step_command);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, step_warning);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, step_detail);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, image);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, folders);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, limited);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, seconds_row);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, seconds);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, notifications);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, shell);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, font);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, font_reset);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, scrollback);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, agents);
  gtk_widget_class_bind_template_child (widget_class, PerficaSettingsWindow, about);
}

static void
perfica_settings_window_class_init (PerficaSettingsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_settings_window_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-settings-window.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, sandbox_changed);
  gtk_widget_class_bind_template_callback (widget_class, backend_changed);
  gtk_widget_class_bind_template_callback (widget_class, check_clicked);
  gtk_widget_class_bind_template_callback (widget_class, copy_step_clicked);
  gtk_widget_class_bind_template_callback (widget_class, run_step_clicked);
  gtk_widget_class_bind_template_callback (widget_class, add_folder_clicked);
  gtk_widget_class_bind_template_callback (widget_class, limit_changed);
  gtk_widget_class_bind_template_callback (widget_class, shell_changed);
  gtk_widget_class_bind_template_callback (widget_class, font_chosen);
  gtk_widget_class_bind_template_callback (widget_class, font_reset_clicked);
  gtk_widget_class_bind_template_callback (widget_class, about_activated);
  gtk_widget_class_bind_template_callback (widget_class, privacy_activated);
  gtk_widget_class_bind_template_callback (widget_class, terms_activated);
  gtk_widget_class_bind_template_callback (widget_class, licences_activated);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
perfica_settings_window_init (PerficaSettingsWindow *self)
{
  perfica_ui_init ();
  g_type_ensure (PERFICA_TYPE_IMAGE_GROUP);
  self->updating = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->updating = FALSE;
  self->settings = perfica_settings_new ();
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->about), PERFICA_VERSION);
  self->folder_rows = g_ptr_array_new ();
  self->shells = g_ptr_array_new_with_free_func (g_free);

  g_object_bind_property (self->settings, "notifications", self->notifications, "active",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_object_bind_property (self->settings, "terminal-scrollback",
                          gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (self->scrollback)),
                          "value", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  fill_shells (self);
  update_font (self);
}

PerficaSettingsWindow *
perfica_settings_window_new (PerficaGateway *gateway)
{
  PerficaSettingsWindow *self = g_object_new (PERFICA_TYPE_SETTINGS_WINDOW, NULL);

  self->gateway = g_object_ref (gateway);
  perfica_image_group_set_image (PERFICA_IMAGE_GROUP (self->image),
                                 perfica_gateway_get_image (gateway));
  fill_backends (self);
  update_gateway (self);
  update_folders (self);
  add_agents (self);
  g_signal_connect_object (gateway, "diagnosis-changed", G_CALLBACK (update_diagnosis), self,
                           G_CONNECT_SWAPPED);
  if (perfica_gateway_get_diagnosis (gateway) == NULL)
    perfica_gateway_check_backend (gateway);
  update_diagnosis (self);
  return self;
}

void
perfica_settings_window_show_page (PerficaSettingsWindow *self, const char *name)
{
  g_return_if_fail (PERFICA_IS_SETTINGS_WINDOW (self));
  adw_view_stack_set_visible_child_name (ADW_VIEW_STACK (self->views), name);
}

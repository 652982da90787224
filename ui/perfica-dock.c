/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-dock.h"

#include <glib/gi18n.h>

#include "perfica-compat.h"
#include "perfica-placing.h"

#define MAX_TABS 50

struct _PerficaDock
{
  AdwBin parent_instance;

  PerficaSettings *settings;
  char *folder;
  AdwTabPage *closing; /* the tab that a question is open about */

  GtkWidget *tabs;
  GtkWidget *bar;
};

enum
{
  CLOSED,
  TOAST,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (PerficaDock, perfica_dock, ADW_TYPE_BIN)

static guint signals[N_SIGNALS];

PerficaTerminalTab *
perfica_dock_get_tab (PerficaDock *self)
{
  AdwTabPage *page = adw_tab_view_get_selected_page (ADW_TAB_VIEW (self->tabs));

  return page != NULL ? PERFICA_TERMINAL_TAB (adw_tab_page_get_child (page)) : NULL;
}

guint
perfica_dock_get_n_tabs (PerficaDock *self)
{
  return adw_tab_view_get_n_pages (ADW_TAB_VIEW (self->tabs));
}

static void
copy_instead (PerficaDock *self, const char *text, const char *why)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), valid);
  g_signal_emit (self, signals[TOAST], 0, why);
}

static void
tab_unplaced (PerficaDock *self, const char *text)
{
  copy_instead (self, text, _ ("Copied instead: the shell did not come to its prompt"));
}

static void
tab_ended (PerficaDock *self, PerficaTerminalTab *tab)
{
  AdwTabView *tabs = ADW_TAB_VIEW (self->tabs);

  adw_tab_view_close_page (tabs, adw_tab_view_get_page (tabs, GTK_WIDGET (tab)));
}

static PerficaTerminalTab *
add_tab (PerficaDock *self, const char *folder)
{
  PerficaTerminalTab *tab;
  AdwTabPage *page;

  if (self->settings == NULL || adw_tab_view_get_n_pages (ADW_TAB_VIEW (self->tabs)) >= MAX_TABS)
    return NULL;
  tab = perfica_terminal_tab_new (self->settings, folder);
  page = adw_tab_view_append (ADW_TAB_VIEW (self->tabs), GTK_WIDGET (tab));
  g_object_bind_property (tab, "title", page, "title", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (tab, "ended", G_CALLBACK (tab_ended), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tab, "unplaced", G_CALLBACK (tab_unplaced), self, G_CONNECT_SWAPPED);
  adw_tab_view_set_selected_page (ADW_TAB_VIEW (self->tabs), page);
  return tab;
}

static void
new_tab_clicked (PerficaDock *self)
{
  PerficaTerminalTab *tab = add_tab (self, self->folder);

  if (tab != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (tab));
}

void
perfica_dock_open (PerficaDock *self)
{
  PerficaTerminalTab *tab;

  g_return_if_fail (PERFICA_IS_DOCK (self));

  tab = perfica_dock_get_tab (self);
  if (tab == NULL)
    tab = add_tab (self, self->folder);
  if (tab != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (tab));
}

void
perfica_dock_run (PerficaDock *self, const char *command, const char *folder)
{
  PerficaPlacing placing;
  PerficaTerminalTab *tab;

  g_return_if_fail (PERFICA_IS_DOCK (self));

  placing = perfica_placing_check (command, -1);
  tab = perfica_dock_get_tab (self);
  if (placing == PERFICA_PLACING_EMPTY)
    {
      g_signal_emit (self, signals[TOAST], 0, perfica_placing_reason (placing));
      return;
    }
  if (placing != PERFICA_PLACING_OK)
    {
      copy_instead (self, command, perfica_placing_reason (placing));
      return;
    }
  if (tab == NULL || (!perfica_terminal_tab_place (tab, command, folder) &&
                      !perfica_terminal_tab_place_when_ready (tab, command, folder)))
    {
      tab = add_tab (self, folder != NULL ? folder : self->folder);
      if (tab == NULL)
        {
          copy_instead (self, command, _ ("Copied instead: there are too many tabs"));
          return;
        }
      perfica_terminal_tab_place_when_ready (tab, command, NULL);
    }
  gtk_widget_grab_focus (GTK_WIDGET (tab));
}

static void
close_answered (const char *response, gpointer data)
{
  PerficaDock *self = data;
  g_autoptr (AdwTabPage) page = g_steal_pointer (&self->closing);

  if (page != NULL)
    adw_tab_view_close_page_finish (ADW_TAB_VIEW (self->tabs), page,
                                    g_strcmp0 (response, "accept") == 0);
}

static gboolean
close_page (AdwTabView *view, AdwTabPage *page, PerficaDock *self)
{
  PerficaTerminalTab *tab = PERFICA_TERMINAL_TAB (adw_tab_page_get_child (page));

  if (!perfica_terminal_tab_is_busy (tab))
    {
      adw_tab_view_close_page_finish (view, page, TRUE);
      return GDK_EVENT_STOP;
    }
  if (self->closing != NULL)
    {
      adw_tab_view_close_page_finish (view, page, FALSE);
      return GDK_EVENT_STOP;
    }
  self->closing = g_object_ref (page);
  perfica_alert (GTK_WIDGET (self), _ ("Close this tab?"),
                 _ ("A program still runs in it; it would be ended."), _ ("_Close"), TRUE,
                 close_answered, self);
  return GDK_EVENT_STOP;
}

static void
page_detached (PerficaDock *self)
{
  if (adw_tab_view_get_n_pages (ADW_TAB_VIEW (self->tabs)) == 0)
    g_signal_emit (self, signals[CLOSED], 0);
}

static void
hide_clicked (PerficaDock *self)
{
  g_signal_emit (self, signals[CLOSED], 0);
}

static void
find_clicked (PerficaDock *self)
{
  PerficaTerminalTab *tab = perfica_dock_get_tab (self);

  if (tab != NULL)
    perfica_terminal_tab_find (tab);
}

static gboolean
control_shift (PerficaDock *self, PerficaTerminalTab *tab, guint key)
{
  switch (key)
    {
    case GDK_KEY_c:
      perfica_terminal_tab_copy (tab);
      return GDK_EVENT_STOP;
    case GDK_KEY_v:
      perfica_terminal_tab_paste (tab, FALSE);
      return GDK_EVENT_STOP;
    case GDK_KEY_f:
      perfica_terminal_tab_find (tab);
      return GDK_EVENT_STOP;
    case GDK_KEY_t:
      new_tab_clicked (self);
      return GDK_EVENT_STOP;
    case GDK_KEY_w:
      adw_tab_view_close_page (ADW_TAB_VIEW (self->tabs),
                               adw_tab_view_get_selected_page (ADW_TAB_VIEW (self->tabs)));
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

/* The terminal takes every key that reaches it, so these are taken before. */
static gboolean
key_pressed (GtkEventControllerKey *controller,
             guint key,
             guint code,
             GdkModifierType modifiers,
             PerficaDock *self)
{
  GdkModifierType held = modifiers & gtk_accelerator_get_default_mod_mask ();
  PerficaTerminalTab *tab = perfica_dock_get_tab (self);

  if (tab == NULL || (held & GDK_CONTROL_MASK) == 0 || (held & GDK_ALT_MASK) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case GDK_KEY_plus:
    case GDK_KEY_KP_Add:
      perfica_terminal_tab_zoom (tab, 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      perfica_terminal_tab_zoom (tab, -1);
      return GDK_EVENT_STOP;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      perfica_terminal_tab_zoom (tab, 0);
      return GDK_EVENT_STOP;
    default:
      break;
    }
  if ((held & GDK_SHIFT_MASK) == 0)
    return GDK_EVENT_PROPAGATE;
  return control_shift (self, tab, gdk_keyval_to_lower (key));
}

gboolean
perfica_dock_is_busy (PerficaDock *self)
{
  AdwTabView *tabs = ADW_TAB_VIEW (self->tabs);

  for (int i = 0; i < adw_tab_view_get_n_pages (tabs); i++)
    {
      GtkWidget *child = adw_tab_page_get_child (adw_tab_view_get_nth_page (tabs, i));

      if (perfica_terminal_tab_is_busy (PERFICA_TERMINAL_TAB (child)))
        return TRUE;
    }
  return FALSE;
}

void
perfica_dock_set_settings (PerficaDock *self, PerficaSettings *settings)
{
  g_set_object (&self->settings, settings);
}

void
perfica_dock_set_folder (PerficaDock *self, const char *folder)
{
  char *copy = g_strdup (folder);

  g_free (self->folder);
  self->folder = copy;
}

static void
perfica_dock_dispose (GObject *object)
{
  PerficaDock *self = PERFICA_DOCK (object);

  if (self->tabs != NULL)
    g_signal_handlers_disconnect_by_data (self->tabs, self);
  g_clear_object (&self->closing);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->folder, g_free);
  G_OBJECT_CLASS (perfica_dock_parent_class)->dispose (object);
}

static void
perfica_dock_class_init (PerficaDockClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_dock_dispose;
  signals[CLOSED] = g_signal_new ("closed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  signals[TOAST] = g_signal_new ("toast", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-dock.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaDock, tabs);
  gtk_widget_class_bind_template_child (widget_class, PerficaDock, bar);
  gtk_widget_class_bind_template_callback (widget_class, page_detached);
  gtk_widget_class_bind_template_callback (widget_class, new_tab_clicked);
  gtk_widget_class_bind_template_callback (widget_class, find_clicked);
  gtk_widget_class_bind_template_callback (widget_class, hide_clicked);
}

static void
perfica_dock_init (PerficaDock *self)
{
  GtkEventController *key = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  adw_tab_view_remove_shortcuts (ADW_TAB_VIEW (self->tabs), ADW_TAB_VIEW_SHORTCUT_CONTROL_HOME |
                                                                ADW_TAB_VIEW_SHORTCUT_CONTROL_END);
  g_signal_connect (self->tabs, "close-page", G_CALLBACK (close_page), self);
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect (key, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
}

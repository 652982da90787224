/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-terminal-tab.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <termios.h>
#include <unistd.h>

#define PCRE2_CODE_UNIT_WIDTH 0
#include <pcre2.h>

#include "perfica-compat.h"
#include "perfica-placing.h"
#include "perfica-terminal-palette.h"

#define LINK "(?:https?|ftp|file)://[^\\s\"'<>()\\[\\]{}`|\\\\^]+[^\\s\"'<>()\\[\\]{}`|\\\\^.,;:!?]"

/* A shell's start files may take their time; then the text goes to the clipboard. */
#define READY_TRIES 200
#define READY_STEP_MS 50

struct _PerficaTerminalTab
{
  AdwBin parent_instance;

  PerficaSettings *settings;
  char *shell;
  char *folder;
  char *title;
  GPid pid;
  gboolean typed;
  GCancellable *spawning;
  char *pending;
  guint ready; /* looks for the first prompt; 0 once it came, or never did */
  guint tries;
  guint quiet;

  GtkWidget *search_bar;
  GtkWidget *search;
  GtkWidget *terminal;
};

enum
{
  PROP_0,
  PROP_TITLE,
  N_PROPS
};

enum
{
  ENDED,
  UNPLACED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (PerficaTerminalTab, perfica_terminal_tab, ADW_TYPE_BIN)

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

static VteTerminal *
vte (PerficaTerminalTab *self)
{
  return VTE_TERMINAL (self->terminal);
}

static int
pty_fd (PerficaTerminalTab *self)
{
  VtePty *pty = vte_terminal_get_pty (vte (self));

  return pty != NULL && self->pid > 0 ? vte_pty_get_fd (pty) : -1;
}

gboolean
perfica_terminal_tab_is_busy (PerficaTerminalTab *self)
{
  int fd = pty_fd (self);
  pid_t front = fd >= 0 ? tcgetpgrp (fd) : -1;

  return front > 0 && front != self->pid;
}

gboolean
perfica_terminal_tab_is_starting (PerficaTerminalTab *self)
{
  return self->ready != 0;
}

static gboolean
takes_text (PerficaTerminalTab *self)
{
  int fd = pty_fd (self);
  struct termios modes;
  PerficaTerminalState state = { 0 };

  if (fd < 0 || tcgetattr (fd, &modes) != 0)
    return FALSE;
  state.shell = perfica_shell_kind (self->shell);
  state.shell_in_front = tcgetpgrp (fd) == self->pid;
  state.canonical = (modes.c_lflag & ICANON) != 0;
  state.echo = (modes.c_lflag & ECHO) != 0;
  state.typed = self->typed;
  return perfica_terminal_state_takes (&state);
}

/* Where it can't be told (no /proc) the shell is where it was started, or the person moved it. */
static gboolean
stands_in (PerficaTerminalTab *self, const char *folder)
{
  g_autofree char *link = g_strdup_printf ("/proc/%d/cwd", self->pid);
  g_autofree char *cwd = g_file_read_link (link, NULL);
  g_autofree char *wanted = folder != NULL ? realpath (folder, NULL) : NULL;

  return folder == NULL || cwd == NULL || g_strcmp0 (cwd, wanted) == 0;
}

gboolean
perfica_terminal_tab_place (PerficaTerminalTab *self, const char *text, const char *folder)
{
  g_return_val_if_fail (PERFICA_IS_TERMINAL_TAB (self), FALSE);

  if (perfica_placing_check (text, -1) != PERFICA_PLACING_OK || !takes_text (self) ||
      !stands_in (self, folder))
    return FALSE;
  vte_terminal_paste_text (vte (self), text);
  self->typed = TRUE;
  return TRUE;
}

static void
give_up_placing (PerficaTerminalTab *self)
{
  g_autofree char *text = g_steal_pointer (&self->pending);

  g_clear_handle_id (&self->ready, g_source_remove);
  if (text != NULL)
    g_signal_emit (self, signals[UNPLACED], 0, text);
}

/* The first prompt is drawn once the shell is in front, its modes are set, and it has been quiet
 * for three steps: start files print and turn modes on and off. */
static gboolean
try_ready (gpointer data)
{
  PerficaTerminalTab *self = data;

  self->quiet = takes_text (self) ? self->quiet + 1 : 0;
  if (self->quiet >= 3)
    {
      self->ready = 0;
      if (self->pending != NULL && perfica_terminal_tab_place (self, self->pending, NULL))
        g_clear_pointer (&self->pending, g_free);
      give_up_placing (self);
      return G_SOURCE_REMOVE;
    }
  if (++self->tries < READY_TRIES)
    return G_SOURCE_CONTINUE;
  self->ready = 0;
  give_up_placing (self);
  return G_SOURCE_REMOVE;
}

static void
await_prompt (PerficaTerminalTab *self)
{
  self->tries = self->quiet = 0;
  if (self->ready == 0)
    self->ready = g_timeout_add (READY_STEP_MS, try_ready, self);
}

gboolean
perfica_terminal_tab_place_when_ready (PerficaTerminalTab *self,
                                       const char *text,
                                       const char *folder)
{
  g_return_val_if_fail (PERFICA_IS_TERMINAL_TAB (self), FALSE);

  if (self->ready == 0 || self->pending != NULL || self->typed ||
      (folder != NULL && g_strcmp0 (folder, self->folder) != 0))
    return FALSE;
  self->pending = g_strdup (text);
  await_prompt (self);
  return TRUE;
}

static void
contents_changed (PerficaTerminalTab *self)
{
  self->quiet = 0;
}

static void
committed (PerficaTerminalTab *self, const char *text, guint length)
{
  self->typed = perfica_typed_after (self->typed, text, length);
}

static void
title_changed (PerficaTerminalTab *self)
{
  g_autofree char *title = perfica_terminal_dup_title (vte (self));
  g_autofree char *name = g_path_get_basename (self->shell);

  g_free (self->title);
  self->title =
      title != NULL && *title != '\0' ? g_utf8_make_valid (title, 200) : g_steal_pointer (&name);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TITLE]);
}

static void
child_exited (PerficaTerminalTab *self)
{
  self->pid = 0;
  give_up_placing (self);
  g_signal_emit (self, signals[ENDED], 0);
}

static void
spawned (VteTerminal *terminal, GPid pid, GError *error, gpointer data)
{
  PerficaTerminalTab *self;

  /* Cancelled: the tab is gone. */
  if (terminal == NULL)
    return;
  self = PERFICA_TERMINAL_TAB (
      gtk_widget_get_ancestor (GTK_WIDGET (terminal), PERFICA_TYPE_TERMINAL_TAB));
  if (self == NULL)
    return;
  if (error != NULL)
    {
      g_autofree char *text =
          g_strdup_printf (_ ("The shell could not be started: %s"), error->message);

      vte_terminal_feed (terminal, text, -1);
      give_up_placing (self);
      return;
    }
  self->pid = pid;
}

/* bash reads this instead of ~/.bashrc, and it reads that; see its own comment. */
static char *
write_bashrc (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "perfica", NULL);
  g_autofree char *path = g_build_filename (folder, "dock.bashrc", NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data ("/app/perfica/Perfica/dock.bashrc", 0, NULL);

  if (bytes == NULL || g_mkdir_with_parents (folder, 0700) != 0 ||
      !g_file_set_contents_full (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                 G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL))
    return NULL;
  return g_steal_pointer (&path);
}

static void
spawn (PerficaTerminalTab *self)
{
  g_autofree char *name = g_path_get_basename (self->shell);
  g_autofree char *bashrc = g_str_equal (name, "bash") ? write_bashrc () : NULL;
  char *plain[] = { self->shell, NULL };
  char *bash[] = { self->shell, (char *) "--rcfile", bashrc, (char *) "-i", NULL };

  vte_terminal_spawn_async (vte (self), VTE_PTY_DEFAULT, self->folder,
                            bashrc != NULL ? bash : plain, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL,
                            -1, self->spawning, spawned, NULL);
  await_prompt (self);
}

static void
update_look (PerficaTerminalTab *self)
{
  g_autofree char *font = perfica_settings_dup_font (self->settings);
  PangoFontDescription *description =
      pango_font_description_from_string (font != NULL ? font : "Monospace 11");

  vte_terminal_set_font (vte (self), description);
  pango_font_description_free (description);
  vte_terminal_set_scrollback_lines (vte (self), perfica_settings_get_int (self->settings,
                                                                           "terminal-scrollback"));
  perfica_terminal_palette_apply (vte (self),
                                  adw_style_manager_get_dark (adw_style_manager_get_default ()));
}

void
perfica_terminal_tab_copy (PerficaTerminalTab *self)
{
  if (vte_terminal_get_has_selection (vte (self)))
    vte_terminal_copy_clipboard_format (vte (self), VTE_FORMAT_TEXT);
}

typedef struct
{
  PerficaTerminalTab *tab;
  char *text;
} Paste;

static void
paste_free (Paste *paste)
{
  g_object_unref (paste->tab);
  g_free (paste->text);
  g_free (paste);
}

static void
paste_answered (const char *response, gpointer data)
{
  Paste *paste = data;

  if (g_strcmp0 (response, "accept") == 0)
    vte_terminal_paste_text (vte (paste->tab), paste->text);
  gtk_widget_grab_focus (paste->tab->terminal);
  paste_free (paste);
}

static void
paste_read (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PerficaTerminalTab) self = data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
  Paste *paste;

  if (text == NULL || self->pid == 0)
    return;
  if (perfica_placing_check (text, -1) != PERFICA_PLACING_LINES)
    {
      vte_terminal_paste_text (vte (self), text);
      return;
    }
  paste = g_new0 (Paste, 1);
  paste->tab = g_steal_pointer (&self);
  paste->text = g_steal_pointer (&text);
  perfica_alert (paste->tab->terminal, _ ("Paste several lines?"),
                 _ ("What runs in the terminal may take each line as soon as it comes."),
                 _ ("_Paste"), FALSE, paste_answered, paste);
}

void
perfica_terminal_tab_paste (PerficaTerminalTab *self, gboolean primary)
{
  GdkClipboard *clipboard = primary ? gtk_widget_get_primary_clipboard (self->terminal)
                                    : gtk_widget_get_clipboard (self->terminal);

  gdk_clipboard_read_text_async (clipboard, NULL, paste_read, g_object_ref (self));
}

/* The terminal's own two ways to paste go through the same question. */
static void
middle_clicked (GtkGestureClick *gesture, int n, double x, double y, PerficaTerminalTab *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  perfica_terminal_tab_paste (self, TRUE);
}

static gboolean
key_pressed (GtkEventControllerKey *controller,
             guint key,
             guint code,
             GdkModifierType modifiers,
             PerficaTerminalTab *self)
{
  GdkModifierType held = modifiers & gtk_accelerator_get_default_mod_mask ();

  if ((key != GDK_KEY_Insert && key != GDK_KEY_KP_Insert) || (held & GDK_SHIFT_MASK) == 0)
    return GDK_EVENT_PROPAGATE;
  perfica_terminal_tab_paste (self, (held & GDK_CONTROL_MASK) == 0);
  return GDK_EVENT_STOP;
}

static void
link_clicked (GtkGestureClick *gesture, int n, double x, double y, PerficaTerminalTab *self)
{
  GdkModifierType held =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  g_autofree char *uri = NULL;

  if ((held & GDK_CONTROL_MASK) == 0)
    return;
  uri = vte_terminal_check_hyperlink_at (vte (self), x, y);
  if (uri == NULL)
    uri = vte_terminal_check_match_at (vte (self), x, y, NULL);
  if (uri == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  g_app_info_launch_default_for_uri_async (uri, NULL, NULL, NULL, NULL);
}

static void
search_changed (PerficaTerminalTab *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autofree char *pattern = g_regex_escape_string (text, -1);
  VteRegex *regex = NULL;

  if (*text != '\0')
    regex =
        vte_regex_new_for_search (pattern, -1, PCRE2_MULTILINE | PCRE2_UTF | PCRE2_CASELESS, NULL);
  vte_terminal_search_set_regex (vte (self), regex, 0);
  vte_terminal_search_set_wrap_around (vte (self), TRUE);
  if (regex == NULL)
    return;
  vte_terminal_search_find_previous (vte (self));
  vte_regex_unref (regex);
}

static void
search_previous (PerficaTerminalTab *self)
{
  vte_terminal_search_find_previous (vte (self));
}

static void
search_next (PerficaTerminalTab *self)
{
  vte_terminal_search_find_next (vte (self));
}

static void
search_stopped (PerficaTerminalTab *self)
{
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->search_bar), FALSE);
  vte_terminal_unselect_all (vte (self));
  gtk_widget_grab_focus (self->terminal);
}

void
perfica_terminal_tab_find (PerficaTerminalTab *self)
{
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->search_bar), TRUE);
  gtk_widget_grab_focus (self->search);
}

void
perfica_terminal_tab_zoom (PerficaTerminalTab *self, int step)
{
  double scale = vte_terminal_get_font_scale (vte (self));

  if (step == 0)
    scale = 1;
  else
    scale = CLAMP (step > 0 ? scale * 1.1 : scale / 1.1, 0.4, 4.0);
  vte_terminal_set_font_scale (vte (self), scale);
}

static gboolean
perfica_terminal_tab_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (PERFICA_TERMINAL_TAB (widget)->terminal);
}

static void
perfica_terminal_tab_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, PERFICA_TERMINAL_TAB (object)->title);
}

static void
perfica_terminal_tab_dispose (GObject *object)
{
  PerficaTerminalTab *self = PERFICA_TERMINAL_TAB (object);

  if (self->terminal != NULL)
    g_signal_handlers_disconnect_by_data (self->terminal, self);
  g_cancellable_cancel (self->spawning);
  g_clear_handle_id (&self->ready, g_source_remove);
  g_clear_pointer (&self->pending, g_free);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (perfica_terminal_tab_parent_class)->dispose (object);
}

static void
perfica_terminal_tab_finalize (GObject *object)
{
  PerficaTerminalTab *self = PERFICA_TERMINAL_TAB (object);

  g_clear_object (&self->spawning);
  g_free (self->shell);
  g_free (self->folder);
  g_free (self->title);
  G_OBJECT_CLASS (perfica_terminal_tab_parent_class)->finalize (object);
}

static void
perfica_terminal_tab_class_init (PerficaTerminalTabClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = perfica_terminal_tab_get_property;
  object_class->dispose = perfica_terminal_tab_dispose;
  object_class->finalize = perfica_terminal_tab_finalize;
  widget_class->grab_focus = perfica_terminal_tab_grab_focus;

  props[PROP_TITLE] =
      g_param_spec_string ("title", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  signals[ENDED] = g_signal_new ("ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
  signals[UNPLACED] = g_signal_new ("unplaced", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (VTE_TYPE_TERMINAL);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-terminal-tab.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaTerminalTab, search_bar);
  gtk_widget_class_bind_template_child (widget_class, PerficaTerminalTab, search);
  gtk_widget_class_bind_template_child (widget_class, PerficaTerminalTab, terminal);
  gtk_widget_class_bind_template_callback (widget_class, committed);
  gtk_widget_class_bind_template_callback (widget_class, contents_changed);
  gtk_widget_class_bind_template_callback (widget_class, title_changed);
  gtk_widget_class_bind_template_callback (widget_class, child_exited);
  gtk_widget_class_bind_template_callback (widget_class, search_changed);
  gtk_widget_class_bind_template_callback (widget_class, search_previous);
  gtk_widget_class_bind_template_callback (widget_class, search_next);
  gtk_widget_class_bind_template_callback (widget_class, search_stopped);
}

static void
add_click (PerficaTerminalTab *self, guint button, GCallback callback)
{
  GtkGesture *gesture = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), button);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (gesture), GTK_PHASE_CAPTURE);
  g_signal_connect (gesture, "pressed", callback, self);
  gtk_widget_add_controller (self->terminal, GTK_EVENT_CONTROLLER (gesture));
}

static void
perfica_terminal_tab_init (PerficaTerminalTab *self)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  VteRegex *link;
  int tag;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->spawning = g_cancellable_new ();

  vte_terminal_set_allow_hyperlink (vte (self), TRUE);
  vte_terminal_set_mouse_autohide (vte (self), TRUE);
  link = vte_regex_new_for_match (LINK, -1, PCRE2_MULTILINE | PCRE2_UTF | PCRE2_CASELESS, NULL);
  tag = vte_terminal_match_add_regex (vte (self), link, 0);
  vte_terminal_match_set_cursor_name (vte (self), tag, "pointer");
  vte_regex_unref (link);

  add_click (self, GDK_BUTTON_MIDDLE, G_CALLBACK (middle_clicked));
  add_click (self, GDK_BUTTON_PRIMARY, G_CALLBACK (link_clicked));
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect (key, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->terminal, key);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (update_look), self, G_CONNECT_SWAPPED);
}

PerficaTerminalTab *
perfica_terminal_tab_new (PerficaSettings *settings, const char *folder)
{
  PerficaTerminalTab *self = g_object_new (PERFICA_TYPE_TERMINAL_TAB, NULL);

  self->settings = g_object_ref (settings);
  self->shell = perfica_settings_dup_shell (settings);
  self->folder = g_strdup (
      folder != NULL && g_file_test (folder, G_FILE_TEST_IS_DIR) ? folder : g_get_home_dir ());
  g_signal_connect_object (settings, "notify", G_CALLBACK (update_look), self, G_CONNECT_SWAPPED);
  update_look (self);
  title_changed (self);
  spawn (self);
  return self;
}

VteTerminal *
perfica_terminal_tab_get_terminal (PerficaTerminalTab *self)
{
  return vte (self);
}

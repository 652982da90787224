/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

#include "perfica-dock.h"
#include "widgets.h"

typedef struct
{
  GtkWidget *window;
  PerficaDock *dock;
  PerficaSettings *settings;
  GString *sent;
  char *toast;
} Fixture;

static void
committed (VteTerminal *terminal, const char *text, guint length, Fixture *f)
{
  g_string_append_len (f->sent, text, length);
}

static void
toasted (PerficaDock *dock, const char *text, Fixture *f)
{
  g_free (f->toast);
  f->toast = g_strdup (text);
}

static void
set_up (Fixture *f, gconstpointer shell)
{
  f->settings = perfica_settings_new ();
  g_object_set (f->settings, "terminal-shell", shell, NULL);
  f->sent = g_string_new (NULL);
  f->window = adw_window_new ();
  f->dock = g_object_new (PERFICA_TYPE_DOCK, NULL);
  perfica_dock_set_settings (f->dock, f->settings);
  g_signal_connect (f->dock, "toast", G_CALLBACK (toasted), f);
  adw_window_set_content (ADW_WINDOW (f->window), GTK_WIDGET (f->dock));
  gtk_window_set_default_size (GTK_WINDOW (f->window), 600, 300);
  gtk_window_present (GTK_WINDOW (f->window));
}

static void
tear_down (Fixture *f, gconstpointer shell)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  g_clear_object (&f->settings);
  g_string_free (f->sent, TRUE);
  g_free (f->toast);
}

static void
listen (Fixture *f)
{
  PerficaTerminalTab *tab = perfica_dock_get_tab (f->dock);

  g_assert_nonnull (tab);
  g_signal_connect (perfica_terminal_tab_get_terminal (tab), "commit", G_CALLBACK (committed), f);
}

static gboolean
has_sent (gpointer data)
{
  Fixture *f = data;

  return strstr (f->sent->str, "echo hello") != NULL || f->toast != NULL;
}

/* Put on the line of a new tab once its shell waits, and never a line's end with it. */
static void
test_place (Fixture *f, gconstpointer shell)
{
  perfica_dock_run (f->dock, "echo hello", "/");
  listen (f);
  widgets_wait (has_sent, f, 15);
  widgets_spin (300);
  g_assert_null (f->toast);
  g_assert_nonnull (strstr (f->sent->str, "echo hello"));
  g_assert_null (memchr (f->sent->str, '\r', f->sent->len));
  g_assert_null (memchr (f->sent->str, '\n', f->sent->len));

  /* That line is half-typed now: the next goes to another tab. */
  {
    PerficaTerminalTab *tab = perfica_dock_get_tab (f->dock);

    perfica_dock_run (f->dock, "echo again", "/");
    g_assert_true (perfica_dock_get_tab (f->dock) != tab);
    g_assert_null (strstr (f->sent->str, "again"));
  }
}

static guint
count_sent (Fixture *f, const char *words)
{
  guint n = 0;

  for (const char *at = f->sent->str; (at = strstr (at, words)) != NULL; at += strlen (words))
    n++;
  return n;
}

static gboolean
has_hello (gpointer data)
{
  return count_sent (data, "echo hello") > 0;
}

/* The shell of the tab in front is still starting: the command waits for its prompt, in that tab.
 */
static void
test_starting (Fixture *f, gconstpointer shell)
{
  perfica_dock_set_folder (f->dock, "/");
  perfica_dock_open (f->dock);
  listen (f);
  perfica_dock_run (f->dock, "echo hello", "/");
  g_assert_cmpuint (perfica_dock_get_n_tabs (f->dock), ==, 1);
  widgets_wait (has_hello, f, 15);
  widgets_spin (300);
  g_assert_cmpuint (count_sent (f, "echo hello"), ==, 1);
  g_assert_null (strpbrk (f->sent->str, "\r\n"));
  g_assert_null (f->toast);

  /* One waits there already: the next has a tab of its own. */
  perfica_dock_run (f->dock, "echo one", "/");
  perfica_dock_run (f->dock, "echo two", "/");
  g_assert_cmpuint (perfica_dock_get_n_tabs (f->dock), ==, 3);
}

static gboolean
is_idle (gpointer data)
{
  PerficaTerminalTab *tab = data;

  return !perfica_terminal_tab_is_busy (tab) && !perfica_terminal_tab_is_starting (tab);
}

static gboolean
is_busy (gpointer data)
{
  return perfica_terminal_tab_is_busy (data);
}

/* At its prompt: the same tab. A program in front, or another folder: a new one. */
static void
test_idle_busy (Fixture *f, gconstpointer shell)
{
  PerficaTerminalTab *tab;

  perfica_dock_set_folder (f->dock, "/");
  perfica_dock_open (f->dock);
  listen (f);
  tab = perfica_dock_get_tab (f->dock);
  widgets_wait (is_idle, tab, 15);
  perfica_dock_run (f->dock, "echo hello", "/");
  g_assert_cmpuint (perfica_dock_get_n_tabs (f->dock), ==, 1);
  g_assert_cmpuint (count_sent (f, "echo hello"), ==, 1);
  g_assert_null (strpbrk (f->sent->str, "\r\n"));

  perfica_dock_run (f->dock, "echo elsewhere", "/tmp");
  g_assert_cmpuint (perfica_dock_get_n_tabs (f->dock), ==, 2);
  tab = perfica_dock_get_tab (f->dock);
  widgets_wait (is_idle, tab, 15);
  vte_terminal_feed_child (perfica_terminal_tab_get_terminal (tab), "; sleep 20\n", -1);
  widgets_wait (is_busy, tab, 15);
  perfica_dock_run (f->dock, "echo busy", "/tmp");
  g_assert_cmpuint (perfica_dock_get_n_tabs (f->dock), ==, 3);
}

static void
test_lines (Fixture *f, gconstpointer shell)
{
  perfica_dock_open (f->dock);
  listen (f);
  perfica_dock_run (f->dock, "echo one\necho two", "/");
  g_assert_nonnull (f->toast);
  widgets_spin (500);
  g_assert_null (strstr (f->sent->str, "echo"));
}

int
main (int argc, char **argv)
{
  /* The shell's start files would be those of whoever runs the test. */
  g_autofree char *home = g_dir_make_tmp ("perfica-dock-XXXXXX", NULL);
  g_autofree char *history = NULL;
  int failed;

  g_setenv ("HOME", home, TRUE);
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add ("/ui/dock/place-bash", Fixture, "/bin/bash", set_up, test_place, tear_down);
  g_test_add ("/ui/dock/place-sh", Fixture, "/bin/sh", set_up, test_place, tear_down);
  g_test_add ("/ui/dock/starting-bash", Fixture, "/bin/bash", set_up, test_starting, tear_down);
  g_test_add ("/ui/dock/starting-sh", Fixture, "/bin/sh", set_up, test_starting, tear_down);
  g_test_add ("/ui/dock/idle-busy", Fixture, "/bin/bash", set_up, test_idle_busy, tear_down);
  g_test_add ("/ui/dock/lines", Fixture, "/bin/bash", set_up, test_lines, tear_down);
  failed = g_test_run ();
  /* Empty but for what a shell leaves. */
  history = g_build_filename (home, ".bash_history", NULL);
  g_remove (history);
  g_rmdir (home);
  return failed;
}

/* The activity page over a real record with many rows: rows are read on demand, however many there
 * are. PERFICA_SCALE_ROWS=300000 for the numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "perfica-activity-page.h"
#include "perfica-activity-private.h"
#include "widgets.h"

/* Some screens full of rows, beside what GTK keeps around the visible ones. */
#define MOST_READ 2000

typedef struct
{
  char *root;
  PerficaGateway *gateway;
  PerficaBoard *board;
  GtkWidget *window;
  PerficaActivityPage *page;
  guint rows;
  gint64 beat; /* of the main loop */
  gint64 longest;
  gint64
      cpu_beat; /* the same in the main thread's own time: what a busy machine adds is left out */
  gint64 cpu_longest;
  guint timer;
  guint64 read;      /* rows, at the last beat */
  guint64 most_read; /* between two beats */
} Fixture;

static GtkWidget *
part (Fixture *f, const char *name)
{
  return GTK_WIDGET (
      gtk_widget_get_template_child (GTK_WIDGET (f->page), PERFICA_TYPE_ACTIVITY_PAGE, name));
}

static guint
n_items (Fixture *f)
{
  GtkSelectionModel *model = gtk_list_view_get_model (GTK_LIST_VIEW (part (f, "list")));

  return g_list_model_get_n_items (G_LIST_MODEL (model));
}

static gboolean
has_all (gpointer data)
{
  Fixture *f = data;

  return n_items (f) == f->rows;
}

static gboolean
has_refused (gpointer data)
{
  Fixture *f = data;

  return n_items (f) == f->rows / 7;
}

static gboolean
has_fewer (gpointer data)
{
  Fixture *f = data;

  return n_items (f) > 0 && n_items (f) < f->rows;
}

static guint64
rows_read (Fixture *f)
{
  return perfica_activity_get_rows_read (perfica_gateway_get_activity (f->gateway));
}

static gint64
cpu_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gboolean
beat (gpointer data)
{
  Fixture *f = data;
  gint64 now = g_get_monotonic_time ();

  f->longest = MAX (f->longest, now - f->beat);
  f->beat = now;
  f->most_read = MAX (f->most_read, rows_read (f) - f->read);
  f->read = rows_read (f);
  f->cpu_longest = MAX (f->cpu_longest, cpu_time () - f->cpu_beat);
  f->cpu_beat = cpu_time ();
  return G_SOURCE_CONTINUE;
}

static glong
resident_kib (void)
{
  g_autofree char *status = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  line = strstr (status, "VmRSS:");
  g_assert_nonnull (line);
  return strtol (line + 6, NULL, 10);
}

/* Says what a step took, and starts anew. */
static void
note (Fixture *f, const char *step, gint64 began)
{
  g_test_message ("%s: %" G_GINT64_FORMAT " ms, longest pause %" G_GINT64_FORMAT
                  " ms (%" G_GINT64_FORMAT " ms of it busy), rows read %" G_GUINT64_FORMAT
                  ", resident %ld MiB",
                  step, (g_get_monotonic_time () - began) / 1000, f->longest / 1000,
                  f->cpu_longest / 1000, rows_read (f), resident_kib () / 1024);
  f->longest = f->cpu_longest = 0;
  f->beat = g_get_monotonic_time ();
}

static void
fill (Fixture *f)
{
  g_autofree char *path = g_build_filename (f->root, "state", "perfica", "activity.db", NULL);
  g_autofree char *sql = g_strdup_printf (
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %u)"
      "INSERT INTO entries (time, board, bubble, folder, command, output, outcome, exit_code, "
      "signal, duration, asked, terminal)"
      "SELECT 1700000000000000 + i * 1000000, '%s', 'coder-' || (i %% 3), '.', "
      "'make target-' || i, hex(zeroblob(500)), CASE i %% 7 WHEN 0 THEN 'refused' ELSE 'ran' END, "
      "CASE i %% 5 WHEN 0 THEN 2 ELSE 0 END, 0, 1000, i %% 11 = 0, 0 FROM n",
      f->rows, perfica_board_get_id (f->board));
  sqlite3 *db = NULL;
  char *problem = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, sql, NULL, NULL, &problem);
  g_assert_cmpstr (problem, ==, NULL);
  sqlite3_close (db);
}

static void
make_folder (const char *root, const char *name, const char *variable)
{
  g_autofree char *path = g_build_filename (root, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  if (variable)
    g_setenv (variable, path, TRUE);
}

static void
reloaded (PerficaActivity *activity, gboolean *done)
{
  *done = TRUE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *) data;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  const char *rows = g_getenv ("PERFICA_SCALE_ROWS");
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) folder = NULL;
  g_autofree char *project = NULL;
  gboolean open = FALSE;
  gulong handler;

  f->rows = rows ? strtoul (rows, NULL, 10) : 20000;
  f->root = g_dir_make_tmp ("perfica-scale-XXXXXX", NULL);
  make_folder (f->root, "config", "XDG_CONFIG_HOME");
  make_folder (f->root, "state", "XDG_STATE_HOME");
  make_folder (f->root, "run", "XDG_RUNTIME_DIR");
  make_folder (f->root, "project", NULL);
  project = g_build_filename (f->root, "project", NULL);
  folder = g_file_new_for_path (project);
  f->gateway = perfica_gateway_new (NULL);
  perfica_gateway_start (f->gateway, &error);
  g_assert_no_error (error);
  handler = g_signal_connect (perfica_gateway_get_activity (f->gateway), "reload",
                              G_CALLBACK (reloaded), &open);
  widgets_wait (is_true, &open, 30);
  g_signal_handler_disconnect (perfica_gateway_get_activity (f->gateway), handler);
  f->board = perfica_gateway_open_folder (f->gateway, folder, &error);
  g_assert_no_error (error);
  fill (f);
  f->beat = g_get_monotonic_time ();
  f->timer = g_timeout_add (4, beat, f);
}

static void
stopped (GObject *source, GAsyncResult *result, gpointer data)
{
  perfica_gateway_stop_finish (PERFICA_GATEWAY (source), result, NULL);
  *(gboolean *) data = TRUE;
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  const char *argv[] = { "rm", "-rf", f->root, NULL };
  gboolean done = FALSE;

  g_source_remove (f->timer);
  gtk_window_destroy (GTK_WINDOW (f->window));
  perfica_gateway_stop_async (f->gateway, stopped, &done);
  widgets_wait (is_true, &done, 30);
  g_object_unref (f->gateway);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
  g_free (f->root);
}

static void
scroll_to (Fixture *f, double part_of_all)
{
  GtkAdjustment *adjustment =
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (part (f, "scroller")));

  gtk_adjustment_set_value (adjustment, part_of_all * (gtk_adjustment_get_upper (adjustment) -
                                                       gtk_adjustment_get_page_size (adjustment)));
}

static void
test_scale (Fixture *f, gconstpointer data)
{
  gint64 began = g_get_monotonic_time ();
  guint64 before;

  f->window = gtk_window_new ();
  f->page = g_object_new (PERFICA_TYPE_ACTIVITY_PAGE, NULL);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->page));
  gtk_window_set_default_size (GTK_WINDOW (f->window), 900, 700);
  gtk_window_present (GTK_WINDOW (f->window));
  widgets_spin (200);
  f->longest = f->cpu_longest = 0;
  f->most_read = 0;
  began = g_get_monotonic_time ();
  perfica_activity_page_set_board (f->page, f->gateway, f->board);
  widgets_wait (has_all, f, 60);
  widgets_spin (300);
  note (f, "first rows on show", began);
  g_assert_cmpuint (rows_read (f), <, MOST_READ);
  /* A list view would make all its widgets at once; the list comes in steps that leave no pause. */
  g_assert_cmpuint (f->most_read, <, 130);

  before = rows_read (f);
  began = g_get_monotonic_time ();
  for (guint i = 1; i <= 10; i++)
    {
      scroll_to (f, i / 10.0);
      widgets_spin (30);
    }
  note (f, "ten jumps down", began);
  /* Each jump shows other rows; none reads those between. */
  g_assert_cmpuint (rows_read (f) - before, <, 10 * MOST_READ);
  g_assert_cmpuint (rows_read (f) - before, >, 10);

  began = g_get_monotonic_time ();
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (part (f, "filter_refused")), TRUE);
  widgets_wait (has_refused, f, 60);
  note (f, "refused alone", began);

  before = rows_read (f);
  began = g_get_monotonic_time ();
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (part (f, "filter_all")), TRUE);
  widgets_wait (has_all, f, 60);
  gtk_editable_set_text (GTK_EDITABLE (part (f, "search")), "target-1999");
  widgets_wait (has_fewer, f, 60);
  widgets_spin (100);
  note (f, "search", began);
  g_assert_cmpuint (rows_read (f) - before, <, 2 * MOST_READ);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add ("/ui/activity/scale", Fixture, NULL, set_up, test_scale, tear_down);
  return g_test_run ();
}

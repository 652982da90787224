/* The record: rows, lists that follow them, and what a kill leaves.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>

#include "perfica-activity-private.h"

static PerficaEntry *added;

static void
was_added (GObject *source, GAsyncResult *result, gpointer data)
{
  added = perfica_activity_add_finish (PERFICA_ACTIVITY (source), result, NULL);
  g_assert_nonnull (added);
}

static PerficaEntry *
add (PerficaActivity *activity, const char *command, PerficaOutcome outcome)
{
  PerficaRow *row = perfica_row_new ();

  row->board = g_strdup ("b");
  row->command = g_strdup (command);
  row->outcome = outcome;
  added = NULL;
  perfica_activity_add_async (activity, row, was_added, NULL);
  while (!added)
    g_main_context_iteration (NULL, TRUE);
  return added;
}

static void
expect (GListModel *list, guint n)
{
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (g_list_model_get_n_items (list) != n)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (500);
    }
}

static void
test_rows (void)
{
  g_autofree char *root = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (root, "activity.db", NULL);
  const char *argv[] = { "rm", "-rf", root, NULL };
  PerficaActivity *activity = perfica_activity_new (path);
  g_autoptr (PerficaEntry) first = NULL;
  g_autoptr (PerficaEntry) second = NULL;
  g_autoptr (PerficaEntry) newest = NULL;
  g_autoptr (PerficaEntry) lost = NULL;
  GListModel *all, *refused, *found;

  perfica_activity_open (activity);
  all = perfica_activity_list (activity, "b", NULL, PERFICA_FILTER_ALL);
  refused = perfica_activity_list (activity, NULL, NULL, PERFICA_FILTER_REFUSED);
  first = add (activity, "npm TEST", PERFICA_OUTCOME_PENDING);
  second = add (activity, "cat .env", PERFICA_OUTCOME_REFUSED);
  expect (all, 2);
  expect (refused, 1);
  newest = g_list_model_get_item (all, 0);
  g_assert_cmpstr (perfica_entry_get_command (newest), ==, "cat .env");
  found = perfica_activity_list (activity, "b", "test", PERFICA_FILTER_ALL);
  expect (found, 1);
  g_object_unref (all);
  g_object_unref (refused);
  g_object_unref (found);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (activity);

  /* Opened again, what was running is lost. */
  activity = perfica_activity_new (path);
  all = perfica_activity_list (activity, "b", NULL, PERFICA_FILTER_FAILED);
  perfica_activity_open (activity);
  expect (all, 1);
  lost = g_list_model_get_item (all, 0);
  g_assert_cmpint (perfica_entry_get_outcome (lost), ==, PERFICA_OUTCOME_LOST);
  g_object_unref (all);
  g_object_unref (activity);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/activity/rows", test_rows);
  return g_test_run ();
}

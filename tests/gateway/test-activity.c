/* The record: rows, lists that follow them, and what a kill leaves.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <sqlite3.h>

#include "perfica-activity-private.h"

static PerficaEntry *added;

static void
was_added (GObject *source, GAsyncResult *result, gpointer data)
{
  added = perfica_activity_add_finish (PERFICA_ACTIVITY (source), result, NULL);
  g_assert_nonnull (added);
}

static PerficaEntry *
add_row (PerficaActivity *activity, PerficaRow *row)
{
  added = NULL;
  perfica_activity_add_async (activity, row, was_added, NULL);
  while (!added)
    g_main_context_iteration (NULL, TRUE);
  return added;
}

static PerficaEntry *
add (PerficaActivity *activity, const char *command, PerficaOutcome outcome)
{
  PerficaRow *row = perfica_row_new ();

  row->board = g_strdup ("b");
  row->command = g_strdup (command);
  row->outcome = outcome;
  return add_row (activity, row);
}

static void
expect (GListModel *list, guint n)
{
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (g_list_model_get_n_items (list) != n || perfica_activity_list_is_loading (list))
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

/* Every filter, alone and with each other: the file's SQL and the judgement of rows that come in
 * while a list is open say the same. */
static void
test_filters (void)
{
  static const char *const answers[] = { NULL, "person", "always: git push", "Full Auto" };
  g_autofree char *root = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (root, "activity.db", NULL);
  const char *argv[] = { "rm", "-rf", root, NULL };
  PerficaActivity *activity = perfica_activity_new (path);
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *all = perfica_activity_list (activity, NULL, NULL, PERFICA_FILTER_ALL);
  guint seen[PERFICA_N_ANSWERS + PERFICA_N_EXITS] = { 0 };

  perfica_activity_open (activity);
  expect (all, 0);
  for (int outcome = PERFICA_OUTCOME_PENDING; outcome <= PERFICA_OUTCOME_ERROR; outcome++)
    for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
      for (int exit_code = 0; exit_code < 2; exit_code++)
        {
          PerficaRow *row = perfica_row_new ();

          row->board = g_strdup ("b");
          row->bubble = g_strdup (i % 2 ? "coder" : "reviewer");
          row->command = g_strdup ("make");
          row->outcome = outcome;
          row->exit_code = exit_code;
          row->asked = i > 0;
          row->answered_by = g_strdup (answers[i]);
          g_ptr_array_add (entries, add_row (activity, row));
        }
  expect (all, entries->len);
  for (guint filter = 0; filter <= PERFICA_FILTER_FAILED; filter++)
    for (guint answer = 0; answer < PERFICA_N_ANSWERS; answer++)
      for (guint end = 0; end < PERFICA_N_EXITS; end++)
        {
          PerficaActivityQuery wanted = {
            .board = "b",
            .bubble = end % 2 ? "coder" : NULL,
            .filter = filter,
            .answer = answer,
            .exit = end,
          };
          g_autoptr (PerficaQuery) query = perfica_query_new (&wanted);
          g_autoptr (GListModel) list = perfica_activity_query (activity, &wanted);
          guint n = 0;

          for (guint i = 0; i < entries->len; i++)
            n += perfica_query_matches (query, perfica_entry_get_row (entries->pdata[i]));
          g_assert_true (perfica_activity_list_is_loading (list));
          expect (list, n);
          seen[answer] += n;
          seen[PERFICA_N_ANSWERS + end] += n;
        }
  for (guint i = 0; i < G_N_ELEMENTS (seen); i++)
    g_assert_cmpuint (seen[i], >, 0);
  g_object_unref (all);
  g_ptr_array_set_size (entries, 0);
  g_object_unref (activity);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
}

/* A file of the first version gets what it lacks and keeps its rows. */
static void
test_first_version (void)
{
  g_autofree char *root = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (root, "activity.db", NULL);
  const char *argv[] = { "rm", "-rf", root, NULL };
  PerficaActivity *activity = perfica_activity_new (path);
  g_autoptr (PerficaEntry) entry = NULL;
  GListModel *all = perfica_activity_list (activity, NULL, NULL, PERFICA_FILTER_ALL);
  sqlite3 *db = NULL;

  perfica_activity_open (activity);
  entry = add (activity, "make", PERFICA_OUTCOME_REFUSED);
  expect (all, 1);
  g_object_unref (all);
  g_clear_object (&entry);
  g_object_unref (activity);

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db,
                                 "DROP INDEX entries_filter; ALTER TABLE entries DROP COLUMN "
                                 "client; PRAGMA user_version = 1",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  sqlite3_close (db);

  activity = perfica_activity_new (path);
  all = perfica_activity_list (activity, "b", NULL, PERFICA_FILTER_REFUSED);
  perfica_activity_open (activity);
  expect (all, 1);
  g_assert_null (perfica_activity_get_problem (activity));
  g_object_unref (all);
  g_object_unref (activity);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "DROP INDEX entries_filter", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/activity/rows", test_rows);
  g_test_add_func ("/activity/filters", test_filters);
  g_test_add_func ("/activity/first-version", test_first_version);
  return g_test_run ();
}

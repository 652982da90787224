/* The record's file: what an export writes, and files of older versions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "perfica-activity-private.h"
#include "perfica-json.h"

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
  row->client = g_strdup ("claude → perfica-agent");
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

/* ---- Export ---- */

static const char *const commands[] = {
  "echo plain",
  "printf 'two\nlines'",
  "echo \"quotes\" \\ back",
  "tab\there \033[31mred\033[0m \177",
  "not UTF-8: \xff\xfe",
  "\u202eright to left\u2028new line",
  "{\"json\": [1, 2]}",
};

static void
was_exported (GObject *source, GAsyncResult *result, gpointer data)
{
  GError **error = data;
  gboolean done = perfica_activity_export_finish (PERFICA_ACTIVITY (source), result, error);

  g_assert_cmpint (done, ==, !*error);
  if (done)
    *error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_EXISTS, "done");
}

/* Returns: (transfer full) (nullable): why it failed */
static GError *export(PerficaActivity *activity, const char *board, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GError *error = NULL;

  perfica_activity_export_async (activity, board, file, was_exported, &error);
  while (!error)
    g_main_context_iteration (NULL, TRUE);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS))
    g_clear_error (&error);
  return error;
}

static void
expect_lines (const char *path, guint n)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  struct stat info;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  if (n == 0)
    {
      g_assert_cmpstr (text, ==, "");
      return;
    }
  lines = g_strsplit (text, "\n", -1);
  /* The last line ends with one too. */
  g_assert_cmpuint (g_strv_length (lines), ==, n + 1);
  g_assert_cmpstr (lines[n], ==, "");
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node = perfica_json_parse (lines[i], strlen (lines[i]), &error);
      g_autofree char *command = NULL;
      g_autofree char *wanted = g_utf8_make_valid (commands[i], -1);
      gint64 id = 0;

      g_assert_no_error (error);
      g_assert_true (perfica_json_get_string (json_node_get_object (node), "command",
                                              PERFICA_JSON_REQUIRED, 1000, &command, NULL));
      g_assert_cmpstr (command, ==, wanted);
      g_assert_true (perfica_json_get_int (json_node_get_object (node), "id", PERFICA_JSON_REQUIRED,
                                           1, G_MAXINT64, &id, NULL));
      g_assert_cmpint (id, ==, i + 1);
      g_assert_nonnull (strstr (lines[i], "\"outcome\":\"ran\""));
    }
}

static void
test_export (void)
{
  g_autofree char *root = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  g_autofree char *database = g_build_filename (root, "activity.db", NULL);
  g_autofree char *path = g_build_filename (root, "export.jsonl", NULL);
  g_autofree char *away = g_build_filename (root, "no-such-folder", "export.jsonl", NULL);
  const char *argv[] = { "rm", "-rf", root, NULL };
  PerficaActivity *activity = perfica_activity_new (database);
  g_autoptr (GError) error = NULL;

  perfica_activity_open (activity);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_object_unref (add (activity, commands[i], PERFICA_OUTCOME_RAN));
  /* An older export is replaced, and closed to others. */
  g_assert_true (g_file_set_contents (path, "old", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0644), ==, 0);
  error = export(activity, "b", path);
  g_assert_no_error (error);
  expect_lines (path, G_N_ELEMENTS (commands));
  error = export(activity, NULL, path);
  g_assert_no_error (error);
  expect_lines (path, G_N_ELEMENTS (commands));
  error = export(activity, "another board", path);
  g_assert_no_error (error);
  expect_lines (path, 0);
  error = export(activity, NULL, away);
  g_assert_nonnull (error);
  g_clear_error (&error);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (activity);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
}

/* ---- Older files ---- */

static const char version_1[] =
    "CREATE TABLE entries ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " time INTEGER NOT NULL, board TEXT NOT NULL, bubble TEXT, folder TEXT, command TEXT NOT NULL,"
    " canonical TEXT, reason TEXT, findings TEXT, rule TEXT, confinement TEXT, output_path TEXT,"
    " output TEXT, answered_by TEXT, outcome TEXT NOT NULL, exit_code INTEGER NOT NULL,"
    " signal INTEGER NOT NULL, duration INTEGER NOT NULL, asked INTEGER NOT NULL,"
    " terminal INTEGER NOT NULL);"
    "CREATE INDEX entries_board ON entries (board, id);"
    "CREATE INDEX entries_pending ON entries (outcome) WHERE outcome = 'pending';"
    "INSERT INTO entries (time, board, command, outcome, exit_code, signal, duration, asked, "
    "terminal) VALUES (1, 'b', 'old', 'ran', 3, 0, 5, 0, 0);"
    "PRAGMA user_version = 1;";

static void
test_upgrade (void)
{
  g_autofree char *root = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (root, "activity.db", NULL);
  const char *argv[] = { "rm", "-rf", root, NULL };

  {
    sqlite3 *db = NULL;

    g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
    g_assert_cmpint (sqlite3_exec (db, version_1, NULL, NULL, NULL), ==, SQLITE_OK);
    sqlite3_close (db);
  }
  /* The second time it is upgraded already. */
  for (guint i = 0; i < 2; i++)
    {
      PerficaActivity *activity = perfica_activity_new (path);
      g_autoptr (GListModel) all = perfica_activity_list (activity, "b", NULL, PERFICA_FILTER_ALL);
      g_autoptr (PerficaEntry) fresh = NULL;
      g_autoptr (PerficaEntry) old = NULL;

      perfica_activity_open (activity);
      fresh = add (activity, "new", PERFICA_OUTCOME_RAN);
      expect (all, i + 2);
      old = g_list_model_get_item (all, i + 1);
      g_assert_cmpstr (perfica_entry_get_command (old), ==, "old");
      g_assert_cmpint (perfica_entry_get_exit_code (old), ==, 3);
      g_assert_cmpstr (perfica_entry_get_client (old), ==, NULL);
      g_assert_cmpstr (perfica_entry_get_client (fresh), ==, "claude → perfica-agent");
      g_clear_object (&all);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_object_unref (activity);
    }
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/activity-file/export", test_export);
  g_test_add_func ("/activity-file/upgrade", test_upgrade);
  return g_test_run ();
}

/* boards.json: what is kept comes back; what can't be read is kept aside and nothing is granted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <unistd.h>

#include "perfica-board-folder.h"
#include "perfica-error.h"
#include "perfica-store.h"

typedef struct
{
  char *root;
  PerficaPaths *paths;
} House;

static char *
make_folder (House *house, const char *name)
{
  char *path = g_build_filename (house->root, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  return path;
}

static void
set_up (House *house, gconstpointer data)
{
  static const char *const variables[] = { "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR" };
  g_autoptr (GError) error = NULL;

  house->root = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    {
      g_autofree char *path = make_folder (house, variables[i]);

      g_setenv (variables[i], path, TRUE);
    }
  house->paths = perfica_paths_new (&error);
  g_assert_no_error (error);
}

static void
tear_down (House *house, gconstpointer data)
{
  const char *argv[] = { "rm", "-rf", house->root, NULL };

  while (g_main_context_iteration (NULL, FALSE))
    ;
  perfica_paths_free (house->paths);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
  g_free (house->root);
}

static void
test_round_trip (House *house, gconstpointer data)
{
  g_autoptr (PerficaStore) first = perfica_store_new (house->paths);
  g_autoptr (PerficaStore) second = perfica_store_new (house->paths);
  g_autoptr (PerficaBoard) again = NULL;
  g_autoptr (PerficaLoop) loop = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *project G_GNUC_UNUSED = make_folder (house, "project/packages/web");
  g_autofree char *root = g_build_filename (house->root, "project", NULL);
  PerficaBoard *board;

  perfica_store_load (first, &error);
  g_assert_no_error (error);
  board = perfica_store_add_board (first, root, &error);
  g_assert_no_error (error);
  loop = g_object_ref (perfica_board_add_loop (board, "web", "packages/web", &error));
  g_assert_no_error (error);
  g_assert_nonnull (perfica_board_add_bubble (board, "r", PERFICA_ROLE_REVIEWER, 0, loop, &error));
  perfica_board_set_full_auto (board, TRUE);
  perfica_board_set_sandbox (board, PERFICA_SANDBOX_ON);
  perfica_store_flush (first);
  perfica_store_load (second, &error);
  g_assert_no_error (error);
  again = g_list_model_get_item (perfica_store_get_boards (second), 0);
  g_assert_nonnull (again);
  g_assert_true (perfica_board_get_full_auto (again));
  g_assert_true (perfica_board_get_sandbox_active (again));
  g_assert_cmpuint (g_list_model_get_n_items (perfica_board_get_loops (again)), ==, 2);
  g_assert_cmpuint (g_list_model_get_n_items (perfica_board_get_bubbles (again)), ==, 2);
}

static void
test_unreadable (House *house, gconstpointer data)
{
  static const char *const texts[] = { "", "{", "[]", "{\"version\":2}", "{\"version\":1}" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (PerficaStore) store = perfica_store_new (house->paths);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;

      g_assert_true (g_file_set_contents (house->paths->boards, texts[i], -1, NULL));
      g_chmod (house->paths->boards, 0600);
      g_assert_false (perfica_store_load (store, &error));
      g_assert_error (error, PERFICA_ERROR, PERFICA_ERROR_STORE);
      perfica_store_set_sandbox (store, TRUE); /* writes nothing */
      perfica_store_flush (store);
      g_assert_true (g_file_get_contents (house->paths->boards, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, texts[i]);
    }
}

#define SUM "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* What commands run in: kept with its pin; another name forgets the pin; nonsense isn't read. */
static void
test_image (House *house, gconstpointer data)
{
  static const struct
  {
    const char *members;
    gboolean good;
  } texts[] = {
    { "", TRUE },
    { ",\"image\":\"node:22\"", TRUE },
    { ",\"image_digest\":\"" SUM "\"", TRUE },
    { ",\"image\":\"--privileged\"", FALSE },
    { ",\"image\":\"\"", FALSE },
    { ",\"image\":7", FALSE },
    { ",\"image\":\"node\",\"image_digest\":\"latest\"", FALSE },
    { ",\"image_digest\":\"\"", FALSE },
  };
  g_autoptr (PerficaStore) first = perfica_store_new (house->paths);
  g_autoptr (PerficaStore) second = perfica_store_new (house->paths);

  g_assert_true (perfica_store_load (first, NULL));
  perfica_store_set_image (first, "ghcr.io/a/b:1");
  perfica_store_set_image_digest (first, SUM);
  perfica_store_flush (first);
  g_assert_true (perfica_store_load (second, NULL));
  g_assert_cmpstr (perfica_store_get_settings (second)->image, ==, "ghcr.io/a/b:1");
  g_assert_cmpstr (perfica_store_get_settings (second)->image_digest, ==, SUM);
  perfica_store_set_image (second, NULL);
  g_assert_null (perfica_store_get_settings (second)->image_digest);
  perfica_store_flush (second);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (PerficaStore) store = perfica_store_new (house->paths);
      g_autofree char *text = g_strdup_printf (
          "{\"version\":1,\"sandbox\":true,\"backend\":\"docker\",\"prompt_seconds\":120,"
          "\"visible\":[]%s,\"boards\":[]}",
          texts[i].members);

      g_assert_true (g_file_set_contents (house->paths->boards, text, -1, NULL));
      g_chmod (house->paths->boards, 0600);
      g_assert_cmpint (perfica_store_load (store, NULL), ==, texts[i].good);
    }
}

static void
test_afresh (House *house, gconstpointer data)
{
  g_autoptr (PerficaStore) store = perfica_store_new (house->paths);
  g_autofree char *aside = g_strconcat (house->paths->boards, ".unreadable-1", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_set_contents (house->paths->boards, "?", -1, NULL));
  g_assert_false (perfica_store_load (store, NULL));
  g_assert_true (perfica_store_start_afresh (store, NULL));
  perfica_store_flush (store);
  g_assert_true (g_file_get_contents (aside, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "?");
  g_assert_true (perfica_store_load (store, NULL));
}

static void
test_folders (House *house, gconstpointer data)
{
  const char *refused[] = {
    "/",         house->paths->home, house->paths->config, house->paths->state,
    house->root, /* holds all of ours */
    "/dev/null", "/nowhere-at-all"
  };
  g_autofree char *project = make_folder (house, "project");
  g_autofree char *link = g_build_filename (house->root, "link", NULL);
  g_autofree char *found = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (perfica_board_folder_check (refused[i], house->paths, &error));
      g_assert_error (error, PERFICA_ERROR, PERFICA_ERROR_FOLDER);
    }
  g_assert_cmpint (symlink (house->paths->config, link), ==, 0);
  g_assert_null (perfica_board_folder_check (link, house->paths, NULL));
  found = perfica_board_folder_check (project, house->paths, NULL);
  g_assert_cmpstr (found, ==, project);
}

static void
test_lock (House *house, gconstpointer data)
{
  g_autoptr (PerficaPaths) other = perfica_paths_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (perfica_paths_lock (house->paths, NULL));
  g_assert_false (perfica_paths_lock (other, &error));
  g_assert_error (error, PERFICA_ERROR, PERFICA_ERROR_RUNNING);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/store/round-trip", House, NULL, set_up, test_round_trip, tear_down);
  g_test_add ("/store/unreadable", House, NULL, set_up, test_unreadable, tear_down);
  g_test_add ("/store/image", House, NULL, set_up, test_image, tear_down);
  g_test_add ("/store/afresh", House, NULL, set_up, test_afresh, tear_down);
  g_test_add ("/store/folders", House, NULL, set_up, test_folders, tear_down);
  g_test_add ("/store/lock", House, NULL, set_up, test_lock, tear_down);
  return g_test_run ();
}

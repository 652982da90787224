/* A command's TMPDIR: made fresh, removed whole, whatever lies in it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfica-error.h"
#include "perfica-scratch.h"

typedef struct
{
  char *root;
  char *scratch;
} Place;

static void
set_up (Place *place, gconstpointer data)
{
  place->root = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  place->scratch = g_build_filename (place->root, "scratch", NULL);
}

static void
run_shell (Place *place, const char *line)
{
  const char *argv[] = { "bash", "-c", line, NULL };
  int status;

  g_assert_true (g_spawn_sync (place->root, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                               NULL, NULL, &status, NULL));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
}

static void
tear_down (Place *place, gconstpointer data)
{
  run_shell (place, "chmod -R u+rwx . && rm -rf \"$PWD\"");
  g_free (place->scratch);
  g_free (place->root);
}

static gboolean
exists (Place *place, const char *name)
{
  g_autofree char *path = g_build_filename (place->root, name, NULL);
  struct stat info;

  return g_lstat (path, &info) == 0;
}

static void
test_make (Place *place, gconstpointer data)
{
  g_autofree char *one = perfica_scratch_name (place->scratch);
  g_autofree char *two = perfica_scratch_name (place->scratch);
  g_autoptr (GError) error = NULL;
  struct stat info;

  g_assert_cmpstr (one, !=, two);
  g_assert_false (exists (place, "scratch"));
  perfica_scratch_make (one, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_stat (one, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 07777, ==, 0700);
  /* One that is there already isn't fresh. */
  g_assert_false (perfica_scratch_make (one, &error));
  g_assert_error (error, PERFICA_ERROR, PERFICA_ERROR_OUTPUT);
}

static const struct
{
  const char *name;
  const char *setup;
} hostile[] = {
  { "a link", "mkdir -m 0700 away; ln -s away scratch" },
  { "a file", "echo > scratch" },
  { "open to others", "mkdir -m 0755 scratch" },
  { "another user's", "mkdir -m 0700 scratch; chown 1234 scratch" },
};

static void
test_hostile (Place *place, gconstpointer data)
{
  guint index = GPOINTER_TO_UINT (data);
  g_autofree char *path = perfica_scratch_name (place->scratch);
  g_autoptr (GError) error = NULL;

  if (strstr (hostile[index].setup, "chown") && geteuid () != 0)
    {
      g_test_skip ("only root can give a folder away");
      return;
    }
  run_shell (place, hostile[index].setup);
  g_assert_false (perfica_scratch_make (path, &error));
  g_assert_error (error, PERFICA_ERROR, PERFICA_ERROR_OUTPUT);
}

/* Nothing of it stays, and nothing that it points to goes. */
static void
test_remove (Place *place, gconstpointer data)
{
  g_autofree char *path = g_build_filename (place->scratch, "one", NULL);

  run_shell (place, "mkdir -p precious scratch/one/a/b scratch/one/closed/inner scratch/one/dark;"
                    "echo > precious/file; cd scratch/one; ln -s ../../precious link; "
                    "ln -s ../../precious/file file-link; mkfifo fifo; echo > closed/inner/file;"
                    "echo > a/b/file; echo > 'odd\nname'; touch -- -rf; "
                    "chmod 0555 closed closed/inner; chmod 0 dark");
  perfica_scratch_remove (path);
  g_assert_false (exists (place, "scratch/one"));
  g_assert_true (exists (place, "scratch"));
  g_assert_true (exists (place, "precious/file"));
}

static void
test_remove_link (Place *place, gconstpointer data)
{
  g_autofree char *path = g_build_filename (place->scratch, "one", NULL);

  run_shell (place,
             "mkdir -p precious scratch; echo > precious/file; ln -s ../precious scratch/one");
  perfica_scratch_remove (path);
  g_assert_true (exists (place, "precious/file"));
}

/* Deeper than we may hold descriptors: what can't be removed stays, and nobody is hurt. */
static void
test_deep (Place *place, gconstpointer data)
{
  g_autofree char *path = g_build_filename (place->scratch, "one", NULL);

  run_shell (place, "mkdir -p scratch/one; cd scratch/one; touch beside; "
                    "for i in $(seq 600); do mkdir d; cd d; done");
  perfica_scratch_remove (path);
  g_assert_false (exists (place, "scratch/one/beside"));
  for (guint i = 0; i < 3; i++)
    perfica_scratch_remove (path);
  run_shell (place, "rm -rf scratch");
}

/* What a kill left makes way for new ones at once, and goes later. */
static void
test_aside (Place *place, gconstpointer data)
{
  g_autofree char *fresh = perfica_scratch_name (place->scratch);
  g_autoptr (GError) error = NULL;

  perfica_scratch_set_aside (place->scratch);
  run_shell (place, "mkdir -p scratch.old-1/left scratch-other precious; mkdir -m 0700 scratch; "
                    "mkdir scratch/one; echo > scratch/one/file; ln -s precious scratch.old-2; "
                    "echo > precious/file");
  perfica_scratch_set_aside (place->scratch);
  g_assert_false (exists (place, "scratch"));
  perfica_scratch_make (fresh, &error);
  g_assert_no_error (error);
  perfica_scratch_remove_aside (place->scratch);
  g_assert_true (g_file_test (fresh, G_FILE_TEST_IS_DIR));
  g_assert_true (exists (place, "scratch-other"));
  g_assert_true (exists (place, "precious/file"));
  run_shell (place, "! ls -d scratch.old-1 2>/dev/null; test 1 = $(ls -d scratch.old-* | wc -l)");
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (Place *, gconstpointer);
  } tests[] = {
    { "/scratch/make", test_make },
    { "/scratch/remove", test_remove },
    { "/scratch/remove-link", test_remove_link },
    { "/scratch/deep", test_deep },
    { "/scratch/aside", test_aside },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Place, NULL, set_up, tests[i].run, tear_down);
  for (guint i = 0; i < G_N_ELEMENTS (hostile); i++)
    {
      g_autofree char *name = g_strdup_printf ("/scratch/hostile/%s", hostile[i].name);

      g_test_add (name, Place, GUINT_TO_POINTER (i), set_up, test_hostile, tear_down);
    }
  return g_test_run ();
}

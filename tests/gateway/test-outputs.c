/* Whole outputs in a project: where they may be written, and which are removed again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfica-error.h"
#include "perfica-outputs.h"

#define NOW G_GINT64_CONSTANT (2000000000)
#define DAY (24 * 60 * 60)

typedef struct
{
  char *root;
  char *project;
} Place;

static void
set_up (Place *place, gconstpointer data)
{
  place->root = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  place->project = g_build_filename (place->root, "project", NULL);
  g_assert_cmpint (g_mkdir (place->project, 0700), ==, 0);
}

static void
tear_down (Place *place, gconstpointer data)
{
  const char *argv[] = { "rm", "-rf", place->root, NULL };

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
  g_free (place->project);
  g_free (place->root);
}

static char *
below (Place *place, const char *name)
{
  return g_build_filename (place->project, name, NULL);
}

static gboolean
exists (Place *place, const char *name)
{
  g_autofree char *path = below (place, name);
  struct stat info;

  return g_lstat (path, &info) == 0;
}

/* ---- Opening ---- */

static void
test_open (Place *place, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *ignore = below (place, ".perfica/.gitignore");
  g_autofree char *file = below (place, ".perfica/outputs/7.log");
  g_autofree char *text = NULL;
  struct stat info;
  int fds[2];

  fds[0] = perfica_outputs_open (place->project, 7, &first, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (first, ==, ".perfica/outputs/7.log");
  /* A record that began anew counts anew: nothing is written over. */
  g_assert_cmpint (write (fds[0], "one", 3), ==, 3);
  fds[1] = perfica_outputs_open (place->project, 7, &second, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (second, ==, ".perfica/outputs/7-1.log");
  close (fds[0]);
  close (fds[1]);
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "one");
  g_assert_cmpint (g_stat (file, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (ignore, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "*\n");
}

/* What a cloned repository, or another user, may have put there. */
static const struct
{
  const char *name;
  const char *setup; /* a shell line, in the project's folder */
} hostile[] = {
  { "a link", "mkdir ../away; ln -s ../away .perfica" },
  { "a broken link", "ln -s ../nowhere .perfica" },
  { "a file", "echo hello > .perfica" },
  { "a fifo", "mkfifo .perfica" },
  { "writable by others", "mkdir .perfica; chmod 0777 .perfica" },
  { "writable by the group", "mkdir .perfica; chmod 0770 .perfica" },
  { "outputs a link", "mkdir ../away; mkdir -m 0700 .perfica; ln -s ../../away .perfica/outputs" },
  { "outputs a file", "mkdir -m 0700 .perfica; echo > .perfica/outputs" },
  { "outputs a fifo", "mkdir -m 0700 .perfica; mkfifo .perfica/outputs" },
  { "outputs writable by others", "mkdir -m 0700 .perfica; mkdir -m 0777 .perfica/outputs" },
  { "another user's", "mkdir -m 0700 .perfica; chown 1234 .perfica" },
  { "outputs another user's",
    "mkdir -m 0700 .perfica .perfica/outputs; chown 1234 .perfica/outputs" },
  { "a full number", "mkdir -m 0700 .perfica .perfica/outputs; cd .perfica/outputs; touch 7.log; "
                     "seq -f 7-%.0f.log 1 999 | xargs touch" },
};

static void
run_shell (Place *place, const char *line)
{
  const char *argv[] = { "bash", "-c", line, NULL };
  int status;

  g_assert_true (g_spawn_sync (place->project, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
                               NULL, NULL, NULL, &status, NULL));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
}

static void
test_hostile (Place *place, gconstpointer data)
{
  guint index = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autofree char *away = g_build_filename (place->root, "away", NULL);
  g_autoptr (GDir) folder = NULL;

  if (strstr (hostile[index].setup, "chown") && geteuid () != 0)
    {
      g_test_skip ("only root can give a folder away");
      return;
    }
  run_shell (place, hostile[index].setup);
  g_assert_cmpint (perfica_outputs_open (place->project, 7, &path, &error), ==, -1);
  g_assert_error (error, PERFICA_ERROR, PERFICA_ERROR_OUTPUT);
  g_assert_nonnull (strstr (error->message, ".perfica"));
  g_assert_null (path);
  /* Nothing was written through it. */
  folder = g_dir_open (away, 0, NULL);
  if (folder)
    g_assert_null (g_dir_read_name (folder));
  perfica_outputs_prune (place->project, NULL, NOW);
  perfica_outputs_remove (place->project, ".perfica/outputs/7.log");
}

/* A link in the file's own place is no way out either: the next free name is taken. */
static void
test_linked_file (Place *place, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int fd;

  run_shell (place,
             "mkdir -m 0700 .perfica .perfica/outputs; ln -s ../../../out .perfica/outputs/7.log");
  fd = perfica_outputs_open (place->project, 7, &path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (path, ==, ".perfica/outputs/7-1.log");
  close (fd);
  g_assert_false (exists (place, "../out"));
}

/* ---- Pruning ---- */

/* @age: seconds before NOW it was last written */
static void
make_output (Place *place, const char *name, gint64 age, guint64 size)
{
  g_autofree char *file = g_strdup_printf (".perfica/outputs/%s", name);
  g_autofree char *path = below (place, file);
  struct timespec times[2] = { { .tv_sec = NOW - age }, { .tv_sec = NOW - age } };
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL, 0600);

  g_assert_cmpint (fd, >=, 0);
  /* A hole: it weighs nothing, and st_size is what is looked at. */
  g_assert_cmpint (ftruncate (fd, (off_t) size), ==, 0);
  g_assert_cmpint (futimens (fd, times), ==, 0);
  close (fd);
}

static gboolean
has_output (Place *place, const char *name)
{
  g_autofree char *file = g_strdup_printf (".perfica/outputs/%s", name);

  return exists (place, file);
}

static void
make_folder (Place *place)
{
  g_autoptr (GError) error = NULL;

  perfica_outputs_prepare (place->project, &error);
  g_assert_no_error (error);
}

/* So that those after them are not among the newest. */
static void
make_newest (Place *place)
{
  for (guint i = 0; i < PERFICA_OUTPUTS_NEWEST; i++)
    {
      g_autofree char *name = g_strdup_printf ("new-%u.log", i);

      make_output (place, name, 0, 1);
    }
}

static void
test_prune_age (Place *place, gconstpointer data)
{
  const char *running[] = { ".perfica/outputs/old-running.log", NULL };

  make_folder (place);
  make_newest (place);
  make_output (place, "young.log", PERFICA_OUTPUTS_DAYS * DAY, 1);
  make_output (place, "old.log", PERFICA_OUTPUTS_DAYS * DAY + 1, 1);
  make_output (place, "old-running.log", PERFICA_OUTPUTS_DAYS * DAY + 1, 1);
  make_output (place, "old.txt", PERFICA_OUTPUTS_DAYS * DAY + 1, 1);
  perfica_outputs_prune (place->project, running, NOW);
  g_assert_true (has_output (place, "new-0.log"));
  g_assert_true (has_output (place, "young.log"));
  g_assert_false (has_output (place, "old.log"));
  g_assert_true (has_output (place, "old-running.log"));
  /* Not one of ours. */
  g_assert_true (has_output (place, "old.txt"));
}

static void
test_prune_bytes (Place *place, gconstpointer data)
{
  const char *running[] = { ".perfica/outputs/running.log", NULL };

  make_folder (place);
  make_newest (place);
  make_output (place, "1.log", 10, PERFICA_OUTPUTS_MAX / 2);
  make_output (place, "2.log", 20, PERFICA_OUTPUTS_MAX / 2 - PERFICA_OUTPUTS_NEWEST);
  make_output (place, "3.log", 30, 1);
  make_output (place, "running.log", 40, PERFICA_OUTPUTS_MAX);
  make_output (place, "4.log", 50, 0);
  perfica_outputs_prune (place->project, running, NOW);
  g_assert_true (has_output (place, "1.log"));
  g_assert_true (has_output (place, "2.log"));
  g_assert_false (has_output (place, "3.log"));
  g_assert_true (has_output (place, "running.log"));
  for (guint i = 0; i < PERFICA_OUTPUTS_NEWEST; i++)
    {
      g_autofree char *name = g_strdup_printf ("new-%u.log", i);

      g_assert_true (has_output (place, name));
    }
}

/* The newest stay although each alone is over the limit. */
static void
test_prune_newest (Place *place, gconstpointer data)
{
  make_folder (place);
  for (guint i = 0; i <= PERFICA_OUTPUTS_NEWEST; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.log", i);

      make_output (place, name, i, PERFICA_OUTPUTS_MAX + 1);
    }
  perfica_outputs_prune (place->project, NULL, NOW);
  for (guint i = 0; i <= PERFICA_OUTPUTS_NEWEST; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.log", i);

      g_assert_cmpint (has_output (place, name), ==, i < PERFICA_OUTPUTS_NEWEST);
    }
}

static void
test_prune_files (Place *place, gconstpointer data)
{
  const guint more = 3;

  make_folder (place);
  for (guint i = 0; i < PERFICA_OUTPUTS_FILES + more; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.log", i);

      make_output (place, name, i, 1);
    }
  perfica_outputs_prune (place->project, NULL, NOW);
  for (guint i = PERFICA_OUTPUTS_FILES - more; i < PERFICA_OUTPUTS_FILES + more; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.log", i);

      g_assert_cmpint (has_output (place, name), ==, i < PERFICA_OUTPUTS_FILES);
    }
}

/* A project that was never worked in, or is gone, stays as it is. */
static void
test_prune_nothing (Place *place, gconstpointer data)
{
  perfica_outputs_prune (place->project, NULL, NOW);
  perfica_outputs_remove (place->project, ".perfica/outputs/1.log");
  g_assert_false (exists (place, ".perfica"));
  g_assert_cmpint (g_rmdir (place->project), ==, 0);
  perfica_outputs_prune (place->project, NULL, NOW);
  g_assert_false (exists (place, "."));
}

static void
test_remove (Place *place, gconstpointer data)
{
  make_folder (place);
  make_output (place, "1.log", 0, 1);
  make_output (place, "2.log", 0, 1);
  run_shell (place, "echo > precious");
  perfica_outputs_remove (place->project, ".perfica/outputs/1.log");
  perfica_outputs_remove (place->project, "precious");
  g_assert_false (has_output (place, "1.log"));
  g_assert_true (has_output (place, "2.log"));
  g_assert_true (exists (place, "precious"));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (Place *, gconstpointer);
  } tests[] = {
    { "/outputs/open", test_open },
    { "/outputs/linked-file", test_linked_file },
    { "/outputs/prune/age", test_prune_age },
    { "/outputs/prune/bytes", test_prune_bytes },
    { "/outputs/prune/newest", test_prune_newest },
    { "/outputs/prune/files", test_prune_files },
    { "/outputs/prune/nothing", test_prune_nothing },
    { "/outputs/remove", test_remove },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Place, NULL, set_up, tests[i].run, tear_down);
  for (guint i = 0; i < G_N_ELEMENTS (hostile); i++)
    {
      g_autofree char *name = g_strdup_printf ("/outputs/hostile/%s", hostile[i].name);

      g_test_add (name, Place, GUINT_TO_POINTER (i), set_up, test_hostile, tear_down);
    }
  return g_test_run ();
}

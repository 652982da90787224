/* Reading on workers: where a command starts, how many wait, and what changed since.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfica-error.h"
#include "perfica-reader.h"

typedef struct
{
  char *root;
  char *project;
  PerficaReader *reader;
} Desk;

static void
run_shell (const char *folder, const char *line)
{
  const char *argv[] = { "bash", "-c", line, NULL };
  int status;

  g_assert_true (g_spawn_sync (folder, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, &status, NULL));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
}

static void
set_up (Desk *desk, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);

  desk->root = realpath (made, NULL);
  desk->project = g_build_filename (desk->root, "project", NULL);
  run_shell (desk->root, "mkdir -p project/web/src project/api project/board away; cd project; "
                         "echo > file; ln -s ../away out; ln -s web in; ln -s nowhere broken; "
                         "ln -s round round; printf '#!/bin/bash\\ngit push\\n' > push.sh; "
                         "chmod 700 push.sh");
  desk->reader = perfica_reader_new ();
}

static void
tear_down (Desk *desk, gconstpointer data)
{
  const char *argv[] = { "rm", "-rf", desk->root, NULL };

  perfica_reader_free (desk->reader);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
  g_free (desk->project);
  free (desk->root);
}

static PerficaReading *
make_reading (Desk *desk, const char *command, const char *loop, const char *folder)
{
  static const char *const loops[] = { "api", "board", NULL };
  static const char *const inner[] = { "board", NULL };
  PerficaReading *reading = g_new0 (PerficaReading, 1);

  reading->command = g_strdup (command);
  reading->project = g_strdup (desk->project);
  reading->loop = g_strdup (loop);
  reading->loops = g_strdupv ((char **) loops);
  reading->inner = g_strdupv ((char **) inner);
  reading->wanted_folder = g_strdup (folder);
  reading->home = g_strdup ("/nowhere");
  reading->tmpdir = g_strdup ("/tmp/perfica-test-tmpdir");
  return reading;
}

static void
was_done (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static PerficaReading *
read_one (Desk *desk, const char *command, const char *loop, const char *folder, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  perfica_reader_read_async (desk->reader, make_reading (desk, command, loop, folder), was_done,
                             &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  return perfica_reader_read_finish (desk->reader, result, error);
}

/* @folder: "@" stands for the project. @wanted: NULL: it is refused */
static const struct
{
  const char *loop;
  const char *folder;
  const char *wanted;
} folders[] = {
  { ".", NULL, "." },           { ".", "", "." },           { ".", ".", "." },
  { ".", "web/src/..", "web" }, { ".", "@", "." },          { ".", "@/web", "web" },
  { ".", "in/src", "web/src" }, { "web", NULL, "web" },     { "web", "src", "web/src" },
  { "web", "../api", "api" },   { "web", "@", "." },        { ".", "nowhere", NULL },
  { ".", "file", NULL },        { ".", "..", NULL },        { ".", "/", NULL },
  { ".", "/etc", NULL },        { ".", "@/../away", NULL }, { ".", "out", NULL },
  { ".", "broken", NULL },      { ".", "round", NULL },     { ".", "board", NULL },
  { ".", "@/board", NULL },     { "gone", NULL, NULL },
};

static void
test_folders (Desk *desk, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_auto (GStrv) parts = g_strsplit (folders[i].folder ? folders[i].folder : "", "@", -1);
      g_autofree char *folder = g_strjoinv (desk->project, parts);
      g_autoptr (GError) error = NULL;
      g_autoptr (PerficaReading) reading =
          read_one (desk, "ls", folders[i].loop, folders[i].folder ? folder : NULL, &error);

      g_test_message ("%s from %s", folders[i].folder, folders[i].loop);
      if (!folders[i].wanted)
        {
          g_assert_null (reading);
          g_assert_error (error, PERFICA_ERROR, PERFICA_ERROR_FOLDER);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpstr (reading->folder, ==, folders[i].wanted);
      g_assert_cmpint (reading->verdict->answer, ==, GUARD_ANSWER_ALLOW);
    }
}

static void
test_long_folder (Desk *desk, gconstpointer data)
{
  g_autofree char *folder = g_strnfill (100000, 'x');
  g_autoptr (GError) error = NULL;

  g_assert_null (read_one (desk, "ls", ".", folder, &error));
  g_assert_error (error, PERFICA_ERROR, PERFICA_ERROR_FOLDER);
  g_assert_cmpuint (strlen (error->message), <, 1000);
}

typedef struct
{
  PerficaReader *reader;
  guint read;
  guint busy;
} Crowd;

static void
count_one (GObject *source, GAsyncResult *result, gpointer data)
{
  Crowd *crowd = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (PerficaReading) reading = perfica_reader_read_finish (crowd->reader, result, &error);

  if (reading)
    crowd->read++;
  else
    {
      g_assert_error (error, PERFICA_ERROR, PERFICA_ERROR_BUSY);
      crowd->busy++;
    }
}

/* More than may wait are told so; each is answered. */
static void
test_crowd (Desk *desk, gconstpointer data)
{
  const guint n = 4 * PERFICA_MAX_READINGS;
  g_autofree char *words = g_strnfill (100000, 'x');
  g_autofree char *command = g_strdup_printf ("echo %s", words);
  Crowd crowd = { .reader = desk->reader };

  for (guint i = 0; i < n; i++)
    perfica_reader_read_async (desk->reader, make_reading (desk, command, ".", NULL), count_one,
                               &crowd);
  while (crowd.read + crowd.busy < n)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (crowd.read, >=, PERFICA_MAX_READINGS);
  g_assert_cmpuint (crowd.busy, >, 0);
}

static gboolean
is_same (Desk *desk, const PerficaReading *reading, char **changed)
{
  g_autoptr (GAsyncResult) result = NULL;

  perfica_reader_verify_async (desk->reader, (const char *const *) reading->verdict->plan.pins,
                               was_done, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  return perfica_reader_verify_finish (desk->reader, result, changed);
}

/* A script that was read is held to what it was. */
static void
test_changed (Desk *desk, gconstpointer data)
{
  static const char *const changes[] = {
    "echo 'rm -rf x' >> push.sh",
    "sed -i s/push/pull/ push.sh",
    "rm push.sh",
    "mv push.sh other.sh; echo ls >> other.sh; ln -s other.sh push.sh",
    "rm push.sh; mkdir push.sh",
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PerficaReading) reading = NULL;
      g_autofree char *changed = NULL;

      run_shell (desk->project, "rm -rf push.sh; printf '#!/bin/bash\\ngit push\\n' > push.sh; "
                                "chmod 700 push.sh");
      reading = read_one (desk, "./push.sh", ".", NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (reading->verdict->answer, ==, GUARD_ANSWER_ASK);
      g_assert_nonnull (reading->verdict->plan.pins);
      g_assert_nonnull (reading->verdict->plan.pins[0]);
      g_assert_true (is_same (desk, reading, &changed));
      g_assert_null (changed);
      run_shell (desk->project, changes[i]);
      g_test_message ("%s", changes[i]);
      g_assert_false (is_same (desk, reading, &changed));
      g_assert_nonnull (strstr (changed, "push.sh"));
    }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (Desk *, gconstpointer);
  } tests[] = {
    { "/reader/folders", test_folders },
    { "/reader/long-folder", test_long_folder },
    { "/reader/crowd", test_crowd },
    { "/reader/changed", test_changed },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Desk, NULL, set_up, tests[i].run, tear_down);
  return g_test_run ();
}

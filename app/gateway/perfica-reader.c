/* Reads commands with the guard on a few workers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-reader.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfica-board-folder.h"
#include "perfica-error.h"

#define N_WORKERS 2

struct _PerficaReader
{
  GThreadPool *pool;
};

typedef struct
{
  PerficaReading *reading; /* NULL: only verify */
  char **pins;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->reading, perfica_reading_free);
  g_strfreev (job->pins);
  g_free (job);
}

void
perfica_reading_free (PerficaReading *reading)
{
  g_free (reading->command);
  g_free (reading->project);
  g_free (reading->loop);
  g_strfreev (reading->loops);
  g_strfreev (reading->inner);
  g_free (reading->wanted_folder);
  g_free (reading->home);
  g_free (reading->tmpdir);
  g_free (reading->folder);
  g_clear_pointer (&reading->verdict, guard_verdict_free);
  g_free (reading);
}

const char *
perfica_reader_bash (void)
{
  static const char *const places[] = { "/usr/bin/bash", "/bin/bash", "/usr/local/bin/bash" };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (access (places[i], X_OK) == 0)
      return places[i];
  return NULL;
}

#define REFUSE(...) (g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_FOLDER, __VA_ARGS__), FALSE)

/* Where it starts: a real folder of the project, in no other board. */
static gboolean
find_folder (PerficaReading *reading, GError **error)
{
  g_autofree char *own = perfica_board_folder_absolute (reading->project, reading->loop);
  g_autofree char *joined = NULL;
  const char *wanted = reading->wanted_folder;
  char resolved[PATH_MAX];

  if (!wanted || !*wanted)
    joined = g_strdup (own);
  else if (strlen (wanted) >= PATH_MAX)
    return REFUSE (_ ("The folder's path is too long: %.64s…"), wanted);
  else
    joined = g_path_is_absolute (wanted) ? g_strdup (wanted) : g_build_filename (own, wanted, NULL);
  if (!realpath (joined, resolved) || !g_file_test (resolved, G_FILE_TEST_IS_DIR))
    return REFUSE (_ ("There is no folder %s."), joined);
  reading->folder = perfica_board_folder_relative (reading->project, resolved);
  if (!reading->folder)
    return REFUSE (_ ("%s lies outside the project; name a folder inside it."), resolved);
  for (guint i = 0; reading->inner[i]; i++)
    if (perfica_board_folder_contains (reading->inner[i], reading->folder))
      return REFUSE (_ ("%s belongs to another board; attach to that one."), resolved);
  return TRUE;
}

static void
read_one (GTask *task, PerficaReading *reading)
{
  GuardScope scope = {
    .project = reading->project,
    .loop = reading->loop,
    .loops = (const char *const *) reading->loops,
    .app_folder = ".perfica",
    .home = reading->home,
    .tmpdir = reading->tmpdir,
    .sandbox = reading->sandbox,
    .bash_available = perfica_reader_bash () != NULL,
  };
  GError *error = NULL;

  if (!find_folder (reading, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  scope.folder = reading->folder;
  reading->verdict =
      guard_read (reading->command, strlen (reading->command), &scope, guard_files_disk ());
  g_task_return_boolean (task, TRUE);
}

static void
work (gpointer data, gpointer user_data)
{
  g_autoptr (GTask) task = data;
  Job *job = g_task_get_task_data (task);

  if (job->reading)
    {
      read_one (task, job->reading);
      return;
    }
  else
    {
      GuardPlan plan = { .pins = job->pins };
      g_autofree char *changed = NULL;

      if (guard_plan_verify (&plan, guard_files_disk (), &changed))
        g_task_return_boolean (task, TRUE);
      else
        g_task_return_new_error (task, PERFICA_ERROR, PERFICA_ERROR_FOLDER, "%s",
                                 changed ? changed : "");
    }
}

PerficaReader *
perfica_reader_new (void)
{
  PerficaReader *self = g_new0 (PerficaReader, 1);

  self->pool = g_thread_pool_new (work, self, N_WORKERS, FALSE, NULL);
  return self;
}

void
perfica_reader_free (PerficaReader *self)
{
  g_thread_pool_free (self->pool, FALSE, TRUE);
  g_free (self);
}

void
perfica_reader_read_async (PerficaReader *self,
                           PerficaReading *reading,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->reading = reading;
  g_task_set_task_data (task, job, job_free);
  if (g_thread_pool_unprocessed (self->pool) >= PERFICA_MAX_READINGS)
    g_task_return_new_error (task, PERFICA_ERROR, PERFICA_ERROR_BUSY,
                             _ ("Too many commands wait to be read; try again later."));
  else
    g_thread_pool_push (self->pool, g_steal_pointer (&task), NULL);
}

PerficaReading *
perfica_reader_read_finish (PerficaReader *self, GAsyncResult *result, GError **error)
{
  Job *job = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  return g_steal_pointer (&job->reading);
}

void
perfica_reader_verify_async (PerficaReader *self,
                             const char *const *pins,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->pins = g_strdupv ((char **) pins);
  g_task_set_task_data (task, job, job_free);
  g_thread_pool_push (self->pool, task, NULL);
}

gboolean
perfica_reader_verify_finish (PerficaReader *self, GAsyncResult *result, char **changed)
{
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    return TRUE;
  *changed = g_strdup (error->message);
  return FALSE;
}

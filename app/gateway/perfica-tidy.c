/* Removes what runs leave behind: old outputs, and what a kill kept from being removed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-tidy.h"

#include "perfica-outputs.h"
#include "perfica-scratch.h"

/* What came to a project since it was last looked at. */
typedef struct
{
  guint files;
  guint64 bytes;
} Tally;

struct _PerficaTidy
{
  GHashTable *tallies; /* project -> Tally */
};

/* What a worker removes: old scratch folders, one output, or a project's old ones. */
typedef struct
{
  char *scratch;
  char *project;
  char *output;
  char **running;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->scratch);
  g_free (job->project);
  g_free (job->output);
  g_strfreev (job->running);
  g_free (job);
}

static void
work (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;

  if (job->scratch)
    perfica_scratch_remove_aside (job->scratch);
  else if (job->output)
    perfica_outputs_remove (job->project, job->output);
  else
    perfica_outputs_prune (job->project, (const char *const *) job->running,
                           g_get_real_time () / G_USEC_PER_SEC);
  g_task_return_boolean (task, TRUE);
}

/* @job: (transfer full) */
static void
start (Job *job)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, work);
}

PerficaTidy *
perfica_tidy_new (void)
{
  PerficaTidy *self = g_new0 (PerficaTidy, 1);

  self->tallies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
perfica_tidy_free (PerficaTidy *self)
{
  g_hash_table_unref (self->tallies);
  g_free (self);
}

void
perfica_tidy_remove_scratch (PerficaTidy *self, const char *scratch)
{
  Job *job = g_new0 (Job, 1);

  job->scratch = g_strdup (scratch);
  start (job);
}

void
perfica_tidy_remove_output (PerficaTidy *self, const char *project, const char *path)
{
  Job *job = g_new0 (Job, 1);

  job->project = g_strdup (project);
  job->output = g_strdup (path);
  start (job);
}

void
perfica_tidy_prune (PerficaTidy *self, const char *project, const char *const *running)
{
  Job *job = g_new0 (Job, 1);

  g_hash_table_remove (self->tallies, project);
  job->project = g_strdup (project);
  job->running = g_strdupv ((char **) running);
  start (job);
}

gboolean
perfica_tidy_take_note (PerficaTidy *self, const char *project, guint64 bytes)
{
  Tally *tally = g_hash_table_lookup (self->tallies, project);

  if (!tally)
    {
      tally = g_new0 (Tally, 1);
      g_hash_table_insert (self->tallies, g_strdup (project), tally);
    }
  tally->files++;
  tally->bytes += bytes;
  return tally->files >= PERFICA_TIDY_FILES || tally->bytes >= PERFICA_TIDY_BYTES;
}

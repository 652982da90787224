/* What a command needs on the disk before it runs: plan, TMPDIR, app's folder. All on workers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-confine.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "perfica-board-folder.h"
#include "perfica-gateway-private.h"
#include "perfica-outputs.h"
#include "perfica-scratch.h"
#include "sandbox-docker.h"
#include "sandbox-environment.h"

/* What the worker gets and what it gives back. */
typedef struct
{
  SandboxBackendType backend;
  SandboxPolicy *policy;
  SandboxPlan *plan;
  char **argv;
  char **environment;
  char **assignments;
  gboolean keep_ssh_agent;
  gboolean confined;
  gboolean tmpdir_made;
} Confine;

static void
confine_free (gpointer data)
{
  Confine *job = data;

  g_clear_pointer (&job->policy, sandbox_policy_free);
  g_clear_pointer (&job->plan, sandbox_plan_free);
  g_strfreev (job->argv);
  g_strfreev (job->environment);
  g_strfreev (job->assignments);
  g_free (job);
}

/* An argv runs with no shell at all; text runs as bash that reads no start-up file. */
static char **
command_line (const GuardPlan *plan)
{
  const char *bash = perfica_reader_bash ();
  const char *shell[] = { bash, "--norc", "--noprofile", "-p", "-c", plan->script, NULL };

  if (plan->argv)
    return g_strdupv (plan->argv);
  return bash && plan->script ? g_strdupv ((char **) shell) : NULL;
}

static char **
protected_paths (PerficaRequest *request, const char *project, const char *own)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  GListModel *loops = perfica_board_get_loops (request->board);
  GListModel *boards = perfica_gateway_get_boards (request->gateway);
  g_autofree char *app = perfica_board_folder_absolute (project, PERFICA_APP_FOLDER);

  for (guint i = 0; i < g_list_model_get_n_items (loops); i++)
    {
      g_autoptr (PerficaLoop) loop = g_list_model_get_item (loops, i);
      g_autofree char *folder =
          perfica_board_folder_absolute (project, perfica_loop_get_folder (loop));
      g_autofree char *below = perfica_board_folder_relative (own, folder);

      if (below && !g_str_equal (below, "."))
        g_strv_builder_add (builder, folder);
    }
  for (guint i = 0; i < g_list_model_get_n_items (boards); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (boards, i);
      const char *folder = perfica_board_get_folder (board);
      g_autofree char *below = perfica_board_folder_relative (own, folder);

      if (board != request->board && below && !g_str_equal (below, "."))
        g_strv_builder_add (builder, folder);
    }
  g_strv_builder_add (builder, app);
  return g_strv_builder_end (builder);
}

static SandboxPolicy *
make_policy (PerficaRequest *request)
{
  const PerficaSettings *settings =
      perfica_store_get_settings (perfica_gateway_get_store (request->gateway));
  const char *project = perfica_board_get_folder (request->board);
  g_autofree char *own = perfica_board_folder_absolute (
      project, perfica_loop_get_folder (perfica_bubble_get_loop (request->bubble)));
  SandboxPolicy *policy = sandbox_policy_new (project, own);

  g_strfreev (policy->protected_paths);
  policy->protected_paths = protected_paths (request, project, own);
  g_strfreev (policy->visible);
  policy->visible = g_strdupv (settings->visible);
  g_free (policy->folder);
  policy->folder = perfica_board_folder_absolute (project, request->folder);
  g_free (policy->tmpdir);
  policy->tmpdir = g_strdup (request->tmpdir);
  policy->image = sandbox_image_reference (settings->image, settings->image_digest);
  policy->best_effort_tree = perfica_board_get_best_effort_tree (request->board);
  return policy;
}

static char **
make_environment (const Confine *job)
{
  char **environment =
      sandbox_environment_scrub ((const char *const *) job->environment, job->policy->project,
                                 job->keep_ssh_agent, job->confined, NULL);

  environment = g_environ_setenv (environment, "TMPDIR", job->policy->tmpdir, TRUE);
  environment = g_environ_setenv (environment, "PWD", job->policy->folder, TRUE);
  for (guint i = 0; job->assignments && job->assignments[i]; i++)
    {
      const char *equals = strchr (job->assignments[i], '=');
      g_autofree char *name =
          equals ? g_strndup (job->assignments[i], equals - job->assignments[i]) : NULL;

      if (name)
        environment = g_environ_setenv (environment, name, equals + 1, TRUE);
    }
  return environment;
}

static void
confine (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Confine *job = data;
  g_auto (GStrv) environment = NULL;
  GError *error = NULL;

  if (!perfica_outputs_prepare (job->policy->project, &error) ||
      !perfica_scratch_make (job->policy->tmpdir, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  job->tmpdir_made = TRUE;
  environment = make_environment (job);
  job->plan = sandbox_plan_new (job->backend, job->policy, (const char *const *) environment,
                                (const char *const *) job->argv, &error);
  if (job->plan)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
perfica_confine_async (PerficaRequest *request,
                       char **environment,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (request, NULL, callback, user_data);
  const PerficaSettings *settings =
      perfica_store_get_settings (perfica_gateway_get_store (request->gateway));
  Confine *job = g_new0 (Confine, 1);

  job->policy = make_policy (request);
  job->backend = request->sandboxed ? settings->backend : SANDBOX_BACKEND_NONE;
  job->confined = request->sandboxed;
  job->keep_ssh_agent = request->verdict->network_git && !request->sandboxed;
  job->argv = command_line (&request->verdict->plan);
  job->environment = g_strdupv (environment);
  job->assignments = g_strdupv (request->verdict->plan.environment);
  g_task_set_task_data (task, job, confine_free);
  if (job->argv)
    g_task_run_in_thread (task, confine);
  else
    g_task_return_new_error (task, PERFICA_ERROR, PERFICA_ERROR_RUNTIME,
                             _ ("There is no bash to run this with: install it, or send one plain "
                                "command."));
}

gboolean
perfica_confine_finish (PerficaRequest *request, GAsyncResult *result, GError **error)
{
  Confine *job = g_task_get_task_data (G_TASK (result));

  request->tmpdir_made = job->tmpdir_made;
  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  g_clear_pointer (&request->policy, sandbox_policy_free);
  g_clear_pointer (&request->plan, sandbox_plan_free);
  request->policy = g_steal_pointer (&job->policy);
  request->plan = g_steal_pointer (&job->plan);
  return TRUE;
}

typedef struct
{
  char *project;
  gint64 record;
  char *path;
} Output;

static void
output_free (gpointer data)
{
  Output *job = data;

  g_free (job->project);
  g_free (job->path);
  g_free (job);
}

static void
open_output (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Output *job = data;
  GError *error = NULL;
  int fd = perfica_outputs_open (job->project, job->record, &job->path, &error);

  if (fd < 0)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, fd);
}

void
perfica_confine_open_output_async (PerficaRequest *request,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (request, NULL, callback, user_data);
  Output *job = g_new0 (Output, 1);

  job->project = g_strdup (perfica_board_get_folder (request->board));
  job->record = perfica_request_get_record (request);
  g_task_set_task_data (task, job, output_free);
  g_task_run_in_thread (task, open_output);
}

int
perfica_confine_open_output_finish (PerficaRequest *request, GAsyncResult *result, GError **error)
{
  Output *job = g_task_get_task_data (G_TASK (result));

  request->output_path = g_steal_pointer (&job->path);
  return g_task_propagate_int (G_TASK (result), error);
}

static void
spring_traps (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  PerficaRequest *request = source;
  g_auto (GStrv) sprung = sandbox_plan_spring_traps (request->plan);
  g_autofree char *names = sprung ? g_strjoinv (", ", sprung) : NULL;

  g_task_return_pointer (
      task,
      names ? g_strdup_printf (_ ("It made files that would steer git outside the sandbox; they "
                                  "were renamed to NAME.perfica-kept: %s"),
                               names)
            : NULL,
      g_free);
}

void
perfica_confine_spring_traps_async (PerficaRequest *request,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (request, NULL, callback, user_data);

  g_task_run_in_thread (task, spring_traps);
}

char *
perfica_confine_spring_traps_finish (PerficaRequest *request, GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

static void
clean_up (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  perfica_scratch_remove (data);
  g_task_return_boolean (task, TRUE);
}

void
perfica_confine_clean_up (PerficaRequest *request)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  g_task_set_task_data (task, g_strdup (request->tmpdir), g_free);
  g_task_run_in_thread (task, clean_up);
  request->tmpdir_made = FALSE;
}

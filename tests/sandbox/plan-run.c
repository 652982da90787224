/* Makes a plan from its options and runs it, for tests that attack from inside.
 *
 * plan-run [--backend B] [--project P] [--own O] [--folder F] [--protect X]… [--visible X]…
 *          [--home H] [--tmpdir T] [--image I] [--limit S] [--print] -- COMMAND…
 *
 * Exits as the command does; 250 when no plan was made, 251 when the set-up failed, 252 at the
 * limit, 253 when the supervisor was lost, 128 + n at a signal.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-environment.h"
#include "sandbox-plan.h"
#include "sandbox-run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *backend = NULL;
static char *project = NULL;
static char *own = NULL;
static char *folder = NULL;
static char **protect = NULL;
static char **visible = NULL;
static char *home = NULL;
static char *tmpdir = NULL;
static char *image = NULL;
static int limit = 60;
static gboolean best_effort = FALSE;
static gboolean print = FALSE;
static gboolean explain = FALSE;
static char **command = NULL;

static const GOptionEntry options[] = {
  { "backend", 0, 0, G_OPTION_ARG_STRING, &backend, NULL, NULL },
  { "project", 0, 0, G_OPTION_ARG_STRING, &project, NULL, NULL },
  { "own", 0, 0, G_OPTION_ARG_STRING, &own, NULL, NULL },
  { "folder", 0, 0, G_OPTION_ARG_STRING, &folder, NULL, NULL },
  { "protect", 0, 0, G_OPTION_ARG_STRING_ARRAY, &protect, NULL, NULL },
  { "visible", 0, 0, G_OPTION_ARG_STRING_ARRAY, &visible, NULL, NULL },
  { "home", 0, 0, G_OPTION_ARG_STRING, &home, NULL, NULL },
  { "tmpdir", 0, 0, G_OPTION_ARG_STRING, &tmpdir, NULL, NULL },
  { "image", 0, 0, G_OPTION_ARG_STRING, &image, NULL, NULL },
  { "limit", 0, 0, G_OPTION_ARG_INT, &limit, NULL, NULL },
  { "best-effort", 0, 0, G_OPTION_ARG_NONE, &best_effort, NULL, NULL },
  { "print", 0, 0, G_OPTION_ARG_NONE, &print, NULL, NULL },
  { "explain", 0, 0, G_OPTION_ARG_NONE, &explain, NULL, NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &command, NULL, NULL },
  { NULL },
};

static void
set_string (char **field, const char *value)
{
  if (value == NULL)
    return;
  g_free (*field);
  *field = g_strdup (value);
}

static SandboxPolicy *
make_policy (void)
{
  SandboxPolicy *policy = sandbox_policy_new (project, own != NULL ? own : project);

  set_string (&policy->folder, folder);
  set_string (&policy->home, home);
  set_string (&policy->tmpdir, tmpdir);
  set_string (&policy->image, image);
  policy->best_effort_tree = best_effort;
  if (protect != NULL)
    {
      g_strfreev (policy->protected_paths);
      policy->protected_paths = g_strdupv (protect);
    }
  if (visible != NULL)
    {
      g_strfreev (policy->visible);
      policy->visible = g_strdupv (visible);
    }
  return policy;
}

static void
print_plan (const SandboxPlan *plan)
{
  for (guint i = 0; plan->argv[i] != NULL; i++)
    {
      if (!g_str_equal (plan->argv[i], "@ARGS@") || i >= plan->command_index)
        puts (plan->argv[i]);
      else if (plan->args != NULL)
        for (const char *word = (const char *) plan->args->data;
             word < (const char *) plan->args->data + plan->args->len; word += strlen (word) + 1)
          printf ("  %s\n", word);
    }
}

typedef struct
{
  GMainLoop *loop;
  SandboxResult *result;
  GByteArray *tail;
  int status;
} Running;

static void
on_output (gboolean is_stderr, GBytes *data, gpointer user_data)
{
  Running *running = user_data;
  gsize size;
  const guint8 *bytes = g_bytes_get_data (data, &size);

  fwrite (bytes, 1, size, is_stderr ? stderr : stdout);
  if (running->tail->len < 65536)
    g_byte_array_append (running->tail, bytes, size);
}

static int
status_of (const SandboxResult *result)
{
  switch (result->ending)
    {
    case SANDBOX_ENDING_EXITED:
      return result->signal_number != 0 ? 128 + result->signal_number : result->exit_code;
    case SANDBOX_ENDING_SETUP_FAILED:
      fprintf (stderr, "set-up failed: %s\n", result->message);
      return 251;
    case SANDBOX_ENDING_LIMIT:
      return 252;
    case SANDBOX_ENDING_LOST:
    case SANDBOX_ENDING_CANCELLED:
    default:
      return 253;
    }
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Running *running = user_data;
  g_autoptr (GError) error = NULL;

  running->result = sandbox_run_finish (SANDBOX_LAUNCHER (source), result, &error);
  if (running->result == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      running->status = 254;
    }
  else
    {
      running->status = status_of (running->result);
    }
  g_main_loop_quit (running->loop);
}

static int
run (SandboxLauncher *launcher, SandboxPlan *plan, SandboxPolicy *policy)
{
  Running running = { .loop = g_main_loop_new (NULL, FALSE), .tail = g_byte_array_new () };
  g_auto (GStrv) trapped = NULL;

  sandbox_run_async (launcher, plan, limit, -1, 0, NULL, on_output, &running, on_result, &running);
  g_main_loop_run (running.loop);
  fflush (stdout);
  trapped = sandbox_plan_spring_traps (plan);
  for (guint i = 0; trapped != NULL && trapped[i] != NULL; i++)
    fprintf (stderr, "trap: %s\n", trapped[i]);
  if (explain && running.result != NULL)
    {
      g_autofree char *sentence = NULL;

      g_byte_array_append (running.tail, (const guint8 *) "", 1);
      sentence = sandbox_explain_failure (plan, policy, running.result->exit_code,
                                          (const char *) running.tail->data);
      fprintf (stderr, "explained: %s\n", sentence != NULL ? sentence : "-");
    }
  g_clear_pointer (&running.result, sandbox_result_free);
  g_byte_array_unref (running.tail);
  g_main_loop_unref (running.loop);
  return running.status;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SandboxLauncher) launcher = NULL;
  g_autoptr (SandboxPolicy) policy = NULL;
  g_autoptr (SandboxPlan) plan = NULL;
  g_auto (GStrv) base = g_get_environ ();
  g_auto (GStrv) environment = NULL;
  SandboxBackendType type;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || project == NULL || command == NULL)
    {
      fprintf (stderr, "plan-run: %s\n", error != NULL ? error->message : "--project, COMMAND");
      return 255;
    }
  type = sandbox_backend_from_string (backend != NULL ? backend : "bubblewrap");
  launcher = print ? NULL : sandbox_launcher_new (PERFICA_SUPERVISE, &error);
  policy = make_policy ();
  environment = sandbox_environment_scrub ((const char *const *) base, project, FALSE,
                                           type != SANDBOX_BACKEND_NONE, NULL);
  plan = sandbox_plan_new (type, policy, (const char *const *) environment,
                           (const char *const *) command, &error);
  if (plan == NULL)
    {
      fprintf (stderr, "no plan: %s\n", error->message);
      return 250;
    }
  if (print)
    {
      print_plan (plan);
      return 0;
    }
  return run (launcher, plan, policy);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-support.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

const char *const plan_names[3] = { "namespace", "confined", "best-effort" };

/* ---- Plans ---- */

static void
add_args (GByteArray *args, const char *const *words)
{
  for (; *words != NULL; words++)
    g_byte_array_append (args, (const guint8 *) *words, (guint) strlen (*words) + 1);
}

static GByteArray *
confined_args (void)
{
  static const char *const words[] = { "--unshare-user",
                                       "--unshare-all",
                                       "--die-with-parent",
                                       "--new-session",
                                       "--cap-drop",
                                       "ALL",
                                       "--ro-bind",
                                       "/usr",
                                       "/usr",
                                       "--symlink",
                                       "usr/bin",
                                       "/bin",
                                       "--symlink",
                                       "usr/lib",
                                       "/lib",
                                       "--symlink",
                                       "usr/lib64",
                                       "/lib64",
                                       "--ro-bind",
                                       "/etc",
                                       "/etc",
                                       "--dev",
                                       "/dev",
                                       "--proc",
                                       "/proc",
                                       "--tmpfs",
                                       "/tmp",
                                       "--ro-bind",
                                       "@INIT@",
                                       SANDBOX_INIT_INSIDE,
                                       "--as-pid-1",
                                       "--seccomp",
                                       "@SECCOMP@",
                                       "--json-status-fd",
                                       "@STATUS@",
                                       NULL };
  GByteArray *args = g_byte_array_new ();

  add_args (args, words);
  return args;
}

SandboxPlan *
plan_new (PlanKind kind, const char *const *command)
{
  static const char *const lines[3][18] = {
    { "/usr/bin/bwrap", "--unshare-user", "--unshare-pid", "--dev-bind", "/", "/", "--proc",
      "/proc", "--as-pid-1", "--", "@INIT@", "--init", "@LIFELINE@", "--", NULL },
    { "/usr/bin/bwrap", "--args", "@ARGS@", "--", SANDBOX_INIT_INSIDE, "--init", "@LIFELINE@", "--",
      NULL },
    { "@INIT@", "--init", "@LIFELINE@", "--", NULL },
  };
  static const char *const environment[] = { "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL };
  g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
  SandboxPlan *plan = g_new0 (SandboxPlan, 1);

  g_strv_builder_addv (argv, (const char **) lines[kind]);
  g_strv_builder_addv (argv, (const char **) command);
  plan->backend = kind == PLAN_CONFINED ? SANDBOX_BACKEND_BUBBLEWRAP : SANDBOX_BACKEND_NONE;
  plan->argv = g_strv_builder_end (argv);
  plan->command_index = g_strv_length ((char **) lines[kind]);
  plan->environment = g_strdupv ((char **) environment);
  plan->folder = g_strdup ("/");
  plan->needs_init = TRUE;
  plan->tree_is_certain = kind != PLAN_BEST_EFFORT;
  if (kind == PLAN_CONFINED)
    {
      plan->args = confined_args ();
      plan->seccomp = TRUE;
      plan->status = TRUE;
    }
  return plan;
}

SandboxPlan *
plan_new_shell (PlanKind kind, const char *text)
{
  const char *command[] = { "bash", "--norc", "--noprofile", "-p", "-c", text, NULL };

  return plan_new (kind, command);
}

void
plan_set_environment (SandboxPlan *plan, const char *name, const char *value)
{
  plan->environment = g_environ_setenv (plan->environment, name, value, TRUE);
}

void
plan_done (SandboxPlan *plan)
{
  g_strfreev (plan->argv);
  g_strfreev (plan->environment);
  g_strfreev (plan->stop_argv);
  g_clear_pointer (&plan->args, g_byte_array_unref);
  g_clear_pointer (&plan->opens, g_ptr_array_unref);
  g_free (plan->folder);
  g_free (plan->cidfile);
  g_free (plan);
}

/* ---- Runs ---- */

SandboxLauncher *
launcher_new (void)
{
  g_autoptr (GError) error = NULL;
  SandboxLauncher *launcher = sandbox_launcher_new (PERFICA_SUPERVISE, &error);

  g_assert_no_error (error);
  return launcher;
}

void
launcher_done (SandboxLauncher *launcher)
{
  GPid pid = sandbox_launcher_get_pid (launcher);

  g_object_unref (launcher);
  for (int i = 0; i < 1000 && kill (pid, 0) == 0; i++)
    g_usleep (5000);
  g_assert_cmpint (kill (pid, 0), ==, -1);
}

static gboolean
time_is_up (gpointer data)
{
  g_error ("waited too long");
  return G_SOURCE_REMOVE;
}

void
wait_until (const gboolean *done, guint seconds)
{
  guint timeout = g_timeout_add_seconds (seconds, time_is_up, NULL);

  while (!*done)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
}

typedef struct
{
  SandboxResult *result;
  gboolean done;
} Waiting;

static void
take_result (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  Waiting *waiting = data;

  waiting->result = sandbox_run_finish (SANDBOX_LAUNCHER (source), result, &error);
  g_assert_no_error (error);
  waiting->done = TRUE;
}

SandboxResult *
run_plan (SandboxLauncher *launcher, SandboxPlan *plan, const RunOptions *options)
{
  Waiting waiting = { 0 };

  sandbox_run_async (launcher, plan, options->limit, options->output_fd, options->output_max,
                     options->cancellable, options->output, options->output_data, take_result,
                     &waiting);
  plan_done (plan);
  wait_until (&waiting.done, 120);
  return waiting.result;
}

SandboxResult *
run_shell (SandboxLauncher *launcher, PlanKind kind, const char *text)
{
  RunOptions options = { .limit = 60, .output_fd = -1 };

  return run_plan (launcher, plan_new_shell (kind, text), &options);
}

void
assert_exited (const SandboxResult *result, int exit_code)
{
  g_assert_cmpstr (result->message, ==, NULL);
  g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_EXITED);
  g_assert_cmpint (result->exit_code, ==, exit_code);
  g_assert_cmpint (result->signal_number, ==, 0);
}

void
assert_text (GBytes *bytes, const char *text)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  g_autofree char *copy = g_strndup (data != NULL ? data : "", length);

  g_assert_cmpstr (copy, ==, text);
}

/* ---- What is left ---- */

char *
marker_new (void)
{
  return g_strdup_printf ("PERFICA_MARKER_%d_%08x%08x", (int) getpid (), g_random_int (),
                          g_random_int ());
}

static gboolean
file_contains (const char *pid, const char *name, const char *marker)
{
  g_autofree char *path = g_build_filename ("/proc", pid, name, NULL);
  g_autofree char *text = NULL;
  gsize length;

  return g_file_get_contents (path, &text, &length, NULL) && length > 0 &&
         memmem (text, length, marker, strlen (marker)) != NULL;
}

guint
count_marked (const char *marker, char **seen)
{
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *self = g_strdup_printf ("%d", (int) getpid ());
  const char *pid;
  guint count = 0;

  while ((pid = g_dir_read_name (proc)) != NULL)
    {
      if (!g_ascii_isdigit (*pid) || g_str_equal (pid, self))
        continue;
      if (!file_contains (pid, "environ", marker) && !file_contains (pid, "cmdline", marker))
        continue;
      count++;
      g_string_append_printf (list, " %s", pid);
      {
        g_autofree char *path = g_build_filename ("/proc", pid, "stat", NULL);
        g_autofree char *text = NULL;

        if (g_file_get_contents (path, &text, NULL, NULL))
          g_string_append_printf (list, " [%.60s]", text);
      }
    }
  if (seen != NULL)
    *seen = g_strdup (list->str);
  return count;
}

void
assert_none_marked (const char *marker)
{
  g_autofree char *seen = NULL;

  for (int i = 0; i < 500; i++)
    {
      g_clear_pointer (&seen, g_free);
      if (count_marked (marker, &seen) == 0)
        return;
      g_usleep (10000);
    }
  g_error ("still there:%s", seen);
}

guint
count_descriptors (void)
{
  g_autoptr (GDir) folder = g_dir_open ("/proc/self/fd", 0, NULL);
  guint count = 0;

  while (g_dir_read_name (folder) != NULL)
    count++;
  return count;
}

guint
count_children_of (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%d/children", (int) pid, (int) pid);
  g_autofree char *text = NULL;
  g_auto (GStrv) pids = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  pids = g_strsplit (g_strstrip (text), " ", -1);
  return *text == '\0' ? 0 : g_strv_length (pids);
}

/* Commands that are clients of a service, as Docker's: what runs isn't below us, and has to be
 * stopped by asking. The service here is this test: it starts the "container", a process of its
 * own, and the client waits for it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run-support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  SandboxLauncher *launcher;
  char *folder;
  char *cidfile;
  char *stopped; /* written by what stops the container: its id */
  GPid container;
} Service;

static void
service_setup (Service *service, gconstpointer data)
{
  const char *argv[] = { "/bin/sleep", "300", NULL };
  g_autoptr (GError) error = NULL;

  service->launcher = launcher_new ();
  service->folder = g_dir_make_tmp ("perfica-service-XXXXXX", NULL);
  service->cidfile = g_build_filename (service->folder, "cid", NULL);
  service->stopped = g_build_filename (service->folder, "stopped", NULL);
  g_spawn_async (NULL, (char **) argv, NULL,
                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL |
                     G_SPAWN_STDERR_TO_DEV_NULL,
                 NULL, NULL, &service->container, &error);
  g_assert_no_error (error);
}

static void
service_teardown (Service *service, gconstpointer data)
{
  kill (service->container, SIGKILL);
  waitpid (service->container, NULL, 0);
  unlink (service->cidfile);
  unlink (service->stopped);
  g_assert_cmpint (rmdir (service->folder), ==, 0);
  launcher_done (service->launcher);
  g_free (service->folder);
  g_free (service->cidfile);
  g_free (service->stopped);
}

/* In @text, CID, STOPPED and CONTAINER stand for the service's. */
static char *
fill_in (const Service *service, const char *text)
{
  g_autoptr (GString) filled = g_string_new (text);
  g_autofree char *container = g_strdup_printf ("%d", (int) service->container);

  g_string_replace (filled, "CIDFILE", service->cidfile, 0);
  g_string_replace (filled, "STOPPED", service->stopped, 0);
  g_string_replace (filled, "CONTAINER", container, 0);
  return g_string_free (g_steal_pointer (&filled), FALSE);
}

static SandboxPlan *
plan_client (const Service *service, const char *client)
{
  g_autofree char *text = fill_in (service, client);
  g_autofree char *stop = fill_in (service, "kill -9 CONTAINER; printf %s \"$1\" >STOPPED");
  const char *argv[] = { "/bin/bash", "-c", text, NULL };
  const char *stop_argv[] = { "/bin/bash", "-c", stop, "stop", "@CID@", NULL };
  const char *environment[] = { "PATH=/usr/bin:/bin", NULL };
  SandboxPlan *plan = g_new0 (SandboxPlan, 1);

  plan->backend = SANDBOX_BACKEND_DOCKER;
  plan->argv = g_strdupv ((char **) argv);
  plan->command_index = 3;
  plan->environment = g_strdupv ((char **) environment);
  plan->folder = g_strdup ("/");
  plan->tree_is_certain = TRUE;
  plan->cidfile = g_strdup (service->cidfile);
  plan->stop_argv = g_strdupv ((char **) stop_argv);
  return plan;
}

static SandboxResult *
run_client (Service *service, const char *client, guint limit, GCancellable *cancellable)
{
  RunOptions options = { .limit = limit, .output_fd = -1, .cancellable = cancellable };

  return run_plan (service->launcher, plan_client (service, client), &options);
}

static gboolean
container_lives (const Service *service)
{
  return waitpid (service->container, NULL, WNOHANG) == 0;
}

static void
assert_stopped (const Service *service)
{
  g_autofree char *id = NULL;

  g_assert_true (g_file_get_contents (service->stopped, &id, NULL, NULL));
  g_assert_cmpstr (id, ==, "abc123");
  g_assert_false (g_file_test (service->cidfile, G_FILE_TEST_EXISTS));
}

/* As Docker's client: it ends with 137 once its container was killed. */
static const char client[] = "echo abc123 >CIDFILE; echo before; "
                             "while [ -d /proc/CONTAINER ] && "
                             "! grep -q '^State:.Z' /proc/CONTAINER/status; do sleep 0.02; done; "
                             "exit 137";

static void
test_ends (Service *service, gconstpointer data)
{
  g_autoptr (SandboxResult) result =
      run_client (service, "echo abc123 >CIDFILE; echo out; echo err >&2; exit 4", 60, NULL);

  assert_exited (result, 4);
  assert_text (result->stdout_head, "out\n");
  assert_text (result->stderr_head, "err\n");
  g_assert_true (result->tree_is_certain);
  g_assert_false (g_file_test (service->stopped, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (service->cidfile, G_FILE_TEST_EXISTS));
  g_assert_true (container_lives (service));
}

static void
test_setup_failure (Service *service, gconstpointer data)
{
  g_autoptr (SandboxResult) failed =
      run_client (service, "echo 'docker: no such image' >&2; exit 125", 60, NULL);
  g_autoptr (SandboxResult) own = run_client (service, "echo abc123 >CIDFILE; exit 125", 60, NULL);

  g_assert_cmpint (failed->ending, ==, SANDBOX_ENDING_SETUP_FAILED);
  g_assert_cmpint (failed->exit_code, ==, -1);
  g_assert_cmpstr (failed->message, ==, "docker: no such image");
  /* The command's own 125 is its own. */
  assert_exited (own, 125);
}

static void
test_limit (Service *service, gconstpointer data)
{
  g_autoptr (SandboxResult) result = run_client (service, client, 1, NULL);

  g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_LIMIT);
  assert_text (result->stdout_head, "before\n");
  assert_stopped (service);
  g_assert_false (container_lives (service));
}

static gboolean
cancel (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

static void
test_cancel (Service *service, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (SandboxResult) result = NULL;

  g_timeout_add (300, cancel, cancellable);
  result = run_client (service, client, 60, cancellable);
  g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_CANCELLED);
  g_assert_cmpint (result->exit_code, ==, 137);
  assert_stopped (service);
}

/* The container comes into being while the command is already being stopped. */
static void
test_cancel_before_the_id (Service *service, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *late = g_strconcat ("sleep 1; ", client, NULL);
  g_autoptr (SandboxResult) result = NULL;

  g_timeout_add (300, cancel, cancellable);
  result = run_client (service, late, 60, cancellable);
  g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_CANCELLED);
  assert_stopped (service);
}

static gboolean
kill_supervisor (gpointer data)
{
  Service *service = data;
  GPid pid = sandbox_launcher_get_pid (service->launcher);
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%d/children", (int) pid, (int) pid);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  kill (atoi (text), SIGKILL);
  return G_SOURCE_REMOVE;
}

static void
test_supervisor_dies (Service *service, gconstpointer data)
{
  g_autoptr (SandboxResult) result = NULL;

  g_timeout_add (300, kill_supervisor, service);
  result = run_client (service, client, 60, NULL);
  g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_LOST);
  assert_stopped (service);
}

static gboolean
kill_both (gpointer data)
{
  Service *service = data;
  GPid pid = sandbox_launcher_get_pid (service->launcher);

  kill_supervisor (data);
  kill (pid, SIGKILL);
  return G_SOURCE_REMOVE;
}

static void
test_all_die (Service *service, gconstpointer data)
{
  g_autoptr (SandboxResult) result = NULL;

  g_timeout_add (300, kill_both, service);
  result = run_client (service, client, 60, NULL);
  g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_LOST);
  for (int i = 0; i < 500 && g_file_test (service->cidfile, G_FILE_TEST_EXISTS); i++)
    g_usleep (10000);
  assert_stopped (service);
}

#define ADD(name, function)                                                                        \
  g_test_add ("/sandbox/service/" name, Service, NULL, service_setup, function, service_teardown)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("ends", test_ends);
  ADD ("setup-failure", test_setup_failure);
  ADD ("limit", test_limit);
  ADD ("cancel", test_cancel);
  ADD ("cancel-before-the-id", test_cancel_before_the_id);
  ADD ("supervisor-dies", test_supervisor_dies);
  ADD ("all-die", test_all_die);
  return g_test_run ();
}

/* Back-pressure: a command whose output nobody takes waits, and nothing else does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run-support.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB (1024 * 1024)

static SandboxLauncher *launcher;

typedef struct
{
  SandboxValve *valve;
  GCancellable *cancellable;
  char *path; /* the whole output */
  int fd;
  guint64 taken;
  guint64 pause_at; /* closes the valve once so much was taken; 0: never */
  SandboxResult *result;
  gboolean done;
  gint64 began;
} Held;

static void
take_output (gboolean is_stderr, GBytes *data, gpointer user_data)
{
  Held *held = user_data;

  held->taken += g_bytes_get_size (data);
  if (held->pause_at > 0 && held->taken >= held->pause_at)
    {
      held->pause_at = 0;
      sandbox_valve_set_open (held->valve, FALSE);
    }
}

static void
take_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  Held *held = user_data;

  held->result = sandbox_run_finish (SANDBOX_LAUNCHER (source), result, &error);
  g_assert_no_error (error);
  held->done = TRUE;
}

static void
begin (Held *held, PlanKind kind, const char *text, guint limit)
{
  SandboxPlan *plan = plan_new_shell (kind, text);

  held->began = g_get_monotonic_time ();
  sandbox_run_held_async (launcher, plan, limit, held->fd, (guint64) 1024 * MIB, held->cancellable,
                          held->valve, take_output, held, take_result, held);
  plan_done (plan);
}

static void
set_up (Held *held, gconstpointer data)
{
  held->valve = sandbox_valve_new ();
  held->cancellable = g_cancellable_new ();
  held->fd = g_file_open_tmp ("perfica-valve-XXXXXX", &held->path, NULL);
  g_assert_cmpint (held->fd, >=, 0);
  fcntl (held->fd, F_SETFD, FD_CLOEXEC);
}

static void
tear_down (Held *held, gconstpointer data)
{
  /* Nobody but the test may still know the valve. */
  g_assert_cmpuint (G_OBJECT (held->valve)->ref_count, ==, 1);
  g_object_unref (held->valve);
  g_object_unref (held->cancellable);
  g_clear_pointer (&held->result, sandbox_result_free);
  g_unlink (held->path);
  g_free (held->path);
}

static guint64
size_on_disk (const Held *held)
{
  struct stat info;

  g_assert_cmpint (g_stat (held->path, &info), ==, 0);
  return (guint64) info.st_size;
}

static gboolean
wake (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
turn_for (guint milliseconds)
{
  gboolean over = FALSE;

  g_timeout_add (milliseconds, wake, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

/* Until the valve closed and the command stands still: nothing is written any more. */
static guint64
wait_for_standstill (Held *held)
{
  guint64 before = 0, now = 1;

  for (int i = 0; i < 100 && (held->pause_at > 0 || before != now); i++)
    {
      turn_for (100);
      before = now;
      now = size_on_disk (held);
    }
  g_assert_cmpuint (before, ==, now);
  return now;
}

/* All of it comes through, however often the reader stops. */
static void
test_holds (Held *held, gconstpointer data)
{
  const guint64 all = 40 * MIB;
  guint stops = 0;

  held->pause_at = 1;
  begin (held, PLAN_NAMESPACE, "head -c 41943040 /dev/zero; echo end >&2", 60);
  for (; stops < 4; stops++)
    {
      guint64 written = wait_for_standstill (held);

      g_assert_false (held->done);
      g_assert_cmpuint (written, <, all);
      g_assert_cmpuint (written - held->taken, <=, 2 * MIB);
      held->pause_at = held->taken + 2 * MIB;
      sandbox_valve_set_open (held->valve, TRUE);
    }
  held->pause_at = 0;
  sandbox_valve_set_open (held->valve, TRUE);
  wait_until (&held->done, 60);
  assert_exited (held->result, 0);
  g_assert_cmpuint (held->taken, ==, all + 4);
  g_assert_cmpuint (held->result->stdout_total, ==, all);
  g_assert_cmpuint (size_on_disk (held), ==, all + 4);
}

/* One that is never opened again keeps neither the limit nor the result back. */
static void
test_limit (Held *held, gconstpointer data)
{
  g_autofree char *marker = marker_new ();
  g_autofree char *text = g_strdup_printf ("trap '' TERM; : %s; while :; do echo $$; done", marker);

  held->pause_at = 1;
  begin (held, GPOINTER_TO_INT (data), text, 1);
  wait_until (&held->done, 30);
  g_assert_cmpint (held->result->ending, ==, SANDBOX_ENDING_LIMIT);
  g_assert_cmpint (g_get_monotonic_time () - held->began, <, 15 * G_USEC_PER_SEC);
  g_assert_cmpuint (held->taken, ==, held->result->stdout_total);
  g_assert_cmpuint (size_on_disk (held), ==, held->taken);
  assert_none_marked (marker);
}

static void
test_cancel (Held *held, gconstpointer data)
{
  held->pause_at = 1;
  begin (held, GPOINTER_TO_INT (data), "yes", 60);
  wait_for_standstill (held);
  held->began = g_get_monotonic_time ();
  g_cancellable_cancel (held->cancellable);
  wait_until (&held->done, 30);
  g_assert_cmpint (held->result->ending, ==, SANDBOX_ENDING_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - held->began, <, 15 * G_USEC_PER_SEC);
  g_assert_cmpuint (held->taken, ==, held->result->stdout_total);
}

/* Closed all the time: what fits into pipe and socket doesn't wait for the limit. */
static void
test_short (Held *held, gconstpointer data)
{
  sandbox_valve_set_open (held->valve, FALSE);
  begin (held, PLAN_NAMESPACE, "echo short", 60);
  wait_until (&held->done, 30);
  assert_exited (held->result, 0);
  g_assert_cmpuint (held->taken, ==, 6);
  g_assert_cmpint (g_get_monotonic_time () - held->began, <, 20 * G_USEC_PER_SEC);
}

/* A run that is held holds no other. */
static void
test_others (Held *held, gconstpointer data)
{
  held->pause_at = 1;
  begin (held, PLAN_NAMESPACE, "yes", 60);
  wait_for_standstill (held);
  for (int i = 0; i < 4; i++)
    {
      RunOptions options = { .limit = 60, .output_fd = -1 };
      SandboxPlan *plan = plan_new_shell (PLAN_NAMESPACE, "head -c 3000000 /dev/zero");
      g_autoptr (SandboxResult) result = run_plan (launcher, plan, &options);

      assert_exited (result, 0);
      g_assert_cmpuint (result->stdout_total, ==, 3000000);
    }
  g_assert_false (held->done);
  g_cancellable_cancel (held->cancellable);
  wait_until (&held->done, 30);
}

static GPid
find_supervisor (void)
{
  g_autofree char *path =
      g_strdup_printf ("/proc/%d/task/%d/children", (int) sandbox_launcher_get_pid (launcher),
                       (int) sandbox_launcher_get_pid (launcher));
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return (GPid) g_ascii_strtoll (text, NULL, 10);
}

/* Its supervisor's death is noticed through a closed valve. */
static void
test_lost (Held *held, gconstpointer data)
{
  GPid supervisor;

  held->pause_at = 1;
  begin (held, PLAN_NAMESPACE, "yes", 60);
  wait_for_standstill (held);
  supervisor = find_supervisor ();
  g_assert_cmpint (supervisor, >, 1);
  g_assert_cmpint (kill (supervisor, SIGKILL), ==, 0);
  wait_until (&held->done, 30);
  g_assert_cmpint (held->result->ending, ==, SANDBOX_ENDING_LOST);
}

int
main (int argc, char **argv)
{
  int code;

  g_test_init (&argc, &argv, NULL);
  launcher = launcher_new ();
  g_test_add ("/valve/holds", Held, NULL, set_up, test_holds, tear_down);
  for (int kind = 0; kind < 3; kind++)
    {
      g_autofree char *limit = g_strdup_printf ("/valve/limit/%s", plan_names[kind]);
      g_autofree char *cancel = g_strdup_printf ("/valve/cancel/%s", plan_names[kind]);

      g_test_add (limit, Held, GINT_TO_POINTER (kind), set_up, test_limit, tear_down);
      g_test_add (cancel, Held, GINT_TO_POINTER (kind), set_up, test_cancel, tear_down);
    }
  g_test_add ("/valve/short", Held, NULL, set_up, test_short, tear_down);
  g_test_add ("/valve/others", Held, NULL, set_up, test_others, tear_down);
  g_test_add ("/valve/lost", Held, NULL, set_up, test_lost, tear_down);
  code = g_test_run ();
  launcher_done (launcher);
  return code;
}

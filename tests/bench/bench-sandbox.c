/* What running a command costs: the same `true`, bare, by hand, and through the launcher.
 *
 * The ways take turns, so that a busy moment of the machine hits all of them. Prints medians.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run-support.h"

#include "sandbox-seccomp.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 150
#define PARALLEL 64
#define FILTER_FD 20

static SandboxLauncher *launcher;

static void
spawn_and_wait (const char *const *argv)
{
  char path[] = "PATH=/usr/bin:/bin";
  char *environment[] = { path, NULL };
  pid_t pid;
  int status;

  if (posix_spawn (&pid, argv[0], NULL, NULL, (char **) argv, environment) != 0 ||
      waitpid (pid, &status, 0) != pid || status != 0)
    g_error ("%s can't be run", argv[0]);
}

static void
run_bare (void)
{
  const char *argv[] = { "/usr/bin/true", NULL };

  spawn_and_wait (argv);
}

/* The plan's own words and its filter, without what only we add: the init, the supervisor. */
static void
run_by_hand (PlanKind kind)
{
  static const char *const words[2][40] = {
    { "/usr/bin/bwrap", "--unshare-user", "--unshare-pid", "--dev-bind", "/", "/", "--proc",
      "/proc", "--as-pid-1", "--", "/usr/bin/true", NULL },
    { "/usr/bin/bwrap",
      "--unshare-user",
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
      "--as-pid-1",
      "--seccomp",
      G_STRINGIFY (FILTER_FD),
      "--",
      "/usr/bin/true",
      NULL },
  };

  /* bwrap reads it from where the last one left off. */
  lseek (FILTER_FD, 0, SEEK_SET);
  spawn_and_wait (words[kind]);
}

static void
run_namespace_by_hand (void)
{
  run_by_hand (PLAN_NAMESPACE);
}

static void
run_confined_by_hand (void)
{
  run_by_hand (PLAN_CONFINED);
}

static void
run_ours (PlanKind kind)
{
  const char *command[] = { "/usr/bin/true", NULL };
  RunOptions options = { .limit = 60, .output_fd = -1 };
  g_autoptr (SandboxResult) result = run_plan (launcher, plan_new (kind, command), &options);

  assert_exited (result, 0);
}

static void
run_namespace (void)
{
  run_ours (PLAN_NAMESPACE);
}

static void
run_confined (void)
{
  run_ours (PLAN_CONFINED);
}

static void
run_best_effort (void)
{
  run_ours (PLAN_BEST_EFFORT);
}

typedef struct
{
  const char *name;
  void (*run) (void);
  gint against; /* index of what it is compared with, or -1 */
  double samples[ROUNDS];
  double median;
} Way;

static Way ways[] = {
  { "bare", run_bare, -1 },
  { "bwrap by hand, a pid namespace only", run_namespace_by_hand, -1 },
  { "bwrap by hand, confined", run_confined_by_hand, -1 },
  { "ours, not confined", run_namespace, 1 },
  { "ours, confined (filter and init included)", run_confined, 2 },
  { "ours, best effort", run_best_effort, 0 },
};

static int
compare (const void *a, const void *b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return (left > right) - (left < right);
}

static void
one_after_the_other (void)
{
  for (int round = 0; round < ROUNDS; round++)
    for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
      {
        gint64 before = g_get_monotonic_time ();

        ways[i].run ();
        ways[i].samples[round] = (double) (g_get_monotonic_time () - before) / 1000;
      }
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      Way *way = &ways[i];

      qsort (way->samples, ROUNDS, sizeof *way->samples, compare);
      way->median = way->samples[ROUNDS / 2];
      printf ("%-42s %6.2f ms (p90 %6.2f)", way->name, way->median, way->samples[ROUNDS * 9 / 10]);
      if (way->against >= 0)
        printf ("  %+5.2f ms, x%.2f of \"%s\"", way->median - ways[way->against].median,
                way->median / ways[way->against].median, ways[way->against].name);
      printf ("\n");
    }
  printf ("goal, confined at most 2 ms above by hand: %s\n",
          ways[4].median - ways[2].median <= 2 ? "met" : "missed");
}

typedef struct
{
  guint left;
  gboolean done;
} Many;

static void
took_one (GObject *source, GAsyncResult *async, gpointer data)
{
  g_autoptr (SandboxResult) result = sandbox_run_finish (SANDBOX_LAUNCHER (source), async, NULL);
  Many *many = data;

  assert_exited (result, 0);
  many->done = --many->left == 0;
}

static void
all_at_once (void)
{
  const char *command[] = { "/usr/bin/true", NULL };
  Many many = { .left = PARALLEL };
  gint64 before = g_get_monotonic_time ();
  double each;

  for (guint i = 0; i < PARALLEL; i++)
    {
      SandboxPlan *plan = plan_new (PLAN_CONFINED, command);

      sandbox_run_async (launcher, plan, 60, -1, 0, NULL, NULL, NULL, took_one, &many);
      plan_done (plan);
    }
  wait_until (&many.done, 60);
  each = (double) (g_get_monotonic_time () - before) / 1000 / PARALLEL;
  printf ("%d at once, confined: %.2f ms each, x%.2f of one alone, on %u cores\n", PARALLEL, each,
          each / ways[4].median, g_get_num_processors ());
}

static void
open_filter (void)
{
  int fd = memfd_create ("filter", MFD_CLOEXEC);

  if (dup2 (fd, FILTER_FD) != FILTER_FD || !sandbox_seccomp_write (FILTER_FD))
    g_error ("no filter");
  close (fd);
}

int
main (int argc, char **argv)
{
  launcher = launcher_new ();
  open_filter ();
  one_after_the_other ();
  all_at_once ();
  launcher_done (launcher);
  return 0;
}

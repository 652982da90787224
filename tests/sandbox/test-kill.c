/* Nothing of a command outlives whoever runs it.
 *
 * Each try starts an app of its own (this program again), has it run a command that does what it
 * can to stay, and kills one or all of those who watch it, 0 to 30 ms later.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run-support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum
{
  VICTIM_APP,
  VICTIM_LAUNCHER,
  VICTIM_SUPERVISOR,
  VICTIM_PROGRAM, /* bwrap, from outside */
  VICTIM_LAUNCHER_AND_SUPERVISOR,
  VICTIM_ALL,
} Victim;

static const char *const victim_names[] = {
  "app", "launcher", "supervisor", "program", "launcher-and-supervisor", "all",
};

#define MOST_MS 30
#define MOST_PIDS 64

static const char stubborn[] = "trap '' TERM HUP INT; setsid sleep 301 & "
                               "(setsid setsid sleep 302 &) ; "
                               "(trap '' TERM; (trap '' TERM; exec sleep 303) & wait) & "
                               "while :; do sleep 0.05; done";

/* ---- The app ---- */

static void
print_result (GObject *source, GAsyncResult *async, gpointer data)
{
  g_autoptr (SandboxResult) result = sandbox_run_finish (SANDBOX_LAUNCHER (source), async, NULL);

  printf ("ending %d\n", result != NULL ? (int) result->ending : -1);
  fflush (stdout);
  g_main_loop_quit (data);
}

/* Argument 1: the program, by a name that has the marker in it; 2: the kind; 3: the marker. */
static int
be_app (char **argv)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (SandboxLauncher) launcher = sandbox_launcher_new (argv[2], NULL);
  SandboxPlan *plan = plan_new_shell (atoi (argv[3]), stubborn);

  plan_set_environment (plan, "MARKER", argv[4]);
  sandbox_run_async (launcher, plan, 100, -1, 0, NULL, NULL, NULL, print_result, loop);
  plan_done (plan);
  printf ("launcher %d\n", (int) sandbox_launcher_get_pid (launcher));
  fflush (stdout);
  g_main_loop_run (loop);
  return 0;
}

typedef struct
{
  GPid pid;
  GPid launcher;
  FILE *says;
} App;

static App
app_start (const char *program, PlanKind kind, const char *marker)
{
  App app = { 0 };
  g_autofree char *number = g_strdup_printf ("%d", kind);
  int out[2];

  g_assert_cmpint (pipe2 (out, O_CLOEXEC), ==, 0);
  app.pid = fork ();
  if (app.pid == 0)
    {
      dup2 (out[1], STDOUT_FILENO);
      execl ("/proc/self/exe", "test-kill", "--app", program, number, marker, NULL);
      _exit (127);
    }
  close (out[1]);
  app.says = fdopen (out[0], "r");
  g_assert_cmpint (fscanf (app.says, "launcher %d", &app.launcher), ==, 1);
  return app;
}

/* ---- Killing ---- */

static gsize
children_of (GPid pid, GPid pids[MOST_PIDS])
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%d/children", (int) pid, (int) pid);
  g_autofree char *text = NULL;
  gsize count = 0;
  char *at;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  at = text;
  while (count < MOST_PIDS)
    {
      char *end;
      long child = strtol (at, &end, 10);

      if (end == at)
        break;
      pids[count++] = (GPid) child;
      at = end;
    }
  return count;
}

static void
kill_children (GPid pid)
{
  GPid pids[MOST_PIDS];
  gsize count = children_of (pid, pids);

  for (gsize i = 0; i < count; i++)
    kill (pids[i], SIGKILL);
}

static void
kill_victim (const App *app, Victim victim)
{
  GPid supervisors[MOST_PIDS];
  gsize count = children_of (app->launcher, supervisors);

  switch (victim)
    {
    case VICTIM_APP:
      kill (app->pid, SIGKILL);
      break;
    case VICTIM_LAUNCHER:
      kill (app->launcher, SIGKILL);
      break;
    case VICTIM_SUPERVISOR:
      kill_children (app->launcher);
      break;
    case VICTIM_PROGRAM:
      for (gsize i = 0; i < count; i++)
        kill_children (supervisors[i]);
      break;
    case VICTIM_ALL:
      kill (app->pid, SIGKILL);
      /* fallthrough */
      G_GNUC_FALLTHROUGH;
    case VICTIM_LAUNCHER_AND_SUPERVISOR:
      kill (app->launcher, SIGKILL);
      for (gsize i = 0; i < count; i++)
        kill (supervisors[i], SIGKILL);
      break;
    }
}

/* What the app was told, if it lives: "lost" means that nothing is left already. */
static void
check_answer (App *app, const char *marker, Victim victim)
{
  int ending = -2;

  if (victim == VICTIM_APP || victim == VICTIM_ALL)
    return;
  if (fscanf (app->says, " ending %d", &ending) != 1)
    ending = -3;
  /* The program was killed before our init ran, or there was no supervisor yet to kill: then the
   * answer is another one, or the command still runs. */
  if (victim == VICTIM_PROGRAM)
    g_assert_true (ending == SANDBOX_ENDING_LOST || ending == SANDBOX_ENDING_SETUP_FAILED ||
                   ending == SANDBOX_ENDING_EXITED);
  else
    g_assert_cmpint (ending, ==, SANDBOX_ENDING_LOST);
  {
    g_autofree char *seen = NULL;
    guint left = count_marked (marker, &seen);

    if (left != 0)
      g_error ("said to be lost, but there is still%s", seen);
  }
}

static void
try_once (PlanKind kind, Victim victim, gint delay_us)
{
  g_autofree char *marker = marker_new ();
  g_autofree char *folder = g_dir_make_tmp ("perfica-kill-XXXXXX", NULL);
  g_autofree char *name = g_strdup_printf ("watch_%s", marker);
  g_autofree char *program = g_build_filename (folder, name, NULL);
  GPid nobody[MOST_PIDS];
  App app;

  g_assert_cmpint (symlink (PERFICA_SUPERVISE, program), ==, 0);
  app = app_start (program, kind, marker);
  /* Without one there is nothing to kill yet. */
  if (victim == VICTIM_SUPERVISOR || victim == VICTIM_PROGRAM)
    while (children_of (app.launcher, nobody) == 0)
      g_usleep (200);
  if (victim == VICTIM_PROGRAM)
    {
      GPid supervisor = nobody[0];

      while (children_of (supervisor, nobody) == 0)
        g_usleep (200);
    }
  g_usleep ((gulong) delay_us);
  kill_victim (&app, victim);
  if (victim == VICTIM_APP || victim == VICTIM_ALL)
    waitpid (app.pid, NULL, 0);
  if (kill (app.pid, 0) == 0 && victim != VICTIM_APP && victim != VICTIM_ALL)
    {
      /* The launcher's command line has the marker too: only the command's is meant here. */
      g_autofree char *assignment = g_strdup_printf ("MARKER=%s", marker);

      check_answer (&app, assignment, victim);
      waitpid (app.pid, NULL, 0);
    }
  fclose (app.says);
  assert_none_marked (marker);
  unlink (program);
  rmdir (folder);
}

static void
test_kill (gconstpointer data)
{
  PlanKind kind = GPOINTER_TO_INT (data) / 16;
  Victim victim = GPOINTER_TO_INT (data) % 16;
  const char *wish = g_getenv ("PERFICA_TEST_KILLS");
  gint tries = wish != NULL ? CLAMP (atoi (wish), 1, 10000) : 3;

  for (gint i = 0; i < tries; i++)
    try_once (kind, victim, g_test_rand_int_range (0, MOST_MS * 1000));
}

int
main (int argc, char **argv)
{
  if (argc == 5 && strcmp (argv[1], "--app") == 0)
    return be_app (argv);
  g_test_init (&argc, &argv, NULL);
  for (int kind = 0; kind < 3; kind++)
    for (gsize victim = 0; victim < G_N_ELEMENTS (victim_names); victim++)
      {
        g_autofree char *path =
            g_strdup_printf ("/sandbox/kill/%s/%s", plan_names[kind], victim_names[victim]);

        g_test_add_data_func (path, GINT_TO_POINTER (kind * 16 + (int) victim), test_kill);
      }
  return g_test_run ();
}

/* What running a command costs: the same `true`, bare, by hand, and through the launcher.
 *
 *   bench-sandbox ROUNDS PROJECT TMPDIR [IMAGE] [-- NAME EVERY PROGRAM ARGUMENT… [-- NAME …]]
 *
 *   bench-sandbox words none|bubblewrap PROJECT TMPDIR FILTER
 *
 * The second form prints the words by hand, one a line, and writes the filter that they want at
 * descriptor 100; places that are handed over open are named by their paths.
 *
 * The ways take turns, so that a busy moment of the machine hits all of them; a way of somebody
 * else's is taken in each EVERY-th round. "By hand" are the words of the very plan that we run, but
 * for what only we add: the init, its lifelines, the status. Prints "NAME<TAB>ms<TAB>ms…".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run-support.h"

#include "sandbox-environment.h"
#include "sandbox-seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PARALLEL 64
#define PARALLEL_ROUNDS 5
/* Where the filter and the first open place lie for what is started by hand. */
#define FILTER_FD 100
#define OPENS_FD 101

static const char *const command[] = { "/usr/bin/true", NULL };

typedef struct
{
  char *name;
  SandboxPlan *plan; /* ours */
  char **argv;       /* by hand */
  char **environment;
  guint every;
  GArray *samples;
} Way;

static SandboxLauncher *launcher;
static GPtrArray *ways;
static char *filter_path;

static double
now_ms (void)
{
  return (double) g_get_monotonic_time () / 1000;
}

/* ---- By hand ---- */

static pid_t
spawn (const Way *way)
{
  posix_spawn_file_actions_t quiet;
  /* One opened before would be read on from where another bwrap is. */
  int filter = open (filter_path, O_RDONLY | O_CLOEXEC);
  pid_t pid;

  posix_spawn_file_actions_init (&quiet);
  posix_spawn_file_actions_adddup2 (&quiet, filter, FILTER_FD);
  for (int fd = 0; fd < 3; fd++)
    posix_spawn_file_actions_addopen (&quiet, fd, "/dev/null", O_RDWR, 0);
  if (posix_spawnp (&pid, way->argv[0], &quiet, NULL, way->argv, way->environment) != 0)
    g_error ("%s can't be run", way->argv[0]);
  posix_spawn_file_actions_destroy (&quiet);
  close (filter);
  return pid;
}

static void
await (const Way *way, pid_t pid)
{
  int status;

  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    continue;
  if (status != 0)
    g_error ("%s: status %d", way->name, status);
}

static const char *
placeholder_by_hand (const char *word, char *number, gsize size)
{
  char *end;
  guint64 index;

  if (g_str_equal (word, "@SECCOMP@"))
    g_snprintf (number, size, "%d", FILTER_FD);
  else if (g_str_has_prefix (word, "@OPEN") &&
           (index = g_ascii_strtoull (word + 5, &end, 10), g_str_equal (end, "@")))
    g_snprintf (number, size, "%d", OPENS_FD + (int) index);
  else
    return word;
  return number;
}

/* --args FD reads words from memory; by hand they stand on the command line. */
static GPtrArray *
all_words (const SandboxPlan *plan)
{
  GPtrArray *words = g_ptr_array_new ();

  for (guint i = 0; i < plan->command_index; i++)
    if (g_str_equal (plan->argv[i], "--args") && plan->args != NULL)
      {
        const char *end = (const char *) plan->args->data + plan->args->len;

        for (const char *word = (const char *) plan->args->data; word < end;
             word += strlen (word) + 1)
          g_ptr_array_add (words, (char *) word);
        i++;
      }
    else
      g_ptr_array_add (words, plan->argv[i]);
  return words;
}

static char **
argv_by_hand (const SandboxPlan *plan)
{
  g_autoptr (GPtrArray) words = all_words (plan);
  g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();

  for (guint i = 0; i < words->len; i++)
    {
      const char *word = g_ptr_array_index (words, i);
      const char *next = i + 1 < words->len ? g_ptr_array_index (words, i + 1) : "";
      char number[24];

      if (g_str_equal (word, "--ro-bind") && g_str_equal (next, "@INIT@"))
        i += 2;
      else if (g_str_equal (word, "--json-status-fd") || g_str_equal (word, "--init"))
        i += 1;
      else if (!g_str_equal (word, "@INIT@") && !g_str_equal (word, SANDBOX_INIT_INSIDE) &&
               !g_str_equal (word, "--"))
        g_strv_builder_add (argv, placeholder_by_hand (word, number, sizeof number));
    }
  g_strv_builder_addv (argv, (const char **) plan->argv + plan->command_index);
  return g_strv_builder_end (argv);
}

/* For who can't hand over open places: their paths mean the same here. */
static int
print_words (SandboxPlan *plan, const char *filter)
{
  g_auto (GStrv) argv = argv_by_hand (plan);
  int fd = open (filter, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  if (fd < 0 || !sandbox_seccomp_write (fd))
    return 1;
  for (guint i = 0; argv[i] != NULL; i++)
    if (g_str_equal (argv[i], "--bind-fd") || g_str_equal (argv[i], "--ro-bind-fd"))
      {
        printf ("%s\n%s\n%s\n", argv[i][2] == 'r' ? "--ro-bind" : "--bind", argv[i + 2],
                argv[i + 2]);
        i += 2;
      }
    else
      puts (argv[i]);
  sandbox_plan_free (plan);
  return 0;
}

static void
open_for_hand (const SandboxPlan *plan)
{
  for (guint i = 0; plan->opens != NULL && i < plan->opens->len; i++)
    {
      const SandboxOpen *place = g_ptr_array_index (plan->opens, i);
      int fd = open (place->path, O_PATH | O_NOFOLLOW | O_CLOEXEC);

      if (fd < 0 || dup2 (fd, OPENS_FD + (int) i) < 0)
        g_error ("%s can't be opened", place->path);
      close (fd);
    }
}

static void
open_filter (void)
{
  int fd = memfd_create ("filter", MFD_CLOEXEC);

  if (fd < 0 || !sandbox_seccomp_write (fd))
    g_error ("no filter");
  filter_path = g_strdup_printf ("/proc/self/fd/%d", fd);
}

/* ---- The ways ---- */

static Way *
add_way (const char *name, SandboxPlan *plan, char **argv, char **environment, guint every)
{
  Way *way = g_new0 (Way, 1);

  *way = (Way){ g_strdup (name), plan,  argv,
                environment,     every, g_array_new (FALSE, FALSE, sizeof (double)) };
  g_ptr_array_add (ways, way);
  return way;
}

static SandboxPlan *
real_plan (SandboxBackendType backend, char **folders, const char *image)
{
  g_autoptr (SandboxPolicy) policy = sandbox_policy_new (folders[0], folders[0]);
  const char *environment[] = { "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL };
  g_autoptr (GError) error = NULL;
  SandboxPlan *plan;

  policy->tmpdir = g_strdup (folders[1]);
  policy->image = g_strdup (image);
  plan = sandbox_plan_new (backend, policy, environment, command, &error);
  if (plan == NULL)
    g_error ("%s: %s", sandbox_backend_to_string (backend), error->message);
  return plan;
}

static Way *
add_ours (const char *ours, const char *by_hand, SandboxBackendType backend, char **folders)
{
  SandboxPlan *plan = real_plan (backend, folders, NULL);

  if (backend == SANDBOX_BACKEND_BUBBLEWRAP)
    open_for_hand (plan);
  add_way (by_hand, NULL, argv_by_hand (plan), plan->environment, 1);
  return add_way (ours, plan, NULL, NULL, 1);
}

/* -- NAME EVERY PROGRAM ARGUMENT… */
static void
add_peers (char **words)
{
  while (*words != NULL)
    {
      const char *name = words[1];
      guint every = (guint) g_ascii_strtoull (words[2], NULL, 10);
      char **argv = words + 3;
      gsize count = 0;

      while (argv[count] != NULL && !g_str_equal (argv[count], "--"))
        count++;
      words = argv + count;
      {
        g_autoptr (GStrvBuilder) copy = g_strv_builder_new ();

        for (gsize i = 0; i < count; i++)
          g_strv_builder_add (copy, argv[i]);
        add_way (name, NULL, g_strv_builder_end (copy), environ, MAX (every, 1));
      }
    }
}

static void
take (Way *way, gboolean counts)
{
  double before = now_ms ();
  double took;

  if (way->plan != NULL)
    {
      RunOptions options = { .limit = 60, .output_fd = -1 };
      g_autoptr (SandboxResult) result =
          run_plan (launcher, sandbox_plan_copy (way->plan), &options);

      assert_exited (result, 0);
    }
  else
    await (way, spawn (way));
  took = now_ms () - before;
  if (counts)
    g_array_append_val (way->samples, took);
}

static void
take_turns (guint rounds)
{
  for (guint round = 0; round <= rounds; round++)
    for (guint i = 0; i < ways->len; i++)
      {
        Way *way = g_ptr_array_index (ways, i);

        /* The first round warms up. */
        if (round == 0 || round % way->every == 0)
          take (way, round > 0);
      }
}

static void
print_samples (const char *name, const GArray *samples)
{
  printf ("%s", name);
  for (guint i = 0; i < samples->len; i++)
    printf ("\t%.3f", g_array_index (samples, double, i));
  printf ("\n");
}

/* ---- Many at once ---- */

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

static double
many_ours (const Way *way)
{
  Many many = { .left = PARALLEL };
  double before = now_ms ();

  for (guint i = 0; i < PARALLEL; i++)
    sandbox_run_async (launcher, way->plan, 60, -1, 0, NULL, NULL, NULL, took_one, &many);
  wait_until (&many.done, 60);
  return now_ms () - before;
}

static double
many_by_hand (const Way *way)
{
  pid_t pids[PARALLEL];
  double before = now_ms ();

  for (guint i = 0; i < PARALLEL; i++)
    pids[i] = spawn (way);
  for (guint i = 0; i < PARALLEL; i++)
    await (way, pids[i]);
  return now_ms () - before;
}

static void
all_at_once (const Way *by_hand, const Way *ours)
{
  g_autoptr (GArray) theirs = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) mine = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < PARALLEL_ROUNDS; i++)
    {
      double took = many_by_hand (by_hand);

      g_array_append_val (theirs, took);
      took = many_ours (ours);
      g_array_append_val (mine, took);
    }
  print_samples ("64 at once by hand", theirs);
  print_samples ("64 at once ours", mine);
}

int
main (int argc, char **argv)
{
  static char *bare[] = { (char *) "/usr/bin/true", NULL };
  char **rest;
  Way *confined;

  if (argc < 4)
    return 2;
  if (argc == 6 && g_str_equal (argv[1], "words"))
    return print_words (real_plan (sandbox_backend_from_string (argv[2]), argv + 3, NULL), argv[5]);
  rest = argv + 4;
  launcher = launcher_new ();
  open_filter ();
  ways = g_ptr_array_new ();
  add_way ("bare", NULL, bare, environ, 1);
  add_ours ("ours, not confined", "bwrap by hand, not confined", SANDBOX_BACKEND_NONE, argv + 2);
  confined =
      add_ours ("ours, confined", "bwrap by hand, confined", SANDBOX_BACKEND_BUBBLEWRAP, argv + 2);
  if (*rest != NULL && !g_str_equal (*rest, "--"))
    add_way ("ours, Docker", real_plan (SANDBOX_BACKEND_DOCKER, argv + 2, *rest++), NULL, NULL, 20);
  add_peers (rest);
  take_turns ((guint) g_ascii_strtoull (argv[1], NULL, 10));
  for (guint i = 0; i < ways->len; i++)
    {
      const Way *way = g_ptr_array_index (ways, i);

      print_samples (way->name, way->samples);
    }
  all_at_once (g_ptr_array_index (ways, 3), confined);
  launcher_done (launcher);
  return 0;
}

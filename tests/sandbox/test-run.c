/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static SandboxLauncher *launcher;

/* ---- How a command ended ---- */

typedef struct
{
  const char *text;
  int exit_code;
  int signal_number;
  const char *out;
  const char *err;
} Ending;

static const Ending endings[] = {
  { "true", 0, 0, "", "" },
  { "exit 1", 1, 0, "", "" },
  { "exit 255", 255, 0, "", "" },
  { "exit 125", 125, 0, "", "" },
  { "exit 137", 137, 0, "", "" },
  { "echo out; echo err >&2", 0, 0, "out\n", "err\n" },
  { "printf 'no newline'; exit 3", 3, 0, "no newline", "" },
  { "kill -KILL $$", -1, SIGKILL, "", "" },
  { "kill -TERM $$", -1, SIGTERM, "", "" },
  { "kill -SEGV $$", -1, SIGSEGV, "", "" },
  { "kill -ABRT $$", -1, SIGABRT, "", "" },
  { "kill -RTMIN $$", -1, 34, "", "" },
  { "read line; echo \"$? [$line]\"", 0, 0, "1 []\n", "" },
  { "exec >&-; echo lost; true", 0, 0, "",
    "bash: line 1: echo: write error: Bad file descriptor\n" },
  { "exec >&- 2>&-; sleep 0.1; exit 4", 4, 0, "", "" },
  { "(sleep 60 & ) ; echo held", 0, 0, "held\n", "" },
  { "setsid sleep 60 & echo held", 0, 0, "held\n", "" },
  { "trap '' TERM HUP; (trap '' TERM; exec sleep 60) & echo held", 0, 0, "held\n", "" },
  { "trap 'echo polite; exit 5' TERM; kill -TERM $$", 5, 0, "polite\n", "" },
  { "no-such-program-at-all", 127, 0, "",
    "bash: line 1: no-such-program-at-all: command not found\n" },
  { "trap '' PIPE; trap", 0, 0, "trap -- '' SIGPIPE\n", "" },
  { "trap", 0, 0, "", "" },
};

static void
test_endings (gconstpointer data)
{
  PlanKind kind = GPOINTER_TO_INT (data);

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autoptr (SandboxResult) result = run_shell (launcher, kind, endings[i].text);

      g_test_message ("%s", endings[i].text);
      g_assert_cmpstr (result->message, ==, NULL);
      g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_EXITED);
      g_assert_cmpint (result->exit_code, ==, endings[i].exit_code);
      g_assert_cmpint (result->signal_number, ==, endings[i].signal_number);
      assert_text (result->stdout_head, endings[i].out);
      assert_text (result->stderr_head, endings[i].err);
      g_assert_cmpuint (g_bytes_get_size (result->stdout_tail), ==, 0);
      g_assert_cmpuint (result->stdout_total, ==, strlen (endings[i].out));
      g_assert_cmpuint (result->stderr_total, ==, strlen (endings[i].err));
      g_assert_cmpint (result->tree_is_certain, ==, kind != PLAN_BEST_EFFORT);
      g_assert_false (result->output_cut);
    }
}

static void
test_duration (gconstpointer data)
{
  g_autoptr (SandboxResult) result = run_shell (launcher, GPOINTER_TO_INT (data), "sleep 0.3");

  assert_exited (result, 0);
  g_assert_cmpint (result->duration_us, >=, 300000);
  g_assert_cmpint (result->duration_us, <, 10000000);
}

/* ---- What a command finds ---- */

static void
test_surroundings (gconstpointer data)
{
  static const char *const text =
      "ls /proc/self/fd | tr '\\n' ' '; readlink /proc/self/fd/0; "
      "grep -E '^Sig(Blk|Ign)' /proc/self/status | sort; "
      "ps -o nice= -p $$ | tr -d ' '; [ \"$(ps -o sid= -p $$)\" -eq $$ ] && echo leader; pwd";
  PlanKind kind = GPOINTER_TO_INT (data);
  RunOptions options = { .limit = 60, .output_fd = -1 };
  SandboxPlan *plan = plan_new_shell (kind, text);
  g_autoptr (SandboxResult) result = NULL;

  g_free (plan->folder);
  plan->folder = g_strdup ("/usr");
  result = run_plan (launcher, plan, &options);
  assert_exited (result, 0);
  /* 3 is the folder that ls reads. */
  assert_text (result->stdout_head, "0 1 2 3 /dev/null\nSigBlk:\t0000000000000000\n"
                                    "SigIgn:\t0000000000000000\n10\nleader\n/usr\n");
}

static void
test_pid1_is_ours (gconstpointer data)
{
  g_autoptr (SandboxResult) result = run_shell (
      launcher, GPOINTER_TO_INT (data),
      "tr '\\0' '\\n' </proc/1/cmdline | sed -n 2p; "
      "kill -9 1; kill -STOP 1; kill -TERM 1; sleep 0.1; cat /proc/1/stat | cut -d' ' -f3");

  assert_exited (result, 0);
  assert_text (result->stdout_head, "--init\nS\n");
}

/* Its descriptors are the run's lifelines: nobody inside may take them over. */
static void
test_init_cannot_be_looked_into (gconstpointer data)
{
  g_autoptr (SandboxResult) result = run_shell (
      launcher, GPOINTER_TO_INT (data),
      "readlink /proc/1/fd/* | grep -c . ; (: </proc/1/mem) 2>/dev/null && echo memory; true");

  assert_exited (result, 0);
  /* Root of the whole machine may look everywhere; confined it has no capability left. */
  if (GPOINTER_TO_INT (data) == PLAN_CONFINED || geteuid () != 0)
    assert_text (result->stdout_head, "0\n");
}

/* Words that look like placeholders belong to the command. */
static void
test_placeholders_of_the_command (gconstpointer data)
{
  const char *command[] = { "echo", "@INIT@", "@ARGS@", "@LIFELINE@", "@STATUS@", "@OPEN0@", NULL };
  RunOptions options = { .limit = 60, .output_fd = -1 };
  g_autoptr (SandboxResult) result =
      run_plan (launcher, plan_new (GPOINTER_TO_INT (data), command), &options);

  assert_exited (result, 0);
  assert_text (result->stdout_head, "@INIT@ @ARGS@ @LIFELINE@ @STATUS@ @OPEN0@\n");
}

static void
test_many_words (gconstpointer data)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) command = NULL;
  RunOptions options = { .limit = 60, .output_fd = -1 };
  g_autoptr (SandboxResult) result = NULL;

  for (const char *const *word = (const char *[]){ "bash", "-c", "echo $#", NULL }; *word; word++)
    g_strv_builder_add (builder, *word);
  for (int i = 0; i < 8001; i++)
    g_strv_builder_add (builder, "a word of thirty-two characters.");
  command = g_strv_builder_end (builder);
  result = run_plan (launcher, plan_new (GPOINTER_TO_INT (data), (const char *const *) command),
                     &options);
  assert_exited (result, 0);
  assert_text (result->stdout_head, "8000\n");
}

/* ---- What never ran ---- */

static void
assert_setup_failed (SandboxResult *result, const char *word)
{
  g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_SETUP_FAILED);
  g_assert_cmpint (result->exit_code, ==, -1);
  g_assert_cmpint (result->duration_us, ==, 0);
  g_assert_nonnull (result->message);
  if (strstr (result->message, word) == NULL)
    g_error ("\"%s\" doesn't say \"%s\"", result->message, word);
}

static void
replace_word (SandboxPlan *plan, guint index, const char *word)
{
  g_free (plan->argv[index]);
  plan->argv[index] = g_strdup (word);
}

static void
test_setup_failures (void)
{
  RunOptions options = { .limit = 60, .output_fd = -1 };
  SandboxPlan *plan;

  {
    g_autoptr (SandboxResult) result = NULL;

    plan = plan_new_shell (PLAN_NAMESPACE, "true");
    replace_word (plan, 0, "/usr/bin/no-bwrap-here");
    result = run_plan (launcher, plan, &options);
    assert_setup_failed (result, "/usr/bin/no-bwrap-here: No such file");
  }
  {
    g_autoptr (SandboxResult) result = NULL;

    plan = plan_new_shell (PLAN_NAMESPACE, "true");
    replace_word (plan, 0, "/etc/passwd");
    result = run_plan (launcher, plan, &options);
    assert_setup_failed (result, "/etc/passwd: Permission denied");
  }
  {
    g_autoptr (SandboxResult) result = NULL;

    plan = plan_new_shell (PLAN_NAMESPACE, "true");
    replace_word (plan, 2, "--no-such-option");
    result = run_plan (launcher, plan, &options);
    assert_setup_failed (result, "bwrap: Unknown option --no-such-option");
  }
  {
    /* bwrap's own failures exit with 1, like any command's. */
    g_autoptr (SandboxResult) result = NULL;

    plan = plan_new_shell (PLAN_NAMESPACE, "true");
    replace_word (plan, 4, "/no/such/folder");
    result = run_plan (launcher, plan, &options);
    assert_setup_failed (result, "/no/such/folder: No such file");
  }
  {
    g_autoptr (SandboxResult) result = NULL;

    plan = plan_new_shell (PLAN_NAMESPACE, "true");
    replace_word (plan, plan->command_index, "no-such-shell");
    result = run_plan (launcher, plan, &options);
    assert_setup_failed (result, "no-such-shell: No such file");
  }
  {
    g_autoptr (SandboxResult) result = NULL;

    plan = plan_new_shell (PLAN_NAMESPACE, "true");
    replace_word (plan, 0, "/bin/false");
    result = run_plan (launcher, plan, &options);
    assert_setup_failed (result, "/bin/false");
  }
  {
    g_autoptr (SandboxResult) result = NULL;

    plan = plan_new_shell (PLAN_CONFINED, "true");
    g_free (plan->folder);
    plan->folder = g_strdup ("/no/such/folder");
    result = run_plan (launcher, plan, &options);
    assert_setup_failed (result, "/no/such/folder: No such file");
  }
}

/* ---- Places handed over open ---- */

static void
add_open (SandboxPlan *plan, const char *path, guint64 inode_off, gboolean is_folder)
{
  SandboxOpen *place = g_new0 (SandboxOpen, 1);
  struct stat now;

  g_assert_cmpint (stat (path, &now), ==, 0);
  place->path = (char *) g_intern_string (path);
  place->device = now.st_dev;
  place->inode = now.st_ino + inode_off;
  place->is_folder = is_folder;
  if (plan->opens == NULL)
    plan->opens = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (plan->opens, place);
}

static SandboxPlan *
plan_with_open (const char *path, guint64 inode_off, gboolean is_folder)
{
  SandboxPlan *plan = plan_new_shell (PLAN_CONFINED, "cat /run/place/file");
  static const char *const words[] = { "--bind-fd", "@OPEN0@", "/run/place", NULL };

  for (gsize i = 0; words[i] != NULL; i++)
    g_byte_array_append (plan->args, (const guint8 *) words[i], (guint) strlen (words[i]) + 1);
  add_open (plan, path, inode_off, is_folder);
  return plan;
}

static void
test_opens (void)
{
  RunOptions options = { .limit = 60, .output_fd = -1 };
  g_autofree char *top = g_dir_make_tmp ("perfica-open-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (top, "folder", NULL);
  g_autofree char *file = g_build_filename (folder, "file", NULL);
  g_autofree char *link = g_build_filename (top, "link", NULL);
  g_autofree char *through = g_build_filename (link, "folder", NULL);

  g_assert_cmpint (mkdir (folder, 0755), ==, 0);
  g_assert_true (g_file_set_contents (file, "inside", -1, NULL));
  g_assert_cmpint (symlink (".", link), ==, 0);
  {
    g_autoptr (SandboxResult) result =
        run_plan (launcher, plan_with_open (folder, 0, TRUE), &options);

    assert_exited (result, 0);
    assert_text (result->stdout_head, "inside");
  }
  {
    g_autoptr (SandboxResult) result =
        run_plan (launcher, plan_with_open (folder, 1, TRUE), &options);

    assert_setup_failed (result, folder);
  }
  {
    g_autoptr (SandboxResult) result =
        run_plan (launcher, plan_with_open (folder, 0, FALSE), &options);

    assert_setup_failed (result, folder);
  }
  {
    /* The same folder, but by way of a link. */
    g_autoptr (SandboxResult) result =
        run_plan (launcher, plan_with_open (through, 0, TRUE), &options);

    assert_setup_failed (result, through);
  }
  {
    g_autoptr (SandboxResult) result =
        run_plan (launcher, plan_with_open (link, 0, TRUE), &options);

    assert_setup_failed (result, link);
  }
  unlink (file);
  unlink (link);
  rmdir (folder);
  rmdir (top);
}

/* ---- Limit and cancellation ---- */

static void
test_limit (gconstpointer data)
{
  RunOptions options = { .limit = 1, .output_fd = -1 };
  gint64 before = g_get_monotonic_time ();
  g_autoptr (SandboxResult) result =
      run_plan (launcher, plan_new_shell (GPOINTER_TO_INT (data), "echo before; exec sleep 60"),
                &options);

  g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_LIMIT);
  g_assert_cmpint (result->exit_code, ==, -1);
  g_assert_cmpint (result->signal_number, ==, SIGTERM);
  /* The limit counts from the request; on a busy machine the start takes its share of it. */
  g_assert_cmpint (result->duration_us, >, 0);
  assert_text (result->stdout_head, "before\n");
  g_assert_cmpint (g_get_monotonic_time () - before, >=, 900000);
  g_assert_cmpint (g_get_monotonic_time () - before, <, 20000000);
}

/* Ignored SIGTERM, a stopped child, another session, held streams: nothing of it helps. */
static void
test_limit_of_the_stubborn (gconstpointer data)
{
  static const char *const text =
      "trap '' TERM HUP INT; setsid sleep 61 & (setsid setsid sleep 62 &) ; "
      "(kill -STOP $BASHPID) & while :; do sleep 0.2; done";
  RunOptions options = { .limit = 1, .output_fd = -1 };
  g_autofree char *marker = marker_new ();
  SandboxPlan *plan = plan_new_shell (GPOINTER_TO_INT (data), text);
  gint64 before = g_get_monotonic_time ();
  g_autoptr (SandboxResult) result = NULL;

  plan_set_environment (plan, "MARKER", marker);
  result = run_plan (launcher, plan, &options);
  g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_LIMIT);
  g_assert_cmpint (result->signal_number, ==, SIGKILL);
  g_assert_cmpint (g_get_monotonic_time () - before, <, 8000000);
  g_assert_cmpuint (count_marked (marker, NULL), ==, 0);
}

static gboolean
cancel (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

static void
test_cancel (gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  RunOptions options = { .limit = 60, .output_fd = -1, .cancellable = cancellable };
  g_autoptr (SandboxResult) result = NULL;

  g_timeout_add (200, cancel, cancellable);
  result = run_plan (launcher,
                     plan_new_shell (GPOINTER_TO_INT (data),
                                     "trap 'echo bye; exit 7' TERM; sleep 60 & wait"),
                     &options);
  g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_CANCELLED);
  g_assert_cmpint (result->exit_code, ==, 7);
  assert_text (result->stdout_head, "bye\n");
}

static void
test_cancel_early (gconstpointer data)
{
  for (guint milliseconds = 0; milliseconds < 12; milliseconds++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      RunOptions options = { .limit = 60, .output_fd = -1, .cancellable = cancellable };
      g_autoptr (SandboxResult) result = NULL;

      if (milliseconds == 0)
        g_cancellable_cancel (cancellable);
      else
        g_timeout_add (milliseconds - 1, cancel, cancellable);
      result = run_plan (launcher, plan_new_shell (GPOINTER_TO_INT (data), "sleep 60"), &options);
      g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_CANCELLED);
    }
}

static void
add (const char *name, GTestDataFunc test, gboolean also_best_effort)
{
  for (int kind = 0; kind < (also_best_effort ? 3 : 2); kind++)
    {
      g_autofree char *path = g_strdup_printf ("/sandbox/run/%s/%s", name, plan_names[kind]);

      g_test_add_data_func (path, GINT_TO_POINTER (kind), test);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  launcher = launcher_new ();
  add ("endings", test_endings, TRUE);
  add ("duration", test_duration, TRUE);
  add ("surroundings", test_surroundings, TRUE);
  add ("pid1", test_pid1_is_ours, FALSE);
  add ("init-closed", test_init_cannot_be_looked_into, FALSE);
  add ("placeholders", test_placeholders_of_the_command, TRUE);
  add ("many-words", test_many_words, TRUE);
  g_test_add_func ("/sandbox/run/setup-failures", test_setup_failures);
  g_test_add_func ("/sandbox/run/opens", test_opens);
  add ("limit", test_limit, TRUE);
  add ("limit-stubborn", test_limit_of_the_stubborn, TRUE);
  add ("cancel", test_cancel, TRUE);
  add ("cancel-early", test_cancel_early, TRUE);
  status = g_test_run ();
  launcher_done (launcher);
  return status;
}

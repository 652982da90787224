/* Whether a plan still holds: what was read is what runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fake-files.h"
#include "guard.h"

#include <string.h>

static GuardVerdict *
read_line (FakeFiles *fake, const char *command)
{
  GuardScope scope = { .project = FAKE_PROJECT,
                       .loop = ".",
                       .folder = ".",
                       .app_folder = ".perfica",
                       .home = "/home/person",
                       .bash_available = TRUE };

  return guard_read (command, strlen (command), &scope, &fake->files);
}

static char *
filled (const char *start, gsize length)
{
  /* JSON has no comments. */
  g_autofree char *fill = g_strnfill (length - strlen (start), start[0] == '{' ? ' ' : '#');

  return g_strconcat (start, fill, NULL);
}

static void
test_same (void)
{
  g_autoptr (FakeFiles) fake = fake_files_new ();
  g_autoptr (GuardVerdict) verdict = NULL;
  g_autofree char *changed = NULL;

  fake_files_add (fake, "run.sh", "#!/bin/sh\necho one\n");
  verdict = read_line (fake, "./run.sh");
  g_assert_cmpint (verdict->answer, ==, GUARD_ANSWER_ALLOW);
  g_assert_true (guard_plan_verify (&verdict->plan, &fake->files, NULL));
  fake_files_add (fake, "run.sh", "#!/bin/sh\necho two\n");
  g_assert_false (guard_plan_verify (&verdict->plan, &fake->files, &changed));
  g_assert_cmpstr (changed, ==, FAKE_PROJECT "/run.sh");
}

/* What was looked for and wasn't there must still not be there. */
static void
test_absent (void)
{
  g_autoptr (FakeFiles) fake = fake_files_new ();
  g_autoptr (GuardVerdict) verdict = read_line (fake, "python3 tool.py");

  g_assert_cmpint (verdict->answer, ==, GUARD_ANSWER_ALLOW);
  g_assert_true (guard_plan_verify (&verdict->plan, &fake->files, NULL));
  fake_files_add (fake, "tool.py", "import os\nos.system('git push --force')\n");
  g_assert_false (guard_plan_verify (&verdict->plan, &fake->files, NULL));
}

/* A file up to the limit is read to its end, a larger one is refused in every kind of body. */
static void
test_large (void)
{
  static const struct
  {
    const char *command;
    const char *file;
    const char *start;
  } cases[] = {
    { "./run.sh", "run.sh", "#!/bin/sh\necho\n" },
    { "python3 run.py", "run.py", "print(1)\n" },
    { "node run.js", "run.js", "1\n//" },
    { "make all", "Makefile", "all:\n\techo\n" },
    { "just all", "justfile", "all:\n  echo\n" },
    { "task all", "Taskfile.yml", "version: '3'\ntasks:\n  all:\n    cmds:\n      - echo\n" },
    { "npm run x", "package.json", "{\"scripts\":{\"x\":\"echo\"}}" },
    { "git zz", ".git/config", "[alias]\n\tzz = status\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FakeFiles) fake = fake_files_new ();
      g_autoptr (FakeFiles) larger = fake_files_new ();
      g_autofree char *most = filled (cases[i].start, GUARD_MAX_FILE_SIZE);
      g_autofree char *more = filled (cases[i].start, GUARD_MAX_FILE_SIZE + 1);
      g_autoptr (GuardVerdict) verdict = NULL;
      g_autoptr (GuardVerdict) refused = NULL;

      g_test_message ("%s", cases[i].command);
      fake_files_add (fake, cases[i].file, most);
      verdict = read_line (fake, cases[i].command);
      /* The reader's own limit is smaller: such a script is asked about. */
      g_assert_cmpint (verdict->answer, ==, i == 0 ? GUARD_ANSWER_ASK : GUARD_ANSWER_ALLOW);
      g_assert_true (guard_plan_verify (&verdict->plan, &fake->files, NULL));
      fake_files_add (larger, cases[i].file, more);
      refused = read_line (larger, cases[i].command);
      g_assert_cmpint (refused->answer, ==, GUARD_ANSWER_REFUSE);
    }
}

/* A compiled program may have any size; its beginning is pinned. */
static void
test_binary (void)
{
  g_autoptr (FakeFiles) fake = fake_files_new ();
  g_autofree char *text = filled ("\177ELF\001\002", GUARD_MAX_FILE_SIZE + 5000);
  g_autoptr (GuardVerdict) verdict = NULL;

  fake_files_add (fake, "app", text);
  fake_files_set_executable (fake, "app", TRUE);
  verdict = read_line (fake, "./app");
  g_assert_cmpint (verdict->answer, ==, GUARD_ANSWER_ALLOW);
  g_assert_true (guard_plan_verify (&verdict->plan, &fake->files, NULL));
}

/* A glob's folder is part of the verdict. */
static void
test_glob (void)
{
  g_autoptr (FakeFiles) fake = fake_files_new ();
  g_autoptr (GuardVerdict) verdict = NULL;

  fake_files_add (fake, "src/a.c", "");
  verdict = read_line (fake, "cat src/*.c");
  g_assert_cmpint (verdict->answer, ==, GUARD_ANSWER_ALLOW);
  g_assert_true (guard_plan_verify (&verdict->plan, &fake->files, NULL));
  fake_files_add_link (fake, "src/b.c", "/etc/passwd");
  g_assert_false (guard_plan_verify (&verdict->plan, &fake->files, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/verify/same", test_same);
  g_test_add_func ("/guard/verify/absent", test_absent);
  g_test_add_func ("/guard/verify/large", test_large);
  g_test_add_func ("/guard/verify/binary", test_binary);
  g_test_add_func ("/guard/verify/glob", test_glob);
  return g_test_run ();
}

/* Programs that start another: what they start is what counts, ten levels deep.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

#include <string.h>

static const struct
{
  const char *wrapper;
  gboolean words; /* it takes one string */
} wrappers[] = {
  { "env " },
  { "env -i A=1 " },
  { "env -u A -- " },
  { "time " },
  { "time -p " },
  { "/usr/bin/time -v " },
  { "nice " },
  { "nice -n 5 " },
  { "ionice -c 3 " },
  { "timeout 10 " },
  { "timeout -k 5 10s " },
  { "stdbuf -oL " },
  { "command " },
  { "command -p " },
  { "builtin command " },
  { "xargs " },
  { "xargs -n1 -P2 " },
  { "strace -f " },
  { "ltrace " },
  { "valgrind " },
  { "flock x.lock " },
  { "xvfb-run -a " },
  { "dbus-run-session -- " },
  { "npx " },
  { "npx -y " },
  { "npm exec -- " },
  { "pnpm exec " },
  { "pnpm dlx " },
  { "yarn exec " },
  { "bunx " },
  { "bundle exec " },
  { "poetry run " },
  { "uv run " },
  { "pipenv run " },
  { "uvx " },
  { "find . -exec " },
  { "parallel " },
  { "cross-env A=1 " },
  { "dotenv -- " },
  { "unbuffer " },
  { "caffeinate " },
  { "chronic " },
  { "ifne " },
  { "catchsegv " },
  { "hyperfine ", TRUE },
  { "env -S ", TRUE },
  { "watchexec " },
  { "entr " },
};

static GuardVerdict *
read_in (Unit *unit, const char *line)
{
  return guard_read (line, strlen (line), &unit->scope, &unit->fake->files);
}

/* Whatever the wrapper is, what it starts is refused for it. */
static void
test_refused (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (wrappers); i++)
    {
      g_autoptr (Unit) unit = unit_new (":");
      g_autofree char *line = g_strdup_printf (wrappers[i].words ? "%s'%s'" : "%s%s",
                                               wrappers[i].wrapper, "git push --force");
      g_autoptr (GuardVerdict) verdict = read_in (unit, line);

      unit_assert (line, guard_answer_to_string (verdict->answer), "refuse");
    }
}

/* Those that end by themselves and say nothing of their own pass on what is asked and allowed. */
static void
test_passed_on (void)
{
  static const char *const plain[] = { "env ",        "time ",    "nice -n 5 ",    "timeout 10 ",
                                       "stdbuf -oL ", "command ", "npx ",          "bundle exec ",
                                       "poetry run ", "uv run ",  "flock x.lock ", "xvfb-run -a " };

  for (gsize i = 0; i < G_N_ELEMENTS (plain); i++)
    {
      g_autoptr (Unit) unit = unit_new (":");
      g_autofree char *ask = g_strdup_printf ("%srm -rf build", plain[i]);
      g_autofree char *allow = g_strdup_printf ("%sls src", plain[i]);
      g_autoptr (GuardVerdict) asked = read_in (unit, ask);
      g_autoptr (GuardVerdict) allowed = read_in (unit, allow);

      unit_assert (ask, guard_answer_to_string (asked->answer), "ask");
      unit_assert (allow, guard_answer_to_string (allowed->answer), "allow");
      /* What is remembered is what runs, never the wrapper. */
      if (asked->findings->len > 0)
        unit_assert (ask, ((GuardFinding *) asked->findings->pdata[0])->kind, "delete files");
    }
}

static void
test_levels (void)
{
  for (guint n = 0; n <= GUARD_MAX_WRAPPERS + 2; n++)
    {
      g_autoptr (Unit) unit = unit_new (":");
      g_autoptr (GString) line = g_string_new (NULL);
      g_autoptr (GuardVerdict) verdict = NULL;

      for (guint i = 0; i < n; i++)
        g_string_append (line, "nice ");
      g_string_append (line, "ls");
      verdict = read_in (unit, line->str);
      g_test_message ("%u wrappers", n);
      g_assert_cmpstr (guard_answer_to_string (verdict->answer), ==,
                       n <= GUARD_MAX_WRAPPERS ? "allow" : "refuse");
      if (n > GUARD_MAX_WRAPPERS)
        g_assert_cmpstr (((GuardFinding *) verdict->findings->pdata[0])->rule, ==,
                         "limits.wrappers");
    }
}

/* A wrapper doesn't change how long the command may run. */
static void
test_time (void)
{
  static const char *const lines[] = { "npm test", "time npm test", "env A=1 nice npm test",
                                       "xvfb-run -a npm test" };
  g_autoptr (Unit) unit = unit_new (":");
  g_autoptr (GuardVerdict) brief = read_in (unit, "time ls");

  g_assert_cmpint (brief->time_class, ==, GUARD_TIME_SHORT);
  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GuardVerdict) verdict = read_in (unit, lines[i]);

      g_test_message ("%s", lines[i]);
      g_assert_cmpint (verdict->time_class, ==, GUARD_TIME_LONG);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/wrappers/refused", test_refused);
  g_test_add_func ("/guard/wrappers/passed-on", test_passed_on);
  g_test_add_func ("/guard/wrappers/levels", test_levels);
  g_test_add_func ("/guard/wrappers/time", test_time);
  return g_test_run ();
}

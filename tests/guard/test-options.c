/* How a program's words are read: clusters, glued and separate values, abbreviations, `--`, levels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

#include <string.h>

/* "levels; options with their values; operands; where a command begins" */
static const struct
{
  const char *line;
  const char *read;
} cases[] = {
  { "rm -rf a b", "rm; -r -f; a b; " },
  { "rm -r -- -f", "rm; -r; -f; " },
  { "rm a -f", "rm; -f; a; " },
  { "rm --rec --forc x", "rm; -r -f; x; " },
  { "cp -t dir a", "cp; -t=dir; a; " },
  { "cp -tdir a", "cp; -t=dir; a; " },
  { "cp --target-directory=dir a", "cp; -t=dir; a; " },
  { "cp --target dir a", "cp; -t=dir; a; " },
  { "cp -rt dir a", "cp; -r -t=dir; a; " },
  { "head -n 5 a", "head; -n=5; a; " },
  { "head -n5 a", "head; -n=5; a; " },
  { "git -C sub -c a.b=c status -s", "git status; -C=sub -c=a.b=c -s;; " },
  { "git reset --har", "git reset; --hard;; " },
  { "git push -fu origin main", "git push; -f=u; origin main; " },
  { "git push -- -f", "git push;; -f; " },
  { "git --no-pager log -5", "git log; -P -5;; " },
  { "git stash push -m x", "git stash push; -m=x;; " },
  { "git unknown -x", "git *; -x;; " },
  { "find . -name '*.c' -type f", "find; -name=*.c -type=f; .; " },
  { "find a b -maxdepth 2", "find; -maxdepth=2; a b; " },
  { "timeout -k 5 10 rm x", "timeout; -k=5; 10; rm x" },
  { "env -i A=1 rm -rf x", "env; -i; A=1; rm -rf x" },
  { "nice -n 5 make", "nice; -n=5;; make" },
  { "xargs -n1 -I{} rm {}", "xargs; -n=1 -I={};; rm {}" },
  { "npm --prefix web run build", "npm run; --prefix=web; build; " },
  { "npm run build --prefix web", "npm run; --prefix=web; build; " },
  { "docker compose -f a.yml up -d", "docker compose up; -f=a.yml -d;; " },
  { "tar xzf a.tgz -C d", "tar; -x -z -f=a.tgz -C=d;; " },
  { "tar -xzf a.tgz", "tar; -x -z -f=a.tgz;; " },
  { "dd if=a of=b", "dd;; if=a of=b; " },
  { "python3 -m pytest -q", "python3; -m=pytest; -q; " },
  { "python3 a.py -c x", "python3;; a.py -c x; " },
  { "sed -i.bak s/a/b/ x", "sed; -i=.bak; s/a/b/ x; " },
  { "sed -i s/a/b/ x", "sed; -i; s/a/b/ x; " },
  { "grep --color=always x", "grep; --color=always; x; " },
  { "cat - a", "cat;; - a; " },
};

static char *
read_of (Unit *unit, const GArray *args)
{
  const GuardArg *words = (const GuardArg *) (gconstpointer) args->data;
  const GuardProgram *program = guard_rules_program (words[0].text);
  GString *out = g_string_new (NULL);
  GuardParsed parsed;

  g_assert_nonnull (program);
  guard_options_parse (&unit->context, program, words, args->len, &parsed);
  parsed.names[0] = words[0].text;
  for (guint i = 0; i < parsed.n_levels; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? " " : "",
                            i == 0                                      ? words[0].text
                            : strcmp (parsed.levels[i]->name, "*") == 0 ? "*"
                                                                        : parsed.names[i]);
  g_string_append_c (out, ';');
  for (guint i = 0; i < parsed.given->len; i++)
    {
      const GuardGiven *given = &g_array_index (parsed.given, GuardGiven, i);

      g_string_append_printf (out, " %s%s%s",
                              given->option != NULL ? given->option->name : given->spelling,
                              given->value != NULL ? "=" : "",
                              given->value != NULL ? given->value : "");
    }
  g_string_append_c (out, ';');
  for (guint i = 0; i < parsed.operands->len; i++)
    g_string_append_printf (out, " %s", g_array_index (parsed.operands, GuardArg, i).text);
  g_string_append_c (out, ';');
  for (guint i = parsed.rest; parsed.rest > 0 && i < args->len; i++)
    g_string_append_printf (out, " %s", words[i].text);
  guard_parsed_clear (&parsed);
  return g_string_free (out, FALSE);
}

static void
test_reads (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Unit) unit = unit_new (cases[i].line);
      g_autoptr (GArray) args = unit_args (unit, unit_last (unit));
      g_autofree char *read = read_of (unit, args);
      g_autofree char *expected = g_strchomp (g_strdup (cases[i].read));

      unit_assert (cases[i].line, g_strchomp (read), expected);
    }
}

static void
test_durations (void)
{
  static const struct
  {
    const char *text;
    double seconds;
  } durations[] = { { "5", 5 },    { "0.5", 0.5 },       { "2s", 2 },
                    { "3m", 180 }, { "1h", 3600 },       { "1d", 86400 },
                    { "", 1e12 },  { "infinity", 1e12 }, { "\001", 0 } };

  for (gsize i = 0; i < G_N_ELEMENTS (durations); i++)
    if (strcmp (durations[i].text, "infinity") == 0)
      g_assert_cmpfloat (guard_duration (durations[i].text), >, 1e9);
    else
      g_assert_cmpfloat (guard_duration (durations[i].text), ==, durations[i].seconds);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/options/reads", test_reads);
  g_test_add_func ("/guard/options/durations", test_durations);
  return g_test_run ();
}

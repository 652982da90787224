/* What words stand for: parameters, substitutions, quotes, braces, globs, arithmetic.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

/* A line whose last command is `: WORDS`, and the fields its words become. */
static const struct
{
  const char *line;
  const char *fields; /* with " | " between */
  const char *rules;
} cases[] = {
  { ": a 'b c' \"d\"e f\\ g", "a | b c | de | f g", "" },
  { ": ''", "", "" },
  { "x=a; : $x \"$x\" ${x} x$x", "a | a | a | xa", "" },
  { "x='a b'; : $x \"$x\"", "a | b | a b", "" },
  { "x=; : $x \"$x\" a", " | a", "" },
  { "unset y; : $y a", "a", "" },
  { ": $nobody", "<unknown>", "" },
  { ": \"$nobody\"/x", "<unknown>/x", "" },
  { "x=a; x=b; : $x", "b", "" },
  { "x=a; y=$x$x; : $y", "aa", "" },
  { "x='a b'; y=$x; : $y", "a | b", "" },
  { "y=$(echo a b); : $y", "a | b", "" },
  { "a=(p q); y=${a[@]}; : $y", "p | q", "" },
  { "x=a; x+=b; : $x", "ab", "" },
  { "x=a y=b; : $x$y", "ab", "" },
  { ": ${q:-d}", "<unknown>", "" },
  { "q=; : ${q:-d}", "d", "" },
  { "q=v; : ${q:-d} ${q:+e} ${q#v} ${#q}", "v | e | <word>", "" },
  { "q=a.tar.gz; : ${q%.gz} ${q%%.*} ${q#*.} ${q##*.}", "a.tar | a | tar.gz | gz", "" },
  { "q=abc; : ${q/b/x} ${q:1:1}", "axc | b", "" },
  { "a=(x 'y z'); : \"${a[@]}\"", "x | y z", "" },
  { "a=(x y); a+=(z); : \"${a[@]}\"", "x | y | z", "" },
  { "a=(git push); : \"${a[0]}\"", "git", "" },
  { ": $(pwd)/a", FAKE_PROJECT "/a", "" },
  { ": $(echo hi)", "hi", "" },
  { ": `echo hi`", "hi", "" },
  { ": $(echo 'a b')", "a | b", "" },
  { ": \"$(echo 'a b')\"", "a b", "" },
  { ": $(nproc)", "<word>", "" },
  { ": \"$(date +%F)\"", "<word>", "" },
  { ": $(mktemp)", "<mktemp>", "" },
  { ": $TMPDIR/x", "<scratch>/x", "" },
  { ": $HOME/x ~/x ~", "/home/person/x | /home/person/x | /home/person", "" },
  { ": $PWD", FAKE_PROJECT, "" },
  { ": $((1+2)) $RANDOM", "<word> | <word>", "" },
  { ": $((a[$(id)]))", "<word>", "shell.arithmetic" },
  { ": {a,b}{1,2}", "a1 | a2 | b1 | b2", "" },
  { ": {1..3}", "1 | 2 | 3", "" },
  { ": '{a,b}' {a} {}", "{a,b} | {a} | {}", "" },
  { "x=1; : {$x,b}", "1 | b", "" },
  { ": *.c a?c [ab]c '*' \\*", "<*>.c | a<?>c | <[ab]>c | * | *", "" },
  { "x='*'; : $x \"$x\"", "<*> | *", "" },
  { ": $'a\\tb' $'\\x41'", "a\tb | A", "" },
  { ": $'\\001'", "<unknown>", "" },
  { ": \"a\\\nb\"", "ab", "" },
  { ": <(ls)", "/dev/fd/63", "" },
  { "set -- a b; : $1 $2 \"$@\" $#", "a | b | a | b | <word>", "" },
  { "read x <<< v; : $x", "v", "" },
  { "export x=v; : $x", "v", "" },
  { "declare x=v; : $x", "v", "" },
  { "x=a; (x=b); : $x", "a", "" },
  { "x=a; { x=b; }; : $x", "b", "" },
  { "f() { x=c; }; x=a; f; : $x", "c", "" },
  { "for x in p q; do :; done; : $x", "q", "" },
  { "printf -v x %s lit; : \"$x\"", "<unknown>", "" },
  { "x=PATH; : ${!x}", "<unknown>", "shell.indirect" },
  { "x=a; : ${x@P}", "<unknown>", "shell.indirect" },
};

static void
test_fields (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Unit) unit = unit_new (cases[i].line);
      g_autoptr (GArray) args = unit_args (unit, unit_last (unit));
      g_autoptr (GString) out = g_string_new (NULL);
      g_autofree char *rules = unit_rules (unit);

      for (guint j = 1; j < args->len; j++)
        {
          g_autofree char *shown = unit_shown (g_array_index (args, GuardArg, j).text);

          g_string_append_printf (out, "%s%s", j > 1 ? " | " : "", shown);
        }
      unit_assert (cases[i].line, out->str, cases[i].fields);
      unit_assert (cases[i].line, rules, cases[i].rules);
    }
}

static void
test_one (void)
{
  /* One text, as in an assignment: neither split nor matched against names. */
  static const char *const lines[][2] = {
    { "x='a b'; y=$x; : \"$y\"", "a b" },
    { "y=*; : \"$y\"", "*" },
    { "y=$(echo a b); : \"$y\"", "a b" },
    { "a=(p 'q r'); y=${a[@]}; : \"$y\"", "p q r" },
    { "a=(p q); y=\"${a[*]}\"; : \"$y\"", "p q" },
    { "set -- p q; y=$*; : \"$y\"", "p q" },
    { "y={a,b}; : \"$y\"", "{a,b}" },
    { "y=~/x; : \"$y\"", "/home/person/x" },
    { "y=a:~; : \"$y\"", "a:/home/person" },
    { "y='~'; : \"$y\"", "~" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (Unit) unit = unit_new (lines[i][0]);
      g_autoptr (GArray) args = unit_args (unit, unit_last (unit));
      g_autofree char *shown = NULL;

      g_assert_cmpuint (args->len, ==, 2);
      shown = unit_shown (g_array_index (args, GuardArg, 1).text);
      unit_assert (lines[i][0], shown, lines[i][1]);
    }
}

static void
test_numbers (void)
{
  static const char *const yes[] = { "0", "12", "-3", "+4", "\002" };
  static const char *const no[] = { "", "-", "1a", "a", "1.5", "\001" };

  for (gsize i = 0; i < G_N_ELEMENTS (yes); i++)
    g_assert_true (guard_is_number (yes[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (no); i++)
    g_assert_false (guard_is_number (no[i]));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/value/fields", test_fields);
  g_test_add_func ("/guard/value/one", test_one);
  g_test_add_func ("/guard/value/numbers", test_numbers);
  return g_test_run ();
}

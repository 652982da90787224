/* The reader: what it refuses, where things stand in the text, and its limits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>
#include <string.h>

#include "guard-tree.h"
#include "guard.h"

static const struct
{
  const char *text;
  const char *rule;
} refused[] = {
  { "[[ a\n"
    "&& b ||\n"
    "c ]]",
    "reader.syntax" },
  { "cat <<E\n"
    "a\\\n"
    "b\n"
    "E\\",
    "reader.heredoc" },
  { "a | ! b", "reader.syntax" },
  { ";", "reader.syntax" },
  { "a ;; b", "reader.syntax" },
  { ")", "reader.syntax" },
  { "}", "reader.syntax" },
  { "fi", "reader.syntax" },
  { "in", "reader.syntax" },
  { "{ a }", "reader.unfinished" },
  { "{a; }", "reader.syntax" },
  { "( )", "reader.syntax" },
  { "if a; then fi", "reader.syntax" },
  { "f( a", "reader.syntax" },
  { "a ( b )", "reader.syntax" },
  { "a b() { c; }", "reader.syntax" },
  { "echo @(a|b)", "reader.syntax" },
  { "case x in @(a)) b;; esac", "reader.syntax" },
  { "[[ ]]", "reader.syntax" },
  { "[[ -f ]]", "reader.syntax" },
  { "[[ a b ]]", "reader.syntax" },
  { "[[ a -eq ]]", "reader.unfinished" },
  { "[[ a == b c ]]", "reader.syntax" },
  { "a &&", "reader.unfinished" },
  { "a |", "reader.unfinished" },
  { "&& a", "reader.syntax" },
  { "a & & b", "reader.syntax" },
  { "a &; b", "reader.syntax" },
  { "a ; ; b", "reader.syntax" },
  { "'a", "reader.unfinished" },
  { "\"a", "reader.unfinished" },
  { "`a", "reader.unfinished" },
  { "$(a", "reader.unfinished" },
  { "${a", "reader.unfinished" },
  { "$((a", "reader.unfinished" },
  { "((a", "reader.unfinished" },
  { "$((a)", "reader.unfinished" },
  { "cat <<E\n"
    "a",
    "reader.heredoc" },
  { "cat <<", "reader.unfinished" },
  { "a >", "reader.unfinished" },
  { "a > > b", "reader.syntax" },
  { "a >&", "reader.unfinished" },
  { "a <<<", "reader.unfinished" },
  { "if() { a; }", "reader.syntax" },
  { "f() a", "reader.syntax" },
  { "f() { a; } b", "reader.syntax" },
  { "{ a; } b", "reader.syntax" },
  { "(a) b", "reader.syntax" },
  { "x=(a b", "reader.unfinished" },
  { "x=(a;b)", "reader.syntax" },
  { "x= (a)", "reader.syntax" },
  { "x=a(b)", "reader.syntax" },
  { "for x in a; do b; done; do c; done", "reader.syntax" },
  { "declare x=a(b)", "reader.syntax" },
  { "foo x=(1)", "reader.syntax" },
  { "\"declare\" x=(1)", "reader.syntax" },
  { "a \"${x:-$'b'}\"", "reader.ambiguous" },
  { "a \"${x:-it's}\" c'", "reader.ambiguous" },
  { "a ${#x:-1}", "reader.expansion" },
  { "a ${x.y}", "reader.expansion" },
  { "a ${}", "reader.expansion" },
  { "a ${x y}", "reader.expansion" },
  { "echo $(( 1 + ( 2 ) ) )", "reader.inner" },
  { "(( 1 + ( 2 ) ) )", "reader.syntax" },
  { "((a)) b", "reader.syntax" },
  { "((a) b)", "reader.syntax" },
  { "a[b", "reader.unfinished" },
  { "a <<E\n"
    "$(b\n"
    "E",
    "reader.inner" },
  { "echo \"$(cat <<E\n"
    "Ex)\n"
    "E\n"
    ")\"",
    "reader.ambiguous" },
  { "echo $(cat <<E)\n"
    "x\n"
    "E",
    "reader.heredoc" },
  { "a >2>|b", "reader.syntax" },
  { "a >{fd}>b", "reader.syntax" },
  { "x=(a)b", "reader.ambiguous" },
  { "export x=(a)$b", "reader.ambiguous" },
  { "[[ ( {fd}> a ) ]]", "reader.syntax" },
  { "[[ 1<2 ]]", "reader.syntax" },
  { "a | ]] b", "reader.syntax" },
  { "a <<<23>b", "reader.syntax" },
  { "a \"${x:$\"p\"}\"", "reader.ambiguous" },
  { "a $(( $\"p\" ))", "reader.ambiguous" },
  { "a $(( $`b` ))", "reader.ambiguous" },
  { "a $[ 1 ) ]", "reader.ambiguous" },
  { "a $(( \"$\"b ))", "reader.ambiguous" },
  { "", "reader.blank" },
  { " \t\n", "reader.blank" },
  { "a\rb", "reader.control" },
  { "a\033b", "reader.control" },
  { "a\177b", "reader.control" },
  { "a \xff", "reader.utf8" },
  { "echo \xc3", "reader.utf8" },
  { "echo ${ cmd; }", "reader.expansion" },
  { "echo $'\\x{41}'", "reader.ambiguous" },
  { "echo \"${x:-'}'}\"", "reader.ambiguous" },
  { "echo \"${x:-'$(a)'}\"", "reader.ambiguous" },
  { "echo ${x:-<(a)}", "reader.ambiguous" },
  { "echo `a ; ;`", "reader.inner" },
  { "a <<$'x\\ny'\nb\n", "reader.ambiguous" },
};

static void
test_refused (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GuardTree) tree = guard_tree_read (refused[i].text, strlen (refused[i].text));
      const GuardReadError *error = guard_tree_get_error (tree);
      g_autofree char *shown = g_strescape (refused[i].text, NULL);

      g_test_message ("%s", shown);
      g_assert_nonnull (error);
      g_assert_cmpstr (error->rule, ==, refused[i].rule);
      g_assert_nonnull (error->message);
      g_assert_cmpuint (error->span.start, <=, error->span.end);
      g_assert_cmpuint (error->span.end, <=, strlen (refused[i].text));
      g_assert_null (guard_tree_get_root (tree));
    }
}

/* Lines of the dump that must be there, each with its span. */
static const struct
{
  const char *text;
  const char *dump;
} dumps[] = {
  { "ls -l", "simple [0,5)\n  word [0,2)\n    literal [0,2) text=\"ls\"\n"
             "  word [3,5)\n    literal [3,5) text=\"-l\"\n" },
  { "\"git\">/dev/null push", "word [0,5) quoted\n    literal [1,4) quoted text=\"git\"\n"
                              "  word [16,20)\n    literal [16,20) text=\"push\"\n"
                              "  redirection [5,15) >\n    target [6,15)\n" },
  { "git re\\\nset", "literal [4,11) text=\"reset\"" },
  { "echo \"$\\\n(cmd)\"", "command [6,14) quoted\n      simple [10,13)" },
  { "a `b \\`c\\``", "command [2,11) op=\"`\"\n      simple [3,10)" },
  { "cat <<E\nx $y\nE\n", "target [8,13) quoted\n      literal [8,10) quoted text=\"x \"\n"
                          "      parameter [10,12) quoted name=\"y\"" },
  { "a && b; c &", "list [0,11)\n  simple [0,1)" },
  { "x=1 y+=(2) cmd", "assignment [0,3) name=\"x\"\n" },
  { "x=1 y+=(2) cmd", "assignment [4,10) name=\"y\" append array\n" },
  { "[[ a == 'b' ]]", "word [5,7)\n    literal [5,7) text=\"==\" op=\"==\"\n" },
  { "[[ '==' ]]", "literal [3,7) quoted text=\"==\"\n" },
  { "for i in a; do b; done", "for [0,22) name=\"i\"\n  word [9,10)" },
  { "${!x}", "parameter [0,5) name=\"x\" op=\"!\"\n" },
  { "${x@P}", "parameter [0,6) name=\"x\" op=\"@P\"\n" },
  { "${!x@P}", "op=\"!@P\"\n" },
  { "${#x[@]}", "name=\"x\" op=\"#len\"\n      subscript [5,6)" },
  { "${x/a/b}", "op=\"/\"\n      operand [4,5)\n        literal [4,5) text=\"a\"\n"
                "      operand2 [6,7)" },
  { "${x:1:2}", "op=\":\"\n      operand [4,5)" },
  { "a[$(b)]=c", "assignment [0,9) name=\"a\"\n    subscript [2,6)\n      command [2,6)" },
  { "{a,b*}", "brace [0,6)\n      alternative [1,2)" },
  { "~u/x", "tilde [0,2) text=\"u\"\n    literal [2,4) text=\"/x\"" },
  { "time -p a | b", "pipeline [0,13) time -p\n" },
  { "coproc a", "coproc [0,8)\n  simple [7,8)" },
  { "a |& b", "|&\n" },
  { "a >& b", "redirection [2,6) &>" },
  { "a >&2", "redirection [2,5) >&\n" },
  { "a {v}>b", "redirection [2,7) > fd=\"v\"" },
  { "a <<-E\n\tx\n\tE\n", "text=\"x\\n\"" },
  { "printf -v 'a[$(b)]' c", "literal [10,19) quoted text=\"a[$(b)]\"" },
  { "echo $((x[$(a)]))", "arithmetic [5,17)" },
  { "ls # a \\\nrm", "simple [9,11)" },
};

static void
test_dump (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (dumps); i++)
    {
      g_autoptr (GuardTree) tree = guard_tree_read (dumps[i].text, strlen (dumps[i].text));
      g_autofree char *dump = guard_tree_dump (tree);
      g_autofree char *shown = g_strescape (dump, NULL);

      g_test_message ("%s", shown);
      g_assert_null (guard_tree_get_error (tree));
      g_assert_nonnull (strstr (dump, dumps[i].dump));
    }
}

static char *
repeat (const char *open, const char *middle, const char *close, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (text, open);
  g_string_append (text, middle);
  for (guint i = 0; i < n; i++)
    g_string_append (text, close);
  return g_string_free (text, FALSE);
}

static void
assert_rule (const char *text, const char *rule)
{
  g_autoptr (GuardTree) tree = guard_tree_read (text, strlen (text));
  const GuardReadError *error = guard_tree_get_error (tree);

  g_test_message ("%.60s", text);
  g_assert_cmpstr (error ? error->rule : NULL, ==, rule);
}

static void
test_nesting (void)
{
  static const struct
  {
    const char *open, *middle, *close;
  } shapes[] = {
    { "$(", "a", ")" },
    { "(", "a", ")" },
    { "( ", "a", " )" },
    { "{ ", "a", "; }" },
    { "${x:-", "a", "}" },
    { "\"$(", "a", ")\"" },
    { "if a; then ", "b", "; fi" },
    { "while a; do ", "b", "; done" },
    { "f() { ", "a", "; }" },
    { "<(", "a", ")" },
    { "$((", "1", "))" },
    { "{a,", "b", "}" },
    { "case a in b) ", "c", " ;; esac" },
    { "coproc ", "a", "" },
    { "a[$(", "b", ")]=c" },
    { "x=(", "a", ")" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *few = repeat (shapes[i].open, shapes[i].middle, shapes[i].close, 12);
      g_autofree char *many = repeat (shapes[i].open, shapes[i].middle, shapes[i].close, 2000);
      g_autoptr (GuardTree) tree = guard_tree_read (many, strlen (many));

      if (shapes[i].open[0] != 'x' && shapes[i].open[1] != '(')
        assert_rule (few, NULL);
      g_test_message ("%s", shapes[i].open);
      g_assert_nonnull (guard_tree_get_error (tree));
      if (shapes[i].open[0] != 'x')
        g_assert_cmpstr (guard_tree_get_error (tree)->rule, ==, "limits.nesting");
    }
}

static void
test_sizes (void)
{
  g_autofree char *longest = g_strnfill (GUARD_MAX_LENGTH, 'a');
  g_autofree char *longer = g_strnfill (GUARD_MAX_LENGTH + 1, 'a');
  g_autofree char *words = repeat ("a ", "", "", GUARD_MAX_WORDS);
  g_autofree char *more = repeat ("a ", "", "", GUARD_MAX_WORDS + 1);
  g_autoptr (GuardTree) nul = guard_tree_read ("a\0b", 3);

  assert_rule (longest, NULL);
  assert_rule (longer, "limits.length");
  assert_rule (words, NULL);
  assert_rule (more, "limits.words");
  g_assert_cmpstr (guard_tree_get_error (nul)->rule, ==, "reader.control");
}

/* Shapes that make readers slow; the limit is generous, the growth is measured by the bench. */
static void
test_hostile (void)
{
  static const char *const shapes[] = {
    "$((",   "((",    "$(",  "`",  "{",    "{a,", "[",   "a[",         "\"$(", "${x:-", "\\\n",
    "<<E\n", "a<<E;", "a=(", "*a", "$a",   "'",   "\\`", "(( ",        "@(",   "!",     "[[ ",
    "{a..",  "~",     "a\n", "$[", "\"${", "; ",  "a|",  "case a in ", "<(",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *text = repeat (shapes[i], "", "", GUARD_MAX_LENGTH / strlen (shapes[i]));
      gint64 start = g_get_monotonic_time ();
      g_autoptr (GuardTree) tree = guard_tree_read (text, strlen (text));

      g_test_message ("%s: %" G_GINT64_FORMAT " us", shapes[i], g_get_monotonic_time () - start);
      g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_TIME_SPAN_SECOND);
      /* Nothing but continuations is nothing at all. */
      g_assert_true (guard_tree_get_error (tree) || guard_tree_get_root (tree) ||
                     g_str_equal (shapes[i], "\\\n"));
    }
}

static void
test_literal (void)
{
  static const struct
  {
    const char *text;
    const char *literal;
  } words[] = {
    { "a'b c'\"d\"\\ e", "ab cd e" },
    { "''", "" },
    { "a$x", NULL },
    { "*", NULL },
    { "~", NULL },
    { "{a,b}", NULL },
    { "{}", "{}" },
    { "[", "[" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (GuardTree) tree = guard_tree_read (words[i].text, strlen (words[i].text));

      g_assert_cmpstr (guard_word_literal (tree, guard_tree_get_root (tree)->words[0]), ==,
                       words[i].literal);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/reader/refused", test_refused);
  g_test_add_func ("/guard/reader/dump", test_dump);
  g_test_add_func ("/guard/reader/nesting", test_nesting);
  g_test_add_func ("/guard/reader/sizes", test_sizes);
  g_test_add_func ("/guard/reader/hostile", test_hostile);
  g_test_add_func ("/guard/reader/literal", test_literal);
  return g_test_run ();
}

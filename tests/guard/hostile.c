/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hostile.h"

#include <string.h>

#define TEN(text) text text text text text text text text text text
#define LONG TEN (TEN ("bbbbbbbbbb"))
#define WORDS TEN (TEN (TEN ("b ")))
#define SETS TEN (TEN (TEN ("[")))

const Hostile hostile_kinds[] = {
  { "commands: a;", "", "a;", "", "", "" },
  { "commands: git status &&", "", "git status && ", "", "", "ls" },
  { "commands, one on a line", "", "ls -la\n", "", "", "" },
  { "background jobs", "", "a & ", "", "", "wait" },
  { "one long word", "echo ", "a", "", "", "" },
  { "one long quoted word", "echo '", "a", "", "", "'" },
  { "one long name", "", "a", "", "", "" },
  { "words of one letter", "echo ", "a ", "", "", "" },
  { "words to delete", "rm ", "abcdef/ ", "", "", "" },
  { "words that repeat an option", "git log ", "--stat ", "", "", "" },
  { "braces in a row", "echo ", "{a,b}", "", "", "" },
  { "braces in a row, one item each", "echo ", "{1..1}", "", "", "" },
  { "one brace of many", "echo {", "a,", "", "", "}" },
  { "open braces", "echo ", "{", "", "", "" },
  { "braces in braces", "echo ", "{a,", "b", "}", "" },
  { "big sequences", "echo ", "{1..99999} ", "", "", "" },
  { "open brackets", "", "(", "", "", "" },
  { "brackets", "", "(", "a", ")", "" },
  { "groups", "", "{ ", "a; ", "} ", "" },
  { "open substitutions", "", "$(", "", "", "" },
  { "substitutions", "echo ", "$(echo ", "a", ")", "" },
  { "substitutions in a row", "echo ", "$(echo a) ", "", "", "" },
  { "quoted substitutions", "echo ", "\"$(echo ", "a", ")\"", "" },
  { "as deep as allowed, again and again", "", "echo $(echo $(echo $(echo $(echo $(echo a)))));",
    "", "", "" },
  { "defaults in defaults", "echo ", "${x:-", "a", "}", "" },
  { "defaults in a row", "echo ", "${x:-a}", "", "", "" },
  { "patterns of parameters", "echo ", "${x//a/b}", "", "", "" },
  { "backquotes", "", "`", "", "", "" },
  { "backquotes in a row", "echo ", "`a` ", "", "", "" },
  { "arithmetic", "echo $((", "1+(", "1", ")", "))" },
  { "arithmetic in a row", "echo ", "$((1+1)) ", "", "", "" },
  { "let", "", "let a=a+1;", "", "", "" },
  { "backslashes", "echo ", "\\", "", "", "" },
  { "open quote", "echo '", "\"", "", "", "" },
  { "empty quotes", "echo ", "''", "", "", "" },
  { "quotes of dollars", "echo ", "$'\\x41'", "", "", "" },
  { "pipes", "cat", "|cat", "", "", "" },
  { "redirections", "cat", " >a", "", "", "" },
  { "heredocs", "cat", " <<a", "\n", "a\n", "" },
  { "here-strings", "cat", " <<<a", "", "", "" },
  { "process substitutions", "cat ", "<(a) ", "", "", "" },
  { "assignments", "", "a=b ", "", "", "c" },
  { "an array", "a=(", "b ", "", "", ")" },
  { "variables that double", "a=b;", "a=$a$a;", "", "", "echo $a" },
  { "variables of their own", "", "a=$b;b=$a;", "", "", "" },
  { "a variable that doubles, quoted", "a=b;", "a=\"$a$a\";", "", "", "ls \"$a\"" },
  { "an array that doubles", "a=(b c);", "a=(\"${a[@]}\" \"${a[@]}\");", "", "", "ls ${a[@]}" },
  { "a variable that adds to itself", "a=bbbbbbbb;", "a+=$a;", "", "", "ls $a" },
  { "a variable that replaces itself", "a=bbbbbbbb;", "a=${a//b/$a};", "", "", "ls $a" },
  { "a variable that prints itself", "a=bbbbbbbb;", "a=$(printf %s%s $a $a);", "", "", "ls $a" },
  { "a variable that echoes itself", "a=bbbbbbbb;", "a=$(echo $a $a);", "", "", "ls $a" },
  { "stripped from the end", "a=" LONG ";", "b=${a%%*c};", "", "", "ls $b" },
  { "stripped from the start", "a=" LONG ";", "b=${a##c*};", "", "", "ls $b" },
  { "elements of an array", "a=(" WORDS ");", "b=${a[1]};", "", "", "ls $b" },
  { "a long variable, again and again", "a=" LONG ";", "$a ", "", "", "" },
  { "open sets in a variable", "a='" SETS "';", "b=$a;", "", "", "ls $a" },
  { "cd into cd", "", "cd a;", "", "", "" },
  { "cd out", "", "cd ..;", "", "", "" },
  { "globs", "ls ", "*?[a]", "", "", "" },
  { "extended globs", "ls ", "@(a|", "a", ")", "" },
  { "open sets", "ls ", "[", "", "", "" },
  { "conditions", "[[ ", "-n a && ", "", "", "-n a ]]" },
  { "conditions in brackets", "[[ ", "( ", "-n a ", ") ", "]]" },
  { "if", "", "if a; then ", "b; ", "fi; ", "" },
  { "for", "", "for i in a; do ", "b; ", "done; ", "" },
  { "while", "", "while a; do ", "b; ", "done; ", "" },
  { "case, many patterns", "case a in ", "a|", "", "", "a) ls ;; esac" },
  { "case, many branches", "case a in ", "a) ls ;; ", "", "", "esac" },
  { "functions", "", "f(){ f; };", "", "", "" },
  { "functions, each with a name", "f(){ a; };", "f;", "", "", "" },
  { "negations", "", "! ", "", "", "a" },
  { "wrappers", "", "env ", "", "", "ls" },
  { "wrappers of different kinds", "", "nice timeout 9 stdbuf -oL ", "", "", "ls" },
  { "xargs of xargs", "", "xargs ", "", "", "ls" },
  { "find's commands", "find . ", "-exec ls {} ; ", "", "", "" },
  { "env's strings", "env -S '", "a ", "", "", "'" },
  { "eval", "", "eval ", "", "", "ls" },
  { "shells in shells", "", "bash -c ", "", "", "ls" },
  { "steps up", "cat ", "../", "", "", "a" },
  { "steps down", "cat ", "a/", "", "", "" },
  { "slashes", "cat ", "/", "", "", "" },
  { "newlines", "", "\n", "", "", "" },
  { "comments", "", "#\n", "", "", "" },
  { "continued lines", "echo ", "\\\n", "", "", "" },
  { "blanks", "echo", " ", "", "", "a" },
  { "control characters", "", "\001", "", "", "" },
  { "three-byte characters", "echo ", "\342\202\254", "", "", "" },
  { "broken UTF-8", "echo ", "\377", "", "", "" },
  { "sed's script", "sed '", "s/a/b/;", "", "", "' a" },
  { "awk's program", "awk '{", "print $1;", "", "", "}' a" },
  { "jq's filter", "jq '", ".a|", "", "", ".' a" },
  { "URLs", "curl ", "http://a.b/ ", "", "", "" },
  { "one long URL", "curl http://", "a.", "", "", "b/" },
  { "inline Python", "python3 -c '", "a=1;", "", "", "'" },
  { "inline Python, brackets", "python3 -c '", "(", "", ")", "'" },
  { "inline Node", "node -e '", "f(1);", "", "", "'" },
  { "git's settings", "git ", "-c a.b=c ", "", "", "status" },
  { "make's goals", "make ", "a ", "", "", "" },
  { "npm's names", "npm run ", "a:", "", "", "" },
  { "docker's mounts", "docker run ", "-v a:b ", "", "", "c" },
};
const guint n_hostile_kinds = G_N_ELEMENTS (hostile_kinds);

char *
hostile_text (const Hostile *kind, gsize length)
{
  gsize once = strlen (kind->begin) + strlen (kind->middle) + strlen (kind->end);
  gsize each = strlen (kind->unit) + strlen (kind->close);
  gsize count = length > once + each ? (length - once) / each : 1;
  GString *text = g_string_new (kind->begin);

  for (gsize i = 0; i < count; i++)
    g_string_append (text, kind->unit);
  g_string_append (text, kind->middle);
  for (gsize i = 0; i < count; i++)
    g_string_append (text, kind->close);
  g_string_append (text, kind->end);
  return g_string_free (text, FALSE);
}

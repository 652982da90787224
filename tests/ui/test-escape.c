/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-escape.h"
#include "perfica-findings.h"
#include "perfica-folder-tree.h"

typedef struct
{
  const char *text;
  gssize length;
  const char *escaped;
} Case;

static const Case commands[] = {
  { "git push", -1, "git push" },
  { "a\tb", -1, "a\\tb" },
  { "a\nb", -1, "a⏎\nb" },
  { "a\rb", -1, "a\\rb" },
  { "\033[2J", -1, "\\x1b[2J" },
  { "a\0b", 3, "a\\x00b" },
  { "x\xe2\x80\xaey", -1, "x\\u{202e}y" },
  { "x\xe2\x80\x8by", -1, "x\\u{200b}y" },
  { "x\xc2\xa0y", -1, "x\\u{00a0}y" },
  { "x\xe3\x85\xa4y", -1, "x\\u{3164}y" },
  { "x\xef\xb8\x8fy", -1, "x\\u{fe0f}y" },
  { "x\xffy", -1, "x\\xffy" },
  { "x\xe2\x80", -1, "x\\xe2\\x80" },
  { "grüß 日本", -1, "grüß 日本" },
  { "", -1, "" },
};

static void
test_commands (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr (PerficaEscaped) escaped =
          perfica_escape_new (PERFICA_ESCAPE_COMMAND, commands[i].text, commands[i].length, 0);

      g_assert_cmpstr (escaped->text, ==, commands[i].escaped);
      g_assert_true (g_utf8_validate (escaped->text, -1, NULL));
    }
}

static void
test_output (void)
{
  g_autoptr (PerficaEscaped) escaped =
      perfica_escape_new (PERFICA_ESCAPE_OUTPUT, "a\tb\nc\033[0m", -1, 0);

  g_assert_cmpstr (escaped->text, ==, "a\tb\nc\\x1b[0m");
}

static void
test_map (void)
{
  /* The mark over "push" moves by what the escape before it grew. */
  g_autoptr (PerficaEscaped) escaped =
      perfica_escape_new (PERFICA_ESCAPE_COMMAND, "a\xe2\x80\xae push", -1, 0);
  PerficaSpan span = perfica_escaped_map (escaped, 5, 9);
  g_autofree char *marked = g_strndup (escaped->text + span.start, span.end - span.start);
  PerficaSpan outside = perfica_escaped_map (escaped, 5, 10);
  PerficaSpan backwards = perfica_escaped_map (escaped, 6, 5);

  g_assert_cmpstr (marked, ==, "push");
  g_assert_cmpuint (outside.end, ==, 0);
  g_assert_cmpuint (backwards.end, ==, 0);
  g_assert_cmpuint (escaped->escapes->len, ==, 1);
}

static void
test_limit (void)
{
  g_autoptr (PerficaEscaped) escaped =
      perfica_escape_new (PERFICA_ESCAPE_COMMAND, "0123456789", -1, 4);
  g_autofree char *line = perfica_escape_line (NULL, 10);

  g_assert_cmpstr (escaped->text, ==, "0123… (+6)");
  g_assert_cmpstr (line, ==, "");
}

static void
test_findings (void)
{
  g_autoptr (GPtrArray) found = perfica_findings_parse (
      "refuse git.force 9-16 It overwrites what others have.\nnonsense\nask x 5-4 Backwards.\n");
  PerficaFindingLine *first;

  g_assert_cmpuint (found->len, ==, 1);
  first = g_ptr_array_index (found, 0);
  g_assert_cmpstr (first->answer, ==, "refuse");
  g_assert_cmpstr (first->rule, ==, "git.force");
  g_assert_cmpuint (first->span.start, ==, 9);
  g_assert_cmpuint (first->span.end, ==, 16);
  g_assert_cmpstr (first->sentence, ==, "It overwrites what others have.");
}

static char *
draw (const char *own, const char *const *loops)
{
  g_autoptr (GPtrArray) lines = perfica_folder_tree ("site", own, loops);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < lines->len; i++)
    {
      PerficaFolderLine *line = g_ptr_array_index (lines, i);

      g_string_append_printf (text, "%u %s %s\n", line->depth, line->name,
                              line->writable ? "w" : "r");
    }
  return g_string_free (text, FALSE);
}

static void
test_tree (void)
{
  const char *loops[] = { ".", "packages/web", "packages/web/admin", "packages-old", NULL };
  g_autofree char *whole = draw (".", loops);
  g_autofree char *web = draw ("packages/web", loops);

  g_assert_cmpstr (whole, ==,
                   "0 site w\n1 .perfica r\n1 packages/web r\n2 admin r\n1 packages-old r\n");
  g_assert_cmpstr (web, ==,
                   "0 site r\n1 .perfica r\n1 packages/web w\n2 admin r\n1 packages-old r\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/escape/commands", test_commands);
  g_test_add_func ("/ui/escape/output", test_output);
  g_test_add_func ("/ui/escape/map", test_map);
  g_test_add_func ("/ui/escape/limit", test_limit);
  g_test_add_func ("/ui/findings/parse", test_findings);
  g_test_add_func ("/ui/folder-tree/loops", test_tree);
  return g_test_run ();
}

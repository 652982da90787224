/* What agents and developers run all day: none of it refused, asked only where the rules ask; and
 * lines of our own about what was uncertain. Each line: the answer, a tab, the command; with a `!`
 * behind the answer the command's C escapes are undone.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fake-files.h"
#include "guard.h"

#include <string.h>

static void
test_lines (gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "corpus", (const char *) data, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (FakeFiles) fake = fake_files_new ();
  GuardScope scope = { .project = FAKE_PROJECT,
                       .loop = ".",
                       .folder = ".",
                       .app_folder = ".perfica",
                       .home = "/home/person",
                       .bash_available = TRUE };
  guint wrong = 0;
  guint count = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  fake_files_add (fake, "src/main.c", "int main (void) { return 0; }\n");
  fake_files_add (fake, "package.json", "{\"name\":\"app\",\"scripts\":{\"test\":\"jest\"}}");
  fake_files_add (fake, "web/package.json", "{\"name\":\"web\"}");
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *command = strchr (lines[i], '\t');
      g_autofree char *escaped = NULL;
      g_autoptr (GuardVerdict) verdict = NULL;
      const char *answer;

      if (command == NULL)
        continue;
      if (command[-1] == '!')
        command = escaped = g_strcompress (command + 1);
      else
        command++;
      count++;
      verdict = guard_read (command, strlen (command), &scope, &fake->files);
      answer = guard_answer_to_string (verdict->answer);
      if (strncmp (lines[i], answer, strlen (answer)) != 0)
        {
          wrong++;
          g_test_message ("%s: answered %s: %s", lines[i], answer,
                          verdict->findings->len > 0
                              ? ((GuardFinding *) verdict->findings->pdata[0])->rule
                              : "");
        }
    }
  g_assert_cmpuint (count, >, 100);
  g_assert_cmpuint (wrong, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/guard/everyday", "everyday.txt", test_lines);
  g_test_add_data_func ("/guard/own", "own.txt", test_lines);
  return g_test_run ();
}

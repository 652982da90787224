/* Loops inside loops, a folder below the root, the sandbox, the app's folder, names without case.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fake-files.h"
#include "guard.h"

#include <string.h>

/* answer, loop, other loops, folder, "sandbox" or "fold", command: with tabs between. */
static gboolean
is_right (const char *line)
{
  g_auto (GStrv) fields = g_strsplit (line, "\t", 6);
  g_auto (GStrv) loops = g_strsplit (fields[2], ",", -1);
  g_autoptr (FakeFiles) fake = fake_files_new ();
  g_autoptr (GuardVerdict) verdict = NULL;
  GuardScope scope = { .project = FAKE_PROJECT,
                       .loop = fields[1],
                       .loops = (const char *const *) loops,
                       .folder = fields[3],
                       .app_folder = ".perfica",
                       .home = "/home/person",
                       .sandbox = strstr (fields[4], "sandbox") != NULL,
                       .case_insensitive = strstr (fields[4], "fold") != NULL,
                       .bash_available = TRUE };

  fake_files_add (fake, ".git/config", "[core]\n");
  fake_files_add (fake, "README.md", "x");
  fake_files_add (fake, "web/a.ts", "x");
  fake_files_add (fake, "web/inner/b.ts", "x");
  fake_files_add (fake, "admin/a.ts", "x");
  fake_files_add (fake, ".perfica/outputs/1.txt", "x");
  verdict = guard_read (fields[5], strlen (fields[5]), &scope, &fake->files);
  if (g_str_equal (guard_answer_to_string (verdict->answer), fields[0]))
    return TRUE;

  g_test_message ("%s: answered %s", line, guard_answer_to_string (verdict->answer));
  return FALSE;
}

static void
test_scoped (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "corpus", "scoped.txt", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint wrong = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0' && !is_right (lines[i]))
      wrong++;
  g_assert_cmpuint (wrong, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/scoped", test_scoped);
  return g_test_run ();
}

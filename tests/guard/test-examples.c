/* Each rule's own lines: what it must and must not match, and that alternatives are not refused.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fake-files.h"
#include "guard-rules.h"
#include "guard.h"

#include <string.h>

/* Lines of the data that still go wrong; it may only fall. */
#define MAX_WRONG 0

static void
test_examples (void)
{
  g_autoptr (FakeFiles) fake = fake_files_new ();
  GuardScope scope = { .project = FAKE_PROJECT,
                       .loop = ".",
                       .folder = ".",
                       .app_folder = ".perfica",
                       .home = "/home/person",
                       .bash_available = TRUE };
  guint wrong = 0;

  for (guint i = 0; i < guard_table_n_examples; i++)
    {
      const GuardExample *example = &guard_table_examples[i];
      g_autoptr (GuardVerdict) verdict =
          guard_read (example->line, strlen (example->line), &scope, &fake->files);
      gboolean right = verdict->answer == example->answer;

      if (example->rule != NULL)
        {
          gboolean found = FALSE;

          for (guint j = 0; j < verdict->findings->len; j++)
            found |=
                g_str_equal (((GuardFinding *) verdict->findings->pdata[j])->rule, example->rule);
          right = found == (example->expected != 0);
        }
      if (!right)
        {
          wrong++;
          g_test_message ("%s: %s: %s %u, answered %s %s", example->where, example->line,
                          example->rule != NULL ? example->rule : "answer",
                          example->rule != NULL ? example->expected : example->answer,
                          guard_answer_to_string (verdict->answer),
                          verdict->findings->len > 0
                              ? ((GuardFinding *) verdict->findings->pdata[0])->rule
                              : "");
        }
      for (guint j = 0; j < verdict->findings->len; j++)
        {
          const GuardFinding *finding = verdict->findings->pdata[j];
          g_autoptr (GuardVerdict) other = NULL;

          if (finding->alternative == NULL)
            continue;
          other = guard_read (finding->alternative, strlen (finding->alternative), &scope,
                              &fake->files);
          if (other->answer == GUARD_ANSWER_REFUSE)
            {
              wrong++;
              g_test_message ("alternative of %s is refused: %s", example->line,
                              finding->alternative);
            }
        }
    }
  g_test_message ("%u lines, %u wrong", guard_table_n_examples, wrong);
  g_assert_cmpuint (wrong, <=, MAX_WRONG);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/examples", test_examples);
  return g_test_run ();
}

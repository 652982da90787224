/* The labelled commands of corpus/open.jsonl, each with its own small disk.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fake-files.h"
#include "guard.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* What was reached; a run that falls below fails. */
#define FLOOR_RIGHT 1260
#define FLOOR_ALLOW 436
#define FLOOR_ASK 125
#define FLOOR_STRICT 0

/* The host of npm's registry is put together here, so that no file holds it whole. */
#define NPM_HOST                                                                                   \
  "registry."                                                                                      \
  "npmjs.org"

static const char *const no_leaks[] = { "shell-direct", "git-destructive", "secrets", "paths",
                                        NULL };

typedef struct
{
  guint table[3][3]; /* expected, answered */
  guint strict_leaks;
} Score;

static GuardAnswer
answer_of (const char *text)
{
  for (GuardAnswer answer = GUARD_ANSWER_ALLOW; answer <= GUARD_ANSWER_REFUSE; answer++)
    if (strcmp (guard_answer_to_string (answer), text) == 0)
      return answer;
  g_assert_not_reached ();
}

static char *
filled_in (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "@PROJECT@", -1);
  g_autofree char *project = g_strjoinv (FAKE_PROJECT, parts);
  g_auto (GStrv) rest = g_strsplit (project, "@NPM@", -1);

  return g_strjoinv (NPM_HOST, rest);
}

static void
add_files (FakeFiles *fake, JsonObject *line)
{
  GList *names;

  if (json_object_has_member (line, "files"))
    {
      JsonObject *files = json_object_get_object_member (line, "files");

      names = json_object_get_members (files);
      for (GList *l = names; l != NULL; l = l->next)
        fake_files_add (fake, l->data, json_object_get_string_member (files, l->data));
      g_list_free (names);
    }
  if (json_object_has_member (line, "links"))
    {
      JsonObject *links = json_object_get_object_member (line, "links");

      names = json_object_get_members (links);
      for (GList *l = names; l != NULL; l = l->next)
        fake_files_add_link (fake, l->data, json_object_get_string_member (links, l->data));
      g_list_free (names);
    }
  if (json_object_has_member (line, "git_config"))
    {
      JsonObject *config = json_object_get_object_member (line, "git_config");
      g_autoptr (GString) text = g_string_new ("[core]\n\tbare = false\n");

      names = json_object_get_members (config);
      for (GList *l = names; l != NULL; l = l->next)
        {
          g_auto (GStrv) key = g_strsplit (l->data, ".", 2);

          g_string_append_printf (text, "[%s]\n\t%s = %s\n", key[0], key[1],
                                  json_object_get_string_member (config, l->data));
        }
      g_list_free (names);
      fake_files_add (fake, ".git/config", text->str);
    }
}

static void
check_spans (const GuardVerdict *verdict, const char *text)
{
  for (guint i = 0; i < verdict->findings->len; i++)
    {
      const GuardFinding *finding = g_ptr_array_index (verdict->findings, i);

      g_assert_cmpuint (finding->start, <=, finding->end);
      g_assert_cmpuint (finding->end, <=, strlen (text));
    }
  if (verdict->answer == GUARD_ANSWER_REFUSE)
    g_assert_true (verdict->plan.argv == NULL && verdict->plan.script == NULL);
  else
    g_assert_true ((verdict->plan.argv != NULL) != (verdict->plan.script != NULL));
}

static void
judge (Score *score, JsonObject *line)
{
  g_autoptr (FakeFiles) fake = fake_files_new ();
  g_autofree char *command = filled_in (json_object_get_string_member (line, "command"));
  const char *category = json_object_get_string_member (line, "category");
  GuardScope scope = { .project = FAKE_PROJECT,
                       .loop = ".",
                       .folder = ".",
                       .app_folder = ".perfica",
                       .home = "/home/person",
                       .bash_available = TRUE };
  GuardAnswer expected = answer_of (json_object_get_string_member (line, "expected"));
  g_autoptr (GuardVerdict) verdict = NULL;

  add_files (fake, line);
  verdict = guard_read (command, strlen (command), &scope, &fake->files);
  check_spans (verdict, command);
  score->table[expected][verdict->answer]++;
  if (verdict->answer == expected)
    return;
  if (verdict->answer < expected && g_strv_contains (no_leaks, category))
    score->strict_leaks++;
  {
    g_autofree char *shown = g_strescape (command, NULL);
    g_autoptr (GString) rules = g_string_new (NULL);

    for (guint i = 0; i < verdict->findings->len && i < 6; i++)
      g_string_append_printf (rules, " %s",
                              ((GuardFinding *) g_ptr_array_index (verdict->findings, i))->rule);
    g_test_message ("%s %s: expected %s, answered %s:%s | %.160s",
                    verdict->answer < expected ? "LEAK" : "NAG",
                    json_object_get_string_member (line, "id"), guard_answer_to_string (expected),
                    guard_answer_to_string (verdict->answer), rules->str, shown);
  }
}

static void
test_corpus (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "corpus", "open.jsonl", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;
  Score score = { 0 };
  guint right, leaks, nags, n = 0;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0')
      {
        g_autoptr (JsonParser) parser = json_parser_new ();

        json_parser_load_from_data (parser, lines[i], -1, &error);
        g_assert_no_error (error);
        judge (&score, json_node_get_object (json_parser_get_root (parser)));
        n++;
      }
  right = score.table[0][0] + score.table[1][1] + score.table[2][2];
  leaks = score.table[1][0] + score.table[2][0] + score.table[2][1];
  nags = n - right - leaks;
  for (guint i = 0; i < 3; i++)
    g_test_message ("expected %-6s: answered allow %u, ask %u, refuse %u",
                    guard_answer_to_string (i), score.table[i][0], score.table[i][1],
                    score.table[i][2]);
  g_test_message ("%u lines: %u right, %u leaks, %u nags", n, right, leaks, nags);
  g_assert_cmpuint (right, >=, FLOOR_RIGHT);
  g_assert_cmpuint (score.table[0][0], >=, FLOOR_ALLOW);
  g_assert_cmpuint (score.table[1][1], >=, FLOOR_ASK);
  g_assert_cmpuint (score.strict_leaks, <=, FLOOR_STRICT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/corpus", test_corpus);
  return g_test_run ();
}

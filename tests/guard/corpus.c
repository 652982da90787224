/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "corpus.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* The host of npm's registry is put together here, so that no file holds it whole. */
#define NPM_HOST                                                                                   \
  "registry."                                                                                      \
  "npmjs.org"

static GuardAnswer
answer_of (const char *text)
{
  for (GuardAnswer answer = GUARD_ANSWER_ALLOW; answer <= GUARD_ANSWER_REFUSE; answer++)
    if (strcmp (guard_answer_to_string (answer), text) == 0)
      return answer;
  g_error ("%s is no answer", text);
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
add_entries (FakeFiles *fake,
             JsonObject *line,
             const char *key,
             void (*add) (FakeFiles *fake, const char *path, const char *text))
{
  JsonObject *map;
  GList *names;

  if (!json_object_has_member (line, key))
    return;
  map = json_object_get_object_member (line, key);
  names = json_object_get_members (map);
  for (GList *l = names; l != NULL; l = l->next)
    add (fake, l->data, json_object_get_string_member (map, l->data));
  g_list_free (names);
}

static void
add_git_config (FakeFiles *fake, JsonObject *line)
{
  JsonObject *config;
  g_autoptr (GString) text = g_string_new ("[core]\n\tbare = false\n");
  GList *names;

  if (!json_object_has_member (line, "git_config"))
    return;
  config = json_object_get_object_member (line, "git_config");
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

static char **
strings_of (JsonObject *line, const char *key)
{
  g_autoptr (GPtrArray) strings = g_ptr_array_new ();

  if (json_object_has_member (line, key))
    {
      JsonArray *array = json_object_get_array_member (line, key);

      for (guint i = 0; i < json_array_get_length (array); i++)
        g_ptr_array_add (strings, g_strdup (json_array_get_string_element (array, i)));
    }
  g_ptr_array_add (strings, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&strings), FALSE);
}

void
corpus_line_free (gpointer data)
{
  CorpusLine *line = data;

  g_free (line->id);
  g_free (line->category);
  g_free (line->command);
  g_free (line->loop);
  g_free (line->folder);
  g_strfreev (line->loops);
  fake_files_free (line->fake);
  g_free (line);
}

static CorpusLine *
corpus_line_new (JsonObject *object, JsonObject *common)
{
  CorpusLine *line = g_new0 (CorpusLine, 1);

  line->id = g_strdup (json_object_get_string_member (object, "id"));
  line->category = g_strdup (json_object_get_string_member (object, "category"));
  line->expected = answer_of (json_object_get_string_member (object, "expected"));
  line->command = filled_in (json_object_get_string_member (object, "command"));
  line->loop = g_strdup (json_object_get_string_member_with_default (object, "loop", "."));
  line->folder = g_strdup (json_object_get_string_member_with_default (object, "folder", "."));
  line->loops = strings_of (object, "loops");
  line->scope.project = FAKE_PROJECT;
  line->scope.loop = line->loop;
  line->scope.loops = (const char *const *) line->loops;
  line->scope.folder = line->folder;
  line->scope.app_folder = ".perfica";
  line->scope.home = "/home/person";
  line->scope.sandbox = json_object_get_boolean_member_with_default (object, "sandbox", FALSE);
  line->scope.case_insensitive =
      json_object_get_boolean_member_with_default (object, "case_insensitive", FALSE);
  line->scope.bash_available = TRUE;
  line->fake = fake_files_new ();
  if (common != NULL)
    {
      add_entries (line->fake, common, "files", fake_files_add);
      add_entries (line->fake, common, "links", fake_files_add_link);
    }
  add_entries (line->fake, object, "files", fake_files_add);
  add_entries (line->fake, object, "links", fake_files_add_link);
  add_git_config (line->fake, object);
  return line;
}

GPtrArray *
corpus_load (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "corpus", name, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) texts = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) common = NULL;
  GPtrArray *lines = g_ptr_array_new_with_free_func (corpus_line_free);

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  texts = g_strsplit (text, "\n", -1);
  for (guint i = 0; texts[i] != NULL; i++)
    if (texts[i][0] != '\0')
      {
        g_autoptr (JsonParser) parser = json_parser_new ();
        JsonObject *object;

        json_parser_load_from_data (parser, texts[i], -1, &error);
        g_assert_no_error (error);
        object = json_node_get_object (json_parser_get_root (parser));
        if (json_object_has_member (object, "command"))
          {
            g_ptr_array_add (lines, corpus_line_new (object, common));
            continue;
          }
        g_clear_pointer (&common, json_object_unref);
        common = json_object_ref (object);
      }
  return lines;
}

static void
check_shape (const GuardVerdict *verdict, const char *text)
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
show_wrong (const CorpusLine *line, const GuardVerdict *verdict)
{
  g_autofree char *shown = g_strescape (line->command, NULL);
  g_autoptr (GString) rules = g_string_new (NULL);

  for (guint i = 0; i < verdict->findings->len && i < 6; i++)
    g_string_append_printf (rules, " %s",
                            ((GuardFinding *) g_ptr_array_index (verdict->findings, i))->rule);
  g_test_message ("%s %s: expected %s, answered %s:%s | %.160s",
                  verdict->answer < line->expected ? "LEAK" : "NAG", line->id,
                  guard_answer_to_string (line->expected), guard_answer_to_string (verdict->answer),
                  rules->str, shown);
}

static void
judge (const CorpusLine *line, CorpusScore *score)
{
  g_autoptr (GuardVerdict) verdict =
      guard_read (line->command, strlen (line->command), &line->scope, &line->fake->files);

  check_shape (verdict, line->command);
  score->table[line->expected][verdict->answer]++;
  if (verdict->answer == line->expected)
    score->right++;
  else if (verdict->answer < line->expected)
    score->leaks++;
  else
    score->nags++;
  if (verdict->answer != line->expected)
    show_wrong (line, verdict);
}

static void
show_score (const char *name, const CorpusScore *score)
{
  g_test_message ("%-16s %4u lines: %4u right, %3u leaks, %3u nags", name,
                  score->right + score->leaks + score->nags, score->right, score->leaks,
                  score->nags);
}

void
corpus_score (const GPtrArray *lines, CorpusScore *whole)
{
  g_autoptr (GHashTable) scores = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GList) names = NULL;

  for (guint i = 0; i < lines->len; i++)
    {
      const CorpusLine *line = g_ptr_array_index (lines, i);
      CorpusScore *score = g_hash_table_lookup (scores, line->category);
      CorpusScore one = { 0 };

      if (score == NULL)
        {
          score = g_new0 (CorpusScore, 1);
          g_hash_table_insert (scores, line->category, score);
        }
      judge (line, &one);
      for (CorpusScore *sum = score; sum != NULL; sum = sum == score ? whole : NULL)
        {
          sum->right += one.right;
          sum->leaks += one.leaks;
          sum->nags += one.nags;
          for (guint j = 0; j < 9; j++)
            sum->table[j / 3][j % 3] += one.table[j / 3][j % 3];
        }
    }
  names = g_list_sort (g_hash_table_get_keys (scores), (GCompareFunc) strcmp);
  for (GList *l = names; l != NULL; l = l->next)
    show_score (l->data, g_hash_table_lookup (scores, l->data));
  for (guint i = 0; i < 3; i++)
    g_test_message ("expected %-6s: answered allow %u, ask %u, refuse %u",
                    guard_answer_to_string (i), whole->table[i][0], whole->table[i][1],
                    whole->table[i][2]);
  show_score ("all", whole);
}

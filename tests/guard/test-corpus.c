/* Labelled commands, each with its own small disk: the corpus that everybody may see, lines of our
 * own in the same categories, and lines in every kind of scope.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "corpus.h"

/* How many lines there are at least, and how many may be answered more strictly than their label;
 * none may be answered more mildly. */
typedef struct
{
  const char *file;
  guint lines;
  guint nags;
} Corpus;

static const Corpus corpora[] = {
  { "open.jsonl", 1265, 0 },
  { "own.jsonl", 739, 0 },
  { "scoped.jsonl", 310, 0 },
};

static void
test_corpus (gconstpointer data)
{
  const Corpus *corpus = data;
  g_autoptr (GPtrArray) lines = corpus_load (corpus->file);
  CorpusScore score = { 0 };

  corpus_score (lines, &score);
  g_assert_cmpuint (lines->len, >=, corpus->lines);
  g_assert_cmpuint (score.leaks, ==, 0);
  g_assert_cmpuint (score.nags, <=, corpus->nags);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (corpora); i++)
    {
      g_autofree char *path = g_strdup_printf ("/guard/corpus/%s", corpora[i].file);

      g_test_add_data_func (path, &corpora[i], test_corpus);
    }
  return g_test_run ();
}

/* The reader on any bytes: no crash, no endless run, and every span lies in the text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stddef.h>
#include <stdint.h>

#include "guard-tree.h"

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size);

static void check_node (const GuardNode *node, gsize size);

static void
check_span (GuardSpan span, gsize size)
{
  g_assert (span.start <= span.end && span.end <= size);
}

static void
check_word (const GuardWord *word, gsize size)
{
  if (!word)
    return;
  check_span (word->span, size);
  for (const GuardPart *part = word->parts; part; part = part->next)
    {
      g_assert (part->type <= GUARD_PART_ARRAY);
      g_assert (part->text || part->type != GUARD_PART_LITERAL);
      check_span (part->span, size);
      check_word (part->subscript, size);
      check_word (part->word, size);
      check_word (part->word2, size);
      for (guint i = 0; part->words && part->words[i]; i++)
        check_word (part->words[i], size);
      check_node (part->body, size);
    }
}

static void
check_assignments (const GuardAssignment *assignment, gsize size)
{
  for (; assignment; assignment = assignment->next)
    {
      check_span (assignment->span, size);
      check_word (assignment->subscript, size);
      check_word (assignment->value, size);
      check_assignments (assignment->items, size);
    }
}

static void
check_node (const GuardNode *node, gsize size)
{
  if (!node)
    return;
  check_span (node->span, size);
  check_assignments (node->assignments, size);
  for (guint i = 0; i < node->n_words; i++)
    check_word (node->words[i], size);
  for (const GuardRedirection *redirection = node->redirections; redirection;
       redirection = redirection->next)
    {
      check_span (redirection->span, size);
      g_assert (redirection->target);
      check_word (redirection->target, size);
    }
  for (guint i = 0; i < node->n_children; i++)
    {
      g_assert (node->children[i]);
      check_node (node->children[i], size);
    }
  check_node (node->condition, size);
  check_node (node->body, size);
  check_node (node->otherwise, size);
  for (const GuardCaseItem *item = node->items; item; item = item->next)
    {
      for (guint i = 0; item->patterns[i]; i++)
        check_word (item->patterns[i], size);
      check_node (item->body, size);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GuardTree) tree = guard_tree_read ((const char *) bytes, size);
  const GuardReadError *error = guard_tree_get_error (tree);
  char *dump = guard_tree_dump (tree);

  g_free (dump);
  /* A text of comments alone has no root. */
  g_assert (error == NULL || guard_tree_get_root (tree) == NULL);
  if (error)
    {
      g_assert (error->rule && error->message);
      check_span (error->span, size);
      return 0;
    }
  check_node (guard_tree_get_root (tree), size);
  return 0;
}

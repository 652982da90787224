/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-tree.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "guard-reader.h"
#include "guard-tree-private.h"
#include "guard.h"

static gboolean
guard_tree_refuse (GuardTree *tree, const char *rule, const char *message, guint start, guint end)
{
  tree->failed = TRUE;
  tree->error.rule = rule;
  tree->error.message = message;
  tree->error.span.start = start;
  tree->error.span.end = end;
  return FALSE;
}

/* Refuses text no shell should be given, before a word of it is read. */
static gboolean
guard_tree_check_text (GuardTree *tree, const char *text, gsize length)
{
  const char *bad;
  gboolean blank = TRUE;

  if (length > GUARD_MAX_LENGTH)
    return guard_tree_refuse (tree, "limits.length", N_ ("The command is too long"), 0,
                              GUARD_MAX_LENGTH);
  for (gsize i = 0; i < length; i++)
    {
      guchar c = (guchar) text[i];

      if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
        return guard_tree_refuse (tree, "reader.control",
                                  N_ ("The command holds a control character"), i, i + 1);
      if (c != ' ' && c != '\t' && c != '\n')
        blank = FALSE;
    }
  if (!g_utf8_validate_len (text, length, &bad))
    return guard_tree_refuse (tree, "reader.utf8", N_ ("The command is not valid UTF-8"),
                              bad - text, bad - text + 1);
  if (blank)
    return guard_tree_refuse (tree, "reader.blank", N_ ("The command is blank"), 0, length);
  return TRUE;
}

static void
guard_tree_read_all (GuardTree *tree)
{
  GuardReader reader = { 0 };

  reader.tree = tree;
  reader.arena = &tree->arena;
  reader.source.text = tree->text;
  reader.source.length = tree->length;
  reader.stack = g_ptr_array_new ();

  tree->root = guard_reader_list (&reader);
  if (!reader.failed && guard_reader_char (&reader) != '\0')
    guard_reader_unexpected (&reader);
  if (!reader.failed && reader.heredocs)
    guard_reader_read_heredocs (&reader);
  if (tree->failed)
    tree->root = NULL;

  g_ptr_array_unref (reader.stack);
}

GuardTree *
guard_tree_read (const char *text, gsize length)
{
  GuardTree *tree = g_new0 (GuardTree, 1);

  tree->length = MIN (length, (gsize) GUARD_MAX_LENGTH);
  tree->text = guard_arena_strndup (&tree->arena, text, tree->length);
  if (guard_tree_check_text (tree, text, length))
    guard_tree_read_all (tree);
  return tree;
}

void
guard_tree_free (GuardTree *tree)
{
  if (!tree)
    return;
  guard_arena_clear (&tree->arena);
  g_free (tree);
}

const GuardReadError *
guard_tree_get_error (const GuardTree *tree)
{
  return tree->failed ? &tree->error : NULL;
}

GuardNode *
guard_tree_get_root (const GuardTree *tree)
{
  return tree->root;
}

const char *
guard_tree_get_text (const GuardTree *tree)
{
  return tree->text;
}

gpointer
guard_tree_alloc (GuardTree *tree, gsize size)
{
  return guard_arena_alloc (&tree->arena, size);
}

char *
guard_tree_strndup (GuardTree *tree, const char *text, gsize length)
{
  return guard_arena_strndup (&tree->arena, text, length);
}

const char *
guard_word_literal (GuardTree *tree, const GuardWord *word)
{
  gsize length = 0;
  char *text;

  for (const GuardPart *part = word->parts; part; part = part->next)
    {
      if (part->type != GUARD_PART_LITERAL)
        return NULL;
      length += part->length;
    }
  if (word->parts && !word->parts->next)
    return word->parts->text;

  text = guard_arena_alloc (&tree->arena, length + 1);
  length = 0;
  for (const GuardPart *part = word->parts; part; part = part->next)
    {
      memcpy (text + length, part->text, part->length);
      length += part->length;
    }
  return text;
}

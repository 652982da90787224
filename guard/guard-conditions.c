/* [[ … ]]: a grammar of its own, kept in the tree as a flat list of words.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static gboolean
is_bare (const GuardWord *word, const char *text)
{
  return !word->quoted && word->parts && !word->parts->next &&
         word->parts->type == GUARD_PART_LITERAL && strcmp (word->parts->text, text) == 0;
}

static gboolean
is_unary (const GuardWord *word)
{
  const GuardPart *part = word->parts;

  return !word->quoted && part && !part->next && part->type == GUARD_PART_LITERAL &&
         part->length == 2 && part->text[0] == '-' &&
         strchr ("abcdefghknoprstuvwxzGLNORS", part->text[1]);
}

static gboolean
is_binary (const GuardWord *word)
{
  static const char *const operators[] = { "=",   "==",  "!=",  "=~",  "-nt", "-ot", "-ef",
                                           "-eq", "-ne", "-lt", "-le", "-gt", "-ge" };

  for (gsize i = 0; i < G_N_ELEMENTS (operators); i++)
    if (is_bare (word, operators[i]))
      return TRUE;
  return FALSE;
}

static void
push_operator (GuardReader *reader, const char *text, guint start)
{
  GuardWord *word = guard_arena_new (reader->arena, GuardWord);
  GuardPart *part = guard_arena_new (reader->arena, GuardPart);

  part->type = GUARD_PART_LITERAL;
  part->text = text;
  part->op = text;
  part->length = strlen (text);
  part->span = word->span = guard_reader_span (reader, start, reader->source.pos);
  word->parts = part;
  g_ptr_array_add (reader->stack, word);
}

static void
push_operator_word (GuardReader *reader, GuardWord *word)
{
  word->parts->op = word->parts->text;
  g_ptr_array_add (reader->stack, word);
}

/* The operator made of one or two characters at the current position. */
static gboolean
take (GuardReader *reader, const char *text)
{
  guint start;

  guard_reader_skip_blanks (reader);
  start = reader->source.pos;
  if (guard_reader_char (reader) != text[0] || (text[1] && guard_reader_next (reader) != text[1]))
    return FALSE;
  guard_reader_advance (reader);
  if (text[1])
    {
      guard_reader_char (reader);
      guard_reader_advance (reader);
    }
  push_operator (reader, text, start);
  return TRUE;
}

static void
read_right (GuardReader *reader, const GuardWord *operator)
{
  GuardWordFlags flags = GUARD_WORD_TILDE;

  if (is_bare (operator, "=~"))
    flags = GUARD_WORD_REGEX;
  else if (is_bare (operator, "=") || is_bare (operator, "==") || is_bare (operator, "!="))
    flags = GUARD_WORD_TILDE | GUARD_WORD_GLOB | GUARD_WORD_EXTGLOB;
  guard_reader_skip_blanks (reader);
  g_ptr_array_add (reader->stack, guard_reader_word (reader, flags, 0));
}

static gboolean
at_word (GuardReader *reader)
{
  char c;

  guard_reader_skip_blanks (reader);
  c = guard_reader_char (reader);
  if (guard_reader_at_descriptor (reader))
    return FALSE;
  return !guard_reader_is_meta (c) || ((c == '<' || c == '>') && guard_reader_next (reader) == '(');
}

static gboolean
at_close (GuardReader *reader)
{
  guint pos = reader->source.pos;

  return guard_reader_char (reader) == ']' && guard_reader_next (reader) == ']' &&
         guard_reader_is_meta (guard_reader_peek_from (
             reader, strchr (reader->source.text + pos + 1, ']') - reader->source.text + 1));
}

static void read_or (GuardReader *reader);

/* A word, and what it is compared with. */
static void
read_comparison (GuardReader *reader)
{
  GuardWord *word = guard_reader_word (reader, GUARD_WORD_TILDE, 0);
  GuardWord *operator;

  if (reader->failed)
    return;
  if (is_unary (word))
    {
      push_operator_word (reader, word);
      if (!at_word (reader) || at_close (reader))
        {
          guard_reader_unexpected (reader);
          return;
        }
      g_ptr_array_add (reader->stack, guard_reader_word (reader, GUARD_WORD_TILDE, 0));
      return;
    }
  g_ptr_array_add (reader->stack, word);
  if (at_word (reader))
    {
      if (at_close (reader))
        return;
      operator= guard_reader_word (reader, 0, 0);
      if (reader->failed)
        return;
      if (!is_binary (operator))
        {
          guard_reader_unexpected (reader);
          return;
        }
      push_operator_word (reader, operator);
      read_right (reader, operator);
    }
  else if (take (reader, "<") || take (reader, ">"))
    {
      guard_reader_skip_blanks (reader);
      g_ptr_array_add (reader->stack, guard_reader_word (reader, GUARD_WORD_TILDE, 0));
    }
  else if (guard_reader_char (reader) == '\n')
    guard_reader_unexpected (reader);
}

static gboolean
take_bang (GuardReader *reader)
{
  guint start = reader->source.pos;

  if (!guard_reader_take_reserved (reader, GUARD_RESERVED_BANG))
    return FALSE;
  push_operator (reader, "!", start);
  return TRUE;
}

static void
read_term (GuardReader *reader)
{
  guard_reader_skip_newlines (reader);
  while (take_bang (reader))
    guard_reader_skip_newlines (reader);
  if (!take (reader, "("))
    {
      if (at_word (reader) && !at_close (reader))
        read_comparison (reader);
      else
        guard_reader_unexpected (reader);
      return;
    }
  if (!guard_reader_enter (reader))
    return;
  read_or (reader);
  guard_reader_skip_newlines (reader);
  if (!take (reader, ")"))
    guard_reader_unexpected (reader);
  guard_reader_leave (reader);
}

static void
read_or (GuardReader *reader)
{
  do
    {
      read_term (reader);
      guard_reader_skip_newlines (reader);
    }
  while (take (reader, "&&") || take (reader, "||"));
}

/* The current word is `[[`. */
GuardNode *
guard_reader_test (GuardReader *reader)
{
  GuardNode *node = guard_reader_node (reader, GUARD_NODE_TEST, reader->source.pos);
  guint base = reader->stack->len;

  guard_reader_take_reserved (reader, GUARD_RESERVED_TEST);
  read_or (reader);
  if (!reader->failed && !at_close (reader))
    guard_reader_unexpected (reader);
  guard_reader_advance (reader);
  guard_reader_char (reader);
  guard_reader_advance (reader);
  guard_reader_took (reader);
  node->n_words = reader->stack->len - base;
  node->words = guard_reader_pop (reader, base);
  return node;
}

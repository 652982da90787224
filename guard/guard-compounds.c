/* Compound commands: what reserved words and brackets begin.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
read_redirections (GuardReader *reader, GuardNode *node)
{
  GuardRedirection **tail = &node->redirections;

  do
    guard_reader_skip_blanks (reader);
  while ((*tail = guard_reader_redirection (reader)) && (tail = &(*tail)->next));
}

static gboolean
expect (GuardReader *reader, GuardReserved reserved)
{
  if (guard_reader_take_reserved (reader, reserved))
    return TRUE;
  guard_reader_unexpected (reader);
  return FALSE;
}

/* A list that may not be empty. */
static GuardNode *
read_list (GuardReader *reader)
{
  GuardNode *list = guard_reader_list (reader);

  if (!list && !reader->failed)
    guard_reader_unexpected (reader);
  return list;
}

/* if … then … [elif …] [else …] fi, after the first word */
static void
read_if (GuardReader *reader, GuardNode *node)
{
  node->condition = read_list (reader);
  if (!expect (reader, GUARD_RESERVED_THEN))
    return;
  node->body = read_list (reader);
  if (guard_reader_reserved (reader) == GUARD_RESERVED_ELIF)
    {
      GuardNode *other = guard_reader_node (reader, GUARD_NODE_IF, reader->source.pos);

      guard_reader_take_reserved (reader, GUARD_RESERVED_ELIF);
      if (guard_reader_enter (reader))
        {
          read_if (reader, other);
          guard_reader_leave (reader);
        }
      guard_reader_end_node (reader, other);
      node->otherwise = other;
      return;
    }
  if (guard_reader_take_reserved (reader, GUARD_RESERVED_ELSE))
    node->otherwise = read_list (reader);
  expect (reader, GUARD_RESERVED_FI);
}

static void
read_while (GuardReader *reader, GuardNode *node)
{
  node->condition = read_list (reader);
  if (!expect (reader, GUARD_RESERVED_DO))
    return;
  node->body = read_list (reader);
  expect (reader, GUARD_RESERVED_DONE);
}

/* do … done, or the older { … } */
static void
read_loop_body (GuardReader *reader, GuardNode *node)
{
  gboolean braces;

  guard_reader_skip_newlines (reader);
  braces = guard_reader_take_reserved (reader, GUARD_RESERVED_OPEN);
  if (!braces && !expect (reader, GUARD_RESERVED_DO))
    return;
  node->body = read_list (reader);
  expect (reader, braces ? GUARD_RESERVED_CLOSE : GUARD_RESERVED_DONE);
}

/* for (( a; b; c )), at the brackets */
static void
read_arithmetic_for (GuardReader *reader, GuardNode *node)
{
  guint base = reader->stack->len;

  node->type = GUARD_NODE_CFOR;
  guard_reader_advance (reader);
  guard_reader_char (reader);
  guard_reader_advance (reader);
  for (int i = 0; i < 3; i++)
    {
      g_ptr_array_add (reader->stack,
                       guard_reader_arithmetic (reader, i < 2 ? ';' : ')', i < 2 ? ')' : ';'));
      if (guard_reader_char (reader) != (i < 2 ? ';' : ')'))
        guard_reader_unexpected (reader);
      guard_reader_advance (reader);
    }
  node->n_words = 3;
  node->words = guard_reader_pop (reader, base);
  if (guard_reader_char (reader) != ')')
    guard_reader_unexpected (reader);
  guard_reader_advance (reader);
  guard_reader_took (reader);
  guard_reader_skip_blanks (reader);
  if (guard_reader_char (reader) == ';')
    guard_reader_advance (reader);
  read_loop_body (reader, node);
}

/* for name [in words], after the first word; the same for select */
static void
read_for (GuardReader *reader, GuardNode *node)
{
  guint base = reader->stack->len;
  GuardWord *name;
  guint start;

  guard_reader_skip_blanks (reader);
  if (node->type == GUARD_NODE_FOR && guard_reader_char (reader) == '(' &&
      guard_reader_next (reader) == '(')
    {
      read_arithmetic_for (reader, node);
      return;
    }
  start = reader->source.pos;
  name = guard_reader_word (reader, 0, 0);
  node->name_span = name->span;
  /* bash takes any word here and fails when it runs; the writer fails before. */
  node->name = guard_word_literal (reader->tree, name);
  if (!node->name || name->quoted)
    node->name = guard_reader_copy (reader, start, reader->token_end);

  guard_reader_skip_blanks (reader);
  if (guard_reader_char (reader) == ';')
    {
      guard_reader_advance (reader);
      read_loop_body (reader, node);
      return;
    }
  guard_reader_skip_newlines (reader);
  if (guard_reader_take_reserved (reader, GUARD_RESERVED_IN))
    {
      guard_reader_skip_blanks (reader);
      while (!guard_reader_is_meta (guard_reader_char (reader)) ||
             (strchr ("<>", guard_reader_char (reader)) && guard_reader_next (reader) == '('))
        {
          g_ptr_array_add (reader->stack,
                           guard_reader_word (reader, GUARD_WORD_ORDINARY | GUARD_WORD_ARGUMENT,
                                              0));
          guard_reader_skip_blanks (reader);
        }
      node->n_words = reader->stack->len - base;
      node->words = guard_reader_pop (reader, base);
      if (guard_reader_char (reader) == ';')
        guard_reader_advance (reader);
      else if (guard_reader_char (reader) != '\n')
        guard_reader_unexpected (reader);
    }
  read_loop_body (reader, node);
}

static const char *
read_terminator (GuardReader *reader)
{
  char c = guard_reader_next (reader);

  if (guard_reader_char (reader) != ';' || (c != ';' && c != '&'))
    return NULL;
  guard_reader_advance (reader);
  guard_reader_char (reader);
  guard_reader_advance (reader);
  if (c == ';' && guard_reader_char (reader) == '&')
    {
      guard_reader_advance (reader);
      return ";;&";
    }
  return c == ';' ? ";;" : ";&";
}

static GuardCaseItem *
read_case_item (GuardReader *reader)
{
  GuardCaseItem *item = guard_arena_new (reader->arena, GuardCaseItem);
  guint base = reader->stack->len;

  if (guard_reader_char (reader) == '(')
    guard_reader_advance (reader);
  for (;;)
    {
      guard_reader_skip_blanks (reader);
      g_ptr_array_add (reader->stack,
                       guard_reader_word (reader, GUARD_WORD_GLOB | GUARD_WORD_TILDE, 0));
      guard_reader_skip_blanks (reader);
      if (guard_reader_char (reader) != '|')
        break;
      guard_reader_advance (reader);
    }
  item->patterns = guard_reader_pop (reader, base);
  if (guard_reader_char (reader) != ')')
    guard_reader_unexpected (reader);
  guard_reader_advance (reader);
  item->body = guard_reader_list (reader);
  item->terminator = read_terminator (reader);
  return item;
}

/* case word in … esac, after the first word */
static void
read_case (GuardReader *reader, GuardNode *node)
{
  guint base = reader->stack->len;
  GuardCaseItem **tail = &node->items;

  guard_reader_skip_blanks (reader);
  g_ptr_array_add (reader->stack, guard_reader_word (reader, GUARD_WORD_TILDE, 0));
  node->n_words = 1;
  node->words = guard_reader_pop (reader, base);
  guard_reader_skip_newlines (reader);
  if (!expect (reader, GUARD_RESERVED_IN))
    return;
  for (;;)
    {
      guard_reader_skip_newlines (reader);
      if (guard_reader_take_reserved (reader, GUARD_RESERVED_ESAC) || reader->failed)
        return;
      *tail = read_case_item (reader);
      if (!(*tail)->terminator)
        {
          (*tail)->terminator = ";;";
          expect (reader, GUARD_RESERVED_ESAC);
          return;
        }
      tail = &(*tail)->next;
    }
}

/* The body of a function: a compound command, after its `)`. */
GuardNode *
guard_reader_function_body (GuardReader *reader, GuardNode *node)
{
  guard_reader_skip_newlines (reader);
  if (guard_reader_char (reader) == '(')
    node->body = guard_reader_parenthesis (reader);
  else
    switch (guard_reader_reserved (reader))
      {
      case GUARD_RESERVED_IF:
      case GUARD_RESERVED_WHILE:
      case GUARD_RESERVED_UNTIL:
      case GUARD_RESERVED_FOR:
      case GUARD_RESERVED_SELECT:
      case GUARD_RESERVED_CASE:
      case GUARD_RESERVED_OPEN:
      case GUARD_RESERVED_TEST:
        node->body = guard_reader_compound (reader, guard_reader_reserved (reader));
        break;
      default:
        guard_reader_unexpected (reader);
      }
  guard_reader_end_node (reader, node);
  return node;
}

/* function name [()], after the first word */
static void
read_function_word (GuardReader *reader, GuardNode *node)
{
  GuardWord *name;
  guint pos;

  guard_reader_skip_blanks (reader);
  name = guard_reader_word (reader, 0, 0);
  node->name_span = name->span;
  node->name = guard_word_literal (reader->tree, name);
  if (!reader->failed && (!node->name || name->quoted))
    guard_reader_unexpected (reader);

  guard_reader_skip_blanks (reader);
  pos = reader->source.pos;
  if (guard_reader_char (reader) == '(')
    {
      guard_reader_advance (reader);
      guard_reader_skip_blanks (reader);
      if (guard_reader_char (reader) == ')')
        guard_reader_advance (reader);
      else if (!reader->failed)
        reader->source.pos = pos;
    }
  guard_reader_function_body (reader, node);
}

/* Behind the first word of a coprocess bash looks for reserved words once more, and only those that
 * begin a command may stand there. */
static gboolean
check_after_first (GuardReader *reader)
{
  guint pos = reader->source.pos;
  gboolean fits = TRUE;

  if (guard_reader_reserved (reader) != GUARD_RESERVED_NONE)
    return TRUE;
  while (reader->source.text[reader->source.pos] != '\0' &&
         !guard_reader_is_meta (reader->source.text[reader->source.pos]))
    reader->source.pos++;
  if (reader->source.pos > pos)
    {
      guard_reader_skip_blanks (reader);
      switch (guard_reader_reserved (reader))
        {
        case GUARD_RESERVED_THEN:
        case GUARD_RESERVED_ELIF:
        case GUARD_RESERVED_ELSE:
        case GUARD_RESERVED_FI:
        case GUARD_RESERVED_DO:
        case GUARD_RESERVED_DONE:
        case GUARD_RESERVED_ESAC:
        case GUARD_RESERVED_COPROC:
        case GUARD_RESERVED_BANG:
          fits = FALSE;
          break;
        default:
          break;
        }
    }
  reader->source.pos = pos;
  if (!fits)
    guard_reader_unexpected (reader);
  return fits;
}

/* A word before a compound command names the job. */
static void
read_coproc (GuardReader *reader, GuardNode *node)
{
  guint pos, end;

  guard_reader_skip_blanks (reader);
  pos = reader->source.pos;
  if (!check_after_first (reader))
    return;
  end = guard_reader_name_end (reader, pos);
  if (end > pos && guard_reader_reserved (reader) == GUARD_RESERVED_NONE &&
      strchr (" \t", reader->source.text[end]))
    {
      GuardReserved reserved;

      reader->source.pos = end;
      guard_reader_skip_blanks (reader);
      reserved = guard_reader_reserved (reader);
      if (guard_reader_char (reader) == '(' ||
          (reserved != GUARD_RESERVED_NONE && reserved != GUARD_RESERVED_TIME &&
           reserved != GUARD_RESERVED_BANG && reserved != GUARD_RESERVED_CLOSE))
        node->name = guard_reader_copy (reader, pos, end);
      else if (!reader->failed)
        reader->source.pos = pos;
    }
  node->body = guard_reader_command (reader);
  if (!reader->failed && node->body && node->body->type == GUARD_NODE_FUNCTION)
    guard_reader_ambiguous (reader, pos, reader->source.pos);
}

/* The command that @reserved begins. */
GuardNode *
guard_reader_compound (GuardReader *reader, GuardReserved reserved)
{
  static const GuardNodeType types[] = {
    [GUARD_RESERVED_IF] = GUARD_NODE_IF,
    [GUARD_RESERVED_WHILE] = GUARD_NODE_WHILE,
    [GUARD_RESERVED_UNTIL] = GUARD_NODE_UNTIL,
    [GUARD_RESERVED_FOR] = GUARD_NODE_FOR,
    [GUARD_RESERVED_SELECT] = GUARD_NODE_SELECT,
    [GUARD_RESERVED_CASE] = GUARD_NODE_CASE,
    [GUARD_RESERVED_FUNCTION] = GUARD_NODE_FUNCTION,
    [GUARD_RESERVED_COPROC] = GUARD_NODE_COPROC,
    [GUARD_RESERVED_OPEN] = GUARD_NODE_GROUP,
    [GUARD_RESERVED_TEST] = GUARD_NODE_TEST,
  };
  GuardNode *node;

  if (reserved >= G_N_ELEMENTS (types) || types[reserved] == GUARD_NODE_SIMPLE)
    return guard_reader_unexpected (reader);
  if (!guard_reader_enter (reader))
    return NULL;
  if (reserved == GUARD_RESERVED_TEST)
    node = guard_reader_test (reader);
  else
    {
      node = guard_reader_node (reader, types[reserved], reader->source.pos);
      guard_reader_take_reserved (reader, reserved);
      switch (node->type)
        {
        case GUARD_NODE_IF:
          read_if (reader, node);
          break;
        case GUARD_NODE_WHILE:
        case GUARD_NODE_UNTIL:
          read_while (reader, node);
          break;
        case GUARD_NODE_FOR:
        case GUARD_NODE_SELECT:
          read_for (reader, node);
          break;
        case GUARD_NODE_CASE:
          read_case (reader, node);
          break;
        case GUARD_NODE_FUNCTION:
          read_function_word (reader, node);
          break;
        case GUARD_NODE_COPROC:
          read_coproc (reader, node);
          break;
        default:
          node->body = read_list (reader);
          expect (reader, GUARD_RESERVED_CLOSE);
        }
    }
  guard_reader_leave (reader);
  if (reader->failed)
    return NULL;
  /* Those of a function or a coprocess belong to its body. */
  if (node->type != GUARD_NODE_FUNCTION && node->type != GUARD_NODE_COPROC)
    read_redirections (reader, node);
  guard_reader_end_node (reader, node);
  return node;
}

/* ( … ) or (( … )). bash looks for the end first: without `))` it is a subshell in a subshell. */
GuardNode *
guard_reader_parenthesis (GuardReader *reader)
{
  guint start = reader->source.pos;
  guint base = reader->stack->len;
  GuardNode *node;
  guint end = 0;

  if (!guard_reader_enter (reader))
    return NULL;
  guard_reader_advance (reader);
  if (guard_reader_char (reader) == '(')
    {
      end = guard_reader_scan (reader, reader->source.pos + 1, "(", NULL);
      if (end > 0 && guard_reader_peek_from (reader, end) != ')')
        end = 0;
    }
  if (end > 0)
    {
      node = guard_reader_node (reader, GUARD_NODE_ARITHMETIC, start);
      guard_reader_advance (reader);
      g_ptr_array_add (reader->stack, guard_reader_arithmetic (reader, ')', '\0'));
      node->n_words = 1;
      node->words = guard_reader_pop (reader, base);
      guard_reader_advance (reader);
      if (!reader->failed && reader->source.pos != end)
        guard_reader_ambiguous (reader, start, end);
      guard_reader_char (reader);
    }
  else
    {
      node = guard_reader_node (reader, GUARD_NODE_SUBSHELL, start);
      node->body = read_list (reader);
      if (!reader->failed && guard_reader_char (reader) != ')')
        guard_reader_unexpected (reader);
    }
  guard_reader_advance (reader);
  guard_reader_took (reader);
  guard_reader_leave (reader);
  if (reader->failed)
    return NULL;
  read_redirections (reader, node);
  guard_reader_end_node (reader, node);
  return node;
}

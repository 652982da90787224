/* Lists, pipelines and simple commands.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

GuardNode *
guard_reader_node (GuardReader *reader, GuardNodeType type, guint start)
{
  GuardNode *node = guard_arena_new (reader->arena, GuardNode);

  node->type = type;
  node->span = guard_reader_span (reader, start, start);
  return node;
}

void
guard_reader_end_node (GuardReader *reader, GuardNode *node)
{
  if (!reader->failed)
    node->span.end = MAX (node->span.start, guard_reader_end_of (reader, reader->token_end));
}

/* What can follow a command ends it; anything else is an error the caller finds. */
static gboolean
at_list_end (GuardReader *reader)
{
  char c = guard_reader_char (reader);

  if (c == '\0' || c == ')')
    return TRUE;
  if (c == ';')
    return guard_reader_next (reader) == ';' || guard_reader_next (reader) == '&';
  switch (guard_reader_reserved (reader))
    {
    case GUARD_RESERVED_THEN:
    case GUARD_RESERVED_ELIF:
    case GUARD_RESERVED_ELSE:
    case GUARD_RESERVED_FI:
    case GUARD_RESERVED_DO:
    case GUARD_RESERVED_DONE:
    case GUARD_RESERVED_ESAC:
    case GUARD_RESERVED_IN:
    case GUARD_RESERVED_CLOSE:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Takes the separator after a command. */
static GuardSeparator
read_separator (GuardReader *reader)
{
  char c, next;

  guard_reader_skip_blanks (reader);
  c = guard_reader_char (reader);
  next = guard_reader_next (reader);
  if (c == '\n')
    {
      guard_reader_skip_newlines (reader);
      return GUARD_SEPARATOR_SEQUENCE;
    }
  if ((c == '&' && next == '&') || (c == '|' && next == '|'))
    {
      guard_reader_advance (reader);
      guard_reader_char (reader);
      guard_reader_advance (reader);
      guard_reader_skip_newlines (reader);
      return c == '&' ? GUARD_SEPARATOR_AND : GUARD_SEPARATOR_OR;
    }
  if ((c == '&' && next != '>') || (c == ';' && next != ';' && next != '&'))
    {
      guard_reader_advance (reader);
      guard_reader_took (reader);
      guard_reader_skip_newlines (reader);
      return c == '&' ? GUARD_SEPARATOR_BACKGROUND : GUARD_SEPARATOR_SEQUENCE;
    }
  return GUARD_SEPARATOR_NONE;
}

static GuardNode *read_pipeline (GuardReader *reader);

static GuardNode *
finish_list (GuardReader *reader, GByteArray *separators, guint base, guint start)
{
  GuardNode *node;
  guint n = separators->len;

  if (n == 1 && separators->data[0] != GUARD_SEPARATOR_BACKGROUND)
    {
      node = g_ptr_array_index (reader->stack, base);
      g_ptr_array_set_size (reader->stack, base);
      return node;
    }
  if (separators->data[n - 1] == GUARD_SEPARATOR_SEQUENCE)
    separators->data[n - 1] = GUARD_SEPARATOR_NONE;
  node = guard_reader_node (reader, GUARD_NODE_LIST, start);
  node->children = guard_reader_pop (reader, base);
  node->n_children = n;
  node->separators = guard_arena_alloc (reader->arena, n);
  memcpy (node->separators, separators->data, n);
  guard_reader_end_node (reader, node);
  return node;
}

/* Commands up to what ends a list; NULL for none at all. */
GuardNode *
guard_reader_list (GuardReader *reader)
{
  g_autoptr (GByteArray) separators = NULL;
  guint base = reader->stack->len;
  guint start;

  guard_reader_skip_newlines (reader);
  if (at_list_end (reader))
    return NULL;

  start = reader->source.pos;
  separators = g_byte_array_new ();
  for (;;)
    {
      guint8 separator;

      g_ptr_array_add (reader->stack, read_pipeline (reader));
      separator = read_separator (reader);
      g_byte_array_append (separators, &separator, 1);
      if (separator == GUARD_SEPARATOR_NONE || reader->failed)
        break;
      if (at_list_end (reader))
        {
          if (separator == GUARD_SEPARATOR_AND || separator == GUARD_SEPARATOR_OR)
            guard_reader_unexpected (reader);
          break;
        }
    }
  if (reader->failed)
    {
      g_ptr_array_set_size (reader->stack, base);
      return NULL;
    }
  return finish_list (reader, separators, base, start);
}

/* `-p` or `--` after `time`. */
static gboolean
take_option (GuardReader *reader, char c)
{
  guint pos;

  guard_reader_skip_blanks (reader);
  pos = reader->source.pos;
  if (reader->source.text[pos] != '-' || guard_reader_peek_from (reader, pos + 1) != c)
    return FALSE;
  while (reader->source.text[++pos] != c)
    ;
  if (!guard_reader_is_meta (guard_reader_peek_from (reader, pos + 1)))
    return FALSE;
  reader->source.pos = pos + 1;
  guard_reader_took (reader);
  return TRUE;
}

/* `!`, `time`, `time -p` before a pipeline. */
static gboolean
read_prefixes (GuardReader *reader, GuardNode *node)
{
  gboolean any = FALSE;

  for (;; any = TRUE)
    {
      guard_reader_skip_blanks (reader);
      if (guard_reader_take_reserved (reader, GUARD_RESERVED_BANG))
        node->negated = !node->negated;
      else if (guard_reader_take_reserved (reader, GUARD_RESERVED_TIME))
        {
          node->timed = TRUE;
          /* To bash `--` means -p as well. */
          node->timed_posix |= take_option (reader, 'p') ? GUARD_TIMED_P : 0;
          node->timed_posix |= take_option (reader, '-') ? GUARD_TIMED_DASHES : 0;
        }
      else
        return any;
    }
}

static gboolean
at_pipe (GuardReader *reader)
{
  guard_reader_skip_blanks (reader);
  return guard_reader_char (reader) == '|' && guard_reader_next (reader) != '|';
}

static GuardNode *
read_pipeline (GuardReader *reader)
{
  guint start = reader->source.pos;
  guint base = reader->stack->len;
  GuardNode *node = guard_reader_node (reader, GUARD_NODE_PIPELINE, start);
  gboolean prefixed = read_prefixes (reader, node);
  g_autoptr (GByteArray) pipes = NULL;
  GuardNode *first;
  char c = guard_reader_char (reader);

  if (prefixed && (c == '\0' || c == '\n' || (c == ';' && guard_reader_next (reader) != ';')))
    {
      first = guard_reader_node (reader, GUARD_NODE_SIMPLE, reader->token_end);
      first->words = guard_reader_pop (reader, base);
    }
  else
    first = guard_reader_command (reader);
  if (reader->failed || (!prefixed && !at_pipe (reader)))
    return first;

  g_ptr_array_add (reader->stack, first);
  pipes = g_byte_array_new ();
  while (at_pipe (reader))
    {
      guint8 both;

      guard_reader_advance (reader);
      both = guard_reader_char (reader) == '&';
      if (both)
        guard_reader_advance (reader);
      g_byte_array_append (pipes, &both, 1);
      guard_reader_skip_newlines (reader);
      g_ptr_array_add (reader->stack, guard_reader_command (reader));
    }
  g_byte_array_append (pipes, (const guint8 *) "", 1);
  node->n_children = reader->stack->len - base;
  node->children = guard_reader_pop (reader, base);
  node->separators = guard_arena_alloc (reader->arena, pipes->len);
  memcpy (node->separators, pipes->data, pipes->len);
  guard_reader_end_node (reader, node);
  return node;
}

static gboolean
is_declaration (GuardReader *reader, const GuardWord *word)
{
  static const char *const names[] = { "declare",  "typeset", "local", "export",
                                       "readonly", "alias",   "let",   "eval" };

  if (!word->parts || word->parts->next || word->parts->type != GUARD_PART_LITERAL || word->quoted)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (word->parts->text, names[i]) == 0)
      return TRUE;
  return FALSE;
}

/* `name ()` after the first word of a command. */
static GuardNode *
read_function (GuardReader *reader, GuardNode *node, const GuardWord *word)
{
  node->type = GUARD_NODE_FUNCTION;
  node->name_span = word->span;
  node->words = NULL;
  node->n_words = 0;
  node->name = guard_word_literal (reader->tree, word);
  guard_reader_advance (reader);
  guard_reader_skip_blanks (reader);
  if (guard_reader_char (reader) != ')')
    return guard_reader_unexpected (reader);
  /* `*f()`, `f[ x ]()` */
  if (!node->name || word->quoted || strpbrk (node->name, " \t\n"))
    return guard_reader_ambiguous (reader, word->span.start, word->span.end);
  guard_reader_advance (reader);
  return guard_reader_function_body (reader, node);
}

/* `a[…]` as the first word reads on to its bracket, whatever lies between. */
static guint
subscript_quirk (GuardReader *reader)
{
  guint pos = reader->source.pos;
  guint end = guard_reader_name_end (reader, pos);
  guint close;

  if (end == pos || reader->source.text[end] != '[')
    return 0;
  close = guard_reader_scan (reader, end + 1, "[", NULL);
  /* bash takes parentheses in here as text in one place and as its own in another. */
  if (close > end && memchr (reader->source.text + end, '(', close - end) != NULL)
    guard_reader_unexpected (reader);
  return close;
}

static GuardNode *
read_simple (GuardReader *reader)
{
  guint start = reader->source.pos;
  guint base = reader->stack->len;
  GuardNode *node = guard_reader_node (reader, GUARD_NODE_SIMPLE, start);
  GuardAssignment **assignments = &node->assignments;
  GuardRedirection **redirections = &node->redirections;
  GuardWordFlags flags = GUARD_WORD_ORDINARY;

  for (;;)
    {
      GuardAssignment *assignment = NULL;
      char c;

      guard_reader_skip_blanks (reader);
      c = guard_reader_char (reader);
      if ((*redirections = guard_reader_redirection (reader)))
        {
          redirections = &(*redirections)->next;
          /* After it bash takes no more arrays: `declare > f x=(a)`. */
          if (flags & GUARD_WORD_DECLARE)
            flags = (flags & ~GUARD_WORD_DECLARE) | GUARD_WORD_ARGUMENT;
          continue;
        }
      if (c == '(' && reader->stack->len == base + 1 && !node->assignments && !node->redirections)
        {
          GuardWord *word = g_ptr_array_index (reader->stack, base);

          g_ptr_array_set_size (reader->stack, base);
          return read_function (reader, node, word);
        }
      if (guard_reader_is_meta (c) &&
          !((c == '<' || c == '>') && guard_reader_next (reader) == '('))
        break;
      if (reader->stack->len == base)
        assignment = guard_reader_assignment (reader);
      if (assignment)
        {
          *assignments = assignment;
          assignments = &assignment->next;
          continue;
        }
      if (reader->stack->len == base)
        {
          GuardWord *word = guard_reader_word (reader, flags, subscript_quirk (reader));

          g_ptr_array_add (reader->stack, word);
          flags |= is_declaration (reader, word) ? GUARD_WORD_DECLARE : GUARD_WORD_ARGUMENT;
        }
      else
        g_ptr_array_add (reader->stack, guard_reader_word (reader, flags, 0));
    }
  node->n_words = reader->stack->len - base;
  node->words = guard_reader_pop (reader, base);
  if (node->n_words == 0 && !node->assignments && !node->redirections)
    return guard_reader_unexpected (reader);
  guard_reader_end_node (reader, node);
  return node;
}

GuardNode *
guard_reader_command (GuardReader *reader)
{
  GuardReserved reserved;

  guard_reader_skip_blanks (reader);
  if (guard_reader_char (reader) == '(')
    return guard_reader_parenthesis (reader);
  reserved = guard_reader_reserved (reader);
  if (reserved != GUARD_RESERVED_NONE && reserved != GUARD_RESERVED_TIME)
    return guard_reader_compound (reader, reserved);
  return read_simple (reader);
}

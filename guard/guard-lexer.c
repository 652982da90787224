/* Characters, spans, failures, and what lies between words.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "guard-tree-private.h"
#include "guard.h"

guint
guard_reader_start_of (const GuardReader *reader, guint pos)
{
  return reader->source.map ? reader->source.map[pos] : pos;
}

guint
guard_reader_end_of (const GuardReader *reader, guint pos)
{
  if (!reader->source.map)
    return pos;
  return pos > 0 ? reader->source.map[pos - 1] + 1 : reader->source.map[0];
}

GuardSpan
guard_reader_span (const GuardReader *reader, guint start, guint end)
{
  GuardSpan span = { guard_reader_start_of (reader, start), guard_reader_end_of (reader, end) };

  if (span.end < span.start)
    span.end = span.start;
  return span;
}

/* Remembers that a token ends here, for the ends of nodes. */
void
guard_reader_took (GuardReader *reader)
{
  reader->token_end = reader->source.pos;
}

/* The first failure stays. From here on the source is empty, so that every loop ends. */
gpointer
guard_reader_fail (
    GuardReader *reader, const char *rule, const char *message, GuardSpan span, const char *detail)
{
  /* Positions of the old source stay valid in it, whatever they were. */
  static const char nothing[GUARD_MAX_LENGTH + 64];

  if (reader->failed)
    return NULL;

  reader->failed = TRUE;
  reader->tree->failed = TRUE;
  reader->tree->error.rule =
      reader->late > 0 && g_str_has_prefix (rule, "reader.") ? "reader.inner" : rule;
  reader->tree->error.message = message;
  reader->tree->error.span.start = MIN (span.start, reader->tree->length);
  reader->tree->error.span.end = CLAMP (span.end, span.start, reader->tree->length);
  reader->tree->error.detail = detail;

  reader->source.text = nothing;
  reader->source.length = 0;
  reader->source.pos = 0;
  reader->source.map = NULL;
  reader->token_end = 0;
  reader->heredocs = NULL;
  return NULL;
}

gpointer
guard_reader_unfinished (GuardReader *reader, guint start)
{
  return guard_reader_fail (reader, "reader.unfinished",
                            N_ ("A quote, bracket or substitution is opened here but not closed"),
                            guard_reader_span (reader, start, reader->source.length), NULL);
}

gpointer
guard_reader_ambiguous (GuardReader *reader, guint start, guint end)
{
  return guard_reader_fail (reader, "reader.ambiguous",
                            N_ ("This can be read in two ways; write it more plainly"),
                            guard_reader_span (reader, start, end), NULL);
}

/* What stands at the current position is no token that fits. */
gpointer
guard_reader_unexpected (GuardReader *reader)
{
  guint start, end;

  if (reader->failed)
    return NULL;
  if (guard_reader_char (reader) == '\0')
    return guard_reader_fail (reader, "reader.unfinished",
                              N_ ("The text ends in the middle of a command"),
                              guard_reader_span (reader, reader->source.pos, reader->source.pos),
                              NULL);

  start = end = reader->source.pos;
  do
    end++;
  while (end - start < 32 && reader->source.text[end] != '\0' &&
         guard_reader_is_meta (reader->source.text[start]) ==
             guard_reader_is_meta (reader->source.text[end]) &&
         !strchr (" \t\n", reader->source.text[end]));
  while (end < reader->source.length && (reader->source.text[end] & 0xc0) == 0x80)
    end++;
  return guard_reader_fail (reader, "reader.syntax", N_ ("bash does not accept “{1}” here"),
                            guard_reader_span (reader, start, end),
                            guard_arena_strndup (reader->arena, reader->source.text + start,
                                                 end - start));
}

gboolean
guard_reader_enter (GuardReader *reader)
{
  if (reader->failed)
    return FALSE;
  if (reader->depth >= GUARD_MAX_NESTING)
    {
      guard_reader_fail (reader, "limits.nesting", N_ ("The command is nested too deeply"),
                         guard_reader_span (reader, reader->source.pos, reader->source.pos), NULL);
      return FALSE;
    }
  reader->depth++;
  return TRUE;
}

void
guard_reader_leave (GuardReader *reader)
{
  reader->depth--;
}

gboolean
guard_reader_is_name_start (char c)
{
  return g_ascii_isalpha (c) || c == '_';
}

gboolean
guard_reader_is_name (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* Ends an unquoted word. */
gboolean
guard_reader_is_meta (char c)
{
  switch (c)
    {
    case '\0':
    case ' ':
    case '\t':
    case '\n':
    case ';':
    case '&':
    case '|':
    case '(':
    case ')':
    case '<':
    case '>':
      return TRUE;
    default:
      return FALSE;
    }
}

/* The end of the name that begins at @pos; @pos if none does. */
guint
guard_reader_name_end (const GuardReader *reader, guint pos)
{
  const char *text = reader->source.text;
  guint end = pos;

  if (!guard_reader_is_name_start (text[pos]))
    return pos;
  for (;;)
    {
      while (text[end] == '\\' && text[end + 1] == '\n')
        end += 2;
      if (!guard_reader_is_name (text[end]))
        return end;
      end++;
    }
}

/* The text of a stretch without its line continuations. */
char *
guard_reader_copy (GuardReader *reader, guint start, guint end)
{
  const char *text = reader->source.text;
  char *copy;
  gsize n = 0;

  if (reader->failed)
    return guard_arena_strndup (reader->arena, "", 0);
  copy = guard_arena_alloc (reader->arena, end - start + 1);
  while (start < end)
    {
      if (text[start] == '\\' && text[start + 1] == '\n')
        start += 2;
      else
        copy[n++] = text[start++];
    }
  return copy;
}

/* Blanks, continuations and a comment. A comment ends with its line, whatever it ends in. */
void
guard_reader_skip_blanks (GuardReader *reader)
{
  char c = guard_reader_char (reader);

  while (c == ' ' || c == '\t')
    {
      reader->source.pos++;
      c = guard_reader_char (reader);
    }
  if (c == '#')
    while (reader->source.text[reader->source.pos] != '\n' &&
           reader->source.text[reader->source.pos] != '\0')
      reader->source.pos++;
}

void
guard_reader_skip_newlines (GuardReader *reader)
{
  for (;;)
    {
      guard_reader_skip_blanks (reader);
      if (reader->source.text[reader->source.pos] != '\n')
        return;
      reader->source.pos++;
      if (reader->heredocs)
        guard_reader_read_heredocs (reader);
    }
}

static const struct
{
  const char *word;
  GuardReserved reserved;
} reserved_words[] = {
  { "if", GUARD_RESERVED_IF },
  { "then", GUARD_RESERVED_THEN },
  { "elif", GUARD_RESERVED_ELIF },
  { "else", GUARD_RESERVED_ELSE },
  { "fi", GUARD_RESERVED_FI },
  { "while", GUARD_RESERVED_WHILE },
  { "until", GUARD_RESERVED_UNTIL },
  { "for", GUARD_RESERVED_FOR },
  { "select", GUARD_RESERVED_SELECT },
  { "case", GUARD_RESERVED_CASE },
  { "esac", GUARD_RESERVED_ESAC },
  { "in", GUARD_RESERVED_IN },
  { "do", GUARD_RESERVED_DO },
  { "done", GUARD_RESERVED_DONE },
  { "function", GUARD_RESERVED_FUNCTION },
  { "time", GUARD_RESERVED_TIME },
  { "coproc", GUARD_RESERVED_COPROC },
  { "!", GUARD_RESERVED_BANG },
  { "{", GUARD_RESERVED_OPEN },
  { "}", GUARD_RESERVED_CLOSE },
  { "[[", GUARD_RESERVED_TEST },
  { "]]", GUARD_RESERVED_TEST_END },
};

/* Reads a bare word of at most 8 characters ahead; returns where it ends, or 0. */
static guint
guard_reader_bare (GuardReader *reader, char word[10])
{
  guint pos, n = 0;

  guard_reader_char (reader);
  pos = reader->source.pos;
  for (;;)
    {
      char c;

      while (reader->source.text[pos] == '\\' && reader->source.text[pos + 1] == '\n')
        pos += 2;
      c = reader->source.text[pos];
      /* `do>(x)` is one word. */
      if ((c == '<' || c == '>') && guard_reader_peek_from (reader, pos + 1) == '(')
        return 0;
      if (guard_reader_is_meta (c))
        break;
      if (n == 9)
        return 0;
      word[n++] = c;
      pos++;
    }
  word[n] = '\0';
  return n > 0 ? pos : 0;
}

/* The reserved word at the current position, where the grammar allows one. */
GuardReserved
guard_reader_reserved (GuardReader *reader)
{
  char word[10];
  char c = guard_reader_char (reader);

  if (!g_ascii_islower (c) && c != '!' && c != '{' && c != '}' && c != '[' && c != ']')
    return GUARD_RESERVED_NONE;
  if (guard_reader_bare (reader, word) == 0)
    return GUARD_RESERVED_NONE;
  for (gsize i = 0; i < G_N_ELEMENTS (reserved_words); i++)
    if (strcmp (word, reserved_words[i].word) == 0)
      return reserved_words[i].reserved;
  return GUARD_RESERVED_NONE;
}

gboolean
guard_reader_take_reserved (GuardReader *reader, GuardReserved reserved)
{
  char word[10];

  if (guard_reader_reserved (reader) != reserved)
    return FALSE;
  reader->source.pos = guard_reader_bare (reader, word);
  guard_reader_took (reader);
  return TRUE;
}

/* Past the single quote that closes the one before @pos; the length if there is none. */
static guint
scan_single (const char *text, guint pos, gboolean escapes)
{
  while (text[pos] != '\0' && text[pos] != '\'')
    pos += escapes && text[pos] == '\\' && text[pos + 1] != '\0' ? 2 : 1;
  return text[pos] == '\'' ? pos + 1 : pos;
}

/**
 * guard_reader_scan:
 * @pos: where to begin, inside of @open
 * @open: the brackets that are open already, at most two
 * @inner: (out) (optional): where the second one was closed
 *
 * Finds the end of a bracketed stretch without building anything, the way bash
 * pairs quotes and brackets before it knows what they mean. Linear, with a stack
 * of at most %GUARD_MAX_NESTING.
 *
 * Returns: just past the end, or 0 if it isn't closed or too deep (then it failed)
 */
guint
guard_reader_scan (GuardReader *reader, guint pos, const char *open, guint *inner)
{
  const char *text = reader->source.text;
  char stack[GUARD_MAX_NESTING + 4];
  guint n = strlen (open);
  guint start = pos;
  gboolean dollar = FALSE;

  memcpy (stack, open, n);
  if (inner)
    *inner = 0;
  while (text[pos] != '\0')
    {
      char c = text[pos];
      char top = stack[n - 1];
      char push = '\0';
      gboolean was_dollar = dollar;

      if (c == '\\' && text[pos + 1] == '\n')
        {
          pos += 2;
          continue;
        }
      dollar = c == '$' && !was_dollar;
      pos++;
      if (c == '\\')
        pos += text[pos] != '\0';
      else if (top == '`')
        n -= c == '`';
      else if ((c == '"' && top == '"') || (c == ')' && top == '(') || (c == '}' && top == '{') ||
               (c == ']' && top == '['))
        n--;
      else if (c == '`' || (c == '"' && top != '"') || (c == '(' && (was_dollar || top == '(')) ||
               (c == '{' && was_dollar) || (c == '[' && (was_dollar || top == '[')))
        push = c;
      else if (c == '\'' && top != '"')
        pos = scan_single (text, pos, was_dollar);

      if (push)
        {
          if (n >= GUARD_MAX_NESTING + 2)
            {
              guard_reader_fail (reader, "limits.nesting", N_ ("The command is nested too deeply"),
                                 guard_reader_span (reader, start, pos), NULL);
              return 0;
            }
          stack[n++] = push;
        }
      if (n == 1 && inner && *inner == 0)
        *inner = pos;
      if (n == 0)
        return pos;
    }
  guard_reader_unfinished (reader, start);
  return 0;
}

/* Takes what was pushed since @base as a NULL-terminated array. */
gpointer
guard_reader_pop (GuardReader *reader, guint base)
{
  guint n = reader->stack->len - base;
  gpointer *array = guard_arena_alloc (reader->arena, (n + 1) * sizeof (gpointer));

  if (n > 0)
    memcpy (array, reader->stack->pdata + base, n * sizeof (gpointer));
  g_ptr_array_set_size (reader->stack, base);
  return array;
}

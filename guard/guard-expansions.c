/* What begins with `$` or a backquote.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The list of a substitution up to its `)`; here-documents of its own end inside it. */
static GuardNode *
read_substitution (GuardReader *reader, guint start)
{
  GuardHeredoc *heredocs = reader->heredocs;
  GuardHeredoc *last = reader->last_heredoc;
  gboolean in_substitution = reader->in_substitution;
  GuardNode *body;

  if (!guard_reader_enter (reader))
    return NULL;
  reader->heredocs = NULL;
  reader->in_substitution = TRUE;
  body = guard_reader_list (reader);
  if (!reader->failed && guard_reader_char (reader) == '\0')
    guard_reader_unfinished (reader, start);
  else if (!reader->failed && guard_reader_char (reader) != ')')
    guard_reader_unexpected (reader);
  if (!reader->failed && reader->heredocs)
    guard_reader_fail (reader, "reader.heredoc",
                       N_ ("The here-document has no line that ends it: “{1}”"),
                       reader->heredocs->redirection->span,
                       reader->heredocs->redirection->delimiter);
  guard_reader_advance (reader);
  guard_reader_leave (reader);
  if (!reader->failed)
    {
      reader->heredocs = heredocs;
      reader->last_heredoc = last;
    }
  reader->in_substitution = in_substitution;
  return body;
}

/* <(…) and >(…) */
void
guard_reader_process (GuardBuilder *builder)
{
  GuardReader *reader = builder->reader;
  guint start = reader->source.pos;
  GuardPart *part = guard_builder_part (builder, GUARD_PART_PROCESS, FALSE, start);
  guint end = 0;

  part->op = guard_reader_char (reader) == '<' ? "<" : ">";
  guard_reader_advance (reader);
  guard_reader_char (reader);
  guard_reader_advance (reader);
  /* bash finds the end of `<((` by pairing brackets, before it reads what is inside. */
  if (guard_reader_char (reader) == '(')
    end = guard_reader_scan (reader, reader->source.pos + 1, "((", NULL);
  reader->late += end > 0;
  part->body = read_substitution (reader, start);
  reader->late -= end > 0;
  if (!reader->failed && end > 0 && reader->source.pos != end)
    guard_reader_ambiguous (reader, start, end);
  guard_builder_done (builder, part);
}

static guint
backquotes_end (GuardReader *reader)
{
  const char *text = reader->source.text;
  guint pos = reader->source.pos + 1;

  while (text[pos] != '`')
    {
      if (text[pos] == '\0' || (text[pos] == '\\' && text[pos + 1] == '\0'))
        {
          guard_reader_unfinished (reader, reader->source.pos);
          return 0;
        }
      pos += text[pos] == '\\' ? 2 : 1;
    }
  return pos;
}

/* Backquotes have escapes of their own: what they hold is unescaped, then read as a text. */
void
guard_reader_backquotes (GuardBuilder *builder, gboolean quoted)
{
  GuardReader *reader = builder->reader;
  GuardSource outer = reader->source;
  GuardHeredoc *heredocs = reader->heredocs, *last = reader->last_heredoc;
  gboolean in_substitution = reader->in_substitution;
  guint token_end = reader->token_end, no_bracket_until = reader->no_bracket_until;
  guint start = outer.pos;
  guint end = backquotes_end (reader);
  GuardPart *part = guard_builder_part (builder, GUARD_PART_COMMAND, quoted, start);
  guint length = 0;
  char *text;
  guint *map;

  if (!guard_reader_enter (reader))
    return;
  text = guard_arena_alloc (reader->arena, end - start + 1);
  map = guard_arena_alloc (reader->arena, (end - start + 1) * sizeof (guint));
  for (guint pos = start + 1; pos < end; pos++)
    {
      char next = outer.text[pos + 1];

      if (outer.text[pos] == '\\')
        {
          if (next == '\n')
            {
              pos++;
              continue;
            }
          if (next == '\\' || next == '`' || next == '$' || (next == '"' && quoted))
            pos++;
          else
            {
              map[length] = guard_reader_start_of (reader, pos);
              text[length++] = outer.text[pos++];
            }
        }
      map[length] = guard_reader_start_of (reader, pos);
      text[length++] = outer.text[pos];
    }
  map[length] = guard_reader_start_of (reader, end);

  part->op = "`";
  reader->source = (GuardSource){ text, length, 0, map };
  reader->heredocs = NULL;
  reader->in_substitution = FALSE;
  reader->no_bracket_until = 0;
  reader->late++;
  part->body = guard_reader_list (reader);
  if (!reader->failed && guard_reader_char (reader) != '\0')
    guard_reader_unexpected (reader);
  if (!reader->failed && reader->heredocs)
    guard_reader_read_heredocs (reader);
  reader->late--;
  guard_reader_leave (reader);
  if (reader->failed)
    return;

  reader->source = outer;
  reader->source.pos = end + 1;
  reader->token_end = token_end;
  reader->heredocs = heredocs;
  reader->last_heredoc = last;
  reader->in_substitution = in_substitution;
  reader->no_bracket_until = no_bracket_until;
  guard_builder_done (builder, part);
}

/* Quotes in an expression only where they change nothing about its brackets. */
static void
read_expression_quote (GuardBuilder *builder, char quote)
{
  GuardReader *reader = builder->reader;
  guint start = reader->source.pos;
  guint end = start + 1;

  while (reader->source.text[end] != '\0' && reader->source.text[end] != quote)
    {
      char c = reader->source.text[end];

      if (quote == '"' ? strchr ("()[]{}'\\`;:", c) != NULL : strchr ("()[]{}\"\\`;:$", c) != NULL)
        break;
      end++;
    }
  if (reader->source.text[end] != quote || reader->source.text[end - 1] == '$')
    {
      guard_reader_ambiguous (reader, start, end);
      return;
    }
  if (quote == '"')
    {
      reader->source.pos++;
      guard_reader_double (builder, '"');
      guard_reader_advance (reader);
      return;
    }
  guard_builder_add (builder, reader->source.text + start, end + 1 - start, FALSE, start, end + 1);
  reader->source.pos = end + 1;
}

/**
 * guard_reader_arithmetic:
 * @stop: ends it outside of all brackets: `)`, `]`, `;`, or `}` in a substring
 * @stop2: another that ends it, or NUL
 *
 * Reads an expression as bash takes it: text with expansions, as in double quotes.
 */
GuardWord *
guard_reader_arithmetic (GuardReader *reader, char stop, char stop2)
{
  GuardBuilder builder;
  guint start = reader->source.pos;
  guint round = 0, square = 0, ternary = 0;

  guard_builder_init (&builder, reader);
  if (!guard_reader_enter (reader))
    return builder.word;
  for (;;)
    {
      char c = guard_reader_char (reader);
      guint pos = reader->source.pos;

      if (c == '\0')
        {
          guard_reader_unfinished (reader, start);
          break;
        }
      if (round == 0 && square == 0 && (c == stop || (c == stop2 && ternary == 0)))
        break;
      /* Without its quotes what follows would become the dollar's name. */
      if (c == '$' &&
          (guard_reader_is_bare_dollar (reader) || strchr ("'\"", guard_reader_next (reader))))
        guard_reader_ambiguous (reader, pos, pos + 2);
      else if (c == '$')
        guard_reader_dollar (&builder, TRUE);
      else if (c == '`')
        guard_reader_backquotes (&builder, TRUE);
      else if (c == '"' || c == '\'')
        read_expression_quote (&builder, c);
      else
        {
          gboolean escape = c == '\\' && reader->source.text[pos + 1] != '\0';

          /* $[ … ] and offsets are written in round brackets or beside them. */
          if (c == ')' && round == 0)
            {
              guard_reader_ambiguous (reader, pos, pos + 1);
              break;
            }
          round += c == '(';
          square += c == '[';
          ternary += c == '?';
          round -= c == ')' && round > 0;
          square -= c == ']' && square > 0;
          ternary -= c == ':' && ternary > 0;
          guard_builder_add (&builder, reader->source.text + pos, escape ? 2 : 1, FALSE, pos,
                             pos + 1 + escape);
          reader->source.pos += 1 + escape;
        }
    }
  guard_reader_leave (reader);
  return guard_builder_finish (&builder, start);
}

/* $( … ) and $(( … )): bash looks for the end first and takes `((` for arithmetic if it also
 * ends in `))`; if it does not, it is a substitution that begins with a subshell. */
static void
read_parenthesis (GuardBuilder *builder, gboolean quoted)
{
  GuardReader *reader = builder->reader;
  guint start = reader->source.pos;
  GuardPart *part;
  guint inner = 0, end = 0;

  guard_reader_advance (reader);
  guard_reader_char (reader);
  guard_reader_advance (reader);
  if (guard_reader_char (reader) == '(')
    {
      end = guard_reader_scan (reader, reader->source.pos + 1, "((", &inner);
      if (end == 0)
        return;
    }
  if (end > 0 && guard_reader_peek_from (reader, inner) == ')')
    {
      part = guard_builder_part (builder, GUARD_PART_ARITHMETIC, quoted, start);
      guard_reader_advance (reader);
      part->word = guard_reader_arithmetic (reader, ')', '\0');
      guard_reader_advance (reader);
      if (!reader->failed && reader->source.pos != inner)
        guard_reader_ambiguous (reader, start, end);
      guard_reader_char (reader);
      guard_reader_advance (reader);
    }
  else
    {
      part = guard_builder_part (builder, GUARD_PART_COMMAND, quoted, start);
      reader->late += end > 0;
      part->body = read_substitution (reader, start);
      reader->late -= end > 0;
      if (!reader->failed && end > 0 && reader->source.pos != end)
        guard_reader_ambiguous (reader, start, end);
    }
  guard_builder_done (builder, part);
}

static gboolean
is_special_name (char c)
{
  return c != '\0' && strchr ("@*#?-$!", c) != NULL;
}

/* The parameter's name inside ${ }. */
static const char *
read_name (GuardReader *reader)
{
  char c = guard_reader_char (reader);
  guint start = reader->source.pos;

  if (guard_reader_is_name_start (c))
    reader->source.pos = guard_reader_name_end (reader, start);
  else if (g_ascii_isdigit (c))
    while (g_ascii_isdigit (guard_reader_char (reader)))
      reader->source.pos++;
  else if (is_special_name (c))
    reader->source.pos++;
  else
    return NULL;
  return guard_reader_copy (reader, start, reader->source.pos);
}

/* The operator after the name, with its operands. */
static const char *
read_operator (GuardReader *reader, GuardPart *part, gboolean quoted)
{
  char c = guard_reader_char (reader);
  char next = guard_reader_next (reader);
  guint start = reader->source.pos;
  const char *op;

  if (c == '}')
    return "";
  reader->source.pos++;
  if (c == ':' && next != '\0' && strchr ("-=?+", next))
    {
      guard_reader_char (reader);
      reader->source.pos++;
      op = guard_reader_copy (reader, start, reader->source.pos);
      part->word = guard_reader_operand (reader, TRUE, quoted, '}');
      return op;
    }
  if (c == ':')
    {
      part->word = guard_reader_arithmetic (reader, '}', ':');
      if (guard_reader_char (reader) == ':')
        {
          reader->source.pos++;
          part->word2 = guard_reader_arithmetic (reader, '}', '\0');
        }
      return ":";
    }
  if (strchr ("-=?+", c))
    {
      op = guard_reader_copy (reader, start, start + 1);
      part->word = guard_reader_operand (reader, TRUE, quoted, '}');
      return op;
    }
  if (c == '@')
    {
      if (next == '\0' || !strchr ("UuLQEPAKak", next))
        return NULL;
      guard_reader_char (reader);
      reader->source.pos++;
      return guard_reader_copy (reader, start, reader->source.pos);
    }
  if (!strchr ("#%/^,~", c))
    return NULL;
  if (next == c || (c == '/' && (next == '#' || next == '%')))
    {
      guard_reader_char (reader);
      reader->source.pos++;
    }
  op = guard_reader_copy (reader, start, reader->source.pos);
  part->word = guard_reader_operand (reader, FALSE, quoted, c == '/' ? '/' : '}');
  if (c == '/' && guard_reader_char (reader) == '/')
    {
      reader->source.pos++;
      part->word2 = guard_reader_operand (reader, FALSE, quoted, '}');
    }
  return op;
}

/* ${#x} but not ${#} nor ${#:-x} */
static gboolean
is_length (GuardReader *reader)
{
  guint pos = reader->source.pos + 1;
  char c = guard_reader_peek_from (reader, pos);

  if (guard_reader_is_name (c))
    return TRUE;
  while (reader->source.text[pos] == '\\' && reader->source.text[pos + 1] == '\n')
    pos += 2;
  return is_special_name (c) && guard_reader_peek_from (reader, pos + 1) == '}';
}

static void
read_subscript (GuardReader *reader, GuardPart *part)
{
  guint start = reader->source.pos;

  if (guard_reader_char (reader) != '[' || !guard_reader_is_name_start (part->name[0]))
    return;
  guard_reader_advance (reader);
  /* bash looks for the brace first, whatever stands before it. */
  part->subscript = guard_reader_subscript (reader, '}');
  if (!reader->failed && !part->subscript->parts && !part->subscript->quoted)
    guard_reader_ambiguous (reader, start, reader->source.pos);
  guard_reader_advance (reader);
}

/* The rest of ${!…: an indirection, the names with a prefix, or the keys of an array. */
static const char *
read_indirect (GuardReader *reader, GuardPart *part, gboolean quoted)
{
  char c = guard_reader_char (reader);
  const char *op;

  if ((c == '*' || c == '@') && guard_reader_next (reader) == '}' && !part->subscript)
    {
      guard_reader_advance (reader);
      return c == '*' ? "!*" : "!@";
    }
  op = read_operator (reader, part, quoted);
  if (op && *op)
    {
      char *joined = guard_arena_alloc (reader->arena, strlen (op) + 2);

      joined[0] = '!';
      strcpy (joined + 1, op);
      return joined;
    }
  return op ? "!" : NULL;
}

/* ${…} */
static void
read_braces (GuardBuilder *builder, gboolean quoted)
{
  GuardReader *reader = builder->reader;
  guint start = reader->source.pos;
  GuardPart *part = guard_builder_part (builder, GUARD_PART_PARAMETER, quoted, start);
  gboolean length, indirect;
  char c;

  guard_reader_advance (reader);
  guard_reader_char (reader);
  guard_reader_advance (reader);
  c = guard_reader_char (reader);
  length = c == '#' && is_length (reader);
  indirect = c == '!' && guard_reader_next (reader) != '}' &&
             !strchr ("-=?+:#%/^,~@*", guard_reader_next (reader));
  if (length || indirect)
    guard_reader_advance (reader);

  part->name = read_name (reader);
  part->op = NULL;
  if (part->name)
    {
      read_subscript (reader, part);
      if (length)
        part->op = "#len";
      else if (indirect)
        part->op = read_indirect (reader, part, quoted);
      else
        part->op = read_operator (reader, part, quoted);
    }
  if (!reader->failed && guard_reader_char (reader) == '\0')
    guard_reader_unfinished (reader, start);
  else if (!reader->failed && (!part->op || guard_reader_char (reader) != '}'))
    guard_reader_fail (reader, "reader.expansion", N_ ("bash knows no such expansion"),
                       guard_reader_span (reader, start, reader->source.pos), NULL);
  if (!part->op)
    part->op = "";
  guard_reader_advance (reader);
  guard_builder_done (builder, part);
}

/* $name, $1, $@ */
static void
read_plain (GuardBuilder *builder, gboolean quoted)
{
  GuardReader *reader = builder->reader;
  GuardPart *part = guard_builder_part (builder, GUARD_PART_PARAMETER, quoted, reader->source.pos);
  guint start;

  guard_reader_advance (reader);
  guard_reader_char (reader);
  start = reader->source.pos;
  if (guard_reader_is_name_start (guard_reader_char (reader)))
    reader->source.pos = guard_reader_name_end (reader, start);
  else
    reader->source.pos++;
  part->name = guard_reader_copy (reader, start, reader->source.pos);
  guard_builder_done (builder, part);
}

/* The current character is `$`. */
void
guard_reader_dollar (GuardBuilder *builder, gboolean quoted)
{
  GuardReader *reader = builder->reader;
  char next = guard_reader_next (reader);
  guint start = reader->source.pos;

  if (next == '(')
    read_parenthesis (builder, quoted);
  else if (next == '{')
    read_braces (builder, quoted);
  else if (next == '[')
    {
      GuardPart *part = guard_builder_part (builder, GUARD_PART_ARITHMETIC, quoted, start);

      guard_reader_advance (reader);
      guard_reader_char (reader);
      guard_reader_advance (reader);
      part->word = guard_reader_arithmetic (reader, ']', '\0');
      guard_reader_advance (reader);
      guard_builder_done (builder, part);
    }
  else if (guard_reader_is_name (next) || is_special_name (next))
    read_plain (builder, quoted);
  else if (!quoted && (next == '\'' || next == '"'))
    {
      guard_reader_advance (reader);
      guard_reader_char (reader);
      if (next == '\'')
        guard_reader_ansi (builder);
      else
        guard_reader_quoted (builder);
    }
  else
    {
      guard_builder_add (builder, "$", 1, quoted, start, start + 1);
      reader->source.pos = start + 1;
    }
}

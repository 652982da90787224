/* Words: quotes, globs, tildes, and what stands in ${…} and […].
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "guard-tree-private.h"
#include "guard.h"

static void
add_char (GuardBuilder *builder, gboolean quoted)
{
  GuardSource *source = &builder->reader->source;
  guint pos = source->pos;

  if (source->text[pos] == '\0')
    return;
  guard_builder_add (builder, source->text + pos, 1, quoted, pos, pos + 1);
  source->pos++;
}

/* '…' */
static void
read_single (GuardBuilder *builder)
{
  GuardReader *reader = builder->reader;
  guint start = reader->source.pos;
  const char *text = reader->source.text;
  const char *end = strchr (text + start + 1, '\'');

  if (!end)
    {
      guard_reader_unfinished (reader, start);
      return;
    }
  reader->source.pos = end - text + 1;
  guard_builder_add (builder, text + start + 1, end - text - start - 1, TRUE, start,
                     reader->source.pos);
}

/* A backslash and what it quotes. */
static void
read_escape (GuardBuilder *builder)
{
  GuardSource *source = &builder->reader->source;
  guint start = source->pos;

  if (source->text[start + 1] == '\0')
    {
      add_char (builder, TRUE);
      return;
    }
  source->pos++;
  guard_builder_add (builder, source->text + source->pos, 1, TRUE, start, source->pos + 1);
  source->pos++;
}

/* One escape of $'…' after its backslash; appends to @out, FALSE for one that isn't clear. */
static gboolean
ansi_escape (const char *text, guint *pos, GString *out)
{
  static const char plain[] = "abeEfnrtv\\'\"?";
  static const char values[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
  char c = text[(*pos)++];
  const char *known = c ? strchr (plain, c) : NULL;
  guint digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  guint64 value = 0;

  if (known)
    g_string_append_c (out, values[known - plain]);
  else if (c >= '0' && c <= '7')
    {
      value = c - '0';
      for (int i = 0; i < 2 && text[*pos] >= '0' && text[*pos] <= '7'; i++)
        value = value * 8 + (text[(*pos)++] - '0');
      g_string_append_c (out, (char) (value & 0xff));
    }
  else if (digits > 0 && g_ascii_isxdigit (text[*pos]))
    {
      for (; digits > 0 && g_ascii_isxdigit (text[*pos]); digits--)
        value = value * 16 + g_ascii_xdigit_value (text[(*pos)++]);
      if (c == 'x')
        g_string_append_c (out, (char) value);
      else if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return FALSE;
      else if (value == 0)
        g_string_append_c (out, '\0');
      else
        g_string_append_unichar (out, value);
    }
  else if (c == 'c' && g_ascii_isalpha (text[*pos]))
    g_string_append_c (out, text[(*pos)++] & 0x1f);
  else if (c == 'c' || (digits > 0 && text[*pos] == '{'))
    return FALSE;
  else
    {
      g_string_append_c (out, '\\');
      g_string_append_c (out, c);
    }
  return TRUE;
}

/* $'…', the current character being the quote. */
void
guard_reader_ansi (GuardBuilder *builder)
{
  GuardReader *reader = builder->reader;
  const char *text = reader->source.text;
  guint start = reader->source.pos;
  guint pos = start + 1;
  g_autoptr (GString) out = g_string_new (NULL);

  while (text[pos] != '\'')
    {
      if (text[pos] == '\0' || (text[pos] == '\\' && text[pos + 1] == '\0'))
        {
          guard_reader_unfinished (reader, start);
          return;
        }
      if (text[pos] != '\\')
        g_string_append_c (out, text[pos++]);
      else
        {
          guint escape = pos++;

          if (!ansi_escape (text, &pos, out))
            {
              guard_reader_ambiguous (reader, escape, pos);
              return;
            }
        }
    }
  reader->source.pos = pos + 1;
  /* A NUL ends the string, as in bash. */
  guard_builder_add (builder, out->str, strlen (out->str), TRUE, start, pos + 1);
}

/* In the operand of "${x:-…}" single quotes are text, yet bash pairs them when it looks for the
 * brace. Both readings agree only if nothing between them could end or begin something. */
static guint
plain_pair (GuardReader *reader)
{
  const char *text = reader->source.text;
  guint start = reader->source.pos;
  const char *end = strchr (text + start + 1, '\'');

  if (!end)
    {
      guard_reader_unfinished (reader, start);
      return 0;
    }
  for (const char *p = text + start + 1; p < end; p++)
    if (strchr ("}\"\\`", *p) || (*p == '$' && strchr ("([{", p[1])))
      {
        guard_reader_ambiguous (reader, start, end - text + 1);
        return 0;
      }
  return end - text;
}

/* A backslash inside double quotes or a here-document. */
static void
read_double_escape (GuardBuilder *builder, char stop)
{
  GuardSource *source = &builder->reader->source;
  guint start = source->pos;
  char c = source->text[start + 1];

  if (c == '$' || c == '`' || c == '\\' || (c == '"' && stop != '\0') || (c == '}' && stop == '}'))
    {
      source->pos++;
      guard_builder_add (builder, &c, 1, TRUE, start, start + 2);
      source->pos++;
      return;
    }
  add_char (builder, TRUE);
  if (c != '\0' && (c != '}' || stop != '\0'))
    add_char (builder, TRUE);
}

/* Text as in double quotes, up to @stop: `"`, `}` in an operand, or NUL in a here-document. */
void
guard_reader_double (GuardBuilder *builder, char stop)
{
  GuardReader *reader = builder->reader;
  guint start = reader->source.pos;
  guint pair = 0;

  for (;;)
    {
      char c = guard_reader_char (reader);

      if (c == '\0')
        {
          if (stop != '\0')
            guard_reader_unfinished (reader, start > 0 ? start - 1 : 0);
          return;
        }
      if (c == stop)
        return;
      if (c == '\\')
        read_double_escape (builder, stop);
      else if (c == '$' && stop == '}' && strchr ("'\"", guard_reader_next (reader)))
        guard_reader_ambiguous (reader, reader->source.pos, reader->source.pos + 2);
      else if (c == '$')
        guard_reader_dollar (builder, TRUE);
      else if (c == '`')
        guard_reader_backquotes (builder, TRUE);
      else if (c == '"' && stop == '}')
        guard_reader_quoted (builder);
      else if (stop == '}' && (c == '<' || c == '>') && guard_reader_next (reader) == '(')
        guard_reader_ambiguous (reader, reader->source.pos, reader->source.pos + 2);
      else
        {
          if (c == '\'' && stop == '}' && reader->source.pos != pair)
            pair = plain_pair (reader);
          add_char (builder, TRUE);
        }
    }
}

/* "…" with its quotes. */
void
guard_reader_quoted (GuardBuilder *builder)
{
  GuardReader *reader = builder->reader;
  guint start = reader->source.pos;

  builder->word->quoted = TRUE;
  reader->source.pos++;
  if (guard_reader_char (reader) == '"')
    guard_builder_add (builder, "", 0, TRUE, start, reader->source.pos + 1);
  guard_reader_double (builder, '"');
  guard_reader_advance (reader);
  builder->last = reader->source.pos;
}

/* `~` or `~user`, if what follows is a slash, an end, or one of @ends. */
gboolean
guard_reader_tilde (GuardBuilder *builder, const char *ends)
{
  GuardReader *reader = builder->reader;
  const char *text = reader->source.text;
  guint start = reader->source.pos;
  guint end = start + 1;
  GuardPart *part;

  while (g_ascii_isalnum (text[end]) || (text[end] != '\0' && strchr ("._+-", text[end])))
    end++;
  if (text[end] != '/' && !guard_reader_is_meta (text[end]) && !strchr (ends, text[end]))
    return FALSE;
  if ((text[end] == '<' || text[end] == '>') && text[end + 1] == '(')
    return FALSE;

  part = guard_builder_part (builder, GUARD_PART_TILDE, FALSE, start);
  part->text = guard_arena_strndup (reader->arena, text + start + 1, end - start - 1);
  part->length = end - start - 1;
  reader->source.pos = end;
  guard_builder_done (builder, part);
  return TRUE;
}

/* The end of a `[…]` without quotes or expansions inside, or 0. */
static guint
bracket_end (GuardReader *reader, guint pos, const char *stops)
{
  const char *text = reader->source.text;
  guint start = pos++;

  if (start < reader->no_bracket_until)
    return 0;
  if (text[pos] == '!' || text[pos] == '^')
    pos++;
  if (text[pos] == ']')
    pos++;
  while (text[pos] != ']')
    {
      if (guard_reader_is_meta (text[pos]) || strchr ("'\"`$\\", text[pos]) ||
          strchr (stops, text[pos]))
        {
          reader->no_bracket_until = pos;
          return 0;
        }
      if (text[pos] == '[' && text[pos + 1] == ':')
        {
          guint end = pos + 2;

          while (g_ascii_isalpha (text[end]))
            end++;
          if (text[end] == ':' && text[end + 1] == ']')
            pos = end + 1;
        }
      pos++;
    }
  return pos + 1;
}

static void
read_bracket (GuardBuilder *builder, const char *stops)
{
  GuardReader *reader = builder->reader;
  guint pos = reader->source.pos;
  guint end = bracket_end (reader, pos, stops);

  if (end > 0)
    {
      guard_builder_add_glob (builder, pos, end);
      reader->source.pos = end;
      return;
    }
  if (!guard_reader_is_meta (guard_reader_next (reader)) &&
      !guard_reader_is_meta (reader->source.text[reader->no_bracket_until]))
    guard_builder_open_bracket (builder);
  add_char (builder, FALSE);
}

/* `@(a|b)` and its kin. */
static void
read_extglob (GuardBuilder *builder)
{
  GuardReader *reader = builder->reader;
  guint start = reader->source.pos;
  guint base = reader->stack->len;
  GuardPart *part = guard_builder_part (builder, GUARD_PART_EXTGLOB, FALSE, start);

  if (!guard_reader_enter (reader))
    return;
  part->op = guard_reader_copy (reader, start, start + 1);
  reader->source.pos++;
  do
    {
      guard_reader_char (reader);
      guard_reader_advance (reader);
      g_ptr_array_add (reader->stack, guard_reader_operand (reader, FALSE, FALSE, '|'));
    }
  while (guard_reader_char (reader) == '|');
  part->words = guard_reader_pop (reader, base);
  if (guard_reader_char (reader) != ')')
    guard_reader_unfinished (reader, start);
  guard_reader_advance (reader);
  guard_builder_done (builder, part);
  guard_reader_leave (reader);
}

static gboolean
is_extglob (GuardReader *reader, char c)
{
  return strchr ("?*+@!", c) && guard_reader_next (reader) == '(';
}

/* Quotes and expansions, which mean the same wherever quotes are active. */
static gboolean
read_active (GuardBuilder *builder, char c)
{
  switch (c)
    {
    case '\\':
      read_escape (builder);
      return TRUE;
    case '\'':
      read_single (builder);
      return TRUE;
    case '"':
      guard_reader_quoted (builder);
      return TRUE;
    case '$':
      guard_reader_dollar (builder, FALSE);
      return TRUE;
    case '`':
      guard_reader_backquotes (builder, FALSE);
      return TRUE;
    default:
      return FALSE;
    }
}

/* A run of characters that mean nothing anywhere. */
static gboolean
add_run (GuardBuilder *builder, char stop)
{
  GuardSource *source = &builder->reader->source;
  guint start = source->pos;
  guint end = start;

  for (char c = source->text[end]; c != stop; c = source->text[++end])
    if (!g_ascii_isalnum (c) && c != '/' && c != '-' && c != '_' && c != '.' && !(c & 0x80))
      break;
  if (end == start)
    return FALSE;
  guard_builder_add (builder, source->text + start, end - start, FALSE, start, end);
  source->pos = end;
  return TRUE;
}

/* A dollar that begins no expansion. */
gboolean
guard_reader_is_bare_dollar (GuardReader *reader)
{
  char next = guard_reader_next (reader);

  return next == '\0' || !(guard_reader_is_name (next) || strchr ("({['\"@*#?-$!", next));
}

/* The operand of ${…} up to @stop or `}`, or an alternative of an extglob up to `|` or `)`. */
GuardWord *
guard_reader_operand (GuardReader *reader, gboolean value, gboolean quoted, char stop)
{
  GuardBuilder builder;
  guint start;
  gboolean glob = stop == '|';

  guard_reader_char (reader);
  start = reader->source.pos;
  guard_builder_init (&builder, reader);
  if (!guard_reader_enter (reader))
    return builder.word;

  if (value && quoted)
    guard_reader_double (&builder, '}');
  else
    for (;;)
      {
        char c = guard_reader_char (reader);

        if (c == '\0')
          {
            guard_reader_unfinished (reader, start);
            break;
          }
        if (c == stop || c == (glob ? ')' : '}'))
          break;
        /* A dollar that begins nothing is written with a backslash, so it counts as quoted. */
        if (c == '$' && guard_reader_is_bare_dollar (reader))
          {
            add_char (&builder, TRUE);
            continue;
          }
        if (add_run (&builder, stop) || read_active (&builder, c))
          continue;
        if ((c == '<' || c == '>') && guard_reader_next (reader) == '(')
          guard_reader_ambiguous (reader, reader->source.pos, reader->source.pos + 2);
        else if (glob && is_extglob (reader, c))
          read_extglob (&builder);
        else if (glob && c == '(')
          guard_reader_ambiguous (reader, reader->source.pos, reader->source.pos + 1);
        else if (c == '*' || c == '?')
          {
            guard_builder_add_glob (&builder, reader->source.pos, reader->source.pos + 1);
            reader->source.pos++;
          }
        else if (c == '[')
          read_bracket (&builder, stop == '/' ? "}/" : glob ? "|" : "}");
        else if (c == '~' && reader->source.pos == start && !glob && !quoted &&
                 guard_reader_tilde (&builder, "}"))
          continue;
        else
          add_char (&builder, c == '~' && reader->source.pos == start);
      }
  guard_reader_leave (reader);
  return guard_builder_finish (&builder, start);
}

/* What stands between `[` and its `]`, up to the bracket. */
GuardWord *
guard_reader_subscript (GuardReader *reader, char stop)
{
  GuardBuilder builder;
  guint start = reader->source.pos;
  guint level = 0;

  guard_builder_init (&builder, reader);
  if (!guard_reader_enter (reader))
    return builder.word;
  for (;;)
    {
      char c = guard_reader_char (reader);

      if (c == '\0')
        {
          guard_reader_unfinished (reader, start);
          break;
        }
      if (c == stop)
        {
          guard_reader_fail (reader, "reader.expansion", N_ ("bash knows no such expansion"),
                             guard_reader_span (reader, start, reader->source.pos), NULL);
          break;
        }
      if (c == ']' && level-- == 0)
        break;
      if (c == '[')
        level++;
      if ((c == '<' || c == '>') && guard_reader_next (reader) == '(')
        {
          guard_reader_ambiguous (reader, reader->source.pos, reader->source.pos + 2);
          break;
        }
      if (c == '$' && guard_reader_is_bare_dollar (reader))
        add_char (&builder, TRUE);
      else if (!add_run (&builder, ']') && !read_active (&builder, c))
        add_char (&builder, FALSE);
    }
  guard_reader_leave (reader);
  return guard_builder_finish (&builder, start);
}

/* The whole source as the body of a here-document that expands. */
GuardWord *
guard_reader_heredoc_word (GuardReader *reader)
{
  GuardBuilder builder;

  guard_builder_init (&builder, reader);
  if (guard_reader_enter (reader))
    {
      guard_reader_double (&builder, '\0');
      guard_reader_leave (reader);
    }
  return guard_builder_finish (&builder, 0);
}

/* After =~: parentheses and bars belong to the word, and all that is bare is kept as written. */
static gboolean
read_regex_char (GuardBuilder *builder, char c, guint *level)
{
  GuardReader *reader = builder->reader;
  guint pos = reader->source.pos;

  if (c == '(')
    ++*level;
  else if (c == ')')
    {
      if (*level == 0)
        return FALSE;
      --*level;
    }
  else if (c == '|' ? *level == 0 && guard_reader_next (reader) == '|'
                    : guard_reader_is_meta (c) && *level == 0)
    return FALSE;
  guard_builder_add_glob (builder, pos, pos + 1);
  reader->source.pos++;
  return TRUE;
}

/* A bare `$` anchors; it begins an expansion only before what can follow it. */
static gboolean
is_regex_char (GuardReader *reader, char c)
{
  if (c == '$')
    return guard_reader_is_bare_dollar (reader);
  return c != '\0' && !strchr ("\\'\"`", c);
}

static void
add_mark (GuardBuilder *builder, char c)
{
  GuardReader *reader = builder->reader;
  guint pos = reader->source.pos;
  GuardPart *part = guard_builder_part (builder,
                                        c == '{'   ? GUARD_PART_MARK_OPEN
                                        : c == '}' ? GUARD_PART_MARK_CLOSE
                                                   : GUARD_PART_MARK_COMMA,
                                        FALSE, pos);

  part->text = c == '{' ? "{" : c == '}' ? "}" : ",";
  part->length = 1;
  part->op = builder->bracket ? "[" : NULL;
  if (c == '{')
    builder->braces = TRUE;
  reader->source.pos++;
  guard_builder_done (builder, part);
}

/* Characters that are special in some words only; FALSE for plain text. */
static gboolean
read_special (GuardBuilder *builder, char c, GuardWordFlags flags)
{
  GuardReader *reader = builder->reader;
  guint pos = reader->source.pos;

  if ((flags & GUARD_WORD_EXTGLOB) && is_extglob (reader, c))
    read_extglob (builder);
  else if ((flags & GUARD_WORD_BRACE) && (c == '{' || ((c == '}' || c == ',') && builder->braces)))
    add_mark (builder, c);
  else if ((flags & GUARD_WORD_GLOB) && (c == '*' || c == '?'))
    {
      guard_builder_add_glob (builder, pos, pos + 1);
      reader->source.pos++;
    }
  else if ((flags & GUARD_WORD_GLOB) && c == '[')
    read_bracket (builder, flags & GUARD_WORD_BRACE ? "{}," : "");
  else
    return FALSE;
  return TRUE;
}

/* NAME= or NAME+= at the start of an argument: tildes count after it, and a declaration takes
 * no globs, braces or splitting there. */
static guint
argument_prefix (GuardReader *reader)
{
  guint end = guard_reader_name_end (reader, reader->source.pos);

  if (end == reader->source.pos)
    return 0;
  if (reader->source.text[end] == '+')
    end++;
  return reader->source.text[end] == '=' ? end + 1 : 0;
}

static gboolean
read_array_argument (GuardBuilder *builder)
{
  GuardReader *reader = builder->reader;
  GuardPart *part = guard_builder_part (builder, GUARD_PART_ARRAY, FALSE, reader->source.pos);

  part->items = guard_reader_array (reader);
  guard_builder_done (builder, part);
  return TRUE;
}

static gboolean
word_ends (GuardBuilder *builder, char c, guint keep_until)
{
  GuardReader *reader = builder->reader;

  if (!guard_reader_is_meta (c))
    return FALSE;
  if (c == '\0')
    return TRUE;
  if ((c == '<' || c == '>') && guard_reader_next (reader) == '(')
    return FALSE;
  return reader->source.pos >= keep_until;
}

static void
read_word_char (GuardBuilder *builder, GuardWordFlags flags, guint *tilde_at)
{
  GuardReader *reader = builder->reader;
  char c = guard_reader_char (reader);

  if (c == '~' && (flags & GUARD_WORD_TILDE) && reader->source.pos == *tilde_at &&
      guard_reader_tilde (builder, flags & GUARD_WORD_VALUE ? ":" : ""))
    return;
  if (add_run (builder, '\0') || read_active (builder, c) || read_special (builder, c, flags))
    return;
  if ((c == '<' || c == '>') && guard_reader_next (reader) == '(')
    {
      guard_reader_process (builder);
      return;
    }
  if (c == ']' && builder->bracket)
    {
      guard_builder_add_glob (builder, reader->source.pos, reader->source.pos + 1);
      reader->source.pos++;
      guard_builder_close_bracket (builder);
      return;
    }
  add_char (builder, FALSE);
  if (c == ':' && (flags & GUARD_WORD_VALUE))
    {
      guard_reader_char (reader);
      *tilde_at = reader->source.pos;
    }
}

/**
 * guard_reader_word:
 * @flags: what is special in it
 * @keep_until: up to here nothing ends the word (the quirk of `a[1 2]` as a command)
 *
 * Reads one word; fails if none begins here.
 */
GuardWord *
guard_reader_word (GuardReader *reader, GuardWordFlags flags, guint keep_until)
{
  GuardBuilder builder;
  guint start, tilde_at, value_at = 0, level = 0;

  guard_reader_char (reader);
  start = tilde_at = reader->source.pos;
  guard_builder_init (&builder, reader);
  if (++reader->n_words > GUARD_MAX_WORDS)
    guard_reader_fail (reader, "limits.words", N_ ("The command has too many words"),
                       guard_reader_span (reader, start, start), NULL);
  if (flags & (GUARD_WORD_ARGUMENT | GUARD_WORD_DECLARE))
    value_at = argument_prefix (reader);

  for (;;)
    {
      char c = guard_reader_char (reader);

      if (value_at > 0 && reader->source.pos >= value_at)
        {
          tilde_at = reader->source.pos;
          value_at = 0;
          flags |= GUARD_WORD_VALUE;
          if (flags & GUARD_WORD_DECLARE)
            flags &= ~(GUARD_WORD_GLOB | GUARD_WORD_BRACE);
          if ((flags & GUARD_WORD_DECLARE) && c == '(' && read_array_argument (&builder))
            continue;
        }
      if ((flags & GUARD_WORD_REGEX) && is_regex_char (reader, c))
        {
          if (!read_regex_char (&builder, c, &level))
            break;
        }
      else if (word_ends (&builder, c, keep_until))
        break;
      else
        read_word_char (&builder, flags, &tilde_at);
    }
  if (level > 0)
    guard_reader_unfinished (reader, start);
  if (!reader->failed && reader->source.pos == start)
    guard_reader_unexpected (reader);
  if (!reader->failed)
    reader->token_end = MAX (start, builder.last);
  return guard_builder_finish (&builder, start);
}

/* ( … ) after NAME=, the current character being the bracket. */
GuardAssignment *
guard_reader_array (GuardReader *reader)
{
  GuardAssignment *items = NULL;
  GuardAssignment **tail = &items;
  guint start = reader->source.pos;

  if (!guard_reader_enter (reader))
    return NULL;
  guard_reader_advance (reader);
  for (;;)
    {
      GuardAssignment *item;
      guint begin;

      guard_reader_skip_newlines (reader);
      if (guard_reader_char (reader) == ')')
        break;
      if (guard_reader_char (reader) == '\0')
        {
          guard_reader_unfinished (reader, start);
          break;
        }
      item = guard_arena_new (reader->arena, GuardAssignment);
      begin = reader->source.pos;
      if (guard_reader_char (reader) == '[')
        {
          guint end = guard_reader_scan (reader, begin + 1, "[", NULL);
          char c = reader->source.text[end];

          if (end > 0 && (c == '=' || (c == '+' && reader->source.text[end + 1] == '=')))
            {
              guard_reader_advance (reader);
              item->subscript = guard_reader_subscript (reader, '\0');
              guard_reader_advance (reader);
              item->append = guard_reader_char (reader) == '+';
              if (item->append)
                guard_reader_advance (reader);
              guard_reader_advance (reader);
              if (!guard_reader_is_meta (guard_reader_char (reader)))
                item->value = guard_reader_word (reader, GUARD_WORD_TILDE | GUARD_WORD_VALUE, 0);
            }
        }
      if (!item->subscript)
        item->value = guard_reader_word (reader, GUARD_WORD_ORDINARY | GUARD_WORD_ARGUMENT, 0);
      item->span = guard_reader_span (reader, begin, reader->source.pos);
      *tail = item;
      tail = &item->next;
    }
  guard_reader_advance (reader);
  guard_reader_took (reader);
  guard_reader_leave (reader);
  /* To bash what is glued to the bracket is one word with it. */
  if (!guard_reader_is_meta (guard_reader_char (reader)) ||
      (strchr ("<>", guard_reader_char (reader)) && guard_reader_next (reader) == '('))
    if (!reader->failed && guard_reader_char (reader) != '\0')
      guard_reader_ambiguous (reader, start, reader->source.pos + 1);
  return items;
}

/* NAME=, NAME+=, NAME[…]= where a command may begin; NULL, with nothing taken, for a word. */
GuardAssignment *
guard_reader_assignment (GuardReader *reader)
{
  GuardAssignment *assignment;
  guint start, name_end, end;
  char c;

  guard_reader_char (reader);
  start = reader->source.pos;
  name_end = end = guard_reader_name_end (reader, start);
  if (end == start)
    return NULL;
  if (reader->source.text[end] == '[')
    end = guard_reader_scan (reader, end + 1, "[", NULL);
  c = reader->source.text[end];
  if (reader->failed ||
      !(c == '=' || (c == '+' && guard_reader_peek_from (reader, end + 1) == '=')))
    return NULL;

  assignment = guard_arena_new (reader->arena, GuardAssignment);
  assignment->name = guard_reader_copy (reader, start, name_end);
  reader->source.pos = name_end;
  if (reader->source.text[name_end] == '[')
    {
      reader->source.pos++;
      assignment->subscript = guard_reader_subscript (reader, '\0');
      guard_reader_advance (reader);
      if (!reader->failed && reader->source.pos != end)
        guard_reader_ambiguous (reader, start, end);
    }
  assignment->append = guard_reader_char (reader) == '+';
  if (assignment->append)
    guard_reader_advance (reader);
  guard_reader_char (reader);
  guard_reader_advance (reader);

  c = guard_reader_char (reader);
  guard_reader_took (reader);
  if (c == '(')
    {
      assignment->is_array = TRUE;
      assignment->items = guard_reader_array (reader);
    }
  else if (!guard_reader_is_meta (c) ||
           ((c == '<' || c == '>') && guard_reader_next (reader) == '('))
    assignment->value = guard_reader_word (reader, GUARD_WORD_TILDE | GUARD_WORD_VALUE, 0);
  assignment->span = guard_reader_span (reader, start, reader->token_end);
  return assignment;
}

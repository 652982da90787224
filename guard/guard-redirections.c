/* Redirections.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const struct
{
  const char *text;
  GuardRedirectionType type;
} operators[] = {
  /* The longer ones first. */
  { "<<<", GUARD_REDIR_HERESTRING }, { "<<", GUARD_REDIR_HEREDOC },
  { "<&", GUARD_REDIR_DUP_IN },      { "<>", GUARD_REDIR_READWRITE },
  { "<", GUARD_REDIR_IN },           { "&>>", GUARD_REDIR_BOTH_APPEND },
  { "&>", GUARD_REDIR_BOTH },        { ">>", GUARD_REDIR_APPEND },
  { ">&", GUARD_REDIR_DUP_OUT },     { ">|", GUARD_REDIR_CLOBBER },
  { ">", GUARD_REDIR_OUT },
};

/* Past @text at @pos, continuations in between allowed; 0 if it isn't there. */
static guint
match (const GuardReader *reader, guint pos, const char *text)
{
  for (; *text; text++)
    {
      while (reader->source.text[pos] == '\\' && reader->source.text[pos + 1] == '\n')
        pos += 2;
      if (reader->source.text[pos++] != *text)
        return 0;
    }
  return pos;
}

/* Digits right before `<` or `>`: the end of the digits, or 0. */
static guint
descriptor_end (const GuardReader *reader, guint pos)
{
  guint n = 0;
  char c;

  while (g_ascii_isdigit (guard_reader_peek_from (reader, pos)))
    {
      while (!g_ascii_isdigit (reader->source.text[pos]))
        pos++;
      pos++;
      n++;
    }
  c = guard_reader_peek_from (reader, pos);
  return n > 0 && n < 10 && (c == '<' || c == '>') ? pos : 0;
}

/* {name} right before `<` or `>` */
static guint
variable_end (const GuardReader *reader, guint pos)
{
  guint end;
  char c;

  if (reader->source.text[pos] != '{')
    return 0;
  end = guard_reader_name_end (reader, pos + 1);
  if (end == pos + 1 || reader->source.text[end] != '}')
    return 0;
  c = guard_reader_peek_from (reader, end + 1);
  return c == '<' || c == '>' ? end + 1 : 0;
}

/* Digits or {name} that belong to the redirection behind them. */
gboolean
guard_reader_at_descriptor (GuardReader *reader)
{
  guard_reader_char (reader);
  return descriptor_end (reader, reader->source.pos) || variable_end (reader, reader->source.pos);
}

static void
read_delimiter (GuardReader *reader, GuardRedirection *redirection)
{
  guint start = reader->source.pos;
  GuardWord *word = guard_reader_word (reader, 0, 0);

  if (reader->failed)
    return;
  redirection->literal = word->quoted;
  redirection->delimiter = guard_word_literal (reader->tree, word);
  if (!redirection->delimiter && !word->quoted)
    redirection->delimiter = guard_reader_copy (reader, start, reader->source.pos);
  if (!redirection->delimiter || strchr (redirection->delimiter, '\n'))
    {
      guard_reader_ambiguous (reader, start, reader->source.pos);
      return;
    }
  guard_reader_expect_heredoc (reader, redirection);
}

/* >& with a file instead of a descriptor */
static gboolean
is_file (GuardReader *reader, const GuardWord *word)
{
  const char *text = guard_word_literal (reader->tree, word);

  if (!text)
    return FALSE;
  if (strcmp (text, "-") == 0)
    return FALSE;
  while (g_ascii_isdigit (*text))
    text++;
  return !(*text == '\0' || strcmp (text, "-") == 0);
}

static void
read_target (GuardReader *reader, GuardRedirection *redirection)
{
  guint begin = reader->source.pos;
  GuardWordFlags flags = GUARD_WORD_ORDINARY;
  char c;

  guard_reader_skip_blanks (reader);
  c = guard_reader_char (reader);
  if (c == '#' && begin != reader->source.pos)
    c = '\0';
  if ((redirection->type == GUARD_REDIR_DUP_IN || redirection->type == GUARD_REDIR_DUP_OUT) &&
      c == '-')
    {
      GuardBuilder builder;
      guint pos = reader->source.pos;

      guard_builder_init (&builder, reader);
      guard_builder_add (&builder, "-", 1, FALSE, pos, pos + 1);
      reader->source.pos++;
      guard_reader_took (reader);
      redirection->target = guard_builder_finish (&builder, pos);
      return;
    }
  if (redirection->type == GUARD_REDIR_HEREDOC && !descriptor_end (reader, reader->source.pos))
    {
      read_delimiter (reader, redirection);
      return;
    }
  /* `>2>x`: bash takes the digits for the next one's descriptor, and then misses a target. */
  if (guard_reader_at_descriptor (reader))
    {
      guard_reader_unexpected (reader);
      return;
    }
  if (redirection->type == GUARD_REDIR_HERESTRING)
    flags = GUARD_WORD_TILDE;
  redirection->target = guard_reader_word (reader, flags, 0);
  if (redirection->type == GUARD_REDIR_DUP_OUT && redirection->fd < 0 && !redirection->fd_name &&
      !reader->failed && is_file (reader, redirection->target))
    redirection->type = GUARD_REDIR_BOTH;
}

/* The redirection at the current position, or NULL with nothing taken. */
GuardRedirection *
guard_reader_redirection (GuardReader *reader)
{
  GuardRedirection *redirection;
  char c = guard_reader_char (reader);
  guint start = reader->source.pos;
  guint fd_end, name_end, after = 0;
  gsize i;

  if (c != '<' && c != '>' && c != '&' && c != '{' && !g_ascii_isdigit (c))
    return NULL;
  fd_end = descriptor_end (reader, start);
  name_end = variable_end (reader, start);
  for (i = 0; i < G_N_ELEMENTS (operators); i++)
    if ((after = match (reader, MAX (start, MAX (fd_end, name_end)), operators[i].text)) > 0)
      break;
  if (after == 0 || (operators[i].text[0] == '&' && (fd_end || name_end)))
    return NULL;
  if ((operators[i].type == GUARD_REDIR_IN || operators[i].type == GUARD_REDIR_OUT) &&
      guard_reader_peek_from (reader, after) == '(')
    return NULL;

  redirection = guard_arena_new (reader->arena, GuardRedirection);
  redirection->type = operators[i].type;
  redirection->fd = -1;
  if (fd_end)
    redirection->fd = atoi (guard_reader_copy (reader, start, fd_end));
  if (name_end)
    redirection->fd_name = guard_reader_copy (reader, start + 1, name_end - 1);
  reader->source.pos = after;
  if (redirection->type == GUARD_REDIR_HEREDOC && guard_reader_char (reader) == '-')
    {
      redirection->strip_tabs = TRUE;
      reader->source.pos++;
    }
  read_target (reader, redirection);
  redirection->span = guard_reader_span (reader, start, reader->token_end);
  return redirection;
}

/* Here-documents: their bodies follow the line that asks for them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  char *text;
  guint *map;
  guint length;
  guint size;
} HeredocBody;

static void
heredoc_push (GuardReader *reader, HeredocBody *body, guint pos)
{
  /* Room for one more, the NUL. */
  if (body->length + 2 > body->size)
    {
      guint size = MAX (64, body->size * 2);
      char *text = guard_arena_alloc (reader->arena, size);
      guint *map = guard_arena_alloc (reader->arena, size * sizeof (guint));

      if (body->length > 0)
        {
          memcpy (text, body->text, body->length);
          memcpy (map, body->map, body->length * sizeof (guint));
        }
      body->text = text;
      body->map = map;
      body->size = size;
    }
  body->map[body->length] = guard_reader_start_of (reader, pos);
  body->text[body->length++] = reader->source.text[pos];
  body->text[body->length] = '\0';
}

void
guard_reader_expect_heredoc (GuardReader *reader, GuardRedirection *redirection)
{
  GuardHeredoc *heredoc = guard_arena_new (reader->arena, GuardHeredoc);

  heredoc->redirection = redirection;
  if (reader->heredocs)
    reader->last_heredoc->next = heredoc;
  else
    reader->heredocs = heredoc;
  reader->last_heredoc = heredoc;
}

/* Appends the logical line at @pos to @body, without its newline. */
static guint
heredoc_line (GuardReader *reader, guint pos, const GuardRedirection *heredoc, HeredocBody *body)
{
  const char *text = reader->source.text;

  /* Tabs are dropped from the joined line, so also after a continuation of nothing but tabs. */
  gboolean leading = heredoc->strip_tabs;

  while (text[pos] != '\0' && text[pos] != '\n')
    {
      guint n = 1;

      if (!heredoc->literal && text[pos] == '\\')
        {
          if (text[pos + 1] == '\n')
            {
              pos += 2;
              continue;
            }
          if (text[pos + 1] != '\0')
            n = 2;
        }
      if (leading && text[pos] == '\t')
        {
          pos++;
          continue;
        }
      leading = FALSE;
      for (; n > 0; n--, pos++)
        heredoc_push (reader, body, pos);
    }
  return pos;
}

static void
heredoc_parse (GuardReader *reader, GuardRedirection *redirection, HeredocBody *body, guint end)
{
  GuardSource outer = reader->source;
  guint token_end = reader->token_end;
  gboolean in_substitution = reader->in_substitution;
  guint no_bracket_until = reader->no_bracket_until;

  body->text[body->length] = '\0';
  body->map[body->length] = end;
  reader->source = (GuardSource){ body->text, body->length, 0, body->map };
  reader->heredocs = NULL;
  reader->in_substitution = FALSE;
  reader->no_bracket_until = 0;

  if (redirection->literal)
    {
      GuardBuilder builder;

      guard_builder_init (&builder, reader);
      if (body->length > 0)
        guard_builder_add (&builder, body->text, body->length, TRUE, 0, body->length);
      reader->source.pos = body->length;
      redirection->target = guard_builder_finish (&builder, 0);
    }
  else
    {
      reader->late++;
      redirection->target = guard_reader_heredoc_word (reader);
      reader->late--;
    }

  if (reader->failed)
    return;
  reader->source = outer;
  reader->token_end = token_end;
  reader->in_substitution = in_substitution;
  reader->no_bracket_until = no_bracket_until;
}

/* bash ends a body inside $( ) at a line that begins with the delimiter and has a `)` anywhere
 * after it; only the plain `EOF)` is taken, the rest is refused. */
static gboolean
heredoc_ends_early (GuardReader *reader, guint start, guint end, const char *line, gsize length)
{
  const char *rest = line + length;

  if (!reader->in_substitution || !strchr (rest, ')'))
    return FALSE;
  if (rest[0] != ')')
    guard_reader_ambiguous (reader, start, end);
  return TRUE;
}

static void
heredoc_read (GuardReader *reader, GuardRedirection *redirection)
{
  const char *text = reader->source.text;
  guint pos = reader->source.pos;
  gsize length = strlen (redirection->delimiter);
  HeredocBody body = { 0 };

  for (;;)
    {
      guint line = body.length;
      guint start = pos;

      pos = heredoc_line (reader, pos, redirection, &body);
      if (strncmp (body.text ? body.text + line : "", redirection->delimiter, length) == 0)
        {
          if (body.length - line == length)
            {
              reader->source.pos = pos + (text[pos] == '\n');
              body.length = line;
              break;
            }
          if (length > 0 && heredoc_ends_early (reader, start, pos, body.text + line, length))
            {
              while (text[start] == '\t' && redirection->strip_tabs)
                start++;
              reader->source.pos = start + length;
              body.length = line;
              break;
            }
        }
      if (text[pos] == '\0')
        {
          guard_reader_fail (reader, "reader.heredoc",
                             N_ ("The here-document has no line that ends it: “{1}”"),
                             redirection->span, redirection->delimiter);
          return;
        }
      heredoc_push (reader, &body, pos++);
    }
  if (!body.text)
    {
      body.text = guard_arena_alloc (reader->arena, 1);
      body.map = guard_arena_alloc (reader->arena, sizeof (guint));
    }
  if (!reader->failed)
    heredoc_parse (reader, redirection, &body, guard_reader_start_of (reader, pos));
}

/* At the start of a line: reads the bodies that were asked for before it. */
void
guard_reader_read_heredocs (GuardReader *reader)
{
  GuardHeredoc *heredoc = reader->heredocs;

  reader->heredocs = NULL;
  for (; heredoc && !reader->failed; heredoc = heredoc->next)
    heredoc_read (reader, heredoc->redirection);
}

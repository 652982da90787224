/* Words are collected part by part; braces are resolved once a word is whole.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "guard-tree-private.h"
#include "guard.h"

void
guard_builder_init (GuardBuilder *builder, GuardReader *reader)
{
  memset (builder, 0, sizeof *builder);
  builder->reader = reader;
  builder->word = guard_arena_new (reader->arena, GuardWord);
  builder->tail = &builder->word->parts;
}

static void
guard_builder_open (GuardBuilder *builder, GuardPartType type, gboolean quoted, guint start)
{
  if (builder->open && builder->type == type && builder->quoted == quoted)
    return;
  guard_builder_flush (builder);
  builder->open = TRUE;
  builder->type = type;
  builder->quoted = quoted;
  builder->start = start;
  builder->end = start;
  builder->text = NULL;
  builder->length = builder->size = 0;
}

static void
guard_builder_append (GuardBuilder *builder, const char *text, gsize length)
{
  if (builder->length + length + 1 > builder->size)
    {
      gsize size = MAX (builder->length + length + 1, builder->size * 2);
      char *larger = guard_arena_alloc (builder->reader->arena, size);

      if (builder->length > 0)
        memcpy (larger, builder->text, builder->length);
      builder->text = larger;
      builder->size = size;
    }
  if (length > 0)
    memcpy (builder->text + builder->length, text, length);
  builder->length += length;
  builder->text[builder->length] = '\0';
}

/* Adds literal text; with @length 0 and @quoted, a pair of quotes with nothing between. */
void
guard_builder_add (
    GuardBuilder *builder, const char *text, gsize length, gboolean quoted, guint start, guint end)
{
  if (builder->reader->failed)
    return;
  guard_builder_open (builder,
                      builder->bracket && !quoted ? GUARD_PART_MARK_BRACKET : GUARD_PART_LITERAL,
                      quoted, start);
  guard_builder_append (builder, text, length);
  builder->end = builder->last = end;
  if (quoted)
    builder->word->quoted = TRUE;
}

/* Adds a glob as it is written. */
void
guard_builder_add_glob (GuardBuilder *builder, guint start, guint end)
{
  GuardReader *reader = builder->reader;
  const char *text = reader->source.text;

  if (reader->failed)
    return;
  guard_builder_open (builder, GUARD_PART_GLOB, FALSE, start);
  while (start < end)
    {
      if (text[start] == '\\' && text[start + 1] == '\n')
        start += 2;
      else
        guard_builder_append (builder, text + start++, 1);
    }
  builder->end = builder->last = end;
}

void
guard_builder_flush (GuardBuilder *builder)
{
  GuardPart *part;

  if (!builder->open)
    return;
  builder->open = FALSE;
  if (builder->length == 0 && !builder->quoted)
    return;
  part = guard_arena_new (builder->reader->arena, GuardPart);
  part->type = builder->type;
  part->quoted = builder->quoted;
  part->text = builder->text;
  part->length = builder->length;
  part->span = guard_reader_span (builder->reader, builder->start, builder->end);
  *builder->tail = part;
  builder->tail = &part->next;
}

void
guard_builder_open_bracket (GuardBuilder *builder)
{
  if (builder->bracket)
    return;
  guard_builder_flush (builder);
  builder->bracket = TRUE;
  builder->bracket_from = builder->tail;
}

static void
settle_bracket (GuardBuilder *builder, GuardPartType type)
{
  guard_builder_flush (builder);
  for (GuardPart *part = *builder->bracket_from; part; part = part->next)
    {
      if (part->type > GUARD_PART_MARK_COMMA)
        part->type = type;
      else if (part->type >= GUARD_PART_MARK_OPEN && type == GUARD_PART_LITERAL)
        part->op = NULL;
    }
  builder->bracket = FALSE;
}

/* After the `]`: what was bare since the `[` is a glob. */
void
guard_builder_close_bracket (GuardBuilder *builder)
{
  settle_bracket (builder, GUARD_PART_GLOB);
}

GuardPart *
guard_builder_part (GuardBuilder *builder, GuardPartType type, gboolean quoted, guint start)
{
  GuardPart *part;

  guard_builder_flush (builder);
  part = guard_arena_new (builder->reader->arena, GuardPart);
  part->type = type;
  part->quoted = quoted;
  part->op = "";
  part->text = "";
  part->span = guard_reader_span (builder->reader, start, start);
  *builder->tail = part;
  builder->tail = &part->next;
  if (quoted)
    builder->word->quoted = TRUE;
  return part;
}

/* The part ends here. */
void
guard_builder_done (GuardBuilder *builder, GuardPart *part)
{
  builder->last = builder->reader->source.pos;
  if (!builder->reader->failed)
    part->span.end = guard_reader_end_of (builder->reader, builder->reader->source.pos);
}

/* Marks that became text are joined with the text beside them. */
static void
join_literals (GuardReader *reader, GuardWord *word)
{
  for (GuardPart *part = word->parts; part; part = part->next)
    {
      GuardPart *last = part;
      gsize length = part->length;
      char *text;

      if (part->type != GUARD_PART_LITERAL)
        continue;
      while (last->next && last->next->type == part->type && last->next->quoted == part->quoted)
        {
          last = last->next;
          length += last->length;
        }
      if (last == part)
        continue;
      text = guard_arena_alloc (reader->arena, length + 1);
      length = 0;
      for (GuardPart *piece = part; piece != last->next; piece = piece->next)
        {
          memcpy (text + length, piece->text, piece->length);
          length += piece->length;
        }
      part->text = text;
      part->length = length;
      part->span.end = last->span.end;
      part->next = last->next;
    }
}

GuardWord *
guard_builder_finish (GuardBuilder *builder, guint start)
{
  GuardReader *reader = builder->reader;
  GuardWord *word = builder->word;
  gboolean empty = TRUE;

  gboolean unclosed = builder->bracket;

  guard_builder_flush (builder);
  if (unclosed)
    settle_bracket (builder, GUARD_PART_LITERAL);
  if (reader->failed)
    return word;

  word->span = guard_reader_span (reader, start, MAX (start, builder->last));
  if (builder->braces)
    guard_reader_resolve_braces (reader, word);
  if (builder->braces || unclosed)
    join_literals (reader, word);
  for (GuardPart *part = word->parts; part; part = part->next)
    if (part->type != GUARD_PART_LITERAL || part->length > 0)
      empty = FALSE;
  if (empty)
    word->parts = NULL;
  return word;
}

/* Braces: the rules are bash's. A pair counts if a comma or `..` lies between at its own level;
 * the leftmost pair that counts is taken first, then what it holds, then what follows. */

typedef struct
{
  GuardReader *reader;
  GuardPart **items;
} Braces;

static gboolean
has_dots (const GuardPart *part, const GuardPart *next)
{
  const char *dots;

  if (part->type != GUARD_PART_LITERAL || part->quoted)
    return FALSE;
  dots = strstr (part->text, "..");
  if (!dots)
    return FALSE;
  return dots[2] != '\0' || next->type != GUARD_PART_MARK_CLOSE || strstr (dots + 1, "..");
}

static gboolean
braces_step (Braces *braces)
{
  GuardReader *reader = braces->reader;

  if (reader->failed)
    return FALSE;
  if (reader->brace_steps++ <= (gsize) 8 * reader->tree->length + 4096)
    return TRUE;
  guard_reader_fail (reader, "limits.nesting", N_ ("The command holds too many braces"),
                     (GuardSpan){ 0, reader->tree->length }, NULL);
  return FALSE;
}

/* The mark that closes what is open before @i, or 0. */
static guint
braces_close (Braces *braces, guint i, guint end)
{
  guint level = 0;
  gboolean counts = FALSE;

  for (; i < end && braces_step (braces); i++)
    {
      const GuardPart *item = braces->items[i];

      if (item->type == GUARD_PART_MARK_OPEN)
        level++;
      else if (item->type == GUARD_PART_MARK_CLOSE)
        {
          if (level > 0)
            level--;
          else if (counts)
            return i;
        }
      else if (level == 0 && (item->type == GUARD_PART_MARK_COMMA ||
                              (i + 1 < end && has_dots (item, braces->items[i + 1]))))
        counts = TRUE;
    }
  return 0;
}

static gboolean
is_number (const char *text, gsize length)
{
  gsize i = length > 0 && (text[0] == '-' || text[0] == '+');

  if (i == length || length > 19)
    return FALSE;
  for (; i < length; i++)
    if (!g_ascii_isdigit (text[i]))
      return FALSE;
  return TRUE;
}

/* `1..9`, `a..e`, each with a step. */
static gboolean
is_sequence (const char *text)
{
  const char *dots = strstr (text, "..");
  const char *to, *step;
  gsize length;

  if (!dots || dots == text)
    return FALSE;
  to = dots + 2;
  step = strstr (to, "..");
  length = step ? (gsize) (step - to) : strlen (to);
  if (step && !is_number (step + 2, strlen (step + 2)))
    return FALSE;
  if (is_number (text, dots - text) && is_number (to, length))
    return TRUE;
  return dots - text == 1 && length == 1 && g_ascii_isalpha (text[0]) && g_ascii_isalpha (to[0]);
}

static GuardPart **
braces_range (Braces *braces, guint i, guint end, gboolean starts, GuardPart **tail);

/* Appends an item that turned out to be no mark, joined to a literal before it. */
static GuardPart **
braces_plain (Braces *braces, GuardPart *item, GuardPart **tail)
{
  if (item->type >= GUARD_PART_MARK_OPEN)
    {
      item->type = item->op ? GUARD_PART_GLOB : GUARD_PART_LITERAL;
      item->op = NULL;
    }
  item->next = NULL;
  *tail = item;
  return &item->next;
}

static GuardWord *
braces_alternative (Braces *braces, guint i, guint end, guint at, gboolean starts)
{
  GuardWord *word = guard_arena_new (braces->reader->arena, GuardWord);
  GuardPart *last = NULL;

  word->span.start = word->span.end = at;
  braces_range (braces, i, end, starts, &word->parts);
  join_literals (braces->reader, word);
  for (GuardPart *part = word->parts; part; part = part->next)
    {
      if (part->quoted)
        word->quoted = TRUE;
      last = part;
    }
  if (last)
    word->span = (GuardSpan){ word->parts->span.start, last->span.end };
  return word;
}

static void
braces_split (Braces *braces, GuardPart *part, guint i, guint close, gboolean starts)
{
  guint base = braces->reader->stack->len;
  guint begin = i + 1;
  guint level = 0;

  for (guint k = begin; k <= close && braces_step (braces); k++)
    {
      GuardPartType type = braces->items[k]->type;

      if (k == close || (type == GUARD_PART_MARK_COMMA && level == 0))
        {
          guint at = braces->items[k]->span.start;

          g_ptr_array_add (braces->reader->stack,
                           braces_alternative (braces, begin, k, at, starts));
          begin = k + 1;
        }
      else if (type == GUARD_PART_MARK_OPEN)
        level++;
      else if (type == GUARD_PART_MARK_CLOSE && level > 0)
        level--;
    }
  part->words = guard_reader_pop (braces->reader, base);
}

/* One pair that counts; returns the tail after it. */
static GuardPart **
braces_pair (Braces *braces, guint i, guint close, gboolean starts, GuardPart **tail)
{
  GuardPart **items = braces->items;
  GuardPart *part;
  gboolean comma = FALSE;

  for (guint k = i + 1; k < close && braces_step (braces); k++)
    if (items[k]->type == GUARD_PART_MARK_COMMA)
      comma = TRUE;
  if (!comma && (close != i + 2 || items[i + 1]->type != GUARD_PART_LITERAL ||
                 items[i + 1]->quoted || !is_sequence (items[i + 1]->text)))
    {
      for (guint k = i; k <= close; k++)
        tail = braces_plain (braces, items[k], tail);
      return tail;
    }

  part = guard_arena_new (braces->reader->arena, GuardPart);
  part->type = GUARD_PART_BRACE;
  part->span = (GuardSpan){ items[i]->span.start, items[close]->span.end };
  part->text = "";
  part->op = comma ? "" : "..";
  if (comma)
    braces_split (braces, part, i, close, starts);
  /* Commas only further in: bash drops the outer braces. */
  if (comma && part->words[0] && !part->words[1])
    {
      *tail = part->words[0]->parts;
      while (*tail)
        tail = &(*tail)->next;
      return tail;
    }
  if (!comma)
    {
      part->text = items[i + 1]->text;
      part->length = items[i + 1]->length;
    }
  *tail = part;
  return &part->next;
}

/* A tilde at the start of an alternative, when the braces begin the word. */
static GuardPart **
braces_tilde (Braces *braces, GuardPart *item, GuardPart **tail, gboolean last)
{
  gsize n = 1;
  GuardPart *tilde;

  while (g_ascii_isalnum (item->text[n]) || (item->text[n] && strchr ("._+-", item->text[n])))
    n++;
  if (item->text[n] != '/' && (item->text[n] != '\0' || !last))
    return tail;
  tilde = guard_arena_new (braces->reader->arena, GuardPart);
  tilde->type = GUARD_PART_TILDE;
  tilde->text = guard_arena_strndup (braces->reader->arena, item->text + 1, n - 1);
  tilde->length = n - 1;
  tilde->op = "";
  tilde->span = (GuardSpan){ item->span.start, item->span.start + n };
  item->text += n;
  item->length -= n;
  item->span.start += n;
  *tail = tilde;
  return &tilde->next;
}

static GuardPart **
braces_range (Braces *braces, guint i, guint end, gboolean starts, GuardPart **tail)
{
  guint begin = i;

  if (!guard_reader_enter (braces->reader))
    return tail;
  while (i < end && braces_step (braces))
    {
      GuardPart *item = braces->items[i];
      guint close = 0;

      if (item->type == GUARD_PART_MARK_OPEN && i + 1 < end &&
          !(i == begin && braces->items[i + 1]->type == GUARD_PART_MARK_CLOSE))
        close = braces_close (braces, i + 1, end);
      if (close > 0)
        {
          tail = braces_pair (braces, i, close, starts && i == begin, tail);
          i = close + 1;
          continue;
        }
      if (starts && i == begin && item->type == GUARD_PART_LITERAL && !item->quoted &&
          item->text[0] == '~')
        tail = braces_tilde (braces, item, tail, i + 1 == end);
      if (item->type != GUARD_PART_LITERAL || item->length > 0 || item->quoted)
        tail = braces_plain (braces, item, tail);
      i++;
    }
  *tail = NULL;
  guard_reader_leave (braces->reader);
  return tail;
}

/* Turns the marks of a whole word into brace parts, or back into text. */
void
guard_reader_resolve_braces (GuardReader *reader, GuardWord *word)
{
  Braces braces = { reader, NULL };
  guint base = reader->stack->len;
  guint n;

  for (GuardPart *part = word->parts; part; part = part->next)
    g_ptr_array_add (reader->stack, part);
  n = reader->stack->len - base;
  braces.items = guard_reader_pop (reader, base);
  braces_range (&braces, 0, n, TRUE, &word->parts);
}

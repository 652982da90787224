/* Words as they were written; only the lists of $( ), <( ) and >( ) are written anew.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-writer.h"

#include <string.h>

void
guard_writer_slice (GuardWriter *writer, guint start, guint end)
{
  if (end > start)
    g_string_append_len (writer->out, guard_tree_get_text (writer->tree) + start, end - start);
}

/* The separator that stands at @pos: ";" or "", and whether its line ends there. */
const char *
guard_writer_raw_gap (const GuardTree *tree, guint pos, gboolean *newline)
{
  const char *text = guard_tree_get_text (tree);
  const char *bare = "";

  *newline = FALSE;
  for (;; pos++)
    {
      if (text[pos] == '\\' && text[pos + 1] == '\n')
        pos++;
      else if (text[pos] == ';')
        bare = ";";
      else if (text[pos] == '\n' || text[pos] == '#')
        {
          *newline = TRUE;
          return bare;
        }
      else if (text[pos] != ' ' && text[pos] != '\t' && text[pos] != '&' && text[pos] != '|')
        return *bare ? bare : ";";
    }
}

static gboolean
is_double (const char *text)
{
  guint n = 0;

  for (; n < 2; text++)
    {
      if (text[0] == '\\' && text[1] == '\n')
        text++;
      else if (*text == '(')
        n++;
      else
        return FALSE;
    }
  return TRUE;
}

static void raw_inner (GuardWriter *writer, const GuardWord *word, guint *pos);

static void
raw_part (GuardWriter *writer, const GuardPart *part, guint *pos)
{
  const char *text = guard_tree_get_text (writer->tree);

  /* What bash does not print anew: backquotes, and `$((` that isn't arithmetic. */
  if (((part->type == GUARD_PART_COMMAND && part->op[0] != '`') ||
       part->type == GUARD_PART_PROCESS) &&
      !is_double (text + part->span.start + 1))
    {
      guard_writer_slice (writer, *pos, part->span.start + 1);
      *pos = part->span.end;
      guard_writer_body (writer, part->body);
      return;
    }
  if (part->type == GUARD_PART_COMMAND || part->type == GUARD_PART_PROCESS)
    return;
  if (!strchr ("${(", text[part->span.start]))
    {
      for (guint i = 0; part->words && part->words[i]; i++)
        raw_inner (writer, part->words[i], pos);
      return;
    }
  for (const GuardAssignment *item = part->items; item; item = item->next)
    {
      raw_inner (writer, item->subscript, pos);
      raw_inner (writer, item->value, pos);
    }
  raw_inner (writer, part->subscript, pos);
  raw_inner (writer, part->word, pos);
  raw_inner (writer, part->word2, pos);
  for (guint i = 0; part->words && part->words[i]; i++)
    raw_inner (writer, part->words[i], pos);
}

static void
raw_inner (GuardWriter *writer, const GuardWord *word, guint *pos)
{
  if (!word)
    return;
  for (const GuardPart *part = word->parts; part; part = part->next)
    raw_part (writer, part, pos);
}

void
guard_writer_raw_word (GuardWriter *writer, const GuardWord *word)
{
  guint pos = word->span.start;

  raw_inner (writer, word, &pos);
  guard_writer_slice (writer, pos, word->span.end);
}

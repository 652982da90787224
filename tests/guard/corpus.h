/* Labelled commands from corpus/NAME.jsonl, each with its own small disk and scope.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "fake-files.h"
#include "guard.h"

G_BEGIN_DECLS

/* Keys of a line: "id", "category", "expected", "command"; and what it needs: "files", "links"
 * (maps from paths to texts and targets), "git_config"; "loop", "loops", "folder", "sandbox",
 * "case_insensitive" as in GuardScope. A line without "command" holds "files" and "links" that
 * all lines after it have. */
typedef struct
{
  char *id;
  char *category;
  GuardAnswer expected;
  char *command;
  char *loop;
  char *folder;
  char **loops;
  FakeFiles *fake;
  GuardScope scope;
} CorpusLine;

/* expected, answered */
typedef struct
{
  guint table[3][3];
  guint right;
  guint leaks;
  guint nags;
} CorpusScore;

void corpus_line_free (gpointer line);

/* (transfer full) (element-type CorpusLine) */
GPtrArray *corpus_load (const char *name);

/* Reads each line, checks what holds for any verdict, adds it all up into @whole, and shows each
 * line that is wrong and each category's share. */
void corpus_score (const GPtrArray *lines, CorpusScore *whole);

G_END_DECLS

/* One row of the record, as a plain value that may cross threads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-activity.h"

G_BEGIN_DECLS

/**
 * PerficaRow:
 * @id: 0 before it is in the record
 * @time: µs, wall clock, when the request came
 * @folder: where it started, relative to the project
 * @output: head and tail, text
 * @client: (nullable): which program asked, and what started that
 * @asked: a person was asked, or would have been (a grant, Full Auto)
 * @terminal: "Run in terminal" belongs here
 *
 * The getters of #PerficaEntry say what the others mean.
 */
typedef struct
{
  gint64 id;
  gint64 time;
  char *board;
  char *bubble;
  char *folder;
  char *command;
  char *canonical;
  char *reason;
  char *findings;
  char *rule;
  char *confinement;
  char *output_path;
  char *output;
  char *answered_by;
  char *client;
  PerficaOutcome outcome;
  int exit_code;
  int signal_number;
  gint64 duration;
  gboolean asked;
  gboolean terminal;
} PerficaRow;

PerficaRow *perfica_row_new (void);
PerficaRow *perfica_row_copy (const PerficaRow *row);
void perfica_row_free (PerficaRow *row);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaRow, perfica_row_free)

/* Which rows a list shows; a value. */
typedef struct
{
  char *board;
  char *bubble;
  char **words;
  PerficaFilter filter;
  PerficaAnswerFilter answer;
  PerficaExitFilter exit;
} PerficaQuery;

PerficaQuery *perfica_query_new (const PerficaActivityQuery *wanted);
PerficaQuery *perfica_query_copy (const PerficaQuery *query);
void perfica_query_free (PerficaQuery *query);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaQuery, perfica_query_free)

/* The same judgement as the record's own SQL. */
gboolean perfica_query_matches (const PerficaQuery *query, const PerficaRow *row);
gboolean perfica_filter_matches (PerficaFilter filter, const PerficaRow *row);

/* One line of JSON without its newline: what Export writes. Returns: (transfer full) */
char *perfica_row_to_json (const PerficaRow *row);

G_END_DECLS

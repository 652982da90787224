/* The record of everything agents asked for: SQLite on a thread of its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

#include "perfica-wire.h"

G_BEGIN_DECLS

/* One row, as the list shows it. Immutable but for those that still run ("changed" by property
 * notifies). */
#define PERFICA_TYPE_ENTRY (perfica_entry_get_type ())
G_DECLARE_FINAL_TYPE (PerficaEntry, perfica_entry, PERFICA, ENTRY, GObject)

gint64 perfica_entry_get_id (PerficaEntry *self);
gint64 perfica_entry_get_time (PerficaEntry *self);       /* µs, wall clock */
const char *perfica_entry_get_board (PerficaEntry *self); /* the board's id */
const char *perfica_entry_get_bubble (PerficaEntry *self);
const char *perfica_entry_get_folder (PerficaEntry *self);
const char *perfica_entry_get_command (PerficaEntry *self);
const char *perfica_entry_get_canonical (PerficaEntry *self);
const char *
perfica_entry_get_reason (PerficaEntry *self); /* a sentence: why refused, denied, what failed */
const char *perfica_entry_get_findings (
    PerficaEntry *self); /* lines "answer rule start-end sentence" for people */
const char *perfica_entry_get_rule (PerficaEntry *self);
gboolean
perfica_entry_get_offers_terminal (PerficaEntry *self); /* "Run in terminal" belongs here */
PerficaOutcome perfica_entry_get_outcome (PerficaEntry *self);
int perfica_entry_get_exit_code (PerficaEntry *self);
int perfica_entry_get_signal (PerficaEntry *self);
gint64 perfica_entry_get_duration (PerficaEntry *self); /* µs */
const char *
perfica_entry_get_confinement (PerficaEntry *self); /* "bubblewrap", "none", "best effort" … */
const char *
perfica_entry_get_output_path (PerficaEntry *self); /* relative to the project, or NULL */
const char *perfica_entry_get_output (
    PerficaEntry *self); /* head and tail, for the list's details; grows while it runs */
const char *
perfica_entry_get_client (PerficaEntry *self); /* which program asked, and what started that */
const char *perfica_entry_get_answered_by (
    PerficaEntry *self); /* "person", "always: git push", "Full Auto", NULL */

typedef enum
{
  PERFICA_FILTER_ALL,
  PERFICA_FILTER_ASKED,
  PERFICA_FILTER_REFUSED,
  PERFICA_FILTER_FAILED,
} PerficaFilter;

/* What the person or a grant said: "answered by". */
typedef enum
{
  PERFICA_ANSWER_ANY,
  PERFICA_ANSWER_ONCE,      /* the person allowed it, once or always, when they were asked */
  PERFICA_ANSWER_ALWAYS,    /* allowed "always" before */
  PERFICA_ANSWER_FULL_AUTO, /* Full Auto was on */
  PERFICA_ANSWER_DENIED,    /* by the person */
  PERFICA_ANSWER_NOBODY,    /* nobody answered, or there was no window */
  PERFICA_N_ANSWERS
} PerficaAnswerFilter;

/* How it ended. */
typedef enum
{
  PERFICA_EXIT_ANY,
  PERFICA_EXIT_OK,      /* exit code 0 */
  PERFICA_EXIT_FAILED,  /* another exit code, or a signal */
  PERFICA_EXIT_STOPPED, /* at the limit, by the person, with the agent or the gateway, or lost */
  PERFICA_EXIT_NEVER,   /* it never ran */
  PERFICA_EXIT_RUNNING, /* it still does */
  PERFICA_N_EXITS
} PerficaExitFilter;

/**
 * PerficaActivityQuery:
 * @board: (nullable): a board's id, or all
 * @bubble: (nullable): a bubble's name, or all
 * @search: (nullable): words to look for in command, output, bubble and reason
 *
 * What a list shows: rows that fit all of it.
 */
typedef struct
{
  const char *board;
  const char *bubble;
  const char *search;
  PerficaFilter filter;
  PerficaAnswerFilter answer;
  PerficaExitFilter exit;
} PerficaActivityQuery;

#define PERFICA_TYPE_ACTIVITY (perfica_activity_get_type ())
G_DECLARE_FINAL_TYPE (PerficaActivity, perfica_activity, PERFICA, ACTIVITY, GObject)

/**
 * perfica_activity_list:
 * @board: (nullable): a board's id, or all
 * @search: (nullable): words to look for in command, output, bubble and reason
 * @filter: which outcomes
 *
 * Returns: (transfer full): a GListModel of PerficaEntry, newest first, rows made on demand; new
 * rows appear by themselves
 */
GListModel *perfica_activity_list (PerficaActivity *self,
                                   const char *board,
                                   const char *search,
                                   PerficaFilter filter);

/**
 * perfica_activity_query:
 *
 * Like perfica_activity_list(). While its first rows are being looked for
 * perfica_activity_list_is_loading() is %TRUE and it is empty ("notify::loading" says when it
 * isn't); after that it grows in steps that a list view can follow without a pause.
 *
 * Returns: (transfer full): a GListModel of PerficaEntry
 */
GListModel *perfica_activity_query (PerficaActivity *self, const PerficaActivityQuery *query);
gboolean perfica_activity_list_is_loading (GListModel *list);

/* JSON Lines, written on a worker. */
void perfica_activity_export_async (PerficaActivity *self,
                                    const char *board,
                                    GFile *file,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean
perfica_activity_export_finish (PerficaActivity *self, GAsyncResult *result, GError **error);

G_END_DECLS

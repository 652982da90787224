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
const char *perfica_entry_get_answered_by (
    PerficaEntry *self); /* "person", "always: git push", "Full Auto", NULL */

typedef enum
{
  PERFICA_FILTER_ALL,
  PERFICA_FILTER_ASKED,
  PERFICA_FILTER_REFUSED,
  PERFICA_FILTER_FAILED,
} PerficaFilter;

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

/* JSON Lines, written on a worker. */
void perfica_activity_export_async (PerficaActivity *self,
                                    const char *board,
                                    GFile *file,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean
perfica_activity_export_finish (PerficaActivity *self, GAsyncResult *result, GError **error);

G_END_DECLS

/* What only the gateway's own files may do to the record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-row.h"

G_BEGIN_DECLS

/* Kept in memory and in the record of what a command prints: so much of its head, and of its tail.
 * The whole is in the app's folder. */
#define PERFICA_OUTPUT_KEPT (32 * 1024)

/* @row: (transfer full) */
PerficaEntry *perfica_entry_new (PerficaRow *row);
const PerficaRow *perfica_entry_get_row (PerficaEntry *self);
/* Streams a piece of output into a running entry. */
void perfica_entry_append (PerficaEntry *self, GBytes *data);
/* @row: (transfer full): replaces what the entry shows; its output is kept if @row has none */
void perfica_entry_replace (PerficaEntry *self, PerficaRow *row);

/**
 * PerficaActivity signals (main thread):
 * - "added" (PerficaEntry *): a new row
 * - "finished" (PerficaEntry *): a running one came to its end
 * - "reload": everything may be different (the file was opened)
 * - "failed" (const char *sentence): the record can't be used
 */
PerficaActivity *perfica_activity_new (const char *path);
/* Opens the file on its thread; "reload" or "failed" says how it went. */
void perfica_activity_open (PerficaActivity *self);
/* Sets a file that can't be used aside and opens a new one. %PERFICA_ERROR_STORE. */
/* Writes what is queued and folds the side files in; blocks. Only unref may follow. */
void perfica_activity_close (PerficaActivity *self);
gboolean perfica_activity_start_afresh (PerficaActivity *self, GError **error);
/* %NULL while it is usable. */
const char *perfica_activity_get_problem (PerficaActivity *self);

/**
 * perfica_activity_add_async:
 * @row: (transfer full): a new row; with %PERFICA_OUTCOME_PENDING it is the "started" row
 *
 * Returns (finish): (transfer full): its entry once the row is committed, or %NULL with
 *   %PERFICA_ERROR_STORE
 */
void perfica_activity_add_async (PerficaActivity *self,
                                 PerficaRow *row,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
PerficaEntry *
perfica_activity_add_finish (PerficaActivity *self, GAsyncResult *result, GError **error);

/**
 * perfica_activity_finish_async:
 * @entry: a running one
 * @row: (transfer full): how it ended
 *
 * The entry shows the end in any case; only the file may fail.
 */
void perfica_activity_finish_async (PerficaActivity *self,
                                    PerficaEntry *entry,
                                    PerficaRow *row,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean
perfica_activity_finish_finish (PerficaActivity *self, GAsyncResult *result, GError **error);

/* Rows that lists have read from the file so far; for the tests. */
guint64 perfica_activity_get_rows_read (PerficaActivity *self);

/* For the lists: a running entry or one read from the file. (transfer full) (nullable) */
PerficaEntry *perfica_activity_lookup (PerficaActivity *self, gint64 id);
void perfica_activity_search_async (PerficaActivity *self,
                                    const PerficaQuery *query,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
GArray *
perfica_activity_search_finish (PerficaActivity *self, GAsyncResult *result, GError **error);

G_END_DECLS

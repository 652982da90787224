/* The record's SQLite file: one thread writes, another searches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-row.h"

G_BEGIN_DECLS

/* So many rows are kept; the oldest go when the app starts. About 1 GB at the very most. */
#define PERFICA_ACTIVITY_MAX_ROWS 500000

typedef struct _PerficaActivityDb PerficaActivityDb;

/**
 * perfica_activity_db_new:
 * @path: the file; made if it isn't there
 *
 * Starts the threads. Nothing is open yet: perfica_activity_db_open_async() does it.
 */
PerficaActivityDb *perfica_activity_db_new (const char *path);

/* Does what is queued, then ends the threads. Blocks. */
void perfica_activity_db_free (PerficaActivityDb *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaActivityDb, perfica_activity_db_free)

/**
 * perfica_activity_db_open_async:
 *
 * Opens the file, brings its schema up to date, turns rows that were running into "lost" and drops
 * the oldest beyond the limit. %PERFICA_ERROR_STORE otherwise; then every other call fails too.
 */
void perfica_activity_db_open_async (PerficaActivityDb *self,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean
perfica_activity_db_open_finish (PerficaActivityDb *self, GAsyncResult *result, GError **error);

/* Returns (finish): the new row's id once it is committed, 0 with %PERFICA_ERROR_STORE. */
void perfica_activity_db_insert_async (PerficaActivityDb *self,
                                       const PerficaRow *row,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gint64
perfica_activity_db_insert_finish (PerficaActivityDb *self, GAsyncResult *result, GError **error);

/* Writes all of a row but its id. */
void perfica_activity_db_update_async (PerficaActivityDb *self,
                                       const PerficaRow *row,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean
perfica_activity_db_update_finish (PerficaActivityDb *self, GAsyncResult *result, GError **error);

/* Returns (finish): (transfer full) (element-type gint64): the ids that match, lowest first */
void perfica_activity_db_search_async (PerficaActivityDb *self,
                                       const PerficaQuery *query,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
GArray *
perfica_activity_db_search_finish (PerficaActivityDb *self, GAsyncResult *result, GError **error);

/* Writes all rows of a board (or of all, %NULL) as JSON Lines. */
void perfica_activity_db_export_async (PerficaActivityDb *self,
                                       const char *board,
                                       GFile *file,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean
perfica_activity_db_export_finish (PerficaActivityDb *self, GAsyncResult *result, GError **error);

/* One row by its id, at once, through a connection of the caller's thread (the main one). In WAL
 * mode a reader waits for nobody; a row is found by its key in some 10 µs. %NULL if there is none.
 */
PerficaRow *perfica_activity_db_read (PerficaActivityDb *self, gint64 id);

G_END_DECLS

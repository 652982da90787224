/* The record's SQLite file: one thread writes, another searches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-activity-db.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "perfica-error.h"

#define SCHEMA_VERSION 3
#define APPLICATION_ID 0x70657266 /* "perf" */
/* A reader of another process (an export by hand) may hold the file this long, in milliseconds. */
#define BUSY_TIMEOUT 2000

/* Ends of commands that wait for room on the disk. The oldest go first; a start makes them "lost".
 */
#define MAX_UNWRITTEN 256

#define COLUMNS                                                                                    \
  "time, board, bubble, folder, command, canonical, reason, findings, rule, confinement, "         \
  "output_path, output, answered_by, outcome, exit_code, signal, duration, asked, terminal, "      \
  "client"
#define N_COLUMNS 20

static const char schema[] =
    "CREATE TABLE entries ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " time INTEGER NOT NULL, board TEXT NOT NULL, bubble TEXT, folder TEXT, command TEXT NOT NULL,"
    " canonical TEXT, reason TEXT, findings TEXT, rule TEXT, confinement TEXT, output_path TEXT,"
    " output TEXT, answered_by TEXT, outcome TEXT NOT NULL, exit_code INTEGER NOT NULL,"
    " signal INTEGER NOT NULL, duration INTEGER NOT NULL, asked INTEGER NOT NULL,"
    " terminal INTEGER NOT NULL, client TEXT);"
    "CREATE INDEX entries_board ON entries (board, id);"
    "CREATE INDEX entries_pending ON entries (outcome) WHERE outcome = 'pending';"
    /* All that a filter looks at: a row's output, far longer, stays unread. */
    "CREATE INDEX entries_filter ON entries (board, id, outcome, exit_code, signal, asked, bubble, "
    "answered_by);";

/* From each older version to the next. */
static const char *const upgrades[SCHEMA_VERSION] = {
  [1] = "CREATE INDEX entries_filter ON entries (board, id, outcome, exit_code, signal, asked, "
        "bubble, answered_by)",
  [2] = "ALTER TABLE entries ADD COLUMN client TEXT",
};

typedef void (*Job) (PerficaActivityDb *self, sqlite3 *db, GTask *task);

typedef struct
{
  PerficaActivityDb *owner;
  GThread *thread;
  GAsyncQueue *queue;
  sqlite3 *db;
} Worker;

struct _PerficaActivityDb
{
  char *path;
  Worker writer;
  Worker reader;
  sqlite3 *own; /* the main thread's */
  sqlite3_stmt *own_read;
  sqlite3_stmt *insert;
  sqlite3_stmt *update;
  GQueue unwritten; /* of PerficaRow: ends that a full disk kept out; the writer's alone */
};

typedef struct
{
  Job run; /* NULL ends the thread */
  GTask *task;
} Order;

static void
fail_for (GTask *task, const char *why)
{
  g_task_return_new_error (task, PERFICA_ERROR, PERFICA_ERROR_STORE,
                           _ ("The record of activity can't be used: %s."), why);
}

static void
fail (sqlite3 *db, GTask *task)
{
  fail_for (task, db ? sqlite3_errmsg (db) : _ ("it isn't open"));
}

static void write_ends_again (PerficaActivityDb *self);

static gboolean
run_sql (sqlite3 *db, const char *sql)
{
  return sqlite3_exec (db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static gint64
get_number (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *statement = NULL;
  gint64 value = -1;

  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step (statement) == SQLITE_ROW)
    value = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return value;
}

static sqlite3 *
open_connection (const char *path, int flags)
{
  sqlite3 *db = NULL;

  if (sqlite3_open_v2 (path, &db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, NULL) !=
      SQLITE_OK)
    {
      sqlite3_close (db);
      return NULL;
    }
  sqlite3_busy_timeout (db, BUSY_TIMEOUT);
  sqlite3_extended_result_codes (db, 1);
  return db;
}

static gpointer
work (gpointer data)
{
  Worker *worker = data;

  for (;;)
    {
      Order *order = g_async_queue_pop (worker->queue);
      Job run = order->run;

      if (run)
        run (worker->owner, worker->db, order->task);
      g_clear_object (&order->task);
      g_free (order);
      if (!run)
        return NULL;
    }
}

static void
worker_start (PerficaActivityDb *self, Worker *worker, const char *name)
{
  worker->owner = self;
  worker->queue = g_async_queue_new ();
  worker->thread = g_thread_new (name, work, worker);
}

/* @task: (transfer full) */
static void
worker_push (Worker *worker, Job run, GTask *task)
{
  Order *order = g_new0 (Order, 1);

  order->run = run;
  order->task = task;
  g_async_queue_push (worker->queue, order);
}

static void
worker_stop (Worker *worker)
{
  worker_push (worker, NULL, NULL);
  g_thread_join (worker->thread);
  g_async_queue_unref (worker->queue);
  sqlite3_close_v2 (worker->db);
}

PerficaActivityDb *
perfica_activity_db_new (const char *path)
{
  PerficaActivityDb *self = g_new0 (PerficaActivityDb, 1);

  self->path = g_strdup (path);
  worker_start (self, &self->writer, "perfica-record");
  worker_start (self, &self->reader, "perfica-search");
  return self;
}

void
perfica_activity_db_free (PerficaActivityDb *self)
{
  worker_stop (&self->reader);
  sqlite3_finalize (self->own_read);
  sqlite3_close_v2 (self->own);
  /* The writer goes last: the last connection of a WAL file tidies it up. */
  worker_push (&self->writer, NULL, NULL);
  g_thread_join (self->writer.thread);
  if (self->update)
    write_ends_again (self);
  g_queue_clear_full (&self->unwritten, (GDestroyNotify) perfica_row_free);
  sqlite3_finalize (self->insert);
  sqlite3_finalize (self->update);
  sqlite3_close_v2 (self->writer.db);
  g_async_queue_unref (self->writer.queue);
  g_free (self->path);
  g_free (self);
}

static gboolean
upgrade (sqlite3 *db, gint64 version)
{
  gboolean done = run_sql (db, "BEGIN IMMEDIATE");

  for (; done && version < SCHEMA_VERSION; version++)
    done = run_sql (db, upgrades[version]);
  if (done && run_sql (db, "PRAGMA user_version = " G_STRINGIFY (SCHEMA_VERSION)) &&
      run_sql (db, "COMMIT"))
    return TRUE;
  run_sql (db, "ROLLBACK");
  return FALSE;
}

/* @why: set where SQLite itself sees nothing wrong */
static gboolean
prepare_schema (sqlite3 *db, const char **why)
{
  gint64 version = get_number (db, "PRAGMA user_version");
  gint64 tables;

  if (version > SCHEMA_VERSION)
    *why = _ ("it was written by a newer Perfica");
  if (version > SCHEMA_VERSION || version < 0)
    return FALSE;
  if (version > 0)
    return version == SCHEMA_VERSION || upgrade (db, version);
  tables = get_number (db, "SELECT count(*) FROM sqlite_schema");
  if (tables > 0)
    *why = _ ("another program made that file");
  if (tables != 0)
    return FALSE;
  if (!run_sql (db, "BEGIN IMMEDIATE"))
    return FALSE;
  if (run_sql (db, schema) &&
      run_sql (db, "PRAGMA application_id = " G_STRINGIFY (APPLICATION_ID)) &&
      run_sql (db, "PRAGMA user_version = " G_STRINGIFY (SCHEMA_VERSION)) && run_sql (db, "COMMIT"))
    return TRUE;
  run_sql (db, "ROLLBACK");
  return FALSE;
}

static gboolean
tidy_up (sqlite3 *db)
{
  sqlite3_stmt *statement = NULL;
  gboolean done;

  if (sqlite3_prepare_v2 (db,
                          "UPDATE entries SET outcome = 'lost', reason = ? WHERE outcome = "
                          "'pending'",
                          -1, &statement, NULL) != SQLITE_OK)
    return FALSE;
  sqlite3_bind_text (statement, 1, _ ("Perfica ended while it ran; how it ended isn't known."), -1,
                     SQLITE_TRANSIENT);
  done = sqlite3_step (statement) == SQLITE_DONE;
  sqlite3_finalize (statement);
  return done && run_sql (db, "DELETE FROM entries WHERE id <= (SELECT max(id) FROM entries) "
                              "- " G_STRINGIFY (PERFICA_ACTIVITY_MAX_ROWS));
}

/* SQLite gives its side files the mode of the file itself. */
static gboolean
make_private (const char *path)
{
  int fd = open (path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

  return fd >= 0 && close (fd) == 0;
}

static void
open_job (PerficaActivityDb *self, sqlite3 *unused, GTask *task)
{
  const char *why = NULL;
  sqlite3 *db;

  if (!make_private (self->path))
    {
      fail_for (task, g_strerror (errno));
      return;
    }
  db = open_connection (self->path, SQLITE_OPEN_READWRITE);

  /* Nothing of the file changes before it is known to be ours.
   * NORMAL: a kill loses nothing that was committed, a power cut may lose the last commits. */
  if (db && run_sql (db, "PRAGMA trusted_schema = OFF;") && prepare_schema (db, &why) &&
      run_sql (db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                   "PRAGMA wal_autocheckpoint = 1000;") &&
      tidy_up (db) &&
      sqlite3_prepare_v2 (db,
                          "INSERT INTO entries (" COLUMNS
                          ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                          -1, &self->insert, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2 (db,
                          "UPDATE entries SET (" COLUMNS
                          ") = (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) WHERE id = ?",
                          -1, &self->update, NULL) == SQLITE_OK)
    {
      self->writer.db = db;
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (why)
    fail_for (task, why);
  else
    fail (db, task);
  g_clear_pointer (&self->insert, sqlite3_finalize);
  g_clear_pointer (&self->update, sqlite3_finalize);
  sqlite3_close_v2 (db);
}

void
perfica_activity_db_open_async (PerficaActivityDb *self,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  worker_push (&self->writer, open_job, g_task_new (NULL, NULL, callback, user_data));
}

gboolean
perfica_activity_db_open_finish (PerficaActivityDb *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
bind_row (sqlite3_stmt *statement, const PerficaRow *row)
{
  const char *texts[] = { row->board,
                          row->bubble,
                          row->folder,
                          row->command,
                          row->canonical,
                          row->reason,
                          row->findings,
                          row->rule,
                          row->confinement,
                          row->output_path,
                          row->output,
                          row->answered_by,
                          perfica_outcome_to_string (row->outcome) };

  sqlite3_reset (statement);
  sqlite3_bind_int64 (statement, 1, row->time);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    sqlite3_bind_text (statement, i + 2, texts[i], -1, SQLITE_STATIC);
  sqlite3_bind_int (statement, 15, row->exit_code);
  sqlite3_bind_int (statement, 16, row->signal_number);
  sqlite3_bind_int64 (statement, 17, row->duration);
  sqlite3_bind_int (statement, 18, row->asked);
  sqlite3_bind_int (statement, 19, row->terminal);
  sqlite3_bind_text (statement, 20, row->client, -1, SQLITE_STATIC);
}

static gboolean
write_end (PerficaActivityDb *self, const PerficaRow *row)
{
  gboolean done;

  bind_row (self->update, row);
  sqlite3_bind_int64 (self->update, N_COLUMNS + 1, row->id);
  done = sqlite3_step (self->update) == SQLITE_DONE;
  sqlite3_reset (self->update);
  sqlite3_clear_bindings (self->update);
  return done;
}

/* What a full or held file kept out before: each later write tries it again. */
static void
write_ends_again (PerficaActivityDb *self)
{
  PerficaRow *row;

  while ((row = g_queue_peek_head (&self->unwritten)) && write_end (self, row))
    perfica_row_free (g_queue_pop_head (&self->unwritten));
}

static void
insert_job (PerficaActivityDb *self, sqlite3 *db, GTask *task)
{
  int code;

  if (!db)
    {
      fail (NULL, task);
      return;
    }
  write_ends_again (self);
  bind_row (self->insert, g_task_get_task_data (task));
  code = sqlite3_step (self->insert);
  if (code != SQLITE_DONE)
    fail (db, task);
  else
    g_task_return_int (task, sqlite3_last_insert_rowid (db));
  sqlite3_reset (self->insert);
  sqlite3_clear_bindings (self->insert);
}

void
perfica_activity_db_insert_async (PerficaActivityDb *self,
                                  const PerficaRow *row,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_task_data (task, perfica_row_copy (row), (GDestroyNotify) perfica_row_free);
  worker_push (&self->writer, insert_job, task);
}

gint64
perfica_activity_db_insert_finish (PerficaActivityDb *self, GAsyncResult *result, GError **error)
{
  gssize id = g_task_propagate_int (G_TASK (result), error);

  return id > 0 ? id : 0;
}

static void
update_job (PerficaActivityDb *self, sqlite3 *db, GTask *task)
{
  const PerficaRow *row = g_task_get_task_data (task);

  if (!db)
    {
      fail (NULL, task);
      return;
    }
  write_ends_again (self);
  if (write_end (self, row))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  fail (db, task);
  g_queue_push_tail (&self->unwritten, perfica_row_copy (row));
  if (self->unwritten.length > MAX_UNWRITTEN)
    perfica_row_free (g_queue_pop_head (&self->unwritten));
}

void
perfica_activity_db_update_async (PerficaActivityDb *self,
                                  const PerficaRow *row,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_task_data (task, perfica_row_copy (row), (GDestroyNotify) perfica_row_free);
  worker_push (&self->writer, update_job, task);
}

gboolean
perfica_activity_db_update_finish (PerficaActivityDb *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static const char *
filter_sql (PerficaFilter filter)
{
  switch (filter)
    {
    case PERFICA_FILTER_ASKED:
      return " AND asked";
    case PERFICA_FILTER_REFUSED:
      return " AND outcome IN ('refused', 'no-tool', 'denied', 'nobody', 'no-window', "
             "'unconfined', 'not-attached')";
    case PERFICA_FILTER_FAILED:
      return " AND (outcome IN ('limit', 'lost', 'error') OR (outcome = 'ran' AND (exit_code <> 0 "
             "OR signal <> 0)))";
    case PERFICA_FILTER_ALL:
    default:
      return "";
    }
}

static const char *
answer_sql (PerficaAnswerFilter answer)
{
  switch (answer)
    {
    case PERFICA_ANSWER_ONCE:
      return " AND answered_by = 'person' AND outcome <> 'denied'";
    case PERFICA_ANSWER_ALWAYS:
      return " AND answered_by GLOB 'always:*'";
    case PERFICA_ANSWER_FULL_AUTO:
      return " AND answered_by = 'Full Auto'";
    case PERFICA_ANSWER_DENIED:
      return " AND outcome = 'denied'";
    case PERFICA_ANSWER_NOBODY:
      return " AND outcome IN ('nobody', 'no-window')";
    case PERFICA_ANSWER_ANY:
    default:
      return "";
    }
}

static const char *
exit_sql (PerficaExitFilter wanted)
{
  switch (wanted)
    {
    case PERFICA_EXIT_OK:
      return " AND outcome = 'ran' AND exit_code = 0 AND signal = 0";
    case PERFICA_EXIT_FAILED:
      return " AND outcome = 'ran' AND (exit_code <> 0 OR signal <> 0)";
    case PERFICA_EXIT_STOPPED:
      return " AND outcome IN ('limit', 'cancelled', 'agent-gone', 'gateway-stopped', 'lost')";
    case PERFICA_EXIT_NEVER:
      return " AND outcome IN ('refused', 'no-tool', 'denied', 'nobody', 'no-window', "
             "'unconfined', 'not-attached', 'error')";
    case PERFICA_EXIT_RUNNING:
      return " AND outcome = 'pending'";
    case PERFICA_EXIT_ANY:
    default:
      return "";
    }
}

static char *
like_pattern (const char *word)
{
  GString *text = g_string_new ("%");

  for (; *word; word++)
    {
      if (strchr ("%_\\", *word))
        g_string_append_c (text, '\\');
      g_string_append_c (text, *word);
    }
  return g_string_free (g_string_append_c (text, '%'), FALSE);
}

static sqlite3_stmt *
prepare_search (sqlite3 *db, const PerficaQuery *query)
{
  g_autoptr (GString) sql = g_string_new ("SELECT id FROM entries WHERE 1");
  sqlite3_stmt *statement = NULL;
  int at = 1;

  if (query->board)
    g_string_append (sql, " AND board = ?");
  if (query->bubble)
    g_string_append (sql, " AND bubble = ?");
  g_string_append (sql, filter_sql (query->filter));
  g_string_append (sql, answer_sql (query->answer));
  g_string_append (sql, exit_sql (query->exit));
  for (guint i = 0; query->words[i]; i++)
    g_string_append (sql,
                     " AND (command LIKE ? ESCAPE '\\' OR output LIKE ? ESCAPE '\\' OR bubble LIKE "
                     "? ESCAPE '\\' OR reason LIKE ? ESCAPE '\\')");
  g_string_append (sql, " ORDER BY id");
  if (sqlite3_prepare_v2 (db, sql->str, -1, &statement, NULL) != SQLITE_OK)
    return NULL;
  if (query->board)
    sqlite3_bind_text (statement, at++, query->board, -1, SQLITE_TRANSIENT);
  if (query->bubble)
    sqlite3_bind_text (statement, at++, query->bubble, -1, SQLITE_TRANSIENT);
  for (guint i = 0; query->words[i]; i++)
    {
      g_autofree char *pattern = like_pattern (query->words[i]);

      for (guint j = 0; j < 4; j++)
        sqlite3_bind_text (statement, at++, pattern, -1, SQLITE_TRANSIENT);
    }
  return statement;
}

static sqlite3 *
reader_connection (PerficaActivityDb *self)
{
  if (!self->reader.db)
    self->reader.db = open_connection (self->path, SQLITE_OPEN_READWRITE);
  return self->reader.db;
}

static void
search_job (PerficaActivityDb *self, sqlite3 *unused, GTask *task)
{
  sqlite3 *db = reader_connection (self);
  sqlite3_stmt *statement = db ? prepare_search (db, g_task_get_task_data (task)) : NULL;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  int code = SQLITE_DONE;

  if (!statement)
    {
      fail (db, task);
      return;
    }
  while (!g_cancellable_is_cancelled (g_task_get_cancellable (task)) &&
         (code = sqlite3_step (statement)) == SQLITE_ROW)
    {
      gint64 id = sqlite3_column_int64 (statement, 0);

      g_array_append_val (ids, id);
    }
  if (code == SQLITE_DONE)
    g_task_return_pointer (task, g_steal_pointer (&ids), (GDestroyNotify) g_array_unref);
  else if (!g_task_return_error_if_cancelled (task))
    fail (db, task);
  sqlite3_finalize (statement);
}

void
perfica_activity_db_search_async (PerficaActivityDb *self,
                                  const PerficaQuery *query,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_task_data (task, perfica_query_copy (query), (GDestroyNotify) perfica_query_free);
  worker_push (&self->reader, search_job, task);
}

GArray *
perfica_activity_db_search_finish (PerficaActivityDb *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static char *
column (sqlite3_stmt *statement, int i)
{
  return g_strdup ((const char *) sqlite3_column_text (statement, i));
}

/* Columns: id, then COLUMNS. */
static PerficaRow *
row_from (sqlite3_stmt *statement)
{
  PerficaRow *row = perfica_row_new ();
  char **texts[] = { &row->board,       &row->bubble,      &row->folder,   &row->command,
                     &row->canonical,   &row->reason,      &row->findings, &row->rule,
                     &row->confinement, &row->output_path, &row->output,   &row->answered_by };

  row->id = sqlite3_column_int64 (statement, 0);
  row->time = sqlite3_column_int64 (statement, 1);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    *texts[i] = column (statement, i + 2);
  row->outcome = perfica_outcome_from_string ((const char *) sqlite3_column_text (statement, 14));
  row->exit_code = sqlite3_column_int (statement, 15);
  row->signal_number = sqlite3_column_int (statement, 16);
  row->duration = sqlite3_column_int64 (statement, 17);
  row->asked = sqlite3_column_int (statement, 18);
  row->terminal = sqlite3_column_int (statement, 19);
  row->client = column (statement, 20);
  return row;
}

PerficaRow *
perfica_activity_db_read (PerficaActivityDb *self, gint64 id)
{
  PerficaRow *row = NULL;

  if (!self->own)
    self->own = open_connection (self->path, SQLITE_OPEN_READWRITE);
  if (!self->own_read &&
      (!self->own ||
       sqlite3_prepare_v2 (self->own, "SELECT id, " COLUMNS " FROM entries WHERE id = ?", -1,
                           &self->own_read, NULL) != SQLITE_OK))
    return NULL;
  sqlite3_bind_int64 (self->own_read, 1, id);
  if (sqlite3_step (self->own_read) == SQLITE_ROW)
    row = row_from (self->own_read);
  sqlite3_reset (self->own_read);
  return row;
}

typedef struct
{
  char *board;
  GFile *file;
} Export;

static void
export_free (gpointer data)
{
  Export *job = data;

  g_free (job->board);
  g_object_unref (job->file);
  g_free (job);
}

static gboolean
export_rows (sqlite3_stmt *statement, GOutputStream *stream, GError **error)
{
  int code;

  while ((code = sqlite3_step (statement)) == SQLITE_ROW)
    {
      g_autoptr (PerficaRow) row = row_from (statement);
      g_autofree char *line = perfica_row_to_json (row);

      if (!g_output_stream_printf (stream, NULL, NULL, error, "%s\n", line))
        return FALSE;
    }
  if (code == SQLITE_DONE)
    return TRUE;
  g_set_error_literal (error, PERFICA_ERROR, PERFICA_ERROR_STORE,
                       _ ("The record of activity can't be read."));
  return FALSE;
}

/* Half an export takes nobody's place: a cancelled close leaves what was there. */
static void
give_up (GOutputStream *file)
{
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();

  g_cancellable_cancel (cancelled);
  g_output_stream_close (file, cancelled, NULL);
}

static void
export_job (PerficaActivityDb *self, sqlite3 *unused, GTask *task)
{
  Export *job = g_task_get_task_data (task);
  sqlite3 *db = reader_connection (self);
  sqlite3_stmt *statement = NULL;
  g_autoptr (GFileOutputStream) file = NULL;
  g_autoptr (GOutputStream) stream = NULL;
  GError *error = NULL;

  if (!db || sqlite3_prepare_v2 (db,
                                 "SELECT id, " COLUMNS
                                 " FROM entries WHERE ?1 IS NULL OR board = ?1 ORDER BY id",
                                 -1, &statement, NULL) != SQLITE_OK)
    {
      fail (db, task);
      return;
    }
  sqlite3_bind_text (statement, 1, job->board, -1, SQLITE_STATIC);
  file = g_file_replace (job->file, NULL, FALSE,
                         G_FILE_CREATE_PRIVATE | G_FILE_CREATE_REPLACE_DESTINATION, NULL, &error);
  if (file)
    stream = g_buffered_output_stream_new (G_OUTPUT_STREAM (file));
  if (stream && export_rows (statement, stream, &error) &&
      g_output_stream_close (stream, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    {
      if (file)
        give_up (G_OUTPUT_STREAM (file));
      g_task_return_error (task, error);
    }
  sqlite3_finalize (statement);
}

void
perfica_activity_db_export_async (PerficaActivityDb *self,
                                  const char *board,
                                  GFile *file,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Export *job = g_new0 (Export, 1);

  job->board = g_strdup (board);
  job->file = g_object_ref (file);
  g_task_set_task_data (task, job, export_free);
  worker_push (&self->reader, export_job, task);
}

gboolean
perfica_activity_db_export_finish (PerficaActivityDb *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

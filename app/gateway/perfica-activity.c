/* The record of everything agents asked for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-activity-list.h"

#include <glib/gi18n-lib.h>

#include "perfica-activity-db.h"
#include "perfica-error.h"
#include "perfica-store-file.h"

struct _PerficaActivity
{
  GObject parent_instance;
  PerficaActivityDb *db;
  char *path;
  GHashTable *live; /* id -> PerficaEntry that still runs */
  char *problem;
  gboolean open;
  guint64 rows_read;
};

G_DEFINE_FINAL_TYPE (PerficaActivity, perfica_activity, G_TYPE_OBJECT)

enum
{
  ADDED,
  FINISHED,
  RELOAD,
  FAILED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void
perfica_activity_finalize (GObject *object)
{
  PerficaActivity *self = PERFICA_ACTIVITY (object);

  g_clear_pointer (&self->db, perfica_activity_db_free);
  g_hash_table_unref (self->live);
  g_free (self->problem);
  g_free (self->path);
  G_OBJECT_CLASS (perfica_activity_parent_class)->finalize (object);
}

static guint
make_signal (PerficaActivityClass *klass, const char *name, GType argument)
{
  return g_signal_new (name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, argument == G_TYPE_NONE ? 0 : 1, argument);
}

static void
perfica_activity_class_init (PerficaActivityClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = perfica_activity_finalize;
  signals[ADDED] = make_signal (klass, "added", PERFICA_TYPE_ENTRY);
  signals[FINISHED] = make_signal (klass, "finished", PERFICA_TYPE_ENTRY);
  signals[RELOAD] = make_signal (klass, "reload", G_TYPE_NONE);
  signals[FAILED] = make_signal (klass, "failed", G_TYPE_STRING);
}

static void
perfica_activity_init (PerficaActivity *self)
{
  self->live = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
}

PerficaActivity *
perfica_activity_new (const char *path)
{
  PerficaActivity *self = g_object_new (PERFICA_TYPE_ACTIVITY, NULL);

  self->path = g_strdup (path);
  self->db = perfica_activity_db_new (path);
  return self;
}

static void
opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PerficaActivity) self = data;
  g_autoptr (GError) error = NULL;

  self->open = perfica_activity_db_open_finish (self->db, result, &error);
  g_free (self->problem);
  self->problem = error ? g_strdup (error->message) : NULL;
  if (self->open)
    g_signal_emit (self, signals[RELOAD], 0);
  else
    g_signal_emit (self, signals[FAILED], 0, self->problem);
}

void
perfica_activity_open (PerficaActivity *self)
{
  perfica_activity_db_open_async (self->db, opened, g_object_ref (self));
}

void
perfica_activity_close (PerficaActivity *self)
{
  self->open = FALSE;
  g_clear_pointer (&self->db, perfica_activity_db_free);
}

gboolean
perfica_activity_start_afresh (PerficaActivity *self, GError **error)
{
  static const char *const parts[] = { "", "-wal", "-shm" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *path = g_strconcat (self->path, parts[i], NULL);

      if (!perfica_store_file_set_aside (path, error))
        return FALSE;
    }
  g_clear_pointer (&self->problem, g_free);
  perfica_activity_open (self);
  return TRUE;
}

const char *
perfica_activity_get_problem (PerficaActivity *self)
{
  return self->problem;
}

static void
added (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  PerficaActivity *self = g_task_get_source_object (task);
  g_autoptr (PerficaRow) row = perfica_row_copy (g_task_get_task_data (task));
  GError *error = NULL;
  PerficaEntry *entry;

  row->id = perfica_activity_db_insert_finish (self->db, result, &error);
  if (row->id == 0)
    {
      g_signal_emit (self, signals[FAILED], 0, error->message);
      g_task_return_error (task, error);
      return;
    }
  entry = perfica_entry_new (g_steal_pointer (&row));
  if (perfica_entry_get_outcome (entry) == PERFICA_OUTCOME_PENDING)
    {
      gint64 id = perfica_entry_get_id (entry);

      g_hash_table_insert (self->live, g_memdup2 (&id, sizeof id), g_object_ref (entry));
    }
  g_signal_emit (self, signals[ADDED], 0, entry);
  g_task_return_pointer (task, entry, g_object_unref);
}

void
perfica_activity_add_async (PerficaActivity *self,
                            PerficaRow *row,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_task_data (task, row, (GDestroyNotify) perfica_row_free);
  perfica_activity_db_insert_async (self->db, row, added, task);
}

PerficaEntry *
perfica_activity_add_finish (PerficaActivity *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
finished (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  PerficaActivity *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (perfica_activity_db_update_finish (self->db, result, &error))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  g_signal_emit (self, signals[FAILED], 0, error->message);
  g_task_return_error (task, error);
}

void
perfica_activity_finish_async (PerficaActivity *self,
                               PerficaEntry *entry,
                               PerficaRow *row,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);
  g_autoptr (PerficaEntry) held G_GNUC_UNUSED = g_object_ref (entry);
  gint64 id = perfica_entry_get_id (entry);

  row->id = id;
  perfica_entry_replace (held, row);
  g_hash_table_remove (self->live, &id);
  g_signal_emit (self, signals[FINISHED], 0, held);
  perfica_activity_db_update_async (self->db, perfica_entry_get_row (held), finished, task);
}

gboolean
perfica_activity_finish_finish (PerficaActivity *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

guint64
perfica_activity_get_rows_read (PerficaActivity *self)
{
  return self->rows_read;
}

PerficaEntry *
perfica_activity_lookup (PerficaActivity *self, gint64 id)
{
  PerficaEntry *entry = g_hash_table_lookup (self->live, &id);
  PerficaRow *row;

  if (entry)
    return g_object_ref (entry);
  self->rows_read++;
  row = self->open ? perfica_activity_db_read (self->db, id) : NULL;
  return row ? perfica_entry_new (row) : NULL;
}

static void
searched (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  PerficaActivity *self = g_task_get_source_object (task);
  GError *error = NULL;
  GArray *ids = perfica_activity_db_search_finish (self->db, result, &error);

  if (g_task_return_error_if_cancelled (task))
    {
      g_clear_error (&error);
      g_clear_pointer (&ids, g_array_unref);
    }
  else if (ids)
    g_task_return_pointer (task, ids, (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
}

void
perfica_activity_search_async (PerficaActivity *self,
                               const PerficaQuery *query,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  if (!self->open)
    {
      g_task_return_new_error (task, PERFICA_ERROR, PERFICA_ERROR_STORE,
                               _ ("The record of activity can't be used: %s."),
                               _ ("it isn't open"));
      g_object_unref (task);
      return;
    }
  perfica_activity_db_search_async (self->db, query, cancellable, searched, task);
}

GArray *
perfica_activity_search_finish (PerficaActivity *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

GListModel *
perfica_activity_query (PerficaActivity *self, const PerficaActivityQuery *query)
{
  return G_LIST_MODEL (perfica_activity_list_new (self, perfica_query_new (query)));
}

GListModel *
perfica_activity_list (PerficaActivity *self,
                       const char *board,
                       const char *search,
                       PerficaFilter filter)
{
  PerficaActivityQuery query = { .board = board, .search = search, .filter = filter };

  return perfica_activity_query (self, &query);
}

static void
exported (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  PerficaActivity *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (perfica_activity_db_export_finish (self->db, result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
perfica_activity_export_async (PerficaActivity *self,
                               const char *board,
                               GFile *file,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  perfica_activity_db_export_async (self->db, board, file, exported,
                                    g_task_new (self, NULL, callback, user_data));
}

gboolean
perfica_activity_export_finish (PerficaActivity *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

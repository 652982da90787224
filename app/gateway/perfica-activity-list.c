/* A list of the record's rows, newest first: ids in memory, rows made on demand.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-activity-list.h"

/* Rows kept as objects: some screens full. */
#define MAX_CACHED 512

/* A list view makes widgets for the first 200 rows of a list at once, which takes a third of a
 * second. So the list grows by so many, a frame apart, and once beyond that it is whole. */
#define STEP 32
#define WARM 256

struct _PerficaActivityList
{
  GObject parent_instance;
  PerficaActivity *activity;
  PerficaQuery *query;
  GArray *ids; /* gint64, lowest first: position 0 is the last */
  guint shown; /* so many of them, from position 0 on, are in the list */
  guint growth;
  gboolean loading;
  GHashTable *cache;
  GCancellable *cancellable;
};

static GType
perfica_activity_list_get_item_type (GListModel *model)
{
  return PERFICA_TYPE_ENTRY;
}

static guint
perfica_activity_list_get_n_items (GListModel *model)
{
  return PERFICA_ACTIVITY_LIST (model)->shown;
}

/* A row that is gone from the file (dropped for age) still needs an object. */
static PerficaEntry *
gone (gint64 id)
{
  PerficaRow *row = perfica_row_new ();

  row->id = id;
  row->outcome = PERFICA_OUTCOME_LOST;
  row->command = g_strdup ("");
  return perfica_entry_new (row);
}

static gpointer
perfica_activity_list_get_item (GListModel *model, guint position)
{
  PerficaActivityList *self = PERFICA_ACTIVITY_LIST (model);
  PerficaEntry *entry;
  gint64 id;

  if (position >= self->shown)
    return NULL;
  id = g_array_index (self->ids, gint64, self->ids->len - 1 - position);
  entry = g_hash_table_lookup (self->cache, &id);
  if (entry)
    return g_object_ref (entry);
  entry = perfica_activity_lookup (self->activity, id);
  if (!entry)
    entry = gone (id);
  if (g_hash_table_size (self->cache) >= MAX_CACHED)
    g_hash_table_remove_all (self->cache);
  g_hash_table_insert (self->cache, g_memdup2 (&id, sizeof id), g_object_ref (entry));
  return entry;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = perfica_activity_list_get_item_type;
  iface->get_n_items = perfica_activity_list_get_n_items;
  iface->get_item = perfica_activity_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (PerficaActivityList,
                               perfica_activity_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

enum
{
  PROP_LOADING = 1,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

static void
perfica_activity_list_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_LOADING)
    g_value_set_boolean (value, PERFICA_ACTIVITY_LIST (object)->loading);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
perfica_activity_list_dispose (GObject *object)
{
  PerficaActivityList *self = PERFICA_ACTIVITY_LIST (object);

  g_clear_handle_id (&self->growth, g_source_remove);
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->activity);
  G_OBJECT_CLASS (perfica_activity_list_parent_class)->dispose (object);
}

static void
perfica_activity_list_finalize (GObject *object)
{
  PerficaActivityList *self = PERFICA_ACTIVITY_LIST (object);

  perfica_query_free (self->query);
  g_array_unref (self->ids);
  g_hash_table_unref (self->cache);
  G_OBJECT_CLASS (perfica_activity_list_parent_class)->finalize (object);
}

static void
perfica_activity_list_class_init (PerficaActivityListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = perfica_activity_list_get_property;
  object_class->dispose = perfica_activity_list_dispose;
  object_class->finalize = perfica_activity_list_finalize;
  properties[PROP_LOADING] =
      g_param_spec_boolean ("loading", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
perfica_activity_list_init (PerficaActivityList *self)
{
  self->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->cache = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
}

/* Where @id lies, or where it would go: ids rise. */
static gboolean
find_id (PerficaActivityList *self, gint64 id, guint *at)
{
  guint low = 0, high = self->ids->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->ids, gint64, middle) < id)
        low = middle + 1;
      else
        high = middle;
    }
  *at = low;
  return low < self->ids->len && g_array_index (self->ids, gint64, low) == id;
}

static void
take_in (PerficaActivityList *self, PerficaEntry *entry)
{
  gint64 id = perfica_entry_get_id (entry);
  guint at, position;

  if (!perfica_query_matches (self->query, perfica_entry_get_row (entry)) ||
      find_id (self, id, &at))
    return;
  g_array_insert_val (self->ids, at, id);
  position = self->ids->len - 1 - at;
  if (position > self->shown)
    return; /* the list will come to it */
  self->shown++;
  g_list_model_items_changed (G_LIST_MODEL (self), position, 0, 1);
}

static gboolean
grow (gpointer data)
{
  PerficaActivityList *self = data;
  guint before = self->shown;

  self->shown = before + STEP < WARM ? MIN (before + STEP, self->ids->len) : self->ids->len;
  if (self->shown == self->ids->len)
    self->growth = 0;
  if (self->shown > before)
    g_list_model_items_changed (G_LIST_MODEL (self), before, 0, self->shown - before);
  return self->shown < self->ids->len;
}

static void
set_loading (PerficaActivityList *self, gboolean loading)
{
  if (self->loading == loading)
    return;
  self->loading = loading;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
}

static void
loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found =
      perfica_activity_search_finish (PERFICA_ACTIVITY (source), result, &error);
  PerficaActivityList *self;
  guint before;
  gint64 last;

  if (!found)
    {
      /* Cancelled: the list may be gone. Unreadable: what is shown stays. */
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        set_loading (data, FALSE);
      return;
    }
  self = data;
  before = self->shown;
  last = found->len ? g_array_index (found, gint64, found->len - 1) : 0;
  /* What came while the search ran is newer than all it found. */
  for (guint i = 0; i < self->ids->len; i++)
    if (g_array_index (self->ids, gint64, i) > last)
      g_array_append_val (found, g_array_index (self->ids, gint64, i));
  g_array_unref (self->ids);
  self->ids = g_steal_pointer (&found);
  self->shown = MIN (self->ids->len, STEP);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, self->shown);
  /* Below the priority of drawing. */
  if (self->shown < self->ids->len && self->growth == 0)
    self->growth = g_idle_add_full (G_PRIORITY_LOW, grow, self, NULL);
  set_loading (self, FALSE);
}

static void
reload (PerficaActivityList *self)
{
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  set_loading (self, TRUE);
  perfica_activity_search_async (self->activity, self->query, self->cancellable, loaded, self);
}

gboolean
perfica_activity_list_is_loading (GListModel *list)
{
  return PERFICA_ACTIVITY_LIST (list)->loading;
}

PerficaActivityList *
perfica_activity_list_new (PerficaActivity *activity, PerficaQuery *query)
{
  PerficaActivityList *self = g_object_new (PERFICA_TYPE_ACTIVITY_LIST, NULL);

  self->activity = g_object_ref (activity);
  self->query = query;
  g_signal_connect_object (activity, "added", G_CALLBACK (take_in), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (activity, "finished", G_CALLBACK (take_in), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (activity, "reload", G_CALLBACK (reload), self, G_CONNECT_SWAPPED);
  reload (self);
  return self;
}

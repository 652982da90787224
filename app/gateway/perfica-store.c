/* boards.json: boards, loops, bubbles and whatever loosens or grants.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-store.h"

#include <glib/gi18n-lib.h>

#include "perfica-board-folder.h"
#include "perfica-board-private.h"
#include "perfica-error.h"
#include "perfica-store-file.h"
#include "perfica-store-json.h"

/* 256 boards with all their loops, bubbles and clients stay below it. */
#define MAX_SIZE (4 * 1024 * 1024)

struct _PerficaStore
{
  GObject parent_instance;
  const PerficaPaths *paths;
  GListStore *boards;
  PerficaSettings settings;
  gboolean usable; /* the file was read, or there was none */
  GThreadPool *writer;
  GMutex lock;
  GCond idle;
  guint pending;
};

G_DEFINE_FINAL_TYPE (PerficaStore, perfica_store, G_TYPE_OBJECT)

static guint failed_signal;

typedef struct
{
  PerficaStore *store;
  char *text;
  char *problem;
} Write;

static gboolean
report (gpointer data)
{
  Write *job = data;

  if (job->problem)
    g_signal_emit (job->store, failed_signal, 0, job->problem);
  g_object_unref (job->store);
  g_free (job->text);
  g_free (job->problem);
  g_free (job);
  return G_SOURCE_REMOVE;
}

static void
write_one (gpointer data, gpointer user_data)
{
  Write *job = data;
  PerficaStore *self = job->store;
  g_autoptr (GError) error = NULL;

  if (!perfica_store_file_write (self->paths->boards, job->text, &error))
    job->problem = g_strdup (error->message);
  g_mutex_lock (&self->lock);
  self->pending--;
  g_cond_broadcast (&self->idle);
  g_mutex_unlock (&self->lock);
  g_idle_add (report, job);
}

static void
perfica_store_finalize (GObject *object)
{
  PerficaStore *self = PERFICA_STORE (object);

  g_thread_pool_free (self->writer, FALSE, TRUE);
  g_object_unref (self->boards);
  perfica_settings_clear (&self->settings);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->idle);
  G_OBJECT_CLASS (perfica_store_parent_class)->finalize (object);
}

static void
perfica_store_class_init (PerficaStoreClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = perfica_store_finalize;
  failed_signal = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
perfica_store_init (PerficaStore *self)
{
  self->boards = g_list_store_new (PERFICA_TYPE_BOARD);
  perfica_settings_init (&self->settings);
  g_mutex_init (&self->lock);
  g_cond_init (&self->idle);
  /* One thread: files are written in the order of the changes. */
  self->writer = g_thread_pool_new (write_one, NULL, 1, FALSE, NULL);
}

PerficaStore *
perfica_store_new (const PerficaPaths *paths)
{
  PerficaStore *self = g_object_new (PERFICA_TYPE_STORE, NULL);

  self->paths = paths;
  return self;
}

void
perfica_store_save (PerficaStore *self)
{
  Write *job;

  if (!self->usable)
    return;
  job = g_new0 (Write, 1);
  job->store = g_object_ref (self);
  job->text = perfica_store_json_write (G_LIST_MODEL (self->boards), &self->settings);
  g_mutex_lock (&self->lock);
  self->pending++;
  g_mutex_unlock (&self->lock);
  g_thread_pool_push (self->writer, job, NULL);
}

void
perfica_store_flush (PerficaStore *self)
{
  g_mutex_lock (&self->lock);
  while (self->pending > 0)
    g_cond_wait (&self->idle, &self->lock);
  g_mutex_unlock (&self->lock);
}

static void
watch (PerficaStore *self, PerficaBoard *board)
{
  perfica_board_set_sandbox_default (board, self->settings.sandbox);
  g_signal_connect_object (board, "changed", G_CALLBACK (perfica_store_save), self,
                           G_CONNECT_SWAPPED);
}

gboolean
perfica_store_load (PerficaStore *self, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GListStore) boards = g_list_store_new (PERFICA_TYPE_BOARD);
  PerficaSettings settings;
  gsize length;

  self->usable = FALSE;
  if (!perfica_store_file_read (self->paths->boards, MAX_SIZE, &text, &length, error))
    return FALSE;
  if (!text)
    return self->usable = TRUE;
  perfica_settings_init (&settings);
  if (!perfica_store_json_read (text, length, boards, &settings, error))
    {
      perfica_settings_clear (&settings);
      return FALSE;
    }
  perfica_settings_clear (&self->settings);
  self->settings = settings;
  g_list_store_remove_all (self->boards);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (boards)); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (G_LIST_MODEL (boards), i);

      watch (self, board);
      g_list_store_append (self->boards, board);
    }
  return self->usable = TRUE;
}

gboolean
perfica_store_start_afresh (PerficaStore *self, GError **error)
{
  if (self->usable)
    return TRUE;
  if (!perfica_store_file_set_aside (self->paths->boards, error))
    return FALSE;
  self->usable = TRUE;
  perfica_store_save (self);
  return TRUE;
}

gboolean
perfica_store_is_usable (PerficaStore *self)
{
  return self->usable;
}

GListModel *
perfica_store_get_boards (PerficaStore *self)
{
  return G_LIST_MODEL (self->boards);
}

const PerficaSettings *
perfica_store_get_settings (PerficaStore *self)
{
  return &self->settings;
}

void
perfica_store_set_sandbox (PerficaStore *self, gboolean on)
{
  self->settings.sandbox = !!on;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->boards)); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (G_LIST_MODEL (self->boards), i);

      perfica_board_set_sandbox_default (board, on);
    }
  perfica_store_save (self);
}

void
perfica_store_set_backend (PerficaStore *self, SandboxBackendType backend)
{
  g_return_if_fail (backend != SANDBOX_BACKEND_NONE);
  self->settings.backend = backend;
  perfica_store_save (self);
}

void
perfica_store_set_prompt_seconds (PerficaStore *self, guint seconds)
{
  self->settings.prompt_seconds =
      seconds == 0 ? 0 : CLAMP (seconds, PERFICA_PROMPT_SECONDS_MIN, PERFICA_PROMPT_SECONDS_MAX);
  perfica_store_save (self);
}

void
perfica_store_set_visible (PerficaStore *self, const char *const *folders)
{
  g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();

  for (guint i = 0; folders && folders[i] && i < PERFICA_MAX_VISIBLE; i++)
    if (g_path_is_absolute (folders[i]) && g_utf8_validate (folders[i], -1, NULL))
      g_strv_builder_add (kept, folders[i]);
  g_strfreev (self->settings.visible);
  self->settings.visible = g_strv_builder_end (kept);
  perfica_store_save (self);
}

void
perfica_store_set_image (PerficaStore *self, const char *image)
{
  if (g_strcmp0 (self->settings.image, image) == 0)
    return;
  g_free (self->settings.image);
  self->settings.image = g_strdup (image);
  g_clear_pointer (&self->settings.image_digest, g_free);
  perfica_store_save (self);
}

void
perfica_store_set_image_digest (PerficaStore *self, const char *digest)
{
  g_free (self->settings.image_digest);
  self->settings.image_digest = g_strdup (digest);
  perfica_store_save (self);
}

/* The folder's own name, made fit for a name of ours. */
static char *
name_of (const char *folder)
{
  g_autofree char *base = g_path_get_basename (folder);

  while (strlen (base) > PERFICA_MAX_NAME)
    *g_utf8_find_prev_char (base, base + strlen (base)) = '\0';
  return g_steal_pointer (&base);
}

PerficaBoard *
perfica_store_add_board (PerficaStore *self, const char *folder, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;
  g_autofree char *id = NULL;
  g_autoptr (PerficaBoard) board = NULL;
  g_autoptr (PerficaLoop) loop = NULL;
  g_autoptr (PerficaBubble) bubble = NULL;

  if (!self->usable)
    {
      g_set_error_literal (
          error, PERFICA_ERROR, PERFICA_ERROR_STORE,
          _ ("The settings of the boards can't be read; decide about them first."));
      return NULL;
    }
  path = perfica_board_folder_check (folder, self->paths, error);
  if (!path)
    return NULL;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->boards)); i++)
    {
      g_autoptr (PerficaBoard) old = g_list_model_get_item (G_LIST_MODEL (self->boards), i);

      if (g_str_equal (perfica_board_get_folder (old), path))
        return old; /* the store keeps it alive */
    }
  if (g_list_model_get_n_items (G_LIST_MODEL (self->boards)) >= PERFICA_MAX_BOARDS)
    {
      g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_LIMIT,
                   _ ("There are %d boards already; remove one first."), PERFICA_MAX_BOARDS);
      return NULL;
    }
  name = name_of (path);
  id = g_uuid_string_random ();
  board = perfica_board_new (id, name, path);
  loop = perfica_loop_new (name, ".");
  perfica_board_restore_loop (board, loop);
  /* An agent can be connected at once; the person confirms it when it first attaches. */
  bubble = perfica_bubble_new ("coder", PERFICA_ROLE_CODER, 0, loop);
  perfica_board_restore_bubble (board, bubble);
  watch (self, board);
  g_list_store_append (self->boards, board);
  perfica_store_save (self);
  return board;
}

void
perfica_store_remove_board (PerficaStore *self, PerficaBoard *board)
{
  guint position;

  if (!g_list_store_find (self->boards, board, &position))
    return;
  g_signal_handlers_disconnect_by_func (board, perfica_store_save, self);
  g_list_store_remove (self->boards, position);
  perfica_store_save (self);
}

PerficaBoard *
perfica_store_find_board (PerficaStore *self, const char *path)
{
  PerficaBoard *best = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->boards)); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (G_LIST_MODEL (self->boards), i);
      const char *folder = perfica_board_get_folder (board);
      g_autofree char *relative = perfica_board_folder_relative (folder, path);

      if (relative && (!best || strlen (folder) > strlen (perfica_board_get_folder (best))))
        best = board;
    }
  return best;
}

/* The gateway: boards, who is attached, approvals, activity and the door.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-gateway-private.h"

#include <glib/gi18n-lib.h>

#include "perfica-approvals-private.h"
#include "perfica-attachment-private.h"
#include "perfica-board-folder.h"
#include "perfica-board-private.h"
#include "perfica-door.h"
#include "perfica-image-private.h"
#include "perfica-journey.h"
#include "perfica-scratch.h"
#include "perfica-tidy.h"
#include "sandbox-docker.h"

struct _PerficaGateway
{
  GObject parent_instance;
  SandboxLauncher *launcher;
  PerficaPaths *paths;
  PerficaLimits limits;
  PerficaStore *store;
  PerficaActivity *activity;
  PerficaApprovals *approvals;
  PerficaReader *reader;
  PerficaSessionEnvironment *environment;
  PerficaDoor *door;
  PerficaTidy *tidy;
  GListStore *attachments;
  GHashTable *away;    /* keys of clients that were turned away */
  GPtrArray *requests; /* on their way */
  GPtrArray *enders;   /* GTask that wait until there is none */
  char *store_problem;
  PerficaImage *image;
  SandboxDiagnosis *diagnosis;
  GCancellable *checking;
  guint running;
  gboolean window_open;
  gboolean stopping;
};

G_DEFINE_FINAL_TYPE (PerficaGateway, perfica_gateway, G_TYPE_OBJECT)

enum
{
  PROP_WINDOW_OPEN = 1,
  PROP_RUNNING,
  PROP_STORE_PROBLEM,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

enum
{
  DIAGNOSIS_CHANGED,
  NOTICE,
  OPEN_FOLDER,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void set_window_open (PerficaGateway *self, gboolean open);

static void
perfica_gateway_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaGateway *self = PERFICA_GATEWAY (object);

  switch (id)
    {
    case PROP_WINDOW_OPEN:
      g_value_set_boolean (value, self->window_open);
      break;
    case PROP_RUNNING:
      g_value_set_uint (value, self->running);
      break;
    case PROP_STORE_PROBLEM:
      g_value_set_string (value, self->store_problem);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
perfica_gateway_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_WINDOW_OPEN)
    set_window_open (PERFICA_GATEWAY (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
perfica_gateway_finalize (GObject *object)
{
  PerficaGateway *self = PERFICA_GATEWAY (object);

  g_clear_pointer (&self->door, perfica_door_close);
  if (self->checking)
    g_cancellable_cancel (self->checking);
  g_clear_object (&self->checking);
  perfica_image_leave (self->image);
  g_clear_pointer (&self->environment, perfica_session_environment_free);
  g_clear_pointer (&self->reader, perfica_reader_free);
  g_clear_pointer (&self->tidy, perfica_tidy_free);
  g_clear_object (&self->image);
  if (self->store)
    perfica_store_flush (self->store);
  g_clear_object (&self->store);
  g_clear_object (&self->activity);
  g_clear_object (&self->approvals);
  g_clear_object (&self->attachments);
  g_clear_object (&self->launcher);
  g_hash_table_unref (self->away);
  g_ptr_array_unref (self->requests);
  g_ptr_array_unref (self->enders);
  g_clear_pointer (&self->diagnosis, sandbox_diagnosis_free);
  g_clear_pointer (&self->paths, perfica_paths_free);
  g_free (self->store_problem);
  G_OBJECT_CLASS (perfica_gateway_parent_class)->finalize (object);
}

static guint
make_signal (PerficaGatewayClass *klass, const char *name, GType argument)
{
  return g_signal_new (name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, argument == G_TYPE_NONE ? 0 : 1, argument);
}

static void
perfica_gateway_class_init (PerficaGatewayClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags read = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = perfica_gateway_get_property;
  object_class->set_property = perfica_gateway_set_property;
  object_class->finalize = perfica_gateway_finalize;
  properties[PROP_WINDOW_OPEN] =
      g_param_spec_boolean ("window-open", NULL, NULL, FALSE, read | G_PARAM_WRITABLE);
  properties[PROP_RUNNING] = g_param_spec_uint ("running", NULL, NULL, 0, G_MAXUINT, 0, read);
  properties[PROP_STORE_PROBLEM] = g_param_spec_string ("store-problem", NULL, NULL, NULL, read);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[DIAGNOSIS_CHANGED] = make_signal (klass, "diagnosis-changed", G_TYPE_NONE);
  signals[NOTICE] = make_signal (klass, "notice", G_TYPE_STRING);
  signals[OPEN_FOLDER] = make_signal (klass, "open-folder", G_TYPE_FILE);
}

static void
perfica_gateway_init (PerficaGateway *self)
{
  self->approvals = perfica_approvals_new ();
  self->tidy = perfica_tidy_new ();
  self->image = perfica_image_new (self);
  self->attachments = g_list_store_new (PERFICA_TYPE_ATTACHMENT);
  self->away = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->requests = g_ptr_array_new_with_free_func (g_object_unref);
  self->enders = g_ptr_array_new_with_free_func (g_object_unref);
}

PerficaGateway *
perfica_gateway_new (SandboxLauncher *launcher)
{
  PerficaGateway *self = g_object_new (PERFICA_TYPE_GATEWAY, NULL);

  self->launcher = launcher ? g_object_ref (launcher) : NULL;
  return self;
}

static void
set_store_problem (PerficaGateway *self, const char *problem)
{
  if (g_strcmp0 (self->store_problem, problem) == 0)
    return;
  g_free (self->store_problem);
  self->store_problem = g_strdup (problem);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STORE_PROBLEM]);
}

static void
notice (PerficaGateway *self, const char *sentence)
{
  g_signal_emit (self, signals[NOTICE], 0, sentence);
}

/* The record failed: if it never opened, nothing may run until the person has chosen. */
static void
record_failed (PerficaGateway *self, const char *sentence)
{
  if (perfica_store_is_usable (self->store) && perfica_activity_get_problem (self->activity))
    set_store_problem (self, perfica_activity_get_problem (self->activity));
  notice (self, sentence);
}

/* Paths of the outputs that are still written in a board's project. */
static char **
list_running_outputs (PerficaGateway *self, PerficaBoard *board)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();

  for (guint i = 0; i < self->requests->len; i++)
    {
      const PerficaRequest *request = self->requests->pdata[i];

      if (request->board == board && request->output_path)
        g_strv_builder_add (paths, request->output_path);
    }
  return g_strv_builder_end (paths);
}

static void
prune (PerficaGateway *self, PerficaBoard *board)
{
  g_auto (GStrv) running = list_running_outputs (self, board);

  perfica_tidy_prune (self->tidy, perfica_board_get_folder (board), (const char *const *) running);
}

void
perfica_gateway_output_written (PerficaGateway *self, PerficaRequest *request, guint64 bytes)
{
  const char *project = perfica_board_get_folder (request->board);

  if (bytes == 0)
    perfica_tidy_remove_output (self->tidy, project, request->output_path);
  else if (perfica_tidy_take_note (self->tidy, project, bytes))
    prune (self, request->board);
}

/* Opened, perhaps at the second try. */
static void
record_opened (PerficaGateway *self)
{
  if (perfica_store_is_usable (self->store))
    set_store_problem (self, NULL);
}

/* What kill -9 left behind, and outputs beyond their limits. */
static void
start_tidying (PerficaGateway *self)
{
  GListModel *boards = perfica_store_get_boards (self->store);

  perfica_scratch_set_aside (self->paths->scratch);
  perfica_tidy_remove_scratch (self->tidy, self->paths->scratch);
  for (guint i = 0; i < g_list_model_get_n_items (boards); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (boards, i);

      prune (self, board);
    }
}

static gboolean
open_gateway (PerficaGateway *self, GError **error)
{
  perfica_limits_read (self->paths->limits, &self->limits);
  perfica_approvals_set_pause_seconds (self->approvals, self->limits.pause_seconds);
  g_clear_pointer (&self->environment, perfica_session_environment_free);
  self->environment = perfica_session_environment_new ();
  self->door = perfica_door_open (self, self->paths->socket, error);
  return self->door != NULL;
}

static gboolean
any_sandbox (PerficaGateway *self)
{
  GListModel *boards = perfica_store_get_boards (self->store);

  for (guint i = 0; i < g_list_model_get_n_items (boards); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (boards, i);

      if (perfica_board_get_sandbox_active (board))
        return TRUE;
    }
  return perfica_store_get_settings (self->store)->sandbox;
}

void
perfica_gateway_take_paths (PerficaGateway *self, PerficaPaths *paths)
{
  g_return_if_fail (!self->paths);
  self->paths = paths;
}

gboolean
perfica_gateway_start (PerficaGateway *self, GError **error)
{
  g_autoptr (GError) problem = NULL;

  g_return_val_if_fail (!self->store, FALSE);
  if (!self->paths)
    self->paths = perfica_paths_new (error);
  if (!self->paths || !perfica_paths_lock (self->paths, error))
    {
      g_clear_pointer (&self->paths, perfica_paths_free);
      return FALSE;
    }
  self->store = perfica_store_new (self->paths);
  g_signal_connect_object (self->store, "failed", G_CALLBACK (notice), self, G_CONNECT_SWAPPED);
  if (!perfica_store_load (self->store, &problem))
    set_store_problem (self, problem->message);
  self->activity = perfica_activity_new (self->paths->activity);
  g_signal_connect_object (self->activity, "failed", G_CALLBACK (record_failed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->activity, "reload", G_CALLBACK (record_opened), self,
                           G_CONNECT_SWAPPED);
  perfica_activity_open (self->activity);
  self->reader = perfica_reader_new ();
  start_tidying (self);
  if (!open_gateway (self, error))
    return FALSE;
  if (any_sandbox (self))
    perfica_gateway_check_backend (self);
  return TRUE;
}

/* Ends all requests; the task returns when the last has been answered. */
static void
end_all (PerficaGateway *self, GTask *task)
{
  g_autoptr (GPtrArray) requests = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->requests->len; i++)
    g_ptr_array_add (requests, g_object_ref (self->requests->pdata[i]));
  self->stopping = TRUE;
  g_ptr_array_add (self->enders, task);
  for (guint i = 0; i < requests->len; i++)
    perfica_journey_end (requests->pdata[i], PERFICA_OUTCOME_GATEWAY_STOPPED);
  perfica_gateway_drop_request (self, NULL);
}

static void
has_stopped (GObject *source, GAsyncResult *result, gpointer data)
{
  PerficaGateway *self = PERFICA_GATEWAY (source);
  g_autoptr (GTask) task = data;

  g_task_propagate_boolean (G_TASK (result), NULL);
  g_clear_pointer (&self->door, perfica_door_close);
  perfica_store_flush (self->store);
  g_task_return_boolean (task, TRUE);
}

void
perfica_gateway_stop_async (PerficaGateway *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  end_all (self, g_task_new (self, NULL, has_stopped, task));
}

gboolean
perfica_gateway_stop_finish (PerficaGateway *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
perfica_gateway_close (PerficaGateway *self)
{
  g_clear_pointer (&self->door, perfica_door_close);
  perfica_activity_close (self->activity);
}

static void
forget_session (PerficaGateway *self)
{
  GListModel *boards = perfica_store_get_boards (self->store);

  for (guint i = 0; i < g_list_model_get_n_items (boards); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (boards, i);

      g_list_store_remove_all (perfica_board_get_grant_store (board));
    }
  g_hash_table_remove_all (self->away);
  g_list_store_remove_all (self->attachments);
}

static void
may_restart (GObject *source, GAsyncResult *result, gpointer data)
{
  PerficaGateway *self = PERFICA_GATEWAY (source);
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  g_task_propagate_boolean (G_TASK (result), NULL);
  g_clear_pointer (&self->door, perfica_door_close);
  forget_session (self);
  self->stopping = FALSE;
  if (open_gateway (self, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
perfica_gateway_restart_async (PerficaGateway *self,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  end_all (self, g_task_new (self, NULL, may_restart, task));
}

gboolean
perfica_gateway_restart_finish (PerficaGateway *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

GListModel *
perfica_gateway_get_boards (PerficaGateway *self)
{
  return perfica_store_get_boards (self->store);
}

PerficaApprovals *
perfica_gateway_get_approvals (PerficaGateway *self)
{
  return self->approvals;
}

GListModel *
perfica_gateway_get_attachments (PerficaGateway *self)
{
  return G_LIST_MODEL (self->attachments);
}

PerficaActivity *
perfica_gateway_get_activity (PerficaGateway *self)
{
  return self->activity;
}

SandboxLauncher *
perfica_gateway_get_launcher (PerficaGateway *self)
{
  return self->launcher;
}

PerficaBoard *
perfica_gateway_open_folder (PerficaGateway *self, GFile *folder, GError **error)
{
  g_autofree char *path = g_file_get_path (folder);

  if (path)
    return perfica_store_add_board (self->store, path, error);
  g_set_error_literal (error, PERFICA_ERROR, PERFICA_ERROR_FOLDER,
                       _ ("Only a folder of this machine can be a board."));
  return NULL;
}

void
perfica_gateway_remove_board (PerficaGateway *self, PerficaBoard *board)
{
  g_autoptr (PerficaBoard) held G_GNUC_UNUSED = g_object_ref (board);

  for (guint i = self->requests->len; i > 0; i--)
    if (i <= self->requests->len &&
        perfica_request_get_board (self->requests->pdata[i - 1]) == board)
      perfica_journey_end (self->requests->pdata[i - 1], PERFICA_OUTCOME_CANCELLED);
  perfica_store_remove_board (self->store, board);
  if (self->door)
    perfica_door_drop_board (self->door, board);
  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (self->attachments)); i > 0; i--)
    {
      g_autoptr (PerficaAttachment) one =
          g_list_model_get_item (G_LIST_MODEL (self->attachments), i - 1);

      if (perfica_attachment_get_board (one) == board)
        g_list_store_remove (self->attachments, i - 1);
    }
}

void
perfica_gateway_start_afresh (PerficaGateway *self)
{
  g_autoptr (GError) error = NULL;

  if (!perfica_store_start_afresh (self->store, &error) ||
      (perfica_activity_get_problem (self->activity) &&
       !perfica_activity_start_afresh (self->activity, &error)))
    {
      set_store_problem (self, error->message);
      return;
    }
  set_store_problem (self, NULL);
}

void
perfica_gateway_read_again (PerficaGateway *self)
{
  g_autoptr (GError) error = NULL;
  const char *record = perfica_activity_get_problem (self->activity);

  if (!perfica_store_is_usable (self->store) && !perfica_store_load (self->store, &error))
    {
      set_store_problem (self, error->message);
      notice (self, error->message);
    }
  else
    {
      set_store_problem (self, record);
    }
  if (record)
    perfica_activity_open (self->activity);
}

gboolean
perfica_gateway_is_record_broken (PerficaGateway *self)
{
  return perfica_store_is_usable (self->store) && perfica_activity_get_problem (self->activity);
}

gboolean
perfica_gateway_get_sandbox_default (PerficaGateway *self)
{
  return perfica_store_get_settings (self->store)->sandbox;
}

void
perfica_gateway_set_sandbox_default (PerficaGateway *self, gboolean on)
{
  if (perfica_store_get_settings (self->store)->sandbox == !!on)
    return;
  perfica_store_set_sandbox (self->store, on);
  if (on)
    perfica_gateway_check_backend (self);
}

SandboxBackendType
perfica_gateway_get_backend (PerficaGateway *self)
{
  return perfica_store_get_settings (self->store)->backend;
}

void
perfica_gateway_set_backend (PerficaGateway *self, SandboxBackendType backend)
{
  if (perfica_store_get_settings (self->store)->backend == backend)
    return;
  perfica_store_set_backend (self->store, backend);
  perfica_gateway_check_backend (self);
}

guint
perfica_gateway_get_prompt_seconds (PerficaGateway *self)
{
  return perfica_store_get_settings (self->store)->prompt_seconds;
}

void
perfica_gateway_set_prompt_seconds (PerficaGateway *self, guint seconds)
{
  if (perfica_store_get_settings (self->store)->prompt_seconds != seconds)
    perfica_store_set_prompt_seconds (self->store, seconds);
}

char **
perfica_gateway_get_visible_folders (PerficaGateway *self)
{
  return g_strdupv (perfica_store_get_settings (self->store)->visible);
}

void
perfica_gateway_set_visible_folders (PerficaGateway *self, const char *const *folders)
{
  perfica_store_set_visible (self->store, folders);
}

const SandboxDiagnosis *
perfica_gateway_get_diagnosis (PerficaGateway *self)
{
  return self->diagnosis;
}

static void
was_checked (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  SandboxDiagnosis *diagnosis = sandbox_diagnose_finish (result, &error);
  PerficaGateway *self;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) /* it may be gone */
    return;
  self = data;
  g_clear_object (&self->checking);
  g_clear_pointer (&self->diagnosis, sandbox_diagnosis_free);
  self->diagnosis = diagnosis;
  g_signal_emit (self, signals[DIAGNOSIS_CHANGED], 0);
}

/* Where Docker is may be told by the person's shell (DOCKER_HOST). */
static void
check_docker (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GCancellable) cancellable = data;
  g_auto (GStrv) environment = perfica_session_environment_get_finish (result);
  g_autofree char *image = NULL;
  const PerficaSettings *settings;
  PerficaGateway *self;

  if (g_cancellable_is_cancelled (cancellable)) /* it may be gone */
    return;
  self = g_object_get_data (G_OBJECT (cancellable), "gateway");
  settings = perfica_store_get_settings (self->store);
  image = sandbox_image_reference (settings->image, settings->image_digest);
  sandbox_diagnose_image_async (settings->backend, image, (const char *const *) environment,
                                cancellable, was_checked, self);
}

void
perfica_gateway_check_backend (PerficaGateway *self)
{
  if (self->checking)
    g_cancellable_cancel (self->checking);
  g_clear_object (&self->checking);
  self->checking = g_cancellable_new ();
  if (perfica_gateway_get_backend (self) == SANDBOX_BACKEND_DOCKER && self->environment)
    {
      g_object_set_data (G_OBJECT (self->checking), "gateway", self);
      perfica_session_environment_get_async (self->environment, check_docker,
                                             g_object_ref (self->checking));
    }
  else
    sandbox_diagnose_async (perfica_gateway_get_backend (self), self->checking, was_checked, self);
}

PerficaImage *
perfica_gateway_get_image (PerficaGateway *self)
{
  return self->image;
}

static void
set_window_open (PerficaGateway *self, gboolean open)
{
  open = !!open;
  if (self->window_open == open)
    return;
  self->window_open = open;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WINDOW_OPEN]);
  while (!open && g_list_model_get_n_items (G_LIST_MODEL (self->approvals)) > 0)
    {
      g_autoptr (PerficaRequest) request =
          g_list_model_get_item (G_LIST_MODEL (self->approvals), 0);

      perfica_journey_end (request, PERFICA_OUTCOME_NO_WINDOW);
    }
}

const PerficaPaths *
perfica_gateway_get_paths (PerficaGateway *self)
{
  return self->paths;
}

PerficaStore *
perfica_gateway_get_store (PerficaGateway *self)
{
  return self->store;
}

const PerficaLimits *
perfica_gateway_get_limits (PerficaGateway *self)
{
  return &self->limits;
}

PerficaReader *
perfica_gateway_get_reader (PerficaGateway *self)
{
  return self->reader;
}

PerficaSessionEnvironment *
perfica_gateway_get_environment (PerficaGateway *self)
{
  return self->environment;
}

gboolean
perfica_gateway_get_window_open (PerficaGateway *self)
{
  return self->window_open;
}

guint
perfica_gateway_get_running (PerficaGateway *self)
{
  return self->running;
}

const char *
perfica_gateway_get_store_problem (PerficaGateway *self)
{
  return self->store_problem;
}

gboolean
perfica_gateway_is_stopping (PerficaGateway *self)
{
  return self->stopping;
}

guint
perfica_gateway_get_prompt_limit (PerficaGateway *self)
{
  guint seconds = perfica_store_get_settings (self->store)->prompt_seconds;
  guint bound = self->limits.prompt_seconds;

  if (bound == 0)
    return seconds;
  return seconds == 0 ? bound : MIN (seconds, bound);
}

char **
perfica_gateway_list_owned (PerficaGateway *self,
                            PerficaBoard *board,
                            PerficaLoop *loop,
                            char ***inner)
{
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) boards = g_strv_builder_new ();
  GListModel *loops = perfica_board_get_loops (board);
  GListModel *others = perfica_gateway_get_boards (self);

  for (guint i = 0; i < g_list_model_get_n_items (loops); i++)
    {
      g_autoptr (PerficaLoop) one = g_list_model_get_item (loops, i);

      if (one != loop)
        g_strv_builder_add (all, perfica_loop_get_folder (one));
    }
  for (guint i = 0; i < g_list_model_get_n_items (others); i++)
    {
      g_autoptr (PerficaBoard) one = g_list_model_get_item (others, i);
      g_autofree char *folder = perfica_board_folder_relative (perfica_board_get_folder (board),
                                                               perfica_board_get_folder (one));

      if (one == board || !folder)
        continue;
      g_strv_builder_add (all, folder);
      g_strv_builder_add (boards, folder);
    }
  if (inner)
    *inner = g_strv_builder_end (boards);
  return g_strv_builder_end (all);
}

void
perfica_gateway_running_changed (PerficaGateway *self)
{
  guint n = 0;

  for (guint i = 0; i < self->requests->len; i++)
    n += perfica_request_get_state (self->requests->pdata[i]) == PERFICA_STATE_RUNNING;
  if (self->running == n)
    return;
  self->running = n;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNING]);
}

void
perfica_gateway_take_request (PerficaGateway *self, PerficaRequest *request)
{
  g_ptr_array_add (self->requests, g_object_ref (request));
}

/* Those who wait for the end hear of it from the main loop, so that the last answer is out. */
static gboolean
tell_enders (gpointer data)
{
  PerficaGateway *self = data;
  g_autoptr (GPtrArray) enders = NULL;

  if (self->requests->len > 0)
    return G_SOURCE_REMOVE;
  enders = g_steal_pointer (&self->enders);
  self->enders = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < enders->len; i++)
    g_task_return_boolean (enders->pdata[i], TRUE);
  return G_SOURCE_REMOVE;
}

void
perfica_gateway_drop_request (PerficaGateway *self, PerficaRequest *request)
{
  g_autoptr (PerficaRequest) held G_GNUC_UNUSED = request ? g_object_ref (request) : NULL;

  if (request)
    g_ptr_array_remove (self->requests, request);
  perfica_gateway_running_changed (self);
  if (self->requests->len == 0 && self->enders->len > 0)
    g_idle_add_full (G_PRIORITY_DEFAULT, tell_enders, g_object_ref (self), g_object_unref);
}

GListStore *
perfica_gateway_get_attachment_store (PerficaGateway *self)
{
  return self->attachments;
}

gboolean
perfica_gateway_is_turned_away (PerficaGateway *self, const char *key)
{
  return g_hash_table_contains (self->away, key);
}

void
perfica_gateway_turn_away (PerficaGateway *self, PerficaAttachment *attachment)
{
  guint position;

  g_hash_table_add (self->away, g_strdup (perfica_attachment_get_key (attachment)));
  if (g_list_store_find (self->attachments, attachment, &position))
    g_list_store_remove (self->attachments, position);
}

void
perfica_gateway_forget_attachment (PerficaGateway *self, PerficaAttachment *attachment)
{
  guint position;

  if (!perfica_attachment_get_connected (attachment) &&
      g_list_store_find (self->attachments, attachment, &position))
    g_list_store_remove (self->attachments, position);
}

void
perfica_gateway_request_folder (PerficaGateway *self, const char *folder)
{
  g_autoptr (GFile) file = folder ? g_file_new_for_path (folder) : NULL;

  g_signal_emit (self, signals[OPEN_FOLDER], 0, file);
}

gboolean
perfica_gateway_stop_entry (PerficaGateway *self, PerficaEntry *entry)
{
  for (guint i = 0; i < self->requests->len; i++)
    {
      PerficaRequest *request = self->requests->pdata[i];

      if (perfica_request_get_record (request) != perfica_entry_get_id (entry))
        continue;
      g_free (request->message);
      request->message = g_strdup (_ ("The person stopped it in Perfica's window: ask what they "
                                      "want before you run it again."));
      perfica_journey_end (request, PERFICA_OUTCOME_CANCELLED);
      return TRUE;
    }
  return FALSE;
}

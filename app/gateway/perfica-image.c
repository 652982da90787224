/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-image-private.h"

#include <glib/gi18n-lib.h>

#include "perfica-docker-json.h"
#include "perfica-gateway-private.h"
#include "sandbox-docker.h"

/* One question or one download, shared with its worker. */
typedef struct
{
  gatomicrefcount references;
  GMutex lock;
  char *name;
  char *pinned; /* nullable */
  char **environment;

  SandboxDockerEngine *engine;
  PerficaImageManifest *manifest;
  guint64 free;
  PerficaImageProgress *progress; /* the worker's alone */

  /* Under the lock. */
  guint64 done;
  gboolean unpacking;
  gboolean told; /* the main thread knows that there is news */
} Job;

struct _PerficaImage
{
  GObject parent_instance;
  PerficaGateway *gateway;
  PerficaImageState state;
  Job *job;
  GCancellable *cancellable;
  char *problem;
};

G_DEFINE_FINAL_TYPE (PerficaImage, perfica_image, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static Job *
job_ref (Job *job)
{
  g_atomic_ref_count_inc (&job->references);
  return job;
}

static void
job_unref (gpointer data)
{
  Job *job = data;

  if (job == NULL || !g_atomic_ref_count_dec (&job->references))
    return;
  g_mutex_clear (&job->lock);
  g_free (job->name);
  g_free (job->pinned);
  g_strfreev (job->environment);
  sandbox_docker_engine_free (job->engine);
  perfica_image_manifest_free (job->manifest);
  perfica_image_progress_free (job->progress);
  g_free (job);
}

static const PerficaSettings *
get_settings (PerficaImage *self)
{
  return perfica_store_get_settings (perfica_gateway_get_store (self->gateway));
}

static void
set_state (PerficaImage *self, PerficaImageState state)
{
  self->state = state;
  g_signal_emit (self, signals[CHANGED], 0);
}

/* What is under way ends by itself and finds that it isn't wanted any more. */
static void
drop_job (PerficaImage *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->job, job_unref);
  g_clear_pointer (&self->problem, g_free);
}

static void
fail (PerficaImage *self, const GError *error)
{
  g_autofree char *problem = g_strdup (error->message);

  drop_job (self);
  self->problem = g_steal_pointer (&problem);
  set_state (self, PERFICA_IMAGE_FAILED);
}

/* ---- What would it be? ---- */

static void
ask_on_worker (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  const char *const *environment = (const char *const *) job->environment;
  g_autofree char *reference = sandbox_image_reference (job->name, job->pinned);
  g_autoptr (GBytes) text = NULL;
  GError *error = NULL;
  gconstpointer bytes;
  gsize length;

  job->engine = sandbox_docker_engine_find (environment, cancellable, &error);
  if (job->engine != NULL)
    text = sandbox_image_ask_registry (job->engine, reference, environment, cancellable, &error);
  if (text == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  bytes = g_bytes_get_data (text, &length);
  job->manifest = perfica_image_manifest_parse (bytes, length, job->engine->architecture, &error);
  job->free = sandbox_image_free_space (job->engine);
  if (error != NULL)
    {
      g_task_return_new_error (task, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_OTHER,
                               _ ("The size of the image “%s” can't be read (%s)"), job->name,
                               error->message);
      g_error_free (error);
    }
  else if (job->manifest == NULL || !sandbox_image_is_digest (job->manifest->digest))
    g_task_return_new_error (task, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_PLATFORM,
                             _ ("The image “%s” isn't made for this kind of computer (%s)"),
                             job->name, job->engine->architecture);
  else
    g_task_return_boolean (task, TRUE);
}

static void
was_asked (GObject *source, GAsyncResult *result, gpointer data)
{
  PerficaImage *self = PERFICA_IMAGE (source);
  g_autoptr (GError) error = NULL;

  if (g_task_get_task_data (G_TASK (result)) != self->job)
    return;
  if (g_task_propagate_boolean (G_TASK (result), &error))
    set_state (self, PERFICA_IMAGE_OFFERED);
  else
    fail (self, error);
}

static void
got_environment (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  PerficaImage *self = g_task_get_source_object (task);
  Job *job = g_task_get_task_data (task);

  job->environment = perfica_session_environment_get_finish (result);
  if (job == self->job)
    g_task_run_in_thread (task, ask_on_worker);
  else
    g_task_return_boolean (task, FALSE);
}

static void
start_job (PerficaImage *self)
{
  Job *job = g_new0 (Job, 1);

  drop_job (self);
  g_atomic_ref_count_init (&job->references);
  g_mutex_init (&job->lock);
  job->name = g_strdup (perfica_image_get_name (self));
  job->pinned = g_strdup (get_settings (self)->image_digest);
  self->job = job;
  self->cancellable = g_cancellable_new ();
}

void
perfica_image_ask (PerficaImage *self)
{
  GTask *task;

  g_return_if_fail (PERFICA_IS_IMAGE (self));
  if (self->gateway == NULL || self->state == PERFICA_IMAGE_DOWNLOADING ||
      self->state == PERFICA_IMAGE_UNPACKING)
    return;
  start_job (self);
  task = g_task_new (self, self->cancellable, was_asked, NULL);
  g_task_set_task_data (task, job_ref (self->job), job_unref);
  set_state (self, PERFICA_IMAGE_ASKING);
  perfica_session_environment_get_async (perfica_gateway_get_environment (self->gateway),
                                         got_environment, task);
}

/* ---- The download ---- */

static gboolean
tell (gpointer data)
{
  GTask *task = data;
  PerficaImage *self = g_task_get_source_object (task);
  Job *job = g_task_get_task_data (task);
  gboolean unpacking;

  g_mutex_lock (&job->lock);
  job->told = FALSE;
  unpacking = job->unpacking;
  g_mutex_unlock (&job->lock);
  if (job == self->job &&
      (self->state == PERFICA_IMAGE_DOWNLOADING || self->state == PERFICA_IMAGE_UNPACKING))
    set_state (self, unpacking ? PERFICA_IMAGE_UNPACKING : PERFICA_IMAGE_DOWNLOADING);
  return G_SOURCE_REMOVE;
}

/* An engine sends ten events a second and layer: the window hears of them when it has time. */
static gboolean
take_event (const char *line, gsize length, gpointer data, GError **error)
{
  GTask *task = data;
  Job *job = g_task_get_task_data (task);
  g_auto (PerficaImageEvent) event = { 0 };
  gboolean tell_it;

  if (!perfica_image_event_parse (line, length, &event, error))
    return FALSE;
  if (event.problem != NULL)
    {
      sandbox_image_set_error (error, job->name, event.problem);
      return FALSE;
    }
  perfica_image_progress_add (job->progress, &event);
  g_mutex_lock (&job->lock);
  job->done = perfica_image_progress_get_done (job->progress);
  job->unpacking = perfica_image_progress_is_unpacking (job->progress);
  tell_it = !job->told;
  job->told = TRUE;
  g_mutex_unlock (&job->lock);
  if (tell_it)
    g_main_context_invoke_full (g_task_get_context (task), G_PRIORITY_DEFAULT_IDLE, tell,
                                g_object_ref (task), g_object_unref);
  return TRUE;
}

static void
download_on_worker (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  g_autofree char *reference = sandbox_image_reference (job->name, job->manifest->digest);
  g_autoptr (GBytes) here = NULL;
  GError *error = NULL;

  job->progress = perfica_image_progress_new (job->manifest);
  if (sandbox_image_pull (job->engine, job->name, job->manifest->digest, take_event, task,
                          cancellable, &error))
    here = sandbox_image_inspect (job->engine, reference, cancellable, &error);
  if (here != NULL)
    g_task_return_boolean (task, TRUE);
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_new_error (task, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_DIGEST,
                             _ ("Docker says that it has downloaded “%s”, but hasn't got what was "
                                "offered (%s)"),
                             job->name, job->manifest->digest);
}

static void
was_downloaded (GObject *source, GAsyncResult *result, gpointer data)
{
  PerficaImage *self = PERFICA_IMAGE (source);
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  if (job != self->job)
    return;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      fail (self, error);
      return;
    }
  perfica_store_set_image_digest (perfica_gateway_get_store (self->gateway), job->manifest->digest);
  job->done = job->manifest->size;
  set_state (self, PERFICA_IMAGE_DONE);
  perfica_gateway_check_backend (self->gateway);
}

void
perfica_image_download (PerficaImage *self)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (PERFICA_IS_IMAGE (self));
  if (self->state != PERFICA_IMAGE_OFFERED || !perfica_image_get_fits (self))
    return;
  task = g_task_new (self, self->cancellable, was_downloaded, NULL);
  g_task_set_task_data (task, job_ref (self->job), job_unref);
  set_state (self, PERFICA_IMAGE_DOWNLOADING);
  g_task_run_in_thread (task, download_on_worker);
}

void
perfica_image_cancel (PerficaImage *self)
{
  g_return_if_fail (PERFICA_IS_IMAGE (self));
  if (self->state == PERFICA_IMAGE_IDLE)
    return;
  drop_job (self);
  set_state (self, PERFICA_IMAGE_IDLE);
}

/* ---- Name and pin ---- */

gboolean
perfica_image_set_name (PerficaImage *self, const char *name, GError **error)
{
  g_auto (SandboxImageName) parsed = { NULL };
  PerficaStore *store = perfica_gateway_get_store (self->gateway);

  if (name != NULL && (*name == '\0' || g_str_equal (name, SANDBOX_DEFAULT_IMAGE)))
    name = NULL;
  if (name != NULL && !sandbox_image_name_parse (name, &parsed, error))
    return FALSE;
  if (g_strcmp0 (name, perfica_store_get_settings (store)->image) == 0)
    return TRUE;
  drop_job (self);
  perfica_store_set_image (store, name);
  set_state (self, PERFICA_IMAGE_IDLE);
  perfica_gateway_check_backend (self->gateway);
  return TRUE;
}

void
perfica_image_forget (PerficaImage *self)
{
  if (get_settings (self)->image_digest == NULL)
    return;
  drop_job (self);
  perfica_store_set_image_digest (perfica_gateway_get_store (self->gateway), NULL);
  set_state (self, PERFICA_IMAGE_IDLE);
  perfica_gateway_check_backend (self->gateway);
}

/* ---- What is shown ---- */

PerficaImageState
perfica_image_get_state (PerficaImage *self)
{
  return self->state;
}

const char *
perfica_image_get_name (PerficaImage *self)
{
  const char *name = get_settings (self)->image;

  return name != NULL ? name : SANDBOX_DEFAULT_IMAGE;
}

const char *
perfica_image_get_digest (PerficaImage *self)
{
  return get_settings (self)->image_digest;
}

static gboolean
is_known (PerficaImage *self)
{
  return self->job != NULL && self->state != PERFICA_IMAGE_ASKING;
}

guint64
perfica_image_get_size (PerficaImage *self)
{
  return is_known (self) ? self->job->manifest->size : 0;
}

guint64
perfica_image_get_free (PerficaImage *self)
{
  return is_known (self) ? self->job->free : G_MAXUINT64;
}

gboolean
perfica_image_get_fits (PerficaImage *self)
{
  guint64 free = perfica_image_get_free (self);

  return free / PERFICA_IMAGE_SPACE_FACTOR >= perfica_image_get_size (self);
}

guint64
perfica_image_get_done (PerficaImage *self)
{
  guint64 done;

  if (!is_known (self))
    return 0;
  g_mutex_lock (&self->job->lock);
  done = self->job->done;
  g_mutex_unlock (&self->job->lock);
  return done;
}

const char *
perfica_image_get_problem (PerficaImage *self)
{
  return self->problem;
}

/* ---- The object ---- */

static void
perfica_image_finalize (GObject *object)
{
  drop_job (PERFICA_IMAGE (object));
  G_OBJECT_CLASS (perfica_image_parent_class)->finalize (object);
}

static void
perfica_image_class_init (PerficaImageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = perfica_image_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
perfica_image_init (PerficaImage *self)
{
}

PerficaImage *
perfica_image_new (PerficaGateway *gateway)
{
  PerficaImage *self = g_object_new (PERFICA_TYPE_IMAGE, NULL);

  self->gateway = gateway;
  return self;
}

void
perfica_image_leave (PerficaImage *self)
{
  drop_job (self);
  self->state = PERFICA_IMAGE_IDLE;
  self->gateway = NULL;
}

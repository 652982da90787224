/* The gateway as perfica-agent's commands use it: connects when needed, again after a restart.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-client.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gi18n.h>

#include "perfica-wire-connection.h"

/* The gateway answers hello and status without asking anybody; this is for one that hangs. */
#define ANSWER_SECONDS 15

/* One request that waits for its answer. */
typedef struct
{
  GTask *task; /* owned */
  AgentStateFunc state;
  AgentOutputFunc output;
  gpointer data;
  guint timeout;
  PerficaWireType wanted;
} Call;

/* A run on its way to the gateway. */
typedef struct
{
  AgentClient *self; /* the task holds it */
  char *command;
  char *folder;
  guint timeout_seconds;
  gboolean stream;
  AgentStateFunc state;
  AgentOutputFunc output;
  gpointer data;
  GCancellable *cancellable;
  gulong cancelled_handler;
  gint64 id; /* 0 until it was sent */
} Run;

struct _AgentClient
{
  GObject parent_instance;

  AgentIdentity identity;
  PerficaWireConnection *connection;
  gint64 last_id;
  GHashTable *calls; /* gint64* to Call */
  PerficaWireMessage *hello;
  gboolean hello_pending;
  GPtrArray *waiters; /* of GTask: for hello */
  GPtrArray *later;   /* of GTask: for hello on the next connection, once this one has ended */
};

G_DEFINE_QUARK (agent - error - quark, agent_error)
G_DEFINE_FINAL_TYPE (AgentClient, agent_client, G_TYPE_OBJECT)

void
agent_identity_clear (AgentIdentity *identity)
{
  g_clear_pointer (&identity->client, g_free);
  g_clear_pointer (&identity->version, g_free);
  g_clear_pointer (&identity->folder, g_free);
  g_clear_pointer (&identity->board, g_free);
  g_clear_pointer (&identity->bubble, g_free);
  g_clear_pointer (&identity->role, g_free);
}

static void
call_free (Call *call)
{
  g_clear_handle_id (&call->timeout, g_source_remove);
  g_clear_object (&call->task);
  g_free (call);
}

static void
run_free (Run *run)
{
  if (run->cancelled_handler != 0)
    g_cancellable_disconnect (run->cancellable, run->cancelled_handler);
  g_clear_object (&run->cancellable);
  g_free (run->command);
  g_free (run->folder);
  g_free (run);
}

static void
agent_client_finalize (GObject *object)
{
  AgentClient *self = AGENT_CLIENT (object);

  g_assert (self->connection == NULL || g_hash_table_size (self->calls) == 0);
  if (self->connection != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->connection, self);
      perfica_wire_connection_close (self->connection);
      g_clear_object (&self->connection);
    }
  g_clear_pointer (&self->calls, g_hash_table_unref);
  g_clear_pointer (&self->waiters, g_ptr_array_unref);
  g_clear_pointer (&self->later, g_ptr_array_unref);
  g_clear_pointer (&self->hello, perfica_wire_message_unref);
  agent_identity_clear (&self->identity);
  G_OBJECT_CLASS (agent_client_parent_class)->finalize (object);
}

static void
agent_client_class_init (AgentClientClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = agent_client_finalize;
}

static void
agent_client_init (AgentClient *self)
{
  self->calls =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) call_free);
  self->waiters = g_ptr_array_new_with_free_func (g_object_unref);
  self->later = g_ptr_array_new_with_free_func (g_object_unref);
}

AgentClient *
agent_client_new (const AgentIdentity *identity)
{
  AgentClient *self = g_object_new (AGENT_TYPE_CLIENT, NULL);

  self->identity = (AgentIdentity){
    .client = g_strdup (identity->client),
    .version = g_strdup (identity->version),
    .folder = g_strdup (identity->folder),
    .board = g_strdup (identity->board),
    .bubble = g_strdup (identity->bubble),
    .role = g_strdup (identity->role),
  };
  return self;
}

void
agent_client_set_name (AgentClient *self, const char *client, const char *version)
{
  if (self->hello != NULL || self->hello_pending || client == NULL || *client == '\0')
    return;
  g_free (self->identity.client);
  g_free (self->identity.version);
  self->identity.client = g_strdup (client);
  self->identity.version = g_strdup (version);
}

/* The gateway's refusal in the terms of this side. */
static GError *
error_from_failure (const PerficaWireFailure *failure)
{
  int code = AGENT_ERROR_GATEWAY;

  switch (failure->code)
    {
    case PERFICA_WIRE_CODE_NO_BOARD:
    case PERFICA_WIRE_CODE_NO_BUBBLE:
      code = AGENT_ERROR_BOARD;
      break;
    case PERFICA_WIRE_CODE_VERSION:
      return g_error_new (AGENT_ERROR, AGENT_ERROR_VERSION,
                          _ ("Perfica and perfica-agent are of different versions (%s); restart "
                             "both after the update."),
                          failure->message);
    case PERFICA_WIRE_CODE_TURNED_AWAY:
      code = AGENT_ERROR_TURNED_AWAY;
      break;
    case PERFICA_WIRE_CODE_BUSY:
      code = AGENT_ERROR_BUSY;
      break;
    case PERFICA_WIRE_CODE_STOPPED:
      code = AGENT_ERROR_LOST;
      break;
    default:
      break;
    }
  return g_error_new_literal (AGENT_ERROR, code, failure->message);
}

static GError *
error_lost (void)
{
  return g_error_new_literal (AGENT_ERROR, AGENT_ERROR_LOST,
                              _ ("The connection to Perfica ended before the answer came; whether "
                                 "the command finished is in Perfica's Activity."));
}

/* Takes the tasks out of a list, so that what they call may add to it again. */
static GPtrArray *
take_tasks (GPtrArray **list)
{
  GPtrArray *tasks = *list;

  *list = g_ptr_array_new_with_free_func (g_object_unref);
  return tasks;
}

static void
fail_waiters (AgentClient *self, const GError *error)
{
  g_autoptr (GPtrArray) waiters = take_tasks (&self->waiters);

  self->hello_pending = FALSE;
  for (guint i = 0; i < waiters->len; i++)
    g_task_return_error (waiters->pdata[i], g_error_copy (error));
}

static void
drop_connection (AgentClient *self, const GError *error)
{
  g_autoptr (GHashTable) calls = g_steal_pointer (&self->calls);
  g_autoptr (PerficaWireConnection) connection = g_steal_pointer (&self->connection);
  GHashTableIter iter;
  Call *call;

  self->calls =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) call_free);
  g_clear_pointer (&self->hello, perfica_wire_message_unref);
  if (connection != NULL)
    {
      g_signal_handlers_disconnect_by_data (connection, self);
      perfica_wire_connection_close (connection);
    }
  g_hash_table_iter_init (&iter, calls);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &call))
    g_task_return_error (call->task, g_error_copy (error));
  for (guint i = 0; i < self->later->len; i++)
    g_ptr_array_add (self->waiters, g_object_ref (self->later->pdata[i]));
  g_ptr_array_set_size (self->later, 0);
  fail_waiters (self, error);
}

void
agent_client_close (AgentClient *self)
{
  g_autoptr (GError) error = error_lost ();

  drop_connection (self, error);
}

static void attach (AgentClient *self, GTask *task);

static void
on_closed (PerficaWireConnection *connection, GError *cause, AgentClient *self)
{
  g_autoptr (AgentClient) alive = g_object_ref (self);
  g_autoptr (GError) error = error_lost ();
  g_autoptr (GPtrArray) later = take_tasks (&self->later);

  drop_connection (alive, error);
  for (guint i = 0; i < later->len; i++)
    attach (alive, g_object_ref (later->pdata[i]));
}

static void
answer_call (AgentClient *self, PerficaWireMessage *message)
{
  g_autoptr (GTask) task = NULL;
  Call *call = g_hash_table_lookup (self->calls, &message->id);
  PerficaWireType wanted;

  if (call == NULL)
    return;
  task = g_steal_pointer (&call->task);
  wanted = call->wanted;
  g_hash_table_remove (self->calls, &message->id);
  if (message->type == wanted)
    g_task_return_pointer (task, perfica_wire_message_ref (message),
                           (GDestroyNotify) perfica_wire_message_unref);
  else if (message->type == PERFICA_WIRE_FAILURE)
    g_task_return_error (task, error_from_failure (message->failure));
  else
    g_task_return_new_error (task, AGENT_ERROR, AGENT_ERROR_GATEWAY, "%s",
                             _ ("Perfica answered with something else than was asked."));
}

static void
on_message (PerficaWireConnection *connection, PerficaWireMessage *message, AgentClient *self)
{
  g_autoptr (AgentClient) alive = g_object_ref (self);
  Call *call;

  if (message->type == PERFICA_WIRE_STATE)
    {
      call = g_hash_table_lookup (self->calls, &message->state->request);
      if (call != NULL && call->state != NULL)
        call->state (message->state, call->data);
    }
  else if (message->type == PERFICA_WIRE_OUTPUT)
    {
      call = g_hash_table_lookup (self->calls, &message->output->request);
      if (call != NULL && call->output != NULL)
        call->output (message->output, call->data);
    }
  else if (message->id != 0)
    answer_call (alive, message);
  else if (message->type == PERFICA_WIRE_FAILURE)
    {
      /* About no request in particular: the gateway is about to close. */
      g_autoptr (GError) error = error_from_failure (message->failure);

      drop_connection (alive, error);
    }
}

static GIOStream *
open_socket (GError **error)
{
  g_autofree char *path = perfica_wire_socket_path (error);
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GSocketAddress) address = NULL;
  g_autoptr (GError) local = NULL;

  if (path == NULL)
    return NULL;
  socket =
      g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, error);
  if (socket == NULL)
    return NULL;
  address = g_unix_socket_address_new (path);
  /* A unix socket connects at once or not at all. */
  g_socket_set_blocking (socket, FALSE);
  if (!g_socket_connect (socket, address, NULL, &local))
    {
      g_set_error_literal (error, AGENT_ERROR, AGENT_ERROR_NOT_RUNNING,
                           _ ("Perfica isn't running. Ask the person to start Perfica, then try "
                              "again."));
      return NULL;
    }
  return G_IO_STREAM (g_socket_connection_factory_create_connection (socket));
}

static gboolean
connect_now (AgentClient *self, GError **error)
{
  g_autoptr (GIOStream) stream = NULL;

  if (self->connection != NULL)
    return TRUE;
  stream = open_socket (error);
  if (stream == NULL)
    return FALSE;
  self->connection = perfica_wire_connection_new (stream, PERFICA_WIRE_SIDE_CLIENT);
  g_signal_connect (self->connection, "message", G_CALLBACK (on_message), self);
  g_signal_connect (self->connection, "closed", G_CALLBACK (on_closed), self);
  perfica_wire_connection_start (self->connection);
  return TRUE;
}

static gboolean
on_silent (gpointer user_data)
{
  AgentClient *self = user_data;
  g_autoptr (AgentClient) alive = g_object_ref (self);
  g_autoptr (GError) error = g_error_new_literal (
      AGENT_ERROR, AGENT_ERROR_SILENT,
      _ ("Perfica doesn't answer. Ask the person to look at its window, then try again."));
  GHashTableIter iter;
  Call *call;

  /* This source ends by its return value. */
  g_hash_table_iter_init (&iter, self->calls);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &call))
    if (call->timeout == g_source_get_id (g_main_current_source ()))
      call->timeout = 0;
  drop_connection (alive, error);
  return G_SOURCE_REMOVE;
}

/* Takes @task and @line. */
static Call *
send_call (AgentClient *self, gint64 id, GBytes *line, GTask *task, PerficaWireType wanted)
{
  Call *call = g_new0 (Call, 1);

  call->task = task;
  call->wanted = wanted;
  g_hash_table_insert (self->calls, g_memdup2 (&id, sizeof id), call);
  /* If it can't be queued, "closed" follows and fails the call. */
  perfica_wire_connection_send (self->connection, line);
  return call;
}

static void
hello_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (AgentClient) self = g_object_ref (AGENT_CLIENT (source));
  g_autoptr (GError) error = NULL;
  g_autoptr (PerficaWireMessage) message = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GPtrArray) waiters = NULL;

  if (!self->hello_pending)
    return;
  if (message == NULL)
    {
      /* The next try begins from scratch. */
      drop_connection (self, error);
      return;
    }
  self->hello_pending = FALSE;
  self->hello = perfica_wire_message_ref (message);
  waiters = take_tasks (&self->waiters);
  for (guint i = 0; i < waiters->len; i++)
    g_task_return_pointer (waiters->pdata[i], perfica_wire_message_ref (message),
                           (GDestroyNotify) perfica_wire_message_unref);
}

static void
say_hello (AgentClient *self)
{
  g_autoptr (GError) error = NULL;
  PerficaWireHello hello = {
    .protocol = PERFICA_WIRE_VERSION,
    .client = self->identity.client,
    .version = self->identity.version,
    .folder = self->identity.folder,
    .board = self->identity.board,
    .bubble = self->identity.bubble,
    .role = self->identity.role,
  };
  gint64 id;
  Call *call;

  if (!connect_now (self, &error))
    {
      fail_waiters (self, error);
      return;
    }
  id = ++self->last_id;
  call = send_call (self, id, perfica_wire_encode_hello (id, &hello),
                    g_task_new (self, NULL, hello_done, NULL), PERFICA_WIRE_HELLO_REPLY);
  call->timeout = g_timeout_add_seconds (ANSWER_SECONDS, on_silent, self);
}

/* Takes @task. */
static void
attach (AgentClient *self, GTask *task)
{
  g_ptr_array_add (self->waiters, task);
  if (self->hello_pending)
    return;
  self->hello_pending = TRUE;
  say_hello (self);
}

/* The gateway has gone, and the main loop hasn't come to it yet. */
static gboolean
is_hung_up (AgentClient *self)
{
  GIOStream *stream = perfica_wire_connection_get_stream (self->connection);
  GSocket *socket = g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream));

  return (g_socket_condition_check (socket, G_IO_HUP) & G_IO_HUP) != 0;
}

void
agent_client_hello_async (AgentClient *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  if (self->hello == NULL)
    attach (self, g_steal_pointer (&task));
  /* What was sent now would be lost for sure; answers to earlier calls may still come. */
  else if (is_hung_up (self))
    g_ptr_array_add (self->later, g_steal_pointer (&task));
  else
    g_task_return_pointer (task, perfica_wire_message_ref (self->hello),
                           (GDestroyNotify) perfica_wire_message_unref);
}

PerficaWireMessage *
agent_client_hello_finish (AgentClient *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
on_cancelled (GCancellable *cancellable, Run *run)
{
  /* Before it was sent, run_attached() looks at the cancellable itself. */
  if (run->id != 0 && run->self->connection != NULL)
    perfica_wire_connection_send (run->self->connection, perfica_wire_encode_cancel (run->id));
}

static void
run_attached (GObject *source, GAsyncResult *result, gpointer user_data)
{
  AgentClient *self = AGENT_CLIENT (source);
  g_autoptr (GTask) task = G_TASK (user_data);
  Run *run = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (PerficaWireMessage) hello = agent_client_hello_finish (self, result, &error);
  PerficaWireRun wire = { .command = run->command,
                          .folder = run->folder,
                          .timeout_seconds = run->timeout_seconds,
                          .stream = run->stream };
  Call *call;

  if (hello == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (g_cancellable_is_cancelled (run->cancellable))
    {
      g_task_return_new_error (task, AGENT_ERROR, AGENT_ERROR_CANCELLED, "%s",
                               _ ("Cancelled before it began."));
      return;
    }
  /* It can have gone between the answer and this callback. */
  if (self->connection == NULL)
    {
      g_task_return_error (task, error_lost ());
      return;
    }
  run->id = ++self->last_id;
  call = send_call (self, run->id, perfica_wire_encode_run (run->id, &wire),
                    g_steal_pointer (&task), PERFICA_WIRE_RESULT);
  call->state = run->state;
  call->output = run->output;
  call->data = run->data;
}

void
agent_client_run_async (AgentClient *self,
                        const PerficaWireRun *wire,
                        GCancellable *cancellable,
                        AgentStateFunc state,
                        AgentOutputFunc output,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);
  Run *run = g_new0 (Run, 1);

  run->self = self;
  run->command = g_strdup (wire->command);
  run->folder = g_strdup (wire->folder);
  run->timeout_seconds = wire->timeout_seconds;
  run->stream = wire->stream;
  run->state = state;
  run->output = output;
  run->data = user_data;
  if (cancellable != NULL)
    {
      run->cancellable = g_object_ref (cancellable);
      run->cancelled_handler =
          g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), run, NULL);
    }
  g_task_set_task_data (task, run, (GDestroyNotify) run_free);
  agent_client_hello_async (self, run_attached, task);
}

PerficaWireMessage *
agent_client_run_finish (AgentClient *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
agent_client_status_async (AgentClient *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  GError *error = NULL;
  gint64 id;
  Call *call;

  if (!connect_now (self, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  id = ++self->last_id;
  call = send_call (self, id, perfica_wire_encode_status_request (id), g_steal_pointer (&task),
                    PERFICA_WIRE_STATUS_REPLY);
  call->timeout = g_timeout_add_seconds (ANSWER_SECONDS, on_silent, self);
}

PerficaWireMessage *
agent_client_status_finish (AgentClient *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

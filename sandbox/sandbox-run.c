/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-run-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* Messages read in one go, so that one talkative command doesn't starve the others. */
#define MESSAGES_A_TURN 8
/* Between attempts while the launcher's queue is full, and how many there are (30 s). */
#define RETRY_MS 5
#define RETRIES 6000
/* After a loss: how long our init may take to end everything, and what the kernel takes then. */
#define LOSS_MS 5000
#define SETTLE_MS 20
/* How long a closed valve holds after the limit or a cancellation: the supervisor's grace of two
 * seconds, after which nothing is left that could print more. */
#define HOLD_MS 2500

typedef struct
{
  int socket;
  int lifeline; /* our end: our death ends the command */
  int fds[SANDBOX_RUN_FDS];
  gsize n_fds;
  guint flags;
  guint retries;
  SandboxOutputFunc output;
  gpointer output_data;
  SandboxValve *valve;
  gulong turned_id;
  gint64 hold_until;  /* µs, monotonic */
  gboolean is_read;   /* handed over, and its messages are still to come */
  gboolean is_held;   /* its source waits for the valve */
  gboolean is_ending; /* the valve holds no longer */
  gboolean is_cancelled;
  GByteArray *kept[4];
  GMainContext *context;
  GSource *source;
  gulong cancelled_id;
  char piece[SANDBOX_PIECE_MAX];
} Run;

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static void
close_fds (Run *run)
{
  for (gsize i = 0; i < SANDBOX_RUN_FDS; i++)
    close_fd (&run->fds[i]);
}

static void
drop_source (Run *run)
{
  if (run->source == NULL)
    return;
  g_source_destroy (run->source);
  g_clear_pointer (&run->source, g_source_unref);
}

static void
drop_valve (Run *run)
{
  run->is_read = FALSE;
  if (run->turned_id != 0)
    g_signal_handler_disconnect (run->valve, run->turned_id);
  run->turned_id = 0;
  g_clear_object (&run->valve);
}

static void
run_free (Run *run)
{
  drop_source (run);
  drop_valve (run);
  close_fds (run);
  close_fd (&run->socket);
  close_fd (&run->lifeline);
  for (gsize i = 0; i < G_N_ELEMENTS (run->kept); i++)
    g_byte_array_unref (run->kept[i]);
  g_main_context_unref (run->context);
  g_free (run);
}

static Run *
run_new (int output_fd, SandboxOutputFunc output, gpointer output_data)
{
  Run *run = g_new0 (Run, 1);

  run->socket = run->lifeline = -1;
  for (gsize i = 0; i < SANDBOX_RUN_FDS; i++)
    run->fds[i] = -1;
  run->fds[SANDBOX_RUN_FD_OUTPUT] = output_fd;
  run->n_fds = output_fd >= 0 ? SANDBOX_RUN_FDS : SANDBOX_RUN_FDS - 1;
  run->output = output;
  run->output_data = output_data;
  for (gsize i = 0; i < G_N_ELEMENTS (run->kept); i++)
    run->kept[i] = g_byte_array_new ();
  run->context = g_main_context_ref_thread_default ();
  return run;
}

static void
set_source (GTask *task, GSource *source, GSourceFunc callback)
{
  /* The source that goes may have the last reference. */
  g_autoptr (GTask) held G_GNUC_UNUSED = g_object_ref (task);
  Run *run = g_task_get_task_data (task);

  drop_source (run);
  run->source = source;
  g_source_set_callback (source, callback, g_object_ref (task), g_object_unref);
  g_source_attach (source, run->context);
}

/* ---- The end ---- */

static void
leave_cancellable (GTask *task)
{
  Run *run = g_task_get_task_data (task);

  if (run->cancelled_id != 0)
    g_cancellable_disconnect (g_task_get_cancellable (task), run->cancelled_id);
  run->cancelled_id = 0;
}

/* Takes @result. The source that calls this must return G_SOURCE_REMOVE and not touch @task. */
static void
end (GTask *task, SandboxResult *result, GError *error)
{
  Run *run = g_task_get_task_data (task);

  /* The source may have the last reference. */
  g_object_ref (task);
  leave_cancellable (task);
  drop_source (run);
  drop_valve (run);
  close_fds (run);
  close_fd (&run->socket);
  close_fd (&run->lifeline);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, result, (GDestroyNotify) sandbox_result_free);
  g_object_unref (task);
}

static gboolean
report_loss (gpointer data)
{
  end (data, sandbox_result_new (SANDBOX_ENDING_LOST, SANDBOX_REASON_LAUNCHER, ""), NULL);
  return G_SOURCE_REMOVE;
}

static gboolean
settle (gint fd, GIOCondition condition, gpointer data)
{
  set_source (data, g_timeout_source_new (SETTLE_MS), report_loss);
  return G_SOURCE_REMOVE;
}

/* Neither the supervisor nor the launcher is there to say that nothing is left. Our init ends
 * everything on this byte; once it has, nobody reads the lifeline any more. */
static void
wait_for_init (GTask *task)
{
  Run *run = g_task_get_task_data (task);
  GSource *source;
  GSource *limit;

  leave_cancellable (task);
  drop_valve (run);
  while (send (run->lifeline, "K", 1, MSG_NOSIGNAL) < 0 && errno == EINTR)
    continue;
  source = g_unix_fd_source_new (run->lifeline, G_IO_HUP);
  limit = g_timeout_source_new (LOSS_MS);
  g_source_set_callback (limit, report_loss, g_object_ref (task), g_object_unref);
  g_source_add_child_source (source, limit);
  g_source_unref (limit);
  set_source (task, source, G_SOURCE_FUNC (settle));
}

/* ---- Messages ---- */

static void
keep (Run *run, const SandboxMessage *message)
{
  GByteArray *kept = run->kept[message->flags & 3];

  g_byte_array_set_size (kept, 0);
  g_byte_array_append (kept, (const guint8 *) run->piece, message->length);
}

/* Returns whether the run goes on. */
static gboolean
take_message (GTask *task, const SandboxMessage *message)
{
  Run *run = g_task_get_task_data (task);

  if (message->type == SANDBOX_MESSAGE_OUTPUT && run->output != NULL)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (run->piece, message->length);

      run->output (message->flags == 1, bytes, run->output_data);
    }
  else if (message->type == SANDBOX_MESSAGE_KEPT)
    keep (run, message);
  else if (message->type == SANDBOX_MESSAGE_RESULT &&
           message->length == sizeof (SandboxResultMessage))
    {
      SandboxResultMessage result;

      memcpy (&result, run->piece, sizeof result);
      end (task, sandbox_result_new_from_message (&result, run->kept), NULL);
      return FALSE;
    }
  return TRUE;
}

static gboolean
receive (gint fd, GIOCondition condition, gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);
  Run *run = g_task_get_task_data (task);

  for (int i = 0; i < MESSAGES_A_TURN; i++)
    {
      SandboxMessage message;
      int got = sandbox_message_receive (fd, &message, run->piece, sizeof run->piece, NULL);

      if (got < 0 && errno == EAGAIN)
        return G_SOURCE_CONTINUE;
      if (got <= 0)
        {
          wait_for_init (task);
          return G_SOURCE_REMOVE;
        }
      /* Either way this source is gone. */
      if (!take_message (task, &message) || run->is_held)
        return G_SOURCE_REMOVE;
    }
  return G_SOURCE_CONTINUE;
}

/* ---- The valve ---- */

static void
read_on (GTask *task)
{
  Run *run = g_task_get_task_data (task);

  run->is_held = FALSE;
  set_source (task, g_unix_fd_source_new (run->socket, G_IO_IN), G_SOURCE_FUNC (receive));
}

static gboolean stop_holding (gint fd, GIOCondition condition, gpointer data);

static void
hold (GTask *task)
{
  Run *run = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  gint64 left = (run->hold_until - g_get_monotonic_time ()) / 1000;
  /* No condition: a supervisor that is gone is noticed all the same. */
  GSource *source = g_unix_fd_source_new (run->socket, 0);
  GSource *limit = g_timeout_source_new (left > 0 ? (guint) left : 0);

  run->is_held = TRUE;
  g_source_set_dummy_callback (limit);
  g_source_add_child_source (source, limit);
  g_source_unref (limit);
  if (cancellable != NULL && !run->is_cancelled)
    {
      GSource *cancelled = g_cancellable_source_new (cancellable);

      g_source_set_dummy_callback (cancelled);
      g_source_add_child_source (source, cancelled);
      g_source_unref (cancelled);
    }
  set_source (task, source, G_SOURCE_FUNC (stop_holding));
}

static gboolean
stop_holding (gint fd, GIOCondition condition, gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);
  Run *run = g_task_get_task_data (task);
  gint64 now = g_get_monotonic_time ();

  if (!run->is_cancelled && g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      run->is_cancelled = TRUE;
      run->hold_until = MIN (run->hold_until, now + HOLD_MS * 1000);
    }
  if (condition == 0 && now < run->hold_until)
    {
      hold (task);
      return G_SOURCE_REMOVE;
    }
  run->is_ending = TRUE;
  read_on (task);
  return G_SOURCE_REMOVE;
}

static void
valve_turned (SandboxValve *valve, GTask *task)
{
  Run *run = g_task_get_task_data (task);

  if (!run->is_read || run->is_ending)
    return;
  if (sandbox_valve_get_open (valve))
    read_on (task);
  else
    hold (task);
}

/* Any thread. */
static void
ask_to_stop (GCancellable *cancellable, gpointer data)
{
  Run *run = data;

  sandbox_message_send (run->socket, SANDBOX_MESSAGE_CANCEL, 0, NULL, 0, NULL, 0, false);
}

/* ---- The beginning ---- */

static gboolean hand_over (gpointer data);

static void
hand_over_or_wait (GTask *task)
{
  Run *run = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gboolean again;

  if (sandbox_launcher_send (g_task_get_source_object (task), run->flags, run->fds, run->n_fds,
                             &again, &error))
    {
      close_fds (run);
      run->is_read = TRUE;
      run->hold_until += g_get_monotonic_time ();
      if (run->valve != NULL && !sandbox_valve_get_open (run->valve))
        hold (task);
      else
        read_on (task);
    }
  else if (again && run->retries++ < RETRIES)
    set_source (task, g_timeout_source_new (RETRY_MS), hand_over);
  else
    end (task, NULL, g_steal_pointer (&error));
}

static gboolean
hand_over (gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);

  hand_over_or_wait (task);
  return G_SOURCE_REMOVE;
}

static SandboxRequestOpen *
list_opens (const SandboxPlan *plan, gsize *count)
{
  SandboxRequestOpen *opens;

  *count = plan->opens != NULL ? plan->opens->len : 0;
  opens = g_new0 (SandboxRequestOpen, *count + 1);
  for (gsize i = 0; i < *count; i++)
    {
      const SandboxOpen *place = g_ptr_array_index (plan->opens, i);

      opens[i] = (SandboxRequestOpen){ place->path, place->device, place->inode, place->is_folder };
    }
  return opens;
}

static guint
plan_flags (const SandboxPlan *plan, gboolean streams)
{
  return (plan->needs_init ? SANDBOX_REQUEST_INIT : 0) |
         (plan->seccomp ? SANDBOX_REQUEST_SECCOMP : 0) |
         (plan->status ? SANDBOX_REQUEST_STATUS : 0) |
         (plan->tree_is_certain ? SANDBOX_REQUEST_CERTAIN : 0) |
         (plan->clear_away ? SANDBOX_REQUEST_CLEAR_AWAY : 0) |
         (streams ? SANDBOX_REQUEST_STREAM : 0);
}

/* Words may exceed what a message may carry: they travel as a file in memory. */
static int
write_request (const SandboxPlan *plan, guint limit_seconds, guint64 output_max, gboolean streams)
{
  SandboxRequest request = { .flags = plan_flags (plan, streams),
                             .limit_seconds = limit_seconds,
                             .command_index = plan->command_index,
                             .output_max = output_max,
                             .argv = plan->argv,
                             .environment = plan->environment,
                             .stop_argv = plan->stop_argv,
                             .folder = plan->folder,
                             .cidfile = plan->cidfile };
  g_autofree SandboxRequestOpen *opens = list_opens (plan, &request.n_opens);
  char *encoded;
  gsize length;
  gsize written = 0;
  int fd;

  request.opens = opens;
  if (plan->args != NULL)
    {
      request.args = plan->args->len > 0 ? (char *) plan->args->data : (char *) "";
      request.args_length = plan->args->len;
    }
  encoded = sandbox_request_encode (&request, &length);
  if (encoded == NULL)
    {
      errno = E2BIG;
      return -1;
    }
  fd = memfd_create ("perfica-request", MFD_CLOEXEC);
  while (fd >= 0 && written < length)
    {
      gssize done = write (fd, encoded + written, length - written);

      if (done > 0)
        written += (gsize) done;
      else if (errno != EINTR)
        close_fd (&fd);
    }
  free (encoded);
  return fd;
}

static gboolean
prepare (Run *run, const SandboxPlan *plan, guint limit_seconds, guint64 output_max, GError **error)
{
  int ends[2];

  run->flags = plan->stop_argv != NULL ? SANDBOX_RUN_PATIENT : 0;
  run->fds[SANDBOX_RUN_FD_REQUEST] =
      write_request (plan, limit_seconds, output_max, run->output != NULL);
  /* A lifeline could be a pipe, but writing to a socket raises no SIGPIPE. */
  if (run->fds[SANDBOX_RUN_FD_REQUEST] >= 0 &&
      socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0)
    {
      run->fds[SANDBOX_RUN_FD_LIFELINE] = ends[0];
      run->lifeline = ends[1];
      if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0)
        {
          run->socket = ends[0];
          run->fds[SANDBOX_RUN_FD_SOCKET] = ends[1];
          return TRUE;
        }
    }
  g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_LAUNCHER, _ ("Commands cannot be started: %s"),
               g_strerror (errno));
  return FALSE;
}

void
sandbox_run_async (SandboxLauncher *launcher,
                   const SandboxPlan *plan,
                   guint limit_seconds,
                   int output_fd,
                   guint64 output_max,
                   GCancellable *cancellable,
                   SandboxOutputFunc output,
                   gpointer output_data,
                   GAsyncReadyCallback callback,
                   gpointer user_data)
{
  sandbox_run_held_async (launcher, plan, limit_seconds, output_fd, output_max, cancellable, NULL,
                          output, output_data, callback, user_data);
}

void
sandbox_run_held_async (SandboxLauncher *launcher,
                        const SandboxPlan *plan,
                        guint limit_seconds,
                        int output_fd,
                        guint64 output_max,
                        GCancellable *cancellable,
                        SandboxValve *valve,
                        SandboxOutputFunc output,
                        gpointer output_data,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  Run *run;

  g_return_if_fail (SANDBOX_IS_LAUNCHER (launcher));
  g_return_if_fail (plan != NULL && plan->argv != NULL && plan->argv[0] != NULL);
  g_return_if_fail (limit_seconds > 0);
  task = g_task_new (launcher, cancellable, callback, user_data);
  g_task_set_source_tag (task, sandbox_run_held_async);
  /* Being cancelled is a result here, not an error. */
  g_task_set_check_cancellable (task, FALSE);
  run = run_new (output_fd, output, output_data);
  g_task_set_task_data (task, run, (GDestroyNotify) run_free);
  if (g_cancellable_is_cancelled (cancellable))
    {
      end (task, sandbox_result_new (SANDBOX_ENDING_CANCELLED, SANDBOX_REASON_NONE, ""), NULL);
      return;
    }
  if (!prepare (run, plan, limit_seconds, output_max, &error))
    {
      end (task, NULL, g_steal_pointer (&error));
      return;
    }
  run->hold_until = (gint64) limit_seconds * G_USEC_PER_SEC + HOLD_MS * 1000;
  if (valve != NULL)
    {
      run->valve = g_object_ref (valve);
      run->turned_id = g_signal_connect (valve, "turned", G_CALLBACK (valve_turned), task);
    }
  if (cancellable != NULL)
    run->cancelled_id = g_cancellable_connect (cancellable, G_CALLBACK (ask_to_stop), run, NULL);
  hand_over_or_wait (task);
}

SandboxResult *
sandbox_run_finish (SandboxLauncher *launcher, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, launcher), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* One end of the socket: lines in as messages, lines out through a bounded queue.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-wire-connection.h"

#include "perfica-wire-reader.h"

#define READ_SIZE (64 * 1024)
/* How long a peer may take to read what is left, once the connection is finished. */
#define FINISH_MS 5000

struct _PerficaWireConnection
{
  GObject parent_instance;

  GIOStream *stream;
  PerficaWireSide side;
  PerficaWireReader *reader;
  char *buffer;
  GCancellable *reading;
  GCancellable *writing;
  GQueue queue; /* of GBytes; the head is the one under way */
  gsize queued;
  guint bad_lines;
  gboolean read_pending;
  gboolean write_pending;
  gboolean finishing;
  gboolean closed;
  GSource *overflow_source;
  GSource *finish_source;
};

enum
{
  MESSAGE,
  CLOSED,
  DRAINED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PerficaWireConnection, perfica_wire_connection, G_TYPE_OBJECT)

static void read_more (PerficaWireConnection *self);
static void write_more (PerficaWireConnection *self);

/* A timer of this thread's own main context. */
static GSource *
add_source (PerficaWireConnection *self, guint ms, GSourceFunc callback)
{
  GSource *source = ms == 0 ? g_idle_source_new () : g_timeout_source_new (ms);

  g_source_set_callback (source, callback, self, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

static void
clear_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
perfica_wire_connection_finalize (GObject *object)
{
  PerficaWireConnection *self = PERFICA_WIRE_CONNECTION (object);

  clear_source (&self->overflow_source);
  clear_source (&self->finish_source);
  g_clear_object (&self->stream);
  g_clear_object (&self->reading);
  g_clear_object (&self->writing);
  g_clear_pointer (&self->reader, perfica_wire_reader_free);
  g_free (self->buffer);
  g_queue_clear_full (&self->queue, (GDestroyNotify) g_bytes_unref);
  G_OBJECT_CLASS (perfica_wire_connection_parent_class)->finalize (object);
}

static void
perfica_wire_connection_class_init (PerficaWireConnectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = perfica_wire_connection_finalize;
  signals[MESSAGE] = g_signal_new ("message", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[CLOSED] =
      g_signal_new ("closed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, G_TYPE_ERROR | G_SIGNAL_TYPE_STATIC_SCOPE);
  signals[DRAINED] = g_signal_new ("drained", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
perfica_wire_connection_init (PerficaWireConnection *self)
{
  self->reading = g_cancellable_new ();
  self->writing = g_cancellable_new ();
  g_queue_init (&self->queue);
}

PerficaWireConnection *
perfica_wire_connection_new (GIOStream *stream, PerficaWireSide side)
{
  PerficaWireConnection *self = g_object_new (PERFICA_TYPE_WIRE_CONNECTION, NULL);

  self->stream = g_object_ref (stream);
  self->side = side;
  self->reader = perfica_wire_reader_new (
      side == PERFICA_WIRE_SIDE_GATEWAY ? PERFICA_WIRE_MAX_REQUEST : PERFICA_WIRE_MAX_LINE);
  return self;
}

GIOStream *
perfica_wire_connection_get_stream (PerficaWireConnection *self)
{
  return self->stream;
}

gsize
perfica_wire_connection_get_queued (PerficaWireConnection *self)
{
  return self->queued;
}

gboolean
perfica_wire_connection_is_closed (PerficaWireConnection *self)
{
  return self->closed;
}

/* A stream with an operation under way can't be closed, so the last one to end does it. */
static void
close_when_idle (PerficaWireConnection *self)
{
  if (self->closed && !self->read_pending && !self->write_pending)
    g_io_stream_close (self->stream, NULL, NULL);
}

static void
close_with (PerficaWireConnection *self, const GError *error)
{
  if (self->closed)
    return;
  g_object_ref (self);
  self->closed = TRUE;
  clear_source (&self->overflow_source);
  clear_source (&self->finish_source);
  g_cancellable_cancel (self->reading);
  g_cancellable_cancel (self->writing);
  close_when_idle (self);
  g_signal_emit (self, signals[CLOSED], 0, error);
  g_object_unref (self);
}

void
perfica_wire_connection_close (PerficaWireConnection *self)
{
  close_with (self, NULL);
}

static gboolean
finish_timed_out (gpointer user_data)
{
  perfica_wire_connection_close (user_data);
  return G_SOURCE_REMOVE;
}

void
perfica_wire_connection_finish (PerficaWireConnection *self)
{
  if (self->closed || self->finishing)
    return;
  self->finishing = TRUE;
  g_cancellable_cancel (self->reading);
  if (g_queue_is_empty (&self->queue))
    close_with (self, NULL);
  else
    self->finish_source = add_source (self, FINISH_MS, finish_timed_out);
}

static void
wrote (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PerficaWireConnection) self = PERFICA_WIRE_CONNECTION (user_data);
  g_autoptr (GError) error = NULL;
  gssize n = g_output_stream_write_bytes_finish (G_OUTPUT_STREAM (source), result, &error);
  GBytes *head;

  self->write_pending = FALSE;
  if (self->closed)
    {
      close_when_idle (self);
      return;
    }
  if (n < 0)
    {
      close_with (self, error);
      return;
    }
  head = g_queue_pop_head (&self->queue);
  self->queued -= (gsize) n;
  if ((gsize) n < g_bytes_get_size (head))
    g_queue_push_head (&self->queue, g_bytes_new_from_bytes (head, (gsize) n,
                                                             g_bytes_get_size (head) - (gsize) n));
  g_bytes_unref (head);
  if (!g_queue_is_empty (&self->queue))
    write_more (self);
  else if (self->finishing)
    close_with (self, NULL);
  else
    g_signal_emit (self, signals[DRAINED], 0);
}

static void
write_more (PerficaWireConnection *self)
{
  if (self->write_pending || self->closed)
    return;
  self->write_pending = TRUE;
  g_output_stream_write_bytes_async (g_io_stream_get_output_stream (self->stream),
                                     g_queue_peek_head (&self->queue), G_PRIORITY_DEFAULT,
                                     self->writing, wrote, g_object_ref (self));
}

static gboolean
overflow (gpointer user_data)
{
  PerficaWireConnection *self = user_data;
  g_autoptr (GError) error = g_error_new_literal (PERFICA_WIRE_ERROR, PERFICA_WIRE_CODE_BUSY,
                                                  "the other side doesn't read what it is sent");

  close_with (self, error);
  return G_SOURCE_REMOVE;
}

gboolean
perfica_wire_connection_send (PerficaWireConnection *self, GBytes *line)
{
  g_autoptr (GBytes) owned = line;
  gsize size = g_bytes_get_size (line);

  if (self->closed || self->finishing || self->overflow_source != NULL)
    return FALSE;
  if (size > PERFICA_WIRE_MAX_QUEUED - self->queued)
    {
      self->overflow_source = add_source (self, 0, overflow);
      return FALSE;
    }
  self->queued += size;
  g_queue_push_tail (&self->queue, g_steal_pointer (&owned));
  write_more (self);
  return TRUE;
}

/* A line that could not be read. */
static void
refuse_line (PerficaWireConnection *self, gint64 id, const GError *error)
{
  if (self->side == PERFICA_WIRE_SIDE_CLIENT)
    {
      close_with (self, error);
      return;
    }
  perfica_wire_connection_send (self,
                                perfica_wire_encode_failure (id, error->code, error->message));
  if (++self->bad_lines >= PERFICA_WIRE_MAX_BAD_LINES || error->code == PERFICA_WIRE_CODE_TOO_LONG)
    perfica_wire_connection_finish (self);
}

static void
take_line (PerficaWireConnection *self, const char *line, gsize length)
{
  g_autoptr (PerficaWireMessage) message = NULL;
  g_autoptr (GError) error = NULL;
  gint64 id;

  message = perfica_wire_decode (self->side, line, length, &id, &error);
  if (message == NULL)
    {
      refuse_line (self, id, error);
      return;
    }
  self->bad_lines = 0;
  g_signal_emit (self, signals[MESSAGE], 0, message);
}

static void
take_bytes (PerficaWireConnection *self, const char *data, gsize length)
{
  const char *line;
  gsize line_length;
  PerficaWireRead got;

  while (!self->closed && !self->finishing &&
         (got = perfica_wire_reader_next (self->reader, &data, &length, &line, &line_length)) !=
             PERFICA_WIRE_READ_MORE)
    {
      if (got == PERFICA_WIRE_READ_LINE)
        take_line (self, line, line_length);
      else
        {
          g_autoptr (GError) error =
              g_error_new_literal (PERFICA_WIRE_ERROR, PERFICA_WIRE_CODE_TOO_LONG,
                                   "the line is too long");

          refuse_line (self, 0, error);
        }
    }
}

static void
did_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PerficaWireConnection) self = PERFICA_WIRE_CONNECTION (user_data);
  g_autoptr (GError) error = NULL;
  gssize n = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &error);

  self->read_pending = FALSE;
  if (self->closed)
    close_when_idle (self);
  if (self->closed || self->finishing)
    return;
  if (n <= 0)
    {
      close_with (self, error);
      return;
    }
  take_bytes (self, self->buffer, (gsize) n);
  read_more (self);
}

static void
read_more (PerficaWireConnection *self)
{
  if (self->closed || self->finishing || self->read_pending)
    return;
  self->read_pending = TRUE;
  g_input_stream_read_async (g_io_stream_get_input_stream (self->stream), self->buffer, READ_SIZE,
                             G_PRIORITY_DEFAULT, self->reading, did_read, g_object_ref (self));
}

void
perfica_wire_connection_start (PerficaWireConnection *self)
{
  if (self->buffer != NULL)
    return;
  self->buffer = g_malloc (READ_SIZE);
  read_more (self);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-http.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_HEADERS 100
#define PIECE 16384

typedef enum
{
  BODY_LENGTH,
  BODY_CHUNKED,
  BODY_TO_END,
} BodyKind;

typedef struct
{
  GInputStream *input;
  GCancellable *cancellable;
  guint8 buffer[PIECE];
  gsize at;
  gsize have;

  SandboxHttpLine each_line; /* NULL: kept whole */
  gpointer user_data;
  GByteArray *body; /* all of it, or the line that has begun */
  guint64 total;
} Reader;

static gboolean
wrong (GError **error, const char *what)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               _ ("The service's answer is unreadable: %s"), what);
  return FALSE;
}

static gboolean
too_early (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT,
                       _ ("The service's answer ended too early"));
  return FALSE;
}

/* FALSE with no error set at the end. */
static gboolean
fill (Reader *reader, GError **error)
{
  gssize got;

  if (reader->at < reader->have)
    return TRUE;
  got = g_input_stream_read (reader->input, reader->buffer, sizeof reader->buffer,
                             reader->cancellable, error);
  reader->at = 0;
  reader->have = got > 0 ? (gsize) got : 0;
  return got > 0;
}

/* Of the head, or the size of a chunk. */
static char *
read_line (Reader *reader, GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  GError *failure = NULL;

  while (fill (reader, &failure))
    {
      char byte = (char) reader->buffer[reader->at++];

      if (byte == '\n')
        {
          if (line->len > 0 && line->str[line->len - 1] == '\r')
            g_string_truncate (line, line->len - 1);
          return g_string_free (g_steal_pointer (&line), FALSE);
        }
      if (byte == '\0' || line->len >= SANDBOX_HTTP_LINE_MAX)
        {
          wrong (error, _ ("its head"));
          return NULL;
        }
      g_string_append_c (line, byte);
    }
  if (failure != NULL)
    g_propagate_error (error, failure);
  else
    too_early (error);
  return NULL;
}

/* ---- The body ---- */

static gboolean
give_line (Reader *reader, GError **error)
{
  gsize length = reader->body->len;
  gboolean go_on;

  while (length > 0 && reader->body->data[length - 1] == '\r')
    length--;
  g_byte_array_set_size (reader->body, length);
  g_byte_array_append (reader->body, (const guint8 *) "", 1);
  go_on = length == 0 ||
          reader->each_line ((const char *) reader->body->data, length, reader->user_data, error);
  g_byte_array_set_size (reader->body, 0);
  return go_on;
}

static gboolean
take (Reader *reader, const guint8 *data, gsize length, GError **error)
{
  reader->total += length;
  if (reader->each_line == NULL)
    {
      if (reader->total > SANDBOX_HTTP_BODY_MAX)
        return wrong (error, _ ("it is too long"));
      g_byte_array_append (reader->body, data, length);
      return TRUE;
    }
  if (reader->total > SANDBOX_HTTP_STREAM_MAX)
    return wrong (error, _ ("it is too long"));
  while (length > 0)
    {
      const guint8 *end = memchr (data, '\n', length);
      gsize part = end != NULL ? (gsize) (end - data) : length;

      if (reader->body->len + part > SANDBOX_HTTP_LINE_MAX)
        return wrong (error, _ ("a line is too long"));
      g_byte_array_append (reader->body, data, part);
      if (end == NULL)
        return TRUE;
      if (!give_line (reader, error))
        return FALSE;
      data = end + 1;
      length -= part + 1;
    }
  return TRUE;
}

/* So many bytes, or all there are. */
static gboolean
read_bytes (Reader *reader, guint64 length, gboolean to_end, GError **error)
{
  GError *failure = NULL;

  while (to_end || length > 0)
    {
      gsize part;

      if (!fill (reader, &failure))
        {
          if (failure == NULL)
            return to_end || too_early (error);
          g_propagate_error (error, failure);
          return FALSE;
        }
      part = reader->have - reader->at;
      if (!to_end && part > length)
        part = (gsize) length;
      if (!take (reader, reader->buffer + reader->at, part, error))
        return FALSE;
      reader->at += part;
      length -= to_end ? 0 : part;
    }
  return TRUE;
}

static gboolean
read_chunks (Reader *reader, GError **error)
{
  for (;;)
    {
      g_autofree char *line = read_line (reader, error);
      g_autofree char *end = NULL;
      char *rest = NULL;
      guint64 length;

      if (line == NULL)
        return FALSE;
      length = g_ascii_isxdigit (line[0]) ? g_ascii_strtoull (line, &rest, 16) : G_MAXUINT64;
      if (length > G_MAXINT64 || (*rest != '\0' && *rest != ';' && *rest != ' '))
        return wrong (error, _ ("the size of a piece"));
      if (length == 0)
        return TRUE;
      if (!read_bytes (reader, length, FALSE, error))
        return FALSE;
      end = read_line (reader, error);
      if (end == NULL)
        return FALSE;
      if (end[0] != '\0')
        return wrong (error, _ ("the end of a piece"));
    }
}

/* ---- The head ---- */

static gboolean
read_header (char *line, BodyKind *kind, guint64 *length, GError **error)
{
  char *value = strchr (line, ':');
  char *end = NULL;

  if (value == NULL)
    return wrong (error, _ ("its head"));
  *value++ = '\0';
  g_strstrip (value);
  if (g_ascii_strcasecmp (line, "Transfer-Encoding") == 0)
    {
      if (g_ascii_strcasecmp (value, "chunked") != 0)
        return wrong (error, value);
      *kind = BODY_CHUNKED;
    }
  else if (g_ascii_strcasecmp (line, "Content-Length") == 0)
    {
      *length = g_ascii_isdigit (value[0]) ? g_ascii_strtoull (value, &end, 10) : G_MAXUINT64;
      if (*length > G_MAXINT64 || *end != '\0')
        return wrong (error, _ ("its length"));
      if (*kind == BODY_TO_END)
        *kind = BODY_LENGTH;
    }
  return TRUE;
}

static gboolean
read_head (Reader *reader, guint *status, BodyKind *kind, guint64 *length, GError **error)
{
  g_autofree char *first = read_line (reader, error);

  *kind = BODY_TO_END;
  if (first == NULL)
    return FALSE;
  if (strlen (first) < 12 || strncmp (first, "HTTP/1.", 7) != 0 || first[8] != ' ' ||
      !g_ascii_isdigit (first[9]) || !g_ascii_isdigit (first[10]) || !g_ascii_isdigit (first[11]))
    return wrong (error, _ ("it is no HTTP"));
  *status = (guint) g_ascii_strtoull (first + 9, NULL, 10);
  for (guint i = 0; i < MAX_HEADERS; i++)
    {
      g_autofree char *line = read_line (reader, error);

      if (line == NULL)
        return FALSE;
      if (line[0] == '\0')
        return TRUE;
      if (!read_header (line, kind, length, error))
        return FALSE;
    }
  return wrong (error, _ ("its head is too long"));
}

GBytes *
sandbox_http_read (GInputStream *input,
                   SandboxHttpLine each_line,
                   gpointer user_data,
                   guint *status,
                   GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();
  g_autofree Reader *reader = g_new0 (Reader, 1);
  guint64 length = 0;
  BodyKind kind;
  gboolean done;

  reader->input = input;
  reader->cancellable = cancellable;
  reader->user_data = user_data;
  reader->body = body;
  if (!read_head (reader, status, &kind, &length, error))
    return NULL;
  reader->each_line = *status == 200 ? each_line : NULL;
  done = kind == BODY_CHUNKED ? read_chunks (reader, error)
                              : read_bytes (reader, length, kind == BODY_TO_END, error);
  if (done && reader->each_line != NULL)
    done = give_line (reader, error);
  return done ? g_byte_array_free_to_bytes (g_steal_pointer (&body)) : NULL;
}

GBytes *
sandbox_http_ask (const char *socket,
                  const char *method,
                  const char *target,
                  SandboxHttpLine each_line,
                  gpointer user_data,
                  guint *status,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (socket);
  g_autoptr (GSocketConnection) connection = NULL;
  g_autofree char *head = g_strdup_printf ("%s %s HTTP/1.1\r\nHost: docker\r\nConnection: close\r\n"
                                           "Content-Length: 0\r\n\r\n",
                                           method, target);

  g_socket_client_set_timeout (client, SANDBOX_HTTP_SILENCE);
  g_socket_client_set_enable_proxy (client, FALSE);
  connection = g_socket_client_connect (client, G_SOCKET_CONNECTABLE (address), cancellable, error);
  if (connection == NULL ||
      !g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), head,
                                  strlen (head), NULL, cancellable, error))
    return NULL;
  return sandbox_http_read (g_io_stream_get_input_stream (G_IO_STREAM (connection)), each_line,
                            user_data, status, cancellable, error);
}

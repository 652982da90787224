/* Answers of a service: good ones at every cut, and everything a broken or hostile one may send.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-http.h"

#include <glib/gstdio.h>
#include <gio/gunixsocketaddress.h>
#include <string.h>

#define OK "HTTP/1.1 200 OK\r\n"
#define CHUNKED OK "Transfer-Encoding: chunked\r\n\r\n"

typedef struct
{
  const char *name;
  const char *answer;
  guint status;      /* 0: refused */
  const char *lines; /* joined by "|" */
} Case;

static const Case cases[] = {
  { "length", OK "Content-Length: 7\r\n\r\none\ntwo", 200, "one|two" },
  { "length-and-more", OK "Content-Length: 3\r\n\r\none\nrest", 200, "one" },
  { "length-0", OK "content-length:0\r\n\r\n", 200, "" },
  { "to-end", OK "\r\none\r\ntwo\r\n", 200, "one|two" },
  { "old", "HTTP/1.0 200 OK\nServer: x\n\none\n", 200, "one" },
  { "chunks", CHUNKED "4\r\none\n\r\n8;x=y\r\ntwo\r\nthr\r\n3\r\nee\n\r\n0\r\n\r\n", 200,
    "one|two|three" },
  { "chunk-cut-in-line", CHUNKED "1\r\no\r\n2\r\nne\r\n0\r\n\r\n", 200, "one" },
  { "empty-lines", CHUNKED "6\r\n\r\n\n\na\n\r\n0\r\n\r\n", 200, "a" },
  { "both", OK "Content-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na\n\r\n0\r\n\r\n", 200,
    "a" },
  { "no-content", "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", 204, NULL },
  { "other-status", "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nno\n\n", 404, NULL },
  { "nothing", "", 0, NULL },
  { "no-http", "SSH-2.0-OpenSSH\r\n\r\n", 0, NULL },
  { "no-status", "HTTP/1.1 abc\r\n\r\n", 0, NULL },
  { "newer", "HTTP/2 200 OK\r\n\r\n", 0, NULL },
  { "head-ends", OK "Server: x\r\n", 0, NULL },
  { "no-colon", OK "Server\r\n\r\n", 0, NULL },
  { "body-ends", OK "Content-Length: 9\r\n\r\none", 0, NULL },
  { "chunk-ends", CHUNKED "9\r\none", 0, NULL },
  { "no-last-chunk", CHUNKED "4\r\none\n\r\n", 0, NULL },
  { "chunk-no-number", CHUNKED "x\r\none\r\n", 0, NULL },
  { "chunk-minus", CHUNKED "-4\r\none\n\r\n", 0, NULL },
  { "chunk-huge", CHUNKED "ffffffffffffffff\r\none\n\r\n", 0, NULL },
  { "chunk-overflow", CHUNKED "fffffffffffffffffffff\r\none\n\r\n", 0, NULL },
  { "chunk-no-end", CHUNKED "3\r\nonexx\r\n0\r\n\r\n", 0, NULL },
  { "length-no-number", OK "Content-Length: x\r\n\r\n", 0, NULL },
  { "length-minus", OK "Content-Length: -1\r\n\r\n", 0, NULL },
  { "length-huge", OK "Content-Length: 18446744073709551616\r\n\r\n", 0, NULL },
  { "length-two", OK "Content-Length: 3, 4\r\n\r\none", 0, NULL },
  { "other-coding", OK "Transfer-Encoding: gzip, chunked\r\n\r\n", 0, NULL },
};

static gboolean
take_line (const char *line, gsize length, gpointer data, GError **error)
{
  GString *lines = data;

  g_assert_cmpuint (strlen (line), ==, length);
  if (lines->len > 0)
    g_string_append_c (lines, '|');
  g_string_append (lines, line);
  return TRUE;
}

/* As it comes from a socket: in two pieces, cut anywhere. */
static GInputStream *
cut_stream (const char *text, gsize at)
{
  GInputStream *stream = g_memory_input_stream_new ();

  g_memory_input_stream_add_data (G_MEMORY_INPUT_STREAM (stream), text, (gssize) at, NULL);
  g_memory_input_stream_add_data (G_MEMORY_INPUT_STREAM (stream), text + at,
                                  (gssize) (strlen (text) - at), NULL);
  return stream;
}

static void
test_case (gconstpointer data)
{
  const Case *one = data;

  for (gsize at = 0; at <= strlen (one->answer); at++)
    {
      g_autoptr (GInputStream) stream = cut_stream (one->answer, at);
      g_autoptr (GString) lines = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) body = NULL;
      guint status = 0;

      body = sandbox_http_read (stream, take_line, lines, &status, NULL, &error);
      g_assert_cmpint (body != NULL, ==, one->status != 0);
      if (one->status == 0)
        {
          g_assert_cmpint (error->domain, ==, G_IO_ERROR);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpuint (status, ==, one->status);
      g_assert_cmpstr (lines->str, ==, one->lines != NULL ? one->lines : "");
      if (one->status == 404)
        g_assert_cmpuint (g_bytes_get_size (body), ==, 4);
    }
}

/* Streams without an end must not fill the memory. */
static void
test_limits (void)
{
  g_autofree char *filling = g_strnfill (SANDBOX_HTTP_BODY_MAX + 2, 'x');
  const char *heads[] = { OK "\r\n", OK "X: ", "", OK "\r\n" };
  g_autoptr (GString) headers = g_string_new (OK);

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_autofree char *text = g_strconcat (heads[i], filling, NULL);
      g_autoptr (GInputStream) stream = cut_stream (text, 3);
      g_autoptr (GString) lines = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      guint status;

      g_assert_null (
          sandbox_http_read (stream, i == 3 ? take_line : NULL, lines, &status, NULL, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
    }
  for (guint i = 0; i < 200; i++)
    g_string_append (headers, "A: b\r\n");
  g_string_append (headers, "\r\n");
  {
    g_autoptr (GInputStream) stream = cut_stream (headers->str, 9);
    guint status;

    g_assert_null (sandbox_http_read (stream, NULL, NULL, &status, NULL, NULL));
  }
}

static gboolean
refuse_line (const char *line, gsize length, gpointer data, GError **error)
{
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "enough");
  return FALSE;
}

static void
test_refusal (void)
{
  g_autoptr (GInputStream) stream = cut_stream (OK "\r\none\ntwo\n", 0);
  g_autoptr (GError) error = NULL;
  guint status;

  g_assert_null (sandbox_http_read (stream, refuse_line, NULL, &status, NULL, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED);
}

/* ---- A service that says nothing, and one that isn't there ---- */

typedef struct
{
  GMainLoop *loop;
  const char *socket;
  GCancellable *cancellable;
  GError *error;
} Silent;

static gpointer
ask_silent (gpointer data)
{
  Silent *silent = data;
  guint status;

  g_assert_null (sandbox_http_ask (silent->socket, "GET", "/x", NULL, NULL, &status,
                                   silent->cancellable, &silent->error));
  g_main_loop_quit (silent->loop);
  return NULL;
}

static gboolean
on_incoming (GSocketService *service, GSocketConnection *connection, GObject *source, gpointer data)
{
  Silent *silent = data;

  g_object_set_data_full (G_OBJECT (service), "kept", g_object_ref (connection), g_object_unref);
  g_cancellable_cancel (silent->cancellable);
  return TRUE;
}

static void
test_cancel (void)
{
  g_autofree char *folder = g_dir_make_tmp ("perfica-http-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "s", NULL);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocketService) service = g_socket_service_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Silent silent = { loop, path, cancellable, NULL };
  GThread *thread;

  g_assert_true (g_socket_listener_add_address (G_SOCKET_LISTENER (service), address,
                                                G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT,
                                                NULL, NULL, NULL));
  g_signal_connect (service, "incoming", G_CALLBACK (on_incoming), &silent);
  thread = g_thread_new ("ask", ask_silent, &silent);
  g_main_loop_run (loop);
  g_thread_join (thread);
  g_assert_error (silent.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&silent.error);
  g_socket_listener_close (G_SOCKET_LISTENER (service));
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_absent (void)
{
  g_autoptr (GError) error = NULL;
  guint status;

  g_assert_null (
      sandbox_http_ask ("/nonexistent/s", "GET", "/", NULL, NULL, &status, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/http/answer/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/http/limits", test_limits);
  g_test_add_func ("/http/refusal", test_refusal);
  g_test_add_func ("/http/cancel", test_cancel);
  g_test_add_func ("/http/absent", test_absent);
  return g_test_run ();
}

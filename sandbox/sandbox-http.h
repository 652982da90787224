/* One question to a service on this computer, its answer read with limits.
 *
 * Docker's and Podman's engines speak HTTP on a unix socket.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The longest line of a head or of a streamed body: an event of an engine has some hundred bytes.
 */
#define SANDBOX_HTTP_LINE_MAX (64 * 1024)
/* The longest answer that is kept whole, in bytes. */
#define SANDBOX_HTTP_BODY_MAX (4 * 1024 * 1024)
/* All lines of a streamed answer together: ten events a second and layer, for hours. */
#define SANDBOX_HTTP_STREAM_MAX (G_GINT64_CONSTANT (1) << 30)
/* A service that says nothing for so long isn't there any more, in seconds. */
#define SANDBOX_HTTP_SILENCE 120

/**
 * SandboxHttpLine:
 * @line: one line of the body without its end, NUL-terminated; may hold NULs too
 * @length: of it, in bytes
 *
 * Returns: %FALSE with @error set to stop reading; the connection is then closed
 */
typedef gboolean (*SandboxHttpLine) (const char *line,
                                     gsize length,
                                     gpointer user_data,
                                     GError **error);

/**
 * sandbox_http_read:
 * @input: what the service sends
 * @each_line: (nullable): takes the lines of an answer of status 200; %NULL or another status: the
 *   body is kept whole
 * @status: (out): the status
 * @cancellable: (nullable): seen while waiting, too
 * @error: return location, %G_IO_ERROR: %G_IO_ERROR_INVALID_DATA for what is no HTTP or over a
 *   limit, %G_IO_ERROR_PARTIAL_INPUT for an answer that ends too early
 *
 * Blocking: on a worker.
 *
 * Returns: (transfer full): the body (empty when @each_line took it), or %NULL
 */
GBytes *sandbox_http_read (GInputStream *input,
                           SandboxHttpLine each_line,
                           gpointer user_data,
                           guint *status,
                           GCancellable *cancellable,
                           GError **error);

/**
 * sandbox_http_ask:
 * @socket: path of the service's socket
 * @method: "GET" or "POST"
 * @target: path and query, already escaped
 *
 * Connects, asks, and reads the answer by sandbox_http_read(). Cancelling closes the connection,
 * which is how an engine is told to give up. Blocking: on a worker.
 *
 * Returns: (transfer full): as sandbox_http_read()
 */
GBytes *sandbox_http_ask (const char *socket,
                          const char *method,
                          const char *target,
                          SandboxHttpLine each_line,
                          gpointer user_data,
                          guint *status,
                          GCancellable *cancellable,
                          GError **error);

G_END_DECLS

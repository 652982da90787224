/* One end of the socket: lines in as messages, lines out through a bounded queue.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-wire.h"

G_BEGIN_DECLS

/* What may wait to be written; a peer that doesn't read beyond this is cut off. Holds a result at
 * its limit twice over. */
#define PERFICA_WIRE_MAX_QUEUED (8 * 1024 * 1024)
/* So many malformed lines one after another, and the connection ends. */
#define PERFICA_WIRE_MAX_BAD_LINES 16

/**
 * PerficaWireConnection:
 *
 * Signals, all on the thread-default main context where perfica_wire_connection_start() was called:
 * - "message" (PerficaWireMessage *message): one that the other side sent; borrowed, take a
 *   reference to keep it. Never emitted after "closed".
 * - "closed" (GError *error): nothing more comes; once. @error is %NULL when the other side ended
 *   it in order or perfica_wire_connection_close() was called.
 * - "drained" (): the queue is empty after perfica_wire_connection_get_queued() was above zero.
 *
 * On the gateway's side a malformed line is answered with its error here, and no signal comes; on
 * the client's side it closes the connection. An overlong line closes it on both.
 *
 * Pending reads and writes hold a reference: call perfica_wire_connection_close() (or wait for
 * "closed") before dropping the last reference of one's own.
 */
#define PERFICA_TYPE_WIRE_CONNECTION (perfica_wire_connection_get_type ())
G_DECLARE_FINAL_TYPE (
    PerficaWireConnection, perfica_wire_connection, PERFICA, WIRE_CONNECTION, GObject)

/**
 * perfica_wire_connection_new:
 * @stream: (transfer none): the socket; its reading and writing ends must be pollable or
 *   asynchronous by themselves
 * @side: which end this is
 *
 * Nothing is read before perfica_wire_connection_start(), so that handlers can be connected.
 */
PerficaWireConnection *perfica_wire_connection_new (GIOStream *stream, PerficaWireSide side);

void perfica_wire_connection_start (PerficaWireConnection *self);

GIOStream *perfica_wire_connection_get_stream (PerficaWireConnection *self);

/**
 * perfica_wire_connection_send:
 * @line: (transfer full): from perfica_wire_encode_*()
 *
 * Queues a line. One that would bring the queue over %PERFICA_WIRE_MAX_QUEUED closes the
 * connection instead ("closed" comes from the main loop, never from in here).
 *
 * Returns: %FALSE if it was not queued, since the connection is closed or was cut off
 */
gboolean perfica_wire_connection_send (PerficaWireConnection *self, GBytes *line);

/* Bytes that wait to be written. Who streams output holds back while this is high, until
 * "drained". */
gsize perfica_wire_connection_get_queued (PerficaWireConnection *self);

gboolean perfica_wire_connection_is_closed (PerficaWireConnection *self);

/* Reads no more and closes at once; what is queued is lost. "closed" is emitted by this call,
 * unless it was before. */
void perfica_wire_connection_close (PerficaWireConnection *self);

/* Reads no more, writes what is queued (for 5 s at the most), then closes and emits "closed". */
void perfica_wire_connection_finish (PerficaWireConnection *self);

G_END_DECLS

/* The door: the socket that agents come through.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-gateway.h"

G_BEGIN_DECLS

/* Connections at one time; one more is told that the gateway is busy. */
#define PERFICA_MAX_CONNECTIONS 64
/* Runs of one connection at one time. */
#define PERFICA_MAX_RUNS 8
/* Attachments kept, of which most wait for the person. */
#define PERFICA_MAX_ATTACHMENTS 64

typedef struct _PerficaDoor PerficaDoor;

/**
 * perfica_door_open:
 * @gateway: (unowned): whose door it is
 * @path: the socket; an old one is replaced, since the caller holds the lock
 * @error: %PERFICA_ERROR_RUNTIME
 *
 * Main thread. Each connection is turned away unless it is this user's and no descendant of a
 * command.
 */
PerficaDoor *perfica_door_open (PerficaGateway *gateway, const char *path, GError **error);

/* Accepts nobody more, removes the socket and ends every connection once its answers are out. */
void perfica_door_close (PerficaDoor *self);

/* Ends the connections that are attached to @board. */
void perfica_door_drop_board (PerficaDoor *self, PerficaBoard *board);

G_END_DECLS

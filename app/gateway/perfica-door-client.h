/* One connection at the door: what it asks and what it is told.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-gateway.h"
#include "perfica-wire-connection.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_DOOR_CLIENT (perfica_door_client_get_type ())
G_DECLARE_FINAL_TYPE (PerficaDoorClient, perfica_door_client, PERFICA, DOOR_CLIENT, GObject)

/* Signal "closed": the connection is over and all its runs are told to end. */
PerficaDoorClient *
perfica_door_client_new (PerficaGateway *gateway, GSocketConnection *stream, pid_t pid);
/* %NULL before its hello. */
PerficaBoard *perfica_door_client_get_board (PerficaDoorClient *self);
/* Writes what is queued, then ends the connection. */
void perfica_door_client_finish (PerficaDoorClient *self);

G_END_DECLS

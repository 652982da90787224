/* What the gateway's own files may ask of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-activity-private.h"
#include "perfica-gateway.h"
#include "perfica-reader.h"
#include "perfica-request-private.h"
#include "perfica-session-environment.h"
#include "perfica-store-limits.h"
#include "perfica-store.h"

G_BEGIN_DECLS

const PerficaPaths *perfica_gateway_get_paths (PerficaGateway *self);
PerficaStore *perfica_gateway_get_store (PerficaGateway *self);
const PerficaLimits *perfica_gateway_get_limits (PerficaGateway *self);
PerficaReader *perfica_gateway_get_reader (PerficaGateway *self);
PerficaSessionEnvironment *perfica_gateway_get_environment (PerficaGateway *self);
gboolean perfica_gateway_get_window_open (PerficaGateway *self);
guint perfica_gateway_get_running (PerficaGateway *self);
const char *perfica_gateway_get_store_problem (PerficaGateway *self);
gboolean perfica_gateway_is_stopping (PerficaGateway *self);
/* Seconds a prompt waits now, limits.json applied; 0 = no limit. */
guint perfica_gateway_get_prompt_limit (PerficaGateway *self);

/**
 * perfica_gateway_list_owned:
 * @board: a board
 * @loop: one of its loops
 * @inner: (out) (optional) (transfer full): those that are boards
 *
 * Returns: (transfer full): what isn't @loop's: the board's other loops and the boards inside it,
 *   relative to its project
 */
char **perfica_gateway_list_owned (PerficaGateway *self,
                                   PerficaBoard *board,
                                   PerficaLoop *loop,
                                   char ***inner);

/* A request sets out or is done; the gateway counts and can stop them. */
void perfica_gateway_take_request (PerficaGateway *self, PerficaRequest *request);
void perfica_gateway_drop_request (PerficaGateway *self, PerficaRequest *request);
void perfica_gateway_running_changed (PerficaGateway *self);
/* @request's output is whole: @bytes were written, 0 = its file isn't wanted. */
void perfica_gateway_output_written (PerficaGateway *self, PerficaRequest *request, guint64 bytes);

/* Unconfirmed and connected clients; see perfica-attachment.h. */
GListStore *perfica_gateway_get_attachment_store (PerficaGateway *self);
/* Whether the person turned this client away since the gateway started. */
gboolean perfica_gateway_is_turned_away (PerficaGateway *self, const char *key);
void perfica_gateway_turn_away (PerficaGateway *self, PerficaAttachment *attachment);
/* Takes one off the list unless it is connected: it left, or nobody wants to hear of it. */
void perfica_gateway_forget_attachment (PerficaGateway *self, PerficaAttachment *attachment);

/* A second `perfica FOLDER`: the window asks the person ("open-folder" signal). */
void perfica_gateway_request_folder (PerficaGateway *self, const char *folder);

G_END_DECLS

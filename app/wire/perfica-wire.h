/* The gateway's own protocol: newline-delimited JSON-RPC 2.0, versioned, as typed structs.
 *
 *   hello   {protocol, client, version, folder, board?, bubble?, role?} -> {protocol, board,
 * bubble, role, tools, attached} run     {command, folder?, timeout_seconds?} -> PerficaWireResult
 *   cancel  {request} (notification: the id of a run)
 *   status  {}                                                          -> {version, boards:
 * [{name, folder, waiting, full_auto, sandbox}], attached: [...]} notifications from the gateway:
 * state {request, state, deadline?}, output {request, stream, data (base64)}
 *
 * No JsonNode leaves this room.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define PERFICA_WIRE_VERSION 1
#define PERFICA_WIRE_MAX_LINE (4 * 1024 * 1024)

/* JSON-RPC's own codes, and ours; never merged. */
typedef enum
{
  PERFICA_WIRE_CODE_PARSE = -32700,
  PERFICA_WIRE_CODE_INVALID = -32600,
  PERFICA_WIRE_CODE_UNKNOWN_METHOD = -32601,
  PERFICA_WIRE_CODE_BAD_PARAMS = -32602,
  PERFICA_WIRE_CODE_INTERNAL = -32603,
  PERFICA_WIRE_CODE_VERSION = -32001,
  PERFICA_WIRE_CODE_NO_BOARD = -32002,
  PERFICA_WIRE_CODE_NO_BUBBLE = -32003,
  PERFICA_WIRE_CODE_BUSY = -32004,
  PERFICA_WIRE_CODE_TOO_LONG = -32005,
} PerficaWireCode;

/**
 * PerficaOutcome:
 *
 * How a command's journey ended. Distinct, never merged (ui.md "Activity", interfaces.md).
 */
typedef enum
{
  PERFICA_OUTCOME_PENDING,    /* still on its way */
  PERFICA_OUTCOME_RAN,        /* exit code or signal */
  PERFICA_OUTCOME_LIMIT,      /* stopped at the time limit */
  PERFICA_OUTCOME_CANCELLED,  /* the agent or the person stopped it */
  PERFICA_OUTCOME_REFUSED,    /* by the guard */
  PERFICA_OUTCOME_NO_TOOL,    /* the bubble has no "Run commands" */
  PERFICA_OUTCOME_DENIED,     /* by the person */
  PERFICA_OUTCOME_NOBODY,     /* nobody answered in time */
  PERFICA_OUTCOME_NO_WINDOW,  /* no window was open */
  PERFICA_OUTCOME_UNCONFINED, /* could not be confined */
  PERFICA_OUTCOME_AGENT_GONE,
  PERFICA_OUTCOME_GATEWAY_STOPPED,
  PERFICA_OUTCOME_LOST,         /* the app or supervisor died while it ran */
  PERFICA_OUTCOME_NOT_ATTACHED, /* the window hasn't confirmed this client yet */
  PERFICA_OUTCOME_ERROR,        /* of ours: the record can't be written, no launcher … */
} PerficaOutcome;

const char *perfica_outcome_to_string (PerficaOutcome outcome); /* "ran", "limit", … */
PerficaOutcome perfica_outcome_from_string (const char *name);

G_END_DECLS

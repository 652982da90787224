/* MCP's messages as typed structs: both eras, one line each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-wire.h"

G_BEGIN_DECLS

/* Longest line an agent may send; the whole text of a command, every character escaped, fits. */
#define AGENT_MCP_MAX_LINE PERFICA_WIRE_MAX_REQUEST

/* The revision with no initialize, every request of which names its version. */
#define AGENT_MCP_MODERN "2026-07-28"

typedef enum
{
  AGENT_MCP_INITIALIZE,
  AGENT_MCP_DISCOVER,
  AGENT_MCP_PING,
  AGENT_MCP_TOOLS_LIST,
  AGENT_MCP_TOOLS_CALL,
  AGENT_MCP_CANCELLED,
  AGENT_MCP_IGNORED, /* a notification that needs nothing, or an answer to nothing we asked */
} AgentMcpKind;

/* Tools that exist; which of them are listed is the bubble's matter. */
typedef enum
{
  AGENT_TOOL_RUN_COMMAND,
} AgentTool;

/**
 * AgentMcpMessage:
 * @kind: what it is
 * @modern: it is of the 2026 era and wants its answer so
 * @id: (nullable): the request's id as JSON; %NULL for notifications
 * @protocol_version: (nullable): the version asked for
 * @client_name: (nullable): as the client calls itself
 * @client_version: (nullable): likewise
 * @tool: of a call
 * @run: of a call of run_command: what to run
 * @argument_error: (nullable): the call's arguments are no good; a sentence for the agent, and no
 *   protocol error
 * @progress_token: (nullable): as JSON
 * @cancelled_id: (nullable): the request to cancel, as JSON
 */
typedef struct
{
  AgentMcpKind kind;
  gboolean modern;
  char *id;
  char *protocol_version;
  char *client_name;
  char *client_version;
  AgentTool tool;
  PerficaWireRun run;
  char *argument_error;
  char *progress_token;
  char *cancelled_id;
} AgentMcpMessage;

void agent_mcp_message_free (AgentMcpMessage *message);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (AgentMcpMessage, agent_mcp_message_free)

/**
 * agent_mcp_decode:
 * @line: one line without its newline; not trusted
 * @length: in bytes
 * @initialized: an `initialize` was answered before, so that requests may come without _meta
 * @failure: (out) (transfer full): on failure the whole answer, %NULL if none is due
 *
 * Returns: (transfer full): the message, or %NULL with @failure set
 */
AgentMcpMessage *
agent_mcp_decode (const char *line, gsize length, gboolean initialized, char **failure);

/* The answers, each one line without its newline. @id is JSON, as decoded. */
char *agent_mcp_encode_initialize (const AgentMcpMessage *request);
char *agent_mcp_encode_discover (const AgentMcpMessage *request);
char *agent_mcp_encode_pong (const AgentMcpMessage *request);

/* @can_run: the bubble has run_command. @settled: that came from the gateway and will hold a while
 */
char *agent_mcp_encode_tools (const AgentMcpMessage *request, gboolean can_run, gboolean settled);

/* A call that never became a result of the gateway. @outcome: its name for programs */
char *agent_mcp_encode_problem (const char *id,
                                gboolean modern,
                                const char *outcome,
                                const char *message);
char *agent_mcp_encode_result (const char *id, gboolean modern, const PerficaWireResult *result);

/* @progress: seconds since the call came */
char *agent_mcp_encode_progress (const char *token, gint64 progress, const char *message);

/* @id: JSON, "null" when it isn't known */
char *agent_mcp_encode_error (const char *id, int code, const char *message);

G_END_DECLS

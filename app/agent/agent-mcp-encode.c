/* MCP's messages: from structs to lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-mcp-message.h"

#include <string.h>

#include "agent-result.h"
#include "perfica-json.h"

/* How long a client may keep the list of tools; a bubble's tools change by the person's hand. */
#define TOOLS_TTL_MS 60000

static const char instructions[] =
    "Commands go through Perfica: it reads each one, asks the person where their say is needed, "
    "and confines what runs. Give run_command one command line in bash. A refusal says why and "
    "what to do instead; don't look for another spelling. Commands end by themselves: no "
    "servers, watchers, pagers or prompts. Scratch files go to $TMPDIR.";

static const char run_command_tool[] =
    "{\"name\":\"run_command\",\"title\":\"Run a command\","
    "\"description\":\"Runs one bash command line in the project and returns its exit code, "
    "duration and output. Perfica reads it first: harmless ones run at once, some wait for the "
    "person's say, some are refused with the reason and an alternative. Standard input is "
    "empty, no command may outlive its call, and none may wait for keys.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"command\":{\"type\":\"string\",\"description\":\"One command line in bash.\"},"
    "\"folder\":{\"type\":\"string\",\"description\":\"Where it starts: relative to your "
    "folder, or absolute inside the project. Without it, your folder.\"},"
    "\"timeout_seconds\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"Stop it sooner "
    "than Perfica's own limit of two minutes (ten for package managers, compilers and test "
    "runners).\"}},"
    "\"required\":[\"command\"],\"additionalProperties\":false},"
    "\"annotations\":{\"readOnlyHint\":false,\"destructiveHint\":true,\"idempotentHint\":false,"
    "\"openWorldHint\":true},"
    "\"_meta\":{\"anthropic/alwaysLoad\":true}}";

static void
begin_answer (PerficaJsonWriter *w, const char *id)
{
  perfica_json_writer_init (w);
  perfica_json_writer_open (w, NULL, '{');
  perfica_json_writer_string (w, "jsonrpc", "2.0");
  perfica_json_writer_raw (w, "id", id);
}

static void
add_server_info (PerficaJsonWriter *w, const char *name)
{
  perfica_json_writer_open (w, name, '{');
  perfica_json_writer_string (w, "name", "perfica");
  perfica_json_writer_string (w, "title", "Perfica");
  perfica_json_writer_string (w, "version", PERFICA_VERSION);
  perfica_json_writer_close (w, '}');
}

static void
begin_result (PerficaJsonWriter *w, const char *id, gboolean modern)
{
  begin_answer (w, id);
  perfica_json_writer_open (w, "result", '{');
  if (!modern)
    return;
  perfica_json_writer_string (w, "resultType", "complete");
  perfica_json_writer_open (w, "_meta", '{');
  add_server_info (w, "io.modelcontextprotocol/serverInfo");
  perfica_json_writer_close (w, '}');
}

static char *
end_result (PerficaJsonWriter *w)
{
  perfica_json_writer_close (w, '}');
  perfica_json_writer_close (w, '}');
  return perfica_json_writer_end (w);
}

static void
add_capabilities (PerficaJsonWriter *w)
{
  perfica_json_writer_raw (w, "capabilities", "{\"tools\":{}}");
}

static const char *
negotiate (const char *requested)
{
  static const char *const known[] = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (known[i], requested) == 0)
      return known[i];
  return known[0];
}

char *
agent_mcp_encode_initialize (const AgentMcpMessage *request)
{
  PerficaJsonWriter w;

  begin_result (&w, request->id, FALSE);
  perfica_json_writer_string (&w, "protocolVersion", negotiate (request->protocol_version));
  add_capabilities (&w);
  add_server_info (&w, "serverInfo");
  perfica_json_writer_string (&w, "instructions", instructions);
  return end_result (&w);
}

char *
agent_mcp_encode_discover (const AgentMcpMessage *request)
{
  PerficaJsonWriter w;

  begin_result (&w, request->id, TRUE);
  perfica_json_writer_raw (&w, "supportedVersions", "[\"" AGENT_MCP_MODERN "\"]");
  add_capabilities (&w);
  perfica_json_writer_int (&w, "ttlMs", 24 * 60 * 60 * 1000);
  perfica_json_writer_string (&w, "cacheScope", "private");
  perfica_json_writer_string (&w, "instructions", instructions);
  return end_result (&w);
}

char *
agent_mcp_encode_pong (const AgentMcpMessage *request)
{
  PerficaJsonWriter w;

  begin_result (&w, request->id, FALSE);
  return end_result (&w);
}

char *
agent_mcp_encode_tools (const AgentMcpMessage *request, gboolean can_run, gboolean settled)
{
  PerficaJsonWriter w;

  begin_result (&w, request->id, request->modern);
  perfica_json_writer_open (&w, "tools", '[');
  if (can_run)
    perfica_json_writer_raw (&w, NULL, run_command_tool);
  perfica_json_writer_close (&w, ']');
  if (request->modern)
    {
      perfica_json_writer_int (&w, "ttlMs", settled ? TOOLS_TTL_MS : 0);
      perfica_json_writer_string (&w, "cacheScope", "private");
    }
  return end_result (&w);
}

static void
add_text_content (PerficaJsonWriter *w, const char *text)
{
  perfica_json_writer_open (w, "content", '[');
  perfica_json_writer_open (w, NULL, '{');
  perfica_json_writer_string (w, "type", "text");
  perfica_json_writer_string (w, "text", text);
  perfica_json_writer_close (w, '}');
  perfica_json_writer_close (w, ']');
}

char *
agent_mcp_encode_problem (const char *id, gboolean modern, const char *outcome, const char *message)
{
  PerficaJsonWriter w;

  begin_result (&w, id, modern);
  add_text_content (&w, message);
  perfica_json_writer_open (&w, "structuredContent", '{');
  perfica_json_writer_string (&w, "outcome", outcome);
  perfica_json_writer_string (&w, "message", message);
  perfica_json_writer_close (&w, '}');
  perfica_json_writer_boolean (&w, "isError", TRUE);
  return end_result (&w);
}

char *
agent_mcp_encode_result (const char *id, gboolean modern, const PerficaWireResult *result)
{
  g_autofree char *text = agent_result_text (result);
  PerficaJsonWriter w;

  begin_result (&w, id, modern);
  add_text_content (&w, text);
  perfica_json_writer_open (&w, "structuredContent", '{');
  agent_result_write (&w, result);
  perfica_json_writer_close (&w, '}');
  perfica_json_writer_boolean (&w, "isError", !agent_result_ran (result));
  return end_result (&w);
}

char *
agent_mcp_encode_progress (const char *token, gint64 progress, const char *message)
{
  PerficaJsonWriter w;

  perfica_json_writer_init (&w);
  perfica_json_writer_open (&w, NULL, '{');
  perfica_json_writer_string (&w, "jsonrpc", "2.0");
  perfica_json_writer_string (&w, "method", "notifications/progress");
  perfica_json_writer_open (&w, "params", '{');
  perfica_json_writer_raw (&w, "progressToken", token);
  perfica_json_writer_int (&w, "progress", progress);
  perfica_json_writer_string (&w, "message", message);
  return end_result (&w);
}

char *
agent_mcp_encode_error (const char *id, int code, const char *message)
{
  PerficaJsonWriter w;

  begin_answer (&w, id);
  perfica_json_writer_open (&w, "error", '{');
  perfica_json_writer_int (&w, "code", code);
  perfica_json_writer_string_max (&w, "message", message, PERFICA_WIRE_MAX_MESSAGE);
  return end_result (&w);
}

/* MCP's two eras, line by line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "agent-mcp-message.h"
#include "perfica-json.h"

#define RPC "{\"jsonrpc\":\"2.0\","
#define V "io.modelcontextprotocol/"
#define META                                                                                       \
  "\"_meta\":{\"" V "protocolVersion\":\"2026-07-28\",\"" V "clientCapabilities\":{},\"" V         \
  "clientInfo\":{\"name\":\"n\",\"version\":\"7\"}}"

typedef struct
{
  const char *line;
  gboolean initialized;
  int kind;            /* -1: refused */
  const char *expects; /* a part of the failure, or the message's id; NULL: none */
  gboolean modern;
} Case;

static const Case cases[] = {
  /* The initialize era. */
  { RPC "\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
        "\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
    FALSE, AGENT_MCP_INITIALIZE, "1", FALSE },
  { RPC "\"id\":\"a\\\"b\",\"method\":\"ping\"}", FALSE, AGENT_MCP_PING, "\"a\\\"b\"", FALSE },
  { RPC "\"id\":1,\"method\":\"initialize\",\"params\":{}}", FALSE, -1, "-32602", FALSE },
  { RPC "\"id\":1,\"method\":\"initialize\"}", FALSE, -1, "-32602", FALSE },
  { RPC "\"method\":\"notifications/initialized\"}", TRUE, AGENT_MCP_IGNORED, NULL, FALSE },
  { RPC "\"id\":1,\"method\":\"tools/list\",\"params\":{}}", TRUE, AGENT_MCP_TOOLS_LIST, "1",
    FALSE },
  { RPC "\"id\":1,\"method\":\"tools/list\",\"params\":null}", TRUE, AGENT_MCP_TOOLS_LIST, "1",
    FALSE },
  { RPC "\"id\":-3,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"progressToken\":1}}}", TRUE,
    AGENT_MCP_TOOLS_LIST, "-3", FALSE },
  { RPC "\"id\":1,\"method\":\"server/discover\"}", TRUE, -1, "-32601", FALSE },
  { RPC "\"id\":1,\"method\":\"resources/list\"}", TRUE, -1, "-32601", FALSE },
  { RPC "\"id\":1,\"method\":\"approve\"}", TRUE, -1, "-32601", FALSE },
  { RPC "\"id\":1,\"method\":\"tools/call\"}", TRUE, -1, "-32602", FALSE },
  { RPC "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"rm\",\"arguments\":{}}}", TRUE,
    -1, "Unknown tool: rm", FALSE },
  { RPC "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"run_command\","
        "\"arguments\":{\"command\":\"ls\"}}}",
    TRUE, AGENT_MCP_TOOLS_CALL, "1", FALSE },
  /* The 2026 era. */
  { RPC "\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}", FALSE, AGENT_MCP_DISCOVER,
    "1", TRUE },
  { RPC "\"id\":1,\"method\":\"tools/list\",\"params\":{" META "}}", FALSE, AGENT_MCP_TOOLS_LIST,
    "1", TRUE },
  { RPC "\"id\":1,\"method\":\"tools/list\",\"params\":{" META "}}", TRUE, AGENT_MCP_TOOLS_LIST,
    "1", TRUE },
  { RPC "\"id\":1,\"method\":\"tools/call\",\"params\":{" META ",\"name\":\"run_command\","
        "\"arguments\":{\"command\":\"ls\"}}}",
    FALSE, AGENT_MCP_TOOLS_CALL, "1", TRUE },
  { RPC "\"id\":1,\"method\":\"initialize\",\"params\":{" META "}}", FALSE, -1, "-32601", TRUE },
  { RPC "\"id\":1,\"method\":\"ping\",\"params\":{" META "}}", FALSE, -1, "-32601", TRUE },
  { RPC "\"id\":1,\"method\":\"server/discover\"}", FALSE, -1, "-32602", TRUE },
  { RPC "\"id\":1,\"method\":\"tools/list\"}", FALSE, -1, "-32602", TRUE },
  { RPC "\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"" V
        "protocolVersion\":\"2026-07-28\"}}}",
    FALSE, -1, "-32602", TRUE },
  { RPC "\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"" V
        "protocolVersion\":\"2031-01-01\",\"" V "clientCapabilities\":{}}}}",
    FALSE, -1, "\"requested\":\"2031-01-01\"", TRUE },
  { RPC "\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"" V
        "protocolVersion\":\"2031-01-01\",\"" V "clientCapabilities\":{}}}}",
    FALSE, -1, "-32022", TRUE },
  /* Either. */
  { RPC "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}", TRUE,
    AGENT_MCP_CANCELLED, NULL, FALSE },
  { RPC "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":[5]}}", TRUE,
    AGENT_MCP_IGNORED, NULL, FALSE },
  { RPC "\"method\":\"notifications/cancelled\"}", TRUE, AGENT_MCP_IGNORED, NULL, FALSE },
  { RPC "\"id\":9,\"result\":{}}", TRUE, AGENT_MCP_IGNORED, "9", FALSE },
  { RPC "\"id\":9,\"error\":{\"code\":1,\"message\":\"\"}}", TRUE, AGENT_MCP_IGNORED, "9", FALSE },
  { "", TRUE, -1, "-32700", FALSE },
  { "nonsense", TRUE, -1, "-32700", FALSE },
  { "[]", TRUE, -1, "-32600", FALSE },
  { "[" RPC "\"id\":1,\"method\":\"ping\"}]", TRUE, -1, "-32600", FALSE },
  { "3", TRUE, -1, "-32600", FALSE },
  { "{}", TRUE, -1, "-32600", FALSE },
  { "{\"id\":1,\"method\":\"ping\"}", TRUE, -1, "\"id\":1", FALSE },
  { RPC "\"id\":1}", TRUE, -1, "-32600", FALSE },
  { RPC "\"id\":null,\"method\":\"ping\"}", TRUE, -1, "-32600", FALSE },
  { RPC "\"id\":1.5,\"method\":\"ping\"}", TRUE, -1, "-32600", FALSE },
  { RPC "\"id\":{},\"method\":\"ping\"}", TRUE, -1, "-32600", FALSE },
  { RPC "\"id\":1,\"method\":\"ping\",\"params\":[]}", TRUE, -1, "-32602", FALSE },
};

static void
test_lines (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      g_autofree char *failure = NULL;
      g_autoptr (AgentMcpMessage) message =
          agent_mcp_decode (c->line, strlen (c->line), c->initialized, &failure);

      g_assert_cmpint (message == NULL, ==, failure != NULL);
      if ((message == NULL) != (c->kind < 0))
        g_error ("%s: %s", c->line, message != NULL ? "was let in" : failure);
      if (message == NULL)
        {
          if (strstr (failure, c->expects) == NULL)
            g_error ("%s: %s", c->line, failure);
          g_assert_true (perfica_json_check (failure, strlen (failure), NULL));
          continue;
        }
      if ((int) message->kind != c->kind || message->modern != c->modern ||
          g_strcmp0 (message->id, c->expects) != 0)
        g_error ("%s: kind %d, id %s", c->line, message->kind, message->id);
    }
}

static const struct
{
  const char *arguments;
  const char *error; /* a part of it; NULL: fine */
  const char *command;
  const char *folder;
  guint timeout;
} calls[] = {
  { "{\"command\":\"ls\"}", NULL, "ls", NULL, 0 },
  { "{\"command\":\"ls\",\"folder\":\"a\",\"timeout_seconds\":5,\"extra\":[]}", NULL, "ls", "a",
    5 },
  { "{\"command\":\"ls\",\"folder\":null,\"timeout_seconds\":null}", NULL, "ls", NULL, 0 },
  { "{\"command\":\"ls\",\"timeout_seconds\":5.0}", NULL, "ls", NULL, 5 },
  { "{}", "\"command\" is missing", NULL, NULL, 0 },
  { "null", "\"command\" is missing", NULL, NULL, 0 },
  { "[]", "must be an object", NULL, NULL, 0 },
  { "\"ls\"", "must be an object", NULL, NULL, 0 },
  { "{\"command\":[\"ls\"]}", "\"command\" must be a string", NULL, NULL, 0 },
  { "{\"command\":\"ls\",\"folder\":1}", "\"folder\" must be a string", NULL, NULL, 0 },
  { "{\"command\":\"ls\",\"timeout_seconds\":\"5\"}", "whole number", NULL, NULL, 0 },
  { "{\"command\":\"ls\",\"timeout_seconds\":0}", "out of range", NULL, NULL, 0 },
  { "{\"command\":\"ls\",\"timeout_seconds\":2.5}", "whole number", NULL, NULL, 0 },
};

static void
test_calls (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *line = g_strdup_printf (
          RPC "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"run_command\","
              "\"_meta\":{\"progressToken\":\"t\"},\"arguments\":%s}}",
          calls[i].arguments);
      g_autofree char *failure = NULL;
      g_autoptr (AgentMcpMessage) message = agent_mcp_decode (line, strlen (line), TRUE, &failure);

      g_assert_nonnull (message);
      g_assert_cmpstr (message->progress_token, ==, "\"t\"");
      if (calls[i].error != NULL)
        {
          g_assert_nonnull (message->argument_error);
          g_assert_nonnull (strstr (message->argument_error, calls[i].error));
          continue;
        }
      g_assert_null (message->argument_error);
      g_assert_cmpstr (message->run.command, ==, calls[i].command);
      g_assert_cmpstr (message->run.folder, ==, calls[i].folder);
      g_assert_cmpuint (message->run.timeout_seconds, ==, calls[i].timeout);
    }
}

static void
test_longest_command (void)
{
  g_autofree char *text = g_strnfill (PERFICA_WIRE_MAX_COMMAND + 1, 'x');
  g_autofree char *line =
      g_strdup_printf (RPC
                       "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"run_command\","
                       "\"arguments\":{\"command\":\"%s\"}}}",
                       text);
  g_autofree char *failure = NULL;
  g_autoptr (AgentMcpMessage) message = agent_mcp_decode (line, strlen (line), TRUE, &failure);

  g_assert_nonnull (strstr (message->argument_error, "too long"));
}

static const struct
{
  const char *asked;
  const char *answered;
} versions[] = {
  { "2025-11-25", "2025-11-25" }, { "2025-06-18", "2025-06-18" }, { "2025-03-26", "2025-03-26" },
  { "2024-11-05", "2024-11-05" }, { "2019-01-01", "2025-11-25" }, { "2026-07-28", "2025-11-25" },
};

static void
test_versions (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      AgentMcpMessage request = { .id = (char *) "1",
                                  .protocol_version = (char *) versions[i].asked };
      g_autofree char *answer = agent_mcp_encode_initialize (&request);
      g_autofree char *wanted =
          g_strdup_printf ("\"protocolVersion\":\"%s\"", versions[i].answered);

      g_assert_nonnull (strstr (answer, wanted));
      g_assert_null (strstr (answer, "resultType"));
      g_assert_true (perfica_json_check (answer, strlen (answer), NULL));
    }
}

static void
test_modern_answers (void)
{
  AgentMcpMessage request = { .id = (char *) "1", .modern = TRUE };
  g_autofree char *discover = agent_mcp_encode_discover (&request);
  g_autofree char *tools = agent_mcp_encode_tools (&request, TRUE, TRUE);
  g_autofree char *none = agent_mcp_encode_tools (&request, FALSE, FALSE);
  g_autofree char *problem = agent_mcp_encode_problem ("1", TRUE, "busy", "a \"word\"\n");
  const char *lines[] = { discover, tools, none, problem };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_assert_true (perfica_json_check (lines[i], strlen (lines[i]), NULL));
      g_assert_nonnull (strstr (lines[i], "\"resultType\":\"complete\""));
      g_assert_nonnull (strstr (lines[i], V "serverInfo"));
    }
  g_assert_nonnull (strstr (discover, "\"supportedVersions\":[\"2026-07-28\"]"));
  g_assert_nonnull (strstr (tools, "\"run_command\""));
  g_assert_nonnull (strstr (tools, "\"cacheScope\":\"private\""));
  g_assert_null (strstr (none, "run_command"));
  g_assert_nonnull (strstr (none, "\"ttlMs\":0"));
  /* Its own schema has no type that some clients can't read. */
  g_assert_null (strstr (tools, "\"null\""));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/mcp-message/lines", test_lines);
  g_test_add_func ("/agent/mcp-message/calls", test_calls);
  g_test_add_func ("/agent/mcp-message/longest-command", test_longest_command);
  g_test_add_func ("/agent/mcp-message/versions", test_versions);
  g_test_add_func ("/agent/mcp-message/modern-answers", test_modern_answers);
  return g_test_run ();
}

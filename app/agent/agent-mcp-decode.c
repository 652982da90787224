/* MCP's messages: from lines to structs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-mcp-message.h"

#include <string.h>

#include "perfica-json.h"

#define META "io.modelcontextprotocol/"
#define MAX_ID_LENGTH 512

void
agent_mcp_message_free (AgentMcpMessage *message)
{
  g_free (message->id);
  g_free (message->protocol_version);
  g_free (message->client_name);
  g_free (message->client_version);
  g_free (message->run.command);
  g_free (message->run.folder);
  g_free (message->argument_error);
  g_free (message->progress_token);
  g_free (message->cancelled_id);
  g_free (message);
}

/* A string or a whole number as JSON again; NULL for anything else. */
static char *
scalar_json (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;
  PerficaJsonWriter w;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  if (json_node_get_value_type (node) == G_TYPE_INT64)
    return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));
  if (json_node_get_value_type (node) != G_TYPE_STRING ||
      strlen (json_node_get_string (node)) > MAX_ID_LENGTH)
    return NULL;
  perfica_json_writer_init (&w);
  perfica_json_writer_string (&w, NULL, json_node_get_string (node));
  return perfica_json_writer_end (&w);
}

static JsonObject *
object_member (JsonObject *object, const char *name)
{
  JsonObject *member = NULL;

  if (object != NULL &&
      !perfica_json_get_object (object, name, PERFICA_JSON_OPTIONAL, &member, NULL))
    return NULL;
  return member;
}

static void
take_client_info (AgentMcpMessage *message, JsonObject *info)
{
  if (info == NULL)
    return;
  perfica_json_get_string (info, "name", PERFICA_JSON_OPTIONAL, PERFICA_WIRE_MAX_NAME,
                           &message->client_name, NULL);
  perfica_json_get_string (info, "version", PERFICA_JSON_OPTIONAL, PERFICA_WIRE_MAX_NAME,
                           &message->client_version, NULL);
}

static char *
unknown_version (const char *id, const char *requested)
{
  PerficaJsonWriter w;

  perfica_json_writer_init (&w);
  perfica_json_writer_open (&w, NULL, '{');
  perfica_json_writer_string (&w, "jsonrpc", "2.0");
  perfica_json_writer_raw (&w, "id", id);
  perfica_json_writer_open (&w, "error", '{');
  perfica_json_writer_int (&w, "code", -32022);
  perfica_json_writer_string (&w, "message", "Unsupported protocol version");
  perfica_json_writer_open (&w, "data", '{');
  perfica_json_writer_open (&w, "supported", '[');
  perfica_json_writer_string (&w, NULL, AGENT_MCP_MODERN);
  perfica_json_writer_close (&w, ']');
  perfica_json_writer_string (&w, "requested", requested);
  perfica_json_writer_close (&w, '}');
  perfica_json_writer_close (&w, '}');
  perfica_json_writer_close (&w, '}');
  return perfica_json_writer_end (&w);
}

/* Reads the 2026 era's per-request _meta. FALSE with @failure if it is no good. */
static gboolean
take_modern_meta (AgentMcpMessage *message, JsonObject *meta, char **failure)
{
  g_autoptr (GError) error = NULL;
  JsonObject *capabilities;

  if (!perfica_json_get_string (meta, META "protocolVersion", PERFICA_JSON_REQUIRED, 64,
                                &message->protocol_version, &error) ||
      !perfica_json_get_object (meta, META "clientCapabilities", PERFICA_JSON_REQUIRED,
                                &capabilities, &error))
    {
      *failure = agent_mcp_encode_error (message->id, -32602, error->message);
      return FALSE;
    }
  take_client_info (message, object_member (meta, META "clientInfo"));
  if (strcmp (message->protocol_version, AGENT_MCP_MODERN) == 0)
    return TRUE;
  *failure = unknown_version (message->id, message->protocol_version);
  return FALSE;
}

/* Fills the run; what is wrong with the arguments the agent reads as the tool's answer. */
static void
take_run_arguments (AgentMcpMessage *message, JsonObject *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) none = arguments == NULL ? json_object_new () : NULL;
  JsonObject *o = arguments != NULL ? arguments : none;
  gint64 seconds = 0;

  if (perfica_json_get_string (o, "command", PERFICA_JSON_REQUIRED, PERFICA_WIRE_MAX_COMMAND,
                               &message->run.command, &error) &&
      perfica_json_get_string (o, "folder", PERFICA_JSON_OPTIONAL, PERFICA_WIRE_MAX_PATH,
                               &message->run.folder, &error) &&
      perfica_json_get_int (o, "timeout_seconds", PERFICA_JSON_OPTIONAL, 1,
                            PERFICA_WIRE_MAX_TIMEOUT, &seconds, &error))
    {
      message->run.timeout_seconds = (guint) seconds;
      return;
    }
  message->argument_error = g_strdup_printf (
      "Bad arguments: %s. run_command takes {\"command\": text, \"folder\"?: text, "
      "\"timeout_seconds\"?: whole number}.",
      error->message);
}

static gboolean
take_call (AgentMcpMessage *message, JsonObject *params, char **failure)
{
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;

  if (params == NULL || !perfica_json_get_string (params, "name", PERFICA_JSON_REQUIRED,
                                                  PERFICA_WIRE_MAX_NAME, &name, NULL))
    {
      *failure = agent_mcp_encode_error (message->id, -32602, "tools/call needs a tool's name");
      return FALSE;
    }
  if (strcmp (name, "run_command") != 0)
    {
      text = g_strdup_printf ("Unknown tool: %s", name);
      *failure = agent_mcp_encode_error (message->id, -32602, text);
      return FALSE;
    }
  message->tool = AGENT_TOOL_RUN_COMMAND;
  if (json_object_has_member (params, "arguments") && object_member (params, "arguments") == NULL &&
      !json_object_get_null_member (params, "arguments"))
    message->argument_error = g_strdup ("Bad arguments: they must be an object.");
  else
    take_run_arguments (message, object_member (params, "arguments"));
  return TRUE;
}

static const struct
{
  const char *name;
  AgentMcpKind kind;
  gboolean legacy;
  gboolean modern;
} methods[] = {
  { "initialize", AGENT_MCP_INITIALIZE, TRUE, FALSE },
  { "ping", AGENT_MCP_PING, TRUE, FALSE },
  { "server/discover", AGENT_MCP_DISCOVER, FALSE, TRUE },
  { "tools/list", AGENT_MCP_TOOLS_LIST, TRUE, TRUE },
  { "tools/call", AGENT_MCP_TOOLS_CALL, TRUE, TRUE },
};

static gboolean
find_method (AgentMcpMessage *message, const char *name, char **failure)
{
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (strcmp (methods[i].name, name) == 0 &&
        (message->modern ? methods[i].modern : methods[i].legacy))
      {
        message->kind = methods[i].kind;
        return TRUE;
      }
  *failure = agent_mcp_encode_error (message->id, -32601, "Method not found");
  return FALSE;
}

static gboolean
take_initialize (AgentMcpMessage *message, JsonObject *params, char **failure)
{
  g_autoptr (GError) error = NULL;

  if (params != NULL && perfica_json_get_string (params, "protocolVersion", PERFICA_JSON_REQUIRED,
                                                 64, &message->protocol_version, &error))
    {
      take_client_info (message, object_member (params, "clientInfo"));
      return TRUE;
    }
  *failure = agent_mcp_encode_error (message->id, -32602,
                                     error != NULL ? error->message : "params are missing");
  return FALSE;
}

static gboolean
take_request (AgentMcpMessage *message,
              const char *method,
              JsonObject *params,
              gboolean initialized,
              char **failure)
{
  JsonObject *meta = object_member (params, "_meta");
  gboolean named = meta != NULL && json_object_has_member (meta, META "protocolVersion");

  /* A client may try the new era first and then the old one; each request says which it is. */
  message->modern =
      named || (!initialized && strcmp (method, "initialize") != 0 && strcmp (method, "ping") != 0);
  if (message->modern)
    {
      g_autoptr (JsonObject) none = meta == NULL ? json_object_new () : NULL;

      if (!take_modern_meta (message, meta != NULL ? meta : none, failure))
        return FALSE;
    }
  if (!find_method (message, method, failure))
    return FALSE;
  message->progress_token = scalar_json (meta, "progressToken");
  if (message->kind == AGENT_MCP_INITIALIZE)
    return take_initialize (message, params, failure);
  if (message->kind == AGENT_MCP_TOOLS_CALL)
    return take_call (message, params, failure);
  return TRUE;
}

static void
take_notification (AgentMcpMessage *message, const char *method, JsonObject *params)
{
  message->kind = AGENT_MCP_IGNORED;
  if (strcmp (method, "notifications/cancelled") != 0)
    return;
  message->cancelled_id = scalar_json (params, "requestId");
  if (message->cancelled_id != NULL)
    message->kind = AGENT_MCP_CANCELLED;
}

static gboolean
take_envelope (AgentMcpMessage *message, JsonObject *root, gboolean initialized, char **failure)
{
  g_autofree char *version = NULL;
  g_autofree char *method = NULL;
  g_autoptr (GError) error = NULL;
  const char *id;

  message->id = scalar_json (root, "id");
  id = message->id != NULL ? message->id : "null";
  if (!perfica_json_get_string (root, "jsonrpc", PERFICA_JSON_REQUIRED, 3, &version, &error) ||
      strcmp (version, "2.0") != 0)
    {
      *failure = agent_mcp_encode_error (id, -32600, "\"jsonrpc\" must be \"2.0\"");
      return FALSE;
    }
  if (!json_object_has_member (root, "method") &&
      (json_object_has_member (root, "result") || json_object_has_member (root, "error")))
    {
      message->kind = AGENT_MCP_IGNORED;
      return TRUE;
    }
  if (!perfica_json_get_string (root, "method", PERFICA_JSON_REQUIRED, PERFICA_WIRE_MAX_NAME,
                                &method, &error))
    {
      *failure = agent_mcp_encode_error (id, -32600, error->message);
      return FALSE;
    }
  if (json_object_has_member (root, "params") && object_member (root, "params") == NULL &&
      !json_object_get_null_member (root, "params"))
    {
      *failure = agent_mcp_encode_error (id, -32602, "\"params\" must be an object");
      return FALSE;
    }
  if (!json_object_has_member (root, "id"))
    {
      take_notification (message, method, object_member (root, "params"));
      return TRUE;
    }
  if (message->id == NULL)
    {
      *failure =
          agent_mcp_encode_error ("null", -32600, "\"id\" must be a string or a whole number");
      return FALSE;
    }
  return take_request (message, method, object_member (root, "params"), initialized, failure);
}

AgentMcpMessage *
agent_mcp_decode (const char *line, gsize length, gboolean initialized, char **failure)
{
  g_autoptr (AgentMcpMessage) message = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) error = NULL;

  *failure = NULL;
  node = perfica_json_parse (line, length, &error);
  if (node == NULL && g_error_matches (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SYNTAX))
    {
      *failure = agent_mcp_encode_error ("null", -32700, error->message);
      return NULL;
    }
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      *failure = agent_mcp_encode_error ("null", -32600, "a message must be one object");
      return NULL;
    }
  message = g_new0 (AgentMcpMessage, 1);
  if (!take_envelope (message, json_node_get_object (node), initialized, failure))
    return NULL;
  return g_steal_pointer (&message);
}

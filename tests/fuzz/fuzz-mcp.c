/* An agent's line, whatever it holds: understood, or answered with one line of JSON.
 *
 * The first byte says whether an initialize went before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "agent-mcp-message.h"
#include "perfica-json.h"

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size);

/* Takes @line. */
static void
check_answer (char *line)
{
  g_autofree char *owned = line;

  g_assert (strchr (owned, '\n') == NULL);
  g_assert (perfica_json_check (owned, strlen (owned), NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (AgentMcpMessage) message = NULL;
  char *failure = NULL;

  if (size < 1)
    return 0;
  message = agent_mcp_decode ((const char *) bytes + 1, size - 1, bytes[0] & 1, &failure);
  g_assert ((message == NULL) == (failure != NULL));
  if (failure != NULL)
    check_answer (failure);
  else if (message->kind == AGENT_MCP_INITIALIZE)
    check_answer (agent_mcp_encode_initialize (message));
  else if (message->kind == AGENT_MCP_TOOLS_LIST)
    check_answer (agent_mcp_encode_tools (message, TRUE, FALSE));
  else if (message->kind == AGENT_MCP_TOOLS_CALL)
    {
      g_assert (message->run.command != NULL || message->argument_error != NULL);
      check_answer (agent_mcp_encode_problem (
          message->id, message->modern, "error",
          message->argument_error != NULL ? message->argument_error : message->run.command));
      if (message->progress_token != NULL)
        check_answer (agent_mcp_encode_progress (message->progress_token, 1, "x"));
    }
  return 0;
}

/* A hook's input, whatever it holds: understood as something to judge, or an error; never both.
 *
 * The first byte names the dialect.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "agent-hook-dialect.h"
#include "perfica-json.h"

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size);

/* Takes @line. */
static void
check_answer (char *line)
{
  g_autofree char *owned = line;
  gsize length = strlen (owned);

  if (length == 0)
    return;
  g_assert (strchr (owned, '\n') == owned + length - 1);
  g_assert (perfica_json_check (owned, length - 1, NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (AgentHookCall) call = NULL;
  g_autoptr (GError) error = NULL;
  AgentHookDialect dialect;

  if (size < 1)
    return 0;
  dialect = (AgentHookDialect) (bytes[0] % (AGENT_HOOK_CURSOR + 1));
  call = agent_hook_decode (dialect, (const char *) bytes + 1, size - 1, &error);
  g_assert ((call == NULL) == (error != NULL));
  if (call == NULL)
    {
      check_answer (agent_hook_encode_deny (dialect, error->message));
      return 0;
    }
  /* What runs, reads or writes says what. */
  g_assert ((call->kind == AGENT_HOOK_RUN) == (call->command != NULL));
  g_assert ((call->kind == AGENT_HOOK_READ || call->kind == AGENT_HOOK_WRITE) ==
            (call->paths[0] != NULL));
  g_assert (g_strv_length (call->paths) <= AGENT_HOOK_MAX_PATHS);
  g_assert (g_strv_length (call->rest) % 2 == 0);
  if (call->kind == AGENT_HOOK_RUN && agent_hook_dialect_rewrites (dialect))
    check_answer (agent_hook_encode_rewrite (dialect, call, call->command));
  check_answer (agent_hook_encode_pass (dialect));
  check_answer (agent_hook_encode_ask (dialect, call->tool));
  return 0;
}

/* What agents' hooks say and want to hear, as typed structs: one dialect for each agent.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A hook's input: a tool call, whose text may be a whole file. */
#define AGENT_HOOK_MAX_INPUT (8 * 1024 * 1024)
/* Files of one call: a patch names several. */
#define AGENT_HOOK_MAX_PATHS 256

typedef enum
{
  AGENT_HOOK_CLAUDE,
  AGENT_HOOK_CODEX,
  AGENT_HOOK_GEMINI,
  AGENT_HOOK_CURSOR,
} AgentHookDialect;

gboolean agent_hook_dialect_from_string (const char *name, AgentHookDialect *dialect);
/* "claude|codex|…" */
char *agent_hook_dialect_list (void);
/* The agent's own name, as its client name at the gateway. */
const char *agent_hook_dialect_client (AgentHookDialect dialect);
/* Whether an answer may put another command in the place of the agent's. */
gboolean agent_hook_dialect_rewrites (AgentHookDialect dialect);
/* Whether "ask" is an answer that makes the agent ask the person. */
gboolean agent_hook_dialect_asks (AgentHookDialect dialect);

/* What the agent is about to do. */
typedef enum
{
  AGENT_HOOK_RUN,
  AGENT_HOOK_READ,
  AGENT_HOOK_WRITE,
  AGENT_HOOK_OTHER, /* nothing that Perfica has a say in */
} AgentHookKind;

/**
 * AgentHookCall:
 * @kind: what kind of tool it is
 * @tool: the agent's name of it
 * @folder: (nullable): where the agent works
 * @command: (nullable): for %AGENT_HOOK_RUN
 * @paths: (array zero-terminated=1): for the others, absolute or relative to @folder; a search
 *   without one is of the folder itself, "."
 * @rest: the other text members of the tool's input, each a name and then its value: they stay when
 *   the command is rewritten
 */
typedef struct
{
  AgentHookKind kind;
  char *tool;
  char *folder;
  char *command;
  char **paths;
  char **rest;
} AgentHookCall;

void agent_hook_call_free (AgentHookCall *call);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (AgentHookCall, agent_hook_call_free)

/**
 * agent_hook_decode:
 * @dialect: whose words these are
 * @text: what came on standard input; not trusted
 * @length: in bytes
 * @error: return location: %PERFICA_JSON_ERROR
 *
 * A tool that runs, reads or writes and doesn't say what is an error: it must not pass unread.
 *
 * Returns: (transfer full): the call, or %NULL
 */
AgentHookCall *
agent_hook_decode (AgentHookDialect dialect, const char *text, gsize length, GError **error);

/* The answers, each one line with its newline. */
char *agent_hook_encode_deny (AgentHookDialect dialect, const char *reason);
char *agent_hook_encode_ask (AgentHookDialect dialect, const char *reason);
/* @command: what runs in place of the agent's own; for a dialect that rewrites */
char *agent_hook_encode_rewrite (AgentHookDialect dialect,
                                 const AgentHookCall *call,
                                 const char *command);
/* The call may go its own way. */
char *agent_hook_encode_pass (AgentHookDialect dialect);

G_END_DECLS

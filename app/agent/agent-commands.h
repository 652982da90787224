/* perfica-agent's commands. Each takes what follows its name and returns the exit code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

#include "agent-client.h"

G_BEGIN_DECLS

/**
 * AgentExit:
 *
 * Exit codes of our own, apart from a command's where it can be: `run` returns the command's own
 * code when it ran, so ours begin at 100, and a line on stderr says which it was.
 */
typedef enum
{
  AGENT_EXIT_OK = 0,
  AGENT_EXIT_FAILED = 1,
  AGENT_EXIT_USAGE = 2,
  AGENT_EXIT_CHECK_ASK = 3,    /* check: a person would be asked */
  AGENT_EXIT_CHECK_REFUSE = 4, /* check: refused */
  AGENT_EXIT_REFUSED = 100,
  AGENT_EXIT_NO_TOOL,
  AGENT_EXIT_DENIED,
  AGENT_EXIT_NOBODY,
  AGENT_EXIT_NO_WINDOW,
  AGENT_EXIT_UNCONFINED,
  AGENT_EXIT_NOT_ATTACHED,
  AGENT_EXIT_LIMIT,
  AGENT_EXIT_CANCELLED,
  AGENT_EXIT_GATEWAY_STOPPED,
  AGENT_EXIT_LOST,
  AGENT_EXIT_ERROR,
  AGENT_EXIT_NOT_RUNNING,
  AGENT_EXIT_NO_BOARD,
  AGENT_EXIT_VERSION,
  AGENT_EXIT_TURNED_AWAY,
  AGENT_EXIT_BUSY,
} AgentExit;

int agent_mcp_main (int argc, char **argv);
int agent_hook_main (int argc, char **argv);
int agent_run_main (int argc, char **argv);
int agent_check_main (int argc, char **argv);
int agent_status_main (int argc, char **argv);
int agent_connect_main (int argc, char **argv);

/* The code for how a run ended; -1 when it ran and its own counts. */
int agent_exit_from_outcome (PerficaOutcome outcome);
int agent_exit_from_error (const GError *error);

/* @strict: options end at the first other word. FALSE after a line on stderr. */
gboolean agent_parse_options (GOptionContext *context, gboolean strict, int argc, char **argv);

/* "perfica-agent: " and the message on stderr, its control characters made harmless. */
void agent_complain (const char *message);

/**
 * agent_join_words:
 * @words: (nullable) (array zero-terminated=1): what followed the options
 *
 * One word is shell text as it stands; several are each quoted, so that they stay what they were.
 *
 * Returns: (transfer full) (nullable): the command line; %NULL when there is none or it isn't UTF-8
 */
char *agent_join_words (char **words);

/* The physical working folder, or @folder made absolute from it; NULL after a line on stderr. */
char *agent_folder (const char *folder);

/* Writes everything to a descriptor. FALSE when it is gone. */
gboolean agent_write_all (int fd, const char *data, gsize length);

G_END_DECLS

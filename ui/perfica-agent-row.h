/* How one agent is connected: what to copy where, and whether it really reaches Perfica.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"
#include "perfica-snippets.h"

G_BEGIN_DECLS

/* Signal "copy" (string): this text should go to the clipboard. */
#define PERFICA_TYPE_AGENT_ROW (perfica_agent_row_get_type ())
G_DECLARE_FINAL_TYPE (PerficaAgentRow, perfica_agent_row, PERFICA, AGENT_ROW, AdwExpanderRow)

/* A check looks out for the agent for so long, in seconds. */
#define PERFICA_AGENT_CHECK_SECONDS 180

/**
 * perfica_agent_row_new:
 * @snippet: of which agent; static
 * @program: path of perfica-agent
 * @gateway: where it would attach
 *
 * Returns: (transfer floating)
 */
GtkWidget *
perfica_agent_row_new (const PerficaSnippet *snippet, const char *program, PerficaGateway *gateway);

/**
 * perfica_agent_is:
 * @program: what perfica_attachment_get_program() says of a client
 *
 * Pure. Whether that client is the agent of @snippet, by the name it gave: good enough to tell the
 * person what came, never to grant anything.
 */
gboolean perfica_agent_is (const PerficaSnippet *snippet, const char *program);

G_END_DECLS

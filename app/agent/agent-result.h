/* What became of a command, told to an agent and to programs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-json.h"
#include "perfica-wire.h"

G_BEGIN_DECLS

/* Whether it ran to an end of its own; anything else an agent must not take for success. */
gboolean agent_result_ran (const PerficaWireResult *result);

/**
 * agent_result_reason:
 * @result: one that did not simply run
 *
 * Why, and what to do instead, in English: agents read it.
 *
 * Returns: (transfer full): one or a few lines without a newline at the end
 */
char *agent_result_reason (const PerficaWireResult *result);

/* Returns: (transfer full): all of it for an agent: how it ended, its output, where the rest is */
char *agent_result_text (const PerficaWireResult *result);

/* Writes it as an object's members, for programs. */
void agent_result_write (PerficaJsonWriter *w, const PerficaWireResult *result);

G_END_DECLS

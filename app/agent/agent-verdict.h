/* The guard's verdict, for people and for programs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "guard.h"
#include "perfica-json.h"

G_BEGIN_DECLS

/* Writes answer, time_class, findings and canonical as members; what is absent is null. */
void agent_verdict_write (PerficaJsonWriter *w, const GuardVerdict *verdict);

/**
 * agent_verdict_text:
 * @verdict: what the guard said
 * @command: what it was said of
 *
 * Returns: (transfer full): lines for people: the answer, each finding with the words it rests on,
 *   and what would run
 */
char *agent_verdict_text (const GuardVerdict *verdict, const char *command);

/* Returns: (transfer full): why it is refused or asked about and what to do instead, for an agent
 */
char *agent_verdict_reason (const GuardVerdict *verdict);

/* Whether a program by this name is where the run would look for it. */
gboolean agent_bash_available (void);

G_END_DECLS

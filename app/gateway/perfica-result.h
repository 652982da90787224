/* From how a journey went to its answer and its row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-request-private.h"

G_BEGIN_DECLS

/* Why the guard refused, and what to do instead, in one sentence or two. (transfer full) */
char *perfica_result_refusal (const GuardVerdict *verdict);

/* Why it can't be confined, with the one step that mends it. (transfer full) */
char *perfica_result_unconfined (PerficaGateway *gateway, const char *why);

/* (transfer full): outcome, output and numbers of what ran */
PerficaWireResult *perfica_result_from_run (PerficaRequest *request, const SandboxResult *run);

/* Adds what every answer has: the reading, the sentence for the agent, confinement, limit. */
void perfica_result_complete (PerficaRequest *request, PerficaWireResult *result);

/* (transfer full): the row for the record; @result %NULL: it starts now */
PerficaRow *perfica_result_row (PerficaRequest *request, const PerficaWireResult *result);

G_END_DECLS

/* A command's journey: from a request to its answer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-request-private.h"

G_BEGIN_DECLS

/* Sends a new request on its way. It keeps itself alive until "done". Main thread. */
void perfica_journey_start (PerficaRequest *request);

/**
 * perfica_journey_end:
 * @why: %PERFICA_OUTCOME_CANCELLED, _AGENT_GONE, _NO_WINDOW or _GATEWAY_STOPPED
 *
 * Ends it wherever it is: withdraws its question or stops its tree; "done" comes when nothing of
 * it is left. Only the first reason counts.
 */
void perfica_journey_end (PerficaRequest *request, PerficaOutcome why);

/* One sentence for the agent: what this outcome means and what to do. Translated. */
const char *perfica_journey_get_advice (PerficaOutcome outcome);

G_END_DECLS

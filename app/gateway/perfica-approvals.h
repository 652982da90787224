/* The queue of commands that wait for a person: first come, first shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-request.h"

G_BEGIN_DECLS

typedef enum
{
  PERFICA_DECISION_ALLOW_ONCE,
  PERFICA_DECISION_ALLOW_ALWAYS,
  PERFICA_DECISION_DENY,
} PerficaDecision;

/* An Allow counts only this long after the request was put on show (guard against a click that was
 * under way). */
#define PERFICA_ALLOW_DELAY_US (G_USEC_PER_SEC)
/* A paused clock goes on by itself after this many seconds: time to read, not to forget about it.
 * An agent's hook gives up after ten minutes. */
#define PERFICA_PAUSE_SECONDS 300

#define PERFICA_TYPE_APPROVALS (perfica_approvals_get_type ())
G_DECLARE_FINAL_TYPE (PerficaApprovals, perfica_approvals, PERFICA, APPROVALS, GObject)

/* A GListModel of waiting PerficaRequest, oldest first. */

/* The ui put this request in front of the person (or took it away). Restarts the one-second delay.
 */
void perfica_approvals_set_shown (PerficaApprovals *self, PerficaRequest *request, gboolean shown);

/* The person touched the dialog: pauses the clock of this request, for PERFICA_PAUSE_SECONDS at the
 * most; works once per request. Its deadline is 0 while it is paused. Returns whether it paused. */
gboolean perfica_approvals_pause (PerficaApprovals *self, PerficaRequest *request);
/* The dialog lost the person's attention: the clock goes on. */
void perfica_approvals_resume (PerficaApprovals *self, PerficaRequest *request);

/**
 * perfica_approvals_answer:
 * @request: a waiting request
 * @decision: what the person chose
 * @message: (nullable): with Deny, what the agent is told
 *
 * Returns: %FALSE if the answer didn't count: an Allow that came under one second after it was
 * shown, or to a request that was not on show or no longer waits
 */
gboolean perfica_approvals_answer (PerficaApprovals *self,
                                   PerficaRequest *request,
                                   PerficaDecision decision,
                                   const char *message);

G_END_DECLS

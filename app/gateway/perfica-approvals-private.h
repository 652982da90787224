/* What only the journey may do to the queue of approvals.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-approvals.h"

G_BEGIN_DECLS

/* So many may wait at once; one more is refused. */
#define PERFICA_MAX_WAITING 64

/**
 * PerficaAnswered:
 * @answered: %FALSE when the time was over and nobody answered; then the rest means nothing
 * @message: (nullable): with Deny
 *
 * Called once, when the request has left the queue by an answer or by time.
 */
typedef void (*PerficaAnswered) (PerficaRequest *request,
                                 gboolean answered,
                                 PerficaDecision decision,
                                 const char *message);

PerficaApprovals *perfica_approvals_new (void);
/* @seconds: how long a pause lasts at the most */
void perfica_approvals_set_pause_seconds (PerficaApprovals *self, guint seconds);
/* @seconds: 0 = no limit. %FALSE when too many wait. */
gboolean perfica_approvals_add (PerficaApprovals *self,
                                PerficaRequest *request,
                                guint seconds,
                                PerficaAnswered answered);
/* Takes it from the queue; no callback comes. Whether it waited. */
gboolean perfica_approvals_withdraw (PerficaApprovals *self, PerficaRequest *request);

G_END_DECLS

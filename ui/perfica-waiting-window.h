/* The overview of all that wait: several can be denied, each can be brought to the question.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"

G_BEGIN_DECLS

/* Signal "show-request" (PerficaRequest): this one should be the question. */
#define PERFICA_TYPE_WAITING_WINDOW (perfica_waiting_window_get_type ())
G_DECLARE_FINAL_TYPE (
    PerficaWaitingWindow, perfica_waiting_window, PERFICA, WAITING_WINDOW, AdwWindow)

/**
 * perfica_waiting_window_new:
 *
 * Returns: (transfer none): a window that isn't shown yet; owned by the toolkit
 */
PerficaWaitingWindow *perfica_waiting_window_new (PerficaGateway *gateway);

G_END_DECLS

/* All that is known about one entry.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-activity.h"

G_BEGIN_DECLS

/* Signals "run" (PerficaEntry): "Run in terminal" was clicked; "stop" (PerficaEntry). */
#define PERFICA_TYPE_ACTIVITY_DETAILS (perfica_activity_details_get_type ())
G_DECLARE_FINAL_TYPE (
    PerficaActivityDetails, perfica_activity_details, PERFICA, ACTIVITY_DETAILS, AdwWindow)

/**
 * perfica_activity_details_open:
 *
 * Returns: (transfer none): the window, on show
 */
PerficaActivityDetails *perfica_activity_details_open (GtkWidget *parent, PerficaEntry *entry);

G_END_DECLS

/* The filters of the activity that the toolbar has no room for: bubble, answer, exit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-activity.h"

G_BEGIN_DECLS

/* Signal "changed": another choice. */
#define PERFICA_TYPE_FILTER_POPOVER (perfica_filter_popover_get_type ())
G_DECLARE_FINAL_TYPE (
    PerficaFilterPopover, perfica_filter_popover, PERFICA, FILTER_POPOVER, GtkPopover)

/**
 * perfica_filter_popover_set_bubbles:
 * @bubbles: (nullable): of PerficaBubble: whose names can be chosen
 *
 * Another list takes back all choices, without "changed".
 */
void perfica_filter_popover_set_bubbles (PerficaFilterPopover *self, GListModel *bubbles);

/* (transfer none) (nullable): the name of the chosen one, %NULL for all */
const char *perfica_filter_popover_get_bubble (PerficaFilterPopover *self);
PerficaAnswerFilter perfica_filter_popover_get_answer (PerficaFilterPopover *self);
PerficaExitFilter perfica_filter_popover_get_exit (PerficaFilterPopover *self);

/* Whether anything but "all" is chosen. */
gboolean perfica_filter_popover_is_active (PerficaFilterPopover *self);

G_END_DECLS

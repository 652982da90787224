/* One entry in the list of a board's activity.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

#include "perfica-activity.h"

G_BEGIN_DECLS

/* Signals "run" (PerficaEntry): "Run in terminal" was clicked; "stop" (PerficaEntry). */
#define PERFICA_TYPE_ACTIVITY_ROW (perfica_activity_row_get_type ())
G_DECLARE_FINAL_TYPE (PerficaActivityRow, perfica_activity_row, PERFICA, ACTIVITY_ROW, GtkBox)

GtkWidget *perfica_activity_row_new (void);

/**
 * perfica_activity_row_set_entry:
 * @entry: (nullable): what to show; followed while it changes
 */
void perfica_activity_row_set_entry (PerficaActivityRow *self, PerficaEntry *entry);

G_END_DECLS

/* Adds a bubble: a name, a role, a loop; a custom one picks its tools.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-board.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_BUBBLE_DIALOG (perfica_bubble_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PerficaBubbleDialog, perfica_bubble_dialog, PERFICA, BUBBLE_DIALOG, AdwWindow)

/**
 * perfica_bubble_dialog_open:
 *
 * Returns: (transfer none): the dialog, on show
 */
PerficaBubbleDialog *perfica_bubble_dialog_open (GtkWidget *parent, PerficaBoard *board);

G_END_DECLS

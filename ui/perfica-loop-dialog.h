/* Adds a loop: a name and a folder of the project.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-board.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_LOOP_DIALOG (perfica_loop_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PerficaLoopDialog, perfica_loop_dialog, PERFICA, LOOP_DIALOG, AdwWindow)

void perfica_loop_dialog_open (GtkWidget *parent, PerficaBoard *board);

G_END_DECLS

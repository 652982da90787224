/* A board in the list: name, folder, how many wait, Full Auto and sandbox marks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

#include "perfica-board.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_BOARD_ROW (perfica_board_row_get_type ())
G_DECLARE_FINAL_TYPE (PerficaBoardRow, perfica_board_row, PERFICA, BOARD_ROW, GtkListBoxRow)

GtkWidget *perfica_board_row_new (PerficaBoard *board);
PerficaBoard *perfica_board_row_get_board (PerficaBoardRow *self);

/**
 * perfica_board_row_refresh:
 *
 * The default of the sandbox changed.
 */
void perfica_board_row_refresh (PerficaBoardRow *self);

G_END_DECLS

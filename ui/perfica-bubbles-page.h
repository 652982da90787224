/* Loops and bubbles of a board, and who is attached.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"

G_BEGIN_DECLS

/* Signal "folder-selected" (string: the loop's folder, relative to the project). */
#define PERFICA_TYPE_BUBBLES_PAGE (perfica_bubbles_page_get_type ())
G_DECLARE_FINAL_TYPE (PerficaBubblesPage, perfica_bubbles_page, PERFICA, BUBBLES_PAGE, AdwBin)

/**
 * perfica_bubbles_page_set_board:
 * @gateway: whose attachments are shown
 * @board: (nullable): what to show
 */
void perfica_bubbles_page_set_board (PerficaBubblesPage *self,
                                     PerficaGateway *gateway,
                                     PerficaBoard *board);

G_END_DECLS

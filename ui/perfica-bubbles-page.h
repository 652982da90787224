/* Loops and bubbles of a board, and who is attached.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"

G_BEGIN_DECLS

/* Signals: "folder-selected" (string: the loop's folder, relative to the project);
 * "review" (PerficaAttachment): the question about this one should be shown; "joining": how many
 * ask to join may have changed. */
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

/* How many agents ask to join the board. */
guint perfica_bubbles_page_get_joining (PerficaBubblesPage *self);

G_END_DECLS

/* Board settings: Full Auto, the sandbox, what was allowed, the folder tree.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"

G_BEGIN_DECLS

/* Signal "remove": the person wants this board gone. */
#define PERFICA_TYPE_BOARD_PAGE (perfica_board_page_get_type ())
G_DECLARE_FINAL_TYPE (PerficaBoardPage, perfica_board_page, PERFICA, BOARD_PAGE, AdwBin)

/**
 * perfica_board_page_set_board:
 * @gateway: whose default the board may follow
 * @board: (nullable): what to show
 */
void
perfica_board_page_set_board (PerficaBoardPage *self, PerficaGateway *gateway, PerficaBoard *board);

G_END_DECLS

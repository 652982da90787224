/* What agents asked for on a board, newest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"

G_BEGIN_DECLS

/* Signals: "run" (PerficaEntry): "Run in terminal". "toast" (string): something to say. */
#define PERFICA_TYPE_ACTIVITY_PAGE (perfica_activity_page_get_type ())
G_DECLARE_FINAL_TYPE (PerficaActivityPage, perfica_activity_page, PERFICA, ACTIVITY_PAGE, AdwBin)

/**
 * perfica_activity_page_set_board:
 * @gateway: whose activity
 * @board: (nullable): whose entries
 */
void perfica_activity_page_set_board (PerficaActivityPage *self,
                                      PerficaGateway *gateway,
                                      PerficaBoard *board);

/**
 * perfica_activity_page_set_narrow:
 * @narrow: whether the filters go below the search
 */
void perfica_activity_page_set_narrow (PerficaActivityPage *self, gboolean narrow);

/**
 * perfica_activity_page_focus_search:
 */
void perfica_activity_page_focus_search (PerficaActivityPage *self);

G_END_DECLS

/* Agents that ask to join a board, also those that left again before anybody looked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"

G_BEGIN_DECLS

/* Property "count" (read): how many ask; it is invisible while none does.
 * Signal "review" (PerficaAttachment): the question about this one should be shown. */
#define PERFICA_TYPE_JOINING_GROUP (perfica_joining_group_get_type ())
G_DECLARE_FINAL_TYPE (
    PerficaJoiningGroup, perfica_joining_group, PERFICA, JOINING_GROUP, AdwPreferencesGroup)

/**
 * perfica_joining_group_set_board:
 * @gateway: whose attachments are shown
 * @board: (nullable): those of this board
 */
void perfica_joining_group_set_board (PerficaJoiningGroup *self,
                                      PerficaGateway *gateway,
                                      PerficaBoard *board);

guint perfica_joining_group_get_count (PerficaJoiningGroup *self);

G_END_DECLS

/* The text of boards.json, version 1.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-store.h"

G_BEGIN_DECLS

#define PERFICA_STORE_VERSION 1

/* Fills @settings with what holds when nobody chose. */
void perfica_settings_init (PerficaSettings *settings);
void perfica_settings_clear (PerficaSettings *settings);

/**
 * perfica_store_json_read:
 * @text: what the file holds
 * @boards: an empty store, filled; half filled on error
 * @settings: initialised; changed
 * @error: %PERFICA_ERROR_STORE: anything out of shape makes the whole unreadable, since half of it
 *   could mean something looser than what was chosen
 */
gboolean perfica_store_json_read (
    const char *text, gsize length, GListStore *boards, PerficaSettings *settings, GError **error);

/* Returns: (transfer full): the text */
char *perfica_store_json_write (GListModel *boards, const PerficaSettings *settings);

G_END_DECLS

/* A second instance hands its folders to the one that runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * perfica_hand_over:
 * @socket: path of the gateway's socket
 * @folders: (array zero-terminated=1): absolute paths; with none the other window is raised
 * @error: return location for an error: nobody answers within 5 s, or the gateway's own words,
 *   a %PERFICA_WIRE_ERROR
 *
 * Blocks; runs a main loop of its own.
 *
 * Returns: %TRUE if every folder was taken
 */
gboolean perfica_hand_over (const char *socket, const char *const *folders, GError **error);

G_END_DECLS

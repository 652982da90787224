/* The fresh TMPDIR of each command, and its removal.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A name for a new one below @scratch (PerficaPaths); nothing is made yet. */
char *perfica_scratch_name (const char *scratch);

/* Makes it, 0700; fails if it exists or @scratch isn't ours alone. Blocks. */
gboolean perfica_scratch_make (const char *path, GError **error);

/* Removes it and all below, following no link. Blocks. */
void perfica_scratch_remove (const char *path);

G_END_DECLS

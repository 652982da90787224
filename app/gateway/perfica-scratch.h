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

/* Gives what an earlier process left at @scratch another name, so that it can be removed while new
 * commands have theirs made. A rename, nothing more. */
void perfica_scratch_set_aside (const char *scratch);

/* Removes all that was ever set aside. Blocks. */
void perfica_scratch_remove_aside (const char *scratch);

/* Removes it and all below, following no link. Blocks. */
void perfica_scratch_remove (const char *path);

G_END_DECLS

/* A small file of our own: read with care, written whole and atomically.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * perfica_store_file_read:
 * @path: the file
 * @max: a longer one is an error
 * @text: (out) (transfer full) (nullable): what it holds, NUL-terminated; %NULL when there is no
 *   such file
 * @length: (out): in bytes
 * @error: %PERFICA_ERROR_STORE when it isn't a regular file of ours, others may write it, it is
 *   too long or can't be read
 */
gboolean
perfica_store_file_read (const char *path, gsize max, char **text, gsize *length, GError **error);

/**
 * perfica_store_file_write:
 * @path: the file
 * @error: %PERFICA_ERROR_STORE
 *
 * Writes a new file (0600) beside it, syncs it, puts it in its place and syncs the folder. The old
 * one is whole until the new one is. Blocks: call it on a worker.
 */
gboolean perfica_store_file_write (const char *path, const char *text, GError **error);

/**
 * perfica_store_file_set_aside:
 * @path: a file that can't be used
 * @error: %PERFICA_ERROR_STORE
 *
 * Renames it to "NAME.unreadable-N", the first N that is free.
 */
gboolean perfica_store_file_set_aside (const char *path, GError **error);

G_END_DECLS

/* Which folders may be a board or a loop.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-paths.h"

G_BEGIN_DECLS

/**
 * perfica_board_folder_check:
 * @folder: a path
 * @paths: our own folders and the home folder
 * @error: %PERFICA_ERROR_FOLDER with the reason, a sentence for people
 *
 * A board can't be `/`, the home folder or what holds it, nor anything that holds or lies in our
 * own folders. Links are followed first; folders are told apart by device and inode, not by name.
 * Looks at the disk.
 *
 * Returns: (transfer full): the physical path
 */
char *perfica_board_folder_check (const char *folder, const PerficaPaths *paths, GError **error);

/**
 * perfica_board_folder_check_loop:
 * @project: the board's folder, physical
 * @folder: the loop's folder, absolute or relative to @project
 * @error: %PERFICA_ERROR_FOLDER with the reason
 *
 * Returns: (transfer full): the loop's folder relative to @project, "." for all of it
 */
char *perfica_board_folder_check_loop (const char *project, const char *folder, GError **error);

/**
 * perfica_board_folder_relative:
 * @project: absolute physical path
 * @path: absolute physical path
 *
 * Returns: (transfer full) (nullable): @path relative to @project ("." for itself), %NULL when it
 *   lies outside
 */
char *perfica_board_folder_relative (const char *project, const char *path);

/* Whether one lies in the other or is it; both relative to the same project, "." = all of it. */
gboolean perfica_board_folder_contains (const char *outer, const char *inner);

/* Absolute path of a folder relative to a project. */
char *perfica_board_folder_absolute (const char *project, const char *relative);

/* Whether a name or path can be shown and kept: UTF-8, no control or format characters, at most
 * @max bytes. */
gboolean perfica_board_folder_is_plain (const char *text, gsize max);

G_END_DECLS

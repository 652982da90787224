/* What the sandbox makes of a project's folders, as a tree for people.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PerficaFolderLine:
 * @name: (owned): the folder's name, relative to the line above it that encloses it
 * @depth: 0 = the project itself
 * @writable: a command of the loop can write there
 * @is_own: it is the loop's own folder
 * @is_loop: it is some loop's folder
 */
typedef struct
{
  char *name;
  guint depth;
  gboolean writable;
  gboolean is_own;
  gboolean is_loop;
} PerficaFolderLine;

void perfica_folder_line_free (PerficaFolderLine *line);

/**
 * perfica_folder_tree:
 * @project: the project's name
 * @own: the loop's folder, relative to the project ("." = all of it)
 * @loops: (array zero-terminated=1): every loop's folder, relative to the project
 *
 * Pure. The project, each loop's folder, and the app's folder, in the order of a tree. The
 * innermost loop owns a folder; the app's folder is never writable.
 *
 * Returns: (transfer full) (element-type PerficaFolderLine): the lines
 */
GPtrArray *perfica_folder_tree (const char *project, const char *own, const char *const *loops);

G_END_DECLS

/* Whole outputs in the app's folder of a project: `.perfica/outputs/N.log`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PERFICA_APP_FOLDER ".perfica"
/* One output is cut there; all of a project's together, and their age, are bounded too. */
#define PERFICA_OUTPUT_MAX (G_GUINT64_CONSTANT (256) * 1024 * 1024)
#define PERFICA_OUTPUTS_MAX (G_GUINT64_CONSTANT (1024) * 1024 * 1024)
#define PERFICA_OUTPUTS_DAYS 30

/**
 * perfica_outputs_prepare:
 * @project: the board's folder, physical
 * @error: %PERFICA_ERROR_OUTPUT: `.perfica` is a link, isn't ours, or can't be made
 *
 * Makes the app's folder with its .gitignore. Follows no link below @project. Blocks.
 */
gboolean perfica_outputs_prepare (const char *project, GError **error);

/**
 * perfica_outputs_open:
 * @record: the id of the command's row
 * @path: (out) (transfer full): the file, relative to the project
 *
 * Returns: a new file's descriptor, or -1 with %PERFICA_ERROR_OUTPUT. Blocks.
 */
int perfica_outputs_open (const char *project, gint64 record, char **path, GError **error);

/* Removes the oldest outputs beyond the limits. Blocks. */
void perfica_outputs_prune (const char *project, gint64 now_seconds);

G_END_DECLS

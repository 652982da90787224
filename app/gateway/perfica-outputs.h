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
#define PERFICA_OUTPUTS_FILES 10000
/* The newest ones stay whatever they weigh: an agent was just told of them. */
#define PERFICA_OUTPUTS_NEWEST 8

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

/**
 * perfica_outputs_remove:
 * @path: as perfica_outputs_open() gave it
 *
 * Removes that output. Makes nothing, follows no link. Blocks.
 */
void perfica_outputs_remove (const char *project, const char *path);

/**
 * perfica_outputs_prune:
 * @running: (array zero-terminated=1) (nullable): paths, as perfica_outputs_open() gave them, of
 *   those that are still written
 * @now_seconds: wall clock
 *
 * Removes outputs that are too old, and the oldest beyond the limits of their number and size;
 * never one of @running nor one of the %PERFICA_OUTPUTS_NEWEST last written. Makes nothing where
 * there is no app's folder, follows no link. Blocks.
 */
void perfica_outputs_prune (const char *project, const char *const *running, gint64 now_seconds);

G_END_DECLS

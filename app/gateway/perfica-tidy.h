/* Removes what runs leave behind: old outputs, and what a kill kept from being removed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A project's outputs are looked at again once it has so many more of them, or so many bytes: they
 * exceed their limits (perfica-outputs.h) by no more than that. */
#define PERFICA_TIDY_FILES 32
#define PERFICA_TIDY_BYTES (G_GUINT64_CONSTANT (64) * 1024 * 1024)

/* Main thread; the work itself is done on workers. */
typedef struct _PerficaTidy PerficaTidy;

PerficaTidy *perfica_tidy_new (void);
void perfica_tidy_free (PerficaTidy *self);

/* Removes what perfica_scratch_set_aside() set aside. */
void perfica_tidy_remove_scratch (PerficaTidy *self, const char *scratch);

/* Removes one output that nobody will want; @path as perfica_outputs_open() gave it. */
void perfica_tidy_remove_output (PerficaTidy *self, const char *project, const char *path);

/* Prunes the outputs of @project now. @running: (array zero-terminated=1): paths of those that are
 * still written, as perfica_outputs_open() gave them */
void perfica_tidy_prune (PerficaTidy *self, const char *project, const char *const *running);

/**
 * perfica_tidy_take_note:
 * @project: the board's folder
 * @bytes: size of the output that was written there
 *
 * Returns: whether it is time for perfica_tidy_prune()
 */
gboolean perfica_tidy_take_note (PerficaTidy *self, const char *project, guint64 bytes);

G_END_DECLS

/* Reads commands with the guard on a few workers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

#include "guard.h"

G_BEGIN_DECLS

/* So many readings may wait; more is refused as busy. */
#define PERFICA_MAX_READINGS 128

/**
 * PerficaReading:
 * @command: the text
 * @project: the board's folder, physical
 * @loop: the loop's folder, relative to @project
 * @loops: (array zero-terminated=1): what else is owned by somebody: other loops and boards inside
 *   this one, relative to @project
 * @inner: (array zero-terminated=1): those of @loops that are boards: nothing may start there
 * @wanted_folder: (nullable): absolute, or relative to the loop's folder
 * @home: (nullable): the person's home
 * @tmpdir: $TMPDIR in the run
 * @sandbox: it will be confined
 * @folder: (out): where it starts, relative to @project
 * @verdict: (out): what the guard says
 *
 * A value that goes to a worker and comes back filled.
 */
typedef struct
{
  char *command;
  char *project;
  char *loop;
  char **loops;
  char **inner;
  char *wanted_folder;
  char *home;
  char *tmpdir;
  gboolean sandbox;
  char *folder;
  GuardVerdict *verdict;
} PerficaReading;

void perfica_reading_free (PerficaReading *reading);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaReading, perfica_reading_free)

typedef struct _PerficaReader PerficaReader;

PerficaReader *perfica_reader_new (void);
/* Waits for readings that are under way. */
void perfica_reader_free (PerficaReader *self);

/**
 * perfica_reader_read_async:
 * @reading: (transfer full)
 *
 * Returns (finish): (transfer full): the reading, filled. %PERFICA_ERROR_BUSY when too many wait,
 *   %PERFICA_ERROR_FOLDER when the folder isn't one of the project.
 */
void perfica_reader_read_async (PerficaReader *self,
                                PerficaReading *reading,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
PerficaReading *
perfica_reader_read_finish (PerficaReader *self, GAsyncResult *result, GError **error);

/**
 * perfica_reader_verify_async:
 * @pins: what a verdict pinned
 *
 * Returns (finish): %TRUE if all still is what was read; @changed says what isn't.
 */
void perfica_reader_verify_async (PerficaReader *self,
                                  const char *const *pins,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean perfica_reader_verify_finish (PerficaReader *self, GAsyncResult *result, char **changed);

/* Path of bash, or %NULL when there is none. */
const char *perfica_reader_bash (void);

G_END_DECLS

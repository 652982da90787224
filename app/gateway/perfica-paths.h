/* Where Perfica keeps its own files, and the lock that makes it the only one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PerficaPaths:
 * @config: `$XDG_CONFIG_HOME/perfica`, physical path
 * @state: `$XDG_STATE_HOME/perfica`, physical path
 * @runtime: `$XDG_RUNTIME_DIR/perfica`, physical path
 * @home: (nullable): the person's home, physical path
 * @boards: boards.json
 * @limits: limits.json
 * @activity: activity.db
 * @socket: the gateway's socket
 * @scratch: where the fresh TMPDIR of each command is made; not made before the first use
 * @lock_fd: the locked folder of the socket, or -1
 *
 * All folders but @home are ours alone (0700).
 */
typedef struct
{
  char *config;
  char *state;
  char *runtime;
  char *home;
  char *boards;
  char *limits;
  char *activity;
  char *socket;
  char *scratch;
  int lock_fd;
} PerficaPaths;

/**
 * perfica_paths_new:
 * @error: %PERFICA_ERROR_RUNTIME when there is no place for the socket, %PERFICA_ERROR_STORE when
 *   a folder can't be made or isn't ours
 *
 * Finds the folders from the environment and makes them. Without XDG_RUNTIME_DIR it is
 * /run/user/UID, if that is ours.
 *
 * Returns: (transfer full): the paths
 */
PerficaPaths *perfica_paths_new (GError **error);
void perfica_paths_free (PerficaPaths *paths);

/**
 * perfica_paths_lock:
 * @error: %PERFICA_ERROR_RUNNING when another process has the lock
 *
 * Locks the socket's folder until the process ends or the paths are freed. Not inherited by what
 * is spawned.
 */
gboolean perfica_paths_lock (PerficaPaths *paths, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaPaths, perfica_paths_free)

G_END_DECLS

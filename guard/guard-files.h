/* The guard's only way to the disk: small, read-only, and replaced by tests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GuardFileType:
 *
 * What lies at a path.
 */
typedef enum
{
  GUARD_FILE_ABSENT,
  GUARD_FILE_REGULAR,
  GUARD_FILE_FOLDER,
  GUARD_FILE_LINK,
  GUARD_FILE_OTHER,
} GuardFileType;

typedef struct _GuardFiles GuardFiles;

/**
 * GuardFiles:
 * @resolve: the physical path of @path (symbolic links followed, `..` physical;
 *   parts that don't exist yet are kept as they are); %NULL when it cannot be told
 * @stat: what lies at @path, links not followed; @n_links gets the hard-link count
 * @list: (array zero-terminated=1): names in a folder, at most @max; %NULL when
 *   it can't be listed or has more
 * @read: at most @max bytes of a regular file inside the project; %NULL otherwise
 *
 * A view of the disk. Paths are absolute. Every function may be called from
 * any thread and must bound what it reads.
 */
struct _GuardFiles
{
  char *(*resolve) (const GuardFiles *files, const char *path);
  GuardFileType (*stat) (const GuardFiles *files,
                         const char *path,
                         guint *n_links,
                         gboolean *executable);
  char **(*list) (const GuardFiles *files, const char *path, guint max);
  char *(*read) (const GuardFiles *files, const char *path, gsize max, gsize *length);
  gpointer data;
};

/**
 * guard_files_disk:
 *
 * Returns: (transfer none): the view of the real disk, stateless
 */
const GuardFiles *guard_files_disk (void);

G_END_DECLS

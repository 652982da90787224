/* The fresh TMPDIR of each command, and its removal.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfica-error.h"

#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
/* One descriptor a level; a tree deeper than this stays for the next start. */
#define MAX_DEPTH 256
/* Between the folder's name and what makes it another one. */
#define ASIDE ".old-"

char *
perfica_scratch_name (const char *scratch)
{
  g_autofree char *uuid = g_uuid_string_random ();

  uuid[8] = '\0';
  return g_strdup_printf ("%s/%s%.4s", scratch, uuid, uuid + 9);
}

static int
open_parent (const char *path)
{
  g_autofree char *parent = g_path_get_dirname (path);
  struct stat info;
  int fd;

  if (mkdir (parent, 0700) != 0 && errno != EEXIST)
    return -1;
  fd = open (parent, FOLDER_FLAGS);
  if (fd < 0)
    return -1;
  if (fstat (fd, &info) == 0 && info.st_uid == geteuid () && (info.st_mode & 077) == 0)
    return fd;
  close (fd);
  errno = EPERM;
  return -1;
}

gboolean
perfica_scratch_make (const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  int parent = open_parent (path);

  if (parent >= 0 && mkdirat (parent, name, 0700) == 0)
    return close (parent) == 0;
  g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_OUTPUT,
               _ ("The command's temporary folder %s can't be made: %s."), path,
               g_strerror (errno));
  if (parent >= 0)
    close (parent);
  return FALSE;
}

void
perfica_scratch_set_aside (const char *scratch)
{
  g_autofree char *uuid = g_uuid_string_random ();
  g_autofree char *aside = g_strdup_printf ("%s" ASIDE "%.8s", scratch, uuid);

  rename (scratch, aside);
}

static void
empty (int folder, guint depth)
{
  int copy = openat (folder, ".", FOLDER_FLAGS);
  DIR *entries = copy >= 0 ? fdopendir (copy) : NULL;
  struct dirent *entry;

  if (!entries)
    {
      if (copy >= 0)
        close (copy);
      return;
    }
  while ((entry = readdir (entries)))
    {
      int below;

      if (g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, "..") ||
          unlinkat (folder, entry->d_name, 0) == 0)
        continue;
      /* Read-only folders (Go's module cache) have to be opened up first. */
      if (depth >= MAX_DEPTH)
        continue;
      below = openat (folder, entry->d_name, FOLDER_FLAGS);
      if (below < 0 && errno == EACCES && fchmodat (folder, entry->d_name, 0700, 0) == 0)
        below = openat (folder, entry->d_name, FOLDER_FLAGS);
      if (below < 0)
        continue;
      if (fchmod (below, 0700) == 0)
        empty (below, depth + 1);
      close (below);
      unlinkat (folder, entry->d_name, AT_REMOVEDIR);
    }
  closedir (entries);
}

void
perfica_scratch_remove (const char *path)
{
  int fd = open (path, FOLDER_FLAGS);

  if (fd < 0)
    return;
  fchmod (fd, 0700);
  empty (fd, 0);
  close (fd);
  rmdir (path);
}

void
perfica_scratch_remove_aside (const char *scratch)
{
  g_autofree char *parent = g_path_get_dirname (scratch);
  g_autofree char *name = g_path_get_basename (scratch);
  g_autofree char *prefix = g_strconcat (name, ASIDE, NULL);
  g_autoptr (GDir) entries = g_dir_open (parent, 0, NULL);
  const char *entry;

  while (entries && (entry = g_dir_read_name (entries)))
    if (g_str_has_prefix (entry, prefix))
      {
        g_autofree char *path = g_build_filename (parent, entry, NULL);

        perfica_scratch_remove (path);
      }
}

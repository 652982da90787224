/* The real disk.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Follows links as the kernel does; parts that don't exist yet are kept. */
static char *
disk_resolve (const GuardFiles *files, const char *path)
{
  char buffer[PATH_MAX];
  g_autofree char *head = NULL;
  g_autoptr (GString) tail = NULL;

  if (path[0] != '/' || strlen (path) >= PATH_MAX)
    return NULL;
  if (realpath (path, buffer) != NULL)
    return g_strdup (buffer);
  if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
    return NULL;
  head = g_strdup (path);
  tail = g_string_new (NULL);
  while (TRUE)
    {
      char *slash;
      struct stat info;

      while (strlen (head) > 1 && g_str_has_suffix (head, "/"))
        head[strlen (head) - 1] = '\0';
      /* A link that leads nowhere: what it names is where a write would land. */
      if (lstat (head, &info) == 0 && S_ISLNK (info.st_mode) && realpath (head, buffer) == NULL)
        {
          g_autofree char *folder = g_path_get_dirname (head);
          ssize_t size = readlink (head, buffer, sizeof buffer - 1);
          g_autofree char *next = NULL;
          static _Thread_local guint depth;
          char *found;

          if (size <= 0 || depth > 8)
            return NULL;
          buffer[size] = '\0';
          next = buffer[0] == '/' ? g_strconcat (buffer, tail->str, NULL)
                                  : g_strconcat (folder, "/", buffer, tail->str, NULL);
          depth++;
          found = disk_resolve (files, next);
          depth--;
          return found;
        }
      if (realpath (head, buffer) != NULL)
        break;
      slash = strrchr (head, '/');
      if (slash == NULL)
        return NULL;
      if (strcmp (slash + 1, "..") == 0)
        {
          /* `..` of what doesn't exist: taken lexically. */
          g_autofree char *canonical = g_canonicalize_filename (path, "/");

          return strcmp (canonical, path) != 0 ? disk_resolve (files, canonical)
                                               : g_steal_pointer (&canonical);
        }
      if (strcmp (slash + 1, ".") != 0)
        {
          g_string_prepend (tail, slash + 1);
          g_string_prepend_c (tail, '/');
        }
      if (slash == head)
        {
          g_strlcpy (buffer, "", sizeof buffer);
          break;
        }
      *slash = '\0';
    }
  return g_strconcat (strcmp (buffer, "/") == 0 ? "" : buffer, tail->str, NULL);
}

static GuardFileType
disk_stat (const GuardFiles *files, const char *path, guint *n_links, gboolean *executable)
{
  struct stat info;

  if (lstat (path, &info) != 0)
    {
      if (n_links != NULL)
        *n_links = 0;
      if (executable != NULL)
        *executable = FALSE;
      return GUARD_FILE_ABSENT;
    }
  if (n_links != NULL)
    *n_links = (guint) MIN (info.st_nlink, G_MAXUINT);
  if (executable != NULL)
    *executable = S_ISREG (info.st_mode) && (info.st_mode & 0111) != 0;
  if (S_ISREG (info.st_mode))
    return GUARD_FILE_REGULAR;
  if (S_ISDIR (info.st_mode))
    return GUARD_FILE_FOLDER;
  return S_ISLNK (info.st_mode) ? GUARD_FILE_LINK : GUARD_FILE_OTHER;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char **
disk_list (const GuardFiles *files, const char *path, guint max)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) names = NULL;
  const char *name;

  if (folder == NULL)
    return NULL;
  names = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (folder)) != NULL)
    {
      if (names->len >= max)
        return NULL;
      g_ptr_array_add (names, g_strdup (name));
    }
  /* The disk's order is nobody's: a verdict must not depend on it. */
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

/* Never waits: a FIFO put in a file's place is no regular file. */
static char *
disk_read (const GuardFiles *files, const char *path, gsize max, gsize *length)
{
  int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  struct stat info;
  g_autofree char *text = NULL;
  gsize size = 0;

  if (fd < 0)
    return NULL;
  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode))
    {
      close (fd);
      return NULL;
    }
  text = g_malloc (max + 1);
  while (size < max)
    {
      ssize_t got = read (fd, text + size, max - size);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        {
          close (fd);
          return NULL;
        }
      if (got == 0)
        break;
      size += (gsize) got;
    }
  close (fd);
  text[size] = '\0';
  *length = size;
  return g_steal_pointer (&text);
}

static const GuardFiles disk = { disk_resolve, disk_stat, disk_list, disk_read, NULL };

const GuardFiles *
guard_files_disk (void)
{
  return &disk;
}

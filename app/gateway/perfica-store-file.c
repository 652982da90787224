/* A small file of our own: read with care, written whole and atomically.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-store-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfica-error.h"

#define MAX_SET_ASIDE 1000

static gboolean
fail (GError **error, const char *path, const char *why)
{
  g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_STORE, _ ("%s can't be used: %s."), path, why);
  return FALSE;
}

static gssize
read_all (int fd, char *buffer, gsize size)
{
  gsize done = 0;

  while (done < size)
    {
      gssize n = read (fd, buffer + done, size - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -1;
      if (n == 0)
        break;
      done += n;
    }
  return done;
}

gboolean
perfica_store_file_read (const char *path, gsize max, char **text, gsize *length, GError **error)
{
  g_autofree char *buffer = NULL;
  struct stat info;
  gssize n = -1;
  int fd;

  *text = NULL;
  *length = 0;
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return errno == ENOENT ? TRUE : fail (error, path, g_strerror (errno));
  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode))
    {
      close (fd);
      return fail (error, path, _ ("it is no regular file"));
    }
  if (info.st_uid != geteuid () || (info.st_mode & 022) != 0)
    {
      close (fd);
      return fail (error, path, _ ("others may write it"));
    }
  buffer = g_malloc (max + 2);
  n = read_all (fd, buffer, max + 1);
  close (fd);
  if (n < 0)
    return fail (error, path, g_strerror (errno));
  if ((gsize) n > max)
    return fail (error, path, _ ("it is too long"));
  buffer[n] = '\0';
  *length = n;
  *text = g_steal_pointer (&buffer);
  return TRUE;
}

static gboolean
write_all (int fd, const char *text)
{
  gsize left = strlen (text);

  while (left > 0)
    {
      gssize n = write (fd, text, left);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      text += n;
      left -= n;
    }
  return TRUE;
}

static void
sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

gboolean
perfica_store_file_write (const char *path, const char *text, GError **error)
{
  g_autofree char *fresh = g_strdup_printf ("%s.XXXXXX", path);
  int fd = g_mkstemp_full (fresh, O_WRONLY | O_CLOEXEC, 0600);
  int saved = 0;

  if (fd < 0)
    return fail (error, path, g_strerror (errno));
  if (!write_all (fd, text) || fsync (fd) != 0)
    saved = errno;
  if (close (fd) != 0 && saved == 0)
    saved = errno;
  if (saved == 0 && rename (fresh, path) != 0)
    saved = errno;
  if (saved != 0)
    {
      unlink (fresh);
      return fail (error, path, g_strerror (saved));
    }
  sync_folder (path);
  return TRUE;
}

gboolean
perfica_store_file_set_aside (const char *path, GError **error)
{
  for (guint i = 1; i <= MAX_SET_ASIDE; i++)
    {
      g_autofree char *aside = g_strdup_printf ("%s.unreadable-%u", path, i);

      if (link (path, aside) == 0)
        {
          unlink (path);
          sync_folder (path);
          return TRUE;
        }
      if (errno == ENOENT)
        return TRUE;
      if (errno == EEXIST)
        continue;
      /* A folder, or a file system without hard links. */
      if (g_access (aside, F_OK) != 0 && rename (path, aside) == 0)
        return TRUE;
      return fail (error, path, g_strerror (errno));
    }
  return fail (error, path, _ ("too many old ones lie beside it"));
}

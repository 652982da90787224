/* Whole outputs in the app's folder of a project: `.perfica/outputs/N.log`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-outputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfica-error.h"

#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
/* Outputs of a record that began anew (its file was set aside) may bear the same numbers. */
#define MAX_SAME_NUMBER 1000

static int
fail (GError **error, const char *what, int code)
{
  g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_OUTPUT,
               code == ELOOP || code == ENOTDIR
                   ? _ ("The project's %s is a link or a file (%s); remove it, Perfica keeps "
                        "outputs there.")
                   : _ ("The project's %s can't be used: %s."),
               what, g_strerror (code));
  return -1;
}

/* A folder of ours in @parent; never through a link. */
static int
enter (int parent, const char *name, const char *what, gboolean make, GError **error)
{
  struct stat info;
  int fd;

  if (make && mkdirat (parent, name, 0700) != 0 && errno != EEXIST)
    return fail (error, what, errno);
  fd = openat (parent, name, FOLDER_FLAGS);
  if (fd < 0)
    return fail (error, what, errno);
  if (fstat (fd, &info) != 0 || info.st_uid != geteuid () || (info.st_mode & 022) != 0)
    {
      close (fd);
      return fail (error, what, EPERM);
    }
  return fd;
}

static void
write_ignore (int app)
{
  int fd = openat (app, ".gitignore", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

  if (fd < 0)
    return;
  if (write (fd, "*\n", 2) != 2)
    unlinkat (app, ".gitignore", 0);
  close (fd);
}

/* @make: make what isn't there */
static int
open_outputs (const char *project, gboolean make, GError **error)
{
  int root = open (project, FOLDER_FLAGS);
  int app, outputs;

  if (root < 0)
    return fail (error, project, errno);
  app = enter (root, PERFICA_APP_FOLDER, PERFICA_APP_FOLDER, make, error);
  close (root);
  if (app < 0)
    return -1;
  if (make)
    write_ignore (app);
  outputs = enter (app, "outputs", PERFICA_APP_FOLDER "/outputs", make, error);
  close (app);
  return outputs;
}

gboolean
perfica_outputs_prepare (const char *project, GError **error)
{
  int fd = open_outputs (project, TRUE, error);

  return fd >= 0 && close (fd) == 0;
}

int
perfica_outputs_open (const char *project, gint64 record, char **path, GError **error)
{
  int folder = open_outputs (project, TRUE, error);
  int fd = -1;

  if (folder < 0)
    return -1;
  for (guint i = 0; fd < 0 && i < MAX_SAME_NUMBER; i++)
    {
      g_autofree char *name = i == 0 ? g_strdup_printf ("%" G_GINT64_FORMAT ".log", record)
                                     : g_strdup_printf ("%" G_GINT64_FORMAT "-%u.log", record, i);

      fd = openat (folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
      if (fd >= 0)
        *path = g_strdup_printf (PERFICA_APP_FOLDER "/outputs/%s", name);
      else if (errno != EEXIST)
        break;
    }
  if (fd < 0)
    fail (error, PERFICA_APP_FOLDER "/outputs", errno);
  close (folder);
  return fd;
}

typedef struct
{
  char *name;
  gint64 time; /* last written: seconds, and the rest of it */
  gint64 nanoseconds;
  guint64 size;
} Output;

static void
output_free (gpointer data)
{
  g_free (((Output *) data)->name);
  g_free (data);
}

static int
newest_first (gconstpointer a, gconstpointer b)
{
  const Output *one = *(Output *const *) a, *two = *(Output *const *) b;

  if (two->time != one->time)
    return two->time > one->time ? 1 : -1;
  return (two->nanoseconds > one->nanoseconds) - (two->nanoseconds < one->nanoseconds);
}

static GPtrArray *
list_outputs (int folder)
{
  GPtrArray *outputs = g_ptr_array_new_with_free_func (output_free);
  int copy = openat (folder, ".", FOLDER_FLAGS);
  DIR *entries = copy >= 0 ? fdopendir (copy) : NULL;
  struct dirent *entry;
  struct stat info;

  if (!entries)
    {
      if (copy >= 0)
        close (copy);
      return outputs;
    }
  while ((entry = readdir (entries)))
    if (g_str_has_suffix (entry->d_name, ".log") &&
        fstatat (folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG (info.st_mode))
      {
        Output *output = g_new0 (Output, 1);

        output->name = g_strdup (entry->d_name);
        output->time = info.st_mtim.tv_sec;
        output->nanoseconds = info.st_mtim.tv_nsec;
        output->size = info.st_size;
        g_ptr_array_add (outputs, output);
      }
  closedir (entries);
  return outputs;
}

void
perfica_outputs_remove (const char *project, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  int folder = open_outputs (project, FALSE, NULL);

  if (folder < 0)
    return;
  unlinkat (folder, name, 0);
  close (folder);
}

static gboolean
is_running (const char *name, const char *const *running)
{
  for (; running && *running; running++)
    if (g_str_has_prefix (*running, PERFICA_APP_FOLDER "/outputs/") &&
        g_str_equal (*running + strlen (PERFICA_APP_FOLDER "/outputs/"), name))
      return TRUE;
  return FALSE;
}

void
perfica_outputs_prune (const char *project, const char *const *running, gint64 now_seconds)
{
  int folder = open_outputs (project, FALSE, NULL);
  g_autoptr (GPtrArray) outputs = NULL;
  guint64 total = 0;
  guint kept = 0;

  if (folder < 0)
    return;
  outputs = list_outputs (folder);
  g_ptr_array_sort (outputs, newest_first);
  for (guint i = 0; i < outputs->len; i++)
    {
      const Output *output = outputs->pdata[i];
      gboolean stays = i < PERFICA_OUTPUTS_NEWEST || is_running (output->name, running);
      gboolean fits = output->size <= PERFICA_OUTPUTS_MAX - MIN (total, PERFICA_OUTPUTS_MAX) &&
                      kept < PERFICA_OUTPUTS_FILES &&
                      now_seconds - output->time <= PERFICA_OUTPUTS_DAYS * 24 * 60 * 60;

      /* One that is too big for what is left makes room for no older one. */
      total += output->size;
      if (stays || fits)
        kept++;
      else
        unlinkat (folder, output->name, 0);
    }
  close (folder);
}

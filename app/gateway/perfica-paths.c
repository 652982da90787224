/* Where Perfica keeps its own files, and the lock that makes it the only one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-paths.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfica-error.h"

/* The XDG rule: a variable that isn't an absolute path counts as unset. GLib's own functions
 * remember the first answer for the whole process, so they aren't used. */
static char *
base_folder (const char *variable, const char *home, const char *below_home)
{
  const char *value = g_getenv (variable);

  if (value && g_path_is_absolute (value))
    return g_strdup (value);
  return home ? g_build_filename (home, below_home, NULL) : NULL;
}

static char *
physical (const char *path)
{
  g_autofree char *resolved = NULL;
  char *real = realpath (path, NULL);

  if (!real)
    return NULL;
  resolved = g_strdup (real);
  free (real);
  return g_steal_pointer (&resolved);
}

/* Opens a folder that must be ours, and no link; closes what others could open. */
static int
open_own (const char *path)
{
  struct stat info;
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  if (fd < 0)
    return -1;
  if (fstat (fd, &info) == 0 && info.st_uid == geteuid () &&
      ((info.st_mode & 077) == 0 || fchmod (fd, 0700) == 0))
    return fd;
  close (fd);
  errno = EPERM;
  return -1;
}

static char *
make_own (const char *base, PerficaError code, GError **error)
{
  g_autofree char *path = base ? g_build_filename (base, "perfica", NULL) : NULL;
  int fd = -1;

  if (path && g_mkdir_with_parents (path, 0700) == 0)
    fd = open_own (path);
  if (fd >= 0 && faccessat (fd, ".", W_OK, AT_EACCESS) != 0)
    {
      int reason = errno;

      close (fd);
      fd = -1;
      errno = reason;
    }
  if (fd < 0)
    {
      g_set_error (error, PERFICA_ERROR, code, _ ("Perfica can't use its folder %s: %s."),
                   path ? path : "~", path ? g_strerror (errno) : _ ("there is no home folder"));
      return NULL;
    }
  close (fd);
  return physical (path);
}

static char *
runtime_base (GError **error)
{
  const char *value = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *path = NULL;
  struct stat info;

  if (value && g_path_is_absolute (value))
    path = g_strdup (value);
  else
    path = g_strdup_printf ("/run/user/%u", (guint) geteuid ());
  if (stat (path, &info) == 0 && S_ISDIR (info.st_mode) && info.st_uid == geteuid () &&
      (info.st_mode & 022) == 0)
    return g_steal_pointer (&path);

  g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_RUNTIME,
               _ ("There is no runtime folder for Perfica's socket: set XDG_RUNTIME_DIR to a "
                  "folder that is yours alone (%s isn't)."),
               path);
  return NULL;
}

/* /tmp rather than the runtime folder: that one is small and on some systems noexec. The name holds
 * a hash of the runtime folder, so that two gateways of one person never share it. */
static char *
scratch_folder (const char *runtime)
{
  g_autofree char *tmp = physical (g_get_tmp_dir ());
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, runtime, -1);

  hash[8] = '\0';
  return g_strdup_printf ("%s/perfica-%u-%s", tmp ? tmp : "/tmp", (guint) geteuid (), hash);
}

PerficaPaths *
perfica_paths_new (GError **error)
{
  g_autoptr (PerficaPaths) self = g_new0 (PerficaPaths, 1);
  g_autofree char *config = NULL;
  g_autofree char *state = NULL;
  g_autofree char *runtime = NULL;
  const char *home = g_get_home_dir ();

  self->lock_fd = -1;
  self->home = home ? physical (home) : NULL;
  config = base_folder ("XDG_CONFIG_HOME", home, ".config");
  state = base_folder ("XDG_STATE_HOME", home, ".local/state");
  if (!(runtime = runtime_base (error)) ||
      !(self->runtime = make_own (runtime, PERFICA_ERROR_RUNTIME, error)) ||
      !(self->config = make_own (config, PERFICA_ERROR_STORE, error)) ||
      !(self->state = make_own (state, PERFICA_ERROR_STORE, error)))
    return NULL;
  self->boards = g_build_filename (self->config, "boards.json", NULL);
  self->limits = g_build_filename (self->config, "limits.json", NULL);
  self->activity = g_build_filename (self->state, "activity.db", NULL);
  self->socket = g_build_filename (self->runtime, "gateway", NULL);
  self->scratch = scratch_folder (self->runtime);
  return g_steal_pointer (&self);
}

void
perfica_paths_free (PerficaPaths *paths)
{
  if (paths->lock_fd >= 0)
    close (paths->lock_fd);
  g_free (paths->config);
  g_free (paths->state);
  g_free (paths->runtime);
  g_free (paths->home);
  g_free (paths->boards);
  g_free (paths->limits);
  g_free (paths->activity);
  g_free (paths->socket);
  g_free (paths->scratch);
  g_free (paths);
}

gboolean
perfica_paths_lock (PerficaPaths *paths, GError **error)
{
  int fd;

  if (paths->lock_fd >= 0)
    return TRUE;
  fd = open_own (paths->runtime);
  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0)
    {
      paths->lock_fd = fd;
      return TRUE;
    }
  if (fd >= 0 && errno == EWOULDBLOCK)
    g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_RUNNING,
                 _ ("Another Perfica is running already."));
  else
    g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_RUNTIME, _ ("Perfica can't lock %s: %s."),
                 paths->runtime, g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return FALSE;
}

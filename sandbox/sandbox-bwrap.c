/* What the installed bwrap is and can do.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-backend.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static GMutex lock;
static struct
{
  gboolean known;
  struct stat status;
  SandboxBwrap bwrap;
} cache;

static gboolean
has_option (const char *help, const char *option)
{
  gsize length = strlen (option);

  for (const char *at = strstr (help, option); at != NULL; at = strstr (at + 1, option))
    if (at > help && g_ascii_isspace (at[-1]) && g_ascii_isspace (at[length]))
      return TRUE;
  return FALSE;
}

/* FALSE when it is too old for a plan of ours, or isn't bwrap's help at all. */
gboolean
sandbox_bwrap_parse_help (const char *help, SandboxBwrap *bwrap)
{
  static const char *const needed[] = { "--args",    "--unshare-all", "--die-with-parent",
                                        "--seccomp", "--as-pid-1",    "--json-status-fd",
                                        "--cap-drop" };

  bwrap->bind_fd = has_option (help, "--bind-fd") && has_option (help, "--ro-bind-fd");
  bwrap->disable_userns = has_option (help, "--disable-userns");
  bwrap->perms_size = has_option (help, "--perms") && has_option (help, "--size");
  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    if (!has_option (help, needed[i]))
      return FALSE;
  return TRUE;
}

gboolean
sandbox_bwrap_get (SandboxBwrap *bwrap, GError **error)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&lock);
  g_autofree char *help = NULL;
  const char *argv[] = { SANDBOX_BWRAP, "--help", NULL };
  g_autoptr (GError) reason = NULL;
  struct stat status;

  if (stat (SANDBOX_BWRAP, &status) != 0)
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNAVAILABLE,
                   _ ("bubblewrap is not installed (%s)"), SANDBOX_BWRAP);
      return FALSE;
    }
  if (cache.known && cache.status.st_ino == status.st_ino && cache.status.st_dev == status.st_dev &&
      cache.status.st_mode == status.st_mode &&
      cache.status.st_ctim.tv_sec == status.st_ctim.tv_sec &&
      cache.status.st_ctim.tv_nsec == status.st_ctim.tv_nsec)
    {
      *bwrap = cache.bwrap;
      return TRUE;
    }

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &help,
                     NULL, NULL, &reason))
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNAVAILABLE,
                   _ ("bubblewrap can't be started: %s"), reason->message);
      return FALSE;
    }
  if (!sandbox_bwrap_parse_help (help, &cache.bwrap))
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNAVAILABLE,
                   _ ("%s is too old or not bubblewrap"), SANDBOX_BWRAP);
      return FALSE;
    }
  cache.bwrap.is_setuid = (status.st_mode & S_ISUID) != 0;
  cache.status = status;
  cache.known = TRUE;
  *bwrap = cache.bwrap;
  return TRUE;
}

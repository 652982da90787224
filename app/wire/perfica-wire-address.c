/* Where the gateway's socket is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-wire.h"

#include <glib/gi18n-lib.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean
is_own_folder (const char *path)
{
  struct stat st;

  return stat (path, &st) == 0 && S_ISDIR (st.st_mode) && st.st_uid == getuid ();
}

char *
perfica_wire_socket_folder (GError **error)
{
  /* g_get_user_runtime_dir() falls back to the cache folder, which is no safe place. */
  const char *named = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *own = NULL;

  if (named != NULL && g_path_is_absolute (named))
    return g_build_filename (named, "perfica", NULL);
  own = g_strdup_printf ("/run/user/%u", (guint) getuid ());
  if (is_own_folder (own))
    return g_build_filename (own, "perfica", NULL);
  g_set_error_literal (error, PERFICA_WIRE_ERROR, PERFICA_WIRE_CODE_INTERNAL,
                       _ ("There is no place for the gateway's socket: XDG_RUNTIME_DIR is not set, "
                          "and /run/user has no folder of this user."));
  return NULL;
}

char *
perfica_wire_socket_path (GError **error)
{
  g_autofree char *folder = perfica_wire_socket_folder (error);

  return folder != NULL ? g_build_filename (folder, PERFICA_WIRE_SOCKET_NAME, NULL) : NULL;
}

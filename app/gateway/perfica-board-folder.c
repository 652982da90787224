/* Which folders may be a board or a loop.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-board-folder.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "perfica-error.h"

#define REFUSE(...) (g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_FOLDER, __VA_ARGS__), NULL)

static char *
physical (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = g_strdup (real);

  free (real);
  return copy;
}

static gboolean
same (const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether @inner is @outer or lies below it. By inode, so that neither bind mounts nor names that
 * differ in case can hide it. */
static gboolean
holds (const char *outer, const char *inner)
{
  g_autofree char *at = g_strdup (inner);
  struct stat wanted, seen;

  if (stat (outer, &wanted) != 0)
    return FALSE;
  for (;;)
    {
      g_autofree char *parent = NULL;

      if (stat (at, &seen) == 0 && same (&seen, &wanted))
        return TRUE;
      if (g_str_equal (at, "/") || g_str_equal (at, "."))
        return FALSE;
      parent = g_path_get_dirname (at);
      g_free (at);
      at = g_steal_pointer (&parent);
    }
}

gboolean
perfica_board_folder_is_plain (const char *text, gsize max)
{
  if (!text || !*text || strlen (text) > max || !g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *at = text; *at; at = g_utf8_next_char (at))
    {
      GUnicodeType type = g_unichar_type (g_utf8_get_char (at));

      if (type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT ||
          type == G_UNICODE_LINE_SEPARATOR || type == G_UNICODE_PARAGRAPH_SEPARATOR)
        return FALSE;
    }
  return TRUE;
}

char *
perfica_board_folder_check (const char *folder, const PerficaPaths *paths, GError **error)
{
  const char *own[] = { paths->config, paths->state, paths->runtime };
  g_autofree char *path = physical (folder);

  if (!path)
    return REFUSE (_ ("%s can't be opened: %s."), folder, g_strerror (errno));
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return REFUSE (_ ("%s is not a folder."), folder);
  if (!perfica_board_folder_is_plain (path, PATH_MAX))
    return REFUSE (_ ("The folder's path has characters that can't be shown. Rename it first."));
  if (holds (path, "/"))
    return REFUSE (_ ("The whole file system can't be a board. Open the project's own folder."));
  if (paths->home && holds (path, paths->home))
    return REFUSE (
        _ ("Your home folder, or one that holds it, can't be a board. Open the project's own "
           "folder."));
  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    if (holds (path, own[i]) || holds (own[i], path))
      return REFUSE (_ ("%s can't be a board: Perfica keeps its own settings there."), path);
  return g_steal_pointer (&path);
}

char *
perfica_board_folder_relative (const char *project, const char *path)
{
  gsize length = strlen (project);

  if (!g_str_has_prefix (path, project))
    return NULL;
  if (path[length] == '\0')
    return g_strdup (".");
  if (path[length] != '/')
    return NULL;
  return g_strdup (path + length + 1);
}

gboolean
perfica_board_folder_contains (const char *outer, const char *inner)
{
  gsize length = strlen (outer);

  if (g_str_equal (outer, "."))
    return TRUE;
  return g_str_has_prefix (inner, outer) && (inner[length] == '\0' || inner[length] == '/');
}

char *
perfica_board_folder_absolute (const char *project, const char *relative)
{
  return g_str_equal (relative, ".") ? g_strdup (project)
                                     : g_build_filename (project, relative, NULL);
}

char *
perfica_board_folder_check_loop (const char *project, const char *folder, GError **error)
{
  g_autofree char *joined = NULL;
  g_autofree char *path = NULL;
  g_autofree char *relative = NULL;

  if (!perfica_board_folder_is_plain (folder, PATH_MAX))
    return REFUSE (_ ("The folder's path has characters that can't be shown. Rename it first."));
  joined =
      g_path_is_absolute (folder) ? g_strdup (folder) : g_build_filename (project, folder, NULL);
  path = physical (joined);
  if (!path)
    return REFUSE (_ ("%s can't be opened: %s."), folder, g_strerror (errno));
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return REFUSE (_ ("%s is not a folder."), folder);
  relative = perfica_board_folder_relative (project, path);
  if (!relative)
    return REFUSE (_ ("%s lies outside the project."), folder);
  if (perfica_board_folder_contains (".perfica", relative) ||
      perfica_board_folder_contains (".git", relative))
    return REFUSE (_ ("%s belongs to Perfica or git and can't be a loop."), folder);
  return g_steal_pointer (&relative);
}

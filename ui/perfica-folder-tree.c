/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-folder-tree.h"

#include <string.h>

#define APP_FOLDER ".perfica"

void
perfica_folder_line_free (PerficaFolderLine *line)
{
  g_free (line->name);
  g_free (line);
}

/* Whether @inner lies in @outer or is it; both relative, "." is the project. */
static gboolean
lies_in (const char *inner, const char *outer)
{
  gsize length = strlen (outer);

  if (strcmp (outer, ".") == 0)
    return TRUE;
  return strncmp (inner, outer, length) == 0 && (inner[length] == '\0' || inner[length] == '/');
}

/* '/' sorts before everything, so that what lies in a folder follows it at once. */
static int
compare_folders (gconstpointer a, gconstpointer b)
{
  const char *p = *(const char *const *) a;
  const char *q = *(const char *const *) b;

  while (*p != '\0' && *p == *q)
    p++, q++;
  if (*p == *q)
    return 0;
  if (*p == '\0' || *q == '\0')
    return *p == '\0' ? -1 : 1;
  if (*p == '/' || *q == '/')
    return *p == '/' ? -1 : 1;
  return (guchar) *p < (guchar) *q ? -1 : 1;
}

static GPtrArray *
sorted_folders (const char *own, const char *const *loops)
{
  GPtrArray *folders = g_ptr_array_new ();

  g_ptr_array_add (folders, (char *) APP_FOLDER);
  if (strcmp (own, ".") != 0)
    g_ptr_array_add (folders, (char *) own);
  for (gsize i = 0; loops[i] != NULL; i++)
    if (strcmp (loops[i], ".") != 0 && strcmp (loops[i], own) != 0)
      g_ptr_array_add (folders, (char *) loops[i]);
  g_ptr_array_sort (folders, compare_folders);
  return folders;
}

static PerficaFolderLine *
line_for (const char *folder, const char *own, const char *const *loops, GPtrArray *open)
{
  PerficaFolderLine *line = g_new0 (PerficaFolderLine, 1);
  gsize skip = 0;

  while (open->len > 0 && !lies_in (folder, g_ptr_array_index (open, open->len - 1)))
    g_ptr_array_remove_index (open, open->len - 1);
  if (open->len > 0)
    skip = strlen (g_ptr_array_index (open, open->len - 1)) + 1;

  line->name = g_strdup (folder + skip);
  line->depth = open->len + 1;
  line->is_own = strcmp (folder, own) == 0;
  line->is_loop = g_strv_contains (loops, folder) || line->is_own;
  line->writable = line->is_own;
  g_ptr_array_add (open, (char *) folder);
  return line;
}

GPtrArray *
perfica_folder_tree (const char *project, const char *own, const char *const *loops)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func ((GDestroyNotify) perfica_folder_line_free);
  g_autoptr (GPtrArray) folders = sorted_folders (own, loops);
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  PerficaFolderLine *root = g_new0 (PerficaFolderLine, 1);

  root->name = g_strdup (project);
  root->is_own = root->writable = strcmp (own, ".") == 0;
  root->is_loop = root->is_own || g_strv_contains (loops, ".");
  g_ptr_array_add (lines, root);

  for (guint i = 0; i < folders->len; i++)
    g_ptr_array_add (lines, line_for (g_ptr_array_index (folders, i), own, loops, open));
  return lines;
}

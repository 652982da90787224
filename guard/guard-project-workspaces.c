/* The members of a workspace: package.json, pnpm-workspace.yaml and lerna.json name them by
 * pattern.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-project-private.h"

#include <string.h>

/* How deep ** looks. */
#define MAX_LEVELS 4

static void
add_member (GuardProject *project, GPtrArray *members, const char *folder)
{
  static const char *const names[] = { "package.json", NULL };
  g_autofree char *path = guard_project_in_folder (project, folder, names);

  if (!path || g_ptr_array_find_with_equal_func (members, folder, g_str_equal, NULL))
    return;

  if (members->len >= GUARD_PROJECT_MAX_WORKSPACES)
    guard_project_exceed (project);
  else
    g_ptr_array_add (members, g_strdup (folder));
}

static void expand (GuardProject *project,
                    GPtrArray *members,
                    const char *folder,
                    char *const *parts,
                    guint levels);

static void
expand_names (
    GuardProject *project, GPtrArray *members, const char *folder, char *const *parts, guint levels)
{
  gboolean deep = g_str_equal (parts[0], "**");
  g_auto (GStrv) names = guard_project_list (project, folder);

  for (guint i = 0; names && names[i]; i++)
    {
      g_autofree char *path = NULL;

      if (names[i][0] == '.' || g_str_equal (names[i], "node_modules") ||
          (!deep && !g_pattern_match_simple (parts[0], names[i])))
        continue;
      path = g_build_filename (folder, names[i], NULL);
      if (guard_project_exists (project, path))
        continue;
      expand (project, members, path, deep ? parts : parts + 1, levels + 1);
    }
}

static void
expand (
    GuardProject *project, GPtrArray *members, const char *folder, char *const *parts, guint levels)
{
  while (parts[0] && (parts[0][0] == 0 || g_str_equal (parts[0], ".")))
    parts++;

  if (!parts[0])
    {
      add_member (project, members, folder);
      return;
    }
  if (levels > MAX_LEVELS || members->len >= GUARD_PROJECT_MAX_WORKSPACES)
    return;

  if (!strpbrk (parts[0], "*?"))
    {
      g_autofree char *path = g_canonicalize_filename (parts[0], folder);

      expand (project, members, path, parts + 1, levels + 1);
      return;
    }
  if (g_str_equal (parts[0], "**"))
    expand (project, members, folder, parts + 1, levels + 1);
  expand_names (project, members, folder, parts, levels);
}

static void
add_pattern (GuardProject *project, GPtrArray *members, const char *folder, const char *pattern)
{
  g_auto (GStrv) parts = NULL;

  if (pattern[0] == '!' || pattern[0] == 0)
    return;

  parts = g_strsplit (pattern, "/", -1);
  expand (project, members, folder, parts, 0);
}

static void
add_from_json (GuardProject *project, GPtrArray *members, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GuardJson) json =
      guard_project_exists (project, path) ? guard_project_read_json (project, path) : NULL;
  const GuardJsonNode *list;

  if (!json)
    return;

  list = guard_json_member (guard_json_get_root (json), "workspaces");
  if (!list || list->type == GUARD_JSON_OBJECT)
    list = guard_json_member (list ? list : guard_json_get_root (json), "packages");
  if (!list || list->type != GUARD_JSON_ARRAY)
    return;

  for (const GuardJsonNode *item = list->first; item; item = item->next)
    {
      if (item->type == GUARD_JSON_STRING)
        add_pattern (project, members, folder, item->text);
    }
}

/* packages:
 *   - 'apps/a'   */
static void
add_from_pnpm (GuardProject *project, GPtrArray *members, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "pnpm-workspace.yaml", NULL);
  gsize length;
  const char *text = guard_project_exists (project, path)
                         ? guard_project_read (project, path, &length, NULL)
                         : NULL;
  g_auto (GStrv) lines = text ? g_strsplit (text, "\n", -1) : NULL;
  gboolean inside = FALSE;

  for (guint i = 0; lines && lines[i]; i++)
    {
      char *line = g_strstrip (lines[i]);

      if (line[0] == 0 || line[0] == '#')
        continue;
      if (line[0] != '-')
        inside = g_str_has_prefix (line, "packages:");
      else if (inside)
        {
          char *item = g_strstrip (line + 1);
          gsize size = strlen (item);

          if (size >= 2 && (item[0] == '\'' || item[0] == '"') && item[size - 1] == item[0])
            {
              item[size - 1] = 0;
              item++;
            }
          add_pattern (project, members, folder, item);
        }
    }
}

GPtrArray *
guard_workspaces_list (GuardProject *project, const char *folder)
{
  GPtrArray *members = g_ptr_array_new_with_free_func (g_free);

  add_from_json (project, members, folder, "package.json");
  add_from_json (project, members, folder, "lerna.json");
  add_from_pnpm (project, members, folder);

  return members;
}

static gboolean
is_meant (GuardProject *project, const char *root, const char *member, const char *filter)
{
  const char *relative = member + strlen (root);
  g_autofree char *path = g_build_filename (member, "package.json", NULL);
  g_autoptr (GuardJson) json = NULL;
  const char *name;

  while (*relative == '/')
    relative++;
  if (g_str_has_prefix (filter, "./"))
    filter += 2;
  if (g_pattern_match_simple (filter, relative))
    return TRUE;

  json = guard_project_read_json (project, path);
  name = json ? guard_json_string (guard_json_get_root (json), "name") : NULL;
  /* pnpm takes a name without its scope. */
  return name && (g_pattern_match_simple (filter, name) ||
                  (strchr (name, '/') && g_str_equal (strchr (name, '/') + 1, filter)));
}

GPtrArray *
guard_workspaces_match (GuardProject *project, const char *folder, const char *filter)
{
  g_autoptr (GPtrArray) members = guard_workspaces_list (project, folder);
  GPtrArray *meant = g_ptr_array_new_with_free_func (g_free);
  /* What follows dependencies or changes can mean any of them. */
  gboolean all = strpbrk (filter, "!{}[]^") || strstr (filter, "...") || g_str_equal (filter, "*");

  for (guint i = 0; i < members->len; i++)
    {
      const char *member = g_ptr_array_index (members, i);

      if (all || is_meant (project, folder, member, filter))
        g_ptr_array_add (meant, g_strdup (member));
    }

  /* A member's folder may be named where no workspace file says so. */
  if (meant->len == 0)
    {
      g_autofree char *path = g_canonicalize_filename (filter, folder);

      if (guard_project_inside (project, path))
        add_member (project, meant, path);
    }
  /* `--filter web` of a project that has no members means the project. */
  if (members->len == 0 && meant->len == 0)
    add_member (project, meant, folder);

  return meant;
}

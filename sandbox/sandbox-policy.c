/* What must hold, and what that comes to on the disk as it is now.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-backend.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How many entries of the project are looked at for sockets and repositories before each command:
 * 20,000 take about 15 ms. Listening sockets beyond that come from the kernel's own list. */
#define MAX_ENTRIES 20000
#define MAX_DEPTH 24
#define MAX_SOCKETS 256
#define MAX_SOCKET_LIST (4 * 1024 * 1024)

SandboxPolicy *
sandbox_policy_new (const char *project, const char *own)
{
  SandboxPolicy *policy = g_new0 (SandboxPolicy, 1);
  g_autofree char *home = NULL;

  policy->project = g_strdup (project);
  policy->own = g_strdup (own);
  policy->folder = g_strdup (own);
  /* Links in its path are the system's business (/home on ostree). */
  home = realpath (g_get_home_dir (), NULL);
  policy->home = g_strdup (home != NULL ? home : g_get_home_dir ());
  policy->uid = getuid ();
  policy->protected_paths = g_new0 (char *, 1);
  policy->visible = g_new0 (char *, 1);
  return policy;
}

SandboxPolicy *
sandbox_policy_copy (const SandboxPolicy *policy)
{
  SandboxPolicy *copy = g_new0 (SandboxPolicy, 1);

  copy->project = g_strdup (policy->project);
  copy->own = g_strdup (policy->own);
  copy->protected_paths = g_strdupv (policy->protected_paths);
  copy->visible = g_strdupv (policy->visible);
  copy->folder = g_strdup (policy->folder);
  copy->home = g_strdup (policy->home);
  copy->tmpdir = g_strdup (policy->tmpdir);
  copy->uid = policy->uid;
  copy->best_effort_tree = policy->best_effort_tree;
  copy->image = g_strdup (policy->image);
  copy->distribution = g_strdup (policy->distribution);
  return copy;
}

void
sandbox_policy_free (SandboxPolicy *policy)
{
  if (policy == NULL)
    return;
  g_free (policy->project);
  g_free (policy->own);
  g_strfreev (policy->protected_paths);
  g_strfreev (policy->visible);
  g_free (policy->folder);
  g_free (policy->home);
  g_free (policy->tmpdir);
  g_free (policy->image);
  g_free (policy->distribution);
  g_free (policy);
}

/* Equal to it counts as inside. Both are canonical, so names are enough. */
gboolean
sandbox_path_is_inside (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  if (g_str_equal (folder, "/"))
    return path[0] == '/';
  return strncmp (path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

/* ---- Is every place what it is said to be? ---- */

static gboolean
check_place (const char *path, gboolean must_be_folder, GError **error)
{
  g_autofree char *real = NULL;
  struct stat status;

  if (path == NULL || !g_path_is_absolute (path))
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE, _ ("“%s” is not an absolute path"),
                   path != NULL ? path : "");
      return FALSE;
    }
  real = realpath (path, NULL);
  if (real == NULL)
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE, _ ("“%s” can't be used: %s"), path,
                   g_strerror (errno));
      return FALSE;
    }
  if (!g_str_equal (real, path))
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE,
                   _ ("“%s” is reached through a link; it really is “%s”"), path, real);
      return FALSE;
    }
  if (lstat (path, &status) != 0 || S_ISLNK (status.st_mode) ||
      (must_be_folder && !S_ISDIR (status.st_mode)))
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE, _ ("“%s” is not a folder"), path);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_inside (const char *path, const char *folder, GError **error)
{
  if (sandbox_path_is_inside (path, folder))
    return TRUE;
  g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE, _ ("“%s” is not inside “%s”"), path,
               folder);
  return FALSE;
}

/* Folders that a plan puts something else over, or that hold everything. */
static gboolean
check_project (const SandboxPolicy *policy, GError **error)
{
  static const char *const covered[] = {
    "/", "/proc", "/dev", "/sys", "/etc", "/usr", "/run/user"
  };

  for (guint i = 0; i < G_N_ELEMENTS (covered); i++)
    if (g_str_equal (policy->project, covered[i]) ||
        (i > 0 && sandbox_path_is_inside (policy->project, covered[i])))
      {
        g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE,
                     _ ("“%s” is part of the system, not a project"), policy->project);
        return FALSE;
      }
  if (sandbox_path_is_inside (policy->home, policy->project))
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE,
                   _ ("“%s” holds your home folder, so it can't be a project"), policy->project);
      return FALSE;
    }
  return TRUE;
}

gboolean
sandbox_policy_check (const SandboxPolicy *policy, GError **error)
{
  if (!check_place (policy->project, TRUE, error) || !check_place (policy->own, TRUE, error) ||
      !check_place (policy->folder, TRUE, error) || !check_place (policy->home, TRUE, error) ||
      (policy->tmpdir != NULL && !check_place (policy->tmpdir, TRUE, error)))
    return FALSE;
  if (!check_project (policy, error) || !check_inside (policy->own, policy->project, error) ||
      !check_inside (policy->folder, policy->project, error))
    return FALSE;

  if (g_strv_length (policy->protected_paths) > SANDBOX_MAX_PATHS ||
      g_strv_length (policy->visible) > SANDBOX_MAX_PATHS)
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE,
                   _ ("More than %d folders to protect or to show"), SANDBOX_MAX_PATHS);
      return FALSE;
    }
  for (guint i = 0; policy->protected_paths[i] != NULL; i++)
    {
      if (!check_place (policy->protected_paths[i], FALSE, error))
        return FALSE;
      if (sandbox_path_is_inside (policy->own, policy->protected_paths[i]))
        {
          g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE,
                       _ ("“%s” would have to be both writable and protected"), policy->own);
          return FALSE;
        }
    }
  for (guint i = 0; policy->visible[i] != NULL; i++)
    {
      if (!check_place (policy->visible[i], FALSE, error))
        return FALSE;
      if (g_str_equal (policy->visible[i], "/"))
        {
          g_set_error_literal (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE,
                               _ ("The whole disk can't be made visible"));
          return FALSE;
        }
    }
  return TRUE;
}

/* ---- What has to be covered below it ---- */

static void
places_init (SandboxPlaces *places)
{
  places->protected_paths = g_ptr_array_new_with_free_func (g_free);
  places->pins = g_ptr_array_new_with_free_func (g_free);
  places->sockets = g_ptr_array_new_with_free_func (g_free);
  places->traps = g_ptr_array_new_with_free_func (g_free);
}

void
sandbox_places_clear (SandboxPlaces *places)
{
  g_clear_pointer (&places->protected_paths, g_ptr_array_unref);
  g_clear_pointer (&places->pins, g_ptr_array_unref);
  g_clear_pointer (&places->sockets, g_ptr_array_unref);
  g_clear_pointer (&places->traps, g_ptr_array_unref);
}

static void
add_unique (GPtrArray *list, const char *path)
{
  if (!g_ptr_array_find_with_equal_func (list, path, g_str_equal, NULL))
    g_ptr_array_add (list, g_strdup (path));
}

static int
compare_length (gconstpointer a, gconstpointer b)
{
  const char *first = *(const char *const *) a;
  const char *second = *(const char *const *) b;
  gsize one = strlen (first);
  gsize two = strlen (second);

  return one != two ? (one < two ? -1 : 1) : strcmp (first, second);
}

/* What makes git run or read something else: the person's own git would obey it, outside. A
 * folder without the file can't be covered without leaving an empty one behind. */
static const char *const git_parts[] = { "hooks", "config", "config.worktree", "info",
                                         "commondir" };

static void
add_repository (SandboxPlaces *places, const SandboxPolicy *policy, const char *git)
{
  struct stat status;

  if (!sandbox_path_is_inside (git, policy->own))
    return;
  if (lstat (git, &status) != 0 || S_ISLNK (status.st_mode))
    return;
  if (S_ISREG (status.st_mode))
    {
      /* A worktree or submodule: the file says where its repository is. */
      add_unique (places->protected_paths, git);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (git_parts); i++)
    {
      g_autofree char *part = g_build_filename (git, git_parts[i], NULL);

      if (lstat (part, &status) == 0 && (S_ISDIR (status.st_mode) || S_ISREG (status.st_mode)))
        add_unique (places->protected_paths, part);
      else if (!g_str_equal (git_parts[i], "info"))
        add_unique (places->traps, part);
    }
}

typedef struct
{
  const SandboxPolicy *policy;
  SandboxPlaces *places;
  guint left;
} Scan;

static void scan_folder (Scan *scan, const char *path, guint depth);

static void
scan_entry (Scan *scan, const char *folder, const struct dirent *entry, guint depth)
{
  g_autofree char *path = NULL;
  guint type = entry->d_type;
  gboolean is_git = g_str_equal (entry->d_name, ".git");

  if (type != DT_UNKNOWN && type != DT_DIR && type != DT_SOCK && !is_git)
    return;
  path = g_build_filename (folder, entry->d_name, NULL);
  if (type == DT_UNKNOWN)
    {
      struct stat status;

      if (lstat (path, &status) != 0)
        return;
      type = S_ISDIR (status.st_mode) ? DT_DIR : S_ISSOCK (status.st_mode) ? DT_SOCK : DT_REG;
    }
  if (type == DT_SOCK && scan->places->sockets->len < MAX_SOCKETS)
    add_unique (scan->places->sockets, path);
  if (is_git)
    add_repository (scan->places, scan->policy, path);
  /* A repository's own folder holds objects only; nothing listens there. */
  if (type == DT_DIR && !is_git && depth < MAX_DEPTH)
    scan_folder (scan, path, depth + 1);
}

static void
scan_folder (Scan *scan, const char *path, guint depth)
{
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = fd >= 0 ? fdopendir (fd) : NULL;
  const struct dirent *entry;

  if (folder == NULL)
    {
      if (fd >= 0)
        close (fd);
      return;
    }
  while (scan->left > 0 && (entry = readdir (folder)) != NULL)
    {
      if (g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, ".."))
        continue;
      scan->left--;
      scan_entry (scan, path, entry, depth);
    }
  closedir (folder);
}

static gboolean
is_shown (const SandboxPolicy *policy, const char *path)
{
  for (guint i = 0; policy->visible[i] != NULL; i++)
    if (sandbox_path_is_inside (path, policy->visible[i]))
      return TRUE;
  return sandbox_path_is_inside (path, policy->project);
}

/* Sockets that listen now, wherever in the project they are: "Num: … Path" lines. */
static void
add_listening (const SandboxPolicy *policy, SandboxPlaces *places)
{
  g_autofree char *list = NULL;
  gsize length = 0;
  char *saved = NULL;

  if (!g_file_get_contents ("/proc/net/unix", &list, &length, NULL) || length > MAX_SOCKET_LIST)
    return;
  for (char *line = strtok_r (list, "\n", &saved); line != NULL;
       line = strtok_r (NULL, "\n", &saved))
    {
      const char *path = strchr (line, '/');
      struct stat status;

      if (path != NULL && places->sockets->len < MAX_SOCKETS && is_shown (policy, path) &&
          lstat (path, &status) == 0 && S_ISSOCK (status.st_mode))
        {
          g_autofree char *real = realpath (path, NULL);

          if (real != NULL && is_shown (policy, real))
            add_unique (places->sockets, real);
        }
    }
}

/* Without these `mv packages p2; mkdir -p packages/foo` replaces a protected packages/foo. */
static void
add_pins (const SandboxPolicy *policy, SandboxPlaces *places)
{
  for (guint i = 0; i < places->protected_paths->len; i++)
    {
      g_autofree char *at = g_path_get_dirname (g_ptr_array_index (places->protected_paths, i));

      while (strlen (at) > strlen (policy->own))
        {
          char *up = g_path_get_dirname (at);

          add_unique (places->pins, at);
          g_free (at);
          at = up;
        }
    }
  g_ptr_array_sort (places->pins, compare_length);
}

gboolean
sandbox_policy_find_places (const SandboxPolicy *policy, SandboxPlaces *places, GError **error)
{
  Scan scan = { policy, places, MAX_ENTRIES };

  places_init (places);
  for (guint i = 0; policy->protected_paths[i] != NULL; i++)
    if (sandbox_path_is_inside (policy->protected_paths[i], policy->own))
      add_unique (places->protected_paths, policy->protected_paths[i]);

  scan_folder (&scan, policy->project, 0);
  if (!g_str_equal (policy->own, policy->project))
    {
      /* The own folder counts most: look at it whole even in a project that is too big. */
      scan.left = MAX_ENTRIES;
      scan_folder (&scan, policy->own, 0);
    }
  for (guint i = 0; policy->visible[i] != NULL; i++)
    {
      scan.left = MAX_ENTRIES;
      scan_folder (&scan, policy->visible[i], 0);
    }
  add_listening (policy, places);
  if (places->protected_paths->len > 4 * SANDBOX_MAX_PATHS)
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE,
                   _ ("More than %d places in “%s” would have to be protected"),
                   4 * SANDBOX_MAX_PATHS, policy->own);
      return FALSE;
    }
  g_ptr_array_sort (places->protected_paths, compare_length);
  add_pins (policy, places);
  return TRUE;
}

/* What this system is, as far as a step depends on it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-probe.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *
read_file (const char *root, const char *path)
{
  g_autofree char *full = g_build_filename (root[0] != '\0' ? root : "/", path, NULL);
  char *text = NULL;

  if (!g_file_get_contents (full, &text, NULL, NULL))
    return NULL;
  return g_strstrip (text);
}

static gboolean
exists (const char *root, const char *path)
{
  g_autofree char *full = g_build_filename (root[0] != '\0' ? root : "/", path, NULL);

  return g_file_test (full, G_FILE_TEST_EXISTS);
}

static gboolean
is_number (const char *root, const char *path, const char *number)
{
  g_autofree char *text = read_file (root, path);

  return g_strcmp0 (text, number) == 0;
}

static char *
take_value (const char *text, const char *name)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", 200);
  gsize length = strlen (name);

  for (guint i = 0; lines[i] != NULL; i++)
    if (strncmp (lines[i], name, length) == 0 && lines[i][length] == '=')
      {
        g_autofree char *value = g_shell_unquote (lines[i] + length + 1, NULL);

        return g_ascii_strdown (value != NULL ? value : lines[i] + length + 1, -1);
      }
  return g_strdup ("");
}

static void
read_release (SandboxFacts *facts, const char *root)
{
  g_autofree char *text = read_file (root, "/etc/os-release");
  g_autofree char *id = NULL;
  g_autofree char *like = NULL;

  if (text == NULL)
    text = read_file (root, "/usr/lib/os-release");
  if (text == NULL)
    text = g_strdup ("");
  id = take_value (text, "ID");
  like = take_value (text, "ID_LIKE");
  facts->distribution = g_strdup_printf (" %s %s ", id, like);
  facts->version = take_value (text, "VERSION_ID");
}

static gboolean
is_container (const char *root)
{
  g_autofree char *groups = NULL;

  if (exists (root, "/.dockerenv") || exists (root, "/run/.containerenv") ||
      exists (root, "/run/systemd/container"))
    return TRUE;
  groups = read_file (root, "/proc/1/cgroup");
  return groups != NULL &&
         (strstr (groups, "/docker") != NULL || strstr (groups, "/kubepods") != NULL ||
          strstr (groups, "/lxc") != NULL || strstr (groups, "containerd") != NULL);
}

void
sandbox_facts_read (SandboxFacts *facts, const char *root)
{
  g_autofree char *bwrap = g_build_filename (root[0] != '\0' ? root : "/", SANDBOX_BWRAP, NULL);
  g_autofree char *docker = g_find_program_in_path ("docker");
  g_autofree char *wsl = g_find_program_in_path ("wsl.exe");
  struct stat status;

  memset (facts, 0, sizeof *facts);
  read_release (facts, root);
  facts->is_ostree = exists (root, "/run/ostree-booted");
  facts->is_container = is_container (root);
  facts->apparmor_restricts =
      is_number (root, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1");
  /* Ubuntu's package has the profile since 24.04. */
  facts->apparmor_profile =
      exists (root, "/usr/share/apparmor/extra-profiles/bwrap-userns-restrict") ||
      (strstr (facts->distribution, " ubuntu ") != NULL &&
       g_ascii_strtod (facts->version, NULL) >= 24.04);
  facts->clone_refused = is_number (root, "/proc/sys/kernel/unprivileged_userns_clone", "0");
  facts->limit_is_zero = is_number (root, "/proc/sys/user/max_user_namespaces", "0");
  if (stat (bwrap, &status) != 0)
    {
      facts->bwrap_missing = TRUE;
    }
  else
    {
      facts->bwrap_not_executable = !S_ISREG (status.st_mode) || access (bwrap, X_OK) != 0;
      facts->bwrap_setuid = (status.st_mode & S_ISUID) != 0;
    }
  facts->docker_missing = docker == NULL;
  facts->wsl_missing = wsl == NULL;
}

void
sandbox_facts_clear (SandboxFacts *facts)
{
  g_clear_pointer (&facts->distribution, g_free);
  g_clear_pointer (&facts->version, g_free);
}

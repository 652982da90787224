/* What a command made where it would steer the person's own git.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_KEPT 100

/* Never over something: RENAME_NOREPLACE. */
static gboolean
set_aside (int folder, const char *name)
{
  for (guint i = 0; i < MAX_KEPT; i++)
    {
      g_autofree char *kept = i == 0 ? g_strdup_printf ("%s.perfica-kept", name)
                                     : g_strdup_printf ("%s.perfica-kept-%u", name, i);

      if (renameat2 (folder, name, folder, kept, RENAME_NOREPLACE) == 0)
        return TRUE;
      if (errno != EEXIST)
        return FALSE;
    }
  return FALSE;
}

char **
sandbox_plan_spring_traps (const SandboxPlan *plan)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; plan->traps != NULL && plan->traps[i] != NULL; i++)
    {
      g_autofree char *folder = g_path_get_dirname (plan->traps[i]);
      g_autofree char *name = g_path_get_basename (plan->traps[i]);
      struct stat status;
      int fd = open (folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

      if (fd < 0)
        continue;
      if (fstatat (fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
        {
          set_aside (fd, name);
          g_ptr_array_add (found, g_strdup (plan->traps[i]));
        }
      close (fd);
    }
  if (found->len == 0)
    return NULL;
  g_ptr_array_add (found, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}

/* Whether what a verdict rests on is still what was read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard.h"

#include <string.h>

static gboolean
listing_same (const GuardFiles *files, const char *path, const char *hash)
{
  g_auto (GStrv) names = files->list (files, path, GUARD_MAX_LISTED);
  g_autofree char *joined = names != NULL ? g_strjoinv ("\n", names) : NULL;
  g_autofree char *now =
      joined != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA256, joined, -1) : NULL;

  return g_strcmp0 (now, hash) == 0;
}

static gboolean
file_same (const GuardFiles *files, const char *path, const char *hash)
{
  gsize length = 0;
  g_autofree char *text = files->read (files, path, GUARD_MAX_FILE_SIZE + 1, &length);
  g_autofree char *now = NULL;

  if (text == NULL)
    return strcmp (hash, "-") == 0;
  /* As much as was hashed when it was read: one byte more than the limit. */
  now = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text,
                                     MIN (length, GUARD_MAX_FILE_SIZE + 1));
  return strcmp (now, hash) == 0;
}

gboolean
guard_plan_verify (const GuardPlan *plan, const GuardFiles *files, char **changed)
{
  for (guint i = 0; plan->pins != NULL && plan->pins[i] != NULL; i++)
    {
      const char *tab = strrchr (plan->pins[i], '\t');
      g_autofree char *path = tab != NULL ? g_strndup (plan->pins[i], tab - plan->pins[i]) : NULL;
      gboolean same = FALSE;

      if (path != NULL && tab[1] == '>')
        {
          g_autofree char *now = files->resolve (files, path);

          same = g_strcmp0 (now, tab + 2) == 0;
        }
      else if (path != NULL && tab[1] == '*')
        same = listing_same (files, path, tab + 2);
      else if (path != NULL)
        same = file_same (files, path, tab + 1);
      if (!same)
        {
          if (changed != NULL)
            *changed = g_strdup (path != NULL ? path : plan->pins[i]);
          return FALSE;
        }
    }
  return TRUE;
}

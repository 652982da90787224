/* Names that look like secrets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

/* NAME_MAX on every file system that matters, in bytes. */
#define MAX_NAME 255

static gboolean
matches_any (const char *const *globs, const char *name)
{
  for (; globs != NULL && *globs != NULL; globs++)
    if (guard_glob_match (*globs, name, TRUE))
      return TRUE;
  return FALSE;
}

/* Globs over the last components of @path. */
static gboolean
matches_tail (const char *const *globs, const char *path)
{
  for (; globs != NULL && *globs != NULL; globs++)
    {
      guint slashes = 0;
      const char *p = path + strlen (path);

      for (const char *q = *globs; *q != '\0'; q++)
        slashes += *q == '/';
      while (p > path && (p[-1] != '/' || slashes-- > 0))
        p--;
      if (guard_glob_match (*globs, p, TRUE))
        return TRUE;
    }
  return FALSE;
}

static const char *
component_what (const char *name, const char *path)
{
  /* No file has a longer name. */
  if (strnlen (name, MAX_NAME + 1) > MAX_NAME)
    return NULL;
  for (guint i = 0; i < guard_table_n_secrets; i++)
    {
      const GuardSecret *secret = &guard_table_secrets[i];

      if ((matches_any (secret->names, name) && !matches_any (secret->except, name)) ||
          (secret->paths != NULL && matches_tail (secret->paths, path) &&
           !matches_any (secret->except, name)))
        return secret->what;
    }
  return NULL;
}

/* What kind of secret @path names, or NULL. Every component counts: a folder called `.ssh` does. */
const char *
guard_secret_what (const char *path, gboolean last_only)
{
  gsize length = strlen (path);
  g_autofree char *copy = NULL;
  char *p;
  guint n = 0;

  while (length > 1 && path[length - 1] == '/')
    length--;
  if (length > 4096)
    return NULL;
  copy = g_strndup (path, length);
  if (last_only)
    {
      p = strrchr (copy, '/');
      return component_what (p != NULL ? p + 1 : copy, copy);
    }
  for (p = copy; p != NULL && n < 64; n++)
    {
      char *slash = strchr (p, '/');
      const char *what;

      if (slash != NULL)
        *slash = '\0';
      what = p[0] != '\0' && strcmp (p, ".") != 0 && strcmp (p, "..") != 0
                 ? component_what (p, copy)
                 : NULL;
      if (slash != NULL)
        *slash = '/';
      if (what != NULL)
        return what;
      p = slash != NULL ? slash + 1 : NULL;
    }
  return NULL;
}

char *
guard_glob_pattern (GuardContext *context, const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    switch (*p)
      {
      case GLOB_STAR:
      case HOLE_WORD:
        g_string_append_c (out, '*');
        break;
      case GLOB_ONE:
        g_string_append_c (out, '?');
        break;
      case GLOB_SET:
        g_string_append_c (out, '[');
        break;
      case GLOB_SET_END:
        g_string_append_c (out, ']');
        break;
      case '*':
      case '?':
      case '[':
      case '\\':
        g_string_append_c (out, '\\');
        g_string_append_c (out, *p);
        break;
      default:
        if ((guchar) *p < 0x20 && *p != '\n' && *p != '\t')
          {
            g_string_free (out, TRUE);
            return NULL;
          }
        g_string_append_c (out, *p);
      }
  return g_string_free (out, FALSE);
}

/* A glob names a secret when its fixed part points at one: `.e*`, `*.pem`, `.en?`. */
gboolean
guard_secret_glob (const char *text)
{
  const char *name = strrchr (text, '/');
  g_autofree char *glob = NULL;
  gsize fixed = 0;
  gboolean extension; /* `*.x`: says nothing but the extension */

  name = name != NULL ? name + 1 : text;
  glob = guard_glob_pattern (NULL, name);
  if (glob == NULL)
    return FALSE;
  for (const char *p = glob; *p != '\0'; p++)
    if (*p != '*' && *p != '?' && *p != '[' && *p != ']')
      fixed++;
  if (fixed < 2 || (glob[0] == '*' && fixed < 4 && strchr (glob, '.') == NULL))
    return FALSE;
  if (guard_secret_what (name, TRUE) != NULL && strchr (glob, '[') == NULL)
    return TRUE;
  extension = glob[0] == '*' && glob[1] == '.' && strchr (glob + 2, '.') == NULL;
  for (guint i = 0; i < guard_table_n_secrets; i++)
    for (const char *const *sample = guard_table_secrets[i].samples;
         sample != NULL && *sample != NULL; sample++)
      if ((!extension || g_str_has_prefix (*sample, "x.")) &&
          guard_glob_match (glob, *sample, TRUE))
        return TRUE;
  /* `*.pem` as written is itself a name that the lists know. */
  return guard_secret_what (glob, TRUE) != NULL;
}

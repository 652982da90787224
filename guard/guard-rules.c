/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-rules.h"

#include <string.h>

static const GuardProgram *
find_name (const GuardProgramName *names, guint n, guint n_globs, const char *name)
{
  guint low = 0, high = n - n_globs;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      int order = strcmp (names[middle].name, name);

      if (order == 0)
        return names[middle].program;
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
  for (guint i = n - n_globs; i < n; i++)
    if (guard_glob_match (names[i].name, name, FALSE))
      return names[i].program;
  return NULL;
}

const GuardProgram *
guard_rules_program (const char *name)
{
  const GuardProgram *program =
      find_name (guard_table_programs, guard_table_n_programs, guard_table_n_program_globs, name);
  const char *version = strchr (name, '@');

  /* `npx vite@5` runs vite. */
  if (program == NULL && version != NULL && version > name)
    {
      g_autofree char *plain = g_strndup (name, version - name);

      return find_name (guard_table_programs, guard_table_n_programs, guard_table_n_program_globs,
                        plain);
    }
  return program;
}

const GuardProgram *
guard_rules_command (const GuardProgram *program, const char *name)
{
  if (program->n_commands == 0)
    return NULL;
  return find_name (program->commands, program->n_commands, program->n_command_globs, name);
}

const GuardFamily *
guard_rules_family (const char *id)
{
  guint low = 0, high = guard_table_n_families;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      int order = strcmp (guard_table_families[middle].id, id);

      if (order == 0)
        return &guard_table_families[middle];
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
  g_error ("The guard's data has no rule “%s”", id);
}

const char *
guard_rules_package (const char *package)
{
  guint low = 0, high = guard_table_n_packages;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      int order = strcmp (guard_table_packages[middle].name, package);

      if (order == 0)
        return guard_table_packages[middle].program;
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

const GuardProgram *
guard_rules_other (void)
{
  return guard_rules_program ("%other");
}

/* Matches one set; returns what follows it, or NULL if it never ends. */
static const char *
match_set (const char *pattern, char c, gboolean fold_case, gboolean *matched)
{
  gboolean negated = *pattern == '!' || *pattern == '^';
  const char *p = negated ? pattern + 1 : pattern;
  const char *start = p;
  gboolean found = FALSE;

  while (*p != '\0' && (*p != ']' || p == start))
    {
      char low = *p, high = *p;

      if (p[1] == '-' && p[2] != ']' && p[2] != '\0')
        {
          high = p[2];
          p += 2;
        }
      if ((c >= low && c <= high) ||
          (fold_case && ((g_ascii_tolower (c) >= low && g_ascii_tolower (c) <= high) ||
                         (g_ascii_toupper (c) >= low && g_ascii_toupper (c) <= high))))
        found = TRUE;
      p++;
    }
  if (*p == '\0')
    return NULL;
  *matched = found != negated;
  return p + 1;
}

/* Most of what is asked here is answered by one letter: inline, unlike g_ascii_tolower(). */
static inline char
folded (char c)
{
  return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
}

static inline gboolean
is_same (char a, char b, gboolean fold_case)
{
  return a == b || (fold_case && folded (a) == folded (b));
}

static inline gboolean
is_plain (char c)
{
  return c != '*' && c != '?' && c != '[' && c != '\\' && c != '\0';
}

gboolean
guard_glob_match (const char *pattern, const char *text, gboolean fold_case)
{
  const char *star = NULL, *retry = NULL;

  if (is_plain (*pattern) && !is_same (*pattern, *text, fold_case))
    return FALSE;
  while (*text != '\0')
    {
      gboolean matched = FALSE;
      const char *after = NULL;

      if (*pattern == '*')
        {
          star = ++pattern;
          retry = text;
          continue;
        }
      if (*pattern == '?')
        {
          matched = TRUE;
          after = pattern + 1;
        }
      else if (*pattern == '[')
        {
          after = match_set (pattern + 1, *text, fold_case, &matched);
          if (after == NULL)
            {
              matched = *text == '[';
              after = pattern + 1;
            }
        }
      else if (*pattern == '\\' && pattern[1] != '\0')
        {
          matched = pattern[1] == *text;
          after = pattern + 2;
        }
      else if (*pattern != '\0')
        {
          matched = is_same (*pattern, *text, fold_case);
          after = pattern + 1;
        }
      if (matched)
        {
          pattern = after;
          text++;
        }
      else if (star != NULL)
        {
          pattern = star;
          retry++;
          if (is_plain (*star))
            while (*retry != '\0' && !is_same (*star, *retry, fold_case))
              retry++;
          text = retry;
        }
      else
        return FALSE;
    }
  while (*pattern == '*')
    pattern++;
  return *pattern == '\0';
}

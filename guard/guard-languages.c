/* awk, sed and SQL: read for what they do besides text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

/* A quoted string of awk that starts at @p; returns what follows it. */
static const char *
awk_string (const char *p, GString *out)
{
  g_string_truncate (out, 0);
  for (p++; *p != '\0' && *p != '"'; p++)
    {
      if (*p == '\\' && p[1] != '\0')
        p++;
      g_string_append_c (out, *p);
    }
  return *p == '"' ? p + 1 : p;
}

static const char *
skip_blanks (const char *p)
{
  while (*p == ' ' || *p == '\t' || *p == '\n')
    p++;
  return p;
}

static void
awk_command (GuardContext *context, GuardState *state, const char *text, GuardSpan span)
{
  GuardState own = *state;

  guard_find (context, "code.awk-command", span, text, NULL);
  guard_bodies_text (context, &own, text, strlen (text), span);
}

/* Regular expressions and strings are skipped; system(), pipes and files count. */
void
guard_awk_check (GuardContext *context, GuardState *state, const char *code, GuardSpan span)
{
  g_autoptr (GString) string = g_string_new (NULL);
  const char *p = code;
  char last = '\0'; /* the last character that isn't blank */
  gboolean printing = FALSE;

  if (guard_has_unknown (code))
    {
      guard_find_unknown (context, "inline.unseen", span, "awk");
      return;
    }
  while (*p != '\0' && guard_step (context, 1))
    {
      if (*p == '#')
        {
          p += strcspn (p, "\n");
          continue;
        }
      if (*p == '"')
        {
          p = awk_string (p, string);
          if (*skip_blanks (p) == '|' && skip_blanks (p)[1] != '|')
            awk_command (context, state, string->str, span);
          last = '"';
          continue;
        }
      if (*p == '/' && !g_ascii_isalnum (last) && last != ')' && last != ']' && last != '_' &&
          last != '$' && last != '"')
        {
          for (p++; *p != '\0' && *p != '/' && *p != '\n'; p++)
            if (*p == '\\' && p[1] != '\0')
              p++;
          p += *p == '/';
          last = '/';
          continue;
        }
      if (g_ascii_isalpha (*p))
        {
          const char *end = p;

          while (g_ascii_isalnum (*end) || *end == '_')
            end++;
          if (end - p == 6 && strncmp (p, "system", 6) == 0 && *skip_blanks (end) == '(')
            {
              const char *argument = skip_blanks (skip_blanks (end) + 1);

              if (*argument == '"')
                {
                  awk_string (argument, string);
                  awk_command (context, state, string->str, span);
                }
              else
                awk_command (context, state, "", span);
            }
          else if (strncmp (p, "print", 5) == 0 && (end - p == 5 || (end - p == 6 && p[5] == 'f')))
            printing = TRUE;
          p = end;
          last = 'a';
          continue;
        }
      if (*p == '|' && p[1] == '|')
        p++;
      else if (*p == '|')
        {
          const char *next = skip_blanks (p + 1 + (p[1] == '&'));

          if (strncmp (next, "getline", 7) == 0)
            {
              if (last != '"')
                awk_command (context, state, "", span);
            }
          else if (*next == '"')
            {
              awk_string (next, string);
              awk_command (context, state, string->str, span);
            }
          else
            awk_command (context, state, "", span);
        }
      else if (*p == '>' && printing && p[1] != '=')
        {
          const char *next = skip_blanks (p + 1 + (p[1] == '>'));

          if (*next == '"')
            {
              awk_string (next, string);
              guard_path_check (context, state, string->str, span, GUARD_ACCESS_WRITE);
            }
          else if (*next == '$' || *next == '(')
            guard_find_unknown (context, "paths.unknown", span, next);
        }
      else if (*p == ';' || *p == '}' || *p == '\n')
        printing = FALSE;
      else if (*p == '<' && last == 'a')
        {
          const char *next = skip_blanks (p + 1);

          if (*next == '"')
            {
              awk_string (next, string);
              guard_path_check (context, state, string->str, span, GUARD_ACCESS_READ);
            }
        }
      if (*p != ' ' && *p != '\t')
        last = *p;
      p++;
    }
}

/* Skips a part of sed's s or y, or an address, up to its delimiter. */
static const char *
sed_part (const char *p, char delimiter)
{
  for (; *p != '\0' && *p != delimiter; p++)
    if (*p == '\\' && p[1] != '\0')
      p++;
    else if (*p == '[')
      {
        const char *end = strchr (p + 1 + (p[1] == ']'), ']');

        if (end != NULL && memchr (p, '\n', end - p) == NULL && strchr (p, delimiter) != NULL &&
            end < strchr (p, '\0'))
          p = end;
      }
  return *p != '\0' ? p + 1 : p;
}

static void
sed_file (
    GuardContext *context, GuardState *state, const char *p, GuardSpan span, GuardAccess access)
{
  gsize length;
  g_autofree char *name = NULL;

  p += strspn (p, " \t");
  length = strcspn (p, "\n;}");
  name = g_strndup (p, length);
  g_strchomp (name);
  if (name[0] != '\0')
    guard_path_check (context, state, name, span, access);
}

/* One command letter at @p; returns where the next command begins. */
static const char *
sed_command (GuardContext *context, GuardState *state, const char *p, GuardSpan span)
{
  char letter = *p++;

  switch (letter)
    {
    case 's':
    case 'y':
      {
        char delimiter = *p;

        if (delimiter == '\0' || delimiter == '\n')
          return p;
        p = sed_part (p + 1, delimiter);
        p = sed_part (p, delimiter);
        while (*p != '\0' && strchr ("gpiImMeE0123456789w", *p) != NULL)
          {
            if (*p == 'e')
              guard_find (context, "code.sed-command", span, "s///e", NULL);
            if (*p == 'w')
              {
                sed_file (context, state, p + 1, span, GUARD_ACCESS_WRITE);
                return p + strcspn (p, "\n");
              }
            p++;
          }
        return p;
      }
    case 'e':
      guard_find (context, "code.sed-command", span, "e", NULL);
      {
        GuardState own = *state;
        gsize length = strcspn (p, "\n");

        guard_bodies_text (context, &own, p, length, span);
        return p + length;
      }
    case 'w':
    case 'W':
      sed_file (context, state, p, span, GUARD_ACCESS_WRITE);
      return p + strcspn (p, "\n");
    case 'r':
    case 'R':
      sed_file (context, state, p, span, GUARD_ACCESS_READ);
      return p + strcspn (p, "\n");
    case 'a':
    case 'i':
    case 'c':
      while (*p != '\0' && *p != '\n')
        p += *p == '\\' && p[1] != '\0' ? 2 : 1;
      return p;
    case ':':
    case 'b':
    case 't':
    case 'T':
      return p + strcspn (p, "\n;}");
    default:
      return p;
    }
}

void
guard_sed_check (GuardContext *context, GuardState *state, const char *code, GuardSpan span)
{
  const char *p = code;
  g_autofree char *shown = NULL;

  if (guard_has_unknown (code))
    {
      /* An unknown inside s/…/…/ is text only if it can't end it: it can. The usual
       * substitution of a quoted variable is still no more than an edit. */
      g_autoptr (GString) text = g_string_new (NULL);

      for (const char *q = code; *q != '\0'; q++)
        g_string_append_c (text, *q == HOLE_UNKNOWN ? '_' : *q);
      shown = g_string_free (g_steal_pointer (&text), FALSE);
      if (code[0] == HOLE_UNKNOWN)
        {
          guard_find_unknown (context, "inline.unseen", span, "sed");
          return;
        }
      p = shown;
    }
  while (*p != '\0' && guard_step (context, 1))
    {
      p += strspn (p, " \t\n;{}");
      if (*p == '#')
        {
          p += strcspn (p, "\n");
          continue;
        }
      /* Addresses */
      while (*p != '\0')
        {
          if (*p == '/')
            p = sed_part (p + 1, '/');
          else if (*p == '\\' && p[1] != '\0')
            p = sed_part (p + 2, p[1]);
          else if (g_ascii_isdigit (*p) || strchr ("$,~+! \tIM", *p) != NULL)
            p++;
          else
            break;
        }
      if (*p == '\0')
        break;
      if (strchr ("{};\n", *p) != NULL)
        continue;
      p = sed_command (context, state, p, span);
    }
}

static gboolean
has_word (const char *lower, const char *word)
{
  gsize length = strlen (word);

  for (const char *p = strstr (lower, word); p != NULL; p = strstr (p + 1, word))
    if ((p == lower || !(g_ascii_isalnum (p[-1]) || p[-1] == '_')) &&
        !g_ascii_isalnum (p[length]) && p[length] != '_')
      return TRUE;
  return FALSE;
}

/* SQL that destroys data asks; a client's own escapes to the shell or a file count. */
void
guard_sql_check (
    GuardContext *context, GuardState *state, const char *code, GuardSpan span, const char *program)
{
  static const char *const destroying[] = { "drop",       "delete",  "truncate",
                                            "flushall",   "flushdb", "dropdatabase",
                                            "deletemany", "remove",  "update",
                                            NULL };
  g_autofree char *lower = g_ascii_strdown (code, -1);
  const GuardFamily *family = guard_rules_family ("delete.data");
  const char *p;

  guard_step (context, strlen (code) / 8);
  for (guint i = 0; destroying[i] != NULL; i++)
    if (has_word (lower, destroying[i]) && strcmp (destroying[i], "update") != 0 &&
        strcmp (destroying[i], "remove") != 0)
      {
        guard_find_full (context, family, GUARD_ANSWER_ASK, span, program, destroying[i], program,
                         NULL);
        break;
      }
  p = lower + strspn (lower, " \t\n");
  if (g_str_has_prefix (p, ".shell") || g_str_has_prefix (p, ".system") ||
      g_str_has_prefix (p, "\\!") || strstr (p, "\n.shell") != NULL ||
      strstr (p, "\n.system") != NULL || strstr (p, "\n\\!") != NULL ||
      strstr (lower, "to program") != NULL || strstr (lower, "from program") != NULL)
    guard_find (context, "shell.string", span, program, code);
  if (g_str_has_prefix (p, ".read ") || g_str_has_prefix (p, ".open ") ||
      g_str_has_prefix (p, ".import ") || g_str_has_prefix (p, ".backup ") ||
      g_str_has_prefix (p, ".output ") || g_str_has_prefix (p, ".once ") ||
      g_str_has_prefix (p, ".restore ") || g_str_has_prefix (p, ".load ") ||
      g_str_has_prefix (p, ".save ") || g_str_has_prefix (p, "\\i ") ||
      g_str_has_prefix (p, "\\o "))
    {
      const char *start = strchr (code + (p - lower), ' ');
      g_autofree char *name = g_strndup (start + 1, strcspn (start + 1, " \t\n"));

      guard_path_check (context, state, name, span, GUARD_ACCESS_WRITE);
    }
}

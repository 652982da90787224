/* Composer's scripts, deno's tasks, and git's aliases.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-project-private.h"

#include <string.h>

/* Composer */

typedef struct
{
  GuardRun *run;
  const GuardJsonNode *scripts;
  const char *path;
  char *folder;
  guint depth;
} Composer;

static void composer_script (Composer *composer, const char *name, const char *arguments);

static void
composer_command (Composer *composer, const char *name, const char *text, const char *arguments)
{
  g_autofree char *whole = NULL;
  g_autofree char *label = g_strdup_printf ("composer %s", name);

  if (text[0] == '@')
    {
      g_autofree char *word = g_strndup (text + 1, strcspn (text + 1, " "));

      if (g_str_equal (word, "php") || g_str_equal (word, "composer"))
        text++;
      else if (g_str_equal (word, "putenv") || g_str_equal (word, "additional_args") ||
               g_str_equal (word, "no_additional_args"))
        return;
      else
        {
          composer_script (composer, word, arguments);
          return;
        }
    }
  /* Class::method is PHP of the project, no command. */
  else if (strstr (text, "::") && !strpbrk (text, " \t"))
    return;

  whole = g_strconcat (text, arguments, NULL);
  guard_run_add (composer->run, GUARD_LANGUAGE_SHELL, whole, -1, composer->path, composer->folder,
                 label);
}

static void
composer_script (Composer *composer, const char *name, const char *arguments)
{
  const GuardJsonNode *script = guard_json_member (composer->scripts, name);

  if (!script)
    return;
  if (composer->depth >= GUARD_PROJECT_MAX_DEPTH)
    {
      guard_project_exceed (composer->run->project);
      return;
    }

  composer->depth++;
  if (script->type == GUARD_JSON_STRING)
    composer_command (composer, name, script->text, arguments);
  else if (script->type == GUARD_JSON_ARRAY)
    for (const GuardJsonNode *item = script->first; item; item = item->next)
      {
        if (item->type == GUARD_JSON_STRING)
          composer_command (composer, name, item->text, arguments);
      }
  composer->depth--;
}

static void
composer_events (Composer *composer, const char *verb)
{
  static const char *const dump[] = { "pre-autoload-dump", "post-autoload-dump", NULL };
  g_autofree char *pre = g_strdup_printf ("pre-%s-cmd", verb);
  g_autofree char *post = g_strdup_printf ("post-%s-cmd", verb);

  composer_script (composer, pre, "");
  for (guint i = 0; dump[i]; i++)
    composer_script (composer, dump[i], "");
  composer_script (composer, post, "");
}

static void
composer_call (Composer *composer)
{
  static const char *const folders[] = { "-d", "--working-dir", NULL };
  static const char *const installs[] = { "install", "i", NULL };
  static const char *const updates[] = { "update", "u",  "upgrade",   "require", "r",
                                         "remove", "rm", "uninstall", NULL };
  static const char *const dumps[] = { "dump-autoload", "dumpautoload", NULL };
  static const char *const runs[] = { "run-script", "run", NULL };
  GuardRun *run = composer->run;
  const char *verb = NULL;
  guint at;

  for (at = 1; at < run->n_argv && !verb; at++)
    {
      if (run->argv[at] && run->argv[at][0] != '-')
        verb = run->argv[at];
      else if (!guard_run_option (run, &at, folders) && run->argv[at] &&
               g_str_equal (run->argv[at], "--no-scripts"))
        return;
    }
  for (guint i = at; i < run->n_argv; i++)
    {
      if (run->argv[i] && g_str_equal (run->argv[i], "--no-scripts"))
        return;
    }
  if (!verb)
    return;

  if (g_strv_contains (installs, verb))
    composer_events (composer, "install");
  else if (g_strv_contains (updates, verb))
    composer_events (composer, "update");
  else if (g_strv_contains (dumps, verb))
    composer_events (composer, "autoload-dump");
  else
    {
      g_autofree char *arguments = NULL;

      if (g_strv_contains (runs, verb))
        {
          verb = NULL;
          for (; at < run->n_argv && !verb; at++)
            {
              if (run->argv[at] && run->argv[at][0] != '-')
                verb = run->argv[at];
            }
        }
      if (at < run->n_argv && run->argv[at] && g_str_equal (run->argv[at], "--"))
        at++;
      arguments = guard_run_quote_rest (run, at);
      if (verb)
        composer_script (composer, verb, arguments);
    }
}

void
guard_run_composer (GuardRun *run)
{
  static const char *const names[] = { "composer.json", NULL };
  static const char *const folders[] = { "-d", "--working-dir", NULL };
  g_autofree char *folder = g_strdup (run->folder);
  g_autofree char *path = NULL;
  g_autoptr (GuardJson) json = NULL;

  for (guint at = 1; at < run->n_argv; at++)
    {
      const char *value = guard_run_option (run, &at, folders);

      if (value)
        {
          g_free (folder);
          folder = g_canonicalize_filename (value, run->folder);
        }
    }

  path = guard_project_find_up (run->project, folder, names);
  json = path ? guard_project_read_json (run->project, path) : NULL;
  if (json)
    {
      Composer composer = { run, guard_json_member (guard_json_get_root (json), "scripts"), path,
                            g_path_get_dirname (path), 0 };

      composer_call (&composer);
      g_free (composer.folder);
    }
}

/* Deno */

static void
deno_task (GuardRun *run,
           const GuardJsonNode *tasks,
           const char *path,
           const char *task,
           const char *arguments,
           guint depth)
{
  const GuardJsonNode *node = guard_json_member (tasks, task);
  const GuardJsonNode *needs = guard_json_member (node, "dependencies");
  const char *text = guard_json_string (node, "command");
  g_autofree char *whole = NULL;
  g_autofree char *name = g_strdup_printf ("deno task %s", task);
  g_autofree char *folder = g_path_get_dirname (path);

  if (depth >= GUARD_PROJECT_MAX_DEPTH)
    {
      guard_project_exceed (run->project);
      return;
    }
  for (const GuardJsonNode *need = needs ? needs->first : NULL; need; need = need->next)
    {
      if (need->type == GUARD_JSON_STRING)
        deno_task (run, tasks, path, need->text, "", depth + 1);
    }
  if (node && node->type == GUARD_JSON_STRING)
    text = node->text;
  if (!text)
    return;

  whole = g_strconcat (text, arguments, NULL);
  guard_run_add (run, GUARD_LANGUAGE_SHELL, whole, -1, path, folder, name);
}

void
guard_run_deno (GuardRun *run)
{
  static const char *const names[] = { "deno.json", "deno.jsonc", "package.json", NULL };
  static const char *const configs[] = { "-c", "--config", NULL };
  static const char *const folders[] = { "--cwd", NULL };
  g_autofree char *folder = g_strdup (run->folder);
  g_autofree char *path = NULL;
  const char *task = NULL;
  guint at = 1;

  if (at < run->n_argv && run->argv[at] && g_str_equal (run->argv[at], "task"))
    at++;
  for (; at < run->n_argv && !task; at++)
    {
      const char *value;

      if ((value = guard_run_option (run, &at, folders)))
        {
          g_free (folder);
          folder = g_canonicalize_filename (value, run->folder);
        }
      else if ((value = guard_run_option (run, &at, configs)))
        {
          g_free (path);
          path = g_canonicalize_filename (value, run->folder);
        }
      else if (run->argv[at] && run->argv[at][0] != '-')
        task = run->argv[at];
    }
  if (!task)
    return;

  if (!path)
    path = guard_project_find_up (run->project, folder, names);
  if (path)
    {
      g_autoptr (GuardJson) json = guard_project_read_json (run->project, path);
      g_autofree char *arguments = guard_run_quote_rest (run, at);

      if (json)
        deno_task (run,
                   guard_json_member (guard_json_get_root (json),
                                      g_str_has_suffix (path, "package.json") ? "scripts"
                                                                              : "tasks"),
                   path, task, arguments, 0);
    }
}

/* Git */

/* A value of git's own config syntax: quotes and escapes out, a comment off. */
static char *
git_value (const char *text)
{
  GString *value = g_string_new (NULL);
  gboolean quoted = FALSE;

  for (; *text; text++)
    {
      if (*text == '\\' && text[1])
        {
          text++;
          g_string_append_c (value, *text == 'n' ? '\n' : *text == 't' ? '\t' : *text);
        }
      else if (*text == '"')
        quoted = !quoted;
      else if (!quoted && (*text == '#' || *text == ';'))
        break;
      else
        g_string_append_c (value, *text);
    }
  g_strchomp (value->str);

  return g_string_free (value, FALSE);
}

static char *
git_alias_in (const char *text, const char *alias)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  char *found = NULL;
  gboolean inside = FALSE;

  for (guint i = 0; lines[i]; i++)
    {
      GString *line = g_string_new (g_strstrip (lines[i]));
      const char *equals;

      while (g_str_has_suffix (line->str, "\\") && !g_str_has_suffix (line->str, "\\\\") &&
             lines[i + 1])
        {
          g_string_truncate (line, line->len - 1);
          g_string_append (line, g_strstrip (lines[++i]));
        }
      equals = strchr (line->str, '=');
      if (line->str[0] == '[')
        inside = g_ascii_strncasecmp (line->str, "[alias]", 7) == 0;
      else if (inside && equals)
        {
          g_autofree char *name = g_strstrip (g_strndup (line->str, equals - line->str));

          if (g_ascii_strcasecmp (name, alias) == 0)
            {
              g_free (found);
              found = git_value (equals + 1 + strspn (equals + 1, " \t"));
            }
        }
      g_string_free (line, TRUE);
    }

  return found;
}

/* The config of the repository that @folder belongs to; a .git file says where. */
static char *
git_config_path (GuardProject *project, const char *folder)
{
  g_autofree char *at = g_strdup (folder);

  while (guard_project_inside (project, at))
    {
      g_autofree char *config = g_build_filename (at, ".git", "config", NULL);
      g_autofree char *link = g_build_filename (at, ".git", NULL);
      char *parent;

      if (guard_project_exists (project, config))
        return g_steal_pointer (&config);
      if (guard_project_exists (project, link))
        {
          gsize length;
          const char *text = guard_project_read (project, link, &length, NULL);

          if (text && g_str_has_prefix (text, "gitdir:"))
            {
              g_autofree char *name = g_strstrip (g_strdup (text + 7));
              g_autofree char *dir = g_canonicalize_filename (name, at);
              char *worktrees = strstr (dir, "/worktrees/");

              if (worktrees)
                *worktrees = 0;
              return g_build_filename (dir, "config", NULL);
            }
        }
      parent = g_path_get_dirname (at);
      if (strlen (parent) >= strlen (at))
        {
          g_free (parent);
          break;
        }
      g_free (at);
      at = parent;
    }

  return NULL;
}

void
guard_run_git_alias (GuardRun *run)
{
  g_autofree char *path = git_config_path (run->project, run->folder);
  g_autofree char *value = NULL;
  g_autofree char *rest = NULL;
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  gsize length;
  const char *config;
  guint before = run->bodies->len;
  gboolean shell;

  if (!path || run->n_argv == 0 || !run->argv[0])
    return;
  config = guard_project_read (run->project, path, &length, NULL);
  value = config ? git_alias_in (config, run->argv[0]) : NULL;
  if (!value)
    return;

  shell = value[0] == '!';
  rest = guard_run_quote_rest (run, 1);
  text = shell ? g_strconcat (value + 1, rest, NULL) : g_strconcat ("git ", value, rest, NULL);
  name = g_strdup_printf ("git %s", run->argv[0]);
  guard_run_add (run, GUARD_LANGUAGE_SHELL, text, -1, path, run->folder, name);
  if (run->bodies->len > before)
    ((GuardBody *) g_ptr_array_index (run->bodies, before))->alias = !shell;
}

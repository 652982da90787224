/* What git's tables can't say: configuration keys, revisions with paths, aliases, and
 * which git dir a command writes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

/* Keys whose value is a command, or that lead elsewhere. */
static gboolean
is_command_key (const char *key)
{
  static const char *const keys[] = { "alias.*",
                                      "core.pager",
                                      "core.editor",
                                      "core.hookspath",
                                      "core.fsmonitor",
                                      "core.sshcommand",
                                      "core.gitproxy",
                                      "core.askpass",
                                      "core.worktree",
                                      "core.attributesfile",
                                      "core.alternaterefscommand",
                                      "pager.*",
                                      "diff.external",
                                      "diff.*.command",
                                      "diff.*.textconv",
                                      "diff.tool",
                                      "difftool.*",
                                      "merge.tool",
                                      "merge.*.driver",
                                      "mergetool.*",
                                      "*.helper",
                                      "filter.*",
                                      "url.*",
                                      "gpg.program",
                                      "gpg.*.program",
                                      "gpg.ssh.*",
                                      "sequence.editor",
                                      "credential.*",
                                      "include.path",
                                      "includeif.*",
                                      "protocol.*",
                                      "remote.*.uploadpack",
                                      "remote.*.receivepack",
                                      "remote.*.vcs",
                                      "sendemail.*",
                                      "instaweb.*",
                                      "browser.*",
                                      "man.*",
                                      "web.browser",
                                      "http.proxy",
                                      "https.proxy",
                                      "http.*.proxy",
                                      "remote.*.proxy",
                                      "uploadpack.*",
                                      "ssh.variant",
                                      "trailer.*",
                                      "interactive.difffilter",
                                      "submodule.*.update",
                                      "init.templatedir",
                                      "commit.template",
                                      "http.sslverify",
                                      NULL };
  g_autofree char *lower = g_ascii_strdown (key, -1);

  for (guint i = 0; keys[i] != NULL; i++)
    if (guard_glob_match (keys[i], lower, FALSE))
      return TRUE;
  return FALSE;
}

gboolean
guard_git_key_runs (const char *key)
{
  return is_command_key (key);
}

/* `git -c KEY=VALUE`. */
void
guard_git_config_check (GuardContext *context, GuardState *state, const char *text, GuardSpan span)
{
  const char *equals = strchr (text, '=');
  g_autofree char *key = equals != NULL ? g_strndup (text, equals - text) : g_strdup (text);

  if (guard_has_unknown (key))
    {
      guard_find_unknown (context, "git.config", span, key);
      return;
    }
  if (!is_command_key (key))
    return;
  /* A pager that is cat, or none, runs nothing. */
  if (equals != NULL &&
      (g_ascii_strcasecmp (key, "core.pager") == 0 ||
       g_ascii_strncasecmp (key, "pager.", 6) == 0) &&
      (g_str_equal (equals + 1, "cat") || g_str_equal (equals + 1, "") ||
       g_str_equal (equals + 1, "false")))
    return;
  if (equals != NULL &&
      (g_ascii_strcasecmp (key, "core.editor") == 0 ||
       g_ascii_strcasecmp (key, "sequence.editor") == 0) &&
      (g_str_equal (equals + 1, "true") || g_str_equal (equals + 1, ":")))
    return;
  if (equals != NULL && equals[1] == '\0' && g_ascii_strcasecmp (key, "core.fsmonitor") == 0)
    return;
  guard_find (context, "git.config", span, key, NULL);
}

/* The top of the work tree that @folder lies in. */
static const char *
top_of (GuardContext *context, const char *folder)
{
  g_autofree char *at = g_strdup (folder);

  while (at != NULL && context->files != NULL &&
         guard_path_inside (context, at, context->project_path) &&
         strcmp (at, context->project_path) != 0 && guard_step (context, 5))
    {
      g_autofree char *git = g_strdup_printf ("%s/.git", at);

      if (context->files->stat (context->files, git, NULL, NULL) != GUARD_FILE_ABSENT)
        return guard_copy (context, at, -1);
      *strrchr (at, '/') = '\0';
    }
  return context->project_path;
}

/* `HEAD:web/a.ts`: from the work tree's top, unless it begins with a dot; `:0:a.ts` from the index.
 */
static void
check_tree_path (GuardContext *context, const GuardState *state, const char *path, GuardSpan span)
{
  GuardState top = *state;
  const char *what;

  if (g_ascii_isdigit (path[0]) && path[1] == ':')
    path += 2;
  what = guard_secret_what (path, FALSE);
  if (what != NULL || guard_secret_glob (path))
    {
      guard_find (context, "secrets.file", span, path, what != NULL ? what : "a secret");
      return;
    }
  if (guard_has_holes (path) || path[0] == '/')
    return;
  if (!g_str_has_prefix (path, "./") && !g_str_has_prefix (path, "../"))
    top.cwd = top_of (context, state->cwd);
  if (top.cwd != NULL)
    guard_path_check (context, &top, path, span, GUARD_ACCESS_READ);
}

/* A revision, `REVISION:path`, or a pathspec. */
void
guard_git_revision (GuardContext *context,
                    const GuardState *state,
                    const GuardArg *arg,
                    gboolean path_too,
                    GuardAccess access)
{
  const char *text = arg->text;
  const char *colon = strchr (text, ':');

  if (text[0] == '\0')
    return;
  if (guard_has_unknown (text))
    {
      guard_find_unknown (context, "operands.unknown", arg->span, text);
      return;
    }
  if (text[0] == ':' && text[1] == '/')
    {
      GuardState root = *state;

      root.cwd = context->project_path;
      if (path_too)
        guard_path_check (context, &root, text[2] != '\0' ? text + 2 : ".", arg->span, access);
      return;
    }
  if (text[0] == ':' && text[1] == '(')
    {
      const char *close = strchr (text, ')');

      if (close != NULL && strstr (text, "exclude") == NULL && close[1] != '\0')
        guard_path_check (context, state, close + 1, arg->span, access);
      return;
    }
  if (text[0] == ':' && (text[1] == '!' || text[1] == '^'))
    return;
  if (colon != NULL && colon[1] != '\0' && !guard_url_has_scheme (text))
    {
      check_tree_path (context, state, colon + 1, arg->span);
      return;
    }
  if (!path_too)
    return;
  /* `HEAD@{1}`, `main..HEAD` and the like are no paths. */
  if (strstr (text, "..") != NULL && !guard_path_looks (text))
    return;
  if (strpbrk (text, "~^@{") != NULL && text[0] != '/' && !guard_path_looks (text))
    return;
  guard_path_check (context, state, text, arg->span, access);
}

/* The git dir that git would find from @folder, or NULL. */
static char *
find_git_dir (GuardContext *context, const char *folder)
{
  g_autofree char *at = g_strdup (folder);

  while (context->files != NULL && guard_step (context, 10))
    {
      g_autofree char *candidate = g_strdup_printf ("%s/.git", g_str_equal (at, "/") ? "" : at);
      GuardFileType type = context->files->stat (context->files, candidate, NULL, NULL);
      char *slash;

      if (type == GUARD_FILE_FOLDER)
        return g_steal_pointer (&candidate);
      if (type == GUARD_FILE_REGULAR)
        {
          gsize length = 0;
          g_autofree char *text = context->files->read (context->files, candidate, 4096, &length);

          if (text != NULL && g_str_has_prefix (text, "gitdir:"))
            return g_strdup (guard_path_normal (context, at, g_strstrip (text + 7)));
          return NULL;
        }
      slash = strrchr (at, '/');
      if (slash == NULL || slash == at)
        return NULL;
      *slash = '\0';
    }
  return NULL;
}

/* The top of the work tree that git would find from @folder; without a view of the disk the
 * project's root. */
const char *
guard_git_top (GuardContext *context, const char *folder)
{
  g_autofree char *at = g_strdup (folder);

  while (context->files != NULL && guard_step (context, 10))
    {
      g_autofree char *candidate = g_strdup_printf ("%s/.git", g_str_equal (at, "/") ? "" : at);
      GuardFileType type = context->files->stat (context->files, candidate, NULL, NULL);
      char *slash;

      if (type == GUARD_FILE_FOLDER || type == GUARD_FILE_REGULAR)
        return guard_path_normal (context, "/", at);
      slash = strrchr (at, '/');
      if (slash == NULL || slash == at)
        break;
      *slash = '\0';
    }
  return context->project_path;
}

/* In the sandbox only the loop's folder can be written: git would fail half-way elsewhere. */
void
guard_git_writes (GuardContext *context, const GuardState *state, const GuardParsed *parsed)
{
  g_autofree char *git_dir = NULL;
  const GuardGiven *given;

  if (!context->scope->sandbox || state->cwd == NULL)
    return;
  given = guard_parsed_find (parsed, "--git-dir");
  if (given != NULL && given->value != NULL)
    git_dir = g_strdup (guard_path_normal (context, state->cwd, given->value));
  else
    git_dir = find_git_dir (context, state->cwd);
  if (git_dir == NULL && !g_str_equal (context->loop_path, context->project_path))
    git_dir = g_strdup_printf ("%s/.git", context->project_path);
  if (git_dir != NULL && !guard_path_inside (context, git_dir, context->loop_path))
    guard_find (context, "git.read-only", parsed->span, guard_parsed_name (context, parsed), NULL);
}

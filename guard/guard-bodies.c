/* What a project runs, judged: only what is seen in it counts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

GuardProject *
guard_context_project (GuardContext *context)
{
  if (context->project == NULL && context->files != NULL)
    context->project = guard_project_new (context->files, context->project_path);
  return context->project;
}

static const char *
language_name (GuardLanguage language)
{
  switch (language)
    {
    case GUARD_LANGUAGE_SHELL:
      return "shell";
    case GUARD_LANGUAGE_PYTHON:
      return "python";
    case GUARD_LANGUAGE_JAVASCRIPT:
      return "javascript";
    case GUARD_LANGUAGE_RUBY:
      return "ruby";
    case GUARD_LANGUAGE_PERL:
      return "perl";
    case GUARD_LANGUAGE_PHP:
      return "php";
    case GUARD_LANGUAGE_AWK:
      return "awk";
    case GUARD_LANGUAGE_SED:
      return "sed";
    case GUARD_LANGUAGE_LUA:
      return "lua";
    case GUARD_LANGUAGE_OTHER:
    case GUARD_LANGUAGE_BINARY:
    default:
      return NULL;
    }
}

gboolean
guard_bodies_text (
    GuardContext *context, GuardState *state, const char *text, gsize length, GuardSpan span)
{
  GuardTree *tree = guard_tree_read (text, length);
  GuardTree *before = context->tree;
  GuardSpan body_span = context->body_span;
  gboolean in_body = context->in_body;
  const GuardReadError *error = guard_tree_get_error (tree);

  g_ptr_array_add (context->trees, tree);
  guard_step (context, 1 + length / 16);
  if (error != NULL)
    return strcmp (error->rule, "reader.blank") == 0;
  context->tree = tree;
  if (!in_body)
    context->body_span = span;
  context->in_body = TRUE;
  context->body_depth++;
  if (guard_tree_get_root (tree) != NULL)
    guard_walk (context, state, guard_tree_get_root (tree));
  context->body_depth--;
  context->in_body = in_body;
  context->body_span = body_span;
  context->tree = before;
  return TRUE;
}

/* Like guard_bodies_text(), but asks about what can't be read. */
static void
judge_shell (GuardContext *context,
             GuardState *state,
             const char *text,
             gsize length,
             const char *name,
             GuardSpan span)
{
  if (!guard_bodies_text (context, state, text, length, span))
    guard_find_full (context, guard_rules_family ("body.unread"), GUARD_ANSWER_ASK, span, name,
                     NULL, name, NULL);
}

/* Each body once in a verdict, in the folder it runs in: recipes call each other in circles. */
static gboolean
first_time (GuardContext *context, const GuardBody *body)
{
  char *key = g_strdup_printf ("%s\n%s\n%s", body->path != NULL ? body->path : "",
                               body->folder != NULL ? body->folder : "", body->text);

  guard_step (context, 4 + body->length / 64);
  if (g_hash_table_contains (context->bodies_seen, key))
    {
      g_free (key);
      return FALSE;
    }
  g_hash_table_add (context->bodies_seen, key);
  return TRUE;
}

static void
judge_body (GuardContext *context, GuardState *state, const GuardBody *body, GuardSpan span)
{
  const char *language = language_name (body->language);
  GuardState own = *state;
  GuardFunction *functions = context->functions;

  if (context->body_depth >= GUARD_MAX_BODY_DEPTH || !first_time (context, body) ||
      !guard_step (context, 1))
    return;
  if (body->folder != NULL)
    own.cwd = guard_copy (context, body->folder, -1);
  own.parameters = NULL;
  own.parameters_known = FALSE;
  guard_trace (context, "body of %s, from %s", body->name, body->path);
  if (body->truncated)
    guard_find (context, "limits.body", span, body->name, NULL);
  if (body->language == GUARD_LANGUAGE_SHELL)
    judge_shell (context, &own, body->text, body->length, body->name, span);
  else if (language != NULL)
    {
      gboolean in_body = context->in_body;
      GuardSpan before = context->body_span;

      if (!in_body)
        context->body_span = span;
      context->in_body = TRUE;
      context->body_depth++;
      if (g_str_equal (language, "awk"))
        guard_awk_check (context, &own, body->text, span);
      else if (g_str_equal (language, "sed"))
        guard_sed_check (context, &own, body->text, span);
      else
        guard_inline_check (context, &own, language, body->text, span, FALSE, 0);
      context->body_depth--;
      context->in_body = in_body;
      context->body_span = before;
    }
  context->functions = functions;
}

guint
guard_bodies_run (GuardContext *context,
                  GuardState *state,
                  const char *runner,
                  const char *const *argv,
                  guint n_argv,
                  GuardSpan span)
{
  GuardProject *project = guard_context_project (context);
  g_autoptr (GPtrArray) bodies = NULL;

  if (project == NULL || state->cwd == NULL || context->body_depth >= GUARD_MAX_BODY_DEPTH)
    return 0;
  guard_step (context, 50);
  bodies = guard_project_bodies (project, runner, argv, n_argv, state->cwd);
  for (guint i = 0; bodies != NULL && i < bodies->len; i++)
    judge_body (context, state, g_ptr_array_index (bodies, i), span);
  return bodies != NULL ? bodies->len : 0;
}

/* A file that an earlier part of the line wrote is judged like inline code. */
static gboolean
judge_written (GuardContext *context,
               GuardState *state,
               const char *path,
               const char *language,
               GuardSpan span)
{
  for (const GuardWritten *written = context->written; written != NULL; written = written->next)
    if (strcmp (written->path, path) == 0)
      {
        const GuardFamily *family = guard_rules_family ("inline.code");
        const char *text = written->text;
        GuardLanguage known = text != NULL ? guard_project_language (path, text, strlen (text))
                                           : GUARD_LANGUAGE_OTHER;
        const char *name = language != NULL ? language : language_name (known);
        const char *kind =
            guard_arena_printf (context, "inline code: %s", name != NULL ? name : "script");
        GuardState own = *state;

        guard_find_full (context, family, GUARD_ANSWER_ASK, span, path, path, kind, NULL);
        if (text == NULL)
          return TRUE;
        if (name == NULL || g_str_equal (name, "shell"))
          judge_shell (context, &own, text, strlen (text), path, span);
        else
          guard_inline_check (context, &own, name, text, span, FALSE, 0);
        return TRUE;
      }
  return FALSE;
}

void
guard_bodies_script (GuardContext *context,
                     GuardState *state,
                     const char *path,
                     const char *language,
                     const char *const *argv,
                     guint n_argv,
                     GuardSpan span)
{
  GuardProject *project = guard_context_project (context);
  GuardBody body = { 0 };
  g_autoptr (GPtrArray) bodies = NULL;
  gboolean truncated = FALSE;
  const char *text;

  if (path == NULL || judge_written (context, state, path, language, span) || project == NULL ||
      context->body_depth >= GUARD_MAX_BODY_DEPTH)
    return;
  guard_step (context, 50);
  if (language == NULL)
    {
      bodies = guard_project_bodies (project, "script", argv, n_argv,
                                     state->cwd != NULL ? state->cwd : context->project_path);
      for (guint i = 0; bodies != NULL && i < bodies->len; i++)
        judge_body (context, state, g_ptr_array_index (bodies, i), span);
      return;
    }
  text = guard_project_read (project, path, &body.length, &truncated);
  if (text == NULL)
    return;
  body.text = (char *) text;
  body.path = (char *) path;
  body.name = (char *) path;
  body.folder = (char *) state->cwd;
  body.language = GUARD_LANGUAGE_OTHER;
  body.truncated = truncated && memchr (text, '\0', body.length) == NULL;
  for (int i = GUARD_LANGUAGE_SHELL; i < GUARD_LANGUAGE_OTHER; i++)
    if (g_strcmp0 (language_name (i), language) == 0)
      body.language = i;
  judge_body (context, state, &body, span);
}

/* npm install in a member of a workspace writes the workspace's root. */
void
guard_bodies_workspace (GuardContext *context, const GuardState *state, GuardSpan span)
{
  g_autofree char *folder = NULL;
  const char *root = NULL;

  if (state->cwd == NULL)
    return;
  folder = g_strdup (state->cwd);
  while (context->files != NULL && guard_path_inside (context, folder, context->project_path) &&
         guard_step (context, 10))
    {
      g_autofree char *package = g_strdup_printf ("%s/package.json", folder);
      g_autofree char *pnpm = g_strdup_printf ("%s/pnpm-workspace.yaml", folder);
      gsize length = 0;
      g_autofree char *text = NULL;
      char *slash;

      if (context->files->stat (context->files, package, NULL, NULL) == GUARD_FILE_REGULAR)
        {
          text = context->files->read (context->files, package, 65536, &length);
          if (root == NULL ||
              (text != NULL && g_strstr_len (text, length, "\"workspaces\"") != NULL) ||
              context->files->stat (context->files, pnpm, NULL, NULL) == GUARD_FILE_REGULAR)
            root = guard_copy (context, folder, -1);
        }
      slash = strrchr (folder, '/');
      if (slash == NULL || slash == folder)
        break;
      *slash = '\0';
    }
  if (root == NULL)
    root = state->cwd;
  if (guard_path_inside (context, root, context->loop_path))
    {
      guard_path_check (context, state, root, span, GUARD_ACCESS_WRITE);
      return;
    }
  if (context->scope->sandbox)
    guard_find (context, "paths.workspace", span, root, NULL);
  else
    {
      const GuardFamily *family = guard_rules_family ("paths.workspace");

      guard_find_full (context, family, GUARD_ANSWER_ASK, span, root, NULL,
                       "install in the workspace", NULL);
    }
}

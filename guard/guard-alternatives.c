/* What to run instead: whole lines, ready to run.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

/* The line with @span replaced by @text. */
char *
guard_line_with (GuardContext *context, GuardSpan span, const char *text)
{
  gsize length = strlen (context->text);

  if (span.start > span.end || span.end > length)
    return NULL;
  return g_strdup_printf ("%.*s%s%s", (int) span.start, context->text, text,
                          context->text + span.end);
}

/* `> /tmp/x` becomes `> "$TMPDIR"/x`, everywhere in the line. */
static char *
with_scratch (const char *text)
{
  g_autoptr (GRegex) regex = g_regex_new ("(?<![\\w/.])(?:/var)?/tmp(?=/|\\b)", 0, 0, NULL);

  if (strpbrk (text, "'\"") != NULL)
    return NULL;
  return g_regex_replace_literal (regex, text, -1, 0, "$TMPDIR", 0, NULL);
}

/* `source .venv/bin/activate && pytest` becomes `.venv/bin/pytest`. */
static char *
without_activation (const char *text)
{
  g_autoptr (GRegex) regex = g_regex_new (
      "^\\s*(?:source|\\.)\\s+(?:\\./)?([\\w./-]+/bin)/activate\\s*(?:&&|;)\\s*([\\w.-]+)(.*)$",
      G_REGEX_DOTALL, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (!g_regex_match (regex, text, 0, &match))
    return NULL;
  {
    g_autofree char *folder = g_match_info_fetch (match, 1);
    g_autofree char *program = g_match_info_fetch (match, 2);
    g_autofree char *rest = g_match_info_fetch (match, 3);

    if (folder[0] == '/' || strstr (folder, "..") != NULL)
      return NULL;
    return g_strdup_printf ("%s/%s%s", folder, program, rest);
  }
}

/* `bash scripts/x.sh` becomes `./scripts/x.sh`, if it can be run. */
static char *
without_shell (GuardContext *context, const GuardFinding *finding)
{
  g_autoptr (GRegex) regex = g_regex_new ("^(?:bash|sh)\\s+(?:\\./)?([\\w-][\\w./-]*)", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  const char *start = context->text + finding->start;

  if (!g_regex_match (regex, start, 0, &match))
    return NULL;
  {
    g_autofree char *script = g_match_info_fetch (match, 1);
    g_autofree char *with = g_strdup_printf ("./%s", script);
    const char *path = guard_path_normal (context, context->project_path, script);
    gboolean executable = FALSE;
    GuardSpan span = { finding->start, 0 };
    int end = 0;

    g_match_info_fetch_pos (match, 0, NULL, &end);
    span.end = finding->start + (guint) end;
    if (context->files == NULL ||
        context->files->stat (context->files, path, NULL, &executable) != GUARD_FILE_REGULAR ||
        !executable)
      return NULL;
    return guard_line_with (context, span, with);
  }
}

void
guard_alternatives (GuardContext *context)
{
  for (guint i = 0; i < context->findings->len; i++)
    {
      GuardFinding *finding = g_ptr_array_index (context->findings, i);

      if (finding->alternative != NULL || finding->answer != GUARD_ANSWER_REFUSE)
        continue;
      if (strcmp (finding->rule, "paths.tmp") == 0)
        finding->alternative = with_scratch (context->text);
      else if (strcmp (finding->rule, "shell.source") == 0)
        finding->alternative = without_activation (context->text);
      else if (strcmp (finding->rule, "shell.direct") == 0)
        finding->alternative = without_shell (context, finding);
      if (finding->alternative != NULL)
        finding->intent = GUARD_INTENT_ALTERNATIVE;
    }
}

/* What to run instead: whole lines, ready to run.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"
#include "guard-meaning.h"

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

  /* In single quotes it would stay as it is written. */
  if (strchr (text, '\'') != NULL)
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

/* `git push --force` without the force. */
static char *
without_force (GuardContext *context, const GuardFinding *finding)
{
  const char *text = context->text + finding->start;
  GuardSpan span = { finding->start, finding->end };

  if (text[0] == '+')
    {
      span.end = span.start + 1;
      return guard_line_with (context, span, "");
    }
  if (!g_str_has_prefix (text, "--force") && !g_str_has_prefix (text, "-f ") &&
      !(text[0] == '-' && text[1] == 'f' && finding->end == finding->start + 2))
    return NULL;
  while (span.start > 0 && context->text[span.start - 1] == ' ')
    span.start--;
  return guard_line_with (context, span, "");
}

/* An alternative is a line that may run; what would be refused itself is none. */
static gboolean
is_allowed (const GuardContext *context, const char *line)
{
  g_autoptr (GuardVerdict) verdict = NULL;

  if (strcmp (line, context->text) == 0)
    return FALSE;
  verdict = guard_read_plain (line, strlen (line), context->scope, context->files);
  return verdict->answer != GUARD_ANSWER_REFUSE;
}

static void
settle (GuardContext *context, GuardFinding *finding)
{
  if (finding->alternative != NULL && !is_allowed (context, finding->alternative))
    g_clear_pointer (&finding->alternative, g_free);
  if (finding->alternative != NULL && finding->intent != GUARD_INTENT_PERSON)
    finding->intent = GUARD_INTENT_ALTERNATIVE;
  else if (finding->alternative == NULL && finding->intent == GUARD_INTENT_ALTERNATIVE)
    finding->intent = GUARD_INTENT_NARROW;
}

void
guard_alternatives (GuardContext *context)
{
  for (guint i = 0; i < context->findings->len; i++)
    {
      GuardFinding *finding = g_ptr_array_index (context->findings, i);

      if (finding->answer != GUARD_ANSWER_REFUSE)
        continue;
      if (finding->alternative != NULL)
        ;
      else if (strcmp (finding->rule, "paths.tmp") == 0)
        finding->alternative = with_scratch (context->text);
      else if (strcmp (finding->rule, "shell.source") == 0)
        finding->alternative = without_activation (context->text);
      else if (strcmp (finding->rule, "shell.direct") == 0)
        finding->alternative = without_shell (context, finding);
      else if (strcmp (finding->rule, "git.force-push") == 0)
        finding->alternative = without_force (context, finding);
      settle (context, finding);
    }
}

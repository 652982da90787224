/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-context.h"

#include <stdarg.h>
#include <string.h>

/* A text longer than this is cut in a sentence, in bytes. */
#define MAX_ARGUMENT 200

void
guard_finding_free (gpointer data)
{
  GuardFinding *finding = data;

  if (finding == NULL)
    return;
  g_strfreev (finding->args);
  g_free (finding->kind);
  g_free (finding->alternative);
  g_free (finding);
}

/* Counts @n steps; FALSE once the limit is passed. */
gboolean
guard_step (GuardContext *context, guint n)
{
  if (context->exhausted)
    return FALSE;
  context->steps += n;
  if (context->steps > GUARD_MAX_STEPS)
    {
      context->exhausted = TRUE;
      return FALSE;
    }
  return TRUE;
}

const char *
guard_copy (GuardContext *context, const char *text, gssize length)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;

  /* What a line has us remember is bounded by its steps too. */
  guard_step (context, (guint) (size / 64));
  return guard_arena_strndup (&context->arena, text, size);
}

const char *
guard_arena_printf (GuardContext *context, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list list;

  va_start (list, format);
  text = g_strdup_vprintf (format, list);
  va_end (list);
  return guard_copy (context, text, -1);
}

void
guard_trace (GuardContext *context, const char *format, ...)
{
  va_list list;

  if (context->trace == NULL)
    return;
  for (guint i = 0; i < context->body_depth; i++)
    g_string_append (context->trace, "  ");
  va_start (list, format);
  g_string_append_vprintf (context->trace, format, list);
  va_end (list);
  g_string_append_c (context->trace, '\n');
}

/* A value as people read it: what isn't known becomes `…`, live globs what they were. */
char *
guard_printable (GuardContext *context, const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0' && out->len < MAX_ARGUMENT; p++)
    switch (*p)
      {
      case GLOB_STAR:
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
      case HOLE_SCRATCH:
        g_string_append (out, "$TMPDIR");
        break;
      case HOLE_HOME:
        g_string_append_c (out, '~');
        break;
      case FIELD_BREAK:
        g_string_append_c (out, ' ');
        break;
      default:
        if (*p == '\n' || *p == '\t')
          g_string_append_c (out, ' ');
        else if ((guchar) *p < 0x20 || *p == 0x7f)
          g_string_append (out, "…");
        else
          g_string_append_c (out, *p);
      }
  if (out->len >= MAX_ARGUMENT)
    {
      /* No half a character at the end. */
      while (out->len > 0 && ((guchar) out->str[out->len - 1] & 0xc0) == 0x80)
        g_string_truncate (out, out->len - 1);
      if (out->len > 0 && ((guchar) out->str[out->len - 1] & 0x80) != 0)
        g_string_truncate (out, out->len - 1);
      g_string_append (out, "…");
    }
  /* What a file of the project holds may be anything. */
  {
    char *valid = g_utf8_make_valid (out->str, out->len);

    g_string_free (out, TRUE);
    return valid;
  }
}

GuardFinding *
guard_find_full (GuardContext *context,
                 const GuardFamily *family,
                 GuardAnswer answer,
                 GuardSpan span,
                 const char *first,
                 const char *second,
                 const char *kind,
                 const char *alternative)
{
  GuardFinding *finding;

  if (context->in_body || context->in_code)
    span = context->body_span;
  for (guint i = 0; i < context->findings->len; i++)
    {
      finding = g_ptr_array_index (context->findings, i);
      if (finding->rule == family->id && finding->start == span.start && finding->end == span.end &&
          g_strcmp0 (finding->kind, kind) == 0)
        return finding;
    }
  if (context->findings->len >= GUARD_MAX_FINDINGS)
    {
      context->exhausted = TRUE;
      return NULL;
    }
  finding = g_new0 (GuardFinding, 1);
  finding->answer = answer;
  finding->rule = family->id;
  finding->start = span.start;
  finding->end = span.end;
  finding->message = family->message;
  finding->args = g_new0 (char *, 3);
  finding->args[0] = guard_printable (context, first != NULL ? first : "");
  finding->args[1] = guard_printable (context, second != NULL ? second : "");
  finding->kind = kind != NULL ? g_utf8_make_valid (kind, -1) : NULL;
  finding->intent = answer == GUARD_ANSWER_REFUSE ? family->intent : GUARD_INTENT_NONE;
  finding->alternative = g_strdup (alternative);
  g_ptr_array_add (context->findings, finding);
  guard_trace (context, "found %s (%s) at %u–%u: %s %s", family->id,
               guard_answer_to_string (answer), span.start, span.end, finding->args[0],
               finding->args[1]);
  return finding;
}

void
guard_find (
    GuardContext *context, const char *rule, GuardSpan span, const char *first, const char *second)
{
  const GuardFamily *family = guard_rules_family (rule);

  guard_find_full (context, family, family->answer, span, first, second,
                   family->answer == GUARD_ANSWER_ASK ? first : NULL, NULL);
}

void
guard_find_unknown (GuardContext *context, const char *rule, GuardSpan span, const char *first)
{
  if (context->in_body || context->in_code)
    return;
  guard_find (context, rule, span, first, NULL);
}

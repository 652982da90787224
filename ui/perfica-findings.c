/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-findings.h"

void
perfica_finding_line_free (PerficaFindingLine *line)
{
  g_free (line->answer);
  g_free (line->rule);
  g_free (line->sentence);
  g_free (line);
}

static gboolean
parse_span (const char *text, PerficaSpan *span)
{
  g_auto (GStrv) ends = g_strsplit (text, "-", 2);
  guint64 start, end;

  if (g_strv_length (ends) != 2 ||
      !g_ascii_string_to_unsigned (ends[0], 10, 0, G_MAXUINT, &start, NULL) ||
      !g_ascii_string_to_unsigned (ends[1], 10, start, G_MAXUINT, &end, NULL))
    return FALSE;
  span->start = (guint) start;
  span->end = (guint) end;
  return TRUE;
}

GPtrArray *
perfica_findings_parse (const char *text)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) perfica_finding_line_free);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) fields = g_strsplit (*line, " ", 4);
      PerficaSpan span;
      PerficaFindingLine *finding;

      if (g_strv_length (fields) != 4 || !parse_span (fields[2], &span))
        continue;
      finding = g_new0 (PerficaFindingLine, 1);
      finding->answer = g_strdup (fields[0]);
      finding->rule = g_strdup (fields[1]);
      finding->span = span;
      finding->sentence = g_strdup (fields[3]);
      g_ptr_array_add (found, finding);
    }
  return found;
}

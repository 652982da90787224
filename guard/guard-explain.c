/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-meaning.h"

char *
guard_explain (const char *text, gsize length, const GuardScope *scope, const GuardFiles *files)
{
  GString *out = g_string_new (NULL);
  g_autoptr (GuardVerdict) verdict = guard_read_traced (text, length, scope, files, out);

  g_string_append_printf (out, "answer: %s\n", guard_answer_to_string (verdict->answer));
  for (guint i = 0; i < verdict->findings->len; i++)
    {
      const GuardFinding *finding = g_ptr_array_index (verdict->findings, i);
      g_autofree char *sentence = guard_finding_text (finding, NULL);

      g_string_append_printf (out, "%s %s (%u–%u): %s\n", guard_answer_to_string (finding->answer),
                              finding->rule, finding->start, finding->end, sentence);
      if (finding->kind != NULL)
        g_string_append_printf (out, "  kind: %s\n", finding->kind);
      if (finding->alternative != NULL)
        g_string_append_printf (out, "  instead: %s\n", finding->alternative);
    }
  if (verdict->canonical != NULL)
    g_string_append_printf (out, "canonical: %s\n", verdict->canonical);
  g_string_append_printf (out, "time: %s\n",
                          verdict->time_class == GUARD_TIME_LONG ? "ten minutes" : "two minutes");
  return g_string_free (out, FALSE);
}

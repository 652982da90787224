/* The record's findings, one a line: "answer rule start-end sentence".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-escape.h"

G_BEGIN_DECLS

/**
 * PerficaFindingLine:
 * @answer: "allow", "ask" or "refuse"
 * @rule: the rule's id
 * @span: what in the command it rests on
 * @sentence: for people
 */
typedef struct
{
  char *answer;
  char *rule;
  PerficaSpan span;
  char *sentence;
} PerficaFindingLine;

void perfica_finding_line_free (PerficaFindingLine *line);

/**
 * perfica_findings_parse:
 * @text: (nullable): the record's lines
 *
 * Pure. A line that isn't one is left out.
 *
 * Returns: (transfer full) (element-type PerficaFindingLine): the findings
 */
GPtrArray *perfica_findings_parse (const char *text);

G_END_DECLS

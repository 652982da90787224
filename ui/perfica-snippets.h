/* What a person gives each agent so that it reaches Perfica.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PerficaSnippet:
 * @client: the agent's name; a name, not translated
 * @place: where the text goes
 * @text: what to copy
 */
typedef struct
{
  const char *client;
  const char *place;
  const char *text;
} PerficaSnippet;

/**
 * perfica_snippets:
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): one for each agent
 */
const PerficaSnippet *perfica_snippets (gsize *n);

G_END_DECLS

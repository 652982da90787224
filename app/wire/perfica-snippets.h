/* What a person gives each agent so that it reaches Perfica: one source for window and terminal.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PerficaSnippet:
 * @id: what `perfica-agent connect` calls the agent
 * @client: its name; a name, not translated
 * @place: the file the text goes to
 * @hooks_place: (nullable): the file its hooks go to; %NULL when Perfica has no hook for it
 */
typedef struct
{
  const char *id;
  const char *client;
  const char *place;
  const char *hooks_place;
} PerficaSnippet;

/**
 * perfica_snippets:
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): one for each agent
 */
const PerficaSnippet *perfica_snippets (gsize *n);

/* Returns: (nullable): that agent's; %NULL when there is none by this @id */
const PerficaSnippet *perfica_snippet_find (const char *id);

/**
 * perfica_snippet_make:
 * @self: for which agent
 * @program: path of perfica-agent; an agent's PATH need not be the person's
 * @board: (nullable): named; else found from the agent's working folder
 * @bubble: (nullable): named; else the only one that fits
 *
 * The agent's settings in the shape of its own documents. Any thread.
 *
 * Returns: (transfer full): text that ends with a newline
 */
char *perfica_snippet_make (const PerficaSnippet *self,
                            const char *program,
                            const char *board,
                            const char *bubble);

/* Returns: (transfer full): likewise, the settings that make the agent's own shell and file tools
 * ask Perfica first; only where it has a hooks_place */
char *perfica_snippet_make_hooks (const PerficaSnippet *self,
                                  const char *program,
                                  const char *board,
                                  const char *bubble);

/* Returns: (transfer full): path of the perfica-agent that belongs to this program; its bare name
 * where that isn't known */
char *perfica_snippet_agent (void);

G_END_DECLS

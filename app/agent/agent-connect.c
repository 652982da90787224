/* perfica-agent connect: the settings that let an agent use Perfica's tools.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-commands.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "perfica-snippets.h"

static char *
list_ids (void)
{
  g_autoptr (GString) ids = g_string_new (NULL);
  gsize n;
  const PerficaSnippet *snippets = perfica_snippets (&n);

  for (gsize i = 0; i < n; i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? "|" : "", snippets[i].id);
  return g_string_free (g_steal_pointer (&ids), FALSE);
}

static int
print_snippet (const PerficaSnippet *snippet, const AgentIdentity *identity, gboolean hooks)
{
  g_autofree char *program = perfica_snippet_agent ();
  const char *place = hooks ? snippet->hooks_place : snippet->place;
  g_autofree char *text = NULL;
  g_autofree char *hint = NULL;

  if (place == NULL)
    {
      hint = g_strdup_printf (_ ("Perfica has no hooks for %s; its tools over MCP are what there "
                                 "is."),
                              snippet->client);
      agent_complain (hint);
      return AGENT_EXIT_USAGE;
    }
  text = hooks ? perfica_snippet_make_hooks (snippet, program, identity->board, identity->bubble)
               : perfica_snippet_make (snippet, program, identity->board, identity->bubble);
  hint = g_strdup_printf (_ ("For %s, add this to %s:"), snippet->client, place);

  /* Only the snippet goes to standard output, so that it can be sent on. */
  agent_complain (hint);
  return agent_write_all (STDOUT_FILENO, text, strlen (text)) ? AGENT_EXIT_OK : AGENT_EXIT_FAILED;
}

int
agent_connect_main (int argc, char **argv)
{
  g_auto (AgentIdentity) identity = { 0 };
  g_auto (GStrv) words = NULL;
  gboolean hooks = FALSE;
  g_autofree char *ids = list_ids ();
  g_autofree char *message = NULL;
  GOptionEntry entries[] = {
    { "board", 'b', 0, G_OPTION_ARG_STRING, &identity.board,
      N_ ("Name the board (default: found from the agent's working folder)"), N_ ("BOARD") },
    { "bubble", 'n', 0, G_OPTION_ARG_STRING, &identity.bubble,
      N_ ("Name the bubble (default: the only one that fits)"), N_ ("NAME") },
    { "hooks", 0, 0, G_OPTION_ARG_NONE, &hooks,
      N_ ("What makes the agent's own shell and file tools ask Perfica first"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &words, NULL, ids },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  const PerficaSnippet *snippet = NULL;

  g_option_context_set_summary (
      context,
      _ ("Prints the settings that give an agent Perfica's tools over MCP, or its hooks."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!agent_parse_options (context, FALSE, argc, argv))
    return AGENT_EXIT_USAGE;
  if (words != NULL && words[0] != NULL && words[1] == NULL)
    snippet = perfica_snippet_find (words[0]);
  if (snippet != NULL)
    return print_snippet (snippet, &identity, hooks);
  message = g_strdup_printf (_ ("Name one agent: %s."), ids);
  agent_complain (message);
  return AGENT_EXIT_USAGE;
}

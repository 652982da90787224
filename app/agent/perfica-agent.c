/* perfica-agent: the client that agents start. No GTK; starts in two milliseconds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent-commands.h"
#include "perfica-locale.h"

static const struct
{
  const char *name;
  int (*main) (int argc, char **argv);
  gboolean for_agents; /* its words are for agents and stay English */
  const char *help;
} commands[] = {
  { "mcp", agent_mcp_main, TRUE, N_ ("serve an agent over the Model Context Protocol") },
  { "hook", agent_hook_main, TRUE, N_ ("answer an agent's own shell and file tools") },
  { "run", agent_run_main, FALSE, N_ ("run one command through Perfica") },
  { "check", agent_check_main, FALSE, N_ ("say what the rules answer to a command, and why") },
  { "status", agent_status_main, FALSE, N_ ("say whether Perfica answers, and for whom") },
  { "connect", agent_connect_main, FALSE, N_ ("print the settings for an agent") },
};

static void
print_help (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append (text, _ ("Usage: perfica-agent COMMAND [OPTION…]\n\nCommands:\n"));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (text, "  %-8s %s\n", commands[i].name, _ (commands[i].help));
  g_string_append (text, _ ("\nperfica-agent COMMAND --help says more about each.\n"));
  agent_write_all (STDOUT_FILENO, text->str, text->len);
}

int
main (int argc, char *argv[])
{
  const char *name = argc > 1 ? argv[1] : "--help";

  /* A reader that goes away is an error to see, not a death. */
  signal (SIGPIPE, SIG_IGN);
  g_set_prgname ("perfica-agent");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (name, commands[i].name) == 0)
      {
        g_autofree char *program = g_strdup_printf ("perfica-agent %s", name);

        if (!commands[i].for_agents)
          perfica_set_language (PERFICA_BINDIR, PERFICA_LOCALEDIR, "../../po");
        g_set_prgname (program);
        return commands[i].main (argc - 1, argv + 1);
      }
  perfica_set_language (PERFICA_BINDIR, PERFICA_LOCALEDIR, "../../po");
  if (strcmp (name, "--version") == 0)
    {
      agent_write_all (STDOUT_FILENO, "perfica-agent " PERFICA_VERSION "\n",
                       strlen ("perfica-agent " PERFICA_VERSION "\n"));
      return AGENT_EXIT_OK;
    }
  if (strcmp (name, "--help") == 0 || strcmp (name, "-h") == 0 || strcmp (name, "help") == 0)
    {
      print_help ();
      return argc > 1 ? AGENT_EXIT_OK : AGENT_EXIT_USAGE;
    }
  {
    g_autofree char *message =
        g_strdup_printf (_ ("“%s” is no command; perfica-agent --help lists them."), name);

    agent_complain (message);
  }
  return AGENT_EXIT_USAGE;
}

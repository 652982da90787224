/* perfica-agent connect: the settings that let an agent use Perfica's tools.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-commands.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "perfica-json.h"

typedef enum
{
  SHAPE_JSON,     /* {"mcpServers": {"perfica": {command, args}}} */
  SHAPE_GEMINI,   /* the same with trust and a time-out */
  SHAPE_OPENCODE, /* {"mcp": {"perfica": {type, command[], enabled}}} */
  SHAPE_CODEX,    /* TOML */
} Shape;

static const struct
{
  const char *client;
  const char *title;
  const char *file;
  Shape shape;
} clients[] = {
  { "claude", "Claude Code", ".mcp.json", SHAPE_JSON },
  { "codex", "Codex", "~/.codex/config.toml", SHAPE_CODEX },
  { "gemini", "Gemini CLI", ".gemini/settings.json", SHAPE_GEMINI },
  { "cursor", "Cursor", ".cursor/mcp.json", SHAPE_JSON },
  { "opencode", "opencode", "opencode.json", SHAPE_OPENCODE },
};

/* Ours by its absolute path: an agent's PATH need not be the person's. */
static char *
own_path (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_file_read_link ("/proc/self/exe", &error);

  return path != NULL ? path : g_strdup ("perfica-agent");
}

static char **
own_arguments (const AgentIdentity *identity)
{
  GPtrArray *words = g_ptr_array_new ();

  g_ptr_array_add (words, g_strdup ("mcp"));
  if (identity->board != NULL)
    {
      g_ptr_array_add (words, g_strdup ("--board"));
      g_ptr_array_add (words, g_strdup (identity->board));
    }
  if (identity->bubble != NULL)
    {
      g_ptr_array_add (words, g_strdup ("--bubble"));
      g_ptr_array_add (words, g_strdup (identity->bubble));
    }
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

/* Gives one-line JSON the line breaks a person wants; strings stay as they are. */
static char *
indent_json (const char *json)
{
  GString *text = g_string_new (NULL);
  int depth = 0;
  gboolean in_string = FALSE, in_array = FALSE;

  for (const char *p = json; *p != '\0'; p++)
    {
      if (in_string || *p == '"')
        {
          g_string_append_c (text, *p);
          if (*p == '\\' && in_string)
            g_string_append_c (text, *++p);
          else if (*p == '"')
            in_string = !in_string;
          continue;
        }
      if (*p == '[' || *p == ']')
        in_array = *p == '[';
      if (*p == '{')
        g_string_append_printf (text, "{\n%*s", ++depth * 2, "");
      else if (*p == '}')
        g_string_append_printf (text, "\n%*s}", --depth * 2, "");
      else if (*p == ',')
        g_string_append_printf (text, in_array ? ", " : ",\n%*s", in_array ? 0 : depth * 2, "");
      else if (*p == ':')
        g_string_append (text, ": ");
      else
        g_string_append_c (text, *p);
    }
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

static char *
json_snippet (Shape shape, const char *program, char **arguments)
{
  PerficaJsonWriter w;
  g_autofree char *line = NULL;

  perfica_json_writer_init (&w);
  perfica_json_writer_open (&w, NULL, '{');
  perfica_json_writer_open (&w, shape == SHAPE_OPENCODE ? "mcp" : "mcpServers", '{');
  perfica_json_writer_open (&w, "perfica", '{');
  if (shape == SHAPE_OPENCODE)
    {
      perfica_json_writer_string (&w, "type", "local");
      perfica_json_writer_open (&w, "command", '[');
      perfica_json_writer_string (&w, NULL, program);
      for (char **word = arguments; *word != NULL; word++)
        perfica_json_writer_string (&w, NULL, *word);
      perfica_json_writer_close (&w, ']');
      perfica_json_writer_boolean (&w, "enabled", TRUE);
    }
  else
    {
      perfica_json_writer_string (&w, "command", program);
      perfica_json_writer_strv (&w, "args", (const char *const *) arguments);
    }
  if (shape == SHAPE_GEMINI)
    {
      perfica_json_writer_boolean (&w, "trust", TRUE);
      /* Milliseconds: ten minutes of a command, and the time to ask a person. */
      perfica_json_writer_int (&w, "timeout", 1200000);
    }
  for (int i = 0; i < 3; i++)
    perfica_json_writer_close (&w, '}');
  line = perfica_json_writer_end (&w);
  return indent_json (line);
}

/* A basic TOML string has JSON's escapes. */
static char *
codex_snippet (const char *program, char **arguments)
{
  PerficaJsonWriter w;
  g_autofree char *quoted = NULL;
  g_autofree char *list = NULL;

  perfica_json_writer_init (&w);
  perfica_json_writer_string (&w, NULL, program);
  quoted = perfica_json_writer_end (&w);
  perfica_json_writer_init (&w);
  perfica_json_writer_strv (&w, NULL, (const char *const *) arguments);
  list = perfica_json_writer_end (&w);
  return g_strdup_printf ("[mcp_servers.perfica]\n"
                          "command = %s\n"
                          "args = %s\n"
                          "default_tools_approval_mode = \"approve\"\n"
                          "tool_timeout_sec = 1200\n",
                          quoted, list);
}

static int
print_snippet (guint client, const AgentIdentity *identity)
{
  g_autofree char *program = own_path ();
  g_auto (GStrv) arguments = own_arguments (identity);
  g_autofree char *snippet = clients[client].shape == SHAPE_CODEX
                                 ? codex_snippet (program, arguments)
                                 : json_snippet (clients[client].shape, program, arguments);
  g_autofree char *hint =
      g_strdup_printf (_ ("For %s, add this to %s:"), clients[client].title, clients[client].file);

  /* Only the snippet goes to standard output, so that it can be sent on. */
  agent_complain (hint);
  return agent_write_all (STDOUT_FILENO, snippet, strlen (snippet)) ? AGENT_EXIT_OK
                                                                    : AGENT_EXIT_FAILED;
}

int
agent_connect_main (int argc, char **argv)
{
  g_auto (AgentIdentity) identity = { 0 };
  g_auto (GStrv) words = NULL;
  GOptionEntry entries[] = {
    { "board", 'b', 0, G_OPTION_ARG_STRING, &identity.board,
      N_ ("Name the board (default: found from the agent's working folder)"), N_ ("BOARD") },
    { "bubble", 'n', 0, G_OPTION_ARG_STRING, &identity.bubble,
      N_ ("Name the bubble (default: the only one that fits)"), N_ ("NAME") },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &words, NULL,
      "claude|codex|gemini|cursor|opencode" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (
      context, _ ("Prints the settings that give an agent Perfica's tools over MCP."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!agent_parse_options (context, FALSE, argc, argv))
    return AGENT_EXIT_USAGE;
  for (guint i = 0;
       words != NULL && words[0] != NULL && words[1] == NULL && i < G_N_ELEMENTS (clients); i++)
    if (strcmp (clients[i].client, words[0]) == 0)
      return print_snippet (i, &identity);
  agent_complain (_ ("Name one agent: claude, codex, gemini, cursor or opencode."));
  return AGENT_EXIT_USAGE;
}

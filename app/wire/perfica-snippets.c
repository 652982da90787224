/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-snippets.h"

#include <string.h>

#include "perfica-json.h"

/* Ten minutes of a command, and the time to ask a person. */
#define TIMEOUT_SECONDS 1200

typedef enum
{
  SHAPE_JSON,     /* {"mcpServers": {"perfica": {command, args}}} */
  SHAPE_GEMINI,   /* the same with trust and a time-out */
  SHAPE_VSCODE,   /* {"servers": {"perfica": {type, command, args}}} */
  SHAPE_OPENCODE, /* {"mcp": {"perfica": {type, command[], enabled}}} */
  SHAPE_CODEX,    /* TOML */
} Shape;

static const PerficaSnippet snippets[] = {
  { "claude", "Claude Code", ".mcp.json" },
  { "codex", "Codex", "~/.codex/config.toml" },
  { "gemini", "Gemini CLI", ".gemini/settings.json" },
  { "opencode", "opencode", "opencode.json" },
  { "cursor", "Cursor", ".cursor/mcp.json" },
  { "vscode", "VS Code", ".vscode/mcp.json" },
};

static const Shape shapes[] = {
  SHAPE_JSON, SHAPE_CODEX, SHAPE_GEMINI, SHAPE_OPENCODE, SHAPE_JSON, SHAPE_VSCODE,
};
G_STATIC_ASSERT (G_N_ELEMENTS (shapes) == G_N_ELEMENTS (snippets));

const PerficaSnippet *
perfica_snippets (gsize *n)
{
  *n = G_N_ELEMENTS (snippets);
  return snippets;
}

const PerficaSnippet *
perfica_snippet_find (const char *id)
{
  for (gsize i = 0; i < G_N_ELEMENTS (snippets); i++)
    if (strcmp (snippets[i].id, id) == 0)
      return &snippets[i];
  return NULL;
}

static char **
make_arguments (const char *board, const char *bubble)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  g_strv_builder_add (words, "mcp");
  if (board != NULL)
    g_strv_builder_add_many (words, "--board", board, NULL);
  if (bubble != NULL)
    g_strv_builder_add_many (words, "--bubble", bubble, NULL);
  return g_strv_builder_end (words);
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

static const char *
parent_name (Shape shape)
{
  return shape == SHAPE_OPENCODE ? "mcp" : shape == SHAPE_VSCODE ? "servers" : "mcpServers";
}

static void
write_command (PerficaJsonWriter *w, Shape shape, const char *program, char **arguments)
{
  if (shape == SHAPE_OPENCODE)
    {
      perfica_json_writer_string (w, "type", "local");
      perfica_json_writer_open (w, "command", '[');
      perfica_json_writer_string (w, NULL, program);
      for (char **word = arguments; *word != NULL; word++)
        perfica_json_writer_string (w, NULL, *word);
      perfica_json_writer_close (w, ']');
      perfica_json_writer_boolean (w, "enabled", TRUE);
      return;
    }
  if (shape == SHAPE_VSCODE)
    perfica_json_writer_string (w, "type", "stdio");
  perfica_json_writer_string (w, "command", program);
  perfica_json_writer_strv (w, "args", (const char *const *) arguments);
  if (shape == SHAPE_GEMINI)
    {
      perfica_json_writer_boolean (w, "trust", TRUE);
      perfica_json_writer_int (w, "timeout", TIMEOUT_SECONDS * 1000);
    }
}

static char *
make_json (Shape shape, const char *program, char **arguments)
{
  PerficaJsonWriter w;
  g_autofree char *line = NULL;

  perfica_json_writer_init (&w);
  perfica_json_writer_open (&w, NULL, '{');
  perfica_json_writer_open (&w, parent_name (shape), '{');
  perfica_json_writer_open (&w, "perfica", '{');
  write_command (&w, shape, program, arguments);
  for (int i = 0; i < 3; i++)
    perfica_json_writer_close (&w, '}');
  line = perfica_json_writer_end (&w);
  return indent_json (line);
}

/* A basic TOML string has JSON's escapes. */
static char *
make_toml (const char *program, char **arguments)
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
                          "tool_timeout_sec = %d\n",
                          quoted, list, TIMEOUT_SECONDS);
}

char *
perfica_snippet_make (const PerficaSnippet *self,
                      const char *program,
                      const char *board,
                      const char *bubble)
{
  Shape shape = shapes[self - snippets];
  g_auto (GStrv) arguments = make_arguments (board, bubble);

  return shape == SHAPE_CODEX ? make_toml (program, arguments)
                              : make_json (shape, program, arguments);
}

/* Beside the app when installed; in the build the agent has a folder of its own. */
char *
perfica_snippet_agent (void)
{
  static const char *const places[] = { "perfica-agent", "agent/perfica-agent" };
  g_autofree char *own = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = own != NULL ? g_path_get_dirname (own) : NULL;

  for (gsize i = 0; folder != NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_build_filename (folder, places[i], NULL);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&path);
    }
  return g_strdup ("perfica-agent");
}

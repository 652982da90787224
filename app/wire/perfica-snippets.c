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
  { "claude", "Claude Code", ".mcp.json", ".claude/settings.json" },
  { "codex", "Codex", "~/.codex/config.toml", "~/.codex/config.toml" },
  { "gemini", "Gemini CLI", ".gemini/settings.json", ".gemini/settings.json" },
  { "opencode", "opencode", "opencode.json", NULL },
  { "cursor", "Cursor", ".cursor/mcp.json", ".cursor/hooks.json" },
  { "vscode", "VS Code", ".vscode/mcp.json", NULL },
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

/* @dialect: (nullable): of `hook`; else it is `mcp` */
static char **
make_arguments (const char *dialect, const char *board, const char *bubble)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  if (dialect != NULL)
    g_strv_builder_add_many (words, "hook", dialect, NULL);
  else
    g_strv_builder_add (words, "mcp");
  if (board != NULL)
    g_strv_builder_add_many (words, "--board", board, NULL);
  if (bubble != NULL)
    g_strv_builder_add_many (words, "--bubble", bubble, NULL);
  return g_strv_builder_end (words);
}

static void
break_line (GString *text, guint depth)
{
  g_string_append_printf (text, "\n%*s", (int) depth * 2, "");
}

/* Gives one-line JSON the line breaks a person wants: objects and arrays of them one member a line,
 * other arrays on theirs; strings stay as they are. */
static char *
indent_json (const char *json)
{
  GString *text = g_string_new (NULL);
  gboolean broken[PERFICA_JSON_MAX_DEPTH] = { FALSE };
  guint depth = 0;
  gboolean in_string = FALSE;

  for (const char *p = json; *p != '\0'; p++)
    {
      if ((*p == '}' || *p == ']') && !in_string && broken[depth--])
        break_line (text, depth);
      g_string_append_c (text, *p);
      if (in_string && *p == '\\')
        g_string_append_c (text, *++p);
      else if (*p == '"')
        in_string = !in_string;
      else if (in_string)
        continue;
      else if (*p == '{' || *p == '[')
        {
          broken[++depth] = *p == '{' || p[1] == '{';
          if (broken[depth])
            break_line (text, depth);
        }
      else if (*p == ',' && broken[depth])
        break_line (text, depth);
      else if (*p == ',' || *p == ':')
        g_string_append_c (text, ' ');
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
  g_auto (GStrv) arguments = make_arguments (NULL, board, bubble);

  return shape == SHAPE_CODEX ? make_toml (program, arguments)
                              : make_json (shape, program, arguments);
}

/* ---- Hooks ---- */

/* Which of each agent's tools ask first: its shell, and what reads or writes files. */
#define CLAUDE_TOOLS "Bash|Read|NotebookRead|Glob|Grep|LS|Write|Edit|MultiEdit|NotebookEdit"
#define CODEX_TOOLS "Bash|apply_patch|Edit|Write"
#define GEMINI_TOOLS                                                                               \
  "run_shell_command|read_file|read_many_files|list_directory|glob|search_file_content|"           \
  "grep_search|write_file|replace"
/* An answer takes milliseconds; the agents' own default is shorter in some versions. */
#define HOOK_SECONDS 600

/* Quotes in settings are hard to read: only where they are needed. */
static void
add_word (GString *line, const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
  g_autofree char *quoted = NULL;

  if (line->len > 0)
    g_string_append_c (line, ' ');
  if (*word != '\0' && word[strspn (word, plain)] == '\0')
    {
      g_string_append (line, word);
      return;
    }
  quoted = g_shell_quote (word);
  g_string_append (line, quoted);
}

/* One line for agents that take a hook's command as shell text. */
static char *
hook_line (const char *program, char **arguments)
{
  g_autoptr (GString) line = g_string_new (NULL);

  add_word (line, program);
  for (char **word = arguments; *word != NULL; word++)
    add_word (line, *word);
  return g_string_free (g_steal_pointer (&line), FALSE);
}

static void
close_all (PerficaJsonWriter *w, const char *brackets)
{
  for (; *brackets != '\0'; brackets++)
    perfica_json_writer_close (w, *brackets);
}

static void
write_claude_hooks (PerficaJsonWriter *w, const char *program, char **arguments)
{
  perfica_json_writer_open (w, "hooks", '{');
  perfica_json_writer_open (w, "PreToolUse", '[');
  perfica_json_writer_open (w, NULL, '{');
  perfica_json_writer_string (w, "matcher", CLAUDE_TOOLS);
  perfica_json_writer_open (w, "hooks", '[');
  perfica_json_writer_open (w, NULL, '{');
  perfica_json_writer_string (w, "type", "command");
  perfica_json_writer_string (w, "command", program);
  perfica_json_writer_strv (w, "args", (const char *const *) arguments);
  perfica_json_writer_int (w, "timeout", HOOK_SECONDS);
  perfica_json_writer_string (w, "onFailure", "block");
  close_all (w, "}]}]}");
}

static void
write_gemini_hooks (PerficaJsonWriter *w, const char *line)
{
  perfica_json_writer_open (w, "hooks", '{');
  perfica_json_writer_open (w, "BeforeTool", '[');
  perfica_json_writer_open (w, NULL, '{');
  perfica_json_writer_string (w, "matcher", GEMINI_TOOLS);
  perfica_json_writer_open (w, "hooks", '[');
  perfica_json_writer_open (w, NULL, '{');
  perfica_json_writer_string (w, "name", "perfica");
  perfica_json_writer_string (w, "type", "command");
  perfica_json_writer_string (w, "command", line);
  perfica_json_writer_int (w, "timeout", HOOK_SECONDS * 1000);
  close_all (w, "}]}]}");
}

static void
write_cursor_hooks (PerficaJsonWriter *w, const char *line)
{
  static const char *const events[] = { "beforeShellExecution", "beforeReadFile" };

  perfica_json_writer_int (w, "version", 1);
  perfica_json_writer_open (w, "hooks", '{');
  for (gsize i = 0; i < G_N_ELEMENTS (events); i++)
    {
      perfica_json_writer_open (w, events[i], '[');
      perfica_json_writer_open (w, NULL, '{');
      perfica_json_writer_string (w, "command", line);
      close_all (w, "}]");
    }
  perfica_json_writer_close (w, '}');
}

static char *
make_codex_hooks (const char *line)
{
  PerficaJsonWriter w;
  g_autofree char *quoted = NULL;

  perfica_json_writer_init (&w);
  perfica_json_writer_string (&w, NULL, line);
  quoted = perfica_json_writer_end (&w);
  return g_strdup_printf ("[[hooks.PreToolUse]]\n"
                          "matcher = \"" CODEX_TOOLS "\"\n"
                          "\n"
                          "[[hooks.PreToolUse.hooks]]\n"
                          "type = \"command\"\n"
                          "command = %s\n"
                          "timeout = %d\n",
                          quoted, HOOK_SECONDS);
}

char *
perfica_snippet_make_hooks (const PerficaSnippet *self,
                            const char *program,
                            const char *board,
                            const char *bubble)
{
  g_auto (GStrv) arguments = make_arguments (self->id, board, bubble);
  g_autofree char *line = hook_line (program, arguments);
  g_autofree char *json = NULL;
  PerficaJsonWriter w;

  g_return_val_if_fail (self->hooks_place != NULL, NULL);
  if (strcmp (self->id, "codex") == 0)
    return make_codex_hooks (line);
  perfica_json_writer_init (&w);
  perfica_json_writer_open (&w, NULL, '{');
  if (strcmp (self->id, "claude") == 0)
    write_claude_hooks (&w, program, arguments);
  else if (strcmp (self->id, "gemini") == 0)
    write_gemini_hooks (&w, line);
  else
    write_cursor_hooks (&w, line);
  perfica_json_writer_close (&w, '}');
  json = perfica_json_writer_end (&w);
  return indent_json (json);
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

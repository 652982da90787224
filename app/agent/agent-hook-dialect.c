/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent-hook-dialect.h"

#include <string.h>

#include "perfica-json.h"
#include "perfica-wire.h"

/* Milliseconds: the longest that Perfica lets a command run. */
#define RUN_TIMEOUT_MS 600000
#define MAX_REST 16

static const struct
{
  const char *name;
  const char *client;
  gboolean rewrites;
  gboolean asks;
} dialects[] = {
  [AGENT_HOOK_CLAUDE] = { "claude", "claude-code", TRUE, TRUE },
  [AGENT_HOOK_CODEX] = { "codex", "codex", TRUE, FALSE },
  [AGENT_HOOK_GEMINI] = { "gemini", "gemini-cli", TRUE, FALSE },
  [AGENT_HOOK_CURSOR] = { "cursor", "cursor", FALSE, TRUE },
};

gboolean
agent_hook_dialect_from_string (const char *name, AgentHookDialect *dialect)
{
  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    if (strcmp (dialects[i].name, name) == 0)
      {
        *dialect = (AgentHookDialect) i;
        return TRUE;
      }
  return FALSE;
}

char *
agent_hook_dialect_list (void)
{
  g_autoptr (GString) list = g_string_new (dialects[0].name);

  for (guint i = 1; i < G_N_ELEMENTS (dialects); i++)
    g_string_append_printf (list, "|%s", dialects[i].name);
  return g_string_free (g_steal_pointer (&list), FALSE);
}

const char *
agent_hook_dialect_client (AgentHookDialect dialect)
{
  return dialects[dialect].client;
}

gboolean
agent_hook_dialect_rewrites (AgentHookDialect dialect)
{
  return dialects[dialect].rewrites;
}

gboolean
agent_hook_dialect_asks (AgentHookDialect dialect)
{
  return dialects[dialect].asks;
}

void
agent_hook_call_free (AgentHookCall *call)
{
  g_free (call->tool);
  g_free (call->folder);
  g_free (call->command);
  g_strfreev (call->paths);
  g_strfreev (call->rest);
  g_free (call);
}

/* ---- Decoding ---- */

/* How a tool names what it works on. */
typedef enum
{
  BY_PATH,   /* it needs one */
  BY_FOLDER, /* without one it is the working folder */
  BY_PATCH,  /* the lines of a patch */
} Naming;

static const struct
{
  AgentHookDialect dialect;
  const char *tool;
  AgentHookKind kind;
  Naming naming;
} tools[] = {
  { AGENT_HOOK_CLAUDE, "Bash", AGENT_HOOK_RUN, BY_PATH },
  { AGENT_HOOK_CLAUDE, "Read", AGENT_HOOK_READ, BY_PATH },
  { AGENT_HOOK_CLAUDE, "NotebookRead", AGENT_HOOK_READ, BY_PATH },
  { AGENT_HOOK_CLAUDE, "Glob", AGENT_HOOK_READ, BY_FOLDER },
  { AGENT_HOOK_CLAUDE, "Grep", AGENT_HOOK_READ, BY_FOLDER },
  { AGENT_HOOK_CLAUDE, "LS", AGENT_HOOK_READ, BY_FOLDER },
  { AGENT_HOOK_CLAUDE, "Write", AGENT_HOOK_WRITE, BY_PATH },
  { AGENT_HOOK_CLAUDE, "Edit", AGENT_HOOK_WRITE, BY_PATH },
  { AGENT_HOOK_CLAUDE, "MultiEdit", AGENT_HOOK_WRITE, BY_PATH },
  { AGENT_HOOK_CLAUDE, "NotebookEdit", AGENT_HOOK_WRITE, BY_PATH },
  { AGENT_HOOK_CODEX, "Bash", AGENT_HOOK_RUN, BY_PATH },
  { AGENT_HOOK_CODEX, "apply_patch", AGENT_HOOK_WRITE, BY_PATCH },
  { AGENT_HOOK_CODEX, "Edit", AGENT_HOOK_WRITE, BY_PATCH },
  { AGENT_HOOK_CODEX, "Write", AGENT_HOOK_WRITE, BY_PATCH },
  { AGENT_HOOK_GEMINI, "run_shell_command", AGENT_HOOK_RUN, BY_PATH },
  { AGENT_HOOK_GEMINI, "read_file", AGENT_HOOK_READ, BY_PATH },
  { AGENT_HOOK_GEMINI, "read_many_files", AGENT_HOOK_READ, BY_FOLDER },
  { AGENT_HOOK_GEMINI, "list_directory", AGENT_HOOK_READ, BY_FOLDER },
  { AGENT_HOOK_GEMINI, "glob", AGENT_HOOK_READ, BY_FOLDER },
  { AGENT_HOOK_GEMINI, "search_file_content", AGENT_HOOK_READ, BY_FOLDER },
  { AGENT_HOOK_GEMINI, "grep_search", AGENT_HOOK_READ, BY_FOLDER },
  { AGENT_HOOK_GEMINI, "write_file", AGENT_HOOK_WRITE, BY_PATH },
  { AGENT_HOOK_GEMINI, "replace", AGENT_HOOK_WRITE, BY_PATH },
};

static const char *const path_members[] = { "file_path", "notebook_path", "absolute_path",
                                            "path",      "dir_path",      "directory" };
static const char *const list_members[] = { "paths", "include" };
/* What may hold a patch, and how it names files. */
static const char *const patch_members[] = { "command", "input", "patch" };
static const char *const patch_lines[] = { "*** Add File: ", "*** Update File: ",
                                           "*** Delete File: ", "*** Move to: " };

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE, message);
  return FALSE;
}

static gboolean
add_path (GPtrArray *paths, const char *path, gsize length)
{
  if (paths->len >= AGENT_HOOK_MAX_PATHS)
    return FALSE;
  g_ptr_array_add (paths, g_strndup (path, length));
  return TRUE;
}

static gboolean
add_patch (GPtrArray *paths, const char *patch, GError **error)
{
  for (const char *line = patch; line != NULL; line = strchr (line, '\n'))
    {
      line += *line == '\n';
      for (guint i = 0; i < G_N_ELEMENTS (patch_lines); i++)
        if (g_str_has_prefix (line, patch_lines[i]))
          {
            const char *path = line + strlen (patch_lines[i]);

            if (!add_path (paths, path, strcspn (path, "\r\n")))
              return fail (error, "the patch names too many files");
          }
    }
  return TRUE;
}

static gboolean
take_patch (JsonObject *input, GPtrArray *paths, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (patch_members); i++)
    {
      g_autofree char *patch = NULL;

      if (!perfica_json_get_string (input, patch_members[i], PERFICA_JSON_OPTIONAL,
                                    AGENT_HOOK_MAX_INPUT, &patch, error))
        return FALSE;
      if (patch != NULL && !add_patch (paths, patch, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_named (JsonObject *input, GPtrArray *paths, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (path_members); i++)
    {
      g_autofree char *path = NULL;

      if (!perfica_json_get_string (input, path_members[i], PERFICA_JSON_OPTIONAL,
                                    PERFICA_WIRE_MAX_PATH, &path, error))
        return FALSE;
      if (path != NULL)
        add_path (paths, path, strlen (path));
    }
  for (guint i = 0; i < G_N_ELEMENTS (list_members); i++)
    {
      g_auto (GStrv) list = NULL;

      /* "include" is a pattern in some tools. */
      if (json_object_has_member (input, list_members[i]) &&
          !JSON_NODE_HOLDS_ARRAY (json_object_get_member (input, list_members[i])))
        continue;
      if (!perfica_json_get_strv (input, list_members[i], PERFICA_JSON_OPTIONAL,
                                  AGENT_HOOK_MAX_PATHS - G_N_ELEMENTS (path_members) - paths->len,
                                  PERFICA_WIRE_MAX_PATH, &list, error))
        return FALSE;
      for (char **path = list; path != NULL && *path != NULL; path++)
        add_path (paths, *path, strlen (*path));
    }
  return TRUE;
}

static gboolean
take_paths (AgentHookCall *call, JsonObject *input, Naming naming, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  if (naming == BY_PATCH && !take_patch (input, paths, error))
    return FALSE;
  if (!take_named (input, paths, error))
    return FALSE;
  if (paths->len == 0 && naming == BY_FOLDER)
    add_path (paths, ".", 1);
  if (paths->len == 0)
    return fail (error, "the tool's input doesn't name a file");
  g_ptr_array_add (paths, NULL);
  g_strfreev (call->paths);
  call->paths = (char **) g_ptr_array_free (g_steal_pointer (&paths), FALSE);
  return TRUE;
}

/* Time-outs and background running are ours to say. */
static void
take_rest (AgentHookCall *call, JsonObject *input)
{
  g_autoptr (GStrvBuilder) rest = g_strv_builder_new ();
  g_autoptr (GList) names = json_object_get_members (input);
  guint n = 0;

  for (GList *at = names; at != NULL && n < MAX_REST; at = at->next)
    {
      JsonNode *value = json_object_get_member (input, at->data);

      if (strcmp (at->data, "command") == 0 || !JSON_NODE_HOLDS_VALUE (value) ||
          json_node_get_value_type (value) != G_TYPE_STRING)
        continue;
      g_strv_builder_add_many (rest, (const char *) at->data, json_node_get_string (value), NULL);
      n++;
    }
  g_strfreev (call->rest);
  call->rest = g_strv_builder_end (rest);
}

static gboolean
take_command (AgentHookCall *call, JsonObject *input, GError **error)
{
  if (!perfica_json_get_string (input, "command", PERFICA_JSON_REQUIRED, PERFICA_WIRE_MAX_COMMAND,
                                &call->command, error))
    return FALSE;
  take_rest (call, input);
  return TRUE;
}

/* Cursor says which hook it is, not which tool. */
static gboolean
take_cursor (AgentHookCall *call, JsonObject *root, GError **error)
{
  if (!perfica_json_get_string (root, "hook_event_name", PERFICA_JSON_OPTIONAL,
                                PERFICA_WIRE_MAX_NAME, &call->tool, error))
    return FALSE;
  if (call->tool == NULL)
    call->tool =
        g_strdup (json_object_has_member (root, "command") ? "beforeShellExecution" : "unknown");
  if (strcmp (call->tool, "beforeShellExecution") == 0)
    {
      call->kind = AGENT_HOOK_RUN;
      return take_command (call, root, error);
    }
  if (strcmp (call->tool, "beforeReadFile") == 0)
    {
      call->kind = AGENT_HOOK_READ;
      return take_paths (call, root, BY_PATH, error);
    }
  return TRUE;
}

static gboolean
take_tool (AgentHookCall *call, AgentHookDialect dialect, JsonObject *root, GError **error)
{
  JsonObject *input;

  if (!perfica_json_get_string (root, "tool_name", PERFICA_JSON_REQUIRED, PERFICA_WIRE_MAX_NAME,
                                &call->tool, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    if (tools[i].dialect == dialect && strcmp (tools[i].tool, call->tool) == 0)
      {
        call->kind = tools[i].kind;
        if (!perfica_json_get_object (root, "tool_input", PERFICA_JSON_REQUIRED, &input, error))
          return FALSE;
        return call->kind == AGENT_HOOK_RUN ? take_command (call, input, error)
                                            : take_paths (call, input, tools[i].naming, error);
      }
  return TRUE;
}

AgentHookCall *
agent_hook_decode (AgentHookDialect dialect, const char *text, gsize length, GError **error)
{
  g_autoptr (AgentHookCall) call = g_new0 (AgentHookCall, 1);
  g_autoptr (JsonNode) node = perfica_json_parse (text, length, error);
  JsonObject *root;

  if (node == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      fail (error, "a hook's input must be one object");
      return NULL;
    }
  root = json_node_get_object (node);
  call->kind = AGENT_HOOK_OTHER;
  call->paths = g_new0 (char *, 1);
  call->rest = g_new0 (char *, 1);
  if (!perfica_json_get_string (root, "cwd", PERFICA_JSON_OPTIONAL, PERFICA_WIRE_MAX_PATH,
                                &call->folder, error))
    return NULL;
  if (dialect == AGENT_HOOK_CURSOR ? !take_cursor (call, root, error)
                                   : !take_tool (call, dialect, root, error))
    return NULL;
  return g_steal_pointer (&call);
}

/* ---- Encoding ---- */

static char *
end (PerficaJsonWriter *w, guint open)
{
  while (open-- > 0)
    perfica_json_writer_close (w, '}');
  g_string_append_c (w->text, '\n');
  return perfica_json_writer_end (w);
}

/* @decision: "allow", "deny" or "ask". Returns how many objects stay open. */
static guint
begin (PerficaJsonWriter *w, AgentHookDialect dialect, const char *decision, const char *reason)
{
  perfica_json_writer_init (w);
  perfica_json_writer_open (w, NULL, '{');
  switch (dialect)
    {
    case AGENT_HOOK_GEMINI:
      perfica_json_writer_string (w, "decision", decision);
      perfica_json_writer_string (w, "reason", reason);
      return 1;
    case AGENT_HOOK_CURSOR:
      perfica_json_writer_string (w, "permission", decision);
      perfica_json_writer_string (w, "user_message", reason);
      perfica_json_writer_string (w, "agent_message", reason);
      return 1;
    case AGENT_HOOK_CLAUDE:
    case AGENT_HOOK_CODEX:
    default:
      perfica_json_writer_open (w, "hookSpecificOutput", '{');
      perfica_json_writer_string (w, "hookEventName", "PreToolUse");
      perfica_json_writer_string (w, "permissionDecision", decision);
      perfica_json_writer_string (w, "permissionDecisionReason", reason);
      return 2;
    }
}

char *
agent_hook_encode_deny (AgentHookDialect dialect, const char *reason)
{
  PerficaJsonWriter w;

  return end (&w, begin (&w, dialect, "deny", reason));
}

char *
agent_hook_encode_ask (AgentHookDialect dialect, const char *reason)
{
  PerficaJsonWriter w;

  return end (&w, begin (&w, dialect, "ask", reason));
}

char *
agent_hook_encode_rewrite (AgentHookDialect dialect, const AgentHookCall *call, const char *command)
{
  PerficaJsonWriter w;
  guint open = begin (&w, dialect, "allow", NULL);

  if (dialect == AGENT_HOOK_GEMINI)
    {
      perfica_json_writer_open (&w, "hookSpecificOutput", '{');
      perfica_json_writer_open (&w, "tool_input", '{');
      open += 2;
    }
  else
    {
      perfica_json_writer_open (&w, "updatedInput", '{');
      open++;
    }
  perfica_json_writer_string (&w, "command", command);
  for (char **rest = call->rest; *rest != NULL; rest += 2)
    perfica_json_writer_string (&w, rest[0], rest[1]);
  if (dialect == AGENT_HOOK_CLAUDE)
    perfica_json_writer_int (&w, "timeout", RUN_TIMEOUT_MS);
  return end (&w, open);
}

char *
agent_hook_encode_pass (AgentHookDialect dialect)
{
  PerficaJsonWriter w;

  /* Elsewhere silence leaves the agent's own rules in force. */
  if (dialect != AGENT_HOOK_CURSOR)
    return g_strdup ("");
  return end (&w, begin (&w, dialect, "allow", NULL));
}

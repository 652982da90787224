/* Each agent's settings, in the shapes that the agents' own documents want.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-json.h"
#include "perfica-snippets.h"

static const struct
{
  const char *id;
  const char *place;
  const char *text;
} plain[] = {
  { "claude", ".mcp.json",
    "{\n"
    "  \"mcpServers\": {\n"
    "    \"perfica\": {\n"
    "      \"command\": \"/usr/bin/perfica-agent\",\n"
    "      \"args\": [\"mcp\"]\n"
    "    }\n"
    "  }\n"
    "}\n" },
  { "codex", "~/.codex/config.toml",
    "[mcp_servers.perfica]\n"
    "command = \"/usr/bin/perfica-agent\"\n"
    "args = [\"mcp\"]\n"
    "default_tools_approval_mode = \"approve\"\n"
    "tool_timeout_sec = 1200\n" },
  { "gemini", ".gemini/settings.json",
    "{\n"
    "  \"mcpServers\": {\n"
    "    \"perfica\": {\n"
    "      \"command\": \"/usr/bin/perfica-agent\",\n"
    "      \"args\": [\"mcp\"],\n"
    "      \"trust\": true,\n"
    "      \"timeout\": 1200000\n"
    "    }\n"
    "  }\n"
    "}\n" },
  { "opencode", "opencode.json",
    "{\n"
    "  \"mcp\": {\n"
    "    \"perfica\": {\n"
    "      \"type\": \"local\",\n"
    "      \"command\": [\"/usr/bin/perfica-agent\", \"mcp\"],\n"
    "      \"enabled\": true\n"
    "    }\n"
    "  }\n"
    "}\n" },
  { "cursor", ".cursor/mcp.json",
    "{\n"
    "  \"mcpServers\": {\n"
    "    \"perfica\": {\n"
    "      \"command\": \"/usr/bin/perfica-agent\",\n"
    "      \"args\": [\"mcp\"]\n"
    "    }\n"
    "  }\n"
    "}\n" },
  { "vscode", ".vscode/mcp.json",
    "{\n"
    "  \"servers\": {\n"
    "    \"perfica\": {\n"
    "      \"type\": \"stdio\",\n"
    "      \"command\": \"/usr/bin/perfica-agent\",\n"
    "      \"args\": [\"mcp\"]\n"
    "    }\n"
    "  }\n"
    "}\n" },
};

static void
test_plain (void)
{
  gsize n;
  const PerficaSnippet *snippets = perfica_snippets (&n);

  g_assert_cmpuint (n, ==, G_N_ELEMENTS (plain));
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *text =
          perfica_snippet_make (&snippets[i], "/usr/bin/perfica-agent", NULL, NULL);

      g_assert_cmpstr (snippets[i].id, ==, plain[i].id);
      g_assert_cmpstr (snippets[i].place, ==, plain[i].place);
      g_assert_cmpstr (text, ==, plain[i].text);
      g_assert_true (perfica_snippet_find (plain[i].id) == &snippets[i]);
    }
  g_assert_null (perfica_snippet_find ("nobody"));
  g_assert_null (perfica_snippet_find (""));
}

static const struct
{
  const char *id;
  const char *place;
  const char *text;
} hooks[] = {
  { "claude", ".claude/settings.json",
    "{\n"
    "  \"hooks\": {\n"
    "    \"PreToolUse\": [\n"
    "      {\n"
    "        \"matcher\": "
    "\"Bash|Read|NotebookRead|Glob|Grep|LS|Write|Edit|MultiEdit|NotebookEdit\",\n"
    "        \"hooks\": [\n"
    "          {\n"
    "            \"type\": \"command\",\n"
    "            \"command\": \"/a b/perfica-agent\",\n"
    "            \"args\": [\"hook\", \"claude\"],\n"
    "            \"timeout\": 600,\n"
    "            \"onFailure\": \"block\"\n"
    "          }\n"
    "        ]\n"
    "      }\n"
    "    ]\n"
    "  }\n"
    "}\n" },
  { "codex", "~/.codex/config.toml",
    "[[hooks.PreToolUse]]\n"
    "matcher = \"Bash|apply_patch|Edit|Write\"\n"
    "\n"
    "[[hooks.PreToolUse.hooks]]\n"
    "type = \"command\"\n"
    "command = \"'/a b/perfica-agent' hook codex\"\n"
    "timeout = 600\n" },
  { "gemini", ".gemini/settings.json",
    "{\n"
    "  \"hooks\": {\n"
    "    \"BeforeTool\": [\n"
    "      {\n"
    "        \"matcher\": \"run_shell_command|read_file|read_many_files|list_directory|glob|"
    "search_file_content|grep_search|write_file|replace\",\n"
    "        \"hooks\": [\n"
    "          {\n"
    "            \"name\": \"perfica\",\n"
    "            \"type\": \"command\",\n"
    "            \"command\": \"'/a b/perfica-agent' hook gemini\",\n"
    "            \"timeout\": 600000\n"
    "          }\n"
    "        ]\n"
    "      }\n"
    "    ]\n"
    "  }\n"
    "}\n" },
  { "cursor", ".cursor/hooks.json",
    "{\n"
    "  \"version\": 1,\n"
    "  \"hooks\": {\n"
    "    \"beforeShellExecution\": [\n"
    "      {\n"
    "        \"command\": \"'/a b/perfica-agent' hook cursor\"\n"
    "      }\n"
    "    ],\n"
    "    \"beforeReadFile\": [\n"
    "      {\n"
    "        \"command\": \"'/a b/perfica-agent' hook cursor\"\n"
    "      }\n"
    "    ]\n"
    "  }\n"
    "}\n" },
};

static void
test_hooks (void)
{
  gsize n, with_hooks = 0;
  const PerficaSnippet *snippets = perfica_snippets (&n);

  for (gsize i = 0; i < G_N_ELEMENTS (hooks); i++)
    {
      const PerficaSnippet *snippet = perfica_snippet_find (hooks[i].id);
      g_autofree char *text = NULL;

      g_assert_cmpstr (snippet->hooks_place, ==, hooks[i].place);
      text = perfica_snippet_make_hooks (snippet, "/a b/perfica-agent", NULL, NULL);
      g_assert_cmpstr (text, ==, hooks[i].text);
    }
  for (gsize i = 0; i < n; i++)
    with_hooks += snippets[i].hooks_place != NULL;
  g_assert_cmpuint (with_hooks, ==, G_N_ELEMENTS (hooks));
}

/* Names come back as they were given, whatever is in them. */
static void
test_names (void)
{
  static const char *const names[] = { "plain",       "two words", "it's \"quoted\"",
                                       "back\\slash", "tab\there", "line\nend",
                                       "{}[]:,",      "Ünïcode",   "--bubble=tail" };
  gsize n;
  const PerficaSnippet *snippets = perfica_snippets (&n);

  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < G_N_ELEMENTS (names); j++)
      {
        g_autofree char *text = perfica_snippet_make (&snippets[i], names[j], names[j], names[j]);
        g_autoptr (JsonNode) root = NULL;
        PerficaJsonWriter w;
        g_autofree char *quoted = NULL;
        g_autofree char *wanted = NULL;

        perfica_json_writer_init (&w);
        perfica_json_writer_string (&w, NULL, names[j]);
        quoted = perfica_json_writer_end (&w);
        wanted = g_strdup_printf ("\"--board\", %s, \"--bubble\", %s]", quoted, quoted);
        if (!strstr (text, wanted) && !g_str_equal (snippets[i].id, "codex"))
          g_error ("%s", text);
        g_assert_nonnull (strstr (text, quoted));
        if (g_str_equal (snippets[i].id, "codex"))
          continue;
        root = perfica_json_parse (text, strlen (text), NULL);
        g_assert_nonnull (root);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire/snippets/plain", test_plain);
  g_test_add_func ("/wire/snippets/hooks", test_hooks);
  g_test_add_func ("/wire/snippets/names", test_names);
  return g_test_run ();
}

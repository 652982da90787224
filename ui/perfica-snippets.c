/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-snippets.h"

#include <glib/gi18n.h>

static const PerficaSnippet snippets[] = {
  { "Claude Code", N_ ("a shell, in the project's folder"),
    "claude mcp add perfica -- perfica-agent mcp" },
  { "Codex", "~/.codex/config.toml",
    "[mcp_servers.perfica]\n"
    "command = \"perfica-agent\"\n"
    "args = [\"mcp\"]\n"
    "default_tools_approval_mode = \"approve\"\n" },
  { "Gemini CLI", "~/.gemini/settings.json",
    "{\n"
    "  \"mcpServers\": {\n"
    "    \"perfica\": {\n"
    "      \"command\": \"perfica-agent\",\n"
    "      \"args\": [\"mcp\"],\n"
    "      \"trust\": true,\n"
    "      \"timeout\": 660000\n"
    "    }\n"
    "  }\n"
    "}\n" },
  { "opencode", "opencode.json",
    "{\n"
    "  \"mcp\": {\n"
    "    \"perfica\": {\n"
    "      \"type\": \"local\",\n"
    "      \"command\": [\"perfica-agent\", \"mcp\"]\n"
    "    }\n"
    "  }\n"
    "}\n" },
  { "Cursor", ".cursor/mcp.json",
    "{\n"
    "  \"mcpServers\": {\n"
    "    \"perfica\": {\n"
    "      \"command\": \"perfica-agent\",\n"
    "      \"args\": [\"mcp\"]\n"
    "    }\n"
    "  }\n"
    "}\n" },
  { "VS Code", ".vscode/mcp.json",
    "{\n"
    "  \"servers\": {\n"
    "    \"perfica\": {\n"
    "      \"type\": \"stdio\",\n"
    "      \"command\": \"perfica-agent\",\n"
    "      \"args\": [\"mcp\"]\n"
    "    }\n"
    "  }\n"
    "}\n" },
};

const PerficaSnippet *
perfica_snippets (gsize *n)
{
  *n = G_N_ELEMENTS (snippets);
  return snippets;
}

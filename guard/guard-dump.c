/* An indented dump of a tree, for people.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-tree.h"

#include "guard-tree-private.h"

static void dump_node (GString *out, const GuardNode *node, guint indent);
static void dump_word (GString *out, const char *label, const GuardWord *word, guint indent);

static void
dump_line (GString *out, guint indent, const char *label, GuardSpan span)
{
  g_string_append_printf (out, "%*s%s [%u,%u)", (int) indent * 2, "", label, span.start, span.end);
}

static void
dump_text (GString *out, const char *name, const char *text)
{
  g_autofree char *escaped = NULL;

  if (!text || !*text)
    return;
  escaped = g_strescape (text, NULL);
  g_string_append_printf (out, " %s=\"%s\"", name, escaped);
}

static void
dump_words (GString *out, const char *label, GuardWord **words, guint indent)
{
  for (; words && *words; words++)
    dump_word (out, label, *words, indent);
}

static void dump_assignments (GString *out, const GuardAssignment *assignment, guint indent);

static void
dump_word (GString *out, const char *label, const GuardWord *word, guint indent)
{
  static const char *const types[] = { "literal", "parameter", "command", "arithmetic", "process",
                                       "glob",    "extglob",   "tilde",   "brace",      "array" };

  if (!word)
    return;
  dump_line (out, indent, label, word->span);
  g_string_append (out, word->quoted ? " quoted\n" : "\n");
  for (const GuardPart *part = word->parts; part; part = part->next)
    {
      dump_line (out, indent + 1, types[part->type], part->span);
      if (part->quoted)
        g_string_append (out, " quoted");
      dump_text (out, "text", part->text);
      dump_text (out, "name", part->name);
      dump_text (out, "op", part->op);
      g_string_append_c (out, '\n');
      dump_word (out, "subscript", part->subscript, indent + 2);
      dump_word (out, "operand", part->word, indent + 2);
      dump_word (out, "operand2", part->word2, indent + 2);
      dump_words (out, "alternative", part->words, indent + 2);
      dump_assignments (out, part->items, indent + 2);
      dump_node (out, part->body, indent + 2);
    }
}

static void
dump_assignments (GString *out, const GuardAssignment *assignment, guint indent)
{
  for (; assignment; assignment = assignment->next)
    {
      dump_line (out, indent, "assignment", assignment->span);
      dump_text (out, "name", assignment->name);
      g_string_append (out, assignment->append ? " append" : "");
      g_string_append (out, assignment->is_array ? " array\n" : "\n");
      dump_word (out, "subscript", assignment->subscript, indent + 1);
      dump_word (out, "value", assignment->value, indent + 1);
      dump_assignments (out, assignment->items, indent + 1);
    }
}

static void
dump_redirections (GString *out, const GuardRedirection *redirection, guint indent)
{
  static const char *const types[] = { "<",  ">",  ">>",  ">|", "<>", "<&",
                                       ">&", "&>", "&>>", "<<", "<<<" };

  for (; redirection; redirection = redirection->next)
    {
      dump_line (out, indent, "redirection", redirection->span);
      g_string_append_printf (out, " %s", types[redirection->type]);
      if (redirection->fd >= 0)
        g_string_append_printf (out, " fd=%d", redirection->fd);
      dump_text (out, "fd", redirection->fd_name);
      dump_text (out, "delimiter", redirection->delimiter);
      g_string_append (out, redirection->literal ? " literal\n" : "\n");
      dump_word (out, "target", redirection->target, indent + 1);
    }
}

static void
dump_children (GString *out, const GuardNode *node, guint indent)
{
  static const char *const names[] = { "", ";", "&&", "||", "&" };

  for (guint i = 0; i < node->n_children; i++)
    {
      dump_node (out, node->children[i], indent);
      if (i + 1 == node->n_children && node->separators[i] == 0)
        continue;
      g_string_append_printf (out, "%*s%s\n", (int) indent * 2, "",
                              node->type == GUARD_NODE_LIST ? names[node->separators[i]]
                              : node->separators[i]         ? "|&"
                                                            : "|");
    }
}

static void
dump_node (GString *out, const GuardNode *node, guint indent)
{
  static const char *const types[] = { "simple",   "pipeline", "list",       "subshell",
                                       "group",    "if",       "while",      "until",
                                       "for",      "select",   "cfor",       "case",
                                       "function", "test",     "arithmetic", "coproc" };

  if (!node)
    return;
  dump_line (out, indent, types[node->type], node->span);
  dump_text (out, "name", node->name);
  g_string_append (out, node->negated ? " negated" : "");
  g_string_append (out, node->timed_posix ? " time -p" : node->timed ? " time" : "");
  g_string_append_c (out, '\n');
  dump_assignments (out, node->assignments, indent + 1);
  dump_words (out, "word", node->words, indent + 1);
  dump_children (out, node, indent + 1);
  dump_node (out, node->condition, indent + 1);
  dump_node (out, node->body, indent + 1);
  dump_node (out, node->otherwise, indent + 1);
  for (const GuardCaseItem *item = node->items; item; item = item->next)
    {
      dump_words (out, "pattern", item->patterns, indent + 1);
      dump_node (out, item->body, indent + 2);
      g_string_append_printf (out, "%*s%s\n", (int) indent * 2 + 2, "", item->terminator);
    }
  dump_redirections (out, node->redirections, indent + 1);
}

char *
guard_tree_dump (const GuardTree *tree)
{
  GString *out = g_string_new (NULL);

  if (tree->failed)
    g_string_append_printf (out, "error %s [%u,%u)\n", tree->error.rule, tree->error.span.start,
                            tree->error.span.end);
  dump_node (out, tree->root, 0);
  return g_string_free (out, FALSE);
}

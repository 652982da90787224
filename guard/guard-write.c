/* Writes a tree out again: this text is what runs, never the original.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-writer.h"

#include <string.h>

static void
put (GuardWriter *writer, const char *text)
{
  g_string_append (writer->out, text);
}

/* A newline, and the bodies of the here-documents that the line asked for. */
void
guard_writer_newline (GuardWriter *writer)
{
  char *body;

  g_string_append_c (writer->out, '\n');
  while ((body = g_queue_pop_head (&writer->heredocs)))
    {
      put (writer, body);
      g_free (body);
    }
}

static gboolean
ends_line (const GuardWriter *writer)
{
  return writer->out->len > 0 && writer->out->str[writer->out->len - 1] == '\n';
}

/* Between a list and what closes it. */
static void
put_end (GuardWriter *writer, const char *closer)
{
  gsize length = writer->out->len;

  if (writer->heredocs.length > 0)
    guard_writer_newline (writer);
  else if (ends_line (writer))
    ;
  else if (length > 0 && writer->out->str[length - 1] == '&')
    put (writer, " ");
  else
    put (writer, *closer == ')' || *closer == ';' ? " " : "; ");
  put (writer, closer);
}

static void
put_separator (GuardWriter *writer, guint8 separator, guint gap)
{
  static const char *const texts[] = { "", ";", " &&", " ||", " &" };
  const char *text = texts[separator];
  gboolean newline = FALSE;

  if (writer->raw)
    {
      const char *bare = guard_writer_raw_gap (writer->tree, gap, &newline);

      if (separator == GUARD_SEPARATOR_SEQUENCE)
        text = bare;
    }
  newline |= !writer->raw && writer->heredocs.length > 0;
  if (!writer->raw && newline && separator == GUARD_SEPARATOR_SEQUENCE)
    text = "";
  put (writer, text);
  if (newline)
    guard_writer_newline (writer);
  else
    put (writer, " ");
}

static void
put_list (GuardWriter *writer, const GuardNode *node)
{
  for (guint i = 0; i < node->n_children; i++)
    {
      guard_writer_node (writer, node->children[i]);
      if (i + 1 < node->n_children)
        put_separator (writer, node->separators[i], node->children[i]->span.end);
      else if (node->separators[i] == GUARD_SEPARATOR_BACKGROUND)
        put (writer, " &");
    }
}

static void
put_pipeline (GuardWriter *writer, const GuardNode *node)
{
  if (node->timed)
    {
      put (writer, "time ");
      if (writer->raw ? node->timed_posix & GUARD_TIMED_P : node->timed_posix)
        put (writer, "-p ");
      if (writer->raw && (node->timed_posix & GUARD_TIMED_DASHES))
        put (writer, "-- ");
    }
  if (node->negated)
    put (writer, "! ");
  for (guint i = 0; i < node->n_children; i++)
    {
      const GuardNode *child = node->children[i];

      /* `!` or `time` of nothing: not valid before every closer. */
      if (child->type == GUARD_NODE_SIMPLE && child->n_words == 0 && !child->assignments &&
          !child->redirections)
        writer->failed = TRUE;
      guard_writer_node (writer, child);
      if (i + 1 < node->n_children)
        put (writer, node->separators[i] ? " |& " : " | ");
    }
}

static void
put_word (GuardWriter *writer, const GuardWord *word, GuardWriteContext context)
{
  if (writer->raw)
    guard_writer_raw_word (writer, word);
  else
    guard_writer_word (writer, word, context);
}

static void
put_argument (GuardWriter *writer, const GuardWord *word)
{
  if (writer->raw)
    guard_writer_raw_word (writer, word);
  else
    guard_writer_argument (writer, word);
}

void
guard_writer_array (GuardWriter *writer, const GuardAssignment *items)
{
  put (writer, "(");
  for (const GuardAssignment *item = items; item; item = item->next)
    {
      if (item != items)
        put (writer, " ");
      if (!item->subscript)
        {
          guard_writer_argument (writer, item->value);
          continue;
        }
      put (writer, "[");
      guard_writer_subscript (writer, item->subscript);
      put (writer, item->append ? "]+=" : "]=");
      if (item->value)
        guard_writer_word (writer, item->value, GUARD_WRITE_PLAIN);
    }
  put (writer, ")");
}

static void
put_assignment (GuardWriter *writer, const GuardAssignment *assignment)
{
  if (writer->raw)
    {
      guard_writer_slice (writer, assignment->span.start,
                          assignment->value ? assignment->value->span.start : assignment->span.end);
      if (assignment->value)
        guard_writer_raw_word (writer, assignment->value);
      return;
    }
  put (writer, assignment->name);
  if (assignment->subscript)
    {
      put (writer, "[");
      guard_writer_subscript (writer, assignment->subscript);
      put (writer, "]");
    }
  put (writer, assignment->append ? "+=" : "=");
  if (assignment->is_array)
    guard_writer_array (writer, assignment->items);
  else if (assignment->value)
    guard_writer_word (writer, assignment->value, GUARD_WRITE_PLAIN);
}

static gboolean
is_descriptor (const GuardWord *word)
{
  const GuardPart *part = word->parts;

  if (!part || part->next || part->type != GUARD_PART_LITERAL || part->length == 0)
    return FALSE;
  return strspn (part->text, "0123456789-") == part->length;
}

static void
put_redirection (GuardWriter *writer, const GuardRedirection *redirection)
{
  static const char *const texts[] = { "<",  ">",  ">>",  ">|", "<>", "<&",
                                       ">&", "&>", "&>>", "<<", "<<<" };
  gboolean dup =
      redirection->type == GUARD_REDIR_DUP_IN || redirection->type == GUARD_REDIR_DUP_OUT;

  if (redirection->type == GUARD_REDIR_HEREDOC)
    {
      g_queue_push_tail (&writer->heredocs, guard_writer_heredoc (writer, redirection));
      return;
    }
  if (writer->raw)
    {
      guard_writer_slice (writer, redirection->span.start, redirection->target->span.start);
      guard_writer_raw_word (writer, redirection->target);
      return;
    }
  if (redirection->fd_name)
    g_string_append_printf (writer->out, "{%s}", redirection->fd_name);
  else if (redirection->fd >= 0)
    g_string_append_printf (writer->out, "%d", redirection->fd);
  put (writer, texts[redirection->type]);
  if (dup && is_descriptor (redirection->target))
    {
      put (writer, redirection->target->parts->text);
      return;
    }
  put (writer, " ");
  guard_writer_word (writer, redirection->target, GUARD_WRITE_PLAIN);
}

static void
put_redirections (GuardWriter *writer, const GuardRedirection *redirection, gboolean space)
{
  for (; redirection; redirection = redirection->next)
    {
      if (space)
        put (writer, " ");
      put_redirection (writer, redirection);
      space = TRUE;
    }
}

/* bash knows its declarations by an unquoted first word; quoted, their arguments would split. */
static gboolean
is_bare_builtin (const GuardWord *word)
{
  static const char *const names[] = { "declare",  "typeset", "local",  "export",
                                       "readonly", "command", "builtin" };
  const GuardPart *part = word->parts;

  if (!part || part->next || part->type != GUARD_PART_LITERAL || word->quoted)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (part->text, names[i]) == 0)
      return TRUE;
  return FALSE;
}

/* bash also looks for `-A` before it takes quotes away. */
static gboolean
is_bare_option (const GuardWord *word)
{
  const GuardPart *part = word->parts;

  if (!part || part->next || part->type != GUARD_PART_LITERAL || word->quoted || part->length < 2 ||
      (part->text[0] != '-' && part->text[0] != '+'))
    return FALSE;
  for (gsize i = 1; i < part->length; i++)
    if (!g_ascii_isalpha (part->text[i]))
      return FALSE;
  return TRUE;
}

static gboolean
has_array (const GuardWord *word)
{
  for (const GuardPart *part = word->parts; part; part = part->next)
    if (part->type == GUARD_PART_ARRAY)
      return TRUE;
  return FALSE;
}

static void
put_simple (GuardWriter *writer, const GuardNode *node)
{
  const GuardRedirection *redirection = node->redirections;
  gboolean bare = TRUE, declares = FALSE;
  const char *space = "";
  /* Two blanks would show in bash's print if a word were split where bash sees one. */
  const char *between = writer->raw ? "  " : " ";

  for (const GuardAssignment *assignment = node->assignments; assignment;
       assignment = assignment->next)
    {
      put (writer, space);
      put_assignment (writer, assignment);
      space = between;
    }
  if (writer->raw && node->n_words > 0)
    for (; redirection && redirection->span.start < node->words[0]->span.start;
         redirection = redirection->next)
      {
        put (writer, space);
        put_redirection (writer, redirection);
        space = between;
      }
  for (guint i = 0; i < node->n_words; i++)
    {
      put (writer, space);
      space = between;
      bare = bare && is_bare_builtin (node->words[i]);
      declares = declares || bare;
      if ((bare || (declares && is_bare_option (node->words[i]))) && !writer->raw)
        put (writer, node->words[i]->parts->text);
      else if (i == 0)
        put_word (writer, node->words[i], GUARD_WRITE_PLAIN);
      else
        put_argument (writer, node->words[i]);
      if (!declares && has_array (node->words[i]))
        writer->failed = !writer->raw;
    }
  put_redirections (writer, redirection, *space != '\0');
}

static void
put_if (GuardWriter *writer, const GuardNode *node, const char *word)
{
  put (writer, word);
  guard_writer_node (writer, node->condition);
  put_end (writer, "then ");
  guard_writer_node (writer, node->body);
  if (node->otherwise && node->otherwise->type == GUARD_NODE_IF &&
      g_str_has_prefix (guard_tree_get_text (writer->tree) + node->otherwise->span.start, "elif"))
    {
      put_end (writer, "");
      put_if (writer, node->otherwise, "elif ");
      return;
    }
  if (node->otherwise)
    {
      put_end (writer, "else ");
      guard_writer_node (writer, node->otherwise);
    }
  put_end (writer, "fi");
}

static void
put_loop_body (GuardWriter *writer, const GuardNode *node)
{
  put (writer, "do ");
  guard_writer_node (writer, node->body);
  put_end (writer, "done");
}

static gboolean
is_plain_name (const char *name, const char *extra)
{
  if (!name || !*name || g_ascii_isdigit (*name) || (!g_ascii_isalpha (*name) && *name != '_'))
    return FALSE;
  for (; *name; name++)
    if (!g_ascii_isalnum (*name) && *name != '_' && !strchr (extra, *name))
      return FALSE;
  return TRUE;
}

static void
put_name (GuardWriter *writer, const GuardNode *node, const char *extra)
{
  if (writer->raw)
    guard_writer_slice (writer, node->name_span.start, node->name_span.end);
  else if (is_plain_name (node->name, extra))
    put (writer, node->name);
  else
    writer->failed = TRUE;
}

static void
put_for (GuardWriter *writer, const GuardNode *node)
{
  put (writer, node->type == GUARD_NODE_FOR ? "for " : "select ");
  put_name (writer, node, "");
  if (node->words)
    put (writer, " in");
  for (guint i = 0; i < node->n_words; i++)
    {
      put (writer, writer->raw ? "  " : " ");
      put_argument (writer, node->words[i]);
    }
  put (writer, "; ");
  put_loop_body (writer, node);
}

static void
put_expression (GuardWriter *writer, const GuardWord *word)
{
  if (writer->raw)
    guard_writer_raw_word (writer, word);
  else
    guard_writer_arithmetic (writer, word);
}

static void
put_arithmetic_for (GuardWriter *writer, const GuardNode *node)
{
  put (writer, "for ((");
  for (guint i = 0; i < 3; i++)
    {
      put (writer, i > 0 ? ";" : "");
      put_expression (writer, node->words[i]);
    }
  put (writer, ")); ");
  put_loop_body (writer, node);
}

static void
put_case (GuardWriter *writer, const GuardNode *node)
{
  put (writer, "case ");
  put_word (writer, node->words[0], GUARD_WRITE_PLAIN);
  put (writer, " in");
  for (const GuardCaseItem *item = node->items; item; item = item->next)
    {
      put (writer, ends_line (writer) ? "(" : " (");
      for (guint i = 0; item->patterns[i]; i++)
        {
          put (writer, i > 0 ? " | " : "");
          put_word (writer, item->patterns[i], GUARD_WRITE_PLAIN);
        }
      put (writer, ") ");
      if (item->body)
        guard_writer_node (writer, item->body);
      put_end (writer, item->terminator);
    }
  put (writer, " esac");
}

static void
put_test (GuardWriter *writer, const GuardNode *node)
{
  gboolean regex = FALSE;

  put (writer, "[[ ");
  for (guint i = 0; i < node->n_words; i++)
    {
      const GuardPart *part = node->words[i]->parts;

      if (part && part->op && part->type == GUARD_PART_LITERAL)
        {
          put (writer, part->text);
          regex = strcmp (part->text, "=~") == 0;
        }
      else
        {
          put_word (writer, node->words[i], regex ? GUARD_WRITE_REGEX : GUARD_WRITE_PLAIN);
          regex = FALSE;
        }
      put (writer, " ");
    }
  put (writer, "]]");
}

static void
put_coproc (GuardWriter *writer, const GuardNode *node)
{
  put (writer, "coproc ");
  if (node->name)
    {
      put (writer, node->name);
      put (writer, " ");
    }
  guard_writer_node (writer, node->body);
}

/* The words and lists of a compound command, without its redirections. */
static void
put_compound (GuardWriter *writer, const GuardNode *node)
{
  switch (node->type)
    {
    case GUARD_NODE_SUBSHELL:
      put (writer, "( ");
      guard_writer_node (writer, node->body);
      put_end (writer, ")");
      break;
    case GUARD_NODE_GROUP:
      put (writer, "{ ");
      guard_writer_node (writer, node->body);
      put_end (writer, "}");
      break;
    case GUARD_NODE_IF:
      put_if (writer, node, "if ");
      break;
    case GUARD_NODE_WHILE:
    case GUARD_NODE_UNTIL:
      put (writer, node->type == GUARD_NODE_WHILE ? "while " : "until ");
      guard_writer_node (writer, node->condition);
      put_end (writer, "");
      put_loop_body (writer, node);
      break;
    case GUARD_NODE_FOR:
    case GUARD_NODE_SELECT:
      put_for (writer, node);
      break;
    case GUARD_NODE_CFOR:
      put_arithmetic_for (writer, node);
      break;
    case GUARD_NODE_CASE:
      put_case (writer, node);
      break;
    case GUARD_NODE_TEST:
      put_test (writer, node);
      break;
    case GUARD_NODE_ARITHMETIC:
      put (writer, "((");
      put_expression (writer, node->words[0]);
      put (writer, "))");
      break;
    case GUARD_NODE_FUNCTION:
      put (writer, "function ");
      put_name (writer, node, ".:+-");
      put (writer, " () ");
      guard_writer_node (writer, node->body);
      break;
    default:
      put_coproc (writer, node);
    }
}

void
guard_writer_node (GuardWriter *writer, const GuardNode *node)
{
  if (!node)
    {
      writer->failed = TRUE;
      return;
    }
  switch (node->type)
    {
    case GUARD_NODE_SIMPLE:
      put_simple (writer, node);
      break;
    case GUARD_NODE_PIPELINE:
      put_pipeline (writer, node);
      break;
    case GUARD_NODE_LIST:
      put_list (writer, node);
      break;
    default:
      put_compound (writer, node);
      put_redirections (writer, node->redirections, TRUE);
    }
}

static char *
write_tree (const GuardTree *tree, const GuardNode *node, gboolean raw)
{
  GuardWriter writer = { 0 };

  /* Comments only: nothing runs, and that succeeds. */
  if (!node)
    return guard_tree_get_error (tree) ? NULL : g_strdup (raw ? "" : ":");
  writer.tree = tree;
  writer.raw = raw;
  writer.out = g_string_new (NULL);
  g_queue_init (&writer.heredocs);
  guard_writer_node (&writer, node);
  if (writer.heredocs.length > 0)
    guard_writer_newline (&writer);
  return g_string_free (writer.out, writer.failed);
}

char *
guard_tree_write (const GuardTree *tree, const GuardNode *node)
{
  return write_tree (tree, node, FALSE);
}

char *
guard_tree_write_raw (const GuardTree *tree, const GuardNode *node)
{
  return write_tree (tree, node, TRUE);
}

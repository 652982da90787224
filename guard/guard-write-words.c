/* Words in canonical form: literals in single quotes, expansions in braces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-writer.h"

#include <string.h>

static gboolean
needs_escapes (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (((guchar) text[i] < 0x20 && text[i] != '\t' && text[i] != '\n') || text[i] == 0x7f)
      return TRUE;
  return !g_utf8_validate_len (text, length, NULL);
}

/* '…', or $'…' for what a text should not hold as such. */
void
guard_writer_quote (GString *out, const char *text, gsize length)
{
  gboolean escapes = needs_escapes (text, length);

  g_string_append (out, escapes ? "$'" : "'");
  for (gsize i = 0; i < length; i++)
    {
      guchar c = (guchar) text[i];

      if (!escapes && c == '\'')
        g_string_append (out, "'\\''");
      else if (escapes && (c < 0x20 || c >= 0x7f))
        g_string_append_printf (out, "\\%03o", c);
      else
        {
          if (escapes && (c == '\'' || c == '\\'))
            g_string_append_c (out, '\\');
          g_string_append_c (out, text[i]);
        }
    }
  g_string_append_c (out, '\'');
}

static void
put_escaped (GuardWriter *writer, const char *text, gsize length, const char *special)
{
  for (gsize i = 0; i < length; i++)
    {
      if (strchr (special, text[i]))
        g_string_append_c (writer->out, '\\');
      g_string_append_c (writer->out, text[i]);
    }
}

/* `( … )` after `$`, `<` or `>`; its here-documents are its own. */
void
guard_writer_body (GuardWriter *writer, const GuardNode *body)
{
  GQueue outer = writer->heredocs;
  gsize start;

  g_queue_init (&writer->heredocs);
  g_string_append_c (writer->out, '(');
  start = writer->out->len;
  if (body)
    guard_writer_node (writer, body);
  if (writer->out->str[start] == '(')
    g_string_insert_c (writer->out, start, ' ');
  if (writer->heredocs.length > 0)
    guard_writer_newline (writer);
  g_string_append_c (writer->out, ')');
  writer->heredocs = outer;
}

static void put_part (GuardWriter *writer, const GuardPart *part, GuardWriteContext context);

void
guard_writer_arithmetic (GuardWriter *writer, const GuardWord *word)
{
  for (const GuardPart *part = word ? word->parts : NULL; part; part = part->next)
    {
      if (part->type == GUARD_PART_LITERAL)
        g_string_append_len (writer->out, part->text, part->length);
      else
        put_part (writer, part, GUARD_WRITE_DOUBLE);
    }
}

void
guard_writer_subscript (GuardWriter *writer, const GuardWord *word)
{
  for (const GuardPart *part = word->parts; part; part = part->next)
    {
      gboolean plain = part->type == GUARD_PART_LITERAL && !part->quoted;

      for (gsize i = 0; part->quoted && part->type == GUARD_PART_LITERAL; i++)
        if (!g_ascii_isalnum (part->text[i]) && part->text[i] != '_')
          {
            plain = i == part->length && i > 0;
            break;
          }
      if (plain)
        g_string_append_len (writer->out, part->text, part->length);
      else if (part->type == GUARD_PART_LITERAL)
        {
          g_string_append_c (writer->out, '"');
          put_escaped (writer, part->text, part->length, "\\\"$`");
          g_string_append_c (writer->out, '"');
        }
      else
        put_part (writer, part, GUARD_WRITE_OPERAND);
    }
  if (!word->parts)
    g_string_append (writer->out, "''");
}

/* An operand of "${x:-…}": text as in double quotes. A single quote needs more of them around. */
static void
put_double_operand (GuardWriter *writer, const GuardWord *word)
{
  for (const GuardPart *part = word->parts; part; part = part->next)
    {
      gboolean wrap = part->type == GUARD_PART_LITERAL && strchr (part->text, '\'');

      if (wrap)
        g_string_append_c (writer->out, '"');
      if (part->type == GUARD_PART_LITERAL)
        put_escaped (writer, part->text, part->length, wrap ? "\\\"$`" : "\\\"$`}");
      else
        put_part (writer, part, GUARD_WRITE_DOUBLE);
      if (wrap)
        g_string_append_c (writer->out, '"');
    }
}

static void
put_operand (GuardWriter *writer, const GuardWord *word, gboolean value, gboolean quoted)
{
  if (!word)
    return;
  if (value && quoted)
    {
      put_double_operand (writer, word);
      return;
    }
  if (!word->parts && word->quoted)
    g_string_append (writer->out, "''");
  for (const GuardPart *part = word->parts; part; part = part->next)
    {
      if (part->type == GUARD_PART_LITERAL && !part->quoted)
        {
          if (part == word->parts && part->text[0] == '~')
            g_string_append_c (writer->out, '\\');
          put_escaped (writer, part->text, part->length, "\\$`\"'}");
        }
      else
        put_part (writer, part, GUARD_WRITE_OPERAND);
    }
}

static void
put_parameter (GuardWriter *writer, const GuardPart *part)
{
  const char *op = part->op;
  gboolean indirect = op[0] == '!';
  gboolean length = strcmp (op, "#len") == 0;

  g_string_append (writer->out, indirect ? "${!" : length ? "${#" : "${");
  g_string_append (writer->out, part->name);
  if (part->subscript)
    {
      g_string_append_c (writer->out, '[');
      guard_writer_subscript (writer, part->subscript);
      g_string_append_c (writer->out, ']');
    }
  op += indirect;
  if (!length)
    g_string_append (writer->out, op);
  if (strcmp (op, ":") == 0)
    {
      guard_writer_arithmetic (writer, part->word);
      if (part->word2)
        {
          g_string_append_c (writer->out, ':');
          guard_writer_arithmetic (writer, part->word2);
        }
    }
  else
    {
      gboolean value = *op && strchr ("-=?+", op[strlen (op) - 1]);

      put_operand (writer, part->word, value, part->quoted);
      if (part->word2)
        {
          g_string_append_c (writer->out, '/');
          put_operand (writer, part->word2, FALSE, part->quoted);
        }
    }
  g_string_append_c (writer->out, '}');
}

static void
put_alternatives (GuardWriter *writer,
                  const GuardPart *part,
                  char separator,
                  GuardWriteContext context)
{
  for (guint i = 0; part->words[i]; i++)
    {
      if (i > 0)
        g_string_append_c (writer->out, separator);
      guard_writer_word (writer, part->words[i], context);
    }
}

/* A glob is the one thing written as it was read, so nothing in it may mean anything else. */
static void
put_glob (GuardWriter *writer, const GuardPart *part, GuardWriteContext context)
{
  const char *never = context == GUARD_WRITE_REGEX     ? "'\"`\\"
                      : context == GUARD_WRITE_BRACE   ? " \t\n;&|()<>'\"`$\\{},"
                      : context == GUARD_WRITE_OPERAND ? " \t\n;&|()<>'\"`$\\}/"
                                                       : " \t\n;&|()<>'\"`$\\{}";

  if (strcspn (part->text, never) != part->length)
    writer->failed = TRUE;
  g_string_append_len (writer->out, part->text, part->length);
}

/* Literals side by side, as one. A tilde and what comes before and after it must stay bare. */
static const GuardPart *
put_literals (GuardWriter *writer, const GuardPart *part, gboolean after_tilde)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean before_tilde;
  gsize start, length;

  for (;; part = part->next)
    {
      g_string_append_len (text, part->text, part->length);
      if (!part->next || part->next->type != GUARD_PART_LITERAL)
        break;
    }
  before_tilde = part->next && part->next->type == GUARD_PART_TILDE && text->len > 0;
  start = after_tilde && (text->str[0] == '/' || text->str[0] == ':');
  if (start > 0)
    g_string_append_c (writer->out, text->str[0]);
  if (start == text->len && start > 0)
    return part;

  length = text->len - start - before_tilde;
  if (length > 0 || !before_tilde)
    guard_writer_quote (writer->out, text->str + start, length);
  if (before_tilde)
    g_string_append_c (writer->out, text->str[text->len - 1]);
  return part;
}

static void
put_quoted (GuardWriter *writer, const GuardPart *part, GuardWriteContext context)
{
  gboolean quotes = part->quoted && context != GUARD_WRITE_DOUBLE;

  if (quotes)
    g_string_append_c (writer->out, '"');
  if (part->type == GUARD_PART_PARAMETER)
    put_parameter (writer, part);
  else if (part->type == GUARD_PART_COMMAND)
    {
      g_string_append_c (writer->out, '$');
      guard_writer_body (writer, part->body);
    }
  else
    {
      g_string_append (writer->out, "$((");
      guard_writer_arithmetic (writer, part->word);
      g_string_append (writer->out, "))");
    }
  if (quotes)
    g_string_append_c (writer->out, '"');
}

static void
put_part (GuardWriter *writer, const GuardPart *part, GuardWriteContext context)
{
  switch (part->type)
    {
    case GUARD_PART_LITERAL:
      guard_writer_quote (writer->out, part->text, part->length);
      break;
    case GUARD_PART_PARAMETER:
    case GUARD_PART_COMMAND:
    case GUARD_PART_ARITHMETIC:
      put_quoted (writer, part, context);
      break;
    case GUARD_PART_PROCESS:
      g_string_append (writer->out, part->op);
      guard_writer_body (writer, part->body);
      break;
    case GUARD_PART_GLOB:
      put_glob (writer, part, context);
      break;
    case GUARD_PART_EXTGLOB:
      g_string_append (writer->out, part->op);
      g_string_append_c (writer->out, '(');
      put_alternatives (writer, part, '|', GUARD_WRITE_OPERAND);
      g_string_append_c (writer->out, ')');
      break;
    case GUARD_PART_TILDE:
      g_string_append_c (writer->out, '~');
      g_string_append (writer->out, part->text);
      break;
    case GUARD_PART_BRACE:
      g_string_append_c (writer->out, '{');
      if (strcmp (part->op, "..") == 0)
        g_string_append (writer->out, part->text);
      else if (!part->words[0] || !part->words[1])
        writer->failed = TRUE;
      else
        put_alternatives (writer, part, ',', GUARD_WRITE_BRACE);
      g_string_append_c (writer->out, '}');
      break;
    case GUARD_PART_ARRAY:
      guard_writer_array (writer, part->items);
      break;
    default:
      writer->failed = TRUE;
    }
}

/* After =~ blanks and operators are part of the word only inside brackets. */
static gboolean
is_safe_regex (const GuardWord *word)
{
  guint level = 0;

  for (const GuardPart *part = word->parts; part; part = part->next)
    for (gsize i = 0; part->type == GUARD_PART_GLOB && i < part->length; i++)
      {
        char c = part->text[i];

        if (c == ')' && level-- == 0)
          return FALSE;
        if (c == '(')
          level++;
        if (level == 0 && strchr (" \t\n;&<>", c))
          return FALSE;
        if (c == '|' && level == 0 && part->text[i + 1] == '|')
          return FALSE;
        if (c == '$' && part->text[i + 1] == '\0' && part->next)
          return FALSE;
      }
  return level == 0;
}

static void
put_from (GuardWriter *writer, const GuardPart *part, GuardWriteContext context)
{
  gboolean after_tilde = FALSE;

  for (; part; part = part->next)
    {
      if (part->type == GUARD_PART_LITERAL)
        part = put_literals (writer, part, after_tilde);
      else
        put_part (writer, part, context);
      after_tilde = part->type == GUARD_PART_TILDE;
    }
}

void
guard_writer_word (GuardWriter *writer, const GuardWord *word, GuardWriteContext context)
{
  if (!word->parts && (word->quoted || context == GUARD_WRITE_PLAIN))
    g_string_append (writer->out, "''");
  if (context == GUARD_WRITE_REGEX && !is_safe_regex (word))
    writer->failed = TRUE;
  put_from (writer, word->parts, context);
}

static gsize
name_prefix (const GuardPart *part)
{
  gsize n = 0;

  if (!part || part->type != GUARD_PART_LITERAL || part->quoted ||
      !(g_ascii_isalpha (part->text[0]) || part->text[0] == '_'))
    return 0;
  while (g_ascii_isalnum (part->text[n]) || part->text[n] == '_')
    n++;
  if (part->text[n] == '+')
    n++;
  return part->text[n] == '=' ? n + 1 : 0;
}

/* An argument keeps a bare NAME= bare: declarations and tildes depend on it. */
void
guard_writer_argument (GuardWriter *writer, const GuardWord *word)
{
  gsize n = name_prefix (word->parts);
  GuardPart rest;

  if (n == 0)
    {
      guard_writer_word (writer, word, GUARD_WRITE_PLAIN);
      return;
    }
  g_string_append_len (writer->out, word->parts->text, n);
  rest = *word->parts;
  rest.text += n;
  rest.length -= n;
  put_from (writer, rest.length > 0 ? &rest : rest.next, GUARD_WRITE_PLAIN);
}

/* A word that is surely not in @body, so that no line of it ends the here-document. */
static char *
fresh_delimiter (const char *body)
{
  gsize longest = 0, run = 0;
  char *delimiter;

  if (!strstr (body, "EOF"))
    return g_strdup ("EOF");
  for (; *body; body++)
    {
      run = *body == '_' ? run + 1 : 0;
      longest = MAX (longest, run);
    }
  delimiter = g_strnfill (longest + 4, '_');
  memcpy (delimiter, "EOF", 3);
  return delimiter;
}

/* Writes the operator; returns what must follow the next newline. */
char *
guard_writer_heredoc (GuardWriter *writer, const GuardRedirection *redirection)
{
  GuardWriter inner = *writer;
  g_autofree char *delimiter = NULL;

  g_queue_init (&inner.heredocs);
  inner.out = g_string_new (NULL);
  if (writer->raw)
    {
      guard_writer_slice (writer, redirection->span.start, redirection->span.end);
      guard_writer_slice (&inner, redirection->target->span.start, redirection->target->span.end);
      delimiter = g_strdup (redirection->delimiter);
    }
  else
    {
      for (const GuardPart *part = redirection->target->parts; part; part = part->next)
        {
          if (part->type != GUARD_PART_LITERAL)
            put_part (&inner, part, GUARD_WRITE_DOUBLE);
          else if (redirection->literal)
            g_string_append_len (inner.out, part->text, part->length);
          else
            put_escaped (&inner, part->text, part->length, "\\$`");
        }
      delimiter = fresh_delimiter (inner.out->str);
      if (redirection->fd_name)
        g_string_append_printf (writer->out, "{%s}", redirection->fd_name);
      else if (redirection->fd >= 0)
        g_string_append_printf (writer->out, "%d", redirection->fd);
      g_string_append_printf (writer->out, redirection->literal ? "<<'%s'" : "<<%s", delimiter);
    }
  writer->failed |= inner.failed;
  g_string_append_printf (inner.out, "%s\n", delimiter);
  return g_string_free (inner.out, FALSE);
}

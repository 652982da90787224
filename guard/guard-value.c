/* What a word is worth: known text with holes where something can't be known.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"
#include "guard-value-private.h"

#include <string.h>

#define MAX_SEQUENCE 64
/* Of two items each, far fewer already are more fields than any word may have. */
#define MAX_BRACES 64

gboolean
guard_has_holes (const char *text)
{
  for (const char *p = text; *p != '\0'; p++)
    if ((guchar) *p < 0x20 && *p != '\n' && *p != '\t')
      return TRUE;
  return FALSE;
}

gboolean
guard_has_unknown (const char *text)
{
  return strchr (text, HOLE_UNKNOWN) != NULL;
}

gboolean
guard_is_number (const char *text)
{
  if (*text == '-' || *text == '+')
    text++;
  if (*text == '\0')
    return FALSE;
  for (; *text != '\0'; text++)
    if (!g_ascii_isdigit (*text) && *text != HOLE_WORD)
      return FALSE;
  return TRUE;
}

/* Literal text: control characters can only come from $'…' and aren't trusted to be text. */
static void
append_literal (GString *out, const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if ((guchar) text[i] < 0x20 && text[i] != '\n' && text[i] != '\t')
      g_string_append_c (out, HOLE_UNKNOWN);
    else
      g_string_append_c (out, text[i]);
}

/* The value of an expansion that is not quoted: split at blanks, its globs alive. */
static void
append_unquoted (Expansion *expansion, const char *value)
{
  GString *out = expansion->out;
  const char *last = strrchr (value, ']');

  for (const char *p = value; *p != '\0'; p++)
    switch (*p)
      {
      case ' ':
      case '\t':
      case '\n':
        g_string_append_c (out, FIELD_BREAK);
        break;
      case '*':
        g_string_append_c (out, GLOB_STAR);
        break;
      case '?':
        g_string_append_c (out, GLOB_ONE);
        break;
      case '[':
        {
          /* None left is seen at once: looking for it from each bracket would take its square. */
          const char *end = last != NULL && last > p ? strchr (p + 1, ']') : NULL;

          if (end == NULL)
            {
              g_string_append_c (out, '[');
              break;
            }
          g_string_append_c (out, GLOB_SET);
          g_string_append_len (out, p + 1, end - p - 1);
          g_string_append_c (out, GLOB_SET_END);
          p = end;
          break;
        }
      default:
        g_string_append_c (out, *p);
      }
}

static void
append_glob (GString *out, const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (text[i] == '*')
      g_string_append_c (out, GLOB_STAR);
    else if (text[i] == '?')
      g_string_append_c (out, GLOB_ONE);
    else if (text[i] == '[' && length > i + 1)
      {
        gsize end = i + 1;

        while (end < length && (text[end] != ']' || end == i + 1))
          end++;
        g_string_append_c (out, GLOB_SET);
        g_string_append_len (out, text + i + 1, end - i - 1);
        g_string_append_c (out, GLOB_SET_END);
        i = end;
      }
    else
      g_string_append_c (out, text[i]);
}

static void
append_tilde (Expansion *expansion, const GuardPart *part)
{
  GuardContext *context = expansion->context;
  const char *user = part->text != NULL ? part->text : "";

  if (user[0] == '\0' && context->scope->home != NULL)
    g_string_append (expansion->out, context->scope->home);
  else if (g_str_equal (user, "+") && expansion->state->cwd != NULL)
    g_string_append (expansion->out, expansion->state->cwd);
  else if (g_str_equal (user, "-"))
    g_string_append (expansion->out,
                     expansion->state->old_cwd != NULL ? expansion->state->old_cwd : "\001");
  else
    g_string_append_c (expansion->out, HOLE_HOME);
}

static void
append_command (Expansion *expansion, const GuardPart *part)
{
  GuardOutput output = guard_walk_substitution (expansion->context, expansion->state, part->body);
  GString *out = expansion->out;

  expansion->computed = TRUE;
  if (output.type == GUARD_OUTPUT_TEXT)
    {
      g_autofree char *text = g_strdup (output.text);
      gsize length = strlen (text);

      while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
      if (part->quoted)
        g_string_append (out, text);
      else
        append_unquoted (expansion, text);
    }
  else if (output.type == GUARD_OUTPUT_PATHS)
    g_string_append_c (out, HOLE_INSIDE);
  else if (output.type != GUARD_OUTPUT_NONE)
    g_string_append_c (out, HOLE_UNKNOWN);
}

static void append_parts (Expansion *expansion, const GuardPart *part);

/* A value may be as long as a line, no longer: x=$x$x doubles at each turn. */
static gboolean
has_room (Expansion *expansion)
{
  if (expansion->out->len > GUARD_MAX_LENGTH)
    expansion->context->exhausted = TRUE;
  return !expansion->context->exhausted;
}

static void
append_sequence (Expansion *expansion, const GuardPart *part)
{
  g_auto (GStrv) ends = g_strsplit (part->text, "..", 3);
  GString *out = expansion->out;
  gsize length = out->len;

  if (g_strv_length (ends) == 2 && guard_is_number (ends[0]) && guard_is_number (ends[1]))
    {
      gint64 low = g_ascii_strtoll (ends[0], NULL, 10), high = g_ascii_strtoll (ends[1], NULL, 10);

      if (ABS (high - low) < MAX_SEQUENCE && ends[0][0] != '0' && ends[1][0] != '0')
        {
          for (gint64 i = low; low <= high ? i <= high : i >= high; i += low <= high ? 1 : -1)
            {
              g_string_append_printf (out, "%" G_GINT64_FORMAT, i);
              append_parts (expansion, part->next);
              g_string_truncate (out, length);
            }
          return;
        }
    }
  else if (g_strv_length (ends) == 2 && strlen (ends[0]) == 1 && strlen (ends[1]) == 1 &&
           g_ascii_isalpha (ends[0][0]) && g_ascii_isalpha (ends[1][0]) &&
           g_ascii_isupper (ends[0][0]) == g_ascii_isupper (ends[1][0]))
    {
      int step = ends[0][0] <= ends[1][0] ? 1 : -1;

      for (int c = ends[0][0]; c != ends[1][0] + step; c += step)
        {
          g_string_append_c (out, (char) c);
          append_parts (expansion, part->next);
          g_string_truncate (out, length);
        }
      return;
    }
  else
    {
      g_string_append_c (out, HOLE_UNKNOWN);
      append_parts (expansion, part->next);
      return;
    }
  g_string_append_c (out, HOLE_WORD);
  append_parts (expansion, part->next);
}

static void
append_brace (Expansion *expansion, const GuardPart *part)
{
  gsize length = expansion->out->len;

  /* What follows a brace is expanded from within it, so braces in a row are deep as well. */
  if (expansion->n_tails >= G_N_ELEMENTS (expansion->tails) || expansion->n_braces >= MAX_BRACES)
    {
      expansion->context->exhausted = TRUE;
      return;
    }
  expansion->n_braces++;
  if (g_strcmp0 (part->op, "..") == 0)
    append_sequence (expansion, part);
  else
    for (guint i = 0; part->words != NULL && part->words[i] != NULL; i++)
      {
        expansion->tails[expansion->n_tails++] = part->next;
        append_parts (expansion, part->words[i]->parts);
        expansion->n_tails--;
        g_string_truncate (expansion->out, length);
      }
  expansion->n_braces--;
}

/* Appends @part and what follows; at the end of the word a field is made. */
static void
append_parts (Expansion *expansion, const GuardPart *part)
{
  GString *out = expansion->out;
  gsize length = out->len;

  if (!guard_step (expansion->context, 1))
    return;
  for (; part != NULL && has_room (expansion); part = part->next)
    switch (part->type)
      {
      case GUARD_PART_LITERAL:
        append_literal (out, part->text, part->length);
        break;
      case GUARD_PART_PARAMETER:
        if (part->quoted)
          guard_value_parameter (expansion, part);
        else
          {
            gsize start = out->len;
            g_autofree char *value = NULL;

            guard_value_parameter (expansion, part);
            value = g_strdup (out->str + start);
            g_string_truncate (out, start);
            append_unquoted (expansion, value);
          }
        break;
      case GUARD_PART_COMMAND:
        append_command (expansion, part);
        break;
      case GUARD_PART_ARITHMETIC:
        guard_value_arithmetic (expansion->context, expansion->state, part->word);
        g_string_append_c (out, HOLE_WORD);
        break;
      case GUARD_PART_PROCESS:
        {
          GuardState copy = *expansion->state;

          if (g_strcmp0 (part->op, ">") == 0)
            copy.input.type = GUARD_INPUT_PIPE;
          guard_walk (expansion->context, &copy, part->body);
          g_string_append (out, "/dev/fd/63");
          break;
        }
      case GUARD_PART_GLOB:
        append_glob (out, part->text, part->length);
        break;
      case GUARD_PART_EXTGLOB:
        g_string_append_c (out, GLOB_STAR);
        break;
      case GUARD_PART_TILDE:
        append_tilde (expansion, part);
        break;
      case GUARD_PART_BRACE:
        append_brace (expansion, part);
        g_string_truncate (out, length);
        return;
      case GUARD_PART_ARRAY:
        {
          g_autofree char *elements =
              guard_value_array (expansion->context, expansion->state, part->items,
                                 expansion->context->named_arrays);

          g_string_append (out, elements);
          break;
        }
      default:
        g_string_append_c (out, HOLE_UNKNOWN);
      }
  if (expansion->n_tails > 0)
    {
      const GuardPart *tail = expansion->tails[--expansion->n_tails];

      append_parts (expansion, tail);
      expansion->tails[expansion->n_tails++] = tail;
    }
  else
    guard_value_emit (expansion);
  g_string_truncate (out, length);
}

void
guard_value_fields (GuardContext *context, GuardState *state, const GuardWord *word, GArray *args)
{
  const char *literal = guard_word_literal (context->tree, word);
  Expansion expansion = { 0 };

  if (literal != NULL && !guard_has_holes (literal))
    {
      GuardArg arg = { literal, word->span, FALSE, FALSE, word->quoted };

      g_array_append_val (args, arg);
      return;
    }
  expansion.context = context;
  expansion.state = state;
  expansion.word = word;
  expansion.args = args;
  expansion.out = g_string_new (NULL);
  append_parts (&expansion, word->parts);
  g_string_free (expansion.out, TRUE);
}

GuardArg
guard_value_one (GuardContext *context, GuardState *state, const GuardWord *word)
{
  GuardArg arg = { "", { 0, 0 }, FALSE, FALSE, FALSE };
  const char *literal;
  Expansion expansion = { 0 };

  if (word == NULL)
    return arg;
  arg.span = word->span;
  arg.quoted = word->quoted;
  literal = guard_word_literal (context->tree, word);
  if (literal != NULL && !guard_has_holes (literal))
    {
      arg.text = literal;
      return arg;
    }
  expansion.context = context;
  expansion.state = state;
  expansion.word = word;
  expansion.out = g_string_new (NULL);
  expansion.one = &arg;
  append_parts (&expansion, word->parts);
  g_string_free (expansion.out, TRUE);
  return arg;
}

void
guard_value_subscript (GuardContext *context,
                       GuardState *state,
                       const GuardWord *subscript,
                       gboolean named,
                       GuardSpan span)
{
  GuardArg index = guard_value_one (context, state, subscript);

  if (!named)
    guard_value_arithmetic_text (context, state, index.text, span);
}

char *
guard_value_array (GuardContext *context,
                   GuardState *state,
                   const GuardAssignment *items,
                   gboolean named)
{
  g_autoptr (GArray) fields = g_array_new (FALSE, FALSE, sizeof (GuardArg));
  GString *joined = g_string_new (NULL);
  gboolean ordered = !named;

  for (const GuardAssignment *item = items; item != NULL && guard_step (context, 1);
       item = item->next)
    {
      if (item->subscript != NULL)
        {
          ordered = FALSE;
          guard_value_subscript (context, state, item->subscript, named, item->span);
          guard_value_one (context, state, item->value);
        }
      else if (item->value != NULL)
        guard_value_fields (context, state, item->value, fields);
    }
  for (guint i = 0; ordered && i < fields->len; i++)
    {
      if (i > 0)
        g_string_append_c (joined, FIELD_BREAK);
      g_string_append (joined, g_array_index (fields, GuardArg, i).text);
    }
  /* Which element has which subscript isn't followed. */
  if (!ordered)
    g_string_append_c (joined, HOLE_UNKNOWN);
  return g_string_free (joined, FALSE);
}

static gboolean
holds_array (const GuardWord *word)
{
  for (const GuardPart *part = word->parts; part != NULL; part = part->next)
    if (part->type == GUARD_PART_ARRAY)
      return TRUE;
  return FALSE;
}

/* A word is whole: cut it into fields. */
void
guard_value_emit (Expansion *expansion)
{
  GuardContext *context = expansion->context;
  const char *text = expansion->out->str;
  GuardArg arg = { NULL, expansion->word->span, FALSE, FALSE, FALSE };

  if (!has_room (expansion))
    return;
  arg.computed = expansion->computed;
  arg.quoted = expansion->word->quoted;
  if (expansion->one != NULL)
    {
      char *whole = (char *) guard_copy (context, text, expansion->out->len);

      /* No splitting here: the blanks of a value, and those between "${a[@]}", stay blanks. Only
       * the elements of `declare -a x=(…)` stay apart. */
      for (char *p = holds_array (expansion->word) ? NULL : whole; p != NULL && *p != '\0'; p++)
        if (*p == FIELD_BREAK)
          *p = ' ';
      arg.text = whole;
      arg.holes = guard_has_holes (arg.text);
      guard_step (context, 1 + expansion->out->len / 16);
      *expansion->one = arg;
      return;
    }
  while (TRUE)
    {
      const char *end = strchr (text, FIELD_BREAK);
      gsize length = end != NULL ? (gsize) (end - text) : strlen (text);

      if (length > 0 || (end == NULL && text == expansion->out->str && expansion->word->quoted))
        {
          if (expansion->args->len >= GUARD_MAX_FIELDS)
            {
              context->exhausted = TRUE;
              return;
            }
          arg.text = guard_copy (context, text, length);
          arg.holes = guard_has_holes (arg.text);
          g_array_append_val (expansion->args, arg);
          guard_step (context, 1 + length / 16);
        }
      if (end == NULL)
        return;
      text = end + 1;
    }
}

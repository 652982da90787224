/* $name, ${name…} and arithmetic.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-value-private.h"

#include <string.h>

/* Taking off what a pattern matches tries every length, and each trial reads the text. */
#define MAX_STRIPPED 256

/* What a variable is worth before any operator. NULL: unset. */
static const char *
variable_value (Expansion *expansion, const char *name, gboolean quoted)
{
  GuardContext *context = expansion->context;
  const GuardState *state = expansion->state;
  const GuardBinding *binding;

  if (name[0] != '\0' && name[1] == '\0' && strchr ("?#$!-", name[0]) != NULL)
    return "\002";
  if (g_ascii_isdigit (name[0]))
    {
      guint64 index = g_ascii_strtoull (name, NULL, 10);

      if (index == 0)
        return "\001";
      if (!state->parameters_known)
        return "\001";
      for (guint i = 0; state->parameters != NULL && state->parameters[i] != NULL; i++)
        if (i + 1 == index)
          return state->parameters[i];
      return NULL;
    }
  if (g_str_equal (name, "@") || g_str_equal (name, "*"))
    {
      if (!state->parameters_known)
        return "\001";
      if (state->parameters == NULL || state->parameters[0] == NULL)
        return NULL;
      {
        g_autofree char *joined =
            g_strjoinv (name[0] == '*' && quoted ? " " : "\023", (char **) state->parameters);

        return guard_copy (context, joined, -1);
      }
    }
  binding = guard_state_lookup (state, name);
  if (binding != NULL)
    return binding->value;
  if (g_str_equal (name, "PWD"))
    return state->cwd != NULL ? state->cwd : "\001";
  if (g_str_equal (name, "OLDPWD"))
    return state->old_cwd != NULL ? state->old_cwd : "\001";
  if (g_str_equal (name, "HOME"))
    return context->scope->home != NULL ? context->scope->home : "\006";
  if (g_str_equal (name, "TMPDIR"))
    return "\004";
  if (g_str_equal (name, "IFS"))
    return " \t\n";
  if (g_str_equal (name, "RANDOM") || g_str_equal (name, "SECONDS") ||
      g_str_equal (name, "EPOCHSECONDS") || g_str_equal (name, "UID") ||
      g_str_equal (name, "EUID") || g_str_equal (name, "PPID") || g_str_equal (name, "BASHPID") ||
      g_str_equal (name, "LINENO") || g_str_equal (name, "COLUMNS") ||
      g_str_equal (name, "SRANDOM") || g_str_equal (name, "OSTYPE") ||
      g_str_equal (name, "HOSTTYPE"))
    return "\002";
  return "\001";
}

static void
bad_expansion (Expansion *expansion, const GuardPart *part, const char *rule)
{
  guard_find (expansion->context, rule, part->span, part->name, NULL);
  g_string_append_c (expansion->out, HOLE_UNKNOWN);
}

/* Takes off what @pattern matches at the start or end. NULL if that can't be told. */
static char *
strip (const char *value, const char *pattern, gboolean at_end, gboolean longest)
{
  gsize length = strlen (value);

  if (guard_has_holes (value) || length > MAX_STRIPPED)
    return NULL;
  for (gsize step = 0; step <= length; step++)
    {
      gsize size = longest ? length - step : step;
      g_autofree char *piece = at_end ? g_strdup (value + length - size) : g_strndup (value, size);

      if (guard_glob_match (pattern, piece, FALSE))
        return at_end ? g_strndup (value, length - size) : g_strdup (value + size);
    }
  return g_strdup (value);
}

static void
append_stripped (Expansion *expansion, const GuardPart *part, const char *value)
{
  GuardArg pattern = guard_value_one (expansion->context, expansion->state, part->word);
  g_autofree char *glob = guard_glob_pattern (expansion->context, pattern.text);
  g_autofree char *rest = NULL;
  gsize length = strlen (value);

  if (glob != NULL && (length > MAX_STRIPPED ||
                       guard_step (expansion->context, (guint) (length * length / 64 + 1))))
    rest = strip (value, glob, part->op[0] == '%', part->op[1] != '\0');
  if (rest != NULL)
    g_string_append (expansion->out, rest);
  else if (!guard_has_unknown (value) && strchr (value, HOLE_INSIDE) == NULL &&
           strchr (value, '/') == NULL)
    g_string_append_c (expansion->out, HOLE_WORD);
  else if (value[0] == HOLE_INSIDE)
    g_string_append_c (expansion->out, HOLE_INSIDE);
  else if (part->op[0] == '#' && part->op[1] == '#' && g_str_has_suffix (pattern.text, "/"))
    g_string_append_c (expansion->out, HOLE_WORD);
  else
    g_string_append_c (expansion->out, HOLE_UNKNOWN);
}

static void
append_replaced (Expansion *expansion, const GuardPart *part, const char *value)
{
  GuardArg pattern = guard_value_one (expansion->context, expansion->state, part->word);
  GuardArg with = guard_value_one (expansion->context, expansion->state, part->word2);
  const char *found = value;

  if (guard_has_holes (value) || pattern.holes || with.holes || pattern.text[0] == '\0' ||
      (part->op[0] == '/' && (part->op[1] == '#' || part->op[1] == '%')))
    {
      g_string_append_c (expansion->out, HOLE_UNKNOWN);
      return;
    }
  while (TRUE)
    {
      const char *next = strstr (found, pattern.text);

      if (next == NULL || expansion->out->len > GUARD_MAX_LENGTH ||
          !guard_step (expansion->context, 1))
        break;
      g_string_append_len (expansion->out, found, next - found);
      g_string_append (expansion->out, with.text);
      found = next + strlen (pattern.text);
      if (part->op[1] != '/')
        break;
    }
  g_string_append (expansion->out, found);
}

static void
append_substring (Expansion *expansion, const GuardPart *part, const char *value)
{
  gint64 offset, count;
  GuardArg from = guard_value_one (expansion->context, expansion->state, part->word);
  gsize length = strlen (value);

  guard_value_arithmetic (expansion->context, expansion->state, part->word);
  if (part->word2 != NULL)
    guard_value_arithmetic (expansion->context, expansion->state, part->word2);
  offset = g_ascii_strtoll (from.text, NULL, 10);
  count = length;
  if (part->word2 != NULL)
    {
      GuardArg to = guard_value_one (expansion->context, expansion->state, part->word2);

      count = guard_is_number (to.text) ? g_ascii_strtoll (to.text, NULL, 10) : -1;
    }
  if (guard_has_holes (value) || !guard_is_number (from.text) || from.holes || offset < 0 ||
      count < 0)
    g_string_append_c (expansion->out, guard_has_unknown (value) || strchr (value, '/') != NULL ||
                                               value[0] == HOLE_INSIDE
                                           ? HOLE_UNKNOWN
                                           : HOLE_WORD);
  else if ((gsize) offset < length)
    g_string_append_len (expansion->out, value + offset, MIN ((gsize) count, length - offset));
}

/* One element of an array, or all of it. */
static const char *
subscripted (Expansion *expansion, const GuardPart *part, const char *value)
{
  GuardArg index = guard_value_one (expansion->context, expansion->state, part->subscript);

  if (g_str_equal (index.text, "@") || g_str_equal (index.text, "*") || value == NULL)
    return value;
  if (guard_state_is_named (expansion->state, part->name))
    return value[0] == '\0' ? value : "\001";
  guard_value_arithmetic_text (expansion->context, expansion->state, index.text, part->span);
  if (guard_is_number (index.text) && !index.holes && index.text[0] != '-')
    {
      guint64 wanted = g_ascii_strtoull (index.text, NULL, 10);
      const char *end;

      if (guard_has_unknown (value))
        return "\001";
      for (; wanted > 0 && value != NULL; wanted--)
        {
          value = strchr (value, FIELD_BREAK);
          value = value != NULL ? value + 1 : NULL;
        }
      if (value == NULL)
        return NULL;
      end = strchrnul (value, FIELD_BREAK);
      return guard_copy (expansion->context, value, end - value);
    }
  return value[0] == '\0' ? value : "\001";
}

static void
append_plain (Expansion *expansion, const char *value)
{
  if (value != NULL)
    g_string_append (expansion->out, value);
}

static void
append_default (Expansion *expansion, const GuardPart *part, const char *value)
{
  GuardContext *context = expansion->context;
  GuardArg word = guard_value_one (context, expansion->state, part->word);
  char op = part->op[strlen (part->op) - 1];
  gboolean colon = part->op[0] == ':';
  gboolean unknown = value != NULL && strcmp (value, "\001") == 0;
  gboolean empty = value == NULL || (colon && value[0] == '\0');

  if (op == '?')
    {
      append_plain (expansion, value);
      return;
    }
  if (op == '+')
    {
      if (unknown)
        g_string_append_c (expansion->out, HOLE_UNKNOWN);
      else if (!empty)
        g_string_append (expansion->out, word.text);
      return;
    }
  if (empty)
    g_string_append (expansion->out, word.text);
  else
    g_string_append (expansion->out, value);
  if (op == '=')
    guard_state_set (context, expansion->state, part->name, empty ? word.text : value, FALSE);
}

void
guard_value_parameter (Expansion *expansion, const GuardPart *part)
{
  const char *op = part->op != NULL ? part->op : "";
  const char *name = part->name != NULL ? part->name : "";
  const char *value;

  /* `${!m[@]}` and `${!prefix@}` only list names. */
  if ((g_str_equal (op, "!") && part->subscript != NULL &&
       g_strcmp0 (guard_word_literal (expansion->context->tree, part->subscript), "@") == 0))
    {
      g_string_append_c (expansion->out,
                         guard_state_is_named (expansion->state, name) ? HOLE_UNKNOWN : HOLE_WORD);
      return;
    }
  if (op[0] == '!' || (op[0] == '@' && strchr (op, 'P') != NULL))
    {
      bad_expansion (expansion, part, "shell.indirect");
      return;
    }
  value = variable_value (expansion, name, part->quoted);
  /* Each use reads it some times over. */
  if (value != NULL && !guard_step (expansion->context, (guint) (strlen (value) / 64)))
    value = "\001";
  if (part->subscript != NULL)
    value = subscripted (expansion, part, value);
  else if (value != NULL && strchr (value, FIELD_BREAK) != NULL && name[0] != '@' &&
           name[0] != '*' && op[0] != '#')
    value = guard_copy (expansion->context, value, strchr (value, FIELD_BREAK) - value);
  if (op[0] == '\0')
    {
      /* An array in quotes is one field for each element, and breaks do that. */
      append_plain (expansion, value);
      return;
    }
  if (g_str_equal (op, "#len") || g_str_equal (op, "@a"))
    {
      g_string_append_c (expansion->out, HOLE_WORD);
      return;
    }
  if (strchr ("-=?+", op[op[0] == ':' ? 1 : 0]) != NULL && op[op[0] == ':' ? 1 : 0] != '\0')
    {
      append_default (expansion, part, value);
      return;
    }
  if (value == NULL)
    value = "";
  switch (op[0])
    {
    case '#':
    case '%':
      append_stripped (expansion, part, value);
      break;
    case '/':
      append_replaced (expansion, part, value);
      break;
    case ':':
      append_substring (expansion, part, value);
      break;
    case '^':
    case ',':
      if (guard_has_holes (value))
        append_plain (expansion, value);
      else
        {
          g_autofree char *cased =
              op[0] == '^' ? g_ascii_strup (value, -1) : g_ascii_strdown (value, -1);

          if (op[1] == '\0' && cased[0] != '\0')
            {
              g_string_append_c (expansion->out, cased[0]);
              g_string_append (expansion->out, value + 1);
            }
          else
            g_string_append (expansion->out, cased);
        }
      break;
    default:
      g_string_append_c (expansion->out, HOLE_UNKNOWN);
    }
}

/* Names in arithmetic are evaluated again as arithmetic, subscripts and all: what
 * isn't a number there may run code. */
void
guard_value_arithmetic_text (GuardContext *context,
                             GuardState *state,
                             const char *text,
                             GuardSpan span)
{
  const char *p = text;

  if (context->in_body || context->in_code)
    return;
  while (*p != '\0')
    {
      if (!guard_step (context, 1))
        return;
      if (g_ascii_isalpha (*p) || *p == '_')
        {
          const char *end = p;
          g_autofree char *name = NULL;
          const GuardBinding *binding;

          while (g_ascii_isalnum (*end) || *end == '_')
            end++;
          name = g_strndup (p, end - p);
          binding = guard_state_lookup (state, name);
          if (binding != NULL && binding->value != NULL && binding->value[0] != '\0' &&
              !binding->array && !guard_is_number (binding->value))
            {
              guard_find (context, "shell.arithmetic", span, name, NULL);
              return;
            }
          p = end;
        }
      else if (g_ascii_isdigit (*p))
        while (g_ascii_isalnum (*p) || *p == '#')
          p++;
      else if (*p == HOLE_UNKNOWN || *p == '`' || (*p == '$' && p[1] == '('))
        {
          guard_find (context, "shell.arithmetic", span, text, NULL);
          return;
        }
      else
        p++;
    }
}

void
guard_value_arithmetic (GuardContext *context, GuardState *state, const GuardWord *word)
{
  GuardArg text;

  if (word == NULL)
    return;
  text = guard_value_one (context, state, word);
  if (text.holes && strcmp (text.text, "\001") == 0 && word->parts != NULL &&
      word->parts->type == GUARD_PART_PARAMETER &&
      guard_state_lookup (state, word->parts->name) == NULL)
    return;
  guard_value_arithmetic_text (context, state, text.text, word->span);
}

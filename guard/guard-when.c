/* Whether a rule's condition holds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

static gboolean
any_option (const GuardParsed *parsed, const char *const *names)
{
  for (; *names != NULL; names++)
    if (guard_parsed_find (parsed, *names) != NULL)
      return TRUE;
  return FALSE;
}

/* A value with something unknown in it fits only `*`. */
static gboolean
fits (const char *const *globs, const char *value)
{
  gboolean unknown = guard_has_unknown (value);

  for (; *globs != NULL; globs++)
    if (unknown ? strcmp (*globs, "*") == 0 : guard_glob_match (*globs, value, FALSE))
      return TRUE;
  return FALSE;
}

static gboolean
value_holds (const GuardWhen *when, const GuardParsed *parsed)
{
  for (guint i = 0; i < parsed->given->len; i++)
    {
      const GuardGiven *given = &g_array_index (parsed->given, GuardGiven, i);

      if (given->option != NULL && strcmp (given->option->name, when->name) == 0 &&
          fits (when->strings, given->value != NULL ? given->value : ""))
        return TRUE;
    }
  return FALSE;
}

static gboolean
operand_holds (const GuardWhen *when, const GuardParsed *parsed)
{
  guint n = parsed->operands->len;

  if (when->low != 0)
    {
      int index = when->low > 0 ? when->low - 1 : (int) n + when->low;

      return index >= 0 && (guint) index < n &&
             fits (when->strings, g_array_index (parsed->operands, GuardArg, index).text);
    }
  for (guint i = 0; i < n; i++)
    if (fits (when->strings, g_array_index (parsed->operands, GuardArg, i).text))
      return TRUE;
  return FALSE;
}

static gboolean
env_holds (const GuardWhen *when, const GuardState *state, const GuardArg *environment, guint n)
{
  gsize length = strlen (when->name);
  const GuardBinding *binding;

  for (guint i = n; i-- > 0;)
    if (strncmp (environment[i].text, when->name, length) == 0 &&
        environment[i].text[length] == '=')
      return fits (when->strings, environment[i].text + length + 1);
  binding = state != NULL ? guard_state_lookup (state, when->name) : NULL;
  if (binding == NULL)
    return FALSE;
  return fits (when->strings, binding->value != NULL ? binding->value : "");
}

gboolean
guard_when_holds (GuardContext *context,
                  const GuardWhen *when,
                  const GuardParsed *parsed,
                  const GuardState *state,
                  const GuardArg *environment,
                  guint n_environment)
{
  guint n_operands;

  if (when == NULL)
    return TRUE;
  n_operands = parsed->operands->len + (parsed->rest > 0 ? 1 : 0);
  switch ((GuardWhenType) when->type)
    {
    case GUARD_WHEN_OPTION:
      return any_option (parsed, when->strings);
    case GUARD_WHEN_NO_OPTION:
      return !any_option (parsed, when->strings);
    case GUARD_WHEN_VALUE:
      return value_holds (when, parsed);
    case GUARD_WHEN_OPERANDS:
      return (int) n_operands >= when->low && (when->high < 0 || (int) n_operands <= when->high);
    case GUARD_WHEN_OPERAND:
      return operand_holds (when, parsed);
    case GUARD_WHEN_BARE:
      return parsed->n_levels == (guint) when->low;
    case GUARD_WHEN_STDIN_GIVEN:
      return state != NULL && state->input.type != GUARD_INPUT_EMPTY;
    case GUARD_WHEN_STDIN_EMPTY:
      return state == NULL || state->input.type == GUARD_INPUT_EMPTY;
    case GUARD_WHEN_STDIN_PIPE:
      return state != NULL && state->input.type == GUARD_INPUT_PIPE;
    case GUARD_WHEN_STDIN_NETWORK:
      return state != NULL && state->input.from.type == GUARD_OUTPUT_NETWORK;
    case GUARD_WHEN_ENV:
      return env_holds (when, state, environment, n_environment);
    case GUARD_WHEN_SANDBOX:
      return context->scope->sandbox;
    case GUARD_WHEN_OPEN:
      return !context->scope->sandbox;
    case GUARD_WHEN_BODY:
      return context->in_body;
    case GUARD_WHEN_LINE:
      return !context->in_body;
    case GUARD_WHEN_ALL:
    case GUARD_WHEN_ANY:
      for (guint i = 0; when->children[i] != NULL; i++)
        if (guard_when_holds (context, when->children[i], parsed, state, environment,
                              n_environment) != (when->type == GUARD_WHEN_ALL))
          return when->type == GUARD_WHEN_ANY;
      return when->type == GUARD_WHEN_ALL;
    case GUARD_WHEN_NOT:
      return !guard_when_holds (context, when->children[0], parsed, state, environment,
                                n_environment);
    default:
      return FALSE;
    }
}

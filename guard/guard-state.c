/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-context.h"

#include <string.h>

/* NULL if @name was never set on the line. */
const GuardBinding *
guard_state_lookup (const GuardState *state, const char *name)
{
  guint hash = g_str_hash (name);

  for (const GuardBinding *binding = state->bindings; binding != NULL; binding = binding->next)
    if (binding->hash == hash && strcmp (binding->name, name) == 0)
      return binding;
  return NULL;
}

gboolean
guard_state_is_named (const GuardState *state, const char *name)
{
  const GuardBinding *binding = guard_state_lookup (state, name);

  return binding != NULL && binding->array == GUARD_ARRAY_NAMED;
}

/* Bindings are a list that is only added to, so a copied state keeps its own view. */
void
guard_state_set (
    GuardContext *context, GuardState *state, const char *name, const char *value, guint array)
{
  GuardBinding *binding;

  if (value != NULL && array != GUARD_ARRAY_NAMED && guard_state_is_named (state, name))
    array = GUARD_ARRAY_NAMED;
  if (state->n_bindings >= GUARD_MAX_BINDINGS)
    {
      context->exhausted = TRUE;
      return;
    }
  binding = guard_arena_new (&context->arena, GuardBinding);
  binding->name = guard_copy (context, name, -1);
  binding->hash = g_str_hash (name);
  binding->value = value != NULL ? guard_copy (context, value, -1) : NULL;
  binding->array = array;
  binding->next = state->bindings;
  state->bindings = binding;
  state->n_bindings++;
}

void
guard_state_init (GuardContext *context, GuardState *state, const char *cwd)
{
  memset (state, 0, sizeof *state);
  state->cwd = cwd;
  state->parameters_known = !context->in_body;
}

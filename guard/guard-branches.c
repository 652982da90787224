/* What is known after a part of the line that may or may not have run.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

static gboolean
same_text (const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp (a, b) == 0);
}

/* Adds a folder that the shell may be in as well. */
void
guard_state_add_cwd (GuardState *state, const char *cwd)
{
  if (same_text (state->cwd, cwd))
    return;
  if (state->cwd == NULL || cwd == NULL || state->n_others == GUARD_MAX_OTHERS)
    {
      state->cwd = NULL;
      state->n_others = 0;
      return;
    }
  for (guint i = 0; i < state->n_others; i++)
    if (strcmp (state->others[i], cwd) == 0)
      return;
  state->others[state->n_others++] = cwd;
}

gboolean
guard_state_same_cwd (const GuardState *a, const GuardState *b)
{
  if (!same_text (a->cwd, b->cwd) || a->n_others != b->n_others)
    return FALSE;
  for (guint i = 0; i < a->n_others; i++)
    if (!same_text (a->others[i], b->others[i]))
      return FALSE;
  return TRUE;
}

static void
set_either (GuardContext *context, GuardState *state, const GuardBinding *a, const GuardBinding *b)
{
  gboolean number = a->value != NULL && guard_is_number (a->value) &&
                    (b == NULL || (b->value != NULL && guard_is_number (b->value)));

  guard_state_set (context, state, a->name, number ? "\002" : "\001", a->array);
}

/* What @branch set since @before and @other has otherwise isn't known in @state any more. */
static void
merge_values (GuardContext *context,
              GuardState *state,
              const GuardBinding *before,
              const GuardState *branch,
              const GuardState *other)
{
  guint n = 0;

  for (const GuardBinding *b = branch->bindings; b != NULL && b != before && n < 64;
       b = b->next, n++)
    {
      const GuardBinding *old = guard_state_lookup (other, b->name);

      if (b == guard_state_lookup (branch, b->name) &&
          (old == NULL || !same_text (old->value, b->value)))
        set_either (context, state, b, old);
    }
}

void
guard_state_merge_values (GuardContext *context, GuardState *state, const GuardState *branch)
{
  const GuardState before = *state;

  state->n_bindings = MAX (state->n_bindings, branch->n_bindings);
  merge_values (context, state, before.bindings, branch, &before);
}

/* Both branches of a condition began with @state. */
void
guard_state_merge_both (GuardContext *context,
                        GuardState *state,
                        const GuardState *yes,
                        const GuardState *no)
{
  const GuardBinding *before = state->bindings;

  *state = *yes;
  state->n_bindings = MAX (yes->n_bindings, no->n_bindings);
  merge_values (context, state, before, yes, no);
  merge_values (context, state, before, no, yes);
  guard_state_add_cwd (state, no->cwd);
  for (guint i = 0; i < no->n_others; i++)
    guard_state_add_cwd (state, no->others[i]);
}

/* Either @state or @branch is what holds now. */
void
guard_state_merge (GuardContext *context, GuardState *state, const GuardState *branch)
{
  guard_state_add_cwd (state, branch->cwd);
  for (guint i = 0; i < branch->n_others; i++)
    guard_state_add_cwd (state, branch->others[i]);
  guard_state_merge_values (context, state, branch);
}

static const GuardNode *
last_of (const GuardNode *node)
{
  while (node != NULL)
    if ((node->type == GUARD_NODE_LIST || node->type == GUARD_NODE_PIPELINE) &&
        node->n_children > 0 && !(node->type == GUARD_NODE_PIPELINE && node->n_children > 1))
      node = node->children[node->n_children - 1];
    else if (node->type == GUARD_NODE_GROUP)
      node = node->body;
    else
      break;
  return node;
}

/* `exit 1`, `{ echo no; exit 1; }`: nothing follows it. */
gboolean
guard_node_leaves (GuardContext *context, const GuardNode *node)
{
  static const char *const leaving[] = { "exit", "return", "break", "continue", "exec", NULL };
  const GuardNode *last = last_of (node);
  const char *name = last != NULL && last->type == GUARD_NODE_SIMPLE && last->n_words > 0
                         ? guard_word_literal (context->tree, last->words[0])
                         : NULL;

  return name != NULL && g_strv_contains (leaving, name);
}

/* Assignments, `cd` and the like are taken to succeed. */
gboolean
guard_node_can_fail (GuardContext *context, const GuardNode *node)
{
  static const char *const sure[] = { "cd", "export", "declare", "local", "readonly", "set", "true",
                                      ":",  "echo",   "printf",  "pushd", "mkdir",    NULL };
  const GuardNode *last = last_of (node);
  const char *name;

  if (last == NULL || last->type != GUARD_NODE_SIMPLE)
    return TRUE;
  if (last->n_words == 0)
    return FALSE;
  name = guard_word_literal (context->tree, last->words[0]);
  return name == NULL || !g_strv_contains (sure, name);
}

/* Walks the tree and lets each part say what it does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

#define MAX_UNROLLED 64

static GuardOutput walk_node (GuardContext *context, GuardState *state, const GuardNode *node);

/* Redirections */

static void
set_input (GuardContext *context, GuardState *state, const GuardRedirection *redirection)
{
  GuardInput *input = &state->input;

  memset (input, 0, sizeof *input);
  input->span = redirection->span;
  if (redirection->type == GUARD_REDIR_HEREDOC || redirection->type == GUARD_REDIR_HERESTRING)
    {
      GuardArg text = guard_value_one (context, state, redirection->target);

      input->type = GUARD_INPUT_HEREDOC;
      input->from.type = GUARD_OUTPUT_TEXT;
      input->from.text = text.text;
      input->from.span = redirection->span;
    }
}

static void
walk_redirection (GuardContext *context, GuardState *state, const GuardRedirection *redirection)
{
  GuardArg target;
  const char *path;

  switch (redirection->type)
    {
    case GUARD_REDIR_HEREDOC:
    case GUARD_REDIR_HERESTRING:
      if (redirection->fd <= 0)
        set_input (context, state, redirection);
      else
        guard_value_one (context, state, redirection->target);
      return;
    case GUARD_REDIR_DUP_IN:
    case GUARD_REDIR_DUP_OUT:
      target = guard_value_one (context, state, redirection->target);
      if (guard_is_number (target.text) || strcmp (target.text, "-") == 0 ||
          (g_str_has_suffix (target.text, "-") && strlen (target.text) < 6))
        return;
      if (redirection->type == GUARD_REDIR_DUP_IN || redirection->fd >= 0)
        {
          if (guard_has_unknown (target.text))
            guard_find_unknown (context, "paths.unknown", redirection->span, target.text);
          return;
        }
      guard_path_check (context, state, target.text, redirection->span, GUARD_ACCESS_WRITE);
      return;
    case GUARD_REDIR_IN:
    case GUARD_REDIR_READWRITE:
      target = guard_value_one (context, state, redirection->target);
      path = guard_path_check (context, state, target.text, target.span,
                               redirection->type == GUARD_REDIR_IN ? GUARD_ACCESS_READ
                                                                   : GUARD_ACCESS_WRITE);
      if (redirection->fd <= 0 && redirection->type == GUARD_REDIR_IN &&
          strcmp (target.text, "/dev/null") != 0 && strcmp (target.text, "/dev/stdin") != 0)
        {
          set_input (context, state, redirection);
          state->input.type = GUARD_INPUT_FILE;
          state->input.path = path;
          state->input.from.plain = TRUE;
        }
      else if (strcmp (target.text, "/dev/null") == 0)
        set_input (context, state, redirection);
      return;
    case GUARD_REDIR_OUT:
    case GUARD_REDIR_APPEND:
    case GUARD_REDIR_CLOBBER:
    case GUARD_REDIR_BOTH:
    case GUARD_REDIR_BOTH_APPEND:
    default:
      target = guard_value_one (context, state, redirection->target);
      if (strchr (target.text, FIELD_BREAK) != NULL)
        guard_find_unknown (context, "paths.unknown", target.span, target.text);
      else
        guard_path_check (context, state, target.text, target.span, GUARD_ACCESS_WRITE);
      return;
    }
}

static void
walk_redirections (GuardContext *context, GuardState *state, const GuardRedirection *redirection)
{
  for (; redirection != NULL && guard_step (context, 1); redirection = redirection->next)
    {
      for (guint i = 0; i < state->n_others; i++)
        {
          GuardState other = *state;

          other.cwd = state->others[i];
          other.n_others = 0;
          walk_redirection (context, &other, redirection);
        }
      walk_redirection (context, state, redirection);
    }
}

/* What was written to a file of the line, so that running it is judged like inline code. */
static void
note_written (GuardContext *context,
              GuardState *state,
              const GuardNode *node,
              const GuardOutput *output)
{
  for (const GuardRedirection *r = node->redirections; r != NULL; r = r->next)
    if (r->type == GUARD_REDIR_OUT || r->type == GUARD_REDIR_APPEND ||
        r->type == GUARD_REDIR_CLOBBER)
      {
        const char *literal = guard_word_literal (context->tree, r->target);
        GuardWritten *written;

        if (literal == NULL || state->cwd == NULL || guard_path_is_device (literal))
          continue;
        written = guard_arena_new (&context->arena, GuardWritten);
        written->path = guard_path_normal (context, state->cwd, literal);
        written->text = output->type == GUARD_OUTPUT_TEXT ? output->text : NULL;
        written->next = context->written;
        context->written = written;
      }
}

/* Assignments */

static void
assign (GuardContext *context, GuardState *state, const GuardAssignment *assignment)
{
  GuardArg value = { "", { 0, 0 }, FALSE, FALSE, FALSE };
  GuardArg whole = { NULL, assignment->span, FALSE, FALSE, FALSE };

  if (assignment->subscript != NULL)
    {
      guard_value_subscript (context, state, assignment->subscript,
                             guard_state_is_named (state, assignment->name), assignment->span);
      value = guard_value_one (context, state, assignment->value);
      guard_state_set (context, state, assignment->name, "\001", GUARD_ARRAY_INDEXED);
      return;
    }
  if (assignment->is_array)
    {
      g_autofree char *elements =
          guard_value_array (context, state, assignment->items,
                             guard_state_is_named (state, assignment->name));
      const GuardBinding *old =
          assignment->append ? guard_state_lookup (state, assignment->name) : NULL;

      if (old != NULL && old->value != NULL && old->value[0] != '\0')
        guard_state_set (context, state, assignment->name,
                         guard_arena_printf (context, "%s\023%s", old->value, elements),
                         GUARD_ARRAY_INDEXED);
      else
        guard_state_set (context, state, assignment->name, elements, GUARD_ARRAY_INDEXED);
      return;
    }
  value = guard_value_one (context, state, assignment->value);
  whole.text = guard_arena_printf (context, "%s=%s", assignment->name, value.text);
  guard_command_environment (context, state, &whole);
  if (assignment->append)
    {
      const GuardBinding *old = guard_state_lookup (state, assignment->name);

      guard_state_set (context, state, assignment->name,
                       guard_arena_printf (context, "%s%s",
                                           old != NULL && old->value != NULL ? old->value : "\001",
                                           value.text),
                       FALSE);
    }
  else
    guard_state_set (context, state, assignment->name, value.text, FALSE);
}

/* NAME=value before a command: an environment for it alone. */
static gboolean
reads_fields (const GuardContext *context, const GuardNode *node)
{
  const char *name = guard_word_literal (context->tree, node->words[0]);

  return name != NULL && (strcmp (name, "read") == 0 || strcmp (name, "mapfile") == 0 ||
                          strcmp (name, "readarray") == 0);
}

static void
environment_of (GuardContext *context,
                GuardState *state,
                const GuardNode *node,
                GArray *environment)
{
  for (const GuardAssignment *a = node->assignments; a != NULL; a = a->next)
    {
      GuardArg value = guard_value_one (context, state, a->value);
      GuardArg one = { NULL, a->span, value.holes, FALSE, FALSE };

      if (a->is_array || a->subscript != NULL)
        {
          assign (context, state, a);
          continue;
        }
      one.text = guard_arena_printf (context, "%s=%s", a->name, value.text);
      /* `IFS= read -r line` says how that line is split and nothing else. */
      if (strcmp (a->name, "IFS") != 0 || !reads_fields (context, node))
        guard_command_environment (context, state, &one);
      g_array_append_val (environment, one);
    }
}

/* Functions */

static GuardOutput
call_function (GuardContext *context,
               GuardState *state,
               GuardFunction *function,
               const GArray *args)
{
  GuardOutput output = { 0 };
  const char *const *before = state->parameters;
  gboolean known = state->parameters_known;
  gboolean exits = context->loop_exits;
  const char **parameters = guard_arena_alloc (&context->arena, args->len * sizeof (char *));

  for (guint i = 1; i < args->len; i++)
    parameters[i - 1] = g_array_index (args, GuardArg, i).text;
  if (function->running)
    {
      guard_find (context, "never.recursion", g_array_index (args, GuardArg, 0).span,
                  function->name, NULL);
      return output;
    }
  function->running = TRUE;
  state->parameters = parameters;
  state->parameters_known = TRUE;
  output = walk_node (context, state, function->body);
  state->parameters = before;
  state->parameters_known = known;
  function->running = FALSE;
  context->loop_exits = exits;
  return output;
}

static GuardFunction *
find_function (GuardContext *context, const char *name)
{
  for (GuardFunction *function = context->functions; function != NULL; function = function->next)
    if (strcmp (function->name, name) == 0)
      return function;
  return NULL;
}

static void
define_function (GuardContext *context, const GuardNode *node)
{
  GuardFunction *function;
  gboolean shadows = guard_builtin_is (node->name) || guard_rules_program (node->name) != NULL ||
                     strcmp (node->name, "command_not_found_handle") == 0;

  if (shadows && !context->in_body)
    {
      guard_find (context, "shell.shadow", node->name_span, node->name, NULL);
      return;
    }
  guard_step (context, 4);
  function = guard_arena_new (&context->arena, GuardFunction);
  function->name = guard_copy (context, node->name, -1);
  function->body = node->body;
  function->next = context->functions;
  context->functions = function;
}

/* Simple commands */

static gboolean
has_array (const GuardWord *word)
{
  for (const GuardPart *part = word->parts; part != NULL; part = part->next)
    if (part->type == GUARD_PART_ARRAY)
      return TRUE;
  return FALSE;
}

/* `declare -A m=([a]=1)`: what lies in the brackets is text. */
static void
declares_named (GuardContext *context, const GuardNode *node)
{
  context->named_arrays = FALSE;
  for (guint i = 1; i < node->n_words && !context->named_arrays; i++)
    {
      const char *literal = guard_word_literal (context->tree, node->words[i]);

      if (has_array (node->words[i]))
        return;
      context->named_arrays = literal != NULL && !node->words[i]->quoted && literal[0] == '-' &&
                              strchr (literal, 'A') != NULL;
    }
}

static GuardOutput
walk_simple_in (GuardContext *context, GuardState *state, const GuardNode *node)
{
  GuardOutput output = { 0 };
  g_autoptr (GArray) args = NULL;
  g_autoptr (GArray) environment = NULL;
  GuardState own = *state;
  GuardFunction *function;
  gboolean exec_only;

  if (node->n_words == 0)
    {
      for (const GuardAssignment *a = node->assignments; a != NULL && guard_step (context, 1);
           a = a->next)
        assign (context, state, a);
      walk_redirections (context, &own, node->redirections);
      output.type = GUARD_OUTPUT_NONE;
      return output;
    }
  args = g_array_sized_new (FALSE, FALSE, sizeof (GuardArg), node->n_words + 2);
  environment = g_array_new (FALSE, FALSE, sizeof (GuardArg));
  declares_named (context, node);
  for (guint i = 0; i < node->n_words && guard_step (context, 1); i++)
    if (has_array (node->words[i]))
      {
        GuardArg one = guard_value_one (context, state, node->words[i]);

        g_array_append_val (args, one);
      }
    else
      guard_value_fields (context, state, node->words[i], args);
  context->named_arrays = FALSE;
  environment_of (context, state, node, environment);
  walk_redirections (context, &own, node->redirections);
  if (args->len == 0)
    return output;
  exec_only = args->len == 1 && strcmp (g_array_index (args, GuardArg, 0).text, "exec") == 0;
  function = g_array_index (args, GuardArg, 0).holes
                 ? NULL
                 : find_function (context, g_array_index (args, GuardArg, 0).text);
  {
    GuardInput input = state->input;

    state->input = own.input;
    if (function != NULL)
      output = call_function (context, state, function, args);
    else
      output =
          guard_command_run (context, state, (const GuardArg *) (gpointer) args->data, args->len,
                             (const GuardArg *) (gpointer) environment->data, environment->len, 0);
    if (!exec_only)
      state->input = input;
  }
  if (node->redirections != NULL)
    note_written (context, state, node, &output);
  return output;
}

/* In each folder that the shell may be in. */
static GuardOutput
walk_simple (GuardContext *context, GuardState *state, const GuardNode *node)
{
  GuardState before = *state;
  GuardOutput output;

  state->n_others = 0;
  output = walk_simple_in (context, state, node);
  for (guint i = 0; i < before.n_others && guard_step (context, 1); i++)
    {
      GuardState other = before;

      other.cwd = before.others[i];
      other.n_others = 0;
      walk_simple_in (context, &other, node);
      guard_state_add_cwd (state, other.cwd);
    }
  return output;
}

/* Pipelines and lists */

/* A reader that ends early ends what feeds it: `yes | head -1`. */
static gboolean
ends_early (GuardContext *context, const GuardNode *node)
{
  const char *name;

  if (node->type != GUARD_NODE_SIMPLE || node->n_words == 0)
    return FALSE;
  name = guard_word_literal (context->tree, node->words[0]);
  return name != NULL && strcmp (name, "head") == 0;
}

/* `time -f %e git …`: bash's own `time` knows only -p, so `-f` is what it would run. */
static void
judge_timed (GuardContext *context, const GuardNode *node)
{
  const char *name;

  if (node->type != GUARD_NODE_SIMPLE || node->n_words == 0)
    return;
  name = guard_word_literal (context->tree, node->words[0]);
  if (name != NULL && name[0] == '-')
    guard_find_unknown (context, "command.unknown", node->words[0]->span, name);
}

static GuardOutput
walk_pipeline (GuardContext *context, GuardState *state, const GuardNode *node)
{
  GuardOutput output = { 0 };

  if (node->timed && node->n_children > 0)
    judge_timed (context, node->children[0]);
  if (node->n_children == 1)
    return walk_node (context, state, node->children[0]);
  for (guint i = 0; i < node->n_children && guard_step (context, 1); i++)
    {
      GuardState own = *state;

      if (i > 0)
        {
          memset (&own.input, 0, sizeof own.input);
          own.input.type = GUARD_INPUT_PIPE;
          own.input.from = output;
        }
      for (guint j = i + 1; j < node->n_children && j < i + 4; j++)
        own.endless_reader |= ends_early (context, node->children[j]);
      output = walk_node (context, &own, node->children[i]);
    }
  return output;
}

/* Two outputs one after the other. */
static GuardOutput
join_outputs (GuardContext *context, GuardOutput first, GuardOutput second)
{
  if (first.type == GUARD_OUTPUT_NONE)
    return second;
  if (second.type == GUARD_OUTPUT_NONE)
    return first;
  if (first.type == GUARD_OUTPUT_TEXT && second.type == GUARD_OUTPUT_TEXT &&
      guard_step (context, 1) && strlen (first.text) < 65536)
    {
      first.text = guard_arena_printf (context, "%s%s", first.text, second.text);
      guard_step (context, strlen (first.text) / 64);
      return first;
    }
  if (first.type == GUARD_OUTPUT_NETWORK || second.type == GUARD_OUTPUT_NETWORK)
    first.type = GUARD_OUTPUT_NETWORK;
  else
    first.type = GUARD_OUTPUT_UNKNOWN;
  first.plain = first.plain && second.plain;
  return first;
}

/* The part before failed: its `cd` didn't happen. It may also have been a later part. */
static GuardOutput
walk_otherwise (GuardContext *context,
                GuardState *state,
                const GuardState *chain,
                const GuardNode *node)
{
  GuardState failed = *state;
  GuardOutput output;

  failed.cwd = chain->cwd;
  failed.n_others = chain->n_others;
  memcpy (failed.others, chain->others, sizeof failed.others);
  output = walk_node (context, &failed, node);
  if (!guard_state_same_cwd (chain, state))
    {
      GuardState other = *state;

      walk_node (context, &other, node);
    }
  if (!guard_node_leaves (context, node))
    {
      state->n_bindings = MAX (state->n_bindings, failed.n_bindings);
      guard_state_merge (context, state, &failed);
    }
  return output;
}

static GuardOutput
walk_list (GuardContext *context, GuardState *state, const GuardNode *node)
{
  GuardOutput output = { GUARD_OUTPUT_NONE, 0, 0, NULL, { 0, 0 } };
  GuardState chain = *state;  /* before the and-or chain that is being read */
  GuardState skipped = { 0 }; /* where the rest of the chain may not have run */
  gboolean may_skip = FALSE;

  for (guint i = 0; i < node->n_children && guard_step (context, 1); i++)
    {
      GuardSeparator before = i > 0 ? node->separators[i - 1] : GUARD_SEPARATOR_SEQUENCE;
      GuardSeparator after = node->separators[i];
      GuardOutput one;

      if (before != GUARD_SEPARATOR_AND && before != GUARD_SEPARATOR_OR)
        chain = *state;
      if (after == GUARD_SEPARATOR_BACKGROUND)
        {
          GuardState own = *state;

          memset (&own.input, 0, sizeof own.input);
          walk_node (context, &own, node->children[i]);
          state->has_jobs = TRUE;
          continue;
        }
      if (before == GUARD_SEPARATOR_AND && !may_skip &&
          guard_node_can_fail (context, node->children[i - 1]))
        {
          skipped = *state;
          may_skip = TRUE;
        }
      if (before == GUARD_SEPARATOR_OR)
        one = walk_otherwise (context, state, &chain, node->children[i]);
      else
        one = walk_node (context, state, node->children[i]);
      output = join_outputs (context, output, one);
      if (may_skip && after != GUARD_SEPARATOR_AND && after != GUARD_SEPARATOR_OR)
        {
          GuardState ran = *state;

          state->bindings = skipped.bindings;
          guard_state_merge_values (context, state, &ran);
          may_skip = FALSE;
        }
    }
  return output;
}

/* Loops */

static void
forget_assigned (GuardContext *context, GuardState *state, const GuardNode *node, guint depth)
{
  if (node == NULL || depth > GUARD_MAX_NESTING || !guard_step (context, 1))
    return;
  for (const GuardAssignment *a = node->assignments; node->n_words == 0 && a != NULL; a = a->next)
    {
      gboolean number = a->value != NULL && a->value->parts != NULL &&
                        a->value->parts->next == NULL &&
                        a->value->parts->type == GUARD_PART_ARITHMETIC;

      guard_state_set (context, state, a->name, number ? "\002" : "\001", FALSE);
    }
  for (guint i = 0; i < node->n_children; i++)
    forget_assigned (context, state, node->children[i], depth + 1);
  forget_assigned (context, state, node->condition, depth + 1);
  forget_assigned (context, state, node->body, depth + 1);
  forget_assigned (context, state, node->otherwise, depth + 1);
  for (const GuardCaseItem *item = node->items; item != NULL; item = item->next)
    forget_assigned (context, state, item->body, depth + 1);
}

/* A condition that is always the same: `true`, `:`, `[ 1 ]`, `sleep 1`. */
static gboolean
always (GuardContext *context, const GuardNode *condition, gboolean until)
{
  const char *name, *second;

  while (condition != NULL &&
         (condition->type == GUARD_NODE_LIST || condition->type == GUARD_NODE_PIPELINE) &&
         condition->n_children > 0)
    condition = condition->children[condition->n_children - 1];
  if (condition == NULL || condition->type != GUARD_NODE_SIMPLE || condition->n_words == 0)
    return condition != NULL && condition->type == GUARD_NODE_ARITHMETIC && !until &&
           condition->words != NULL && condition->words[0] != NULL &&
           guard_word_literal (context->tree, condition->words[0]) != NULL &&
           guard_is_number (g_strstrip ((char *) guard_copy (
               context, guard_word_literal (context->tree, condition->words[0]), -1)));
  name = guard_word_literal (context->tree, condition->words[0]);
  if (name == NULL)
    return FALSE;
  if (until)
    return strcmp (name, "false") == 0;
  if (strcmp (name, "true") == 0 || strcmp (name, ":") == 0 || strcmp (name, "sleep") == 0 ||
      strcmp (name, "echo") == 0)
    return TRUE;
  second = condition->n_words == 3 ? guard_word_literal (context->tree, condition->words[1]) : NULL;
  return strcmp (name, "[") == 0 && second != NULL;
}

static GuardOutput
loop_output (GuardOutput output)
{
  if (output.type == GUARD_OUTPUT_TEXT)
    output.type = GUARD_OUTPUT_UNKNOWN;
  return output;
}

static GuardOutput
walk_while (GuardContext *context, GuardState *state, const GuardNode *node)
{
  gboolean exits = context->loop_exits;
  GuardState before;
  GuardOutput output;

  forget_assigned (context, state, node->body, 0);
  context->loop_exits = FALSE;
  walk_node (context, state, node->condition);
  before = *state;
  output = node->body != NULL ? walk_node (context, state, node->body) : (GuardOutput){ 0 };
  if (!guard_state_same_cwd (&before, state))
    {
      state->cwd = NULL;
      state->n_others = 0;
      if (node->body != NULL)
        walk_node (context, state, node->body);
    }
  if (always (context, node->condition, node->type == GUARD_NODE_UNTIL) && !context->loop_exits &&
      !state->bounded && !state->endless_reader)
    guard_find (context, "never.loop", node->span, NULL, NULL);
  context->loop_exits = exits;
  return loop_output (output);
}

static GuardOutput
walk_for (GuardContext *context, GuardState *state, const GuardNode *node)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (GuardArg));
  GuardOutput output = { GUARD_OUTPUT_NONE, 0, 0, NULL, { 0, 0 } };
  gboolean exits = context->loop_exits;

  if (node->words == NULL)
    {
      for (guint i = 0;
           state->parameters_known && state->parameters != NULL && state->parameters[i] != NULL;
           i++)
        {
          GuardArg arg = { state->parameters[i], node->span, guard_has_holes (state->parameters[i]),
                           FALSE, FALSE };

          g_array_append_val (values, arg);
        }
      if (!state->parameters_known)
        {
          GuardArg arg = { "\001", node->span, TRUE, FALSE, FALSE };

          g_array_append_val (values, arg);
        }
    }
  else
    {
      g_autoptr (GArray) fields = g_array_new (FALSE, FALSE, sizeof (GuardArg));

      for (guint i = 0; node->words[i] != NULL && guard_step (context, 1); i++)
        guard_value_fields (context, state, node->words[i], fields);
      for (guint i = 0; i < fields->len && guard_step (context, 1); i++)
        if (!guard_path_expand (context, state, &g_array_index (fields, GuardArg, i), values))
          g_array_append_val (values, g_array_index (fields, GuardArg, i));
    }
  if (values->len > MAX_UNROLLED)
    {
      guard_state_set (context, state, node->name, "\001", FALSE);
      forget_assigned (context, state, node->body, 0);
      if (node->body != NULL)
        output = walk_node (context, state, node->body);
    }
  else
    for (guint i = 0; i < values->len && guard_step (context, 4); i++)
      {
        guard_state_set (context, state, node->name, g_array_index (values, GuardArg, i).text,
                         FALSE);
        if (node->body != NULL)
          output = walk_node (context, state, node->body);
      }
  context->loop_exits = exits;
  return loop_output (output);
}

static GuardOutput
walk_cfor (GuardContext *context, GuardState *state, const GuardNode *node)
{
  gboolean exits = context->loop_exits;
  const GuardWord *condition =
      node->words != NULL && node->words[0] != NULL ? node->words[1] : NULL;
  gboolean endless = condition == NULL || condition->parts == NULL;
  GuardOutput output;

  context->loop_exits = FALSE;
  forget_assigned (context, state, node->body, 0);
  for (guint i = 0; node->words != NULL && node->words[i] != NULL && i < 3; i++)
    {
      GuardArg text = guard_value_one (context, state, node->words[i]);

      if (i == 1 && text.text[strspn (text.text, " \t")] == '\0')
        endless = TRUE;
      guard_value_arithmetic (context, state, node->words[i]);
      if (i == 0)
        {
          const char *start = text.text + strspn (text.text, " \t");
          g_autofree char *name = g_strndup (start, strcspn (start, " \t=+-*/<>"));

          if (name[0] != '\0' && !g_ascii_isdigit (name[0]))
            guard_state_set (context, state, name, "\002", FALSE);
        }
    }
  output = node->body != NULL ? walk_node (context, state, node->body) : (GuardOutput){ 0 };
  if (endless && !context->loop_exits && !state->bounded)
    guard_find (context, "never.loop", node->span, NULL, NULL);
  context->loop_exits = exits;
  return loop_output (output);
}

/* Branches */

static GuardOutput
walk_if (GuardContext *context, GuardState *state, const GuardNode *node)
{
  GuardState yes, no;
  GuardOutput output = { GUARD_OUTPUT_NONE, 0, 0, NULL, { 0, 0 } };

  walk_node (context, state, node->condition);
  yes = *state;
  no = *state;
  if (node->body != NULL)
    output = walk_node (context, &yes, node->body);
  if (node->otherwise != NULL)
    walk_node (context, &no, node->otherwise);
  if (node->otherwise != NULL && guard_node_leaves (context, node->body))
    *state = no;
  else if (node->otherwise == NULL || guard_node_leaves (context, node->otherwise))
    {
      /* `if …; then cd x; fi` */
      if (node->otherwise != NULL)
        *state = yes;
      else if (!guard_node_leaves (context, node->body))
        guard_state_merge (context, state, &yes);
    }
  else
    guard_state_merge_both (context, state, &yes, &no);
  return loop_output (output);
}

static GuardOutput
walk_case (GuardContext *context, GuardState *state, const GuardNode *node)
{
  GuardState before;
  GuardOutput output = { GUARD_OUTPUT_NONE, 0, 0, NULL, { 0, 0 } };

  if (node->words != NULL && node->words[0] != NULL)
    guard_value_one (context, state, node->words[0]);
  before = *state;
  for (const GuardCaseItem *item = node->items; item != NULL && guard_step (context, 1);
       item = item->next)
    {
      GuardState branch = before;

      for (guint i = 0; item->patterns != NULL && item->patterns[i] != NULL; i++)
        guard_value_one (context, &branch, item->patterns[i]);
      if (item->body == NULL)
        continue;
      output = walk_node (context, &branch, item->body);
      if (!guard_node_leaves (context, item->body))
        guard_state_merge (context, state, &branch);
    }
  return loop_output (output);
}

/* [[ … ]]: file tests read; -v and arithmetic comparisons evaluate. */
static void
walk_test (GuardContext *context, GuardState *state, const GuardNode *node)
{
  static const char *const compare[] = { "-eq", "-ne", "-lt", "-le", "-gt", "-ge", NULL };

  for (guint i = 0; i < node->n_words && guard_step (context, 1); i++)
    {
      GuardArg arg = guard_value_one (context, state, node->words[i]);
      GuardArg next = { "", { 0, 0 }, FALSE, FALSE, FALSE };

      if (g_strv_contains (compare, arg.text))
        {
          if (i > 0)
            guard_value_arithmetic (context, state, node->words[i - 1]);
          if (i + 1 < node->n_words)
            guard_value_arithmetic (context, state, node->words[i + 1]);
          continue;
        }
      if (arg.text[0] != '-' || arg.text[1] == '\0' || arg.text[2] != '\0' || arg.quoted ||
          i + 1 >= node->n_words)
        continue;
      next = guard_value_one (context, state, node->words[i + 1]);
      if (strchr ("vR", arg.text[1]) != NULL &&
          (strchr (next.text, '[') != NULL || guard_has_unknown (next.text)))
        guard_find (context, "shell.arithmetic", next.span, next.text, NULL);
      else if (strchr ("abcdefghkprstuwxLSGON", arg.text[1]) != NULL &&
               !guard_has_unknown (next.text))
        guard_path_check (context, state, next.text, next.span, GUARD_ACCESS_READ);
    }
}

static GuardOutput
walk_compound (GuardContext *context, GuardState *state, const GuardNode *node)
{
  GuardOutput output = { 0 };

  switch (node->type)
    {
    case GUARD_NODE_SUBSHELL:
      {
        GuardState own = *state;

        return node->body != NULL ? walk_node (context, &own, node->body) : output;
      }
    case GUARD_NODE_GROUP:
      return node->body != NULL ? walk_node (context, state, node->body) : output;
    case GUARD_NODE_IF:
      return walk_if (context, state, node);
    case GUARD_NODE_WHILE:
    case GUARD_NODE_UNTIL:
      return walk_while (context, state, node);
    case GUARD_NODE_FOR:
      return walk_for (context, state, node);
    case GUARD_NODE_CFOR:
      return walk_cfor (context, state, node);
    case GUARD_NODE_CASE:
      return walk_case (context, state, node);
    case GUARD_NODE_SELECT:
      guard_find (context, "never.input", node->span, "select", NULL);
      return walk_for (context, state, node);
    case GUARD_NODE_FUNCTION:
      define_function (context, node);
      return output;
    case GUARD_NODE_TEST:
      walk_test (context, state, node);
      output.type = GUARD_OUTPUT_NONE;
      return output;
    case GUARD_NODE_ARITHMETIC:
      for (guint i = 0; node->words != NULL && node->words[i] != NULL; i++)
        guard_value_arithmetic (context, state, node->words[i]);
      output.type = GUARD_OUTPUT_NONE;
      return output;
    case GUARD_NODE_COPROC:
      guard_find (context, "shell.coproc", node->span, "coproc", NULL);
      return node->body != NULL ? walk_node (context, state, node->body) : output;
    case GUARD_NODE_SIMPLE:
    case GUARD_NODE_PIPELINE:
    case GUARD_NODE_LIST:
    default:
      context->exhausted = TRUE;
      return output;
    }
}

static GuardOutput
walk_node (GuardContext *context, GuardState *state, const GuardNode *node)
{
  GuardOutput output = { 0 };
  GuardInput input = state->input;

  if (node == NULL || !guard_step (context, 1))
    return output;
  if (context->depth > GUARD_MAX_DEPTH)
    {
      context->exhausted = TRUE;
      return output;
    }
  context->depth++;
  switch (node->type)
    {
    case GUARD_NODE_SIMPLE:
      output = walk_simple (context, state, node);
      break;
    case GUARD_NODE_PIPELINE:
      output = walk_pipeline (context, state, node);
      break;
    case GUARD_NODE_LIST:
      output = walk_list (context, state, node);
      break;
    default:
      if (node->type != GUARD_NODE_FUNCTION)
        walk_redirections (context, state, node->redirections);
      output = walk_compound (context, state, node);
      if (node->redirections != NULL)
        note_written (context, state, node, &output);
      state->input = input;
    }
  context->depth--;
  return output;
}

GuardOutput
guard_walk (GuardContext *context, GuardState *state, const GuardNode *node)
{
  return walk_node (context, state, node);
}

GuardOutput
guard_walk_substitution (GuardContext *context, const GuardState *state, const GuardNode *body)
{
  GuardState own = *state;
  gboolean exits = context->loop_exits;
  GuardOutput output = { GUARD_OUTPUT_NONE, 0, 0, NULL, { 0, 0 } };

  if (body != NULL)
    output = walk_node (context, &own, body);
  /* `$(< file)` */
  if (body != NULL && body->type == GUARD_NODE_SIMPLE && body->n_words == 0 &&
      body->redirections != NULL)
    output.type = GUARD_OUTPUT_UNKNOWN;
  context->loop_exits = exits;
  return output;
}

/* From text to verdict.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"
#include "guard-meaning.h"

#include <string.h>

static void
add_error (GuardContext *context, const GuardReadError *error)
{
  GuardFinding *finding = g_new0 (GuardFinding, 1);

  finding->answer = GUARD_ANSWER_REFUSE;
  finding->rule = error->rule;
  finding->start = error->span.start;
  finding->end = error->span.end;
  finding->message = error->message;
  finding->args = g_new0 (char *, 3);
  finding->args[0] = g_strdup (error->detail != NULL ? error->detail : "");
  finding->args[1] = g_strdup ("");
  finding->intent = GUARD_INTENT_EXPLAIN;
  g_ptr_array_add (context->findings, finding);
}

static int
by_place (gconstpointer a, gconstpointer b)
{
  const GuardFinding *first = *(const GuardFinding *const *) a;
  const GuardFinding *second = *(const GuardFinding *const *) b;

  if (first->start != second->start)
    return first->start < second->start ? -1 : 1;
  return (int) second->answer - (int) first->answer;
}

/* A plain command of literal words that no builtin takes: no shell is needed. */
static gboolean
plan_argv (GuardContext *context, const GuardNode *root, GuardPlan *plan)
{
  g_autoptr (GPtrArray) argv = NULL;
  g_autoptr (GPtrArray) environment = NULL;
  const char *first;

  if (root->type != GUARD_NODE_SIMPLE || root->n_words == 0 || root->redirections != NULL)
    return FALSE;
  first = guard_word_literal (context->tree, root->words[0]);
  if (first == NULL || guard_builtin_is (first))
    return FALSE;
  for (const GuardAssignment *a = root->assignments; a != NULL; a = a->next)
    if (a->append || a->is_array || a->subscript != NULL ||
        (a->value != NULL && guard_word_literal (context->tree, a->value) == NULL))
      return FALSE;
  for (guint i = 0; i < root->n_words; i++)
    if (guard_word_literal (context->tree, root->words[i]) == NULL)
      return FALSE;
  argv = g_ptr_array_new ();
  environment = g_ptr_array_new ();
  for (guint i = 0; i < root->n_words; i++)
    g_ptr_array_add (argv, g_strdup (guard_word_literal (context->tree, root->words[i])));
  for (const GuardAssignment *a = root->assignments; a != NULL; a = a->next)
    g_ptr_array_add (
        environment,
        g_strdup_printf ("%s=%s", a->name,
                         a->value != NULL ? guard_word_literal (context->tree, a->value) : ""));
  g_ptr_array_add (argv, NULL);
  g_ptr_array_add (environment, NULL);
  plan->argv = (char **) g_ptr_array_free (g_steal_pointer (&argv), FALSE);
  plan->environment = (char **) g_ptr_array_free (g_steal_pointer (&environment), FALSE);
  return TRUE;
}

static void
add_pins (GuardContext *context, GuardPlan *plan)
{
  g_autoptr (GPtrArray) pins = g_ptr_array_new ();

  if (context->project != NULL)
    {
      g_autoptr (GPtrArray) read = guard_project_get_pins (context->project);

      for (guint i = 0; read != NULL && i < read->len; i++)
        g_ptr_array_add (pins, g_strdup (g_ptr_array_index (read, i)));
    }
  for (guint i = 0; i < context->links->len; i++)
    g_ptr_array_add (pins, g_strdup (g_ptr_array_index (context->links, i)));
  g_ptr_array_add (pins, NULL);
  plan->pins = (char **) g_ptr_array_free (g_steal_pointer (&pins), FALSE);
}

static void
make_plan (GuardContext *context, GuardVerdict *verdict)
{
  GuardNode *root = guard_tree_get_root (context->tree);

  if (root == NULL)
    {
      /* Comments only: no shell is needed for nothing. */
      verdict->canonical = guard_tree_write (context->tree, NULL);
      verdict->plan.argv = g_new0 (char *, 2);
      verdict->plan.argv[0] = g_strdup ("true");
      add_pins (context, &verdict->plan);
      return;
    }
  verdict->canonical = guard_tree_write (context->tree, root);
  if (verdict->canonical == NULL)
    {
      GuardSpan all = { 0, (guint) strlen (context->text) };

      guard_find (context, "reader.unwritable", all, NULL, NULL);
      return;
    }
  if (!plan_argv (context, root, &verdict->plan))
    {
      if (!context->scope->bash_available)
        {
          guard_find (context, "shell.no-bash", root->span, NULL, NULL);
          return;
        }
      verdict->plan.script = g_strdup (verdict->canonical);
    }
  add_pins (context, &verdict->plan);
}

static void
settle (GuardContext *context, GuardVerdict *verdict)
{
  verdict->answer = GUARD_ANSWER_ALLOW;
  for (guint i = 0; i < context->findings->len; i++)
    {
      const GuardFinding *finding = g_ptr_array_index (context->findings, i);

      verdict->answer = MAX (verdict->answer, finding->answer);
    }
}

static void
drop_plan (GuardVerdict *verdict)
{
  g_clear_pointer (&verdict->plan.argv, g_strfreev);
  g_clear_pointer (&verdict->plan.script, g_free);
  g_clear_pointer (&verdict->plan.environment, g_strfreev);
}

void
guard_context_init (GuardContext *context, const GuardScope *scope, const GuardFiles *files)
{
  memset (context, 0, sizeof *context);
  context->scope = scope;
  context->files = files;
  context->findings = g_ptr_array_new_with_free_func (guard_finding_free);
  context->trees = g_ptr_array_new_with_free_func ((GDestroyNotify) guard_tree_free);
  context->links = g_ptr_array_new_with_free_func (g_free);
  context->bodies_seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  context->project_path = guard_path_normal (context, "/", scope->project);
  context->loop_path =
      guard_path_normal (context, context->project_path, scope->loop != NULL ? scope->loop : ".");
  context->app_path =
      guard_path_normal (context, context->project_path,
                         scope->app_folder != NULL ? scope->app_folder : ".perfica");
}

void
guard_context_clear (GuardContext *context)
{
  g_clear_pointer (&context->project, guard_project_free);
  g_ptr_array_unref (context->trees);
  g_ptr_array_unref (context->links);
  g_hash_table_unref (context->bodies_seen);
  guard_tree_free (context->tree);
  guard_arena_clear (&context->arena);
}

/* The start folder must itself be one that may be read. */
static const char *
start_folder (GuardContext *context)
{
  const char *folder =
      guard_path_normal (context, context->project_path,
                         context->scope->folder != NULL ? context->scope->folder : ".");
  const char *physical = guard_path_physical (context, folder);

  return physical != NULL ? physical : folder;
}

static void
read_tree (GuardContext *context)
{
  GuardTree *line = context->tree;
  GuardState state;

  guard_state_init (context, &state, start_folder (context));
  if (guard_tree_get_root (line) != NULL)
    guard_walk (context, &state, guard_tree_get_root (line));
  context->tree = line;
  if (context->exhausted ||
      (context->project != NULL && guard_project_get_exceeded (context->project)))
    {
      GuardSpan all = { 0, (guint) strlen (context->text) };

      context->in_body = FALSE;
      guard_find (context, "limits.steps", all, NULL, NULL);
    }
}

static GuardVerdict *
read_with (const char *text,
           gsize length,
           const GuardScope *scope,
           const GuardFiles *files,
           GString *trace,
           gboolean alternatives)
{
  GuardVerdict *verdict = g_new0 (GuardVerdict, 1);
  GuardContext context;

  guard_context_init (&context, scope, files);
  context.trace = trace;
  context.tree = guard_tree_read (text, length);
  context.text = guard_tree_get_text (context.tree);
  if (context.text == NULL)
    context.text = "";
  if (guard_tree_get_error (context.tree) != NULL)
    add_error (&context, guard_tree_get_error (context.tree));
  else
    {
      if (trace != NULL)
        {
          g_autofree char *dump = guard_tree_dump (context.tree);

          g_string_append_printf (trace, "%s\n", dump);
        }
      read_tree (&context);
      settle (&context, verdict);
      if (verdict->answer != GUARD_ANSWER_REFUSE)
        make_plan (&context, verdict);
      else if (alternatives)
        guard_alternatives (&context);
    }
  settle (&context, verdict);
  if (verdict->answer == GUARD_ANSWER_REFUSE)
    drop_plan (verdict);
  if (verdict->plan.pins == NULL)
    verdict->plan.pins = g_new0 (char *, 1);
  g_ptr_array_sort (context.findings, by_place);
  verdict->findings = context.findings;
  verdict->time_class = context.time_class;
  verdict->network_git = context.network_git && verdict->answer != GUARD_ANSWER_REFUSE;
  guard_context_clear (&context);
  return verdict;
}

GuardVerdict *
guard_read_traced (const char *text,
                   gsize length,
                   const GuardScope *scope,
                   const GuardFiles *files,
                   GString *trace)
{
  return read_with (text, length, scope, files, trace, TRUE);
}

GuardVerdict *
guard_read_plain (const char *text, gsize length, const GuardScope *scope, const GuardFiles *files)
{
  return read_with (text, length, scope, files, NULL, FALSE);
}

GuardVerdict *
guard_read (const char *text, gsize length, const GuardScope *scope, const GuardFiles *files)
{
  return guard_read_traced (text, length, scope, files, NULL);
}

void
guard_verdict_free (GuardVerdict *verdict)
{
  if (verdict == NULL)
    return;
  g_ptr_array_unref (verdict->findings);
  g_strfreev (verdict->plan.argv);
  g_free (verdict->plan.script);
  g_strfreev (verdict->plan.environment);
  g_strfreev (verdict->plan.pins);
  g_free (verdict->canonical);
  g_free (verdict);
}

const char *
guard_answer_to_string (GuardAnswer answer)
{
  switch (answer)
    {
    case GUARD_ANSWER_ALLOW:
      return "allow";
    case GUARD_ANSWER_ASK:
      return "ask";
    case GUARD_ANSWER_REFUSE:
    default:
      return "refuse";
    }
}

const char *
guard_intent_to_string (GuardIntent intent)
{
  static const char *const names[] = {
    "none", "stop", "alternative", "narrow", "person", "explain"
  };

  return intent < G_N_ELEMENTS (names) ? names[intent] : "none";
}

char *
guard_finding_text (const GuardFinding *finding, const char *translated)
{
  const char *message = translated != NULL ? translated : finding->message;
  GString *out = g_string_new (NULL);
  guint n = finding->args != NULL ? g_strv_length (finding->args) : 0;

  for (const char *p = message; *p != '\0'; p++)
    if (p[0] == '{' && g_ascii_isdigit (p[1]) && p[2] == '}' && p[1] != '0' &&
        (guint) (p[1] - '0') <= n)
      {
        g_string_append (out, finding->args[p[1] - '1']);
        p += 2;
      }
    else
      g_string_append_c (out, *p);
  return g_string_free (out, FALSE);
}

/* One command: its name, its words by the tables, its rules, what it starts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

typedef struct
{
  GuardContext *context;
  GuardState *state;
  const GuardArg *args;
  guint n_args;
  const GuardArg *environment;
  guint n_environment;
  guint wrappers;
  const char *name;   /* without folder */
  const char *script; /* absolute path, if it is a file of the project */
  GuardParsed parsed;
  GuardOutput output;
} Run;

void
guard_command_environment (GuardContext *context, GuardState *state, const GuardArg *assignment)
{
  const char *equals = strchr (assignment->text, '=');
  g_autofree char *name = equals != NULL ? g_strndup (assignment->text, equals - assignment->text)
                                         : g_strdup (assignment->text);
  const char *value = equals != NULL ? equals + 1 : NULL;

  if (value != NULL && g_str_has_suffix (name, "+"))
    name[strlen (name) - 1] = '\0';
  for (guint i = 0; i < guard_table_n_environment; i++)
    {
      const GuardEnvironmentRule *rule = &guard_table_environment[i];
      gboolean fits = FALSE;

      for (guint j = 0; rule->names[j] != NULL && !fits; j++)
        fits = guard_glob_match (rule->names[j], name, FALSE);
      if (!fits)
        continue;
      if (rule->values != NULL)
        {
          fits = FALSE;
          for (guint j = 0; rule->values[j] != NULL && !fits; j++)
            fits = value != NULL && guard_glob_match (rule->values[j], value, FALSE);
          if (!fits)
            continue;
        }
      if (rule->family != NULL)
        guard_find_full (context, rule->family, rule->family->answer, assignment->span, name, name,
                         NULL, NULL);
      else if (value != NULL && rule->role > GUARD_ROLE_TEXT)
        {
          GuardArg arg = *assignment;
          GuardParsed parsed = { 0 };
          GuardEffects effects = { context, state, &parsed, NULL, 0, 0 };

          parsed.levels[0] = guard_rules_other ();
          parsed.names[0] = name;
          parsed.n_levels = 1;
          parsed.operands = g_array_new (FALSE, FALSE, sizeof (GuardArg));
          parsed.given = g_array_new (FALSE, FALSE, sizeof (GuardGiven));
          arg.text = value;
          guard_effect (&effects, rule->role, NULL, &arg);
          guard_parsed_clear (&parsed);
        }
      return;
    }
  /* `X=/tmp/y prog`: where a program is told to work. */
  if (value != NULL && (guard_path_looks (value) || guard_secret_what (value, FALSE) != NULL) &&
      value[0] != HOLE_HOME && strchr (value, ':') == NULL)
    guard_path_check (context, state, value, assignment->span, GUARD_ACCESS_READ);
}

/* A string that a program splits into words and runs by itself. */
void
guard_command_words (GuardContext *context, GuardState *state, const GuardArg *text, guint wrappers)
{
  GuardTree *tree;
  GuardTree *before = context->tree;
  GuardNode *root;

  if (guard_has_holes (text->text))
    {
      guard_find_unknown (context, "command.unknown", text->span, text->text);
      return;
    }
  tree = guard_tree_read (text->text, strlen (text->text));
  g_ptr_array_add (context->trees, tree);
  root = guard_tree_get_error (tree) == NULL ? guard_tree_get_root (tree) : NULL;
  if (root == NULL || root->type != GUARD_NODE_SIMPLE || root->n_words == 0)
    {
      guard_find (context, "shell.string", text->span, text->text, text->text);
      return;
    }
  {
    g_autoptr (GArray) args = g_array_new (FALSE, FALSE, sizeof (GuardArg));

    context->tree = tree;
    for (guint i = 0; i < root->n_words; i++)
      guard_value_fields (context, state, root->words[i], args);
    context->tree = before;
    for (guint i = 0; i < args->len; i++)
      g_array_index (args, GuardArg, i).span = text->span;
    if (args->len > 0)
      guard_command_run (context, state, (const GuardArg *) (gpointer) args->data, args->len, NULL,
                         0, wrappers);
  }
}

static gboolean
is_system_folder (const char *path)
{
  static const char *const folders[] = { "/bin/",  "/usr/bin/",  "/usr/local/bin/",
                                         "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/",
                                         NULL };

  for (guint i = 0; folders[i] != NULL; i++)
    if (g_str_has_prefix (path, folders[i]) && strchr (path + strlen (folders[i]), '/') == NULL)
      return TRUE;
  return FALSE;
}

/* Finds the name to judge by, and the project's file if the word is a path. */
static gboolean
resolve_name (Run *run)
{
  const GuardArg *word = &run->args[0];
  const char *slash = strrchr (word->text, '/');
  const char *backslash = strrchr (word->text, '\\');
  char *name;
  gsize length;

  if (word->holes || word->computed)
    {
      if (word->computed || guard_has_unknown (word->text) || run->context->findings == NULL ||
          word->holes)
        guard_find_unknown (run->context, "command.unknown", word->span, word->text);
      return FALSE;
    }
  if (g_ascii_isalpha (word->text[0]) && word->text[1] == ':' &&
      (slash != NULL || backslash != NULL))
    {
      guard_find (run->context, "paths.outside", word->span, word->text, NULL);
      return FALSE;
    }
  name = g_strdup (slash != NULL ? slash + 1 : word->text);
  length = strlen (name);
  if (length > 4 && (g_ascii_strcasecmp (name + length - 4, ".exe") == 0 ||
                     g_ascii_strcasecmp (name + length - 4, ".cmd") == 0))
    name[length - 4] = '\0';
  run->name = guard_copy (run->context, name, -1);
  g_free (name);
  if (run->name[0] == '\0')
    return FALSE;
  if (slash != NULL && !is_system_folder (word->text))
    run->script =
        run->context->in_container
            ? NULL
            : guard_path_check (run->context, run->state, word->text, word->span, GUARD_ACCESS_RUN);
  return TRUE;
}

/* The span a rule rests on: its option or operand, else the program and its sub-commands. */
static GuardSpan
rule_span (Run *run, const GuardWhen *when, const char **what)
{
  const GuardParsed *parsed = &run->parsed;
  GuardSpan span = run->args[0].span;

  *what = "";
  if (when != NULL && when->type == GUARD_WHEN_ALL)
    for (guint i = 0; when->children[i] != NULL; i++)
      if (when->children[i]->type == GUARD_WHEN_OPTION ||
          when->children[i]->type == GUARD_WHEN_VALUE)
        {
          when = when->children[i];
          break;
        }
  if (when != NULL && (when->type == GUARD_WHEN_OPTION || when->type == GUARD_WHEN_VALUE))
    for (guint i = 0; i < parsed->given->len; i++)
      {
        const GuardGiven *given = &g_array_index (parsed->given, GuardGiven, i);

        if (given->option != NULL &&
            (when->type == GUARD_WHEN_VALUE ? strcmp (given->option->name, when->name) == 0
                                            : g_strv_contains (when->strings, given->option->name)))
          {
            *what = given->spelling;
            return given->span;
          }
      }
  if (when != NULL && when->type == GUARD_WHEN_OPERAND)
    for (guint i = 0; i < parsed->operands->len; i++)
      {
        const GuardArg *operand = &g_array_index (parsed->operands, GuardArg, i);

        for (guint j = 0; when->strings[j] != NULL; j++)
          if (guard_glob_match (when->strings[j], operand->text, FALSE))
            {
              *what = operand->text;
              return operand->span;
            }
      }
  for (guint i = 1; i < run->n_args && parsed->n_levels > 1; i++)
    if (run->args[i].text == parsed->names[parsed->n_levels - 1])
      span.end = MAX (span.end, run->args[i].span.end);
  return span;
}

static const char *
alternative_text (Run *run, const char *template)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (template == NULL)
    return NULL;
  for (const char *p = template; *p != '\0'; p++)
    {
      const char *end = *p == '{' ? strchr (p, '}') : NULL;
      GArray *operands = run->parsed.operands;

      if (end == NULL)
        {
          g_string_append_c (out, *p);
          continue;
        }
      if (g_str_has_prefix (p, "{program}"))
        g_string_append (out, run->args[0].text);
      else if (g_str_has_prefix (p, "{operands}"))
        for (guint i = 0; i < operands->len; i++)
          {
            GuardSpan span = g_array_index (operands, GuardArg, i).span;

            g_string_append (out, i > 0 ? " " : "");
            g_string_append_len (out, run->context->text + span.start, span.end - span.start);
          }
      else if (g_ascii_isdigit (p[1]))
        {
          guint n = p[1] - '0';

          if (n == 0 || n > operands->len)
            return NULL;
          {
            GuardSpan span = g_array_index (operands, GuardArg, n - 1).span;

            g_string_append_len (out, run->context->text + span.start, span.end - span.start);
          }
        }
      else if (g_str_has_prefix (p, "{args}"))
        return NULL;
      p = end;
    }
  return guard_copy (run->context, out->str, out->len);
}

static const char *
alternative_line (Run *run, const char *template)
{
  g_autofree char *line = NULL;
  const char *text;

  if (template == NULL || run->context->in_body || run->context->in_code)
    return NULL;
  text = alternative_text (run, template);
  if (text == NULL)
    return NULL;
  line = guard_line_with (run->context, run->parsed.span, text);
  return guard_copy (run->context, line, -1);
}

/* Returns FALSE if an allow says that the operands don't count either. */
static gboolean
apply_rules (Run *run, guint n_levels)
{
  GuardContext *context = run->context;
  const GuardParsed *parsed = &run->parsed;
  const char *name = guard_parsed_name (context, parsed);

  for (guint level = 0; level < n_levels; level++)
    for (guint i = 0; i < parsed->levels[level]->n_rules; i++)
      {
        const GuardRule *rule = &parsed->levels[level]->rules[i];
        const char *what = "";
        GuardSpan span;

        if (!guard_step (context, 1))
          return FALSE;
        if (!guard_when_holds (context, rule->when, parsed, run->state, run->environment,
                               run->n_environment))
          continue;
        if (rule->family == NULL)
          {
            guard_trace (context, "%s: allowed by a rule", name);
            return rule->effects;
          }
        if (rule->family->never && (run->state->bounded || run->state->endless_reader))
          continue;
        span = rule_span (run, rule->when, &what);
        guard_find_full (context, rule->family, rule->answer, span, name, what,
                         rule->answer == GUARD_ANSWER_ASK ? (rule->kind != NULL ? rule->kind : name)
                                                          : NULL,
                         alternative_line (run, rule->alternative));
      }
  return TRUE;
}

static const GuardCase *
find_case (Run *run, const GuardCase *cases, guint n)
{
  for (guint i = 0; i < n; i++)
    if (guard_when_holds (run->context, cases[i].when, &run->parsed, run->state, run->environment,
                          run->n_environment))
      return &cases[i];
  return NULL;
}

static void
effect_key (GuardEffects *effects, const GuardKey *keys, const GuardArg *arg, gboolean *was_key)
{
  const char *equals = strchr (arg->text, '=');

  *was_key = FALSE;
  if (equals == NULL || keys == NULL)
    return;
  for (guint i = 0; keys[i].key != NULL; i++)
    {
      g_autofree char *key = g_strndup (arg->text, equals - arg->text);

      if (guard_glob_match (keys[i].key, key, FALSE))
        {
          GuardArg value = *arg;

          value.text = equals + 1;
          *was_key = TRUE;
          guard_effect (effects, keys[i].role, keys[i].detail, &value);
          return;
        }
    }
}

static void
apply_option (Run *run, GuardEffects *effects, const GuardGiven *given)
{
  GuardArg arg = { given->value, given->value_span, FALSE, FALSE, FALSE };

  if (given->option != NULL && (given->option->role == GUARD_ROLE_EXEC))
    {
      arg.text = given->spelling;
      arg.span = given->span;
      guard_effect (effects, given->option->role, given->option->detail, &arg);
      return;
    }
  if (given->value == NULL)
    return;
  arg.holes = guard_has_holes (arg.text);
  if (given->option == NULL)
    {
      const GuardProgram *program = run->parsed.levels[run->parsed.n_levels - 1];

      guard_effect (effects,
                    program->unknown == GUARD_ROLE_TEXT ? GUARD_ROLE_TEXT : GUARD_ROLE_MAYBE, NULL,
                    &arg);
      return;
    }
  if (given->option->keys != NULL)
    {
      char separator[2] = { given->option->separator != 0 ? given->option->separator : '\n', '\0' };
      g_auto (GStrv) items = g_strsplit (given->value, separator, -1);

      for (guint i = 0; items[i] != NULL; i++)
        {
          gboolean was_key;

          arg.text = guard_copy (run->context, items[i], -1);
          effect_key (effects, given->option->keys, &arg, &was_key);
        }
      return;
    }
  guard_effect (effects, given->option->role, given->option->detail, &arg);
}

static void
apply_operands (Run *run, GuardEffects *effects)
{
  const GuardParsed *parsed = &run->parsed;
  const GuardProgram *program = parsed->levels[parsed->n_levels - 1];
  const GuardCase *one = find_case (run, program->operands, program->n_operands);
  GArray *operands = parsed->operands;
  g_autofree const GuardArg **plain = g_new0 (const GuardArg *, operands->len + 1);
  guint n = 0, n_roles = one != NULL ? one->n_operands : 0, position = 0, repeats;

  for (guint i = 0; i < operands->len; i++)
    {
      const GuardArg *arg = &g_array_index (operands, GuardArg, i);
      gboolean was_key = FALSE;

      effect_key (effects, program->keys, arg, &was_key);
      if (!was_key)
        plain[n++] = arg;
    }
  if (one == NULL)
    {
      for (guint i = 0; i < n; i++)
        guard_effect (effects, program->unknown != 0 ? program->unknown : GUARD_ROLE_MAYBE, NULL,
                      plain[i]);
      return;
    }
  /* A command that follows has a role, and is none of the operands. */
  repeats = n + 1 + (parsed->rest > 0 ? 1 : 0);
  repeats = repeats > n_roles ? repeats - n_roles : 0;
  for (guint j = 0; j < n_roles; j++)
    {
      const GuardOperand *operand = &one->operands[j];
      guint count = operand->repeat ? repeats : 1;

      for (guint k = 0; k < count && position < n; k++)
        {
          GuardArg marked = *plain[position++];

          guard_effect (effects, operand->role, operand->detail, &marked);
        }
    }
  for (; position < n; position++)
    guard_effect (effects, program->unknown != 0 ? program->unknown : GUARD_ROLE_MAYBE, NULL,
                  plain[position]);
  if (n == 0 && program->missing != NULL && n_roles > 0)
    {
      GuardArg missing = { program->missing, parsed->span, FALSE, FALSE, FALSE };

      guard_effect (effects, one->operands[0].role, one->operands[0].detail, &missing);
    }
}

/* `-C folder` and its kin come before all else. */
static void
apply_folders (Run *run, GuardState *inner)
{
  for (guint i = 0; i < run->parsed.given->len; i++)
    {
      const GuardGiven *given = &g_array_index (run->parsed.given, GuardGiven, i);

      if (given->option != NULL && given->option->role == GUARD_ROLE_CWD && given->value != NULL &&
          !run->context->in_container)
        {
          GuardArg folder = { given->value, given->value_span, guard_has_holes (given->value),
                              FALSE, TRUE };

          guard_builtin_cd (run->context, inner, &folder);
        }
    }
}

static void
judge_stdin (Run *run, GuardEffects *effects)
{
  const GuardProgram *program = run->parsed.levels[run->parsed.n_levels - 1];
  const GuardCase *one = find_case (run, program->stdin_cases, program->n_stdin);
  const GuardInput *input = &run->state->input;
  GuardContext *context = run->context;

  if (one == NULL || input->type == GUARD_INPUT_EMPTY)
    return;
  if (one->value == GUARD_STDIN_SHELL)
    guard_find (context, "shell.direct", run->args[0].span, run->name, NULL);
  if (one->value != GUARD_STDIN_CODE)
    return;
  if (input->type == GUARD_INPUT_FILE)
    {
      const GuardFamily *family = guard_rules_family ("inline.code");
      const char *kind = guard_arena_printf (context, "inline code: %s", one->detail);
      const char *argv[] = { input->path, NULL };

      if (g_str_equal (one->detail, "sql"))
        return;
      guard_find_full (context, family, GUARD_ANSWER_ASK, run->args[0].span, run->name, input->path,
                       kind, NULL);
      if (input->path != NULL)
        guard_bodies_script (context, run->state, input->path, one->detail, argv, 1,
                             run->args[0].span);
    }
  else if (input->from.type == GUARD_OUTPUT_TEXT)
    {
      if (g_str_equal (one->detail, "sql"))
        guard_sql_check (context, run->state, input->from.text, run->args[0].span, run->name);
      else
        guard_inline_check (context, run->state, one->detail, input->from.text, run->args[0].span,
                            TRUE, run->wrappers);
    }
  else if (g_str_equal (one->detail, "sql"))
    return;
  else if (input->from.plain)
    guard_inline_check (context, run->state, one->detail, "", run->args[0].span, TRUE,
                        run->wrappers);
  else
    guard_find (context, "inline.unseen", run->args[0].span, run->name, NULL);
}

static void
apply_writes (Run *run, const GuardState *state)
{
  const GuardProgram *program = run->parsed.levels[run->parsed.n_levels - 1];
  const GuardCase *one = find_case (run, program->writes, program->n_writes);

  if (one == NULL || run->context->in_container)
    return;
  if (one->value == GUARD_WRITES_GIT)
    guard_git_writes (run->context, state, &run->parsed);
  else if (one->value == GUARD_WRITES_FOLDER && state->cwd != NULL)
    guard_path_check (run->context, state, state->cwd, run->parsed.span, GUARD_ACCESS_WRITE);
  else if (one->value == GUARD_WRITES_WORKSPACE)
    guard_bodies_workspace (run->context, state, run->parsed.span);
}

/* What rg -l, fd or git ls-files print: HOLE_INSIDE, the folders searched, HOLE_INSIDE. Hidden
 * files are not among it. */
static const char *
listed_output (Run *run, const GuardProgram *program)
{
  const GuardCase *one = find_case (run, program->operands, program->n_operands);
  const GArray *operands = run->parsed.operands;
  guint first =
      one != NULL && one->n_operands > 0 && one->operands[0].role == GUARD_ROLE_TEXT ? 1 : 0;
  g_autoptr (GString) out = g_string_new ("\003");

  for (guint i = first; i < operands->len; i++)
    {
      const char *folder = g_array_index (operands, GuardArg, i).text;

      if (guard_has_holes (folder) || strpbrk (folder, " \t\n") != NULL)
        return "\003";
      /* A pathspec's pattern may name anything below. */
      g_string_append_printf (out, "%c%s", PATH_BREAK,
                              strpbrk (folder, "*?[:") != NULL ? "." : folder);
    }
  if (operands->len <= first)
    g_string_append_printf (out, "%c.", PATH_BREAK);
  g_string_append_c (out, HOLE_INSIDE);
  return guard_copy (run->context, out->str, out->len);
}

/* `find . -name '*.o' -delete` deletes what it finds as rm would. */
static void
judge_find_delete (Run *run, GuardEffects *effects)
{
  const GuardGiven *given;

  if (!(run->parsed.levels[0]->syntax & GUARD_SYNTAX_FIND))
    return;
  given = guard_parsed_find (&run->parsed, "-delete");
  if (given != NULL)
    guard_path_check (run->context, run->state, guard_find_output (effects), given->span,
                      GUARD_ACCESS_DELETE);
}

static void
set_output (Run *run, GuardEffects *effects)
{
  const GuardProgram *program = run->parsed.levels[run->parsed.n_levels - 1];
  const GuardCase *one = find_case (run, program->prints, program->n_prints);
  GuardOutput *output = &run->output;
  static const char *const texts[] = { NULL, NULL, NULL, NULL, "\002", "\002", "\007", "\005" };

  for (guint i = 0; i < run->parsed.operands->len; i++)
    if (program->n_operands > 0 && program->operands[0].n_operands > 0 &&
        program->operands[0].operands[program->operands[0].n_operands - 1].role == GUARD_ROLE_URL)
      output->type = GUARD_OUTPUT_NETWORK;
  if (program->flags & GUARD_PROGRAM_PRINTS_STDIN)
    {
      if (run->parsed.operands->len == 0 || strcmp (program->name, "tee") == 0)
        *output = run->state->input.from;
      output->plain = TRUE;
    }
  if (one == NULL)
    return;
  output->type = GUARD_OUTPUT_TEXT;
  switch ((GuardPrints) one->value)
    {
    case GUARD_PRINTS_PATHS:
      output->text = (program->syntax & GUARD_SYNTAX_FIND) ? guard_find_output (effects)
                                                           : listed_output (run, program);
      break;
    case GUARD_PRINTS_ROOT:
      if (run->state->cwd != NULL)
        output->text = guard_git_top (run->context, run->state->cwd);
      else
        output->type = GUARD_OUTPUT_UNKNOWN;
      break;
    case GUARD_PRINTS_CWD:
      output->text = run->state->cwd != NULL ? run->state->cwd : "\001";
      break;
    case GUARD_PRINTS_NUMBER:
    case GUARD_PRINTS_WORD:
    case GUARD_PRINTS_SCRATCH:
    case GUARD_PRINTS_FLAGS:
      output->text = texts[one->value];
      break;
    case GUARD_PRINTS_UNKNOWN:
    default:
      output->type = GUARD_OUTPUT_UNKNOWN;
    }
}

static gboolean
reads_operands (const char *name)
{
  return strcmp (name, "xargs") == 0 || strcmp (name, "parallel") == 0 ||
         strcmp (name, "rush") == 0;
}

/* xargs: the words that come from standard input follow. */
static void
add_input_words (Run *run, GArray *args)
{
  const GuardInput *input = &run->state->input;
  const GuardGiven *file = guard_parsed_find (&run->parsed, "-a");
  const GuardGiven *replace = guard_parsed_find (&run->parsed, "-I");
  g_autofree char *text = NULL;
  GuardSpan span = run->args[0].span;

  if (input->type == GUARD_INPUT_EMPTY && file == NULL)
    return;
  if (file != NULL ||
      (input->from.type != GUARD_OUTPUT_TEXT && input->from.type != GUARD_OUTPUT_PATHS))
    text = g_strdup ("\001");
  else if (input->from.type == GUARD_OUTPUT_PATHS)
    text = g_strdup ("\003");
  else
    text = g_strdup (input->from.text);
  if (replace != NULL && replace->value != NULL && replace->value[0] != '\0')
    {
      text = g_strchomp (text);
      for (guint i = 0; i < args->len; i++)
        {
          GuardArg *arg = &g_array_index (args, GuardArg, i);

          if (strstr (arg->text, replace->value) != NULL)
            {
              g_auto (GStrv) parts = g_strsplit (arg->text, replace->value, -1);
              g_autofree char *joined = g_strjoinv (text, parts);

              arg->text = guard_copy (run->context, joined, -1);
              arg->holes = guard_has_holes (arg->text);
            }
        }
      return;
    }
  {
    g_auto (GStrv) words = g_strsplit_set (text, " \t\n", -1);

    for (guint i = 0; words[i] != NULL && args->len < GUARD_MAX_FIELDS; i++)
      if (words[i][0] != '\0')
        {
          GuardArg arg = { guard_copy (run->context, words[i], -1), span,
                           guard_has_holes (words[i]), FALSE, FALSE };

          g_array_append_val (args, arg);
        }
  }
}

/* The program that a package brings: `@angular/cli@17` is `ng`, `x.org/y/air/v2@latest` is `air`.
 */
static const char *
program_of_package (GuardContext *context, const char *text)
{
  gsize length = text[0] != '\0' ? 1 + strcspn (text + 1, "@=<>~![") : 0;
  g_autofree char *package = g_strndup (text, length);
  const char *program = guard_rules_package (package);
  char *slash;

  if (program == NULL)
    {
      slash = strrchr (package, '/');
      if (slash != NULL && slash[1] == 'v' && slash[2] != '\0' && guard_is_number (slash + 2))
        *slash = '\0';
      slash = strrchr (package, '/');
      program = slash != NULL ? slash + 1 : package;
    }
  return guard_copy (context, program, -1);
}

GuardOutput
guard_command_package (GuardContext *context,
                       GuardState *state,
                       const char *package,
                       const GuardArg *args,
                       guint n_args,
                       const GuardArg *environment,
                       guint n_environment,
                       guint wrappers)
{
  g_autofree GuardArg *words = g_memdup2 (args, n_args * sizeof (GuardArg));

  words[0].text = program_of_package (context, package);
  return guard_command_run (context, state, words, n_args, environment, n_environment,
                            wrappers + 1);
}

/* npx and its like: `@angular/cli@17 serve` starts `ng serve`. */
static void
name_package (Run *run, GuardState *inner, GuardArg *word)
{
  const char *text = word->text;

  if (word->holes || word->computed)
    return;
  guard_package_check (run->context, inner, text, word->span);
  if (text[0] != '.' && text[0] != '/' && !guard_url_has_scheme (text))
    word->text = program_of_package (run->context, text);
}

/* `go run example.org/tool@latest args`: a package that is named by an operand. */
static void
run_named_package (Run *run, GuardState *inner)
{
  guint first = run->parsed.first_operand;

  if (first >= run->n_args || run->args[first].holes || strchr (run->args[first].text, '@') == NULL)
    return;
  run->output = guard_command_package (run->context, inner, run->args[first].text,
                                       run->args + first, run->n_args - first, run->environment,
                                       run->n_environment, run->wrappers);
}

static double
bound_of (Run *run)
{
  const GuardParsed *parsed = &run->parsed;
  const GuardProgram *program = parsed->levels[parsed->n_levels - 1];

  for (guint i = 0; i < program->n_operands; i++)
    if (program->operands[i].n_operands > 1 &&
        program->operands[i].operands[0].role == GUARD_ROLE_DURATION && parsed->operands->len > 0)
      return guard_duration (g_array_index (parsed->operands, GuardArg, 0).text);
  return 0;
}

/* What a wrapper starts. */
static void
run_rest (Run *run, GuardState *inner)
{
  const GuardParsed *parsed = &run->parsed;
  const GuardProgram *program = parsed->levels[parsed->n_levels - 1];
  g_autoptr (GArray) args = g_array_new (FALSE, FALSE, sizeof (GuardArg));
  g_autoptr (GArray) environment = g_array_new (FALSE, FALSE, sizeof (GuardArg));
  gboolean container = (parsed->levels[0]->flags & GUARD_PROGRAM_CONTAINER) != 0 ||
                       (program->flags & GUARD_PROGRAM_CONTAINER) != 0;
  double bound = bound_of (run);

  if (parsed->rest == 0)
    {
      if (program->flags & GUARD_PROGRAM_PACKAGES)
        run_named_package (run, inner);
      return;
    }
  g_array_append_vals (environment, run->environment, run->n_environment);
  for (guint i = 0; i < parsed->operands->len; i++)
    if (strchr (g_array_index (parsed->operands, GuardArg, i).text, '=') != NULL)
      g_array_append_val (environment, g_array_index (parsed->operands, GuardArg, i));
  g_array_append_vals (args, run->args + parsed->rest, run->n_args - parsed->rest);
  if (reads_operands (run->name))
    {
      add_input_words (run, args);
      inner->input.type = GUARD_INPUT_EMPTY;
    }
  if (bound > 0 && bound <= 600)
    inner->bounded = TRUE;
  if ((program->flags & GUARD_PROGRAM_PACKAGES) != 0 && args->len > 0)
    name_package (run, inner, &g_array_index (args, GuardArg, 0));
  if (container)
    run->context->in_container++;
  run->output = guard_command_run (run->context, inner, (const GuardArg *) (gpointer) args->data,
                                   args->len, (const GuardArg *) (gpointer) environment->data,
                                   environment->len, run->wrappers + 1);
  if (container)
    run->context->in_container--;
}

static gboolean
keeps_refusals_only (GuardContext *context, guint from)
{
  for (guint i = context->findings->len; i-- > from;)
    if (((GuardFinding *) g_ptr_array_index (context->findings, i))->answer != GUARD_ANSWER_REFUSE)
      g_ptr_array_remove_index (context->findings, i);
  return context->findings->len > from;
}

/* An unknown program that is given a known one and its words may be a wrapper. */
static void
guess_wrapper (Run *run)
{
  GuardContext *context = run->context;
  guint first = run->parsed.first_operand;
  guint before = context->findings->len;
  guint8 time_class = context->time_class;
  GuardState copy = *run->state;

  if (first + 1 >= run->n_args || run->args[first].holes || run->script != NULL ||
      guard_rules_program (run->args[first].text) == NULL)
    return;
  guard_command_run (context, &copy, run->args + first, run->n_args - first, NULL, 0,
                     run->wrappers + 1);
  keeps_refusals_only (context, before);
  context->time_class = time_class;
}

static gboolean
judge_target (Run *run, const GuardArg *target)
{
  GuardContext *context = run->context;

  for (guint i = 0; guard_table_endless_targets[i] != NULL; i++)
    if (guard_glob_match (guard_table_endless_targets[i], target->text, FALSE))
      {
        guard_find (context, "never.server", target->span,
                    guard_arena_printf (context, "%s %s", guard_parsed_name (context, &run->parsed),
                                        target->text),
                    NULL);
        return TRUE;
      }
  return FALSE;
}

/* `npm run dev` where no such script can be read: its name says enough. */
static void
judge_targets (Run *run)
{
  GArray *operands = run->parsed.operands;
  guint rest = run->parsed.rest;

  if (run->context->in_body || run->state->bounded ||
      (rest > 0 && judge_target (run, run->args + rest)))
    return;
  for (guint i = 0; i < operands->len; i++)
    if (judge_target (run, &g_array_index (operands, GuardArg, i)))
      return;
}

static void
run_bodies (Run *run, GuardState *inner)
{
  GuardContext *context = run->context;
  const GuardParsed *parsed = &run->parsed;
  g_autofree const char **argv = NULL;

  if (context->in_container)
    return;
  argv = g_new0 (const char *, run->n_args + 1);
  for (guint i = 0; i < run->n_args; i++)
    argv[i] = guard_has_holes (run->args[i].text) ? NULL : run->args[i].text;
  argv[0] = run->name;
  for (guint level = 0; level < parsed->n_levels; level++)
    for (guint i = 0; i < parsed->levels[level]->n_runs; i++)
      {
        const GuardRuns *runs = &parsed->levels[level]->runs[i];

        if (guard_when_holds (context, runs->when, parsed, run->state, run->environment,
                              run->n_environment))
          {
            GuardState body = *inner;

            /* Runners read their own `-C folder`. */
            body.cwd = run->state->cwd;
            for (guint j = 0; j < run->n_environment; j++)
              {
                const char *equals = strchr (run->environment[j].text, '=');
                g_autofree char *name =
                    equals != NULL
                        ? g_strndup (run->environment[j].text, equals - run->environment[j].text)
                        : NULL;

                if (name != NULL)
                  guard_state_set (context, &body, name, equals + 1, FALSE);
              }
            if (guard_bodies_run (context, &body, runs->runner, argv, run->n_args,
                                  run->args[0].span) == 0)
              judge_targets (run);
            return;
          }
      }
  if (run->script != NULL)
    {
      argv[0] = run->script;
      guard_bodies_script (context, inner, run->script, NULL, argv, run->n_args, run->args[0].span);
    }
}

/* A word that git itself doesn't know may be an alias of the repository: what it stands for
 * is judged then, and the rules for unknown sub-commands don't count. */
static gboolean
run_git_alias (Run *run, GuardState *inner)
{
  const GuardParsed *parsed = &run->parsed;
  GuardProject *project = guard_context_project (run->context);
  g_autofree const char **argv = NULL;
  guint first = 1;

  if (strcmp (run->name, "git") != 0 || parsed->n_levels != 2 ||
      strcmp (parsed->levels[1]->name, "*") != 0 || project == NULL || inner->cwd == NULL ||
      run->context->in_container)
    return FALSE;
  while (first < run->n_args && run->args[first].text != parsed->names[1])
    first++;
  guard_step (run->context, 50);
  if (first >= run->n_args ||
      !guard_project_has (project, "git-alias", parsed->names[1], inner->cwd))
    return FALSE;
  argv = g_new0 (const char *, run->n_args + 1);
  for (guint i = first; i < run->n_args; i++)
    argv[i - first] = guard_has_holes (run->args[i].text) ? NULL : run->args[i].text;
  guard_bodies_run (run->context, inner, "git-alias", argv, run->n_args - first,
                    run->args[first].span);
  return TRUE;
}

static void
run_program (Run *run, const GuardProgram *program)
{
  GuardContext *context = run->context;
  GuardState inner = *run->state;
  GuardEffects effects = { context,      &inner, &run->parsed, run->environment, run->n_environment,
                           run->wrappers };
  const GuardProgram *deepest;
  gboolean alias, counts;

  guard_options_parse (context, program, run->args, run->n_args, &run->parsed);
  deepest = run->parsed.levels[run->parsed.n_levels - 1];
  /* As it was called: one entry of the data may stand for several programs. */
  run->parsed.names[0] = run->name;
  guard_trace (context, "runs %s", guard_parsed_name (context, &run->parsed));
  if (deepest->time_long)
    context->time_class = GUARD_TIME_LONG;
  if (run->parsed.help && program != guard_rules_other ())
    {
      guard_parsed_clear (&run->parsed);
      return;
    }
  if (run->parsed.unknown_option &&
      (deepest->n_rules > 0 || run->parsed.n_levels > 1 || deepest->n_commands > 0) &&
      deepest->unknown != GUARD_ROLE_TEXT)
    guard_find_unknown (context, "operands.unknown", run->parsed.unknown_span, "$…");
  apply_folders (run, &inner);
  alias = run_git_alias (run, &inner);
  counts = apply_rules (run, alias ? 1 : run->parsed.n_levels);
  if (counts && guard_step (context, 1))
    {
      for (guint i = 0; i < run->parsed.given->len; i++)
        apply_option (run, &effects, &g_array_index (run->parsed.given, GuardGiven, i));
      apply_operands (run, &effects);
      judge_find_delete (run, &effects);
      judge_stdin (run, &effects);
      if (!alias)
        apply_writes (run, &inner);
      run_bodies (run, &inner);
      if ((program->flags & GUARD_PROGRAM_SHELL) != 0 && context->in_body)
        guard_shell_run (context, &inner, run->args, run->n_args);
      set_output (run, &effects);
      run_rest (run, &inner);
    }
  if (deepest->network)
    context->network_git = TRUE;
  if (program == guard_rules_other ())
    guess_wrapper (run);
  guard_parsed_clear (&run->parsed);
}

GuardOutput
guard_command_run (GuardContext *context,
                   GuardState *state,
                   const GuardArg *args,
                   guint n_args,
                   const GuardArg *environment,
                   guint n_environment,
                   guint wrappers)
{
  Run run = { context,  state, args, n_args,    environment, n_environment,
              wrappers, NULL,  NULL, { { 0 } }, { 0 } };
  const GuardProgram *program;

  if (n_args == 0 || !guard_step (context, n_args))
    return run.output;
  if (wrappers > GUARD_MAX_WRAPPERS)
    {
      guard_find (context, "limits.wrappers", args[0].span, args[0].text, NULL);
      return run.output;
    }
  if (context->depth > GUARD_MAX_DEPTH)
    {
      context->exhausted = TRUE;
      return run.output;
    }
  if (!resolve_name (&run))
    return run.output;
  context->depth++;
  if (!guard_builtin_run (context, state, args, n_args, environment, n_environment, wrappers,
                          &run.output))
    {
      program = guard_rules_program (run.name);
      if (program == NULL && strpbrk (run.name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL)
        {
          g_autofree char *lower = g_ascii_strdown (run.name, -1);

          program = guard_rules_program (lower);
        }
      run_program (&run, program != NULL ? program : guard_rules_other ());
    }
  context->depth--;
  return run.output;
}

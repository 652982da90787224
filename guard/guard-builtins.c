/* The shell's own words, which change what follows.
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
  GuardOutput *output;
} Call;

typedef gboolean (*Builtin) (Call *call);

static void
find_self (Call *call, const char *rule)
{
  guard_find (call->context, rule, call->args[0].span, call->args[0].text, NULL);
}

void
guard_builtin_cd (GuardContext *context, GuardState *state, const GuardArg *folder)
{
  guint before = context->findings->len;
  const char *path;

  if (guard_has_unknown (folder->text) ||
      (folder->holes && folder->text[0] != HOLE_SCRATCH && folder->text[0] != HOLE_HOME))
    {
      guard_find_unknown (context, "paths.unknown-folder", folder->span, folder->text);
      state->cwd = NULL;
      return;
    }
  if (folder->text[0] == HOLE_SCRATCH)
    {
      /* Below the command's own scratch folder all is allowed, and nothing is known. */
      state->old_cwd = state->cwd;
      state->cwd = context->scope->tmpdir != NULL ? context->scope->tmpdir : NULL;
      return;
    }
  path = guard_path_check (context, state, folder->text, folder->span, GUARD_ACCESS_READ);
  if (context->findings->len > before || path == NULL)
    {
      state->cwd = NULL;
      return;
    }
  state->old_cwd = state->cwd;
  state->cwd = path;
}

static gboolean
builtin_cd (Call *call)
{
  guint i = 1;

  while (i < call->n_args && call->args[i].text[0] == '-' && call->args[i].text[1] != '\0')
    i++;
  if (i >= call->n_args)
    {
      GuardArg home = { call->context->scope->home != NULL ? call->context->scope->home : "\006",
                        call->args[0].span, TRUE, FALSE, FALSE };

      guard_builtin_cd (call->context, call->state, &home);
    }
  else if (strcmp (call->args[i].text, "-") == 0)
    {
      const char *old = call->state->old_cwd;

      if (old == NULL)
        guard_find_unknown (call->context, "paths.unknown-folder", call->args[i].span, "-");
      call->state->old_cwd = call->state->cwd;
      call->state->cwd = old;
    }
  else
    guard_builtin_cd (call->context, call->state, &call->args[i]);
  call->output->type = GUARD_OUTPUT_NONE;
  return TRUE;
}

static gboolean
builtin_pushd (Call *call)
{
  if (call->n_args > 1 && call->args[1].text[0] != '+' && call->args[1].text[0] != '-')
    guard_builtin_cd (call->context, call->state, &call->args[1]);
  else if (call->state->old_cwd != NULL)
    {
      const char *old = call->state->old_cwd;

      call->state->old_cwd = call->state->cwd;
      call->state->cwd = old;
    }
  return TRUE;
}

static gboolean
builtin_popd (Call *call)
{
  call->state->cwd = call->state->old_cwd;
  return TRUE;
}

static gboolean
is_name (const char *text, gsize length)
{
  if (length == 0 || !(g_ascii_isalpha (text[0]) || text[0] == '_'))
    return FALSE;
  for (gsize i = 1; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '_')
      return FALSE;
  return TRUE;
}

/* export, declare, local, readonly: NAME or NAME=VALUE. */
static gboolean
builtin_declare (Call *call)
{
  gboolean integer = FALSE;
  guint array = GUARD_ARRAY_NONE;

  for (guint i = 1; i < call->n_args; i++)
    {
      const GuardArg *arg = &call->args[i];
      const char *equals = strchr (arg->text, '=');
      gsize length = equals != NULL ? (gsize) (equals - arg->text) : strlen (arg->text);
      g_autofree char *name = NULL;

      if (arg->text[0] == '-' || arg->text[0] == '+')
        {
          integer |= strchr (arg->text, 'i') != NULL;
          /* In quotes bash sees it too late for what follows. */
          if (!arg->quoted && strpbrk (arg->text, "aA") != NULL)
            array = strchr (arg->text, 'A') != NULL ? GUARD_ARRAY_NAMED : GUARD_ARRAY_INDEXED;
          if (strchr (arg->text, 'n') != NULL && strcmp (call->args[0].text, "export") != 0)
            find_self (call, "shell.itself");
          if (strchr (arg->text, 'f') != NULL && strcmp (call->args[0].text, "export") == 0)
            find_self (call, "shell.itself");
          continue;
        }
      if (length > 0 && arg->text[length - 1] == '+' && equals != NULL)
        length--;
      name = g_strndup (arg->text, length);
      if (!is_name (name, length))
        {
          guard_find (call->context, "shell.arithmetic", arg->span, name, NULL);
          continue;
        }
      guard_command_environment (call->context, call->state, arg);
      if (equals == NULL)
        {
          if (array != GUARD_ARRAY_NONE)
            guard_state_set (call->context, call->state, name, "", array);
          continue;
        }
      /* In quotes it is a text, which bash reads once more for an array. */
      if (equals[1] == '(' && strpbrk (equals, "$`\001") != NULL)
        guard_find (call->context, "shell.indirect", arg->span, name, NULL);
      if (integer)
        guard_value_arithmetic_text (call->context, call->state, equals + 1, arg->span);
      guard_state_set (call->context, call->state, name,
                       integer             ? "\002"
                       : equals[-1] == '+' ? "\001"
                                           : equals + 1,
                       array != GUARD_ARRAY_NONE              ? array
                       : strchr (equals, FIELD_BREAK) != NULL ? GUARD_ARRAY_INDEXED
                                                              : GUARD_ARRAY_NONE);
    }
  return TRUE;
}

static gboolean
builtin_unset (Call *call)
{
  for (guint i = 1; i < call->n_args; i++)
    {
      const GuardArg *arg = &call->args[i];

      if (arg->text[0] == '-')
        continue;
      if (!is_name (arg->text, strlen (arg->text)))
        {
          guard_find (call->context, "shell.arithmetic", arg->span, arg->text, NULL);
          continue;
        }
      guard_command_environment (call->context, call->state, arg);
      guard_state_set (call->context, call->state, arg->text, NULL, FALSE);
    }
  return TRUE;
}

static gboolean
builtin_set (Call *call)
{
  static const char *const named[] = { "pipefail",  "errexit",   "nounset", "xtrace",   "noglob",
                                       "noclobber", "allexport", "verbose", "errtrace", "functrace",
                                       "noexec",    "posix",     NULL };

  for (guint i = 1; i < call->n_args; i++)
    {
      const GuardArg *arg = &call->args[i];

      if (strcmp (arg->text, "--") == 0 || (arg->text[0] != '-' && arg->text[0] != '+'))
        {
          const char **kept;
          guint first = strcmp (arg->text, "--") == 0 ? i + 1 : i;

          kept = guard_arena_alloc (&call->context->arena,
                                    (call->n_args - first + 1) * sizeof (char *));
          for (guint j = first; j < call->n_args; j++)
            kept[j - first] = call->args[j].text;
          call->state->parameters = kept;
          call->state->parameters_known = TRUE;
          return TRUE;
        }
      for (const char *p = arg->text + 1; *p != '\0'; p++)
        {
          if (*p == 'o')
            {
              if (i + 1 < call->n_args && !g_strv_contains (named, call->args[i + 1].text))
                find_self (call, "shell.itself");
              i++;
              break;
            }
          if (strchr ("euxfnvETaCh", *p) == NULL)
            {
              find_self (call, "shell.itself");
              break;
            }
        }
    }
  return TRUE;
}

static gboolean
builtin_shift (Call *call)
{
  if (call->state->parameters != NULL && call->state->parameters[0] != NULL && call->n_args == 1)
    call->state->parameters++;
  else if (call->n_args > 1)
    call->state->parameters_known = FALSE;
  return TRUE;
}

/* What one line of the input is worth. */
static const char *
input_value (Call *call)
{
  const GuardOutput *from = &call->state->input.from;

  if (call->state->input.type == GUARD_INPUT_PIPE || call->state->input.type == GUARD_INPUT_HEREDOC)
    {
      if (from->type == GUARD_OUTPUT_PATHS)
        return "\003";
      if (from->type == GUARD_OUTPUT_TEXT)
        {
          g_autofree char *text = g_strdup (from->text);

          g_strchomp (text);
          if (strpbrk (text, " \t\n") == NULL)
            return guard_copy (call->context, text, -1);
        }
    }
  return "\001";
}

/* With an IFS of its own a word of the line may be any part of it. */
static gboolean
splits_otherwise (const Call *call)
{
  for (guint i = 0; i < call->n_environment; i++)
    if (g_str_has_prefix (call->environment[i].text, "IFS=") &&
        call->environment[i].text[4] != '\0')
      return TRUE;
  return FALSE;
}

static gboolean
builtin_read (Call *call)
{
  guint i = 1;
  const char *value = splits_otherwise (call) ? "\001" : input_value (call);
  gboolean other_input = FALSE;

  for (; i < call->n_args && call->args[i].text[0] == '-' && call->args[i].text[1] != '\0'; i++)
    {
      const char *text = call->args[i].text;
      gsize length = strlen (text);

      if (strchr (text, 't') != NULL || strchr (text, 'u') != NULL)
        other_input = TRUE;
      if (strchr ("adinNptu", text[length - 1]) != NULL)
        {
          if (text[length - 1] == 'a' && i + 1 < call->n_args)
            guard_state_set (call->context, call->state, call->args[i + 1].text, value, TRUE);
          i++;
        }
    }
  if (call->state->input.type == GUARD_INPUT_EMPTY && !other_input && !call->state->bounded &&
      !call->context->in_body && !call->context->in_code)
    find_self (call, "never.input");
  for (; i < call->n_args; i++)
    {
      const GuardArg *arg = &call->args[i];

      if (!is_name (arg->text, strlen (arg->text)))
        guard_find (call->context, "shell.arithmetic", arg->span, arg->text, NULL);
      else
        guard_state_set (call->context, call->state, arg->text, value, FALSE);
    }
  return TRUE;
}

static gboolean
builtin_mapfile (Call *call)
{
  guint i = 1;

  for (; i < call->n_args && call->args[i].text[0] == '-'; i++)
    {
      if (call->args[i].text[1] == 'C')
        find_self (call, "shell.itself");
      if (strchr ("dnOsucC", call->args[i].text[strlen (call->args[i].text) - 1]) != NULL)
        i++;
    }
  if (i < call->n_args)
    guard_state_set (call->context, call->state, call->args[i].text, input_value (call), TRUE);
  return TRUE;
}

static gboolean
builtin_itself (Call *call)
{
  if (call->n_args > 1 && (strcmp (call->args[1].text, "--help") == 0))
    return TRUE;
  /* A body may source another readable script of the project. */
  if (call->context->in_body &&
      (strcmp (call->args[0].text, "source") == 0 || strcmp (call->args[0].text, ".") == 0))
    {
      const char *path = call->n_args > 1
                             ? guard_path_check (call->context, call->state, call->args[1].text,
                                                 call->args[1].span, GUARD_ACCESS_READ)
                             : NULL;

      if (path != NULL)
        guard_bodies_script (call->context, call->state, path, "shell", &path, 1,
                             call->args[0].span);
      return TRUE;
    }
  if (call->context->in_body && strcmp (call->args[0].text, "eval") != 0)
    return TRUE;
  if ((strcmp (call->args[0].text, "source") == 0 || strcmp (call->args[0].text, ".") == 0) &&
      call->n_args > 1)
    guard_path_check (call->context, call->state, call->args[1].text, call->args[1].span,
                      GUARD_ACCESS_READ);
  find_self (call,
             strcmp (call->args[0].text, "source") == 0 || strcmp (call->args[0].text, ".") == 0
                 ? "shell.source"
                 : "shell.itself");
  return TRUE;
}

static gboolean
builtin_exec (Call *call)
{
  if (call->n_args == 1)
    return TRUE;
  if (call->context->in_body && call->args[1].text[0] != '-')
    {
      guard_command_run (call->context, call->state, call->args + 1, call->n_args - 1,
                         call->environment, call->n_environment, call->wrappers + 1);
      return TRUE;
    }
  find_self (call, "shell.itself");
  guard_command_run (call->context, call->state, call->args + 1, call->n_args - 1,
                     call->environment, call->n_environment, call->wrappers + 1);
  return TRUE;
}

static gboolean
builtin_trap (Call *call)
{
  const GuardArg *arg = call->n_args > 1 ? &call->args[1] : NULL;

  if (arg == NULL || arg->text[0] == '-' || arg->text[0] == '\0')
    return TRUE;
  if (guard_has_unknown (arg->text))
    guard_find_unknown (call->context, "command.unknown", arg->span, arg->text);
  else if (call->n_args > 2)
    {
      GuardState copy = *call->state;

      if (!guard_bodies_text (call->context, &copy, arg->text, strlen (arg->text), arg->span))
        guard_find (call->context, "command.unknown", arg->span, arg->text, NULL);
    }
  return TRUE;
}

/* test and [: file tests read their operand; -v evaluates a subscript. */
static gboolean
builtin_test (Call *call)
{
  for (guint i = 1; i + 1 < call->n_args; i++)
    {
      const char *text = call->args[i].text;
      const GuardArg *next = &call->args[i + 1];

      if (text[0] != '-' || text[1] == '\0' || text[2] != '\0')
        continue;
      if ((text[1] == 'v' || text[1] == 'R') && strchr (next->text, '[') != NULL)
        guard_find (call->context, "shell.arithmetic", next->span, next->text, NULL);
      else if (strchr ("abcdefghkprstuwxLSGON", text[1]) != NULL && i + 1 < call->n_args &&
               strcmp (next->text, "]") != 0 && !(i > 1 && strchr ("ao", text[1]) != NULL))
        {
          if (!guard_has_unknown (next->text))
            guard_path_check (call->context, call->state, next->text, next->span,
                              GUARD_ACCESS_READ);
          i++;
        }
    }
  return TRUE;
}

static gboolean
builtin_let (Call *call)
{
  for (guint i = 1; i < call->n_args; i++)
    {
      guard_value_arithmetic_text (call->context, call->state, call->args[i].text,
                                   call->args[i].span);
      if (strpbrk (call->args[i].text, "[`") != NULL)
        guard_find (call->context, "shell.arithmetic", call->args[i].span, call->args[i].text,
                    NULL);
    }
  return TRUE;
}

static gboolean
builtin_hash (Call *call)
{
  for (guint i = 1; i < call->n_args; i++)
    if (g_str_has_prefix (call->args[i].text, "-p") || g_str_has_prefix (call->args[i].text, "-lp"))
      find_self (call, "shell.itself");
  return TRUE;
}

static gboolean
builtin_history (Call *call)
{
  if (call->n_args > 1 && call->args[1].text[0] == '-')
    find_self (call, "shell.itself");
  return TRUE;
}

static gboolean
builtin_getopts (Call *call)
{
  if (call->n_args > 2 && is_name (call->args[2].text, strlen (call->args[2].text)))
    guard_state_set (call->context, call->state, call->args[2].text, "\002", FALSE);
  guard_state_set (call->context, call->state, "OPTARG", "\001", FALSE);
  return TRUE;
}

static gboolean
builtin_exit (Call *call)
{
  call->context->loop_exits = TRUE;
  call->output->type = GUARD_OUTPUT_NONE;
  return TRUE;
}

static gboolean
builtin_nothing (Call *call)
{
  call->output->type = GUARD_OUTPUT_NONE;
  return TRUE;
}

static gboolean
builtin_pwd (Call *call)
{
  call->output->type = GUARD_OUTPUT_TEXT;
  call->output->text = call->state->cwd != NULL ? call->state->cwd : "\001";
  return TRUE;
}

/* command, builtin: with -v or -V they only look. */
static gboolean
builtin_command (Call *call)
{
  guint i = 1;

  for (; i < call->n_args && call->args[i].text[0] == '-'; i++)
    if (strpbrk (call->args[i].text, "vV") != NULL)
      return TRUE;
  if (i < call->n_args)
    *call->output = guard_command_run (call->context, call->state, call->args + i, call->n_args - i,
                                       call->environment, call->n_environment, call->wrappers + 1);
  return TRUE;
}

static gboolean
builtin_echo (Call *call)
{
  g_autoptr (GString) out = g_string_new (NULL);
  guint first = 1;

  while (first < call->n_args && call->args[first].text[0] == '-' &&
         strspn (call->args[first].text + 1, "neE") == strlen (call->args[first].text + 1) &&
         call->args[first].text[1] != '\0')
    first++;
  for (guint i = first; i < call->n_args; i++)
    {
      if (i > first)
        g_string_append_c (out, ' ');
      g_string_append (out, call->args[i].text);
    }
  g_string_append_c (out, '\n');
  call->output->type = GUARD_OUTPUT_TEXT;
  call->output->text = guard_copy (call->context, out->str, out->len);
  call->output->span = call->args[0].span;
  return TRUE;
}

/* printf: the format's escapes and %s, %d; with others what it prints isn't known. */
static gboolean
builtin_printf (Call *call)
{
  g_autoptr (GString) out = g_string_new (NULL);
  guint next, first = 1;

  if (first < call->n_args && strcmp (call->args[first].text, "-v") == 0)
    {
      if (first + 1 < call->n_args &&
          !is_name (call->args[first + 1].text, strlen (call->args[first + 1].text)))
        guard_find (call->context, "shell.arithmetic", call->args[first + 1].span,
                    call->args[first + 1].text, NULL);
      else if (first + 1 < call->n_args)
        guard_state_set (call->context, call->state, call->args[first + 1].text, "\001", FALSE);
      first += 2;
    }
  if (first < call->n_args && strcmp (call->args[first].text, "--") == 0)
    first++;
  if (first >= call->n_args)
    return TRUE;
  next = first + 1;
  do
    {
      for (const char *p = call->args[first].text; *p != '\0' && guard_step (call->context, 1); p++)
        {
          if (*p == '\\' && p[1] != '\0')
            {
              p++;
              g_string_append_c (out, *p == 'n'                ? '\n'
                                      : *p == 't'              ? '\t'
                                      : *p == '0' || *p == 'x' ? HOLE_UNKNOWN
                                                               : *p);
            }
          else if (*p == '%' && p[1] == '%')
            g_string_append_c (out, *p++);
          else if (*p == '%')
            {
              p += 1 + strspn (p + 1, "-+ 0#123456789.");
              if (*p == '\0')
                break;
              g_string_append (out, next < call->n_args ? call->args[next++].text : "");
            }
          else
            g_string_append_c (out, *p);
        }
    }
  while (next > first + 1 && next < call->n_args && strchr (call->args[first].text, '%') != NULL &&
         guard_step (call->context, 1));
  call->output->type = GUARD_OUTPUT_TEXT;
  call->output->text = guard_copy (call->context, out->str, out->len);
  call->output->span = call->args[0].span;
  return TRUE;
}

static const struct
{
  const char *name;
  Builtin run;
} builtins[] = {
  { ".", builtin_itself },
  { ":", builtin_nothing },
  { "[", builtin_test },
  { "alias", builtin_itself },
  { "bg", builtin_itself },
  { "bind", builtin_itself },
  { "break", builtin_exit },
  { "builtin", builtin_command },
  { "caller", builtin_nothing },
  { "cd", builtin_cd },
  { "command", builtin_command },
  { "compgen", builtin_nothing },
  { "complete", builtin_itself },
  { "continue", builtin_nothing },
  { "declare", builtin_declare },
  { "dirs", builtin_nothing },
  { "disown", builtin_itself },
  { "echo", builtin_echo },
  { "enable", builtin_itself },
  { "eval", builtin_itself },
  { "exec", builtin_exec },
  { "exit", builtin_exit },
  { "export", builtin_declare },
  { "false", builtin_nothing },
  { "fc", builtin_itself },
  { "fg", builtin_itself },
  { "getopts", builtin_getopts },
  { "hash", builtin_hash },
  { "history", builtin_history },
  { "jobs", builtin_nothing },
  { "let", builtin_let },
  { "local", builtin_declare },
  { "logout", builtin_itself },
  { "mapfile", builtin_mapfile },
  { "popd", builtin_popd },
  { "printf", builtin_printf },
  { "pushd", builtin_pushd },
  { "pwd", builtin_pwd },
  { "read", builtin_read },
  { "readarray", builtin_mapfile },
  { "readonly", builtin_declare },
  { "return", builtin_exit },
  { "set", builtin_set },
  { "shift", builtin_shift },
  { "shopt", builtin_itself },
  { "source", builtin_itself },
  { "suspend", builtin_itself },
  { "test", builtin_test },
  { "times", builtin_nothing },
  { "trap", builtin_trap },
  { "true", builtin_nothing },
  { "type", builtin_nothing },
  { "typeset", builtin_declare },
  { "ulimit", NULL },
  { "umask", NULL },
  { "unalias", builtin_itself },
  { "unset", builtin_unset },
  { "wait", builtin_nothing },
  { "kill", NULL },
};

gboolean
guard_builtin_is (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (builtins); i++)
    if (strcmp (builtins[i].name, name) == 0)
      return TRUE;
  return FALSE;
}

gboolean
guard_builtin_run (GuardContext *context,
                   GuardState *state,
                   const GuardArg *args,
                   guint n_args,
                   const GuardArg *environment,
                   guint n_environment,
                   guint wrappers,
                   GuardOutput *output)
{
  Call call = { context, state, args, n_args, environment, n_environment, wrappers, output };
  char first = args[0].text[0];

  for (guint i = 0; i < G_N_ELEMENTS (builtins); i++)
    if (builtins[i].name[0] == first && strcmp (builtins[i].name, args[0].text) == 0)
      {
        if (builtins[i].run == NULL)
          return FALSE;
        guard_trace (context, "builtin %s", args[0].text);
        return builtins[i].run (&call);
      }
  return FALSE;
}

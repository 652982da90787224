/* A shell started by what a project runs: judged by the script or text it is given.
 *
 * On the line itself a shell is refused by its rules, and none of this is reached.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

static gboolean
takes_value (const char *option)
{
  return strcmp (option, "-o") == 0 || strcmp (option, "+o") == 0 || strcmp (option, "-O") == 0 ||
         strcmp (option, "+O") == 0 || strcmp (option, "--rcfile") == 0 ||
         strcmp (option, "--init-file") == 0;
}

static void
run_text (GuardContext *context, GuardState *state, const char *text, GuardSpan span)
{
  if (!guard_bodies_text (context, state, text, strlen (text), span))
    guard_find (context, "shell.string", span, "sh", text);
}

static void
run_string (
    GuardContext *context, GuardState *state, const GuardArg *text, const GuardArg *args, guint n)
{
  GuardState own = *state;
  const char **parameters = guard_arena_alloc (&context->arena, (n + 1) * sizeof (char *));

  /* The first word behind the text is $0. */
  for (guint i = 1; i < n; i++)
    parameters[i - 1] = args[i].text;
  own.parameters = parameters;
  own.parameters_known = TRUE;
  if (!guard_has_unknown (text->text))
    run_text (context, &own, text->text, text->span);
}

static void
run_input (GuardContext *context, GuardState *state, const GuardArg *shell)
{
  const GuardInput *input = &state->input;
  GuardState own = *state;

  memset (&own.input, 0, sizeof own.input);
  if (input->type == GUARD_INPUT_FILE && input->path != NULL)
    guard_bodies_script (context, &own, input->path, "shell", &input->path, 1, shell->span);
  else if (input->type != GUARD_INPUT_EMPTY && input->from.type == GUARD_OUTPUT_TEXT &&
           !guard_has_unknown (input->from.text))
    run_text (context, &own, input->from.text, shell->span);
  else
    guard_find (context, "shell.direct", shell->span, shell->text, NULL);
}

void
guard_shell_run (GuardContext *context, GuardState *state, const GuardArg *args, guint n_args)
{
  gboolean string = FALSE, input = FALSE;
  const char *path;
  guint i = 1;

  for (; i < n_args && (args[i].text[0] == '-' || args[i].text[0] == '+'); i++)
    {
      const char *text = args[i].text;

      if (strcmp (text, "--") == 0 || strcmp (text, "-") == 0)
        {
          i++;
          break;
        }
      if (takes_value (text))
        i++;
      else if (text[0] == '-' && text[1] != '-')
        {
          string |= strchr (text, 'c') != NULL;
          input |= strchr (text, 's') != NULL;
          /* -euo pipefail */
          if (g_str_has_suffix (text, "o"))
            i++;
        }
      else if (strcmp (text, "--help") == 0 || strcmp (text, "--version") == 0)
        return;
    }
  if (string && i < n_args)
    run_string (context, state, &args[i], args + i + 1, n_args - i - 1);
  else if (input || i >= n_args)
    run_input (context, state, &args[0]);
  else if (!guard_has_unknown (args[i].text))
    {
      path = guard_path_check (context, state, args[i].text, args[i].span, GUARD_ACCESS_RUN);
      if (path != NULL)
        guard_bodies_script (context, state, path, "shell", &path, 1, args[0].span);
    }
}

/* Reads a program's words by its option table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

static const GuardOption help_option = { "--help", GUARD_ROLE_NONE, 0, 0, NULL, NULL };
static const GuardOption version_option = { "--version", GUARD_ROLE_NONE, 0, 0, NULL, NULL };

static const GuardSpelling *
find_exact (const GuardProgram *program, const char *name)
{
  guint low = 0, high = program->n_spellings - program->n_option_globs;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      int order = strcmp (program->spellings[middle].spelling, name);

      if (order == 0)
        return &program->spellings[middle];
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
  for (guint i = program->n_spellings - program->n_option_globs; i < program->n_spellings; i++)
    if (guard_glob_match (program->spellings[i].spelling, name, FALSE))
      return &program->spellings[i];
  return NULL;
}

typedef struct
{
  GuardContext *context;
  GuardParsed *parsed;
  guint position;      /* of the word being read */
  guint level;         /* of the program the options belong to */
  gboolean ended;      /* `--` or a first operand ended them */
  guint command_level; /* levels from 0 to here still look for a sub-command */
  gboolean seek_command;
} Reader;

static void
add_given (Reader *reader,
           const GuardOption *option,
           const char *spelling,
           const char *value,
           GuardSpan value_span)
{
  const GuardArg *word = &reader->parsed->args[reader->position];
  GuardGiven given = {
    option, spelling, value, word->span, value_span, reader->level, MIN (reader->position, 255)
  };

  g_array_append_val (reader->parsed->given, given);
}

/* Finds @name in this level, then in outer ones whose options count everywhere. */
static const GuardSpelling *
find_level (Reader *reader, const char *name)
{
  GuardParsed *parsed = reader->parsed;

  for (guint i = parsed->n_levels; i-- > 0;)
    {
      const GuardSpelling *found;

      if (i + 1 < parsed->n_levels && !(parsed->levels[i]->syntax & GUARD_SYNTAX_ANYWHERE))
        continue;
      found = find_exact (parsed->levels[i], name);
      if (found != NULL)
        {
          reader->level = i;
          return found;
        }
    }
  reader->level = parsed->n_levels - 1;
  return NULL;
}

/* The next word is @option's value, if there is one. */
static void
take_next (Reader *reader, const GuardOption *option, const char *spelling)
{
  GuardParsed *parsed = reader->parsed;

  if (option->role == GUARD_ROLE_EXEC || option->role == GUARD_ROLE_COMMAND)
    {
      add_given (reader, option, spelling, NULL, parsed->args[reader->position].span);
      return;
    }
  if (option->role != GUARD_ROLE_NONE && !option->optional && reader->position + 1 < parsed->n_args)
    {
      const GuardArg *next = &parsed->args[reader->position + 1];

      add_given (reader, option, spelling, next->text, next->span);
      reader->position++;
    }
  else
    add_given (reader, option, spelling, NULL, parsed->args[reader->position].span);
}

static gboolean
is_help (const char *name)
{
  return strcmp (name, "--help") == 0 || strcmp (name, "--version") == 0;
}

/* Every long option that @prefix may be short for; returns how many. */
static guint
add_abbreviated (
    Reader *reader, const char *prefix, gsize length, const char *value, GuardSpan span)
{
  GuardParsed *parsed = reader->parsed;
  const GuardOption *last = NULL;
  guint n = 0;

  for (guint i = parsed->n_levels; i-- > 0;)
    {
      const GuardProgram *program = parsed->levels[i];

      if (!(program->syntax & GUARD_SYNTAX_ABBREVIATE) ||
          (i + 1 < parsed->n_levels && !(program->syntax & GUARD_SYNTAX_ANYWHERE)))
        continue;
      for (guint j = 0; j + program->n_option_globs < program->n_spellings; j++)
        {
          const GuardSpelling *spelling = &program->spellings[j];

          if (strncmp (spelling->spelling, prefix, length) != 0 || is_help (spelling->spelling) ||
              spelling->option == last)
            continue;
          guard_step (reader->context, 1);
          last = spelling->option;
          reader->level = i;
          if (n == 0 && value == NULL)
            take_next (reader, spelling->option, spelling->spelling);
          else
            add_given (reader, spelling->option, spelling->spelling, value, span);
          n++;
        }
    }
  return n;
}

static void
read_long (Reader *reader, const GuardArg *arg)
{
  const char *text = arg->text;
  const char *equals = strchr (text, '=');
  gsize length = equals != NULL ? (gsize) (equals - text) : strlen (text);
  g_autofree char *name = g_strndup (text, length);
  const GuardSpelling *found = find_level (reader, name);
  const char *value = equals != NULL ? equals + 1 : NULL;

  if (found != NULL)
    {
      if (value != NULL)
        add_given (reader, found->option, found->spelling, value, arg->span);
      else
        take_next (reader, found->option, found->spelling);
      return;
    }
  if (strcmp (name, "--help") == 0 || strcmp (name, "--version") == 0)
    {
      add_given (reader, name[2] == 'h' ? &help_option : &version_option, name, NULL, arg->span);
      reader->parsed->help = TRUE;
      return;
    }
  if (length > 2 && add_abbreviated (reader, name, length, value, arg->span) > 0)
    return;
  add_given (reader, NULL, guard_copy (reader->context, name, length), value, arg->span);
}

static void
read_single (Reader *reader, const GuardArg *arg)
{
  const char *text = arg->text[1] == '-' ? arg->text + 1 : arg->text;
  const char *equals = strchr (text, '=');
  g_autofree char *name = equals != NULL ? g_strndup (text, equals - text) : g_strdup (text);
  const GuardSpelling *found = find_level (reader, name);

  if (found == NULL && arg->text[1] == '-')
    found = find_level (reader, arg->text);
  if (found == NULL && (strcmp (name, "-help") == 0 || strcmp (name, "-version") == 0) &&
      arg->text[1] == '-')
    {
      add_given (reader, name[1] == 'h' ? &help_option : &version_option,
                 name[1] == 'h' ? "--help" : "--version", NULL, arg->span);
      reader->parsed->help = TRUE;
    }
  else if (found == NULL)
    {
      /* A glued value: -DNAME=x, -Ifolder. */
      char first[3] = { text[0], text[1], '\0' };
      const GuardSpelling *glued =
          text[1] != '\0' && text[2] != '\0' ? find_level (reader, first) : NULL;

      if (glued != NULL && glued->option->role != GUARD_ROLE_NONE)
        add_given (reader, glued->option, glued->spelling, text + 2, arg->span);
      else
        add_given (reader, NULL, guard_copy (reader->context, name, -1),
                   equals != NULL ? equals + 1 : NULL, arg->span);
    }
  else if (equals != NULL)
    add_given (reader, found->option, found->spelling, equals + 1, arg->span);
  else
    take_next (reader, found->option, found->spelling);
}

static void
read_cluster (Reader *reader, const GuardArg *arg, const char *letters)
{
  for (const char *p = letters; *p != '\0'; p++)
    {
      char name[3] = { '-', *p, '\0' };
      const GuardSpelling *found = find_level (reader, name);

      if (!guard_step (reader->context, 1))
        return;
      if (found == NULL)
        {
          add_given (reader, NULL, guard_copy (reader->context, name, -1),
                     p[1] == '=' ? p + 2 : NULL, arg->span);
          if ((guchar) *p < 0x20)
            {
              reader->parsed->unknown_option = TRUE;
              reader->parsed->unknown_span = arg->span;
            }
          if (!g_ascii_isalnum (*p))
            {
              /* -5, -j"$(nproc)", a glued thing that isn't known. */
              return;
            }
          continue;
        }
      if (found->option->role == GUARD_ROLE_NONE)
        {
          add_given (reader, found->option, found->spelling, NULL, arg->span);
          continue;
        }
      if (p[1] != '\0')
        add_given (reader, found->option, found->spelling, p[1] == '=' ? p + 2 : p + 1, arg->span);
      else
        take_next (reader, found->option, found->spelling);
      return;
    }
}

static void
read_short (Reader *reader, const GuardArg *arg)
{
  /* The whole word may be a spelling of its own (-pe, -OO). */
  const GuardSpelling *found = arg->text[2] != '\0' ? find_level (reader, arg->text) : NULL;

  if (found != NULL)
    take_next (reader, found->option, found->spelling);
  else
    read_cluster (reader, arg, arg->text + 1);
}

static gboolean
is_option (const GuardParsed *parsed, const GuardArg *arg)
{
  guint syntax = parsed->levels[parsed->n_levels - 1]->syntax;

  if (syntax & GUARD_SYNTAX_RAW)
    return FALSE;
  if ((syntax & GUARD_SYNTAX_PLUS) && arg->text[0] == '+')
    return TRUE;
  if ((syntax & GUARD_SYNTAX_SLASH) && arg->text[0] == '/' && strchr (arg->text + 1, '/') == NULL)
    return TRUE;
  return arg->text[0] == '-' && arg->text[1] != '\0';
}

static void
read_prefixed (Reader *reader, const GuardArg *arg)
{
  const GuardSpelling *found = find_level (reader, arg->text);

  if (found != NULL)
    take_next (reader, found->option, found->spelling);
  else
    add_given (reader, NULL, arg->text, NULL, arg->span);
}

/* Where operands of `command` or `inner` begin, all that follows is the command's. */
static gboolean
starts_command (Reader *reader, const GuardArg *arg)
{
  GuardParsed *parsed = reader->parsed;
  const GuardProgram *program = parsed->levels[parsed->n_levels - 1];
  guint n = parsed->operands->len;

  if (program->n_commands > 0 && parsed->n_levels == 1 && FALSE)
    return FALSE;
  for (guint i = 0; i < program->n_operands; i++)
    {
      const GuardCase *one = &program->operands[i];
      guint position = 0;

      if (!guard_when_holds (reader->context, one->when, parsed, NULL, NULL, 0))
        continue;
      for (guint j = 0; j < one->n_operands; j++)
        {
          const GuardOperand *operand = &one->operands[j];

          if (operand->role == GUARD_ROLE_COMMAND || operand->role == GUARD_ROLE_INNER)
            return n >= position;
          if (operand->repeat)
            {
              /* env: NAME=VALUE before the command. */
              if (operand->role == GUARD_ROLE_ENV && strchr (arg->text, '=') != NULL &&
                  strchr (arg->text, '=') > arg->text)
                return FALSE;
              position = n < position ? position : n;
              continue;
            }
          position++;
        }
      return FALSE;
    }
  return FALSE;
}

static gboolean
enter_command (Reader *reader, const GuardArg *arg)
{
  GuardParsed *parsed = reader->parsed;
  const GuardProgram *program = parsed->levels[parsed->n_levels - 1];
  const GuardProgram *child;

  if (program->n_commands == 0 || parsed->operands->len > 0 || parsed->n_levels >= GUARD_MAX_LEVELS)
    return FALSE;
  child = arg->holes ? NULL : guard_rules_command (program, arg->text);
  if (child == NULL)
    return FALSE;
  parsed->levels[parsed->n_levels] = child;
  parsed->names[parsed->n_levels] = arg->text;
  parsed->n_levels++;
  return TRUE;
}

static void
read_word (Reader *reader, const GuardArg *arg)
{
  GuardParsed *parsed = reader->parsed;
  const GuardProgram *program = parsed->levels[parsed->n_levels - 1];

  if (!reader->ended && strcmp (arg->text, "--") == 0 && !(program->syntax & (GUARD_SYNTAX_RAW)))
    {
      reader->ended = TRUE;
      if (program->syntax & GUARD_SYNTAX_FIND)
        reader->ended = FALSE;
      return;
    }
  if (!reader->ended && is_option (parsed, arg))
    {
      if (arg->text[0] != '-')
        read_prefixed (reader, arg);
      else if (program->syntax & GUARD_SYNTAX_SINGLE)
        read_single (reader, arg);
      else if (arg->text[1] == '-')
        read_long (reader, arg);
      else
        read_short (reader, arg);
      return;
    }
  if (arg->text[0] == HOLE_UNKNOWN && !arg->quoted && !reader->ended &&
      !(program->syntax & GUARD_SYNTAX_RAW))
    {
      parsed->unknown_option = TRUE;
      parsed->unknown_span = arg->span;
    }
  if (enter_command (reader, arg))
    return;
  if ((program->syntax & GUARD_SYNTAX_NODASH) && parsed->operands->len == 0 &&
      reader->position == 1 && g_ascii_isalpha (arg->text[0]) && strpbrk (arg->text, "/.") == NULL)
    {
      read_cluster (reader, arg, arg->text);
      return;
    }
  if (parsed->operands->len == 0)
    parsed->first_operand = reader->position;
  if (starts_command (reader, arg))
    {
      parsed->rest = reader->position;
      return;
    }
  g_array_append_val (parsed->operands, *arg);
  if ((program->syntax & GUARD_SYNTAX_STOP) && program->n_commands == 0)
    reader->ended = !(program->n_operands > 0 && program->operands[0].n_operands > 0 &&
                      program->operands[0].operands[program->operands[0].n_operands - 1].role ==
                          GUARD_ROLE_COMMAND) ||
                    program->operands[0].operands[0].role == GUARD_ROLE_COMMAND;
}

/* What follows -exec up to `;` or `+`, or a command option to the end. */
static void
skip_exec (Reader *reader, const GuardOption *option)
{
  GuardParsed *parsed = reader->parsed;

  if (option == NULL)
    return;
  if (option->role == GUARD_ROLE_EXEC)
    {
      guint i = reader->position + 1;

      while (i < parsed->n_args && strcmp (parsed->args[i].text, ";") != 0 &&
             !(strcmp (parsed->args[i].text, "+") == 0 &&
               strcmp (parsed->args[i - 1].text, "{}") == 0))
        i++;
      reader->position = MIN (i, parsed->n_args - 1);
    }
  else if (option->role == GUARD_ROLE_COMMAND && parsed->rest == 0)
    parsed->rest = reader->position + 1;
  else if (option->role == GUARD_ROLE_MODULE_NAME)
    reader->ended = TRUE; /* what follows is the module's */
}

void
guard_options_parse (GuardContext *context,
                     const GuardProgram *program,
                     const GuardArg *args,
                     guint n_args,
                     GuardParsed *parsed)
{
  Reader reader = { context, parsed, 1, 0, FALSE, 0, TRUE };

  memset (parsed, 0, sizeof *parsed);
  parsed->levels[0] = program;
  parsed->names[0] = program->name;
  parsed->n_levels = 1;
  parsed->given = g_array_new (FALSE, FALSE, sizeof (GuardGiven));
  parsed->operands = g_array_new (FALSE, FALSE, sizeof (GuardArg));
  parsed->args = args;
  parsed->n_args = n_args;
  parsed->first_operand = n_args;
  parsed->span.start = args[0].span.start;
  parsed->span.end = args[n_args - 1].span.end;
  for (; reader.position < n_args && parsed->rest == 0; reader.position++)
    {
      guint before = parsed->given->len;
      guint start = reader.position;

      if (!guard_step (context, 1))
        return;
      read_word (&reader, &args[reader.position]);
      if (parsed->given->len > before)
        {
          GuardGiven *given = &g_array_index (parsed->given, GuardGiven, before);

          given->index = MIN (start, 255);
          skip_exec (&reader, given->option);
        }
    }
  if (parsed->rest >= n_args)
    parsed->rest = 0;
}

void
guard_parsed_clear (GuardParsed *parsed)
{
  g_array_unref (parsed->given);
  g_array_unref (parsed->operands);
}

const GuardGiven *
guard_parsed_find (const GuardParsed *parsed, const char *name)
{
  for (guint i = 0; i < parsed->given->len; i++)
    {
      const GuardGiven *given = &g_array_index (parsed->given, GuardGiven, i);

      if (given->option != NULL && strcmp (given->option->name, name) == 0)
        return given;
    }
  return NULL;
}

/* Program and sub-commands: "git push". */
const char *
guard_parsed_name (GuardContext *context, const GuardParsed *parsed)
{
  g_autoptr (GString) name = g_string_new (parsed->names[0]);

  for (guint i = 1; i < parsed->n_levels; i++)
    g_string_append_printf (name, " %s", parsed->names[i]);
  return guard_copy (context, name->str, name->len);
}

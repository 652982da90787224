/* What a word does, by the role the tables give it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

static void
effect_delete (GuardEffects *effects, const GuardArg *arg)
{
  GuardContext *context = effects->context;
  guint before = context->findings->len;
  const GuardFamily *family = guard_rules_family ("delete.files");

  guard_path_check (context, effects->state, arg->text, arg->span, GUARD_ACCESS_DELETE);
  if (context->findings->len == before && arg->text[0] != HOLE_SCRATCH && arg->text[0] != '\0')
    guard_find_full (context, family, GUARD_ANSWER_ASK, arg->span,
                     guard_parsed_name (context, effects->parsed), arg->text, "delete files", NULL);
}

/* ln's target is relative to the folder of the link, the last operand. */
static void
effect_link (GuardEffects *effects, const GuardArg *arg)
{
  GuardContext *context = effects->context;
  GArray *operands = effects->parsed->operands;
  const char *link =
      operands->len > 1 ? g_array_index (operands, GuardArg, operands->len - 1).text : NULL;
  GuardState state = *effects->state;

  if (link != NULL && arg->text[0] != '/' && state.cwd != NULL && !guard_has_holes (link))
    {
      const char *path = guard_path_normal (context, state.cwd, link);
      gboolean into = g_str_has_suffix (link, "/") || g_str_equal (link, ".") ||
                      (context->files != NULL && context->files->stat (context->files, path, NULL,
                                                                       NULL) == GUARD_FILE_FOLDER);

      state.cwd = into ? path : guard_path_normal (context, path, "..");
    }
  guard_path_check (context, &state, arg->text, arg->span, GUARD_ACCESS_READ);
}

static void
effect_maybe (GuardEffects *effects, const GuardArg *arg)
{
  GuardContext *context = effects->context;
  const char *text = arg->text;
  const char *equals;

  /* A response file: gcc, javac, ld and many more read their options from it. */
  if (text[0] == '@' && guard_path_looks (text + 1))
    text++;
  if (guard_url_has_scheme (text))
    guard_url_check (context, effects->state, text, arg->span, TRUE);
  else if (guard_path_looks (text) || text[0] == HOLE_SCRATCH ||
           guard_secret_what (text, FALSE) != NULL || (arg->holes && guard_secret_glob (text)))
    guard_path_check (context, effects->state, text, arg->span, GUARD_ACCESS_READ);
  else if ((equals = strchr (text, '=')) != NULL &&
           (guard_path_looks (equals + 1) || guard_url_has_scheme (equals + 1)))
    {
      GuardArg value = *arg;

      value.text = equals + 1;
      effect_maybe (effects, &value);
    }
  else if (arg->holes && strchr (text, '/') != NULL && !guard_has_unknown (text))
    guard_path_check (context, effects->state, text, arg->span, GUARD_ACCESS_READ);
}

static void
effect_read (GuardEffects *effects, const GuardArg *arg)
{
  if (guard_url_has_scheme (arg->text))
    guard_url_check (effects->context, effects->state, arg->text, arg->span, TRUE);
  else if (strcmp (arg->text, "-") != 0)
    guard_path_check (effects->context, effects->state, arg->text, arg->span, GUARD_ACCESS_READ);
}

static void
effect_at_file (GuardEffects *effects, const GuardArg *arg, gboolean form)
{
  GuardArg file = *arg;
  const char *at = arg->text;

  if (form)
    {
      const char *equals = strchr (arg->text, '=');

      at = equals != NULL ? equals + 1 : "";
      if (*at == '<')
        at = g_str_has_prefix (at, "<") ? at : "";
    }
  if (*at != '@' && !(form && *at == '<'))
    return;
  file.text = guard_copy (effects->context, at + 1, strcspn (at + 1, ";"));
  effect_read (effects, &file);
}

static void
effect_volume (GuardEffects *effects, const GuardArg *arg)
{
  GuardArg host = *arg;
  const char *colon = strchr (arg->text, ':');
  gsize length = colon != NULL ? (gsize) (colon - arg->text) : 0;
  gboolean read_only = colon != NULL && strstr (colon, ":ro") != NULL;

  if (length == 0)
    return;
  host.text = guard_copy (effects->context, arg->text, length);
  if (strchr (host.text, '/') == NULL && host.text[0] != '.' && host.text[0] != HOLE_HOME &&
      !guard_has_unknown (host.text))
    return;
  /* The project's own folder as a whole is what a container is mostly given. */
  guard_path_check (effects->context, effects->state, host.text, host.span,
                    read_only || g_str_equal (host.text, ".") ||
                            g_strcmp0 (host.text, effects->state->cwd) == 0
                        ? GUARD_ACCESS_READ
                        : GUARD_ACCESS_WRITE);
}

/* The word of the command that @arg is, as an index; 0 if it isn't there. */
static guint
index_of (const GuardParsed *parsed, const GuardArg *arg)
{
  for (guint i = 1; i < parsed->n_args; i++)
    if (parsed->args[i].text == arg->text)
      return i;
  return 0;
}

/* `deno run npm:vite`, `node node_modules/vite/bin/vite.js`: a package's program by another
 * name. NULL if it is none. */
static const char *
package_of_script (GuardContext *context, const char *text)
{
  const char *start = g_str_has_prefix (text, "npm:") || g_str_has_prefix (text, "jsr:")
                          ? text + 4
                          : g_strrstr (text, "node_modules/");
  const char *end;

  if (start == NULL || guard_has_holes (text))
    return NULL;
  if (start == text + 4 && text[3] == ':')
    return start[0] == '/' ? start + 1 : start;
  start += strlen ("node_modules/");
  if (g_str_has_prefix (start, ".bin/"))
    return start + strlen (".bin/");
  end = start[0] == '@' ? strchr (start, '/') : start;
  end = end != NULL ? strchr (end + 1, '/') : NULL;
  return end != NULL ? guard_copy (context, start, end - start) : NULL;
}

/* `node build.mjs --watch`: what a script is told says that it never ends. */
static void
check_watching (GuardEffects *effects, const GuardArg *script)
{
  const GuardParsed *parsed = effects->parsed;
  guint first = index_of (parsed, script);

  for (guint i = first + 1; first > 0 && i < parsed->n_args; i++)
    if ((strcmp (parsed->args[i].text, "--watch") == 0 ||
         strcmp (parsed->args[i].text, "--serve") == 0) &&
        !effects->state->bounded)
      {
        guard_find (effects->context, "never.watch", parsed->args[i].span,
                    guard_arena_printf (effects->context, "%s %s", script->text,
                                        parsed->args[i].text),
                    NULL);
        return;
      }
}

static void
effect_script (GuardEffects *effects, const char *language, const GuardArg *arg)
{
  GuardContext *context = effects->context;
  const char *package = package_of_script (context, arg->text);
  guint index = package != NULL ? index_of (effects->parsed, arg) : 0;
  const char *path;

  check_watching (effects, arg);
  if (index > 0)
    guard_command_package (context, effects->state, package, effects->parsed->args + index,
                           effects->parsed->n_args - index, effects->environment,
                           effects->n_environment, effects->wrappers);
  if (g_str_has_prefix (arg->text, "npm:") || g_str_has_prefix (arg->text, "jsr:"))
    return;

  /* `python3 <(curl …)` */
  if (g_str_has_prefix (arg->text, "/dev/fd/"))
    {
      guard_find_unknown (context, "inline.unseen", arg->span,
                          guard_parsed_name (context, effects->parsed));
      return;
    }
  if (g_str_equal (arg->text, "-") || guard_path_is_device (arg->text))
    return;
  if (guard_url_has_scheme (arg->text))
    {
      guard_url_check (context, effects->state, arg->text, arg->span, TRUE);
      return;
    }
  path = guard_path_check (context, effects->state, arg->text, arg->span, GUARD_ACCESS_RUN);
  if (path != NULL)
    {
      const char *argv[] = { path, NULL };

      guard_bodies_script (context, effects->state, path, language, argv, 1, arg->span);
    }
}

static void
effect_code (GuardEffects *effects, const char *language, const GuardArg *arg)
{
  GuardContext *context = effects->context;

  if (g_str_equal (language, "awk"))
    guard_awk_check (context, effects->state, arg->text, arg->span);
  else if (g_str_equal (language, "sed"))
    guard_sed_check (context, effects->state, arg->text, arg->span);
  else if (g_str_equal (language, "sql"))
    guard_sql_check (context, effects->state, arg->text, arg->span,
                     guard_parsed_name (context, effects->parsed));
  else if (!g_str_equal (language, "jq"))
    guard_inline_check (context, effects->state, language, arg->text, arg->span, TRUE,
                        effects->wrappers);
}

/* Find's -exec: `{}` is what it found. */
static void
effect_exec (GuardEffects *effects, const GuardArg *option)
{
  GuardContext *context = effects->context;
  const GuardParsed *parsed = effects->parsed;
  g_autoptr (GArray) args = g_array_new (FALSE, FALSE, sizeof (GuardArg));
  const char *found = guard_find_output (effects);
  gboolean placed = FALSE;
  guint i = 0;

  while (i < parsed->n_args && parsed->args[i].span.start != option->span.start)
    i++;
  for (i++; i < parsed->n_args; i++)
    {
      GuardArg arg = parsed->args[i];

      if (strcmp (arg.text, ";") == 0 ||
          (strcmp (arg.text, "+") == 0 && i > 0 && strcmp (parsed->args[i - 1].text, "{}") == 0))
        break;
      if (strstr (arg.text, "{}") != NULL)
        {
          g_auto (GStrv) parts = g_strsplit (arg.text, "{}", -1);
          g_autofree char *joined = g_strjoinv (found, parts);

          arg.text = guard_copy (context, joined, -1);
          arg.holes = TRUE;
          placed = TRUE;
        }
      g_array_append_val (args, arg);
    }
  /* fd needs no {} and no end: what it finds comes last. */
  if (!placed && i == parsed->n_args && args->len > 0)
    {
      GuardArg arg = { found, option->span, TRUE, FALSE, TRUE };

      g_array_append_val (args, arg);
    }
  if (args->len > 0)
    guard_command_run (context, effects->state, (const GuardArg *) (gpointer) args->data, args->len,
                       effects->environment, effects->n_environment, effects->wrappers + 1);
}

/* fd's pattern and extension, where they name a secret: `fd '\.env$' -x cat`, `fd -e pem`. */
static void
append_secret_pattern (const GuardParsed *parsed, GString *out)
{
  const GuardGiven *extension = guard_parsed_find (parsed, "-e");
  g_autoptr (GString) name = g_string_new (NULL);

  if (parsed->operands->len > 0)
    for (const char *p = g_array_index (parsed->operands, GuardArg, 0).text; *p != '\0'; p++)
      if (strchr ("^$\\", *p) == NULL)
        g_string_append_c (name, *p);
  if (extension != NULL && extension->value != NULL)
    g_string_append_printf (name, "%s.%s", name->len > 0 ? "" : "x", extension->value);
  if (guard_secret_what (name->str, TRUE) != NULL)
    g_string_append (out, name->str);
}

/* Is @folder named among the words of a find? */
static gboolean
leaves_out (const GuardEffects *effects, const char *folder)
{
  const GuardParsed *parsed = effects->parsed;

  for (guint i = 1; i < parsed->n_args; i++)
    if (strstr (parsed->args[i].text, folder) != NULL)
      return TRUE;
  return FALSE;
}

/* What find prints: HOLE_INSIDE, the folder searched, HOLE_INSIDE, the name's pattern. */
const char *
guard_find_output (GuardEffects *effects)
{
  GuardContext *context = effects->context;
  const GuardParsed *parsed = effects->parsed;
  const GuardGiven *name = guard_parsed_find (parsed, "-name");
  gboolean find = (parsed->levels[0]->syntax & GUARD_SYNTAX_FIND) != 0;
  guint first = find ? 0 : 1; /* fd: the pattern comes before the folder */
  const char *base =
      parsed->operands->len > first ? g_array_index (parsed->operands, GuardArg, first).text : ".";
  g_autoptr (GString) out = g_string_new ("\003");
  gboolean excluded = leaves_out (effects, context->scope->app_folder);

  for (guint i = 0; context->scope->loops != NULL && context->scope->loops[i] != NULL; i++)
    excluded = excluded && leaves_out (effects, context->scope->loops[i]);
  if (!guard_has_holes (base) && !excluded)
    g_string_append (out, base);
  g_string_append_c (out, HOLE_INSIDE);
  if (name == NULL)
    name = guard_parsed_find (parsed, "-iname");
  if (name != NULL && name->value != NULL)
    for (const char *p = name->value; *p != '\0'; p++)
      g_string_append_c (out, *p == '*' ? GLOB_STAR : *p == '?' ? GLOB_ONE : *p);
  if (!find)
    append_secret_pattern (parsed, out);
  return guard_copy (context, out->str, out->len);
}

static void
effect_unknown (GuardEffects *effects, const GuardArg *arg)
{
  if (guard_has_unknown (arg->text))
    guard_find_unknown (effects->context, "operands.unknown", arg->span, arg->text);
}

static gboolean
is_path_role (guint role)
{
  return (role >= GUARD_ROLE_READ && role <= GUARD_ROLE_NAMES) || role == GUARD_ROLE_SCRIPT ||
         role == GUARD_ROLE_MAYBE || role == GUARD_ROLE_VOLUME || role == GUARD_ROLE_AT_FILE;
}

/* python -m NAME: what follows is the module's own. */
static void
run_module (GuardEffects *effects, const GuardArg *arg)
{
  const GuardParsed *parsed = effects->parsed;
  guint i = index_of (parsed, arg);

  if (i > 0)
    guard_command_run (effects->context, effects->state, parsed->args + i, parsed->n_args - i,
                       effects->environment, effects->n_environment, effects->wrappers + 1);
}

void
guard_effect (GuardEffects *effects, guint role, const char *detail, const GuardArg *arg)
{
  GuardContext *context = effects->context;

  if (context->in_container && is_path_role (role))
    return;
  switch ((GuardRole) role)
    {
    case GUARD_ROLE_MAYBE:
      effect_maybe (effects, arg);
      break;
    case GUARD_ROLE_READ:
    case GUARD_ROLE_NAMES:
      effect_read (effects, arg);
      if (role == GUARD_ROLE_NAMES)
        guard_find_unknown (context, "operands.listed", arg->span, arg->text);
      break;
    case GUARD_ROLE_WRITE:
    case GUARD_ROLE_FOLDER:
    case GUARD_ROLE_EDIT:
      if (strcmp (arg->text, "-") != 0)
        guard_path_check (context, effects->state, arg->text, arg->span, GUARD_ACCESS_WRITE);
      break;
    case GUARD_ROLE_DELETE:
      effect_delete (effects, arg);
      break;
    case GUARD_ROLE_MOVE:
      guard_path_check (context, effects->state, arg->text, arg->span, GUARD_ACCESS_MOVE);
      break;
    case GUARD_ROLE_LINK:
      effect_link (effects, arg);
      break;
    case GUARD_ROLE_HARDLINK:
      guard_path_check (context, effects->state, arg->text, arg->span, GUARD_ACCESS_LINK);
      break;
    case GUARD_ROLE_REVISION:
      guard_git_revision (context, effects->state, arg, FALSE, GUARD_ACCESS_READ);
      break;
    case GUARD_ROLE_REVPATH:
    case GUARD_ROLE_PATHSPEC:
      guard_git_revision (context, effects->state, arg, TRUE, GUARD_ACCESS_READ);
      break;
    case GUARD_ROLE_REVPATH_WRITE:
    case GUARD_ROLE_PATHSPEC_WRITE:
      guard_git_revision (context, effects->state, arg, TRUE, GUARD_ACCESS_WRITE);
      break;
    case GUARD_ROLE_REMOTE:
      guard_remote_check (context, effects->state, arg->text, arg->span);
      break;
    case GUARD_ROLE_GIT_CONFIG:
      guard_git_config_check (context, effects->state, arg->text, arg->span);
      break;
    case GUARD_ROLE_URL:
      guard_url_check (context, effects->state, arg->text, arg->span, FALSE);
      break;
    case GUARD_ROLE_HOST:
      guard_host_check (context, arg->text, arg->span);
      break;
    case GUARD_ROLE_IMAGE:
      guard_image_check (context, arg->text, arg->span);
      break;
    case GUARD_ROLE_MODULE:
      if (guard_path_looks (arg->text))
        guard_path_check (context, effects->state, arg->text, arg->span, GUARD_ACCESS_READ);
      else
        guard_module_check (context, arg->text, arg->span);
      break;
    case GUARD_ROLE_PACKAGE:
      guard_package_check (context, effects->state, arg->text, arg->span);
      break;
    case GUARD_ROLE_AT_FILE:
      effect_at_file (effects, arg, FALSE);
      break;
    case GUARD_ROLE_FORM:
      effect_at_file (effects, arg, TRUE);
      break;
    case GUARD_ROLE_VOLUME:
      effect_volume (effects, arg);
      break;
    case GUARD_ROLE_COPY:
      if (strchr (arg->text, ':') == NULL)
        guard_path_check (context, effects->state, arg->text, arg->span, GUARD_ACCESS_WRITE);
      break;
    case GUARD_ROLE_ENV:
      if (!(effects->parsed->levels[0]->flags & GUARD_PROGRAM_CONTAINER))
        guard_command_environment (context, effects->state, arg);
      break;
    case GUARD_ROLE_CODE:
      effect_code (effects, detail, arg);
      break;
    case GUARD_ROLE_SCRIPT:
      effect_script (effects, detail, arg);
      break;
    case GUARD_ROLE_SHELL:
      guard_find (context, "shell.string", arg->span, guard_parsed_name (context, effects->parsed),
                  arg->text);
      break;
    case GUARD_ROLE_WORDS:
      guard_command_words (context, effects->state, arg, effects->wrappers + 1);
      break;
    case GUARD_ROLE_EXEC:
      effect_exec (effects, arg);
      break;
    case GUARD_ROLE_WAIT:
      if (guard_duration (arg->text) > 600 && !effects->state->bounded)
        guard_find (context, "never.sleep", arg->span, guard_parsed_name (context, effects->parsed),
                    arg->text);
      break;
    case GUARD_ROLE_DURATION:
    case GUARD_ROLE_TEXT:
    case GUARD_ROLE_NONE:
    case GUARD_ROLE_CWD:
    case GUARD_ROLE_COMMAND:
    case GUARD_ROLE_INNER:
      break;
    case GUARD_ROLE_MODULE_NAME:
      run_module (effects, arg);
      break;
    case GUARD_ROLE_TARGET:
    default:
      effect_unknown (effects, arg);
      break;
    }
}

/* Seconds; a huge number for `infinity` or what can't be read, 0 for none. */
double
guard_duration (const char *text)
{
  char *end;
  double value;

  if (guard_has_holes (text))
    return 0;
  value = g_ascii_strtod (text, &end);
  if (end == text)
    return 1e12;
  switch (*end)
    {
    case 'm':
      return value * 60;
    case 'h':
      return value * 3600;
    case 'd':
      return value * 86400;
    default:
      return value;
    }
}

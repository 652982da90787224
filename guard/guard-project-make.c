/* A makefile: its variables, its rules, and the recipe lines that a goal runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-project-make.h"

#include <string.h>

#define MAX_RULES 4096
#define MAX_VARIABLES 4096
#define MAX_EXPANSION (256 * 1024)

typedef struct
{
  char *target;
  GPtrArray *prerequisites;
  GPtrArray *recipe;
  gboolean pattern;
  gboolean done;
} Rule;

struct _GuardMake
{
  GuardRun *run;
  char *folder;
  char *path;            /* of the makefile being read */
  GHashTable *variables; /* unexpanded text; those from the command line stay */
  GHashTable *fixed;
  GPtrArray *rules;
  GPtrArray *current; /* rules that the next recipe line belongs to */
  char *goal;
  guint depth;
  gsize expanded;
  gboolean dry;
  gboolean one_shell;
};

static void
rule_free (Rule *rule)
{
  g_free (rule->target);
  g_ptr_array_unref (rule->prerequisites);
  g_ptr_array_unref (rule->recipe);
  g_free (rule);
}

static GuardMake *
make_new (GuardRun *run, const char *folder)
{
  GuardMake *make = g_new0 (GuardMake, 1);

  make->run = run;
  make->folder = g_strdup (folder);
  make->variables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  make->fixed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  make->rules = g_ptr_array_new_with_free_func ((GDestroyNotify) rule_free);
  make->current = g_ptr_array_new ();

  return make;
}

static void
make_free (GuardMake *make)
{
  g_hash_table_unref (make->variables);
  g_hash_table_unref (make->fixed);
  g_ptr_array_unref (make->rules);
  g_ptr_array_unref (make->current);
  g_free (make->folder);
  g_free (make->path);
  g_free (make->goal);
  g_free (make);
}

static void
set_variable (GuardMake *make, const char *name, const char *value, gboolean fixed)
{
  if (!fixed && g_hash_table_contains (make->fixed, name))
    return;
  if (g_hash_table_size (make->variables) >= MAX_VARIABLES)
    {
      guard_project_exceed (make->run->project);
      return;
    }

  g_hash_table_replace (make->variables, g_strdup (name), g_strdup (value));
  if (fixed)
    g_hash_table_add (make->fixed, g_strdup (name));
}

/* What a make program does while it is read or expanded is run, too. */
static void
add_shell (GuardMake *make, const char *text)
{
  guard_run_add (make->run, GUARD_LANGUAGE_SHELL, text, -1, make->path ? make->path : make->folder,
                 make->folder, "make $(shell)");
}

/* Expansion */

static const char *
end_of_reference (const char *at)
{
  char open = *at;
  char close = open == '(' ? ')' : '}';
  guint depth = 0;

  for (; *at; at++)
    {
      if (*at == open)
        depth++;
      else if (*at == close && --depth == 0)
        return at;
    }

  return NULL;
}

static void
append_variable (GuardMake *make, GString *out, const char *name)
{
  const char *value = g_hash_table_lookup (make->variables, name);
  static const struct
  {
    const char *name;
    const char *value;
  } known[] = { { "MAKE", "make" },     { "RM", "rm -f" },       { "CC", "cc" },
                { "CXX", "g++" },       { "AR", "ar" },          { "LD", "ld" },
                { "AS", "as" },         { "SHELL", "/bin/sh" },  { "MAKEFLAGS", "" },
                { "MAKECMDGOALS", "" }, { "INSTALL", "install" } };

  if (value)
    {
      char *text = guard_make_expand (make, value);

      g_string_append (out, text);
      g_free (text);
      return;
    }
  if (g_str_equal (name, "CURDIR"))
    {
      g_string_append (out, make->folder);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (g_str_equal (name, known[i].name))
        {
          g_string_append (out, known[i].value);
          return;
        }
    }

  /* make takes it from the environment: so does the shell. */
  if (g_ascii_isalpha (name[0]) || name[0] == '_')
    g_string_append_printf (out, "${%s}", name);
}

static gboolean
append_function (GuardMake *make, GString *out, const char *name, const char *rest)
{
  static const char *const functions[] = {
    "subst",   "patsubst", "strip",     "findstring", "filter",   "filter-out", "sort",
    "word",    "wordlist", "words",     "firstword",  "lastword", "dir",        "notdir",
    "suffix",  "basename", "addsuffix", "addprefix",  "join",     "wildcard",   "realpath",
    "abspath", "error",    "warning",   "info",       "shell",    "origin",     "flavor",
    "foreach", "if",       "or",        "and",        "call",     "eval",       "file",
    "value",   "let",      "intcmp",    "guile",      NULL
  };
  g_autofree char *arguments = NULL;
  const char *comma;

  if (!g_strv_contains (functions, name))
    return FALSE;

  arguments = guard_make_expand (make, rest);
  comma = strrchr (arguments, ',');
  if (g_str_equal (name, "shell"))
    {
      add_shell (make, arguments);
      g_string_append_printf (out, "$(%s)", arguments);
    }
  else if (g_str_equal (name, "wildcard") || g_str_equal (name, "strip") ||
           g_str_equal (name, "sort") || g_str_equal (name, "abspath") ||
           g_str_equal (name, "realpath"))
    g_string_append (out, arguments);
  else if (g_str_equal (name, "eval"))
    guard_make_read_text (make, arguments);
  else if (g_str_equal (name, "call"))
    {
      g_auto (GStrv) parts = g_strsplit (arguments, ",", 2);

      append_variable (make, out, g_strstrip (parts[0]));
    }
  else if (g_str_equal (name, "if") || g_str_equal (name, "or"))
    g_string_append (out, comma ? comma + 1 : "");
  else if (g_strv_contains ((const char *const[]){ "info", "warning", "error", NULL }, name))
    ;
  else
    g_string_append (out, "${make}");

  return TRUE;
}

static void
append_reference (GuardMake *make, GString *out, const char *inside)
{
  const char *space = strpbrk (inside, " \t");
  const char *colon;
  g_autofree char *name = NULL;

  if (space)
    {
      g_autofree char *function = g_strndup (inside, space - inside);

      while (*space == ' ' || *space == '\t')
        space++;
      if (append_function (make, out, function, space))
        return;
    }

  name = strchr (inside, '$') ? guard_make_expand (make, inside) : g_strdup (inside);
  colon = strchr (name, ':');
  if (colon && strchr (colon, '='))
    {
      g_autofree char *base = g_strndup (name, colon - name);

      append_variable (make, out, base);
    }
  else if (name[0] && strchr ("@<^+?*%|", name[0]))
    {
      const char one[] = { name[0], 0 };

      append_variable (make, out, one);
    }
  else
    append_variable (make, out, name);
}

char *
guard_make_expand (GuardMake *make, const char *text)
{
  GString *out = g_string_new (NULL);

  if (make->depth >= GUARD_PROJECT_MAX_DEPTH)
    {
      guard_project_exceed (make->run->project);
      return g_string_free (out, FALSE);
    }

  make->depth++;
  for (const char *at = text; *at; at++)
    {
      const char *end;

      if (*at != '$' || at[1] == 0)
        {
          g_string_append_c (out, *at);
          continue;
        }
      at++;
      if (*at == '$')
        g_string_append_c (out, '$');
      else if (*at != '(' && *at != '{')
        {
          const char name[] = { *at, 0 };

          append_reference (make, out, name);
        }
      else if ((end = end_of_reference (at)))
        {
          g_autofree char *inside = g_strndup (at + 1, end - at - 1);

          append_reference (make, out, inside);
          at = end;
        }
      if (make->expanded + out->len > MAX_EXPANSION)
        {
          guard_project_exceed (make->run->project);
          g_string_truncate (out, 0);
          break;
        }
    }
  make->depth--;
  make->expanded += out->len;

  return g_string_free (out, FALSE);
}

/* Reading */

static GPtrArray *
split_words (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; words[i]; i++)
    {
      if (words[i][0])
        g_ptr_array_add (list, g_strdup (words[i]));
    }

  return list;
}

static void
add_rule (GuardMake *make, const char *target, const char *prerequisites, const char *first)
{
  Rule *rule;

  if (make->rules->len >= MAX_RULES)
    {
      guard_project_exceed (make->run->project);
      return;
    }

  rule = g_new0 (Rule, 1);
  rule->target = g_strdup (target);
  rule->prerequisites = split_words (prerequisites);
  rule->recipe = g_ptr_array_new_with_free_func (g_free);
  rule->pattern = strchr (target, '%') != NULL;
  if (first)
    g_ptr_array_add (rule->recipe, g_strdup (first));
  g_ptr_array_add (make->rules, rule);
  g_ptr_array_add (make->current, rule);

  if (g_str_equal (target, ".ONESHELL"))
    make->one_shell = TRUE;
  if (!make->goal && !rule->pattern && (target[0] != '.' || strchr (target, '/')))
    make->goal = g_strdup (target);
}

static void
read_rule (GuardMake *make, const char *left, const char *right)
{
  g_autofree char *targets = guard_make_expand (make, left);
  g_auto (GStrv) parts = g_strsplit (right, ";", 2);
  g_autofree char *needs = guard_make_expand (make, parts[0] ? parts[0] : "");
  g_autoptr (GPtrArray) words = split_words (targets);

  g_strdelimit (needs, "|:", ' ');
  g_ptr_array_set_size (make->current, 0);
  for (guint i = 0; i < words->len; i++)
    add_rule (make, g_ptr_array_index (words, i), needs, parts[0] ? parts[1] : NULL);
}

/* NAME = VALUE with any of make's signs. */
static gboolean
read_assignment (GuardMake *make, const char *line)
{
  const char *equals = strchr (line, '=');
  const char *end = equals;
  g_autofree char *name = NULL;
  g_autofree char *expanded = NULL;
  g_autofree char *value = NULL;
  char sign = 0;

  if (!equals)
    return FALSE;
  while (end > line && strchr (":?+!", end[-1]))
    sign = *--end;
  name = g_strstrip (g_strndup (line, end - line));
  for (guint i = 0; i < 2; i++)
    {
      static const char *const words[] = { "export ", "override " };

      if (g_str_has_prefix (name, words[i]))
        {
          memmove (name, name + strlen (words[i]), strlen (name + strlen (words[i])) + 1);
          g_strchug (name);
        }
    }
  if (name[0] == 0 || strpbrk (name, " \t:#"))
    return FALSE;

  expanded = strchr (name, '$') ? guard_make_expand (make, name) : g_strdup (name);
  value = g_strstrip (g_strdup (equals + 1));
  if (sign == ':' || sign == '!')
    {
      char *text = guard_make_expand (make, value);

      g_free (value);
      value = text;
    }
  if (sign == '!')
    {
      add_shell (make, value);
      return TRUE;
    }
  if (sign == '?' && g_hash_table_contains (make->variables, expanded))
    return TRUE;
  if (sign == '+')
    {
      const char *before = g_hash_table_lookup (make->variables, expanded);
      char *text = g_strconcat (before ? before : "", before ? " " : "", value, NULL);

      g_free (value);
      value = text;
    }
  set_variable (make, expanded, value, FALSE);
  if (g_str_equal (expanded, ".DEFAULT_GOAL"))
    {
      g_free (make->goal);
      make->goal = guard_make_expand (make, value);
    }

  return TRUE;
}

static void
read_include (GuardMake *make, const char *names)
{
  g_autofree char *expanded = guard_make_expand (make, names);
  g_autoptr (GPtrArray) words = split_words (expanded);

  for (guint i = 0; i < words->len; i++)
    {
      g_autofree char *path = g_canonicalize_filename (g_ptr_array_index (words, i), make->folder);

      if (!strpbrk (path, "*$") && guard_project_exists (make->run->project, path))
        guard_make_read_file (make, path);
    }
}

/* Where a rule's colon is: not in a variable, not a Windows drive. */
static const char *
find_colon (const char *line)
{
  for (const char *at = line; *at; at++)
    {
      if (*at == '$' && (at[1] == '(' || at[1] == '{'))
        {
          const char *end = end_of_reference (at + 1);

          if (!end)
            return NULL;
          at = end;
        }
      else if (*at == ':')
        return at;
    }

  return NULL;
}

static void
read_statement (GuardMake *make, char *line)
{
  static const char *const conditionals[] = { "ifeq",     "ifneq", "ifdef", "ifndef",
                                              "else",     "endif", "endef", "unexport",
                                              "undefine", "vpath", NULL };
  static const char *const includes[] = { "include ", "-include ", "sinclude ", NULL };
  g_autofree char *word = NULL;
  const char *colon;
  const char *equals;

  g_strchug (line);
  if (line[0] == 0 || line[0] == '#')
    return;

  for (guint i = 0; includes[i]; i++)
    {
      if (g_str_has_prefix (line, includes[i]))
        {
          read_include (make, line + strlen (includes[i]));
          return;
        }
    }

  /* Both branches of a condition are taken: only running make tells which. */
  word = g_strndup (line, strcspn (line, " \t("));
  if (g_strv_contains (conditionals, word))
    {
      /* Expanded for what it calls, $(shell …); its value doesn't matter. */
      if (strchr (line, '$'))
        g_free (guard_make_expand (make, line));
      return;
    }

  colon = find_colon (line);
  equals = strchr (line, '=');
  if (equals &&
      (!colon || equals < colon || (colon[1] == '=' || (colon[1] == ':' && colon[2] == '='))))
    {
      if (read_assignment (make, line))
        return;
    }
  if (!colon)
    {
      /* A line of its own such as $(info …) or $(eval …). */
      g_free (guard_make_expand (make, line));
      return;
    }

  {
    g_autofree char *left = g_strndup (line, colon - line);
    const char *right = colon + 1;

    while (*right == ':')
      right++;
    /* target: NAME = VALUE */
    if (strchr (right, '=') && !strchr (right, ';') && read_assignment (make, right))
      return;
    read_rule (make, left, right);
  }
}

static void
read_define (GuardMake *make, const char *line, char **lines, guint *at)
{
  g_autofree char *name = g_strstrip (g_strndup (line + 7, strcspn (line + 7, "=:")));
  GString *text = g_string_new (NULL);

  for ((*at)++; lines[*at] && !g_str_has_prefix (g_strchug (lines[*at]), "endef"); (*at)++)
    {
      if (text->len)
        g_string_append_c (text, '\n');
      g_string_append (text, lines[*at]);
    }
  if (!lines[*at])
    (*at)--;
  set_variable (make, name, text->str, FALSE);
  g_string_free (text, TRUE);
}

static void
strip_comment (char *line)
{
  for (char *at = line; *at; at++)
    {
      if (*at == '#' && (at == line || at[-1] != '\\'))
        {
          *at = 0;
          return;
        }
    }
}

void
guard_make_read_text (GuardMake *make, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i]; i++)
    {
      GString *line = g_string_new (lines[i]);
      gboolean recipe = lines[i][0] == '\t' && make->current->len > 0;

      g_strchomp (line->str);
      line->len = strlen (line->str);
      while (g_str_has_suffix (line->str, "\\") && lines[i + 1])
        {
          if (recipe)
            g_string_append_printf (line, "\n%s",
                                    lines[i + 1][0] == '\t' ? lines[i + 1] + 1 : lines[i + 1]);
          else
            {
              g_string_truncate (line, line->len - 1);
              g_string_append_printf (line, " %s", g_strchug (lines[i + 1]));
            }
          i++;
        }
      if (recipe)
        {
          for (guint j = 0; j < make->current->len; j++)
            g_ptr_array_add (((Rule *) make->current->pdata[j])->recipe, g_strdup (line->str + 1));
        }
      else if (g_str_has_prefix (line->str, "define "))
        read_define (make, line->str, lines, &i);
      else
        {
          strip_comment (line->str);
          read_statement (make, line->str);
        }
      g_string_free (line, TRUE);
    }
}

void
guard_make_read_file (GuardMake *make, const char *path)
{
  gsize length;
  gboolean truncated;
  const char *text = guard_project_read (make->run->project, path, &length, &truncated);
  g_autofree char *before = make->path;

  make->path = g_strdup (path);
  if (truncated)
    guard_project_exceed (make->run->project);
  else if (text && make->depth < GUARD_PROJECT_MAX_DEPTH)
    {
      make->depth++;
      guard_make_read_text (make, text);
      make->depth--;
    }
  if (before)
    {
      g_free (make->path);
      make->path = g_steal_pointer (&before);
    }
}

/* Running */

static void
add_recipe_line (GuardMake *make, const char *line, const char *name)
{
  g_autofree char *text = NULL;
  const char *at = line;
  gboolean always = strstr (line, "$(MAKE)") || strstr (line, "${MAKE}");

  while (*at && strchr ("@-+ \t", *at))
    {
      if (*at == '+')
        always = TRUE;
      at++;
    }
  text = guard_make_expand (make, at);
  if (text[0] && (!make->dry || always))
    guard_run_add (make->run, GUARD_LANGUAGE_SHELL, text, -1, make->path, make->folder, name);
}

static void
run_rule (GuardMake *make, Rule *rule, const char *target)
{
  g_autofree char *name = g_strdup_printf ("make %s", target);
  GString *all = make->one_shell ? g_string_new (NULL) : NULL;

  set_variable (make, "@", target, FALSE);
  set_variable (make, "<", rule->prerequisites->len ? rule->prerequisites->pdata[0] : "", FALSE);
  for (guint i = 0; i < rule->recipe->len; i++)
    {
      const char *line = g_ptr_array_index (rule->recipe, i);

      if (all)
        g_string_append_printf (all, "%s\n", line + strspn (line, "@-+ \t"));
      else
        add_recipe_line (make, line, name);
    }
  if (all)
    {
      add_recipe_line (make, all->str, name);
      g_string_free (all, TRUE);
    }
}

static gboolean
is_match (const char *pattern, const char *target, char **stem)
{
  const char *percent = strchr (pattern, '%');
  gsize before = percent - pattern;
  gsize after = strlen (percent + 1);
  gsize length = strlen (target);

  if (length < before + after || strncmp (pattern, target, before) != 0 ||
      !g_str_has_suffix (target, percent + 1))
    return FALSE;

  *stem = g_strndup (target + before, length - before - after);
  return TRUE;
}

static void run_goal (GuardMake *make, const char *goal);

static void
run_needs (GuardMake *make, Rule *rule, const char *stem)
{
  for (guint i = 0; i < rule->prerequisites->len; i++)
    {
      const char *need = g_ptr_array_index (rule->prerequisites, i);
      const char *percent = stem ? strchr (need, '%') : NULL;
      g_autofree char *name =
          percent ? g_strdup_printf ("%.*s%s%s", (int) (percent - need), need, stem, percent + 1)
                  : g_strdup (need);

      run_goal (make, name);
    }
}

static void
run_goal (GuardMake *make, const char *goal)
{
  gboolean found = FALSE;

  if (make->depth >= GUARD_PROJECT_MAX_DEPTH)
    {
      guard_project_exceed (make->run->project);
      return;
    }
  make->depth++;
  for (guint i = 0; i < make->rules->len; i++)
    {
      Rule *rule = g_ptr_array_index (make->rules, i);

      if (rule->pattern || !g_str_equal (rule->target, goal))
        continue;
      found |= rule->recipe->len > 0;
      if (rule->done)
        continue;
      rule->done = TRUE;
      run_needs (make, rule, NULL);
      run_rule (make, rule, goal);
    }
  for (guint i = 0; !found && i < make->rules->len; i++)
    {
      Rule *rule = g_ptr_array_index (make->rules, i);
      g_autofree char *stem = NULL;

      if (!rule->pattern || rule->done || rule->recipe->len == 0 ||
          !is_match (rule->target, goal, &stem))
        continue;
      /* Once is enough: another file by the same rule runs the same words. */
      rule->done = !g_str_equal (rule->target, "%");
      found = TRUE;
      set_variable (make, "*", stem, FALSE);
      run_needs (make, rule, stem);
      run_rule (make, rule, goal);
    }
  make->depth--;
}

typedef struct
{
  const char *file;
  char *folder;
  GPtrArray *goals;
  GPtrArray *evals;
} Arguments;

static const char *const folder_options[] = { "-C", "--directory", NULL };
static const char *const file_options[] = { "-f", "--file", "--makefile", NULL };
static const char *const eval_options[] = { "--eval", "-E", NULL };
static const char *const value_options[] = { "-I",         "--include-dir", "-o",
                                             "--old-file", "--assume-old",  "-W",
                                             "--what-if",  "--new-file",    "--assume-new",
                                             NULL };

static void
read_argument (GuardMake *make, Arguments *arguments, guint *at)
{
  GuardRun *run = make->run;
  const char *word = run->argv[*at];
  const char *value;

  if (!word)
    return;
  if ((value = guard_run_option (run, at, folder_options)))
    {
      char *folder = g_canonicalize_filename (value, arguments->folder);

      g_free (arguments->folder);
      arguments->folder = folder;
    }
  else if ((value = guard_run_option (run, at, file_options)))
    arguments->file = value;
  else if ((value = guard_run_option (run, at, eval_options)))
    g_ptr_array_add (arguments->evals, (gpointer) value);
  else if (word[0] == '-')
    {
      if (g_strv_contains ((const char *const[]){ "--dry-run", "--just-print", "--recon",
                                                  "--question", "--touch", NULL },
                           word) ||
          (word[1] != '-' &&
           strspn (word + 1, "bBdeikLmnpqrRsStvwj0123456789") == strlen (word + 1) &&
           strpbrk (word, "nqt")))
        make->dry = TRUE;
      else
        guard_run_option (run, at, value_options);
    }
  else if (strchr (word, '='))
    {
      const char *equals = strchr (word, '=');
      gsize length = equals - word;
      g_autofree char *name = NULL;

      while (length > 0 && strchr (":?+!", word[length - 1]))
        length--;
      name = g_strndup (word, length);
      set_variable (make, name, equals + 1, TRUE);
    }
  else
    g_ptr_array_add (arguments->goals, (gpointer) word);
}

static char *
find_makefile (GuardMake *make, const char *file)
{
  static const char *const names[] = { "GNUmakefile", "makefile", "Makefile", NULL };

  if (file)
    return g_canonicalize_filename (file, make->folder);

  return guard_project_in_folder (make->run->project, make->folder, names);
}

void
guard_run_make (GuardRun *run)
{
  GuardMake *make = make_new (run, run->folder);
  g_autoptr (GPtrArray) goals = g_ptr_array_new ();
  g_autoptr (GPtrArray) evals = g_ptr_array_new ();
  Arguments arguments = { NULL, g_strdup (run->folder), goals, evals };
  g_autofree char *path = NULL;

  for (guint at = 1; at < run->n_argv; at++)
    read_argument (make, &arguments, &at);

  g_free (make->folder);
  make->folder = arguments.folder;
  path = find_makefile (make, arguments.file);
  make->path = g_strdup (path ? path : make->folder);
  for (guint i = 0; i < evals->len; i++)
    guard_make_read_text (make, g_ptr_array_index (evals, i));
  if (path && guard_project_inside (run->project, path))
    guard_make_read_file (make, path);

  for (guint i = 0; i < goals->len; i++)
    run_goal (make, g_ptr_array_index (goals, i));
  if (goals->len == 0 && make->goal)
    {
      g_autofree char *goal = g_strdup (make->goal);

      run_goal (make, goal);
    }

  make_free (make);
}

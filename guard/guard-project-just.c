/* A justfile's recipes and a Taskfile's commands, in the shapes people mostly write.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-project-private.h"

#include <string.h>

#define MAX_RECIPES 2048

typedef struct
{
  char *name;
  GPtrArray *needs;
  GPtrArray *lines;
  char *folder; /* a Taskfile's dir: */
  gboolean done;
} Recipe;

typedef struct _Book
{
  GuardRun *run;
  char *path;
  char *folder;
  GHashTable *variables;
  GPtrArray *recipes;
  char *first;
  guint depth;
  const char *program;
  GHashTable *modules;      /* names of other books: absolute paths */
  const char *const *names; /* what a book's file is called */
  void (*read) (struct _Book *book, const char *path);
} Book;

static void
recipe_free (Recipe *recipe)
{
  g_free (recipe->name);
  g_free (recipe->folder);
  g_ptr_array_unref (recipe->needs);
  g_ptr_array_unref (recipe->lines);
  g_free (recipe);
}

static Recipe *
add_recipe (Book *book, const char *name)
{
  Recipe *recipe;

  if (book->recipes->len >= MAX_RECIPES)
    {
      guard_project_exceed (book->run->project);
      return NULL;
    }
  recipe = g_new0 (Recipe, 1);
  recipe->name = g_strdup (name);
  recipe->needs = g_ptr_array_new_with_free_func (g_free);
  recipe->lines = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (book->recipes, recipe);
  if (!book->first)
    book->first = g_strdup (name);

  return recipe;
}

static char *
unquote (const char *text)
{
  char *copy = g_strstrip (g_strdup (text));
  gsize length = strlen (copy);

  if (length >= 2 && (copy[0] == '\'' || copy[0] == '"') && copy[length - 1] == copy[0])
    {
      copy[length - 1] = 0;
      memmove (copy, copy + 1, length - 1);
    }

  return copy;
}

/* {{name}} and {{.NAME}}: what is known, else the shell's own ${name}. */
static char *
fill (Book *book, const char *text)
{
  GString *out = g_string_new (NULL);

  while (*text)
    {
      const char *open = strstr (text, "{{");
      const char *close = open ? strstr (open, "}}") : NULL;
      g_autofree char *name = NULL;
      const char *value;

      if (!close)
        break;
      g_string_append_len (out, text, open - text);
      name = g_strstrip (g_strndup (open + 2, close - open - 2));
      value = g_hash_table_lookup (book->variables, name[0] == '.' ? name + 1 : name);
      if (value)
        g_string_append (out, value);
      else
        g_string_append (out, "${value}");
      text = close + 2;
    }
  g_string_append (out, text);

  return g_string_free (out, FALSE);
}

static void
add_line (Book *book, Recipe *recipe, const char *line)
{
  g_autofree char *name = g_strdup_printf ("%s %s", book->program, recipe->name);
  g_autofree char *text = NULL;
  g_autofree char *folder =
      g_canonicalize_filename (recipe->folder ? recipe->folder : ".", book->folder);

  line += strspn (line, "@- \t");
  text = fill (book, line);
  if (text[0])
    guard_run_add (book->run, GUARD_LANGUAGE_SHELL, text, -1, book->path, folder, name);
}

/* A recipe that begins with #! is a script of its own. */
static void
add_script (Book *book, Recipe *recipe)
{
  g_autofree char *name = g_strdup_printf ("%s %s", book->program, recipe->name);
  GString *text = g_string_new (NULL);
  g_autofree char *filled = NULL;

  for (guint i = 0; i < recipe->lines->len; i++)
    g_string_append_printf (text, "%s\n", (char *) g_ptr_array_index (recipe->lines, i));
  filled = fill (book, text->str);
  guard_run_add (book->run, guard_project_language (book->path, filled, strlen (filled)), filled,
                 -1, book->path, book->folder, name);
  g_string_free (text, TRUE);
}

static void run_module (Book *book, const char *name);

static void
run_recipe (Book *book, const char *name)
{
  gboolean found = FALSE;

  if (book->depth >= GUARD_PROJECT_MAX_DEPTH)
    {
      guard_project_exceed (book->run->project);
      return;
    }
  book->depth++;
  for (guint i = 0; i < book->recipes->len; i++)
    {
      Recipe *recipe = g_ptr_array_index (book->recipes, i);

      if (!g_str_equal (recipe->name, name))
        continue;
      found = TRUE;
      if (recipe->done)
        continue;
      recipe->done = TRUE;
      for (guint j = 0; j < recipe->needs->len; j++)
        run_recipe (book, g_ptr_array_index (recipe->needs, j));
      if (recipe->lines->len && g_str_has_prefix (recipe->lines->pdata[0], "#!"))
        add_script (book, recipe);
      else
        for (guint j = 0; j < recipe->lines->len; j++)
          add_line (book, recipe, g_ptr_array_index (recipe->lines, j));
    }
  if (!found)
    run_module (book, name);
  book->depth--;
}

static void
book_init (Book *book)
{
  book->folder = g_path_get_dirname (book->path);
  book->variables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  book->modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  book->recipes = g_ptr_array_new_with_free_func ((GDestroyNotify) recipe_free);
  book->read (book, book->path);
}

static void
book_clear (Book *book)
{
  g_free (book->path);
  g_free (book->folder);
  g_free (book->first);
  g_hash_table_unref (book->variables);
  g_hash_table_unref (book->modules);
  g_ptr_array_unref (book->recipes);
}

/* `tools::build`, `docs:build`: a recipe of another file. */
static void
run_module (Book *book, const char *name)
{
  const char *colon = strchr (name, ':');
  g_autofree char *module = colon ? g_strndup (name, colon - name) : g_strdup (name);
  const char *rest = colon ? colon + strspn (colon, ":") : "";
  Book inner = { .run = book->run,
                 .program = book->program,
                 .names = book->names,
                 .read = book->read,
                 .depth = book->depth };

  inner.path = g_strdup (g_hash_table_lookup (book->modules, module));
  if (!inner.path)
    return;
  book_init (&inner);
  if (rest[0] || inner.first)
    run_recipe (&inner, rest[0] ? rest : inner.first);
  book_clear (&inner);
}

/* The file that @where, a file or a folder, means; the first of the candidates that is there. */
static void
add_module (Book *book, const char *name, const char *where)
{
  g_autofree char *path = g_canonicalize_filename (where, book->folder);

  if (name[0] && guard_project_exists (book->run->project, path))
    {
      g_hash_table_replace (book->modules, g_strdup (name), g_steal_pointer (&path));
      return;
    }
  for (guint i = 0; name[0] && book->names[i]; i++)
    {
      g_autofree char *inside = g_build_filename (path, book->names[i], NULL);

      if (guard_project_exists (book->run->project, inside))
        {
          g_hash_table_replace (book->modules, g_strdup (name), g_steal_pointer (&inside));
          return;
        }
    }
}

static void
add_needs (Recipe *recipe, const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t,[]()&\"'", -1);

  for (guint i = 0; words[i]; i++)
    {
      if (words[i][0])
        g_ptr_array_add (recipe->needs, g_strdup (words[i]));
    }
}

/* just */

static void
just_assignment (Book *book, const char *line, const char *sign)
{
  g_autofree char *name = g_strstrip (g_strndup (line, sign - line));
  g_autofree char *value = g_strstrip (g_strdup (sign + 2));
  gsize length = strlen (value);

  if (g_str_has_prefix (name, "export "))
    memmove (name, name + 7, strlen (name + 7) + 1);
  if (length >= 2 && value[0] == '`' && value[length - 1] == '`')
    {
      value[length - 1] = 0;
      guard_run_add (book->run, GUARD_LANGUAGE_SHELL, value + 1, -1, book->path, book->folder,
                     "just");
    }
  else if (value[0] == '\'' || value[0] == '"')
    g_hash_table_replace (book->variables, g_strdup (name), unquote (value));
}

static void just_read (Book *book, const char *path);

/* mod NAME, mod NAME 'path' */
static void
just_module (Book *book, const char *text)
{
  gsize length = strcspn (text, " \t");
  g_autofree char *name = g_strndup (text, length);
  g_autofree char *path = unquote (text + length);
  g_autofree char *file = g_strdup_printf ("%s.just", name);
  g_autofree char *inside = g_strdup_printf ("%s/mod.just", name);

  if (path[0])
    {
      add_module (book, name, path);
      return;
    }
  add_module (book, name, name);
  add_module (book, name, inside);
  add_module (book, name, file);
}

static void
just_header (Book *book, const char *line, Recipe **recipe)
{
  g_autofree char *name = NULL;
  const char *colon;
  const char *sign = strstr (line, ":=");

  *recipe = NULL;
  if (line[0] == '[' || g_str_has_prefix (line, "set "))
    return;
  if (g_str_has_prefix (line, "mod ") || g_str_has_prefix (line, "mod? "))
    {
      just_module (book, strchr (line, ' ') + 1);
      return;
    }
  if (g_str_has_prefix (line, "import "))
    {
      g_autofree char *file = unquote (line + 7);
      g_autofree char *path = g_canonicalize_filename (file, book->folder);

      if (book->depth++ < GUARD_PROJECT_MAX_DEPTH &&
          guard_project_exists (book->run->project, path))
        just_read (book, path);
      book->depth--;
      return;
    }
  if (g_str_has_prefix (line, "alias ") && sign)
    {
      g_autofree char *target = g_strstrip (g_strdup (sign + 2));
      Recipe *alias;

      name = g_strstrip (g_strndup (line + 6, sign - line - 6));
      alias = add_recipe (book, name);
      if (alias)
        add_needs (alias, target);
      return;
    }
  if (sign)
    {
      just_assignment (book, line, sign);
      return;
    }

  colon = strrchr (line, ':');
  if (!colon)
    return;
  line += line[0] == '@';
  name = g_strndup (line, strcspn (line, " \t:"));
  *recipe = add_recipe (book, name);
  if (*recipe)
    add_needs (*recipe, colon + 1);
}

static void
just_read (Book *book, const char *path)
{
  gsize length;
  const char *text = guard_project_read (book->run->project, path, &length, NULL);
  g_auto (GStrv) lines = text ? g_strsplit (text, "\n", -1) : NULL;
  Recipe *recipe = NULL;

  for (guint i = 0; lines && lines[i]; i++)
    {
      GString *line;

      g_strchomp (lines[i]);
      if (lines[i][0] == 0 || (lines[i][0] == '#' && !g_ascii_isspace (lines[i][0])))
        continue;
      line = g_string_new (lines[i]);
      while (g_str_has_suffix (line->str, "\\") && lines[i + 1])
        g_string_append_printf (line, "\n%s", g_strchomp (lines[++i]));
      if (!g_ascii_isspace (line->str[0]))
        just_header (book, line->str, &recipe);
      else if (recipe)
        g_ptr_array_add (recipe->lines, g_strdup (g_strchug (line->str)));
      g_string_free (line, TRUE);
    }
}

/* Taskfile.yml: tasks, a level of indentation, their cmds and deps */

typedef struct
{
  Recipe *recipe;
  guint tasks_at;    /* how far `tasks:` is in, +1; 0 outside it */
  guint task_at;     /* how far task names are in */
  gboolean includes; /* below `includes:` */
  char *include;     /* its name, when what follows says where it lies */
  char section;      /* 'c' cmds, 'd' deps, 'v' variables, 's' status and preconditions, 0 other */
  guint section_at;
} TaskReader;

static guint
indentation (const char *line)
{
  return strspn (line, " ");
}

static void
task_command (Book *book, TaskReader *reader, const char *item)
{
  static const char *const keys[] = { "cmd:", "sh:", "task:", NULL };
  g_autofree char *text = NULL;

  for (guint i = 0; keys[i]; i++)
    {
      if (!g_str_has_prefix (item, keys[i]))
        continue;
      text = unquote (item + strlen (keys[i]));
      if (keys[i][0] == 't')
        {
          /* In place: what a task runs is run where it stands. */
          g_ptr_array_add (reader->recipe->needs, g_strdup (text));
          return;
        }
      g_ptr_array_add (reader->recipe->lines, g_steal_pointer (&text));
      return;
    }

  text = unquote (item);
  if (reader->section == 'd')
    add_needs (reader->recipe, text);
  else if (reader->section == 'c' && !g_str_has_prefix (text, "for:") &&
           !g_str_has_prefix (text, "defer:"))
    g_ptr_array_add (reader->recipe->lines, g_steal_pointer (&text));
  else if (g_str_has_prefix (text, "defer:"))
    g_ptr_array_add (reader->recipe->lines, unquote (text + 6));
}

/* cmd: |  and  - |: what is further in is one text. */
static char *
block_text (char **lines, guint *at)
{
  guint indent = indentation (lines[*at]);
  GString *text = g_string_new (NULL);

  while (lines[*at + 1] && (indentation (lines[*at + 1]) > indent ||
                            strspn (lines[*at + 1], " \t\r") == strlen (lines[*at + 1])))
    {
      (*at)++;
      g_string_append_printf (text, "%s\n", lines[*at] + indentation (lines[*at]));
    }

  return g_string_free (text, FALSE);
}

static gboolean
is_block (const char *value)
{
  return value[0] == '|' || value[0] == '>';
}

static void
task_key (Book *book, TaskReader *reader, char **lines, guint *at)
{
  const char *line = lines[*at] + indentation (lines[*at]);
  const char *colon = strchr (line, ':');
  g_autofree char *key = colon ? g_strndup (line, colon - line) : NULL;
  g_autofree char *value = colon ? g_strstrip (g_strdup (colon + 1)) : NULL;

  if (!key)
    return;
  reader->section = 0;
  reader->section_at = indentation (lines[*at]);
  if (g_str_equal (key, "cmds") || g_str_equal (key, "cmd"))
    reader->section = 'c';
  else if (g_str_equal (key, "deps"))
    reader->section = 'd';
  else if (g_str_equal (key, "status") || g_str_equal (key, "preconditions") ||
           g_str_equal (key, "vars") || g_str_equal (key, "env"))
    reader->section = 's';
  else if (g_str_equal (key, "dir"))
    reader->recipe->folder = unquote (value);

  if (reader->section == 'd' && value[0])
    add_needs (reader->recipe, value);
  else if (reader->section == 's' && value[0] == '[')
    {
      g_auto (GStrv) items = g_strsplit_set (value, "[],", -1);

      for (guint i = 0; items[i]; i++)
        if (items[i][0])
          g_ptr_array_add (reader->recipe->lines, unquote (items[i]));
    }
  else if (reader->section == 'c' && is_block (value))
    {
      g_autofree char *text = block_text (lines, at);

      g_ptr_array_add (reader->recipe->lines, g_steal_pointer (&text));
    }
  else if (reader->section == 'c' && value[0])
    task_command (book, reader, value);
}

static void
task_item (Book *book, TaskReader *reader, char **lines, guint *at)
{
  g_autofree char *item = g_strstrip (g_strdup (lines[*at] + indentation (lines[*at]) + 1));

  if (is_block (item) || g_str_equal (item, "cmd: |") || g_str_equal (item, "cmd: >"))
    {
      g_autofree char *text = block_text (lines, at);

      g_ptr_array_add (reader->recipe->lines, g_steal_pointer (&text));
    }
  else
    task_command (book, reader, item);
}

/* NAME: path, or NAME: with `taskfile: path` below it. */
static void
task_include (Book *book, TaskReader *reader, const char *line)
{
  const char *colon = strchr (line, ':');
  g_autofree char *key = colon ? g_strstrip (g_strndup (line, colon - line)) : NULL;
  g_autofree char *value = colon ? unquote (colon + 1) : NULL;

  if (!key || strstr (value, "://"))
    return;
  if (g_str_equal (key, "taskfile") && reader->include)
    add_module (book, reader->include, value);
  else if (value[0] == 0)
    {
      g_free (reader->include);
      reader->include = unquote (key);
    }
  else if (!g_strv_contains ((const char *const[]){ "dir", "optional", "internal", "flatten",
                                                    "aliases", "vars", "excludes", NULL },
                             key))
    add_module (book, key, value);
}

static void
task_line (Book *book, TaskReader *reader, char **lines, guint *at)
{
  char *line = lines[*at];
  guint indent = indentation (line);
  const char *colon;

  if (indent == 0)
    {
      reader->tasks_at = g_str_has_prefix (line, "tasks:") ? 1 : 0;
      reader->includes = g_str_has_prefix (line, "includes:");
      reader->task_at = 0;
      reader->recipe = NULL;
      return;
    }
  if (reader->includes)
    {
      task_include (book, reader, line);
      return;
    }
  if (!reader->tasks_at)
    {
      /* Global vars: NAME: value */
      colon = strchr (line, ':');
      if (colon && colon[1] == ' ' && !strstr (line, "sh:"))
        g_hash_table_replace (book->variables, g_strstrip (g_strndup (line, colon - line)),
                              unquote (colon + 1));
      else if (strstr (line, "sh:"))
        {
          g_autofree char *shell = unquote (strstr (line, "sh:") + 3);

          guard_run_add (book->run, GUARD_LANGUAGE_SHELL, shell, -1, book->path, book->folder,
                         "task");
        }
      return;
    }
  if (!reader->task_at)
    reader->task_at = indent;
  if (indent == reader->task_at && line[indent] != '-')
    {
      g_autofree char *name = NULL;
      g_autofree char *value = NULL;

      colon = strrchr (line, ':');
      for (const char *at_colon = line; (at_colon = strchr (at_colon, ':')); at_colon++)
        if (at_colon[1] == 0 || at_colon[1] == ' ')
          {
            colon = at_colon;
            break;
          }
      if (!colon)
        return;
      name = g_strndup (line, colon - line);
      value = unquote (name);
      reader->recipe = add_recipe (book, value);
      reader->section = 'c';
      g_free (value);
      value = unquote (colon + 1);
      if (reader->recipe && value[0] && is_block (value))
        g_ptr_array_add (reader->recipe->lines, block_text (lines, at));
      else if (reader->recipe && value[0])
        task_command (book, reader, value);
    }
  else if (!reader->recipe)
    return;
  else if (line[indent] == '-')
    task_item (book, reader, lines, at);
  else if (reader->section && indent > reader->section_at && reader->section_at > reader->task_at)
    {
      const char *shell = g_str_has_prefix (line + indent, "sh:")    ? line + indent + 3
                          : g_str_has_prefix (line + indent, "cmd:") ? line + indent + 4
                                                                     : NULL;

      if (shell)
        g_ptr_array_add (reader->recipe->lines, unquote (shell));
      else if (g_str_has_prefix (line + indent, "task:"))
        g_ptr_array_add (reader->recipe->needs, unquote (line + indent + 5));
    }
  else
    task_key (book, reader, lines, at);
}

static void
task_read (Book *book, const char *path)
{
  gsize length;
  const char *text = guard_project_read (book->run->project, path, &length, NULL);
  g_auto (GStrv) lines = text ? g_strsplit (text, "\n", -1) : NULL;
  TaskReader reader = { 0 };

  for (guint i = 0; lines && lines[i]; i++)
    {
      g_strchomp (lines[i]);
      if (lines[i][indentation (lines[i])] != 0 && lines[i][indentation (lines[i])] != '#')
        task_line (book, &reader, lines, &i);
    }
  g_free (reader.include);
  g_clear_pointer (&book->first, g_free);
  book->first = g_strdup ("default");
}

/* Both */

static void
run_book (GuardRun *run,
          const char *const *names,
          const char *const *file_options,
          const char *const *folder_options,
          void (*read) (Book *book, const char *path))
{
  Book book = { .run = run, .program = run->runner, .names = names, .read = read };
  g_autoptr (GPtrArray) goals = g_ptr_array_new ();
  g_autofree char *folder = g_strdup (run->folder);

  for (guint at = 1; at < run->n_argv; at++)
    {
      const char *word = run->argv[at];
      const char *value;

      if (!word)
        continue;
      if (g_str_equal (word, "--"))
        break;
      if ((value = guard_run_option (run, &at, file_options)))
        {
          g_free (book.path);
          book.path = g_canonicalize_filename (value, run->folder);
        }
      else if ((value = guard_run_option (run, &at, folder_options)))
        {
          g_free (folder);
          folder = g_canonicalize_filename (value, run->folder);
        }
      else if (g_strv_contains ((const char *const[]){ "-l", "--list", "--list-all", "-a", "-n",
                                                       "--dry", "--dry-run", "--summary", "--show",
                                                       "-s", "--dump", "--fmt", "--evaluate",
                                                       NULL },
                                word) &&
               !(g_str_equal (word, "-s") && run->runner[0] == 't'))
        {
          g_free (book.path);
          return;
        }
      else if (word[0] != '-' && !strchr (word, '='))
        g_ptr_array_add (goals, (gpointer) word);
    }

  if (!book.path)
    book.path = guard_project_find_up (run->project, folder, names);
  if (!book.path)
    return;

  book_init (&book);
  for (guint i = 0; i < goals->len; i++)
    {
      const char *goal = g_ptr_array_index (goals, i);

      /* `just tools build` */
      if (i + 1 < goals->len && g_hash_table_contains (book.modules, goal))
        {
          g_autofree char *both = g_strdup_printf ("%s::%s", goal, (char *) goals->pdata[i + 1]);

          run_module (&book, both);
          i++;
          continue;
        }
      run_recipe (&book, goal);
    }
  if (goals->len == 0 && book.first)
    run_recipe (&book, book.first);
  book_clear (&book);
}

void
guard_run_just (GuardRun *run)
{
  static const char *const names[] = { "justfile", "Justfile", ".justfile", "JUSTFILE", NULL };
  static const char *const files[] = { "-f", "--justfile", NULL };
  static const char *const folders[] = { "-d", "--working-directory", NULL };

  run_book (run, names, files, folders, just_read);
}

void
guard_run_task (GuardRun *run)
{
  static const char *const names[] = {
    "Taskfile.yml",       "taskfile.yml",       "Taskfile.yaml",
    "taskfile.yaml",      "Taskfile.dist.yml",  "taskfile.dist.yml",
    "Taskfile.dist.yaml", "taskfile.dist.yaml", NULL
  };
  static const char *const files[] = { "-t", "--taskfile", NULL };
  static const char *const folders[] = { "-d", "--dir", NULL };

  run_book (run, names, files, folders, task_read);
}

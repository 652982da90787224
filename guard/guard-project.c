/* What a project runs: the files, read once and pinned, and which reader answers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-project-private.h"

#include "guard.h"

#include <stdlib.h>
#include <string.h>

/* More names than this in one folder are not looked through. */
#define MAX_NAMES 1024

typedef struct
{
  char *text;
  gsize length;
  gboolean truncated;
  char *hash;
} Entry;

struct _GuardProject
{
  const GuardFiles *files;
  const char *root;
  GHashTable *entries;
  guint n_read;
  guint n_bodies;
  gsize n_text;
  gboolean exceeded;
};

static void
entry_free (Entry *entry)
{
  g_free (entry->text);
  g_free (entry->hash);
  g_free (entry);
}

GuardProject *
guard_project_new (const GuardFiles *files, const char *root)
{
  GuardProject *project = g_new0 (GuardProject, 1);

  project->files = files;
  project->root = root;
  project->entries =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) entry_free);

  return project;
}

void
guard_project_free (GuardProject *project)
{
  g_hash_table_unref (project->entries);
  g_free (project);
}

void
guard_body_free (GuardBody *body)
{
  g_free (body->text);
  g_free (body->path);
  g_free (body->folder);
  g_free (body->name);
  g_free (body);
}

gboolean
guard_project_inside (GuardProject *project, const char *path)
{
  gsize length = strlen (project->root);

  return strncmp (path, project->root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

void
guard_project_exceed (GuardProject *project)
{
  project->exceeded = TRUE;
}

gboolean
guard_project_get_exceeded (GuardProject *project)
{
  return project->exceeded;
}

static Entry *
read_entry (GuardProject *project, const char *path)
{
  Entry *entry = g_new0 (Entry, 1);

  /* One byte more than is read, to know that there is more. */
  entry->text =
      project->files->read (project->files, path, GUARD_MAX_FILE_SIZE + 1, &entry->length);
  if (!entry->text)
    {
      entry->hash = g_strdup ("-");
      return entry;
    }

  entry->hash =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *) entry->text, entry->length);
  if (entry->length > GUARD_MAX_FILE_SIZE)
    {
      entry->truncated = TRUE;
      entry->length = GUARD_MAX_FILE_SIZE;
    }
  entry->text = g_realloc (entry->text, entry->length + 1);
  entry->text[entry->length] = 0;

  return entry;
}

const char *
guard_project_read (GuardProject *project, const char *path, gsize *length, gboolean *truncated)
{
  Entry *entry;

  *length = 0;
  if (truncated)
    *truncated = FALSE;
  if (!project->files || !guard_project_inside (project, path))
    return NULL;

  entry = g_hash_table_lookup (project->entries, path);
  if (!entry)
    {
      if (project->n_read >= GUARD_MAX_FILES)
        {
          project->exceeded = TRUE;
          return NULL;
        }
      entry = read_entry (project, path);
      if (entry->text)
        project->n_read++;
      g_hash_table_insert (project->entries, g_strdup (path), entry);
    }

  *length = entry->length;
  if (truncated)
    *truncated = entry->truncated;
  else if (entry->truncated)
    /* Who doesn't ask would take the beginning for the whole. */
    project->exceeded = TRUE;
  return entry->text;
}

GPtrArray *
guard_project_get_pins (GuardProject *project)
{
  GPtrArray *pins = g_ptr_array_new_with_free_func (g_free);
  GList *paths = g_list_sort (g_hash_table_get_keys (project->entries), (GCompareFunc) strcmp);

  for (GList *l = paths; l; l = l->next)
    {
      Entry *entry = g_hash_table_lookup (project->entries, l->data);

      g_ptr_array_add (pins, g_strdup_printf ("%s\t%s", (char *) l->data, entry->hash));
    }
  g_list_free (paths);

  return pins;
}

gboolean
guard_project_exists (GuardProject *project, const char *path)
{
  GuardFileType type;

  if (!project->files || !guard_project_inside (project, path))
    return FALSE;

  type = project->files->stat (project->files, path, NULL, NULL);
  return type == GUARD_FILE_REGULAR || type == GUARD_FILE_LINK;
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char **
guard_project_list (GuardProject *project, const char *path)
{
  char **names;

  if (!project->files || !guard_project_inside (project, path))
    return NULL;

  names = project->files->list (project->files, path, MAX_NAMES);
  /* The disk's order is nobody's: a verdict must not depend on it. */
  if (names)
    qsort (names, g_strv_length (names), sizeof (char *), compare_names);

  return names;
}

char *
guard_project_in_folder (GuardProject *project, const char *folder, const char *const *names)
{
  for (guint i = 0; names[i]; i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      if (guard_project_exists (project, path))
        return g_steal_pointer (&path);
    }

  return NULL;
}

char *
guard_project_find_up (GuardProject *project, const char *folder, const char *const *names)
{
  g_autofree char *at = g_strdup (folder);

  while (guard_project_inside (project, at))
    {
      char *path = guard_project_in_folder (project, at, names);
      char *parent;

      if (path)
        return path;
      parent = g_path_get_dirname (at);
      if (strlen (parent) >= strlen (at))
        {
          g_free (parent);
          break;
        }
      g_free (at);
      at = parent;
    }

  return NULL;
}

GuardJson *
guard_project_read_json (GuardProject *project, const char *path)
{
  gsize length;
  gboolean truncated;
  const char *text = guard_project_read (project, path, &length, &truncated);

  if (truncated)
    {
      project->exceeded = TRUE;
      return NULL;
    }

  return text ? guard_json_read (text, length, g_str_has_suffix (path, ".jsonc")) : NULL;
}

static gboolean
has_room (GuardProject *project, gsize length)
{
  if (project->n_bodies >= GUARD_PROJECT_MAX_BODIES ||
      project->n_text + length > GUARD_PROJECT_MAX_TEXT)
    {
      project->exceeded = TRUE;
      return FALSE;
    }

  project->n_bodies++;
  project->n_text += length;
  return TRUE;
}

void
guard_run_add (GuardRun *run,
               GuardLanguage language,
               const char *text,
               gssize length,
               const char *path,
               const char *folder,
               const char *name)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  GuardBody *body;

  if (!has_room (run->project, size))
    return;

  body = g_new0 (GuardBody, 1);
  body->language = language;
  body->text = g_malloc (size + 1);
  memcpy (body->text, text, size);
  body->text[size] = 0;
  body->length = size;
  body->path = g_strdup (path);
  body->folder = g_strdup (folder);
  body->name = g_strdup (name);
  g_ptr_array_add (run->bodies, body);
}

void
guard_run_add_file (GuardRun *run, const char *path, const char *folder, const char *name)
{
  gsize length;
  gboolean truncated;
  guint before = run->bodies->len;
  const char *text = guard_project_read (run->project, path, &length, &truncated);
  GuardLanguage language;

  if (!text)
    return;

  language = guard_project_language (path, text, length);
  if (language == GUARD_LANGUAGE_BINARY)
    length = 0;
  guard_run_add (run, language, text, length, path, folder, name);
  if (run->bodies->len > before && language != GUARD_LANGUAGE_BINARY)
    ((GuardBody *) g_ptr_array_index (run->bodies, before))->truncated = truncated;
}

const char *
guard_run_option (GuardRun *run, guint *at, const char *const *names)
{
  const char *word = run->argv[*at];

  if (!word || word[0] != '-')
    return NULL;

  for (guint i = 0; names[i]; i++)
    {
      gsize length = strlen (names[i]);

      if (strncmp (word, names[i], length) != 0)
        continue;
      if (word[length] == '=')
        return word + length + 1;
      if (word[length] == 0)
        {
          if (*at + 1 >= run->n_argv || !run->argv[*at + 1])
            return NULL;
          return run->argv[++*at];
        }
      /* -Cdir, the value glued to a short option */
      if (length == 2 && names[i][1] != '-')
        return word + 2;
    }

  return NULL;
}

char *
guard_run_quote_rest (GuardRun *run, guint from)
{
  GString *text = g_string_new (NULL);

  for (guint i = from; i < run->n_argv; i++)
    {
      g_autofree char *quoted = run->argv[i] ? g_shell_quote (run->argv[i]) : NULL;

      g_string_append_c (text, ' ');
      g_string_append (text, quoted ? quoted : "\"$1\"");
    }

  return g_string_free (text, FALSE);
}

typedef struct
{
  const char *name;
  GuardLanguage language;
} LanguageName;

static const LanguageName interpreters[] = {
  { "sh", GUARD_LANGUAGE_SHELL },
  { "bash", GUARD_LANGUAGE_SHELL },
  { "dash", GUARD_LANGUAGE_SHELL },
  { "ash", GUARD_LANGUAGE_SHELL },
  { "ksh", GUARD_LANGUAGE_SHELL },
  { "zsh", GUARD_LANGUAGE_SHELL },
  { "python", GUARD_LANGUAGE_PYTHON },
  { "pypy", GUARD_LANGUAGE_PYTHON },
  { "uv", GUARD_LANGUAGE_PYTHON },
  { "node", GUARD_LANGUAGE_JAVASCRIPT },
  { "nodejs", GUARD_LANGUAGE_JAVASCRIPT },
  { "deno", GUARD_LANGUAGE_JAVASCRIPT },
  { "bun", GUARD_LANGUAGE_JAVASCRIPT },
  { "tsx", GUARD_LANGUAGE_JAVASCRIPT },
  { "ts-node", GUARD_LANGUAGE_JAVASCRIPT },
  { "zx", GUARD_LANGUAGE_JAVASCRIPT },
  { "ruby", GUARD_LANGUAGE_RUBY },
  { "perl", GUARD_LANGUAGE_PERL },
  { "php", GUARD_LANGUAGE_PHP },
  { "awk", GUARD_LANGUAGE_AWK },
  { "gawk", GUARD_LANGUAGE_AWK },
  { "mawk", GUARD_LANGUAGE_AWK },
  { "sed", GUARD_LANGUAGE_SED },
  { "lua", GUARD_LANGUAGE_LUA },
  { "luajit", GUARD_LANGUAGE_LUA },
  { NULL, 0 },
};

static const LanguageName extensions[] = {
  { ".sh", GUARD_LANGUAGE_SHELL },       { ".bash", GUARD_LANGUAGE_SHELL },
  { ".py", GUARD_LANGUAGE_PYTHON },      { ".js", GUARD_LANGUAGE_JAVASCRIPT },
  { ".mjs", GUARD_LANGUAGE_JAVASCRIPT }, { ".cjs", GUARD_LANGUAGE_JAVASCRIPT },
  { ".ts", GUARD_LANGUAGE_JAVASCRIPT },  { ".mts", GUARD_LANGUAGE_JAVASCRIPT },
  { ".cts", GUARD_LANGUAGE_JAVASCRIPT }, { ".jsx", GUARD_LANGUAGE_JAVASCRIPT },
  { ".tsx", GUARD_LANGUAGE_JAVASCRIPT }, { ".rb", GUARD_LANGUAGE_RUBY },
  { ".pl", GUARD_LANGUAGE_PERL },        { ".php", GUARD_LANGUAGE_PHP },
  { ".awk", GUARD_LANGUAGE_AWK },        { ".sed", GUARD_LANGUAGE_SED },
  { ".lua", GUARD_LANGUAGE_LUA },        { NULL, 0 },
};

/* "python3.12" is python: digits and dots at the end are a version. */
static GuardLanguage
interpreter_language (const char *program)
{
  g_autofree char *base = g_path_get_basename (program);
  gsize length = strlen (base);

  while (length > 1 && (g_ascii_isdigit (base[length - 1]) || base[length - 1] == '.'))
    length--;
  base[length] = 0;

  for (guint i = 0; interpreters[i].name; i++)
    {
      if (g_str_equal (base, interpreters[i].name))
        return interpreters[i].language;
    }

  return GUARD_LANGUAGE_OTHER;
}

static GuardLanguage
shebang_language (const char *text, gsize length)
{
  const char *end = memchr (text, '\n', MIN (length, 256));
  g_autofree char *line = g_strndup (text + 2, (end ? end : text + MIN (length, 256)) - text - 2);
  g_auto (GStrv) words = g_strsplit_set (line, " \t\r", -1);
  gboolean env = FALSE;

  for (guint i = 0; words[i]; i++)
    {
      g_autofree char *base = NULL;

      if (words[i][0] == 0)
        continue;
      base = g_path_get_basename (words[i]);
      if (!env && g_str_equal (base, "env"))
        env = TRUE;
      else if (!env || (words[i][0] != '-' && !strchr (words[i], '=')))
        return interpreter_language (words[i]);
    }

  return GUARD_LANGUAGE_OTHER;
}

/* A shell takes a text for a script unless its first line holds a NUL: one further on would
 * only hide the script. */
static gboolean
is_binary (const char *text, gsize length)
{
  static const char *const magic[] = { "\177ELF",          "\xfe\xed\xfa",     "\xce\xfa\xed\xfe",
                                       "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "MZ" };
  const char *end = memchr (text, '\n', length);

  for (guint i = 0; i < G_N_ELEMENTS (magic); i++)
    if (length >= strlen (magic[i]) && memcmp (text, magic[i], strlen (magic[i])) == 0)
      return TRUE;
  return memchr (text, 0, end ? (gsize) (end - text) : length) != NULL;
}

GuardLanguage
guard_project_language (const char *path, const char *text, gsize length)
{
  if (length >= 2 && text[0] == '#' && text[1] == '!')
    return shebang_language (text, length);

  if (is_binary (text, length))
    return GUARD_LANGUAGE_BINARY;

  for (guint i = 0; extensions[i].name; i++)
    {
      if (g_str_has_suffix (path, extensions[i].name))
        return extensions[i].language;
    }

  /* The kernel turns down a text without a first line that names a program;
   * whoever started it then hands it to sh. */
  return GUARD_LANGUAGE_SHELL;
}

static void
run_script (GuardRun *run)
{
  g_autofree char *path = NULL;

  if (run->n_argv == 0 || !run->argv[0])
    return;

  path = g_canonicalize_filename (run->argv[0], run->folder);
  guard_run_add_file (run, path, run->folder, run->argv[0]);
}

static const struct
{
  const char *runner;
  void (*run) (GuardRun *run);
} readers[] = {
  { "npm", guard_run_packages },        { "yarn", guard_run_packages },
  { "pnpm", guard_run_packages },       { "bun", guard_run_packages },
  { "node-run", guard_run_packages },   { "workspaces", guard_run_packages },
  { "run-all", guard_run_packages },    { "deno", guard_run_deno },
  { "composer", guard_run_composer },   { "make", guard_run_make },
  { "just", guard_run_just },           { "task", guard_run_task },
  { "git-alias", guard_run_git_alias }, { "script", run_script },
};

GPtrArray *
guard_project_bodies (GuardProject *project,
                      const char *runner,
                      const char *const *argv,
                      guint n_argv,
                      const char *folder)
{
  GPtrArray *bodies = g_ptr_array_new_with_free_func ((GDestroyNotify) guard_body_free);
  GuardRun run = { project, runner, argv, n_argv, folder, bodies };

  if (!project->files || !guard_project_inside (project, folder))
    return bodies;

  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      if (g_str_equal (readers[i].runner, runner))
        readers[i].run (&run);
    }

  return bodies;
}

gboolean
guard_project_has (GuardProject *project, const char *runner, const char *name, const char *folder)
{
  const char *argv[] = { runner, name };
  g_autoptr (GPtrArray) bodies = NULL;

  if (g_str_equal (runner, "yarn") || g_str_equal (runner, "pnpm") || g_str_equal (runner, "bun") ||
      g_str_equal (runner, "npm"))
    return guard_packages_have (project, runner, name, folder);

  if (g_str_equal (runner, "git-alias"))
    bodies = guard_project_bodies (project, runner, argv + 1, 1, folder);
  else
    bodies = guard_project_bodies (project, runner, argv, 2, folder);

  return bodies->len > 0;
}

/* The scripts of package.json, as npm, yarn, pnpm, bun and those that run them together do.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-project-private.h"

#include <string.h>

typedef struct
{
  GuardRun *run;
  const char *verb;   /* the first word that is no option */
  GPtrArray *names;   /* the other words up to `rest` */
  guint rest;         /* where the script's own arguments begin */
  GPtrArray *filters; /* members of the workspace */
  gboolean all;       /* every member */
  gboolean root_too;  /* and the root */
  gboolean bare;      /* no pre and post scripts */
  char *folder;
} Call;

static const char *const folder_options[] = { "--prefix", "-C", "--dir", "--cwd", NULL };
static const char *const member_options[] = { "--workspace", "-w", "--filter", "-F", NULL };
static const char *const value_options[] = { "--registry",    "--loglevel",     "--cache",
                                             "--userconfig",  "--script-shell", "--tag",
                                             "--otp",         "--scope",        "--omit",
                                             "--include",     "--reporter",     "--network-timeout",
                                             "--concurrency", "--config",       NULL };

/* Words that the runner itself knows, so that they never mean a script. */
static const char *const yarn_words[] = { "add",        "audit",
                                          "autoclean",  "bin",
                                          "cache",      "check",
                                          "config",     "constraints",
                                          "create",     "dedupe",
                                          "dlx",        "exec",
                                          "explain",    "generate-lock-entry",
                                          "global",     "help",
                                          "import",     "info",
                                          "init",       "install",
                                          "licenses",   "link",
                                          "list",       "login",
                                          "logout",     "node",
                                          "npm",        "outdated",
                                          "owner",      "pack",
                                          "patch",      "plugin",
                                          "policies",   "publish",
                                          "rebuild",    "remove",
                                          "search",     "set",
                                          "stage",      "tag",
                                          "team",       "unlink",
                                          "unplug",     "up",
                                          "upgrade",    "upgrade-interactive",
                                          "version",    "versions",
                                          "why",        "workspace",
                                          "workspaces", NULL };
static const char *const pnpm_words[] = {
  "add",          "audit",     "bin",          "c",        "cache",    "cat-file",
  "config",       "create",    "dedupe",       "deploy",   "dlx",      "doctor",
  "env",          "exec",      "fetch",        "help",     "i",        "import",
  "init",         "install",   "install-test", "it",       "licenses", "link",
  "list",         "ln",        "ls",           "outdated", "pack",     "patch",
  "patch-commit", "prune",     "publish",      "rb",       "rebuild",  "remove",
  "rm",           "root",      "self-update",  "server",   "setup",    "store",
  "un",           "uninstall", "unlink",       "up",       "update",   "upgrade",
  "why",          NULL
};
static const char *const bun_words[] = { "add",    "audit",    "build", "create",  "exec",
                                         "help",   "info",     "init",  "install", "i",
                                         "link",   "outdated", "patch", "pm",      "publish",
                                         "remove", "rm",       "repl",  "test",    "unlink",
                                         "update", "upgrade",  "why",   "x",       NULL };
static const char *const install_scripts[] = { "preinstall", "install", "postinstall", "prepublish",
                                               "preprepare", "prepare", "postprepare", NULL };

static char *
find_package (GuardProject *project, const char *folder)
{
  static const char *const names[] = { "package.json", NULL };

  return guard_project_find_up (project, folder, names);
}

static void
add_script (Call *call,
            const GuardJsonNode *scripts,
            const char *script,
            const char *path,
            const char *arguments)
{
  const char *text = guard_json_string (scripts, script);
  g_autofree char *name = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *folder = NULL;

  if (!text)
    return;

  whole = g_strconcat (text, arguments, NULL);
  name = g_strdup_printf ("%s run %s",
                          g_str_equal (call->run->runner, "run-all") ||
                                  g_str_equal (call->run->runner, "workspaces") ||
                                  g_str_equal (call->run->runner, "node-run")
                              ? "npm"
                              : call->run->runner,
                          script);
  folder = g_path_get_dirname (path);
  guard_run_add (call->run, GUARD_LANGUAGE_SHELL, whole, -1, path, folder, name);
}

/* A script with what runs before and after it. */
static void
add_with_hooks (Call *call,
                const GuardJsonNode *scripts,
                const char *script,
                const char *path,
                const char *arguments)
{
  g_autofree char *pre = g_strconcat ("pre", script, NULL);
  g_autofree char *post = g_strconcat ("post", script, NULL);

  if (!guard_json_string (scripts, script))
    return;

  if (!call->bare)
    add_script (call, scripts, pre, path, "");
  add_script (call, scripts, script, path, arguments);
  if (!call->bare)
    add_script (call, scripts, post, path, "");
}

static void
add_matching (Call *call, const GuardJsonNode *scripts, const char *pattern, const char *path)
{
  g_auto (GStrv) words = g_strsplit (pattern, " ", 2);
  g_autofree char *arguments =
      words[0] && words[1]
          ? g_strconcat (" ", g_str_has_prefix (words[1], "-- ") ? words[1] + 3 : words[1], NULL)
          : g_strdup ("");

  if (!words[0] || !scripts || scripts->type != GUARD_JSON_OBJECT)
    return;

  for (const GuardJsonNode *member = scripts->first; member; member = member->next)
    {
      if (g_pattern_match_simple (words[0], member->key))
        add_with_hooks (call, scripts, member->key, path, arguments);
    }
}

/* The nearest package.json at or above @folder, and what @names say of it. */
static void
add_from_folder (Call *call, const char *folder, const char *const *names, const char *arguments)
{
  GuardProject *project = call->run->project;
  g_autofree char *path = find_package (project, folder);
  g_autoptr (GuardJson) json = path ? guard_project_read_json (project, path) : NULL;
  const GuardJsonNode *scripts;

  if (!json)
    return;

  scripts = guard_json_member (guard_json_get_root (json), "scripts");
  for (guint i = 0; names[i]; i++)
    {
      if (g_str_equal (call->run->runner, "run-all"))
        add_matching (call, scripts, names[i], path);
      else if (names == install_scripts)
        add_script (call, scripts, names[i], path, "");
      else
        add_with_hooks (call, scripts, names[i], path, arguments);
    }

  /* npm's own idea of a start script. */
  if (g_str_equal (names[0], "start") && !guard_json_string (scripts, "start"))
    {
      g_autofree char *base = g_path_get_dirname (path);
      g_autofree char *server = g_build_filename (base, "server.js", NULL);

      if (guard_project_exists (project, server))
        guard_run_add (call->run, GUARD_LANGUAGE_SHELL, "node server.js", -1, path, base,
                       "npm start");
    }
}

static void
add_scripts (Call *call, const char *const *names, const char *arguments)
{
  GuardProject *project = call->run->project;

  if (!call->all && call->filters->len == 0)
    {
      add_from_folder (call, call->folder, names, arguments);
      return;
    }

  if (call->root_too)
    add_from_folder (call, call->folder, names, arguments);

  for (guint i = 0; i < MAX (call->filters->len, 1); i++)
    {
      const char *filter = call->filters->len ? g_ptr_array_index (call->filters, i) : "*";
      g_autoptr (GPtrArray) members =
          guard_workspaces_match (project, call->folder, call->all ? "*" : filter);

      for (guint j = 0; j < members->len; j++)
        add_from_folder (call, g_ptr_array_index (members, j), names, arguments);
    }
}

static void
set_folder (Call *call, const char *relative)
{
  char *folder = g_canonicalize_filename (relative, call->folder);

  g_free (call->folder);
  call->folder = folder;
}

static gboolean
is_any (const char *word, const char *const *words)
{
  return word && g_strv_contains (words, word);
}

/* Options before a script's name. pnpm's -w is a switch, npm's takes a member. */
static gboolean
read_option (Call *call, guint *at)
{
  GuardRun *run = call->run;
  const char *word = run->argv[*at];
  gboolean pnpm = g_str_equal (run->runner, "pnpm");
  const char *value;

  if (!word)
    return FALSE;
  if (word[0] != '-' || word[1] == 0)
    return FALSE;

  if (pnpm && is_any (word, (const char *[]){ "-w", "--workspace-root", NULL }))
    return TRUE;
  if (is_any (word, (const char *[]){ "-r", "--recursive", "-ws", "--workspaces", "-A", "--all",
                                      "--since", NULL }))
    call->all = TRUE;
  else if (is_any (word, (const char *[]){ "--include-workspace-root", "-iwr", NULL }))
    call->root_too = TRUE;
  else if (g_str_equal (word, "--ignore-scripts"))
    call->bare = TRUE;
  else if ((value = guard_run_option (run, at, folder_options)))
    set_folder (call, value);
  else if ((value = guard_run_option (run, at, member_options)))
    g_ptr_array_add (call->filters, (gpointer) value);
  else
    guard_run_option (run, at, value_options);

  return TRUE;
}

static gboolean
takes_script (const char *runner, const char *verb)
{
  static const char *const run_words[] = { "run", "run-script", "rum", "urn", NULL };

  return is_any (verb, run_words);
}

/* npm looks for its own options on both sides of a script's name; the others
 * leave what follows it to the script. */
static void
read_call (Call *call, guint from)
{
  GuardRun *run = call->run;
  gboolean npm = g_str_equal (run->runner, "npm");
  guint at;

  for (at = from; at < run->n_argv; at++)
    {
      const char *word = run->argv[at];

      if (word && g_str_equal (word, "--"))
        {
          at++;
          break;
        }
      if (read_option (call, &at))
        continue;
      if (!call->verb)
        {
          call->verb = word ? word : "";
          if (!npm && !takes_script (run->runner, call->verb))
            {
              at++;
              break;
            }
          continue;
        }
      g_ptr_array_add (call->names, (gpointer) (word ? word : ""));
      if (!npm && takes_script (run->runner, call->verb))
        {
          at++;
          break;
        }
    }

  call->rest = at;
}

static char *
rest_arguments (Call *call, guint names_from)
{
  GString *text = g_string_new (NULL);
  g_autofree char *rest = guard_run_quote_rest (call->run, call->rest);

  for (guint i = names_from; i < call->names->len; i++)
    {
      g_autofree char *quoted = g_shell_quote (g_ptr_array_index (call->names, i));

      g_string_append_c (text, ' ');
      g_string_append (text, quoted);
    }
  g_string_append (text, rest);

  return g_string_free (text, FALSE);
}

static void
add_one (Call *call, const char *name, guint names_from)
{
  const char *names[] = { name, NULL };
  g_autofree char *arguments = rest_arguments (call, names_from);

  add_scripts (call, names, arguments);
}

static void
run_npm (Call *call)
{
  static const char *const tests[] = { "test", "t", "tst", NULL };
  static const char *const installs[] = { "install",
                                          "i",
                                          "in",
                                          "ins",
                                          "inst",
                                          "insta",
                                          "instal",
                                          "isnt",
                                          "isnta",
                                          "isntal",
                                          "isntall",
                                          "ci",
                                          "clean-install",
                                          "ic",
                                          "install-clean",
                                          "isntall-clean",
                                          "it",
                                          "install-test",
                                          "cit",
                                          "install-ci-test",
                                          NULL };
  static const char *const with_test[] = { "it", "install-test", "cit", "install-ci-test", NULL };
  static const char *const pack[] = { "prepack", "prepare", "postpack", NULL };
  const char *verb = call->verb;

  if (!verb)
    return;

  if (takes_script ("npm", verb) && call->names->len > 0)
    add_one (call, g_ptr_array_index (call->names, 0), 1);
  else if (is_any (verb, tests))
    add_one (call, "test", 0);
  else if (is_any (verb, (const char *[]){ "start", "stop", "restart", "version", NULL }))
    add_one (call, verb, 0);
  else if (is_any (verb, installs) && call->names->len == 0)
    {
      if (!call->bare)
        add_scripts (call, install_scripts, "");
      if (is_any (verb, with_test))
        add_one (call, "test", 0);
    }
  else if (g_str_equal (verb, "pack") && !call->bare)
    {
      for (guint i = 0; pack[i]; i++)
        add_one (call, pack[i], G_MAXUINT);
    }
}

static void read_and_run (Call *call, guint from);

static void
run_yarn (Call *call)
{
  const char *verb = call->verb;
  GuardRun *run = call->run;

  if (!verb || g_str_equal (verb, "install"))
    {
      if (!call->bare)
        add_scripts (call, install_scripts, "");
    }
  else if (takes_script ("yarn", verb) && call->names->len > 0)
    add_one (call, g_ptr_array_index (call->names, 0), 1);
  else if (g_str_equal (verb, "workspace") && call->rest < run->n_argv && run->argv[call->rest])
    {
      g_ptr_array_add (call->filters, (gpointer) run->argv[call->rest]);
      read_and_run (call, call->rest + 1);
    }
  else if (g_str_equal (verb, "workspaces"))
    {
      guint at = call->rest;

      call->all = TRUE;
      if (at < run->n_argv && run->argv[at] && g_str_equal (run->argv[at], "foreach"))
        at++;
      read_and_run (call, at);
    }
  else if (!is_any (verb, yarn_words))
    add_one (call, verb, 0);
}

static void
run_pnpm (Call *call)
{
  static const char *const installs[] = { "install", "i", "install-test", "it", NULL };
  const char *verb = call->verb;

  if (!verb)
    return;

  if (takes_script ("pnpm", verb) && call->names->len > 0)
    add_one (call, g_ptr_array_index (call->names, 0), 1);
  else if (is_any (verb, (const char *[]){ "test", "t", "tst", NULL }))
    add_one (call, "test", 0);
  else if (is_any (verb, installs))
    {
      if (!call->bare)
        add_scripts (call, install_scripts, "");
    }
  else if (!is_any (verb, pnpm_words))
    add_one (call, verb, 0);
}

/* `bun x.ts` and `bun run x.ts` run a file. */
static void
add_file (Call *call, const char *name)
{
  g_autofree char *path = g_canonicalize_filename (name, call->folder);

  if (guard_project_exists (call->run->project, path))
    guard_run_add_file (call->run, path, call->folder, name);
}

static void
run_bun (Call *call)
{
  const char *verb = call->verb;
  const char *name = NULL;
  guint before = call->run->bodies->len;

  if (!verb)
    return;

  if (takes_script ("bun", verb))
    name = call->names->len > 0 ? g_ptr_array_index (call->names, 0) : NULL;
  else if (is_any (verb, (const char *[]){ "install", "i", NULL }))
    {
      if (!call->bare)
        add_scripts (call, install_scripts, "");
    }
  else if (!is_any (verb, bun_words))
    name = verb;

  if (!name)
    return;
  add_one (call, name, 1);
  if (call->run->bodies->len == before)
    add_file (call, name);
}

static void
run_node (Call *call)
{
  static const char *const names[] = { "--run", NULL };

  call->bare = TRUE;
  for (guint at = 1; at < call->run->n_argv; at++)
    {
      const char *script = guard_run_option (call->run, &at, names);

      if (script)
        {
          call->rest = at + 1;
          if (call->rest < call->run->n_argv && call->run->argv[call->rest] &&
              g_str_equal (call->run->argv[call->rest], "--"))
            call->rest++;
          add_one (call, script, 0);
          return;
        }
    }
}

/* turbo run build, lerna run build, nx run-many -t build, nx build app, nx run app:build */
static void
run_workspaces (Call *call)
{
  static const char *const verbs[] = { "run", "run-many", "affected", "exec", NULL };
  static const char *const targets[] = { "-t", "--target", "--targets", NULL };
  GuardRun *run = call->run;

  call->all = TRUE;
  call->root_too = TRUE;
  call->rest = run->n_argv;
  for (guint at = 1; at < run->n_argv; at++)
    {
      const char *word = run->argv[at];
      const char *value = guard_run_option (run, &at, targets);
      g_auto (GStrv) names = NULL;

      if (word && g_str_equal (word, "--"))
        break;
      if (!value && (!word || word[0] == '-' || is_any (word, verbs)))
        continue;
      names = g_strsplit (value ? value : word, ",", -1);
      for (guint i = 0; names[i]; i++)
        {
          const char *colon = strrchr (names[i], ':');

          add_one (call, names[i], G_MAXUINT);
          if (colon)
            add_one (call, colon + 1, G_MAXUINT);
        }
    }
}

static void
run_all (Call *call)
{
  GuardRun *run = call->run;

  for (guint at = 1; at < run->n_argv; at++)
    {
      const char *word = run->argv[at];
      const char *names[] = { word, NULL };

      if (word && g_str_equal (word, "--"))
        break;
      if (word && word[0] != '-')
        add_scripts (call, names, "");
    }
}

static void
read_and_run (Call *call, guint from)
{
  const char *runner = call->run->runner;

  call->verb = NULL;
  g_ptr_array_set_size (call->names, 0);
  read_call (call, from);

  if (g_str_equal (runner, "npm"))
    run_npm (call);
  else if (g_str_equal (runner, "yarn"))
    run_yarn (call);
  else if (g_str_equal (runner, "pnpm"))
    run_pnpm (call);
  else
    run_bun (call);
}

void
guard_run_packages (GuardRun *run)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) filters = g_ptr_array_new ();
  Call call = { .run = run, .names = names, .filters = filters, .rest = run->n_argv };

  call.folder = g_strdup (run->folder);
  if (g_str_equal (run->runner, "node-run"))
    run_node (&call);
  else if (g_str_equal (run->runner, "workspaces"))
    run_workspaces (&call);
  else if (g_str_equal (run->runner, "run-all"))
    run_all (&call);
  else
    read_and_run (&call, 1);
  g_free (call.folder);
}

gboolean
guard_packages_have (GuardProject *project,
                     const char *runner,
                     const char *name,
                     const char *folder)
{
  const char *const *own = g_str_equal (runner, "yarn")   ? yarn_words
                           : g_str_equal (runner, "pnpm") ? pnpm_words
                           : g_str_equal (runner, "bun")  ? bun_words
                                                          : NULL;
  g_autofree char *path = find_package (project, folder);
  g_autoptr (GuardJson) json = NULL;

  if (!path || (own && g_strv_contains (own, name)))
    return FALSE;

  json = guard_project_read_json (project, path);
  return json &&
         guard_json_string (guard_json_member (guard_json_get_root (json), "scripts"), name);
}

/* perfica-agent check: the guard's reading alone; needs no app.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "agent-batch.h"
#include "agent-commands.h"
#include "agent-verdict.h"

#define APP_FOLDER ".perfica"

typedef struct
{
  gboolean json;
  gboolean explain;
  gboolean batch;
  gboolean no_disk;
  gboolean sandbox;
  char *project;
  char *loop;
  char **loops;
  char *folder;
  char **words;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->project);
  g_free (options->loop);
  g_strfreev (options->loops);
  g_free (options->folder);
  g_strfreev (options->words);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* The innermost folder around @folder with a .git, else @folder itself. */
static char *
find_project (const char *folder)
{
  g_autofree char *at = g_strdup (folder);

  while (strcmp (at, "/") != 0)
    {
      g_autofree char *git = g_build_filename (at, ".git", NULL);
      char *up;

      if (g_file_test (git, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&at);
      up = g_path_get_dirname (at);
      g_free (at);
      at = up;
    }
  return g_strdup (folder);
}

/* @path from @project, "." for itself; NULL if it lies outside. */
static const char *
inside (const char *project, const char *path)
{
  gsize length = strlen (project);

  if (strcmp (project, path) == 0)
    return ".";
  if (strncmp (project, path, length) == 0 && path[length] == '/')
    return path + length + 1;
  return NULL;
}

static gboolean
locate (const Options *options, char **project, char **folder)
{
  g_autofree char *at = agent_folder (options->folder);
  const char *relative;

  if (at == NULL)
    return FALSE;
  *project = options->project != NULL ? agent_folder (options->project) : find_project (at);
  if (*project == NULL)
    return FALSE;
  relative = inside (*project, at);
  if (relative == NULL && options->folder == NULL)
    relative = "."; /* a project was named from somewhere else */
  if (relative == NULL)
    {
      agent_complain (_ ("The folder lies outside the project."));
      return FALSE;
    }
  *folder = g_strdup (relative);
  return TRUE;
}

static int
exit_code (GuardAnswer answer)
{
  switch (answer)
    {
    case GUARD_ANSWER_ALLOW:
      return AGENT_EXIT_OK;
    case GUARD_ANSWER_ASK:
      return AGENT_EXIT_CHECK_ASK;
    case GUARD_ANSWER_REFUSE:
      break;
    }
  return AGENT_EXIT_CHECK_REFUSE;
}

static char *
verdict_json (const GuardVerdict *verdict)
{
  PerficaJsonWriter w;

  perfica_json_writer_init (&w);
  perfica_json_writer_open (&w, NULL, '{');
  agent_verdict_write (&w, verdict);
  perfica_json_writer_close (&w, '}');
  g_string_append_c (w.text, '\n');
  return perfica_json_writer_end (&w);
}

static int
check_one (const Options *options, const GuardScope *scope)
{
  const GuardFiles *files = options->no_disk ? NULL : guard_files_disk ();
  g_autofree char *command = agent_join_words (options->words);
  g_autoptr (GuardVerdict) verdict = NULL;
  g_autofree char *text = NULL;

  if (command == NULL)
    {
      agent_complain (_ ("There is no command, or it isn't text in UTF-8; see --help."));
      return AGENT_EXIT_USAGE;
    }
  verdict = guard_read (command, strlen (command), scope, files);
  if (options->json)
    text = verdict_json (verdict);
  else if (options->explain)
    text = guard_explain (command, strlen (command), scope, files);
  else
    text = agent_verdict_text (verdict, command);
  if (!agent_write_all (STDOUT_FILENO, text, strlen (text)))
    return AGENT_EXIT_FAILED;
  return exit_code (verdict->answer);
}

static int
check (const Options *options)
{
  g_autofree char *project = NULL;
  g_autofree char *folder = NULL;
  GuardScope scope = {
    .loop = options->loop != NULL ? options->loop : ".",
    .loops = (const char *const *) options->loops,
    .app_folder = APP_FOLDER,
    .home = g_get_home_dir (),
    .sandbox = options->sandbox,
    .bash_available = agent_bash_available (),
  };

  if (options->batch && (!options->json || options->explain || options->words != NULL))
    {
      agent_complain (_ ("--batch goes with --json and takes its commands from standard input."));
      return AGENT_EXIT_USAGE;
    }
  if (options->json && options->explain)
    {
      agent_complain (_ ("--explain is for people; it doesn't go with --json."));
      return AGENT_EXIT_USAGE;
    }
  if (!locate (options, &project, &folder))
    return AGENT_EXIT_USAGE;
  scope.project = project;
  scope.folder = options->batch ? "." : folder;
  if (options->batch)
    return agent_batch (STDIN_FILENO, STDOUT_FILENO, &scope, !options->no_disk);
  return check_one (options, &scope);
}

int
agent_check_main (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  GOptionEntry entries[] = {
    { "json", 'j', 0, G_OPTION_ARG_NONE, &options.json, N_ ("Print JSON"), NULL },
    { "explain", 'e', 0, G_OPTION_ARG_NONE, &options.explain,
      N_ ("Print how it was read and which rules were considered"), NULL },
    { "batch", 0, 0, G_OPTION_ARG_NONE, &options.batch,
      N_ ("With --json: read JSON lines from standard input, print one for each"), NULL },
    { "no-disk", 0, 0, G_OPTION_ARG_NONE, &options.no_disk, N_ ("Don't look at any file"), NULL },
    { "project", 'p', 0, G_OPTION_ARG_FILENAME, &options.project,
      N_ ("The project (default: the innermost folder with .git)"), N_ ("FOLDER") },
    { "loop", 'l', 0, G_OPTION_ARG_FILENAME, &options.loop,
      N_ ("The loop's folder, from the project's root (default: all of it)"), N_ ("FOLDER") },
    { "other-loop", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.loops,
      N_ ("Another loop's folder; may be given several times"), N_ ("FOLDER") },
    { "folder", 'C', 0, G_OPTION_ARG_FILENAME, &options.folder,
      N_ ("Where the command would start (default: the working folder)"), N_ ("FOLDER") },
    { "sandbox", 's', 0, G_OPTION_ARG_NONE, &options.sandbox, N_ ("As with the sandbox on"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.words, NULL,
      N_ ("[--] COMMAND [ARGUMENT…]") },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (
      context, _ ("Says what Perfica's rules answer to a command, and why. Runs nothing and needs "
                  "no app."));
  g_option_context_set_description (
      context,
      _ ("COMMAND in one word is shell text; several words are taken as they are.\n"
         "\n"
         "Exit codes: 0 allowed, 3 a person would be asked, 4 refused, 2 wrong usage.\n"
         "\n"
         "--batch reads {\"id\", \"command\", \"project\"?, \"loop\"?, \"loops\"?, \"folder\"?,\n"
         "\"sandbox\"?}, folders relative to the project, and prints {\"id\", \"answer\",\n"
         "\"time_class\", \"findings\", \"canonical\"}, one line for each in the same order."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!agent_parse_options (context, TRUE, argc, argv))
    return AGENT_EXIT_USAGE;
  return check (&options);
}

/* perfica: makes launcher and gateway, then the application that shows them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gi18n.h>
#include <stdlib.h>

#include "perfica-application.h"
#include "perfica-board-folder.h"
#include "perfica-handover.h"
#include "perfica-locale.h"
#include "perfica-paths.h"
#include "perfica-settings.h"

/* The exit codes that design.md names. */
#define EXIT_NO_DISPLAY 1
#define EXIT_NO_PLACE 2

static int
fail (int code, const char *sentence)
{
  g_printerr ("perfica: %s\n", sentence);
  return code;
}

/* Beside us when installed, else in the folder of the build that we were made in. */
static char *
find_supervise (void)
{
  g_autofree char *own = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = own != NULL ? g_path_get_dirname (own) : NULL;
  g_autofree char *built = NULL;

  if (folder != NULL && g_strcmp0 (folder, PERFICA_BINDIR) != 0)
    {
      built = g_build_filename (folder, "..", "sandbox", "perfica-supervise", NULL);
      if (g_file_test (built, G_FILE_TEST_IS_EXECUTABLE))
        return g_canonicalize_filename (built, NULL);
    }
  return g_build_filename (PERFICA_LIBEXECDIR, "perfica-supervise", NULL);
}

static char **
absolute_folders (char **arguments)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (; arguments != NULL && *arguments != NULL; arguments++)
    {
      g_autoptr (GFile) file = g_file_new_for_commandline_arg (*arguments);
      g_autofree char *path = g_file_get_path (file);

      g_strv_builder_add (builder, path != NULL ? path : *arguments);
    }
  return g_strv_builder_end (builder);
}

/* What can't be a board is said at once, before a window would have to. */
static gboolean
check_folders (const PerficaPaths *paths, char **folders, GError **error)
{
  for (; *folders != NULL; folders++)
    {
      g_autofree char *physical = perfica_board_folder_check (*folders, paths, error);

      if (physical == NULL)
        return FALSE;
    }
  return TRUE;
}

/* @held: (transfer full): with the lock */
static int
run (PerficaPaths *held, char **folders, gboolean background)
{
  g_autoptr (PerficaPaths) paths = held;
  g_autoptr (GError) error = NULL;
  g_autofree char *program = find_supervise ();
  /* Before GTK maps its libraries' data: every supervisor is forked from this small process. */
  g_autoptr (SandboxLauncher) launcher = sandbox_launcher_new (program, &error);
  g_autoptr (PerficaGateway) gateway = NULL;
  g_autoptr (PerficaApplication) app = NULL;
  int code;

  if (launcher == NULL || !perfica_settings_check (&error))
    return fail (EXIT_NO_PLACE, error->message);
  if (!gtk_init_check ())
    return fail (EXIT_NO_DISPLAY, _ ("There is no display; start Perfica in a graphical session."));
  gateway = perfica_gateway_new (launcher);
  perfica_gateway_take_paths (gateway, g_steal_pointer (&paths));
  if (!perfica_gateway_start (gateway, &error))
    return fail (EXIT_NO_PLACE, error->message);
  app = perfica_application_new (gateway, (const char *const *) folders, background);
  code = g_application_run (G_APPLICATION (app), 0, NULL);
  perfica_gateway_close (gateway);
  return code;
}

int
main (int argc, char **argv)
{
  gboolean version = FALSE, background = FALSE;
  g_auto (GStrv) arguments = NULL;
  g_auto (GStrv) folders = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (PerficaPaths) paths = NULL;
  g_autoptr (GOptionContext) context = NULL;
  GOptionEntry entries[] = {
    { "background", 0, 0, G_OPTION_ARG_NONE, &background,
      N_ ("Serve agents without opening a window"), NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &version, N_ ("Print the version and exit"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments, NULL, N_ ("[FOLDER…]") },
    { NULL },
  };

  perfica_set_language (PERFICA_BINDIR, PERFICA_LOCALEDIR, "../po");

  context = g_option_context_new (NULL);
  g_option_context_set_summary (
      context, _ ("Stands between coding agents and this machine. Each FOLDER becomes a board."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return fail (EXIT_NO_PLACE, error->message);
  if (version)
    {
      g_print ("perfica %s\n", PERFICA_VERSION);
      return EXIT_SUCCESS;
    }

  paths = perfica_paths_new (&error);
  if (paths == NULL)
    return fail (EXIT_NO_PLACE, error->message);
  folders = absolute_folders (arguments);
  if (!check_folders (paths, folders, &error))
    return fail (EXIT_NO_PLACE, error->message);
  if (!perfica_paths_lock (paths, &error))
    {
      g_clear_error (&error);
      if (!perfica_hand_over (paths->socket, (const char *const *) folders, &error))
        return fail (EXIT_NO_PLACE, error->message);
      return EXIT_SUCCESS;
    }
  return run (g_steal_pointer (&paths), folders, background);
}

/* The language of the person: where the programs' catalogues are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-locale.h"

#include <glib.h>
#include <libintl.h>
#include <locale.h>

void
perfica_set_language (const char *bindir, const char *localedir, const char *built)
{
  g_autofree char *own = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = own != NULL ? g_path_get_dirname (own) : NULL;
  g_autofree char *catalogues = NULL;

  if (folder != NULL && g_strcmp0 (folder, bindir) != 0)
    {
      catalogues = g_canonicalize_filename (built, folder);
      if (!g_file_test (catalogues, G_FILE_TEST_IS_DIR))
        g_clear_pointer (&catalogues, g_free);
    }
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, catalogues != NULL ? catalogues : localedir);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

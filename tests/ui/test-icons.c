/* Every icon that the window names is there and can be drawn on this system.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gtk/gtk.h>

#define PREFIX "/app/perfica/Perfica/icons/scalable/"

/* SVG needs a loader that Debian only recommends: without it GTK draws a broken image, and says
 * nothing. */
static void
test_drawn (gconstpointer folder)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *base = g_strconcat (PREFIX, (const char *) folder, "/", NULL);
  g_auto (GStrv) names = g_resources_enumerate_children (base, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), >, 0);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *path = g_strconcat (base, names[i], NULL);
      g_autoptr (GdkPixbuf) picture = gdk_pixbuf_new_from_resource (path, &error);

      g_assert_no_error (error);
      g_assert_cmpint (gdk_pixbuf_get_width (picture), >, 0);
    }
}

static guint
check_source (GtkIconTheme *theme, GRegex *regex, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *text = NULL;
  guint found = 0;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_regex_match (regex, text, 0, &match);
  for (; g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *name = g_match_info_fetch (match, 1);

      if (!gtk_icon_theme_has_icon (theme, name))
        g_error ("%s names the icon %s, which this system does not have", path, name);
      found++;
    }
  return found;
}

static void
test_named (void)
{
  g_autoptr (GtkIconTheme) theme = gtk_icon_theme_new ();
  g_autoptr (GRegex) regex = g_regex_new ("[\">]([a-z0-9-]+-symbolic)[\"<]", 0, 0, NULL);
  g_autoptr (GDir) folder = g_dir_open (PERFICA_UI_SOURCES, 0, NULL);
  const char *name;
  guint found = 0;

  g_assert_nonnull (folder);
  gtk_icon_theme_set_theme_name (theme, "Adwaita");
  gtk_icon_theme_add_resource_path (theme, "/app/perfica/Perfica/icons");
  while ((name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_suffix (name, ".c") || g_str_has_suffix (name, ".ui"))
      {
        g_autofree char *path = g_build_filename (PERFICA_UI_SOURCES, name, NULL);

        found += check_source (theme, regex, path);
      }
  g_assert_cmpuint (found, >, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/ui/icons/drawn/actions", "actions", test_drawn);
  g_test_add_data_func ("/ui/icons/drawn/apps", "apps", test_drawn);
  g_test_add_func ("/ui/icons/named", test_named);
  return g_test_run ();
}

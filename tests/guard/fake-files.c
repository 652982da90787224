/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fake-files.h"

#include <string.h>

typedef struct
{
  GuardFileType type;
  char *text; /* a file's text or a link's target */
  guint n_links;
  gboolean executable;
} Entry;

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free (entry->text);
  g_free (entry);
}

static const FakeFiles *
fake_of (const GuardFiles *files)
{
  return (const FakeFiles *) files;
}

static char *
resolve_steps (const FakeFiles *fake, const char *path, guint depth)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  g_autoptr (GString) done = g_string_new ("");

  if (depth > 40)
    return NULL;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      gsize before = done->len;
      const Entry *entry;

      if (parts[i][0] == '\0' || g_str_equal (parts[i], "."))
        continue;
      if (g_str_equal (parts[i], ".."))
        {
          char *slash = strrchr (done->str, '/');

          g_string_truncate (done, slash != NULL ? (gsize) (slash - done->str) : 0);
          continue;
        }
      g_string_append_printf (done, "/%s", parts[i]);
      entry = g_hash_table_lookup (fake->entries, done->str);
      if (entry != NULL && entry->type == GUARD_FILE_LINK)
        {
          g_autofree char *rest = g_strjoinv ("/", parts + i + 1);
          g_autofree char *next = NULL;

          g_string_truncate (done, before);
          next = entry->text[0] == '/' ? g_strdup_printf ("%s/%s", entry->text, rest)
                                       : g_strdup_printf ("%s/%s/%s", done->str, entry->text, rest);
          return resolve_steps (fake, next, depth + 1);
        }
    }
  return g_strdup (done->len > 0 ? done->str : "/");
}

static char *
fake_resolve (const GuardFiles *files, const char *path)
{
  return resolve_steps (fake_of (files), path, 0);
}

/* The entry at @path: links in its folders are followed, its last part isn't. */
static const Entry *
fake_find (const FakeFiles *fake, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *physical = resolve_steps (fake, folder, 0);
  g_autofree char *full = NULL;

  if (physical == NULL)
    return NULL;
  if (g_str_equal (name, "/") || g_str_equal (name, "."))
    full = g_strdup (physical);
  else
    full = g_strdup_printf ("%s/%s", g_str_equal (physical, "/") ? "" : physical, name);
  return g_hash_table_lookup (fake->entries, full);
}

static GuardFileType
fake_stat (const GuardFiles *files, const char *path, guint *n_links, gboolean *executable)
{
  const Entry *entry = fake_find (fake_of (files), path);

  if (n_links != NULL)
    *n_links = entry != NULL ? entry->n_links : 0;
  if (executable != NULL)
    *executable = entry != NULL && entry->executable;
  return entry != NULL ? entry->type : GUARD_FILE_ABSENT;
}

static char **
fake_list (const GuardFiles *files, const char *path, guint max)
{
  const FakeFiles *fake = fake_of (files);
  g_autofree char *physical = resolve_steps (fake, path, 0);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const Entry *entry = physical != NULL ? g_hash_table_lookup (fake->entries, physical) : NULL;
  GHashTableIter iter;
  gpointer key;
  gsize length;

  if (entry == NULL || entry->type != GUARD_FILE_FOLDER)
    return NULL;
  length = g_str_equal (physical, "/") ? 0 : strlen (physical);
  g_hash_table_iter_init (&iter, fake->entries);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      const char *other = key;

      if (strncmp (other, physical, length) == 0 && other[length] == '/' &&
          other[length + 1] != '\0' && strchr (other + length + 1, '/') == NULL)
        g_ptr_array_add (names, g_strdup (other + length + 1));
    }
  if (names->len > max)
    return NULL;
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

static char *
fake_read (const GuardFiles *files, const char *path, gsize max, gsize *length)
{
  const FakeFiles *fake = fake_of (files);
  g_autofree char *physical = resolve_steps (fake, path, 0);
  const Entry *entry = physical != NULL ? g_hash_table_lookup (fake->entries, physical) : NULL;

  if (entry == NULL || entry->type != GUARD_FILE_REGULAR)
    return NULL;
  *length = MIN (max, strlen (entry->text));
  return g_strndup (entry->text, *length);
}

static void
fake_put (FakeFiles *fake, const char *path, GuardFileType type, const char *text)
{
  g_autofree char *full =
      path[0] == '/' ? g_strdup (path) : g_build_filename (FAKE_PROJECT, path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);
  Entry *entry = g_new0 (Entry, 1);

  while (strlen (full) > 1 && g_str_has_suffix (full, "/"))
    full[strlen (full) - 1] = '\0';
  entry->type = type;
  entry->text = g_strdup (text);
  entry->n_links = 1;
  entry->executable = type == GUARD_FILE_REGULAR && g_str_has_prefix (text, "#!");
  if (!g_str_equal (folder, full) && !g_hash_table_contains (fake->entries, folder))
    fake_put (fake, folder, GUARD_FILE_FOLDER, NULL);
  g_hash_table_replace (fake->entries, g_steal_pointer (&full), entry);
}

FakeFiles *
fake_files_new (void)
{
  FakeFiles *fake = g_new0 (FakeFiles, 1);

  fake->files.resolve = fake_resolve;
  fake->files.stat = fake_stat;
  fake->files.list = fake_list;
  fake->files.read = fake_read;
  fake->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);
  fake_files_add_folder (fake, "/");
  fake_files_add_folder (fake, "/etc");
  fake_files_add_folder (fake, "/tmp");
  fake_files_add_folder (fake, FAKE_PROJECT);
  return fake;
}

void
fake_files_free (FakeFiles *fake)
{
  g_hash_table_unref (fake->entries);
  g_free (fake);
}

void
fake_files_add (FakeFiles *fake, const char *path, const char *text)
{
  fake_put (fake, path, GUARD_FILE_REGULAR, text);
}

void
fake_files_add_folder (FakeFiles *fake, const char *path)
{
  fake_put (fake, path, GUARD_FILE_FOLDER, NULL);
}

void
fake_files_add_link (FakeFiles *fake, const char *path, const char *target)
{
  fake_put (fake, path, GUARD_FILE_LINK, target);
}

static Entry *
fake_get (FakeFiles *fake, const char *path)
{
  g_autofree char *full =
      path[0] == '/' ? g_strdup (path) : g_build_filename (FAKE_PROJECT, path, NULL);

  return g_hash_table_lookup (fake->entries, full);
}

void
fake_files_set_links (FakeFiles *fake, const char *path, guint n_links)
{
  fake_get (fake, path)->n_links = n_links;
}

void
fake_files_set_executable (FakeFiles *fake, const char *path, gboolean executable)
{
  fake_get (fake, path)->executable = executable;
}

/* Where a path leads, and whether it may be touched.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

#define MAX_GLOB_LINKS 64
#define MAX_EXPANDED 8

gboolean
guard_path_is_device (const char *text)
{
  static const char *const devices[] = { "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr",
                                         "/dev/zero", "/dev/tty",   "/dev/full",   NULL };

  if (g_strv_contains (devices, text))
    return !g_str_equal (text, "/dev/tty");
  if (g_str_has_prefix (text, "/dev/fd/"))
    return guard_is_number (text + 8);
  return g_str_equal (text, "/dev/urandom") || g_str_equal (text, "/dev/random");
}

gboolean
guard_path_looks (const char *text)
{
  if (text[0] == '/' || text[0] == '~' || text[0] == HOLE_HOME)
    return TRUE;
  if (text[0] == '.' && text[1] == '.' && (text[2] == '/' || text[2] == '\0'))
    return TRUE;
  return strstr (text, "/../") != NULL || g_str_has_suffix (text, "/..");
}

/* Joins and takes out `.`, `..` and double slashes, without the disk. */
char *
guard_path_normal (GuardContext *context, const char *base, const char *path)
{
  gsize size = strlen (base) + strlen (path) + 3;
  char *out = guard_arena_alloc (&context->arena, size);
  gsize length = 0;

  for (guint round = path[0] == '/' ? 1 : 0; round < 2; round++)
    {
      const char *p = round == 0 ? base : path;

      while (*p != '\0')
        {
          const char *end;
          gsize n;

          while (*p == '/')
            p++;
          end = strchr (p, '/');
          n = end != NULL ? (gsize) (end - p) : strlen (p);
          if (n == 2 && p[0] == '.' && p[1] == '.')
            {
              while (length > 0 && out[length - 1] != '/')
                length--;
              if (length > 0)
                length--;
            }
          else if (n > 0 && !(n == 1 && p[0] == '.'))
            {
              out[length++] = '/';
              memcpy (out + length, p, n);
              length += n;
            }
          p += n;
        }
    }
  if (length == 0)
    out[length++] = '/';
  out[length] = '\0';
  guard_step (context, 1 + size / 32);
  return out;
}

gboolean
guard_path_inside (const GuardContext *context, const char *path, const char *folder)
{
  gsize length = strlen (folder);

  if (g_str_equal (folder, "/"))
    return TRUE;
  if (context->scope->case_insensitive ? g_ascii_strncasecmp (path, folder, length) != 0
                                       : strncmp (path, folder, length) != 0)
    return FALSE;
  return path[length] == '\0' || path[length] == '/';
}

const char *
guard_path_physical (GuardContext *context, const char *path)
{
  g_autofree char *resolved = NULL;
  const char *kept;

  if (context->files == NULL)
    return guard_path_normal (context, "/", path);
  guard_step (context, 20);
  resolved = context->files->resolve (context->files, path);
  if (resolved == NULL)
    return NULL;
  kept = guard_copy (context, resolved, -1);
  /* A link on the way: what it leads to is part of the verdict. */
  if (!context->exhausted && strcmp (kept, guard_path_normal (context, "/", path)) != 0 &&
      context->links->len < 2 * MAX_GLOB_LINKS)
    g_ptr_array_add (context->links, g_strdup_printf ("%s\t>%s", path, kept));
  return kept;
}

/* The innermost of the loops that owns @path: an absolute folder. */
static const char *
owner_of (GuardContext *context, const char *path)
{
  const char *owner = context->project_path;
  gsize best = 0;

  if (guard_path_inside (context, path, context->loop_path))
    {
      owner = context->loop_path;
      best = strlen (owner);
    }
  for (guint i = 0; context->scope->loops != NULL && context->scope->loops[i] != NULL; i++)
    {
      const char *loop =
          guard_path_normal (context, context->project_path, context->scope->loops[i]);

      if (guard_path_inside (context, path, loop) && strlen (loop) > best &&
          strcmp (loop, context->loop_path) != 0)
        {
          owner = loop;
          best = strlen (loop);
        }
    }
  return owner;
}

static const char *
shown (GuardContext *context, const char *path)
{
  if (guard_path_inside (context, path, context->project_path) &&
      strlen (path) > strlen (context->project_path))
    return path + strlen (context->project_path) + 1;
  return path;
}

static gboolean
has_git_part (GuardContext *context, const char *path)
{
  const char *inside = path + strlen (context->project_path);
  g_auto (GStrv) parts = g_strsplit (inside, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_ascii_strcasecmp (parts[i], ".git") == 0)
      return TRUE;
  return FALSE;
}

static gboolean
on_disk (GuardContext *context, const char *path)
{
  guard_step (context, 5);
  return context->files != NULL &&
         context->files->stat (context->files, path, NULL, NULL) != GUARD_FILE_ABSENT;
}

/* What lies below a folder that is swept: the app's folder and other loops must not. */
static gboolean
check_below (GuardContext *context, const char *path, GuardSpan span, gboolean hidden)
{
  if (hidden && guard_path_inside (context, context->app_path, path) &&
      on_disk (context, context->app_path))
    {
      guard_find (context, "paths.sweeps-app", span, shown (context, path), NULL);
      return FALSE;
    }
  for (guint i = 0; context->scope->loops != NULL && context->scope->loops[i] != NULL; i++)
    {
      const char *loop =
          guard_path_normal (context, context->project_path, context->scope->loops[i]);

      if (strcmp (loop, context->loop_path) != 0 && guard_path_inside (context, loop, path) &&
          !guard_path_inside (context, context->loop_path, loop))
        {
          guard_find (context, "paths.sweeps-loop", span, shown (context, path),
                      context->scope->loops[i]);
          return FALSE;
        }
    }
  return TRUE;
}

/* What deleting or moving a folder would take along. */
static gboolean
check_sweep (GuardContext *context, const char *path, GuardSpan span)
{
  if (guard_path_inside (context, context->loop_path, path))
    {
      guard_find (context, "paths.loop-itself", span, shown (context, path), NULL);
      return FALSE;
    }
  return check_below (context, path, span, TRUE);
}

static gboolean
check_app_folder (GuardContext *context, const char *path, GuardSpan span, GuardAccess access)
{
  g_autofree char *outputs = NULL;

  if (!guard_path_inside (context, path, context->app_path))
    return TRUE;
  outputs = g_strdup_printf ("%s/outputs", context->app_path);
  if (guard_path_inside (context, path, outputs) && access == GUARD_ACCESS_READ)
    return TRUE;
  guard_find (context, "paths.app-folder", span, shown (context, path), NULL);
  return FALSE;
}

/* A path that is known, physical and absolute. */
static gboolean
check_physical (GuardContext *context,
                const char *path,
                const char *as_written,
                GuardSpan span,
                GuardAccess access)
{
  gboolean changes = access != GUARD_ACCESS_READ && access != GUARD_ACCESS_RUN;
  const char *owner;
  const char *what;
  guint n_links = 0;

  if (!guard_path_inside (context, path, context->project_path))
    {
      if (context->scope->tmpdir != NULL &&
          guard_path_inside (context, path, context->scope->tmpdir))
        return TRUE;
      guard_find (context,
                  guard_path_inside (context, path, "/tmp") ||
                          guard_path_inside (context, path, "/var/tmp")
                      ? "paths.tmp"
                      : "paths.outside",
                  span, as_written, NULL);
      return FALSE;
    }
  /* Every part of it is held against every name that a secret may have: 1.5 microseconds. */
  for (const char *p = strchr (path, '/'); p != NULL && guard_step (context, 12);)
    p = strchr (p + 1, '/');
  what = guard_secret_what (path + strlen (context->project_path), FALSE);
  if (what != NULL)
    {
      guard_find (context, "secrets.file", span, shown (context, path), what);
      return FALSE;
    }
  if (!check_app_folder (context, path, span, access))
    return FALSE;
  if (changes && has_git_part (context, path))
    {
      guard_find (context, "paths.git", span, shown (context, path), NULL);
      return FALSE;
    }
  owner = owner_of (context, path);
  if (changes && strcmp (owner, context->loop_path) != 0)
    {
      guard_find (context, "paths.other-loop", span, shown (context, path), shown (context, owner));
      return FALSE;
    }
  if (!changes && !context->scope->sandbox &&
      !guard_path_inside (context, path, context->loop_path) &&
      !guard_path_inside (context, path, context->app_path))
    {
      guard_find (context, "paths.outside-loop", span, shown (context, path), NULL);
      return FALSE;
    }
  if ((access == GUARD_ACCESS_DELETE || access == GUARD_ACCESS_MOVE) &&
      !check_sweep (context, path, span))
    return FALSE;
  if ((access == GUARD_ACCESS_WRITE) && context->files != NULL &&
      context->files->stat (context->files, path, &n_links, NULL) == GUARD_FILE_REGULAR &&
      n_links > 1)
    {
      guard_find (context, "paths.hard-link", span, shown (context, path), NULL);
      return FALSE;
    }
  return TRUE;
}

/* The part of @text before the component that holds the first live glob or hole. */
static gsize
fixed_length (const char *text)
{
  gsize end = 0;

  for (gsize i = 0; text[i] != '\0'; i++)
    {
      if (text[i] == '/')
        end = i + 1;
      if ((guchar) text[i] < 0x20 && text[i] != '\n' && text[i] != '\t' && text[i] != HOLE_WORD)
        return end;
    }
  return strlen (text);
}

static gboolean
has_glob (const char *text)
{
  for (; *text != '\0'; text++)
    if (*text == GLOB_STAR || *text == GLOB_ONE || *text == GLOB_SET)
      return TRUE;
  return FALSE;
}

/* What a glob gives must still be the same when it runs. */
static void
pin_listing (GuardContext *context, const char *folder, char **names)
{
  g_autofree char *list = NULL;
  g_autofree char *hash = NULL;

  if (names == NULL || context->links->len >= 2 * MAX_GLOB_LINKS)
    return;
  list = g_strjoinv ("\n", names);
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, list, -1);
  g_ptr_array_add (context->links, g_strdup_printf ("%s\t*%s", folder, hash));
}

/* A glob: its folder is judged, then every name it matches on disk in that folder. */
static gboolean
check_glob (GuardContext *context,
            const char *text,
            const char *folder,
            gsize fixed,
            GuardSpan span,
            GuardAccess access)
{
  const char *pattern = text + fixed;
  const char *slash = strchr (pattern, '/');
  g_autofree char *component =
      slash != NULL ? g_strndup (pattern, slash - pattern) : g_strdup (pattern);
  g_autofree char *glob = guard_glob_pattern (context, component);
  g_auto (GStrv) names = NULL;

  if (guard_secret_glob (text))
    {
      guard_find (context, "secrets.file", span, text, "a secret");
      return FALSE;
    }
  if (pattern[0] == '.' && (access == GUARD_ACCESS_DELETE || access == GUARD_ACCESS_MOVE) &&
      glob != NULL &&
      (guard_glob_match (glob, "..", FALSE) || guard_glob_match (glob, ".git", FALSE)))
    {
      guard_find (context, "paths.git", span, text, NULL);
      return FALSE;
    }
  if (strstr (pattern, "/../") != NULL || g_str_has_suffix (pattern, "/.."))
    {
      guard_find (context, "paths.outside", span, text, NULL);
      return FALSE;
    }
  if (glob == NULL || context->files == NULL)
    return TRUE;
  guard_step (context, 50);
  names = context->files->list (context->files, folder, GUARD_MAX_LISTED);
  if (names == NULL &&
      context->files->stat (context->files, folder, NULL, NULL) == GUARD_FILE_FOLDER)
    {
      guard_find_unknown (context, "paths.unknown", span, text);
      return FALSE;
    }
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *path = NULL;
      const char *physical;

      if (!guard_step (context, 2))
        return FALSE;
      if ((names[i][0] == '.' && glob[0] != '.') ||
          !guard_glob_match (glob, names[i], context->scope->case_insensitive))
        continue;
      path = g_strdup_printf ("%s/%s%s", folder, names[i],
                              slash != NULL && !has_glob (slash) ? slash : "");
      physical = access == GUARD_ACCESS_DELETE || access == GUARD_ACCESS_MOVE
                     ? guard_copy (context, path, -1)
                     : guard_path_physical (context, path);
      if (physical == NULL || !check_physical (context, physical, path, span, access))
        return FALSE;
    }
  pin_listing (context, folder, names);
  return TRUE;
}

/* The glob of a loop: the names it matches on disk, if there are few and a folder is among them,
 * so that each can be entered. Returns FALSE if @arg stays as it is. */
gboolean
guard_path_expand (GuardContext *context,
                   const GuardState *state,
                   const GuardArg *arg,
                   GArray *matches)
{
  g_autofree char *text = g_strdup (arg->text);
  const char *parent;
  g_autofree char *glob = NULL;
  g_auto (GStrv) names = NULL;
  gsize fixed, length = strlen (text);
  gboolean slash = length > 1 && text[length - 1] == '/';
  gboolean folders = FALSE;
  guint before = matches->len;

  if (!has_glob (text) || context->files == NULL || state->cwd == NULL)
    return FALSE;
  if (slash)
    text[length - 1] = '\0';
  fixed = fixed_length (text);
  if (strchr (text + fixed, '/') != NULL ||
      text[strcspn (text, "\001\002\003\004\005\006\007")] != '\0')
    return FALSE;
  glob = guard_glob_pattern (context, text + fixed);
  text[fixed] = '\0';
  parent = guard_path_normal (context, state->cwd, fixed > 0 ? text : ".");
  if (glob == NULL || parent == NULL || !guard_path_inside (context, parent, context->project_path))
    return FALSE;
  guard_step (context, 50);
  names = context->files->list (context->files, parent, GUARD_MAX_LISTED);
  for (guint i = 0; names != NULL && names[i] != NULL && guard_step (context, 2); i++)
    {
      g_autofree char *path = NULL;
      GuardArg one = *arg;
      GuardFileType type;

      if ((names[i][0] == '.' && glob[0] != '.') || !guard_glob_match (glob, names[i], FALSE))
        continue;
      path = g_strdup_printf ("%s/%s", parent, names[i]);
      type = context->files->stat (context->files, path, NULL, NULL);
      folders |= type == GUARD_FILE_FOLDER || type == GUARD_FILE_LINK;
      if (slash && type != GUARD_FILE_FOLDER && type != GUARD_FILE_LINK)
        continue;
      one.text = guard_arena_printf (context, "%s%s%s", text, names[i], slash ? "/" : "");
      one.holes = FALSE;
      g_array_append_val (matches, one);
    }
  if (!folders || matches->len - before > MAX_EXPANDED || context->exhausted)
    {
      g_array_set_size (matches, before);
      return FALSE;
    }
  pin_listing (context, parent, names);
  return TRUE;
}

/* Where the last part must stay a link of its own: deletes and moves. */
static const char *
physical_parent (GuardContext *context, const char *path)
{
  const char *slash = strrchr (path, '/');
  const char *name = slash + 1;
  const char *folder;

  if (g_str_equal (name, ".") || g_str_equal (name, "..") || name[0] == '\0')
    return guard_path_physical (context, path);
  folder =
      guard_path_physical (context, slash == path ? "/" : guard_copy (context, path, slash - path));
  if (folder == NULL)
    return NULL;
  return guard_arena_printf (context, "%s/%s", g_str_equal (folder, "/") ? "" : folder, name);
}

/* What find printed: "HOLE_INSIDE folder HOLE_INSIDE name"; see guard_find_output(). What others
 * list has a PATH_BREAK before each of its folders. */
static gboolean
check_found (GuardContext *context,
             const GuardState *state,
             const char *text,
             GuardSpan span,
             GuardAccess access)
{
  const char *middle = strchr (text + 1, HOLE_INSIDE);
  const char *name = middle != NULL ? middle + 1 : text + 1;

  if (strstr (name, "..") != NULL)
    {
      guard_find (context, "paths.outside", span, text, NULL);
      return FALSE;
    }
  if (guard_secret_glob (name) || (name[0] != '\0' && guard_secret_what (name, TRUE) != NULL))
    {
      guard_find (context, "secrets.file", span, name, "a secret");
      return FALSE;
    }
  if (access != GUARD_ACCESS_READ && access != GUARD_ACCESS_RUN && middle != NULL &&
      middle > text + 1 && state->cwd != NULL)
    {
      const char *bases = guard_copy (context, text + 1, middle - text - 1);
      gboolean hidden = bases[0] != PATH_BREAK;
      g_auto (GStrv) folders = g_strsplit (hidden ? bases : bases + 1, "\024", -1);

      for (guint i = 0; folders[i] != NULL && guard_step (context, 1); i++)
        {
          const char *folder =
              guard_path_physical (context, guard_path_normal (context, state->cwd, folders[i]));

          if (folder != NULL && !check_below (context, folder, span, hidden))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_special (GuardContext *context,
               const GuardState *state,
               const char *text,
               GuardSpan span,
               GuardAccess access,
               gboolean *allowed)
{
  *allowed = TRUE;
  if (text[0] == '\0' || guard_path_is_device (text))
    return TRUE;
  if (g_str_has_prefix (text, "/dev/fd/") || g_str_equal (text, "/dev/stdin"))
    return TRUE;
  *allowed = FALSE;
  if (g_str_has_prefix (text, "/dev/tcp/") || g_str_has_prefix (text, "/dev/udp/"))
    {
      guard_find (context, "remote.socket", span, text, NULL);
      return TRUE;
    }
  if (text[0] == HOLE_HOME)
    {
      guard_find (context, "paths.outside", span, text, NULL);
      return TRUE;
    }
  if (text[0] == HOLE_SCRATCH)
    {
      const char *rest = text + 1;
      const char *normal = guard_path_normal (context, "/s", rest[0] == '/' ? rest + 1 : rest);

      if (strchr (rest, HOLE_UNKNOWN) != NULL && !context->in_body)
        guard_find_unknown (context, "paths.unknown", span, text);
      else if ((rest[0] != '\0' && rest[0] != '/') || !guard_path_inside (context, normal, "/s"))
        guard_find (context, "paths.outside", span, text, NULL);
      else
        *allowed = TRUE;
      return TRUE;
    }
  if (text[0] == HOLE_MKTEMP)
    {
      if (access == GUARD_ACCESS_DELETE)
        guard_find_unknown (context, "paths.mktemp", span, text);
      *allowed = TRUE;
      return TRUE;
    }
  if (text[0] == HOLE_INSIDE)
    {
      *allowed = check_found (context, state, text, span, access);
      return TRUE;
    }
  return FALSE;
}

const char *
guard_path_check (GuardContext *context,
                  const GuardState *state,
                  const char *text,
                  GuardSpan span,
                  GuardAccess access)
{
  gboolean allowed;
  gsize fixed;
  const char *base;
  const char *path;
  gboolean keeps_link = access == GUARD_ACCESS_DELETE || access == GUARD_ACCESS_MOVE;

  if (!guard_step (context, 1))
    return NULL;
  if (check_special (context, state, text, span, access, &allowed))
    return NULL;
  if (guard_secret_what (text, FALSE) != NULL)
    {
      guard_find (context, "secrets.file", span, text, guard_secret_what (text, FALSE));
      return NULL;
    }
  fixed = fixed_length (text);
  if (text[0] != '/' && state->cwd == NULL)
    {
      guard_find_unknown (context, "paths.unknown", span, text);
      return NULL;
    }
  if (text[fixed] == '\0')
    {
      path = text[0] == '/' ? text : guard_arena_printf (context, "%s/%s", state->cwd, text);
      if (keeps_link && !g_str_has_suffix (path, "/"))
        path = physical_parent (context, path);
      else
        path = guard_path_physical (context, path);
      if (path == NULL)
        {
          guard_find_unknown (context, "paths.unknown", span, text);
          return NULL;
        }
      return check_physical (context, path, text, span, access) ? path : NULL;
    }
  /* Only the beginning is known. It must be inside by itself; what follows must be names. */
  base = guard_copy (context, text, fixed);
  base = base[0] == '/' ? base : guard_arena_printf (context, "%s/%s", state->cwd, base);
  path = guard_path_physical (context, base);
  if (path == NULL)
    return NULL;
  if (fixed > 0 && !guard_path_inside (context, path, context->project_path) &&
      !(context->scope->tmpdir != NULL &&
        guard_path_inside (context, path, context->scope->tmpdir)))
    {
      guard_find (context,
                  guard_path_inside (context, path, "/tmp") ? "paths.tmp" : "paths.outside", span,
                  text, NULL);
      return NULL;
    }
  if (guard_has_unknown (text))
    {
      guard_find_unknown (context, "paths.unknown", span, text);
      return NULL;
    }
  if (!g_str_equal (path, context->project_path) && !g_str_equal (path, context->loop_path) &&
      !check_physical (context, path, text, span, keeps_link ? GUARD_ACCESS_WRITE : access))
    return NULL;
  if (has_glob (text) && !check_glob (context, text, path, fixed, span, access))
    return NULL;
  return NULL;
}

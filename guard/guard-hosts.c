/* Addresses: which host they name, and whether it is one that may be reached.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

static gboolean
label_matches (const char *const *labels, const char *label)
{
  for (; *labels != NULL; labels++)
    if (strcmp (*labels, label) == 0 || (strcmp (*labels, "*") == 0 && label[0] != '\0'))
      return TRUE;
  return FALSE;
}

/* @host is lower case, without a trailing dot. Compared from a label's start only,
 * so `github.com.evil.example` and `evilgithub.com` are other hosts. */
static const GuardHost *
find_host (const char *host)
{
  for (const char *p = host; p != NULL; p = strchr (p, '.') != NULL ? strchr (p, '.') + 1 : NULL)
    {
      guint low = 0, high = guard_table_n_hosts;

      while (low < high)
        {
          guint middle = (low + high) / 2;
          int order = strcmp (guard_table_hosts[middle].domain, p);

          if (order == 0)
            {
              g_autofree char *label = p > host ? g_strndup (host, p - host - 1) : g_strdup ("");

              if (label_matches (guard_table_hosts[middle].labels, label))
                return &guard_table_hosts[middle];
              break;
            }
          if (order < 0)
            low = middle + 1;
          else
            high = middle;
        }
    }
  return NULL;
}

static gboolean
is_local (const char *host)
{
  if (g_str_equal (host, "127.0.0.1") || g_str_equal (host, "::1") || g_str_equal (host, "0.0.0.0"))
    return TRUE;
  if (g_str_has_prefix (host, "127."))
    {
      g_auto (GStrv) parts = g_strsplit (host, ".", -1);

      if (g_strv_length (parts) != 4)
        return FALSE;
      for (guint i = 0; i < 4; i++)
        if (!guard_is_number (parts[i]) || parts[i][0] == '-' || strlen (parts[i]) > 3 ||
            strchr (parts[i], HOLE_WORD) != NULL || (parts[i][0] == '0' && parts[i][1] != '\0'))
          return FALSE;
      return TRUE;
    }
  for (guint i = 0; guard_table_local_hosts[i] != NULL; i++)
    if (guard_glob_match (guard_table_local_hosts[i], host, FALSE))
      return TRUE;
  return FALSE;
}

static gboolean
host_allowed (const char *host, gboolean module)
{
  const GuardHost *known;
  g_autofree char *lower = NULL;
  gsize length = strlen (host);

  if (length == 0 || length > 255)
    return FALSE;
  for (const char *p = host; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr (".-_:", *p) == NULL)
      return FALSE;
  lower = g_ascii_strdown (host, -1);
  if (lower[length - 1] == '.')
    lower[length - 1] = '\0';
  if (strstr (lower, "xn--") != NULL)
    return FALSE;
  known = find_host (lower);
  return is_local (lower) || (known != NULL && (module || strcmp (known->kind, "module") != 0));
}

gboolean
guard_url_has_scheme (const char *text)
{
  const char *p = text;

  while (g_ascii_isalnum (*p) || *p == '+' || *p == '-' || *p == '.')
    p++;
  return p > text && p[0] == ':' && p[1] == '/' && p[2] == '/';
}

static void
judge_host (GuardContext *context, const char *host, const char *whole, GuardSpan span)
{
  if (guard_has_unknown (host) || host[0] == HOLE_INSIDE)
    guard_find_unknown (context, "hosts.unknown", span, whole);
  else if (!host_allowed (host, FALSE))
    guard_find (context, "hosts.foreign", span, host, NULL);
}

/* The host of `//[user@]host[:port]`; user information is refused. */
static void
judge_authority (GuardContext *context,
                 const char *authority,
                 const char *whole,
                 GuardSpan span,
                 gboolean user_ok)
{
  g_autofree char *host = g_strdup (authority);
  char *at = strrchr (host, '@');
  char *start = at != NULL ? at + 1 : host;
  char *colon;

  if (at != NULL && !(user_ok && strchr (host, ':') == NULL) &&
      !(user_ok && at < strrchr (host, ':')))
    {
      guard_find (context, "hosts.userinfo", span, start, NULL);
      return;
    }
  /* httpie and xh: `:3000/path` is this machine. */
  if (start[0] == ':' && start[1 + strspn (start + 1, "0123456789")] == '\0')
    return;
  if (start[0] == '[')
    {
      char *end = strchr (start, ']');

      if (end == NULL)
        {
          guard_find (context, "hosts.foreign", span, whole, NULL);
          return;
        }
      *end = '\0';
      judge_host (context, start + 1, whole, span);
      return;
    }
  colon = strchr (start, ':');
  if (colon != NULL)
    *colon = '\0';
  judge_host (context, start, whole, span);
}

static gboolean
scheme_allowed (const char *scheme)
{
  static const char *const schemes[] = { "http",       "https",    "git",   "ssh",     "git+https",
                                         "git+ssh",    "git+http", "ws",    "wss",     "postgres",
                                         "postgresql", "mysql",    "redis", "mongodb", "amqp",
                                         "nats",       "grpc",     "npm",   "oci",     "docker",
                                         "tcp",        "sqlite",   NULL };

  return g_strv_contains (schemes, scheme);
}

void
guard_url_check (GuardContext *context,
                 const GuardState *state,
                 const char *text,
                 GuardSpan span,
                 gboolean scheme_needed)
{
  const char *rest = text;
  g_autofree char *authority = NULL;
  gsize length;

  if (text[0] == '\0')
    return;
  /* `http://[::1]/` unquoted is a pattern that matches nothing and stays as it is. */
  if (guard_url_has_scheme (text) && strchr (text, '/')[2] == GLOB_SET)
    {
      char *plain = (char *) guard_copy (context, text, -1);

      for (char *p = plain; *p != '\0'; p++)
        if (*p == GLOB_SET)
          *p = '[';
        else if (*p == GLOB_SET_END)
          *p = ']';
      text = plain;
      rest = plain;
    }
  if (guard_url_has_scheme (text))
    {
      const char *colon = strchr (text, ':');
      g_autofree char *scheme = g_ascii_strdown (text, colon - text);

      rest = colon + 3;
      if (g_str_equal (scheme, "file") || g_str_equal (scheme, "git+file") ||
          g_str_equal (scheme, "sqlite"))
        {
          if (rest[0] != '\0')
            guard_path_check (context, state, rest, span, GUARD_ACCESS_READ);
          return;
        }
      if (!scheme_allowed (scheme))
        {
          guard_find (context, "hosts.scheme", span, text, scheme);
          return;
        }
      length = strcspn (rest, "/?#\\");
      if (rest[length] == '\\')
        {
          guard_find (context, "hosts.foreign", span, text, NULL);
          return;
        }
      authority = g_strndup (rest, length);
      judge_authority (context, authority, text, span,
                       g_str_equal (scheme, "ssh") || g_str_equal (scheme, "git+ssh") ||
                           (scheme[0] != 'h' && scheme[0] != 'g'));
      return;
    }
  if (scheme_needed)
    return;
  if (g_str_has_prefix (text, "//"))
    rest = text + 2;
  length = strcspn (rest, "/?#\\");
  authority = g_strndup (rest, length);
  if (rest[length] == '\\')
    guard_find (context, "hosts.foreign", span, text, NULL);
  else
    judge_authority (context, authority, text, span, FALSE);
}

void
guard_host_check (GuardContext *context, const char *text, GuardSpan span)
{
  g_autofree char *authority = g_strndup (text, strcspn (text, "/"));

  if (guard_url_has_scheme (text))
    guard_url_check (context, NULL, text, span, TRUE);
  else
    judge_authority (context, authority, text, span, TRUE);
}

/* Git's: an address, `[user@]host:path`, a folder, or a remote's name. */
void
guard_remote_check (GuardContext *context,
                    const GuardState *state,
                    const char *text,
                    GuardSpan span)
{
  const char *colon = strchr (text, ':');
  const char *slash = strchr (text, '/');

  if (guard_has_unknown (text))
    {
      guard_find_unknown (context, "hosts.unknown", span, text);
      return;
    }
  if (strstr (text, "::") != NULL)
    {
      guard_find (context, "git.transport", span, text, NULL);
      return;
    }
  if (guard_url_has_scheme (text))
    guard_url_check (context, state, text, span, TRUE);
  else if (colon != NULL && (slash == NULL || colon < slash) && colon > text + 1)
    {
      g_autofree char *host = g_strndup (text, colon - text);

      judge_authority (context, host, text, span, TRUE);
    }
  else if (slash != NULL || text[0] == '.' || text[0] == HOLE_HOME)
    guard_path_check (context, state, text, span, GUARD_ACCESS_READ);
}

/* `host/name:tag`; the first part is a host only if it has a dot, a colon, or is localhost. */
void
guard_image_check (GuardContext *context, const char *text, GuardSpan span)
{
  const char *rest = text;
  const char *slash;
  g_autofree char *first = NULL;

  if (guard_url_has_scheme (rest))
    rest = strstr (rest, "://") + 3;
  slash = strchr (rest, '/');
  if (guard_has_unknown (rest) && slash == NULL)
    return;
  if (slash == NULL)
    return;
  first = g_strndup (rest, slash - rest);
  if (strpbrk (first, ".:\001") == NULL && !g_str_equal (first, "localhost"))
    return;
  judge_authority (context, first, text, span, FALSE);
}

/* `host/path@version`: a Go module. Paths of the project and the standard library have no dot. */
void
guard_module_check (GuardContext *context, const char *text, GuardSpan span)
{
  g_autofree char *first = g_strndup (text, strcspn (text, "/@"));

  if (text[0] == '.' || text[0] == '/' || strchr (first, '.') == NULL || strchr (text, '/') == NULL)
    return;
  if (g_str_has_suffix (first, ".go") || host_allowed (first, TRUE))
    return;
  judge_authority (context, first, text, span, FALSE);
}

void
guard_package_check (GuardContext *context,
                     const GuardState *state,
                     const char *text,
                     GuardSpan span)
{
  const char *at;

  if (g_str_has_prefix (text, "file:"))
    text += 5;
  if (guard_url_has_scheme (text))
    {
      guard_url_check (context, state, text, span, TRUE);
      return;
    }
  /* `name @ https://…` and `name@https://…` */
  at = strstr (text, "://");
  if (at != NULL)
    {
      const char *start = at;

      while (start > text && (g_ascii_isalnum (start[-1]) || start[-1] == '+' || start[-1] == '-'))
        start--;
      guard_url_check (context, state, start, span, TRUE);
      return;
    }
  if (g_str_has_prefix (text, "git@"))
    guard_remote_check (context, state, text, span);
  else if (g_str_has_prefix (text, "gitlab:") || g_str_has_prefix (text, "bitbucket:"))
    guard_find (context, "hosts.foreign", span, text, NULL);
  else if (guard_path_looks (text) || text[0] == '.')
    guard_path_check (context, state, text, span, GUARD_ACCESS_READ);
  else if (guard_has_unknown (text) && text[0] == HOLE_UNKNOWN)
    guard_find_unknown (context, "packages.unknown", span, text);
}

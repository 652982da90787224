/* What stays of the person's environment, what goes, and what comes in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-environment.h"

#include <stdlib.h>
#include <string.h>

/* execve() takes no single string above 128 KiB (MAX_ARG_STRLEN); the sum is ours. */
#define MAX_ENTRY (128 * 1024 - 1)
#define MAX_TOTAL (1024 * 1024)
#define MAX_COUNT 4096

#define FALLBACK_PATH "/usr/local/bin:/usr/bin:/bin"

typedef enum
{
  MATCH_CONTAINS, /* anywhere in the name, any case */
  MATCH_PART,     /* a whole part between underscores, any case */
  MATCH_NAME,
  MATCH_PREFIX,
} Match;

typedef enum
{
  TAKES_SECRET,
  TAKES_STEERING, /* makes programs load or run something else */
  TAKES_SESSION,  /* leads to the person's session: sockets, displays, agents */
  TAKES_STATE,    /* the shell's own, wrong in another process */
} Takes;

typedef struct
{
  Match match;
  Takes takes;
  const char *text;
} Rule;

static const Rule kept[] = {
  { MATCH_PREFIX, TAKES_STEERING, "GIT_AUTHOR_" },
  { MATCH_PREFIX, TAKES_STEERING, "GIT_COMMITTER_" },
};

static const Rule rules[] = {
  { MATCH_CONTAINS, TAKES_SECRET, "KEY" },
  { MATCH_CONTAINS, TAKES_SECRET, "SECRET" },
  { MATCH_CONTAINS, TAKES_SECRET, "TOKEN" },
  { MATCH_CONTAINS, TAKES_SECRET, "PASSWORD" },
  { MATCH_CONTAINS, TAKES_SECRET, "CREDENTIAL" },
  { MATCH_CONTAINS, TAKES_SECRET, "PRIVATE" },
  { MATCH_PART, TAKES_SECRET, "PASSWD" },
  { MATCH_PART, TAKES_SECRET, "PASSPHRASE" },
  { MATCH_PART, TAKES_SECRET, "PASS" },
  { MATCH_PART, TAKES_SECRET, "PAT" },
  { MATCH_PART, TAKES_SECRET, "COOKIE" },
  { MATCH_PART, TAKES_SECRET, "WEBHOOK" },
  { MATCH_PART, TAKES_SECRET, "DSN" },
  { MATCH_PART, TAKES_SECRET, "AUTH" },
  { MATCH_NAME, TAKES_SECRET, "DATABASE_URL" },

  { MATCH_PREFIX, TAKES_STEERING, "LD_" },
  { MATCH_PREFIX, TAKES_STEERING, "DYLD_" },
  { MATCH_PREFIX, TAKES_STEERING, "BASH_FUNC_" },
  { MATCH_PREFIX, TAKES_STEERING, "GIT_" },
  { MATCH_NAME, TAKES_STEERING, "BASH_ENV" },
  { MATCH_NAME, TAKES_STEERING, "ENV" },
  { MATCH_NAME, TAKES_STEERING, "SHELLOPTS" },
  { MATCH_NAME, TAKES_STEERING, "BASHOPTS" },
  { MATCH_NAME, TAKES_STEERING, "PROMPT_COMMAND" },
  { MATCH_NAME, TAKES_STEERING, "PS4" },
  { MATCH_NAME, TAKES_STEERING, "IFS" },
  { MATCH_NAME, TAKES_STEERING, "CDPATH" },
  { MATCH_NAME, TAKES_STEERING, "GLOBIGNORE" },
  { MATCH_NAME, TAKES_STEERING, "ZDOTDIR" },
  { MATCH_NAME, TAKES_STEERING, "NODE_OPTIONS" },
  { MATCH_NAME, TAKES_STEERING, "NODE_REPL_EXTERNAL_MODULE" },
  { MATCH_NAME, TAKES_STEERING, "PYTHONSTARTUP" },
  { MATCH_NAME, TAKES_STEERING, "PYTHONINSPECT" },
  { MATCH_NAME, TAKES_STEERING, "PYTHONBREAKPOINT" },
  { MATCH_NAME, TAKES_STEERING, "PYTHONWARNINGS" },
  { MATCH_NAME, TAKES_STEERING, "PERL5OPT" },
  { MATCH_NAME, TAKES_STEERING, "PERL5DB" },
  { MATCH_NAME, TAKES_STEERING, "RUBYOPT" },
  { MATCH_NAME, TAKES_STEERING, "JAVA_TOOL_OPTIONS" },
  { MATCH_NAME, TAKES_STEERING, "JDK_JAVA_OPTIONS" },
  { MATCH_NAME, TAKES_STEERING, "_JAVA_OPTIONS" },
  { MATCH_NAME, TAKES_STEERING, "GCONV_PATH" },
  { MATCH_NAME, TAKES_STEERING, "GTK_MODULES" },
  { MATCH_NAME, TAKES_STEERING, "GIO_EXTRA_MODULES" },
  { MATCH_NAME, TAKES_STEERING, "LESSOPEN" },
  { MATCH_NAME, TAKES_STEERING, "LESSCLOSE" },
  { MATCH_NAME, TAKES_STEERING, "MAKEFILES" },

  { MATCH_NAME, TAKES_SESSION, "DBUS_SESSION_BUS_ADDRESS" },
  { MATCH_NAME, TAKES_SESSION, "DBUS_STARTER_ADDRESS" },
  { MATCH_NAME, TAKES_SESSION, "DISPLAY" },
  { MATCH_NAME, TAKES_SESSION, "WAYLAND_DISPLAY" },
  { MATCH_NAME, TAKES_SESSION, "WAYLAND_SOCKET" },
  { MATCH_NAME, TAKES_SESSION, "XAUTHORITY" },
  { MATCH_NAME, TAKES_SESSION, "SSH_AUTH_SOCK" },
  { MATCH_NAME, TAKES_SESSION, "SSH_AGENT_PID" },
  { MATCH_NAME, TAKES_SESSION, "SSH_CLIENT" },
  { MATCH_NAME, TAKES_SESSION, "SSH_CONNECTION" },
  { MATCH_NAME, TAKES_SESSION, "SSH_TTY" },
  { MATCH_NAME, TAKES_SESSION, "SSH_ASKPASS" },
  { MATCH_NAME, TAKES_SESSION, "SUDO_ASKPASS" },
  { MATCH_NAME, TAKES_SESSION, "GPG_AGENT_INFO" },
  { MATCH_NAME, TAKES_SESSION, "GPG_TTY" },
  { MATCH_NAME, TAKES_SESSION, "SESSION_MANAGER" },
  { MATCH_NAME, TAKES_SESSION, "NOTIFY_SOCKET" },
  { MATCH_NAME, TAKES_SESSION, "JOURNAL_STREAM" },
  { MATCH_NAME, TAKES_SESSION, "INVOCATION_ID" },
  { MATCH_PREFIX, TAKES_SESSION, "LISTEN_" },
  { MATCH_NAME, TAKES_SESSION, "WSL_INTEROP" },
  { MATCH_PREFIX, TAKES_SESSION, "PERFICA_" },

  { MATCH_NAME, TAKES_STATE, "_" },
  { MATCH_NAME, TAKES_STATE, "PWD" },
  { MATCH_NAME, TAKES_STATE, "OLDPWD" },
  { MATCH_NAME, TAKES_STATE, "SHLVL" },
  { MATCH_NAME, TAKES_STATE, "NO_COLOR" },
  { MATCH_NAME, TAKES_STATE, "TMPDIR" },
  { MATCH_NAME, TAKES_STATE, "TMP" },
  { MATCH_NAME, TAKES_STATE, "TEMP" },
};

/* No pager, no prompt, no editor: nobody sits there. The guard counts on these (guard.md, "What was
 * read is what runs"): with CI=1 a bare vitest ends. */
static const char *const added_always[] = {
  "PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "GIT_EDITOR=true", "GIT_TERMINAL_PROMPT=0",
  "TERM=dumb", "CI=1",
};

/* Without a network npm waits 71 s, cargo 10.9 s and pip 8.6 s before they say so. */
static const char *const added_confined[] = {
  "npm_config_fetch_retries=0", "PIP_RETRIES=0", "CARGO_NET_RETRY=0", "GOPROXY=off", "UV_OFFLINE=1",
  "GIT_OPTIONAL_LOCKS=0",
};

static gboolean
has_part (const char *name, const char *part)
{
  gsize length = strlen (part);
  const char *at = name;

  for (;;)
    {
      const char *end = strchr (at, '_');
      gsize have = end != NULL ? (gsize) (end - at) : strlen (at);

      if (have == length && g_ascii_strncasecmp (at, part, length) == 0)
        return TRUE;
      if (end == NULL)
        return FALSE;
      at = end + 1;
    }
}

static gboolean
contains (const char *name, const char *text)
{
  gsize length = strlen (text);

  for (; *name != '\0'; name++)
    if (g_ascii_strncasecmp (name, text, length) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
rule_matches (const Rule *rule, const char *name)
{
  switch (rule->match)
    {
    case MATCH_CONTAINS:
      return contains (name, rule->text);
    case MATCH_PART:
      return has_part (name, rule->text);
    case MATCH_PREFIX:
      return g_str_has_prefix (name, rule->text);
    case MATCH_NAME:
    default:
      return g_str_equal (name, rule->text);
    }
}

static const Rule *
find_rule (const char *name)
{
  gboolean exempt = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    exempt = exempt || rule_matches (&kept[i], name);

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (rule_matches (&rules[i], name) && !(exempt && rules[i].takes != TAKES_SECRET))
      return &rules[i];
  return NULL;
}

/* scheme://user:password@host anywhere in the value, a list of URLs included. */
static gboolean
holds_url_password (const char *value)
{
  const char *at = value;

  while ((at = strstr (at, "://")) != NULL)
    {
      const char *start = at + 3;
      gsize length = strcspn (start, "/?# \t\n,;\"'");
      const char *colon = memchr (start, ':', length);
      const char *sign = NULL;

      for (gsize i = 0; i < length; i++)
        if (start[i] == '@')
          sign = start + i;
      if (colon != NULL && sign != NULL && colon + 1 < sign)
        return TRUE;
      at = start;
    }
  return FALSE;
}

gboolean
sandbox_environment_is_secret (const char *name, const char *value)
{
  g_return_val_if_fail (name != NULL, TRUE);

  return find_rule (name) != NULL || (value != NULL && holds_url_password (value));
}

static gboolean
is_inside (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  if (length > 1 && folder[length - 1] == '/')
    length--;
  return strncmp (path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static char *
scrub_path (const char *value, const char *project)
{
  g_auto (GStrv) entries = g_strsplit (value, G_SEARCHPATH_SEPARATOR_S, MAX_COUNT);
  g_autoptr (GPtrArray) left = g_ptr_array_new ();

  for (guint i = 0; entries[i] != NULL; i++)
    {
      g_autofree char *plain = NULL;
      g_autofree char *real = NULL;

      if (!g_path_is_absolute (entries[i]))
        continue;
      plain = g_canonicalize_filename (entries[i], "/");
      if (project != NULL && is_inside (plain, project))
        continue;
      real = realpath (plain, NULL);
      if (project != NULL && real != NULL && is_inside (real, project))
        continue;
      g_ptr_array_add (left, entries[i]);
    }
  if (left->len == 0)
    return g_strdup (FALLBACK_PATH);
  g_ptr_array_add (left, NULL);
  return g_strjoinv (G_SEARCHPATH_SEPARATOR_S, (char **) left->pdata);
}

static gboolean
is_added (const char *name, gsize length, gboolean confined)
{
  for (guint i = 0; i < G_N_ELEMENTS (added_always); i++)
    if (strncmp (added_always[i], name, length) == 0 && added_always[i][length] == '=')
      return TRUE;
  for (guint i = 0; confined && i < G_N_ELEMENTS (added_confined); i++)
    if (strncmp (added_confined[i], name, length) == 0 && added_confined[i][length] == '=')
      return TRUE;
  return FALSE;
}

char **
sandbox_environment_scrub (const char *const *base,
                           const char *project,
                           gboolean keep_ssh_agent,
                           gboolean confined,
                           char ***removed)
{
  g_autoptr (GStrvBuilder) left = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) gone = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gsize total = 0;

  for (guint i = 0; base != NULL && base[i] != NULL && i < MAX_COUNT; i++)
    {
      const char *equals = strchr (base[i], '=');
      gsize length = strlen (base[i]);
      g_autofree char *name = NULL;
      const Rule *rule;

      if (equals == NULL || equals == base[i])
        continue;
      name = g_strndup (base[i], equals - base[i]);
      if (g_hash_table_contains (seen, name))
        continue;
      g_hash_table_add (seen, g_strdup (name));

      rule = find_rule (name);
      if (rule != NULL && keep_ssh_agent && !confined && g_str_equal (name, "SSH_AUTH_SOCK"))
        rule = NULL;
      if (rule != NULL && rule->takes == TAKES_STATE)
        continue;
      if (rule != NULL || holds_url_password (equals + 1) || length > MAX_ENTRY ||
          total + length > MAX_TOTAL)
        {
          g_strv_builder_add (gone, name);
          continue;
        }
      if (is_added (name, equals - base[i], confined) || g_str_equal (name, "PATH"))
        {
          if (g_str_equal (name, "PATH"))
            {
              g_autofree char *path = scrub_path (equals + 1, project);
              g_autofree char *entry = g_strconcat ("PATH=", path, NULL);

              g_strv_builder_add (left, entry);
            }
          continue;
        }
      total += length;
      g_strv_builder_add (left, base[i]);
    }

  if (!g_hash_table_contains (seen, "PATH"))
    g_strv_builder_add (left, "PATH=" FALLBACK_PATH);
  for (guint i = 0; i < G_N_ELEMENTS (added_always); i++)
    g_strv_builder_add (left, added_always[i]);
  for (guint i = 0; confined && i < G_N_ELEMENTS (added_confined); i++)
    g_strv_builder_add (left, added_confined[i]);

  if (removed != NULL)
    *removed = g_strv_builder_end (gone);
  return g_strv_builder_end (left);
}

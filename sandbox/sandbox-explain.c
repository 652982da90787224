/* Tells from evidence what the confinement did to a command that failed. Always "likely".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-backend.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Only the end counts; the start of a long output says little of why it failed. */
#define MAX_OUTPUT 65536
#define MAX_PATH_LENGTH 4096

static const char *const network_words[] = {
  "Could not resolve host",
  "Couldn't resolve host",
  "Could not resolve proxy",
  "Temporary failure in name resolution",
  "Temporary failure resolving",
  "Name or service not known",
  "nodename nor servname provided",
  "unable to resolve host address",
  "Network is unreachable",
  "network is unreachable",
  "ENETUNREACH",
  "getaddrinfo EAI_AGAIN",
  "getaddrinfo ENOTFOUND",
  "EAI_AGAIN",
  "ENOTCACHED",
  "cache mode is 'only-if-cached'",
  "dial tcp: lookup",
  "module lookup disabled by GOPROXY=off",
  "failed to lookup address information",
  "spurious network error",
  "NewConnectionError",
  "ConnectionError",
  "connect: cannot assign requested address",
  "Cannot assign requested address",
  "network error",
  "Failed to establish a new connection",
  "UnknownHostException",
  "connect ECONNREFUSED",
  "Connection refused",
};

static const char *const read_only_words[] = {
  "Read-only file system",
  "EROFS",
  "read-only file system",
  "ReadOnlyFilesystem",
};

static const char *const busy_words[] = {
  "Device or resource busy",
  "EBUSY",
  "Invalid cross-device link",
  "EXDEV",
};

static const char *const privilege_words[] = {
  "\"no new privileges\" flag is set",
  "effective uid is not 0",
  "must be setuid root",
  "ptrace: Operation not permitted",
  "unshare failed: Operation not permitted",
  "mount: only root can",
};

static const char *const setuid_words[] = {
  "\"no new privileges\" flag is set",
  "effective uid is not 0",
  "must be setuid root",
  "newuidmap",
  "newgidmap",
  "fusermount: ",
  "fusermount3: ",
  "cannot clone: Operation not permitted",
  "socktype: SOCK_RAW",
  "Error: cannot set up namespace",
  "rootless",
};

/* The last line that has any of the words. */
static char *
find_line (const char *output, const char *const *words, guint n_words)
{
  const char *best = NULL;
  const char *start;

  for (guint i = 0; i < n_words; i++)
    for (const char *at = strstr (output, words[i]); at != NULL; at = strstr (at + 1, words[i]))
      if (at > best)
        best = at;
  if (best == NULL)
    return NULL;
  for (start = best; start > output && start[-1] != '\n'; start--)
    ;
  return g_strndup (start, strcspn (start, "\n"));
}

/* What a line names between quotes, or as a word with a slash or before a colon. */
static char *
find_path (const char *line)
{
  static const struct
  {
    const char *open;
    const char *close;
  } quotes[] = { { "‘", "’" }, { "'", "'" }, { "\"", "\"" }, { "`", "'" } };
  g_auto (GStrv) words = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (quotes); i++)
    {
      const char *start = strstr (line, quotes[i].open);
      const char *end =
          start != NULL ? strstr (start + strlen (quotes[i].open), quotes[i].close) : NULL;

      if (end != NULL)
        {
          start += strlen (quotes[i].open);
          if (end > start && end - start < MAX_PATH_LENGTH)
            return g_strndup (start, end - start);
        }
    }
  words = g_strsplit_set (line, " \t", 200);
  for (guint i = 0; words[i] != NULL; i++)
    {
      gsize length = strlen (words[i]);

      while (length > 0 && strchr (":,;", words[i][length - 1]) != NULL)
        words[i][--length] = '\0';
      if (length > 1 && length < MAX_PATH_LENGTH && strchr (words[i], '/') != NULL &&
          strstr (words[i], "://") == NULL && !(i == 0 && g_str_has_prefix (words[i], "/bin/")))
        return g_strdup (words[i]);
    }
  /* bash: line 1: FILE: Read-only file system */
  {
    g_auto (GStrv) parts = g_strsplit (line, ": ", 20);
    guint count = g_strv_length (parts);

    if (count >= 3 && parts[count - 2][0] != '\0' && strchr (parts[count - 2], ' ') == NULL)
      return g_strdup (parts[count - 2]);
  }
  return NULL;
}

static const char *
git_part (const char *path)
{
  static const char *const parts[] = { "/.git/hooks", "/.git/config", "/.git/info",
                                       "/.git/commondir" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (path, parts[i]) != NULL)
      return parts[i] + 1;
  return NULL;
}

static gboolean
is_app_folder (const char *path)
{
  const char *name = strrchr (path, '/');

  return name != NULL && g_str_equal (name, "/.perfica");
}

static char *
why_read_only (const SandboxPolicy *policy, const char *path)
{
  for (guint i = 0; policy->protected_paths[i] != NULL; i++)
    if (sandbox_path_is_inside (path, policy->protected_paths[i]))
      return is_app_folder (policy->protected_paths[i])
                 ? g_strdup_printf (
                       _ ("Likely cause: “%s” belongs to Perfica, so it is read-only in the "
                          "sandbox."),
                       path)
                 : g_strdup_printf (_ ("Likely cause: “%s” belongs to another loop (“%s”), so it "
                                       "is read-only in the sandbox."),
                                    path, policy->protected_paths[i]);
  if (git_part (path) != NULL)
    return g_strdup_printf (_ ("Likely cause: “%s” decides what git runs outside, so it is "
                               "read-only in the sandbox."),
                            path);
  if (sandbox_path_is_inside (path, policy->own))
    return NULL;
  if (sandbox_path_is_inside (path, policy->project))
    return g_strdup_printf (_ ("Likely cause: “%s” is outside this loop's folder (“%s”), so it is "
                               "read-only in the sandbox."),
                            path, policy->own);
  return g_strdup_printf (_ ("Likely cause: “%s” is outside the project, so it is read-only in the "
                             "sandbox."),
                          path);
}

static char *
explain_read_only (const SandboxPolicy *policy, const char *line)
{
  g_autofree char *named = find_path (line);
  g_autofree char *path = NULL;
  char *reason = NULL;

  if (named != NULL)
    {
      path = g_canonicalize_filename (named, policy->folder);
      reason = why_read_only (policy, path);
    }
  if (reason == NULL)
    reason = g_strdup_printf (_ ("Likely cause: it wrote outside this loop's folder (“%s”), which "
                                 "is read-only in the sandbox."),
                              policy->own);
  return reason;
}

static char *
take_end (const char *output)
{
  gsize length = strlen (output);

  return g_utf8_make_valid (length > MAX_OUTPUT ? output + length - MAX_OUTPUT : output, -1);
}

char *
sandbox_explain_confined (const SandboxPlan *plan,
                          const SandboxPolicy *policy,
                          int exit_code,
                          const char *output)
{
  g_autofree char *end = NULL;
  g_autofree char *line = NULL;

  if (exit_code == 0)
    return NULL;
  end = take_end (output);
  line = find_line (end, read_only_words, G_N_ELEMENTS (read_only_words));
  if (line != NULL)
    return explain_read_only (policy, line);
  line = find_line (end, network_words, G_N_ELEMENTS (network_words));
  if (line != NULL)
    return g_strdup (_ ("Likely cause: there is no network inside the sandbox, not even to this "
                        "computer's own services."));
  line = find_line (end, busy_words, G_N_ELEMENTS (busy_words));
  if (line != NULL)
    {
      g_autofree char *named = find_path (line);

      return g_strdup_printf (_ ("Likely cause: “%s” holds something protected, so it can't be "
                                 "moved, replaced or linked in the sandbox."),
                              named != NULL ? named : policy->own);
    }
  line = find_line (end, privilege_words, G_N_ELEMENTS (privilege_words));
  if (line != NULL)
    return g_strdup (_ ("Likely cause: nothing inside the sandbox can gain more rights, be it by "
                        "sudo, mount or a namespace."));
  return NULL;
}

char *
sandbox_explain_namespace (const SandboxPlan *plan,
                           const SandboxPolicy *policy,
                           int exit_code,
                           const char *output)
{
  g_autofree char *end = NULL;
  g_autofree char *line = NULL;

  if (exit_code == 0 || !plan->tree_is_certain)
    return NULL;
  end = take_end (output);
  line = find_line (end, setuid_words, G_N_ELEMENTS (setuid_words));
  if (line == NULL)
    return NULL;
  return g_strdup (
      _ ("Likely cause: programs that change the user (sudo, ping, fusermount, rootless "
         "podman) don't work where whole process trees are stopped. Board settings: "
         "“Stop whole process trees: best effort”."));
}

/* Windows: the bubblewrap plan inside a WSL distribution. Made and tested everywhere.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-probe.h"
#include "sandbox-wsl.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_DISTRIBUTIONS 64

/* Inside: each place must still be what it is called, then the rest of the line runs. */
static const char check_script[] =
    "n=$1; shift; while [ \"$n\" -gt 0 ]; do "
    "[ \"$(realpath -e -- \"$1\")\" = \"$1\" ] || { echo \"perfica: $1 is not what it was\" >&2; "
    "exit 126; }; shift; n=$((n-1)); done; exec \"$@\"";

/* ---- Words of wsl.exe ---- */

char *
sandbox_wsl_decode (gconstpointer data, gsize size)
{
  const guint8 *bytes = data;
  gsize skip;
  char *text;

  if (size == 0)
    return g_strdup ("");
  skip = size >= 2 && bytes[0] == 0xff && bytes[1] == 0xfe ? 2 : 0;
  if (skip == 2 || (size >= 2 && bytes[1] == '\0'))
    {
      text = g_convert ((const char *) bytes + skip, (size - skip) & ~(gsize) 1, "UTF-8",
                        "UTF-16LE", NULL, NULL, NULL);
      return text != NULL ? text : g_strdup ("");
    }
  return g_utf8_make_valid ((const char *) bytes, size);
}

static void
distribution_free (gpointer data)
{
  SandboxWslDistribution *distribution = data;

  g_free (distribution->name);
  g_free (distribution);
}

GPtrArray *
sandbox_wsl_parse_list (const char *text)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (distribution_free);
  g_auto (GStrv) lines = g_strsplit_set (text, "\r\n", 1000);

  for (guint i = 0; lines[i] != NULL && list->len < MAX_DISTRIBUTIONS; i++)
    {
      char *line = g_strstrip (lines[i]);
      gboolean is_default = line[0] == '*';
      const char *last;
      SandboxWslDistribution *distribution;
      gsize length;

      if (is_default)
        line = g_strchug (line + 1);
      last = strrchr (line, ' ');
      length = strcspn (line, " \t");
      if (last == NULL || length == 0 ||
          !(g_str_equal (last + 1, "1") || g_str_equal (last + 1, "2")) ||
          g_str_has_prefix (line, "docker-desktop"))
        continue;
      distribution = g_new0 (SandboxWslDistribution, 1);
      distribution->name = g_strndup (line, length);
      distribution->version = (guint) (last[1] - '0');
      distribution->is_default = is_default;
      g_ptr_array_add (list, distribution);
    }
  return list;
}

/* ---- Places ---- */

char *
sandbox_wsl_path (const char *path)
{
  static const char *const shares[] = { "\\\\wsl.localhost\\", "\\\\wsl$\\" };
  g_autofree char *slashes = g_strdelimit (g_strdup (path), "\\", '/');

  if (path[0] == '/')
    return g_strdup (path);
  if (g_ascii_isalpha (path[0]) && path[1] == ':' && (path[2] == '\\' || path[2] == '/'))
    {
      g_autofree char *full =
          g_strdup_printf ("/mnt/%c/%s", g_ascii_tolower (path[0]), slashes + 3);

      return g_canonicalize_filename (full, "/");
    }
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    if (g_ascii_strncasecmp (path, shares[i], strlen (shares[i])) == 0)
      {
        const char *rest = strchr (slashes + strlen (shares[i]), '/');

        return g_canonicalize_filename (rest != NULL ? rest : "/", "/");
      }
  return NULL;
}

gboolean
sandbox_wsl_is_drive (const char *path)
{
  return g_str_has_prefix (path, "/mnt/") && g_ascii_isalpha (path[5]) &&
         (path[6] == '/' || path[6] == '\0');
}

/* ---- The plan ---- */

/* What only our own supervisor could fill in. */
static gboolean
is_ours (const char *word)
{
  return g_str_equal (word, "@SECCOMP@") || g_str_equal (word, "@STATUS@") ||
         g_str_equal (word, "@INIT@") || g_str_equal (word, SANDBOX_INIT_INSIDE);
}

static void
add_inner (SandboxWords *words, const GByteArray *args)
{
  g_autoptr (GPtrArray) inner = g_ptr_array_new ();

  for (gsize at = 0; at < args->len; at += strlen ((const char *) args->data + at) + 1)
    g_ptr_array_add (inner, (char *) args->data + at);
  for (guint i = 0; i < inner->len; i++)
    {
      const char *word = g_ptr_array_index (inner, i);

      if (g_str_equal (word, "--as-pid-1"))
        continue;
      if (i + 1 < inner->len && is_ours (g_ptr_array_index (inner, i + 1)))
        {
          /* --seccomp FD, --json-status-fd FD, --ro-bind INIT INSIDE */
          i += g_str_equal (word, "--ro-bind") ? 2 : 1;
          continue;
        }
      sandbox_words_add (words, word, NULL);
    }
}

static void
add_checks (SandboxWords *words, const SandboxPolicy *policy, const SandboxPlaces *places)
{
  g_autofree char *count =
      g_strdup_printf ("%u", 2 + places->pins->len + places->protected_paths->len);

  sandbox_words_add (words, "/bin/sh", "-c", check_script, "sh", count, policy->project,
                     policy->own, NULL);
  for (guint i = 0; i < places->pins->len; i++)
    sandbox_words_add (words, g_ptr_array_index (places->pins, i), NULL);
  for (guint i = 0; i < places->protected_paths->len; i++)
    sandbox_words_add (words, g_ptr_array_index (places->protected_paths, i), NULL);
}

static SandboxPlan *
plan_inside (const SandboxPolicy *policy,
             const char *const *environment,
             const char *const *argv,
             GError **error)
{
  /* The distribution's bwrap isn't ours to ask at this point: only what every version has. */
  static const SandboxBwrap bwrap = { .bind_fd = FALSE, .perms_size = TRUE };
  g_autoptr (SandboxPlan) inner = NULL;
  g_auto (SandboxPlaces) places = { NULL };
  SandboxWords *words;
  SandboxPlan *plan;

  inner = sandbox_bubblewrap_plan (policy, &bwrap, environment, argv, error);
  if (inner == NULL || !sandbox_policy_find_places (policy, &places, error))
    return NULL;
  if (sandbox_wsl_is_drive (policy->own) && places.protected_paths->len > 0)
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE,
                   _ ("Names on Windows drives are not case-sensitive, so what lies inside “%s” "
                      "can't be protected. Give the loop a sub-folder"),
                   policy->own);
      return NULL;
    }

  plan = sandbox_plan_alloc (SANDBOX_BACKEND_WSL, policy);
  words = sandbox_words_new ();
  sandbox_words_add (words, "wsl.exe", NULL);
  if (policy->distribution != NULL)
    sandbox_words_add (words, "-d", policy->distribution, NULL);
  sandbox_words_add (words, "--cd", policy->folder, "-e", "timeout", "-s", "KILL", "@LIMIT@", NULL);
  add_checks (words, policy, &places);
  /* Windows hands no environment over: it is told here. */
  sandbox_words_add (words, "/usr/bin/env", "-i", NULL);
  for (guint i = 0; inner->environment[i] != NULL; i++)
    sandbox_words_add (words, inner->environment[i], NULL);
  sandbox_words_add (words, SANDBOX_BWRAP, NULL);
  add_inner (words, inner->args);
  sandbox_words_add (words, "--", NULL);
  sandbox_plan_set_argv (plan, words, argv);

  plan->environment = g_environ_setenv (g_strdupv (inner->environment), "WSL_UTF8", "1", TRUE);
  plan->traps = g_strdupv (inner->traps);
  /* Its own process namespace ends with bwrap, which the inner timeout kills. */
  plan->tree_is_certain = TRUE;
  return plan;
}

/* ---- The probe ---- */

static SandboxDiagnosis *
probe (const SandboxWishes *wishes, GCancellable *cancellable)
{
  static const char *const list[] = { "wsl.exe", "-l", "-v", NULL };
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "WSL_UTF8", "1", TRUE);
  const char *try[] = { "wsl.exe",   "-e",     SANDBOX_BWRAP, "--unshare-all", "--ro-bind", "/",
                        "/",         "--proc", "/proc",       "--dev",         "/dev",      "--",
                        "/bin/true", NULL };
  g_autoptr (GPtrArray) distributions = NULL;
  g_auto (SandboxProbe) listing = { 0 };
  g_auto (SandboxProbe) run = { 0 };
  g_auto (SandboxFacts) facts = { 0 };
  g_autofree char *text = NULL;
  gboolean old = FALSE;

  sandbox_facts_read (&facts, "");
  if (facts.wsl_missing)
    return sandbox_diagnosis_choose (SANDBOX_BACKEND_WSL, &facts, NULL);
  sandbox_probe_run (&listing, list, (const char *const *) environment, NULL, SANDBOX_PROBE_SECONDS,
                     cancellable);
  text = sandbox_wsl_decode (g_bytes_get_data (listing.output, NULL),
                             g_bytes_get_size (listing.output));
  distributions = sandbox_wsl_parse_list (text);
  if (distributions->len == 0)
    return sandbox_diagnosis_choose (SANDBOX_BACKEND_WSL, &facts, "no-distribution");
  for (guint i = 0; i < distributions->len; i++)
    {
      const SandboxWslDistribution *one = g_ptr_array_index (distributions, i);

      old = old || (one->is_default && one->version == 1);
    }
  if (old)
    return sandbox_diagnosis_choose (SANDBOX_BACKEND_WSL, &facts, "version-1");
  sandbox_probe_run (&run, try, (const char *const *) environment, NULL, SANDBOX_PROBE_SECONDS,
                     cancellable);
  if (run.status == 0)
    return sandbox_diagnosis_new_ready (SANDBOX_BACKEND_WSL);
  return sandbox_diagnosis_choose (SANDBOX_BACKEND_WSL, &facts, run.words);
}

const SandboxBackend sandbox_backend_wsl = {
  .type = SANDBOX_BACKEND_WSL,
  .name = "wsl",
  .probe = probe,
  .plan = plan_inside,
  .explain = sandbox_explain_confined,
};

/* The bubblewrap plan: the toolchain, the project read-only, the loop's folder writable, no
 * network.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-probe.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE_TMP "2147483648"
#define SIZE_HOME "4294967296"
#define SIZE_SHM "1073741824"
#define SIZE_RUNTIME "67108864"

/* What of the home is shown, read-only: programs, their settings, caches that work offline. Nothing
 * that holds credentials (.config/git whole would show .config/git/credentials). */
static const char *const home_visible[] = {
  ".cargo/bin",
  ".cargo/config",
  ".cargo/config.toml",
  ".cargo/registry",
  ".cargo/git",
  ".rustup",
  ".nvm",
  ".volta",
  ".fnm",
  ".local/share/fnm",
  ".local/share/mise",
  ".local/share/uv",
  ".local/share/pnpm",
  ".local/share/virtualenv",
  ".local/bin",
  ".local/lib",
  ".pyenv",
  ".rbenv",
  ".asdf",
  ".sdkman/candidates",
  ".deno/bin",
  ".bun/bin",
  ".dotnet",
  ".ghcup",
  ".opam",
  ".gitconfig",
  ".config/git/config",
  ".config/git/ignore",
  ".config/git/attributes",
  ".npm/_cacache/content-v2",
  ".npm/_cacache/index-v5",
  ".cache/pip",
  ".cache/uv",
  ".cache/yarn",
  ".m2/repository",
  ".nuget/packages",
  "go/bin",
  "go/pkg/mod",
};

/* As uid 0 the mode bits of these no longer help. */
static const char *const root_files[] = {
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/krb5.keytab",
  "/etc/security/opasswd",
  "/etc/ssh/ssh_host_rsa_key",
  "/etc/ssh/ssh_host_ecdsa_key",
  "/etc/ssh/ssh_host_ed25519_key",
  "/etc/ssh/ssh_host_dsa_key",
};
static const char *const root_folders[] = {
  "/etc/ssl/private",
  "/etc/sudoers.d",
  "/etc/wireguard",
  "/etc/NetworkManager/system-connections",
};

/* Links or folders at the top, as this host has them (/home is a link on ostree systems). */
static const char *const top_names[] = { "bin", "sbin", "lib", "lib32", "lib64", "libx32", "home" };

static void
add_namespaces (SandboxWords *words, const SandboxBwrap *bwrap)
{
  sandbox_words_add (words, "--unshare-user", "--unshare-all", NULL);
  if (bwrap->disable_userns)
    sandbox_words_add (words, "--disable-userns", NULL);
  sandbox_words_add (words, "--die-with-parent", "--new-session", "--cap-drop", "ALL", NULL);
}

static void
add_system (SandboxWords *words, const SandboxPolicy *policy)
{
  sandbox_words_add (words, "--ro-bind", "/usr", "/usr", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (top_names); i++)
    {
      g_autofree char *path = g_build_filename ("/", top_names[i], NULL);
      g_autofree char *target = g_file_read_link (path, NULL);

      if (target != NULL)
        sandbox_words_add (words, "--symlink", target, path, NULL);
      else if (!g_str_equal (top_names[i], "home") && g_file_test (path, G_FILE_TEST_IS_DIR))
        sandbox_words_add (words, "--ro-bind", path, path, NULL);
    }
  sandbox_words_add (words, "--ro-bind", "/etc", "/etc", NULL);
  if (policy->uid == 0)
    {
      for (guint i = 0; i < G_N_ELEMENTS (root_files); i++)
        if (g_file_test (root_files[i], G_FILE_TEST_IS_REGULAR))
          sandbox_words_add (words, "--ro-bind", "/dev/null", root_files[i], NULL);
      for (guint i = 0; i < G_N_ELEMENTS (root_folders); i++)
        if (g_file_test (root_folders[i], G_FILE_TEST_IS_DIR))
          sandbox_words_add (words, "--tmpfs", root_folders[i], "--remount-ro", root_folders[i],
                             NULL);
    }
  sandbox_words_add (words, "--ro-bind-try", "/opt", "/opt", NULL);
  sandbox_words_add (words, "--ro-bind-try", "/nix/store", "/nix/store", NULL);
  sandbox_words_add (words, "--ro-bind", "/sys", "/sys", NULL);
  sandbox_words_add (words, "--dev", "/dev", "--proc", "/proc", NULL);
  /* core_pattern runs a program as root outside. */
  if (policy->uid == 0)
    sandbox_words_add (words, "--ro-bind", "/proc/sys", "/proc/sys", NULL);
}

static void
add_tmpfs (SandboxWords *words,
           const SandboxBwrap *bwrap,
           const char *mode,
           const char *size,
           const char *path)
{
  if (bwrap->perms_size)
    {
      sandbox_words_add (words, "--perms", mode, NULL);
      if (size != NULL)
        sandbox_words_add (words, "--size", size, NULL);
    }
  sandbox_words_add (words, "--tmpfs", path, NULL);
}

static void
add_scratch (SandboxWords *words, const SandboxPolicy *policy, const SandboxBwrap *bwrap)
{
  g_autofree char *runtime = g_strdup_printf ("/run/user/%u", policy->uid);

  add_tmpfs (words, bwrap, "1777", SIZE_SHM, "/dev/shm");
  add_tmpfs (words, bwrap, "1777", SIZE_TMP, "/tmp");
  add_tmpfs (words, bwrap, "1777", SIZE_TMP, "/var/tmp");
  add_tmpfs (words, bwrap, "0700", SIZE_RUNTIME, runtime);
  add_tmpfs (words, bwrap, "0700", SIZE_HOME, policy->home);
}

/* Dotfiles are often links. One that leads to the home itself or to a folder of secrets isn't
 * followed. */
static gboolean
may_show (const SandboxPolicy *policy, const char *real)
{
  static const char *const never[] = { ".ssh",
                                       ".gnupg",
                                       ".aws",
                                       ".kube",
                                       ".docker",
                                       ".azure",
                                       ".mozilla",
                                       ".netrc",
                                       ".pki",
                                       ".password-store",
                                       ".config/perfica",
                                       ".config/gcloud",
                                       ".config/gh",
                                       ".config/google-chrome",
                                       ".config/chromium",
                                       ".local/share/keyrings",
                                       ".local/state/perfica",
                                       ".git-credentials",
                                       ".npmrc",
                                       ".pypirc" };

  if (sandbox_path_is_inside (policy->home, real))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (never); i++)
    {
      g_autofree char *secret = g_build_filename (policy->home, never[i], NULL);

      if (sandbox_path_is_inside (real, secret) || sandbox_path_is_inside (secret, real))
        return FALSE;
    }
  return TRUE;
}

static void
add_home (SandboxWords *words, const SandboxPolicy *policy)
{
  for (guint i = 0; i < G_N_ELEMENTS (home_visible); i++)
    {
      g_autofree char *path = g_build_filename (policy->home, home_visible[i], NULL);
      g_autofree char *real = realpath (path, NULL);

      if (real != NULL && may_show (policy, real) &&
          !sandbox_path_is_inside (policy->project, path))
        sandbox_words_add (words, "--ro-bind", real, path, NULL);
    }
  for (guint i = 0; policy->visible[i] != NULL; i++)
    if (!sandbox_path_is_inside (policy->visible[i], policy->project))
      sandbox_words_add (words, "--ro-bind", policy->visible[i], policy->visible[i], NULL);
}

/* By descriptor where bwrap can: what was checked is then what is mounted. */
static gboolean
add_bind (SandboxPlan *plan,
          SandboxWords *words,
          const SandboxBwrap *bwrap,
          gboolean writable,
          const char *path,
          GError **error)
{
  g_autofree char *place = NULL;

  if (!bwrap->bind_fd)
    {
      sandbox_words_add (words, writable ? "--bind" : "--ro-bind", path, path, NULL);
      return TRUE;
    }
  place = sandbox_plan_open (plan, path, error);
  if (place == NULL)
    return FALSE;
  sandbox_words_add (words, writable ? "--bind-fd" : "--ro-bind-fd", place, path, NULL);
  return TRUE;
}

/* Pins come before the own folder: on top of it, hard links across them would fail (EXDEV). */
static gboolean
add_project (SandboxPlan *plan,
             SandboxWords *words,
             const SandboxPolicy *policy,
             const SandboxBwrap *bwrap,
             const SandboxPlaces *places,
             GError **error)
{
  if (!add_bind (plan, words, bwrap, FALSE, policy->project, error))
    return FALSE;
  for (guint i = 0; i < places->pins->len; i++)
    if (!add_bind (plan, words, bwrap, FALSE, g_ptr_array_index (places->pins, i), error))
      return FALSE;
  if (!add_bind (plan, words, bwrap, TRUE, policy->own, error))
    return FALSE;
  for (guint i = 0; i < places->protected_paths->len; i++)
    if (!add_bind (plan, words, bwrap, FALSE, g_ptr_array_index (places->protected_paths, i),
                   error))
      return FALSE;
  for (guint i = 0; i < places->sockets->len; i++)
    sandbox_words_add (words, "--ro-bind", "/dev/null", g_ptr_array_index (places->sockets, i),
                       NULL);
  if (policy->tmpdir != NULL)
    return add_bind (plan, words, bwrap, TRUE, policy->tmpdir, error);
  return TRUE;
}

SandboxPlan *
sandbox_bubblewrap_plan (const SandboxPolicy *policy,
                         const SandboxBwrap *bwrap,
                         const char *const *environment,
                         const char *const *argv,
                         GError **error)
{
  g_autoptr (SandboxPlan) plan = NULL;
  g_autoptr (GPtrArray) args = NULL;
  g_auto (SandboxPlaces) places = { NULL };
  g_autofree char *runtime = g_strdup_printf ("/run/user/%u", policy->uid);
  SandboxWords *words;

  if (!sandbox_policy_check (policy, error) || !sandbox_policy_find_places (policy, &places, error))
    return NULL;

  plan = sandbox_plan_alloc (SANDBOX_BACKEND_BUBBLEWRAP, policy);
  args = sandbox_words_new ();
  add_namespaces (args, bwrap);
  add_system (args, policy);
  add_scratch (args, policy, bwrap);
  add_home (args, policy);
  if (!add_project (plan, args, policy, bwrap, &places, error))
    return NULL;
  sandbox_words_add (args, "--ro-bind", "@INIT@", SANDBOX_INIT_INSIDE, NULL);
  sandbox_words_add (args, "--remount-ro", "/dev", NULL);
  sandbox_words_add (args, "--remount-ro", "/", "--chdir", policy->folder, NULL);
  sandbox_words_add (args, "--seccomp", "@SECCOMP@", "--json-status-fd", "@STATUS@", NULL);
  sandbox_words_add (args, "--as-pid-1", NULL);
  plan->args = sandbox_words_end_args (g_steal_pointer (&args));

  words = sandbox_words_new ();
  sandbox_words_add (words, SANDBOX_BWRAP, "--args", "@ARGS@", "--", SANDBOX_INIT_INSIDE, "--init",
                     "@LIFELINE@", "--", NULL);
  sandbox_plan_set_argv (plan, words, argv);

  plan->environment = sandbox_plan_environment (policy, environment);
  plan->environment = g_environ_setenv (plan->environment, "HOME", policy->home, TRUE);
  plan->environment = g_environ_setenv (plan->environment, "XDG_RUNTIME_DIR", runtime, TRUE);
  if (policy->tmpdir == NULL)
    plan->environment = g_environ_setenv (plan->environment, "TMPDIR", "/tmp", TRUE);
  g_ptr_array_add (places.traps, NULL);
  plan->traps = g_strdupv ((char **) places.traps->pdata);
  g_ptr_array_set_size (places.traps, places.traps->len - 1);
  plan->needs_init = TRUE;
  plan->seccomp = TRUE;
  plan->status = TRUE;
  plan->tree_is_certain = TRUE;
  return g_steal_pointer (&plan);
}

static SandboxPlan *
plan_with_installed (const SandboxPolicy *policy,
                     const char *const *environment,
                     const char *const *argv,
                     GError **error)
{
  SandboxBwrap bwrap;

  if (!sandbox_bwrap_get (&bwrap, error))
    return NULL;
  return sandbox_bubblewrap_plan (policy, &bwrap, environment, argv, error);
}

/* The real plan, for a project made for it. */
static SandboxDiagnosis *
probe_plan (const SandboxFacts *facts, GCancellable *cancellable)
{
  g_autofree char *made = g_dir_make_tmp ("perfica-probe-XXXXXX", NULL);
  g_autofree char *project = made != NULL ? realpath (made, NULL) : NULL;
  g_autoptr (SandboxPolicy) policy = sandbox_policy_new (project, project);
  const char *argv[] = { "true", NULL };
  g_auto (SandboxProbe) probe = { 0 };
  g_autoptr (SandboxPlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done;

  plan = project != NULL ? plan_with_installed (policy, NULL, argv, &error) : NULL;
  done = plan != NULL && sandbox_probe_plan (&probe, plan, cancellable, &error);
  if (made != NULL)
    g_rmdir (made);
  if (done && probe.status == 0)
    return sandbox_diagnosis_new_ready (SANDBOX_BACKEND_BUBBLEWRAP);
  return sandbox_diagnosis_choose (SANDBOX_BACKEND_BUBBLEWRAP, facts,
                                   done            ? probe.words
                                   : error != NULL ? error->message
                                                   : NULL);
}

static SandboxDiagnosis *
probe_installed (const SandboxWishes *wishes, GCancellable *cancellable)
{
  g_auto (SandboxFacts) facts = { 0 };

  sandbox_facts_read (&facts, "");
  if (facts.bwrap_missing || facts.bwrap_not_executable || facts.bwrap_setuid)
    return sandbox_diagnosis_choose (SANDBOX_BACKEND_BUBBLEWRAP, &facts, NULL);
  return probe_plan (&facts, cancellable);
}

const SandboxBackend sandbox_backend_bubblewrap = {
  .type = SANDBOX_BACKEND_BUBBLEWRAP,
  .name = "bubblewrap",
  .probe = probe_installed,
  .plan = plan_with_installed,
  .explain = sandbox_explain_confined,
};

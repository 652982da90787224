/* macOS: a profile for sandbox-exec. Made and tested everywhere; run only there.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-backend.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SANDBOX_EXEC "/usr/bin/sandbox-exec"

/* Later rules win, so what must stay closed comes last. */
static const char profile_start[] =
    "(version 1)\n"
    "(deny default)\n"
    "(allow process-exec)\n"
    "(allow process-fork)\n"
    "(allow process-info* (target same-sandbox))\n"
    "(allow signal (target same-sandbox))\n"
    "(allow sysctl-read)\n"
    "(allow ipc-posix-shm)\n"
    "(allow ipc-posix-sem)\n"
    "(allow pseudo-tty)\n"
    "(allow mach-lookup (global-name \"com.apple.system.opendirectoryd.libinfo\")\n"
    "  (global-name \"com.apple.system.logger\"))\n"
    "(allow file-read-metadata)\n"
    "(allow file-read* (literal \"/\")\n"
    "  (subpath \"/usr\") (subpath \"/bin\") (subpath \"/sbin\") (subpath \"/System\")\n"
    "  (subpath \"/Library\") (subpath \"/Applications\") (subpath \"/opt\") (subpath "
    "\"/nix/store\")\n"
    "  (subpath \"/private/etc\") (subpath \"/private/var/select\")\n"
    "  (subpath \"/private/var/db/timezone\") (subpath \"/private/var/db/dyld\")\n"
    "  (subpath \"/dev\"))\n"
    "(deny file-read* (subpath \"/Library/Keychains\"))\n"
    "(allow file-write-data (literal \"/dev/null\") (literal \"/dev/zero\")\n"
    "  (literal \"/dev/stdout\") (literal \"/dev/stderr\") (literal \"/dev/dtracehelper\"))\n"
    "(allow file-ioctl (literal \"/dev/dtracehelper\"))\n";

static const char *const home_visible[] = {
  ".cargo/bin",
  ".cargo/registry",
  ".rustup",
  ".nvm",
  ".volta",
  ".pyenv",
  ".rbenv",
  ".asdf",
  ".local/bin",
  ".bun/bin",
  ".deno/bin",
  ".gitconfig",
  "go/bin",
  "go/pkg/mod",
  ".config/git/config",
  ".npm/_cacache/content-v2",
  ".npm/_cacache/index-v5",
};

typedef struct
{
  GString *profile;
  SandboxWords *definitions;
} Builder;

static void
define (Builder *builder, const char *name, const char *path)
{
  g_autofree char *real = realpath (path, NULL);
  g_autofree char *definition = g_strdup_printf ("%s=%s", name, real != NULL ? real : path);

  sandbox_words_add (builder->definitions, "-D", definition, NULL);
}

static void
add_readable (Builder *builder, const char *name, const char *path)
{
  define (builder, name, path);
  g_string_append_printf (builder->profile, "(allow file-read* (subpath (param \"%s\")))\n", name);
}

static void
add_writable (Builder *builder, const char *name, const char *path)
{
  define (builder, name, path);
  g_string_append_printf (builder->profile,
                          "(allow file-read* file-write* (subpath (param \"%s\")))\n", name);
}

static void
add_reads (Builder *builder, const SandboxPolicy *policy)
{
  for (guint i = 0; i < G_N_ELEMENTS (home_visible); i++)
    {
      g_autofree char *path = g_build_filename (policy->home, home_visible[i], NULL);
      g_autofree char *name = g_strdup_printf ("TOOL%u", i);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        add_readable (builder, name, path);
    }
  for (guint i = 0; policy->visible[i] != NULL; i++)
    {
      g_autofree char *name = g_strdup_printf ("VISIBLE%u", i);

      add_readable (builder, name, policy->visible[i]);
    }
  add_readable (builder, "PROJECT", policy->project);
}

/* `getconf DARWIN_USER_TEMP_DIR`, which many programs use whatever TMPDIR says. */
static void
add_user_temp (Builder *builder)
{
#ifdef _CS_DARWIN_USER_TEMP_DIR
  char path[4096];
  size_t length = confstr (_CS_DARWIN_USER_TEMP_DIR, path, sizeof path);

  if (length > 0 && length <= sizeof path)
    add_writable (builder, "USERTMP", path);
#endif
}

static void
add_closed (Builder *builder, const SandboxPlaces *places)
{
  for (guint i = 0; i < places->protected_paths->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("PROTECTED%u", i);

      define (builder, name, g_ptr_array_index (places->protected_paths, i));
      g_string_append_printf (builder->profile,
                              "(deny file-write* (literal (param \"%s\")) (subpath (param "
                              "\"%s\")))\n",
                              name, name);
    }
  for (guint i = 0; i < places->traps->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("TRAP%u", i);

      define (builder, name, g_ptr_array_index (places->traps, i));
      g_string_append_printf (builder->profile,
                              "(deny file-write* (literal (param \"%s\")) (subpath (param "
                              "\"%s\")))\n",
                              name, name);
    }
  /* Else a folder above could be moved away and another put in its place. */
  for (guint i = 0; i < places->pins->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("PIN%u", i);

      define (builder, name, g_ptr_array_index (places->pins, i));
      g_string_append_printf (builder->profile,
                              "(deny file-write-unlink file-write-create (literal (param "
                              "\"%s\")))\n",
                              name);
    }
  /* The own folder itself: what is in its place is what the app would show next time. */
  g_string_append (builder->profile,
                   "(deny file-write-unlink file-write-create (literal (param \"OWN\")))\n"
                   "(deny network*)\n");
}

static SandboxPlan *
plan_profile (const SandboxPolicy *policy,
              const char *const *environment,
              const char *const *argv,
              GError **error)
{
  g_autoptr (GString) profile = g_string_new (profile_start);
  g_auto (SandboxPlaces) places = { NULL };
  Builder builder = { profile, NULL };
  SandboxWords *words;
  SandboxPlan *plan;

  if (!sandbox_policy_check (policy, error) || !sandbox_policy_find_places (policy, &places, error))
    return NULL;
  builder.definitions = sandbox_words_new ();
  add_reads (&builder, policy);
  add_writable (&builder, "OWN", policy->own);
  add_user_temp (&builder);
  if (policy->tmpdir != NULL)
    add_writable (&builder, "TMP", policy->tmpdir);
  add_closed (&builder, &places);

  plan = sandbox_plan_alloc (SANDBOX_BACKEND_SANDBOX_EXEC, policy);
  words = sandbox_words_new ();
  sandbox_words_add (words, SANDBOX_EXEC, "-p", profile->str, NULL);
  g_ptr_array_extend_and_steal (words, builder.definitions);
  sandbox_words_add (words, "--", NULL);
  sandbox_plan_set_argv (plan, words, argv);
  plan->environment = sandbox_plan_environment (policy, environment);
  return plan;
}

static SandboxDiagnosis *
probe (const SandboxWishes *wishes, GCancellable *cancellable)
{
  SandboxDiagnosis *diagnosis = sandbox_diagnosis_new_ready (SANDBOX_BACKEND_SANDBOX_EXEC);

  if (access (SANDBOX_EXEC, X_OK) == 0)
    return diagnosis;
  diagnosis->ready = FALSE;
  g_free (diagnosis->summary);
  diagnosis->summary = g_strdup (N_ ("macOS's sandbox-exec is not there"));
  return diagnosis;
}

const SandboxBackend sandbox_backend_sandbox_exec = {
  .type = SANDBOX_BACKEND_SANDBOX_EXEC,
  .name = "sandbox-exec",
  .probe = probe,
  .plan = plan_profile,
  .explain = sandbox_explain_confined,
};

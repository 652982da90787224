/* Not confined, but in a process namespace where the system grants one: the whole tree can then be
 * stopped for sure.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-backend.h"

#include <glib/gi18n-lib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files that are root's show as nobody's in a user namespace, and ssh refuses such settings. */
#define SSH_SETTINGS "/etc/ssh/ssh_config.d"

static GMutex lock;
static enum {
  NAMESPACE_UNKNOWN,
  NAMESPACE_YES,
  NAMESPACE_NO,
} namespace_state;

static void
add_namespace (SandboxWords *words, guint uid)
{
  sandbox_words_add (words, SANDBOX_BWRAP, NULL);
  /* Root needs no user namespace for this, and in one could no longer be anybody else. */
  if (uid != 0)
    sandbox_words_add (words, "--unshare-user", NULL);
  sandbox_words_add (words, "--unshare-pid", "--die-with-parent", "--dev-bind", "/", "/", "--proc",
                     "/proc", NULL);
  if (uid != 0 && g_file_test (SSH_SETTINGS, G_FILE_TEST_IS_DIR))
    sandbox_words_add (words, "--tmpfs", SSH_SETTINGS, NULL);
}

void
sandbox_none_forget (void)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&lock);

  namespace_state = NAMESPACE_UNKNOWN;
}

gboolean
sandbox_none_has_namespace (void)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&lock);

  if (namespace_state == NAMESPACE_UNKNOWN)
    {
      SandboxWords *words = sandbox_words_new ();
      g_auto (GStrv) argv = NULL;
      int status = 1;
      SandboxBwrap bwrap;

      add_namespace (words, getuid ());
      sandbox_words_add (words, "--", "/bin/true", NULL);
      argv = sandbox_words_end (words);
      namespace_state = NAMESPACE_NO;
      if (sandbox_bwrap_get (&bwrap, NULL) &&
          g_spawn_sync ("/", argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                        NULL, NULL, NULL, NULL, &status, NULL) &&
          status == 0)
        namespace_state = NAMESPACE_YES;
    }
  return namespace_state == NAMESPACE_YES;
}

static SandboxPlan *
plan_unconfined (const SandboxPolicy *policy,
                 const char *const *environment,
                 const char *const *argv,
                 GError **error)
{
  SandboxPlan *plan = sandbox_plan_alloc (SANDBOX_BACKEND_NONE, policy);
  SandboxWords *words = sandbox_words_new ();

  plan->environment = sandbox_plan_environment (policy, environment);
  if (!policy->best_effort_tree && sandbox_none_has_namespace ())
    {
      add_namespace (words, policy->uid);
      sandbox_words_add (words, "--as-pid-1", "--json-status-fd", "@STATUS@", "--chdir",
                         policy->folder, "--", "@INIT@", "--init", "@LIFELINE@", "--", NULL);
      plan->status = TRUE;
      plan->tree_is_certain = TRUE;
    }
  else
    {
      sandbox_words_add (words, "@INIT@", "--init", "@LIFELINE@", "--", NULL);
    }
  plan->needs_init = TRUE;
  sandbox_plan_set_argv (plan, words, argv);
  return plan;
}

static SandboxDiagnosis *
probe_namespace (const SandboxWishes *wishes, GCancellable *cancellable)
{
  SandboxDiagnosis *diagnosis = sandbox_diagnosis_new_ready (SANDBOX_BACKEND_NONE);

  sandbox_none_forget ();
  g_free (diagnosis->summary);
  diagnosis->summary =
      g_strdup (sandbox_none_has_namespace ()
                    ? N_ ("Commands are not confined; whole process trees are stopped")
                    : N_ ("Commands are not confined; process trees are stopped at best effort"));
  return diagnosis;
}

const SandboxBackend sandbox_backend_none = {
  .type = SANDBOX_BACKEND_NONE,
  .name = "none",
  .probe = probe_namespace,
  .plan = plan_unconfined,
  .explain = sandbox_explain_namespace,
};

/* The Docker plan: the same places in a container of the chosen image.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-probe.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HOME_INSIDE "/home/agent"

/* The container has its own PATH and home. Values travel in docker's environment, not on its
 * command line, which everybody on the machine can read. */
static const char *const passed_on[] = {
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TERM",
  "PAGER",
  "GIT_PAGER",
  "MANPAGER",
  "GIT_TERMINAL_PROMPT",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "npm_config_fetch_retries",
  "PIP_RETRIES",
  "CARGO_NET_RETRY",
  "GOPROXY",
  "UV_OFFLINE",
  "GIT_OPTIONAL_LOCKS",
  "CI",
};

/* --mount takes a line of comma-separated values. */
static char *
mount_field (const char *name, const char *path)
{
  g_autoptr (GString) field = g_string_new (name);

  g_string_append (field, path);
  if (strpbrk (path, ",\"\n") == NULL)
    return g_string_free (g_steal_pointer (&field), FALSE);
  g_string_replace (field, "\"", "\"\"", 0);
  g_string_prepend_c (field, '"');
  g_string_append_c (field, '"');
  return g_string_free (g_steal_pointer (&field), FALSE);
}

static void
add_mount (SandboxWords *words, const char *source, const char *target, gboolean writable)
{
  g_autofree char *from = mount_field ("src=", source);
  g_autofree char *to = mount_field ("dst=", target);
  g_autofree char *line =
      g_strdup_printf ("type=bind,%s,%s%s", from, to, writable ? "" : ",readonly");

  sandbox_words_add (words, "--mount", line, NULL);
}

static void
add_limits (SandboxWords *words, guint uid, guint gid)
{
  g_autofree char *user = g_strdup_printf ("%u:%u", uid, gid);
  g_autofree char *home =
      g_strdup_printf (HOME_INSIDE ":rw,exec,uid=%u,gid=%u,mode=0700,size=2g", uid, gid);

  sandbox_words_add (words, "--network", "none", "--read-only", "--user", user, "--cap-drop", "ALL",
                     "--security-opt", "no-new-privileges", "--pids-limit", "512", "--memory", "4g",
                     "--ipc", "private", "--log-driver", "none", NULL);
  sandbox_words_add (words, "--tmpfs", "/tmp:rw,exec,nosuid,nodev,mode=1777,size=2g", "--tmpfs",
                     home, NULL);
}

static void
add_environment (SandboxWords *words, char **environment)
{
  sandbox_words_add (words, "-e", "HOME=" HOME_INSIDE, "-e", "TMPDIR=/tmp", "-e",
                     "GIT_CONFIG_COUNT=1", "-e", "GIT_CONFIG_KEY_0=safe.directory", "-e",
                     "GIT_CONFIG_VALUE_0=*", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (passed_on); i++)
    if (g_environ_getenv (environment, passed_on[i]) != NULL)
      sandbox_words_add (words, "-e", passed_on[i], NULL);
}

/* Docker mounts the shallower first, so here the pins lie on top of the own folder and must be
 * writable. Hard links across one then fail with EXDEV. */
static void
add_places (SandboxWords *words, const SandboxPolicy *policy, const SandboxPlaces *places)
{
  for (guint i = 0; policy->visible[i] != NULL; i++)
    if (!sandbox_path_is_inside (policy->visible[i], policy->project))
      add_mount (words, policy->visible[i], policy->visible[i], FALSE);
  if (!g_str_equal (policy->own, policy->project))
    add_mount (words, policy->project, policy->project, FALSE);
  add_mount (words, policy->own, policy->own, TRUE);
  for (guint i = 0; i < places->pins->len; i++)
    {
      const char *pin = g_ptr_array_index (places->pins, i);
      gboolean covered = FALSE;

      for (guint j = 0; j < places->protected_paths->len; j++)
        covered =
            covered || sandbox_path_is_inside (pin, g_ptr_array_index (places->protected_paths, j));
      if (!covered)
        add_mount (words, pin, pin, TRUE);
    }
  for (guint i = 0; i < places->protected_paths->len; i++)
    {
      const char *path = g_ptr_array_index (places->protected_paths, i);

      add_mount (words, path, path, FALSE);
    }
  for (guint i = 0; i < places->sockets->len; i++)
    add_mount (words, "/dev/null", g_ptr_array_index (places->sockets, i), FALSE);
}

/* Beside TMPDIR, not in it: the command must not get at it. */
static char *
choose_cidfile (const SandboxPolicy *policy)
{
  g_autofree char *unique = NULL;

  if (policy->tmpdir != NULL)
    return g_strconcat (policy->tmpdir, ".cid", NULL);
  unique = g_uuid_string_random ();
  return g_strdup_printf ("%s/perfica-%s.cid", g_get_user_runtime_dir (), unique);
}

static SandboxPlan *
plan_container (const SandboxPolicy *policy,
                const char *const *environment,
                const char *const *argv,
                GError **error)
{
  g_autofree char *docker = g_find_program_in_path ("docker");
  const char *stop[] = { docker, "kill", "@CID@", NULL };
  g_autoptr (SandboxPlan) plan = NULL;
  g_auto (SandboxPlaces) places = { NULL };
  SandboxWords *words;

  if (docker == NULL)
    {
      g_set_error_literal (error, SANDBOX_ERROR, SANDBOX_ERROR_UNAVAILABLE,
                           _ ("Docker is not installed"));
      return NULL;
    }
  if (!sandbox_policy_check (policy, error) || !sandbox_policy_find_places (policy, &places, error))
    return NULL;

  plan = sandbox_plan_alloc (SANDBOX_BACKEND_DOCKER, policy);
  plan->cidfile = choose_cidfile (policy);
  plan->environment = sandbox_plan_environment (policy, environment);
  words = sandbox_words_new ();
  sandbox_words_add (words, docker, "run", "--rm", "--init", "--pull", "never", "--cidfile",
                     plan->cidfile, NULL);
  add_limits (words, policy->uid, getgid ());
  add_environment (words, plan->environment);
  add_places (words, policy, &places);
  sandbox_words_add (words, "-w", policy->folder, "--entrypoint", argv[0],
                     policy->image != NULL ? policy->image : SANDBOX_DEFAULT_IMAGE, NULL);
  sandbox_plan_set_argv (plan, words, argv + 1);
  plan->stop_argv = g_strdupv ((char **) stop);
  plan->traps = g_new0 (char *, places.traps->len + 1);
  for (guint i = 0; i < places.traps->len; i++)
    plan->traps[i] = g_strdup (g_ptr_array_index (places.traps, i));
  /* The engine ends the container's process namespace; it is the engine that must be reached. */
  plan->tree_is_certain = TRUE;
  return g_steal_pointer (&plan);
}

/* ---- The probe ---- */

static void
stop_left_over (const SandboxPlan *plan)
{
  g_autofree char *id = NULL;
  g_auto (SandboxProbe) probe = { 0 };

  if (g_file_get_contents (plan->cidfile, &id, NULL, NULL))
    {
      const char *argv[] = { plan->argv[0], "kill", g_strstrip (id), NULL };

      sandbox_probe_run (&probe, argv, (const char *const *) plan->environment, NULL,
                         SANDBOX_PROBE_SECONDS, NULL);
    }
  g_unlink (plan->cidfile);
}

static SandboxDiagnosis *
probe_container (GCancellable *cancellable)
{
  g_autofree char *made = g_dir_make_tmp ("perfica-probe-XXXXXX", NULL);
  g_autofree char *project = made != NULL ? realpath (made, NULL) : NULL;
  g_autoptr (SandboxPolicy) policy = sandbox_policy_new (project, project);
  g_auto (GStrv) environment = g_get_environ ();
  const char *argv[] = { "true", NULL };
  g_auto (SandboxProbe) probe = { .status = -1 };
  g_auto (SandboxFacts) facts = { 0 };
  g_autoptr (SandboxPlan) plan = NULL;
  g_autoptr (GError) error = NULL;

  sandbox_facts_read (&facts, "");
  if (!facts.docker_missing && project != NULL)
    plan = plan_container (policy, (const char *const *) environment, argv, &error);
  if (plan != NULL)
    {
      sandbox_probe_run (&probe, (const char *const *) plan->argv,
                         (const char *const *) plan->environment, NULL, SANDBOX_PROBE_SECONDS,
                         cancellable);
      if (probe.status != 0)
        stop_left_over (plan);
      g_unlink (plan->cidfile);
    }
  if (made != NULL)
    g_rmdir (made);
  if (probe.status == 0)
    return sandbox_diagnosis_new_ready (SANDBOX_BACKEND_DOCKER);
  return sandbox_diagnosis_choose (SANDBOX_BACKEND_DOCKER, &facts,
                                   error != NULL ? error->message : probe.words);
}

const SandboxBackend sandbox_backend_docker = {
  .type = SANDBOX_BACKEND_DOCKER,
  .name = "docker",
  .probe = probe_container,
  .plan = plan_container,
  .explain = sandbox_explain_confined,
};

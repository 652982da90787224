/* The Docker plan: the same places in a container of the chosen image.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-docker.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox-docker-profile.h"
#include "sandbox-environment.h"
#include "sandbox-probe.h"

#define HOME_INSIDE "/home/agent"
/* More file systems mounted below what is shown than this are refused, not left out. */
#define MAX_MOUNTS 64

/* The container has its own; and what is only between the person's programs stays outside. */
static const char *const not_passed_on[] = {
  "PATH",
  "HOME",
  "PWD",
  "TMPDIR",
  "SHELL",
  "USER",
  "LOGNAME",
  "MAIL",
  "HOSTNAME",
  "MANPATH",
  "INFOPATH",
  "XDG_*",
  "DOCKER_*",
  "CONTAINER_HOST",
  /* The client would write ~/.docker/config.json's proxies in, with what is in their addresses; a
   * name without a value takes it away again. */
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "FTP_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
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

/* Podman gives no owner to a tmpfs; nobody else is in there who could get at it. */
static void
add_scratch (SandboxWords *words, const SandboxDockerEngine *engine, guint uid, guint gid)
{
  g_autofree char *owner = engine->is_podman
                               ? g_strdup ("mode=1777")
                               : g_strdup_printf ("uid=%u,gid=%u,mode=0700", uid, gid);
  g_autofree char *home = g_strdup_printf (HOME_INSIDE ":rw,exec,nosuid,nodev,%s,size=2g", owner);
  g_autofree char *runtime =
      g_strdup_printf ("/run/user/%u:rw,nosuid,nodev,noexec,%s,size=64m", uid, owner);

  sandbox_words_add (words, "--tmpfs", "/tmp:rw,exec,nosuid,nodev,mode=1777,size=2g", "--tmpfs",
                     "/var/tmp:rw,exec,nosuid,nodev,mode=1777,size=1g", "--tmpfs", home, "--tmpfs",
                     runtime, NULL);
}

static void
add_limits (SandboxWords *words,
            const SandboxDockerEngine *engine,
            const char *profile,
            guint uid,
            guint gid)
{
  g_autofree char *user = g_strdup_printf ("%u:%u", uid, gid);
  g_autofree char *filter = g_strconcat ("seccomp=", profile, NULL);

  sandbox_words_add (words, "--network", "none", "--read-only", "--user", user, "--cap-drop", "ALL",
                     "--security-opt", "no-new-privileges", NULL);
  if (!engine->is_podman)
    sandbox_words_add (words, "--security-opt", filter, NULL);
  sandbox_words_add (words, "--pids-limit", "512", "--memory", "4g", "--ipc", "private",
                     "--cgroupns", "private", "--no-healthcheck", "--log-driver", "none", NULL);
}

/* A folder of the person's programs means nothing in the image. */
static gboolean
leads_home (const SandboxPolicy *policy, const char *value)
{
  g_auto (GStrv) parts = g_strsplit (value, ":", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      gboolean shown = sandbox_path_is_inside (parts[i], policy->project);

      for (guint j = 0; policy->visible[j] != NULL; j++)
        shown = shown || sandbox_path_is_inside (parts[i], policy->visible[j]);
      if (!shown && sandbox_path_is_inside (parts[i], policy->home))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_passed_on (const SandboxPolicy *policy, const char *name, const char *value)
{
  for (guint i = 0; i < G_N_ELEMENTS (not_passed_on); i++)
    {
      const char *row = not_passed_on[i];
      gsize length = strlen (row);

      if (row[length - 1] == '*' ? strncmp (name, row, length - 1) == 0
                                 : g_ascii_strcasecmp (name, row) == 0)
        return FALSE;
    }
  return !leads_home (policy, value);
}

/* Values travel in docker's own environment, not on its command line, which everybody on the
 * machine can read. */
static void
add_environment (SandboxWords *words, const SandboxPolicy *policy, guint uid, char ***environment)
{
  g_autofree char *runtime = g_strdup_printf ("XDG_RUNTIME_DIR=/run/user/%u", uid);

  sandbox_words_add (words, "-e", "HOME=" HOME_INSIDE, "-e", "TMPDIR=/tmp", "-e", runtime, "-e",
                     "GIT_CONFIG_COUNT=1", "-e", "GIT_CONFIG_KEY_0=safe.directory", "-e",
                     "GIT_CONFIG_VALUE_0=*", NULL);
  for (guint i = 0; (*environment)[i] != NULL; i++)
    {
      const char *equals = strchr ((*environment)[i], '=');
      g_autofree char *name =
          equals != NULL ? g_strndup ((*environment)[i], (gsize) (equals - (*environment)[i]))
                         : NULL;

      if (name != NULL && name[0] != '\0' && is_passed_on (policy, name, equals + 1))
        sandbox_words_add (words, "-e", name, NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (not_passed_on); i++)
    if (g_str_has_suffix (not_passed_on[i], "_PROXY"))
      {
        g_autofree char *low = g_ascii_strdown (not_passed_on[i], -1);

        *environment = g_environ_unsetenv (*environment, not_passed_on[i]);
        *environment = g_environ_unsetenv (*environment, low);
        sandbox_words_add (words, "-e", not_passed_on[i], "-e", low, NULL);
      }
}

/* ---- File systems mounted below what is shown ---- */

static gboolean
is_shown_read_only (const SandboxPolicy *policy, const SandboxPlaces *places, const char *path)
{
  for (guint i = 0; i < places->protected_paths->len; i++)
    if (sandbox_path_is_inside (path, g_ptr_array_index (places->protected_paths, i)))
      return TRUE;
  if (sandbox_path_is_inside (path, policy->own))
    return FALSE;
  for (guint i = 0; policy->visible[i] != NULL; i++)
    if (sandbox_path_is_inside (path, policy->visible[i]))
      return TRUE;
  return sandbox_path_is_inside (path, policy->project);
}

/* mountinfo writes blanks and the like as \\040. Before engine 25 a read-only mount was that for
 * itself alone, not for what is mounted below. */
static gboolean
add_mounts_below (SandboxWords *words,
                  const SandboxPolicy *policy,
                  const SandboxPlaces *places,
                  const char *mountinfo,
                  GError **error)
{
  g_auto (GStrv) lines = g_strsplit (mountinfo, "\n", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint added = 0;

  g_hash_table_add (seen, g_strdup (policy->project));
  for (guint i = 0; policy->visible[i] != NULL; i++)
    g_hash_table_add (seen, g_strdup (policy->visible[i]));
  for (guint i = 0; i < places->protected_paths->len; i++)
    g_hash_table_add (seen, g_strdup (g_ptr_array_index (places->protected_paths, i)));
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], " ", 6);
      g_autofree char *path = g_strv_length (fields) == 6 ? g_strcompress (fields[4]) : NULL;

      if (path == NULL || !is_shown_read_only (policy, places, path) ||
          !g_hash_table_add (seen, g_strdup (path)))
        continue;
      if (++added > MAX_MOUNTS)
        {
          g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE,
                       _ ("More than %d file systems are mounted in what the sandbox shows"),
                       MAX_MOUNTS);
          return FALSE;
        }
      add_mount (words, path, path, FALSE);
    }
  return TRUE;
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

/* Only what names the person: the file itself, never a folder that also holds credentials. */
static void
add_git_settings (SandboxWords *words, const SandboxPolicy *policy)
{
  static const char *const files[] = { ".gitconfig", ".config/git/config" };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (policy->home, files[i], NULL);
      g_autofree char *real = realpath (path, NULL);

      if (g_strcmp0 (real, path) != 0 || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
        continue;
      add_mount (words, path, HOME_INSIDE "/.gitconfig", FALSE);
      return;
    }
}

/* The engine's own socket is root's key to the machine: covered wherever it would be seen, also
 * beyond what was looked at. */
static void
cover_engine (SandboxPlaces *places, const SandboxPolicy *policy, const SandboxDockerEngine *engine)
{
  g_autofree char *real = realpath (engine->socket, NULL);
  gboolean shown = real != NULL && sandbox_path_is_inside (real, policy->project);

  for (guint i = 0; real != NULL && policy->visible[i] != NULL; i++)
    shown = shown || sandbox_path_is_inside (real, policy->visible[i]);
  if (shown && !g_ptr_array_find_with_equal_func (places->sockets, real, g_str_equal, NULL))
    g_ptr_array_add (places->sockets, g_steal_pointer (&real));
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

static void
add_engine_ways (SandboxWords *words, const SandboxDockerEngine *engine)
{
  if (engine->remaps_users)
    sandbox_words_add (words, "--userns", "host", NULL);
  /* SELinux would hide the project, or have every file of it relabelled. */
  if (engine->labels_files)
    sandbox_words_add (words, "--security-opt", "label=disable", NULL);
}

SandboxPlan *
sandbox_docker_plan (const SandboxPolicy *policy,
                     const SandboxDockerEngine *engine,
                     const char *profile,
                     const char *mountinfo,
                     const char *const *environment,
                     const char *const *argv,
                     GError **error)
{
  const char *stop[] = { engine->program, "rm", "-f", "@CID@", NULL };
  /* Root in a container of a rootless engine is the person outside; everybody else is nobody. */
  guint uid = engine->rootless ? 0 : policy->uid;
  guint gid = engine->rootless ? 0 : getgid ();
  g_autofree char *image = sandbox_image_reference (policy->image, NULL);
  g_autoptr (SandboxPlan) plan = NULL;
  g_auto (SandboxPlaces) places = { NULL };
  g_autoptr (GPtrArray) words = NULL;

  if (image == NULL)
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNAVAILABLE,
                   _ ("“%.300s” is no name of an image"), policy->image);
      return NULL;
    }
  if (!sandbox_policy_check (policy, error) || !sandbox_policy_find_places (policy, &places, error))
    return NULL;
  cover_engine (&places, policy, engine);

  plan = sandbox_plan_alloc (SANDBOX_BACKEND_DOCKER, policy);
  plan->cidfile = choose_cidfile (policy);
  plan->environment = sandbox_plan_environment (policy, environment);
  words = sandbox_words_new ();
  sandbox_words_add (words, engine->program, "run", NULL);
  /* With --rm Podman's engine says 0 whatever the command's end was. */
  if (!engine->is_podman)
    sandbox_words_add (words, "--rm", NULL);
  plan->clear_away = engine->is_podman;
  sandbox_words_add (words, "--init", "--pull", "never", "--cidfile", plan->cidfile, NULL);
  add_limits (words, engine, profile, uid, gid);
  add_scratch (words, engine, uid, gid);
  add_engine_ways (words, engine);
  add_environment (words, policy, uid, &plan->environment);
  add_git_settings (words, policy);
  add_places (words, policy, &places);
  if (!add_mounts_below (words, policy, &places, mountinfo, error))
    return NULL;
  sandbox_words_add (words, "-w", policy->folder, "--entrypoint", argv[0], image, NULL);
  sandbox_plan_set_argv (plan, g_steal_pointer (&words), argv + 1);
  plan->stop_argv = g_strdupv ((char **) stop);
  plan->traps = g_new0 (char *, places.traps->len + 1);
  for (guint i = 0; i < places.traps->len; i++)
    plan->traps[i] = g_strdup (g_ptr_array_index (places.traps, i));
  /* The engine ends the container's process namespace; it is the engine that must be reached. */
  plan->tree_is_certain = TRUE;
  return g_steal_pointer (&plan);
}

/* ---- The engine of this person, known for a while ---- */

#define KNOWN_SECONDS 300

static GMutex lock;
static struct
{
  char *key;
  gint64 until;
  SandboxDockerEngine *engine;
} cache;

/* What decides where the client looks. */
static char *
engine_key (const char *const *environment)
{
  static const char *const names[] = { "PATH", "HOME", "DOCKER_HOST", "DOCKER_CONTEXT",
                                       "DOCKER_CONFIG" };
  GString *key = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *value = g_environ_getenv ((char **) environment, names[i]);

      g_string_append_printf (key, "%s\n", value != NULL ? value : "");
    }
  return g_string_free (key, FALSE);
}

static void
forget_engine (void)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&lock);

  g_clear_pointer (&cache.key, g_free);
  g_clear_pointer (&cache.engine, sandbox_docker_engine_free);
}

static SandboxDockerEngine *
find_engine (const char *const *environment, GError **error)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&lock);
  g_autofree char *key = engine_key (environment);
  g_autoptr (GError) reason = NULL;

  if (g_strcmp0 (key, cache.key) == 0 && g_get_monotonic_time () < cache.until)
    return sandbox_docker_engine_copy (cache.engine);
  g_clear_pointer (&cache.key, g_free);
  g_clear_pointer (&cache.engine, sandbox_docker_engine_free);
  cache.engine = sandbox_docker_engine_find (environment, NULL, &reason);
  if (cache.engine == NULL)
    {
      g_set_error_literal (error, SANDBOX_ERROR, SANDBOX_ERROR_UNAVAILABLE, reason->message);
      return NULL;
    }
  cache.key = g_steal_pointer (&key);
  cache.until = g_get_monotonic_time () + KNOWN_SECONDS * G_USEC_PER_SEC;
  return sandbox_docker_engine_copy (cache.engine);
}

static SandboxPlan *
plan_container (const SandboxPolicy *policy,
                const char *const *environment,
                const char *const *argv,
                GError **error)
{
  g_autoptr (SandboxDockerEngine) engine = NULL;
  g_autofree char *profile = NULL;
  g_autofree char *mountinfo = NULL;

  engine = find_engine (environment, error);
  if (engine == NULL)
    return NULL;
  profile = sandbox_docker_profile_file (error);
  if (profile == NULL)
    return NULL;
  if (!g_file_get_contents ("/proc/self/mountinfo", &mountinfo, NULL, NULL))
    {
      g_set_error_literal (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE,
                           _ ("What is mounted can't be read"));
      return NULL;
    }
  return sandbox_docker_plan (policy, engine, profile, mountinfo, environment, argv, error);
}

/* ---- The probe ---- */

static void
stop_left_over (const SandboxPlan *plan)
{
  g_autofree char *id = NULL;
  g_auto (SandboxProbe) probe = { 0 };

  if (g_file_get_contents (plan->cidfile, &id, NULL, NULL))
    {
      const char *argv[] = { plan->argv[0], "rm", "-f", g_strstrip (id), NULL };

      sandbox_probe_run (&probe, argv, (const char *const *) plan->environment, NULL,
                         SANDBOX_PROBE_SECONDS, NULL);
    }
  g_unlink (plan->cidfile);
}

/* Whether there is another image of that name; only a hint, so no answer means no. */
static gboolean
has_other (const SandboxDockerEngine *engine, const char *reference, GCancellable *cancellable)
{
  g_auto (SandboxImageName) name = { NULL };
  g_autofree char *filter = NULL;
  g_autofree char *escaped = NULL;
  g_autofree char *target = NULL;
  g_autoptr (GBytes) body = NULL;
  guint status = 0;

  if (!sandbox_image_name_parse (reference, &name, NULL) || name.digest == NULL)
    return FALSE;
  filter = g_strdup_printf ("{\"reference\":[\"%s/%s\"]}", name.registry, name.repository);
  escaped = g_uri_escape_string (filter, NULL, FALSE);
  target = g_strconcat ("/images/json?filters=", escaped, NULL);
  body = sandbox_http_ask (engine->socket, "GET", target, NULL, NULL, &status, cancellable, NULL);
  /* An empty list is "[]" and a newline. */
  return body != NULL && status == 200 && g_bytes_get_size (body) > 4;
}

/* What can be seen without running anything. FALSE when nothing need be run. */
static gboolean
look_at_engine (SandboxFacts *facts,
                const char *image,
                const char *const *environment,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (SandboxDockerEngine) engine = NULL;
  g_autoptr (GBytes) here = NULL;
  g_autoptr (GError) reason = NULL;

  engine = sandbox_docker_engine_find (environment, cancellable, &reason);
  if (engine != NULL)
    here = sandbox_image_inspect (engine, image, cancellable, &reason);
  if (here != NULL)
    return TRUE;
  if (reason == NULL)
    {
      facts->image_missing = TRUE;
      facts->image_differs = has_other (engine, image, cancellable);
      return FALSE;
    }
  facts->docker_missing = reason->code == SANDBOX_DOCKER_ERROR_MISSING;
  facts->docker_remote = reason->code == SANDBOX_DOCKER_ERROR_REMOTE;
  facts->docker_old = reason->code == SANDBOX_DOCKER_ERROR_OLD;
  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

static SandboxPlan *
plan_probe (const SandboxWishes *wishes, const char *folder, GError **error)
{
  g_autoptr (SandboxPolicy) policy = sandbox_policy_new (folder, folder);
  g_auto (GStrv) environment = sandbox_environment_scrub ((const char *const *) wishes->environment,
                                                          folder, FALSE, TRUE, NULL);
  const char *argv[] = { "true", NULL };

  policy->image = g_strdup (wishes->image);
  forget_engine ();
  return plan_container (policy, (const char *const *) environment, argv, error);
}

static SandboxDiagnosis *
probe_container (const SandboxWishes *wishes, GCancellable *cancellable)
{
  const char *image = wishes->image != NULL ? wishes->image : SANDBOX_DEFAULT_IMAGE;
  g_autofree char *made = g_dir_make_tmp ("perfica-probe-XXXXXX", NULL);
  g_autofree char *project = made != NULL ? realpath (made, NULL) : NULL;
  g_auto (SandboxProbe) probe = { .status = -1 };
  g_auto (SandboxFacts) facts = { 0 };
  g_autoptr (SandboxPlan) plan = NULL;
  g_autoptr (GError) error = NULL;

  sandbox_facts_read (&facts, "");
  if (look_at_engine (&facts, image, (const char *const *) wishes->environment, cancellable,
                      &error) &&
      project != NULL)
    plan = plan_probe (wishes, project, &error);
  if (plan != NULL)
    {
      sandbox_probe_run (&probe, (const char *const *) plan->argv,
                         (const char *const *) plan->environment, NULL, SANDBOX_PROBE_SECONDS,
                         cancellable);
      if (probe.status != 0 || plan->clear_away)
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

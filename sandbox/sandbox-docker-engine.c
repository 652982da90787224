/* Which engine Docker's client talks to, and what that is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-docker.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "sandbox-probe.h"

#define SECONDS 5
#define UNIX "unix://"

G_DEFINE_QUARK (sandbox - docker - error - quark, sandbox_docker_error)

/* Podman's client calls things otherwise; with Docker's client its engine answers this too. */
#define FORMAT                                                                                     \
  "{{.ServerVersion}}\n{{.OSType}}\n{{.Architecture}}\n{{.DockerRootDir}}\n{{.SecurityOptions}}"

void
sandbox_docker_engine_free (SandboxDockerEngine *engine)
{
  if (engine == NULL)
    return;
  g_free (engine->program);
  g_free (engine->host);
  g_free (engine->socket);
  g_free (engine->version);
  g_free (engine->architecture);
  g_free (engine->data_root);
  g_free (engine);
}

SandboxDockerEngine *
sandbox_docker_engine_copy (const SandboxDockerEngine *engine)
{
  SandboxDockerEngine *copy = g_memdup2 (engine, sizeof *engine);

  copy->program = g_strdup (engine->program);
  copy->host = g_strdup (engine->host);
  copy->socket = g_strdup (engine->socket);
  copy->version = g_strdup (engine->version);
  copy->architecture = g_strdup (engine->architecture);
  copy->data_root = g_strdup (engine->data_root);
  return copy;
}

static const struct
{
  const char *machine;
  const char *image;
} architectures[] = {
  { "x86_64", "amd64" }, { "aarch64", "arm64" }, { "armv7l", "arm" },
  { "armv6l", "arm" },   { "i686", "386" },      { "i386", "386" },
};

static char *
image_architecture (const char *machine)
{
  for (guint i = 0; i < G_N_ELEMENTS (architectures); i++)
    if (g_str_equal (machine, architectures[i].machine))
      return g_strdup (architectures[i].image);
  return g_strdup (machine);
}

/* "[name=seccomp,profile=default name=rootless]" */
static gboolean
has_option (const char *options, const char *name)
{
  g_auto (GStrv) words = g_strsplit_set (options, "[] ,", 100);
  g_autofree char *wanted = g_strconcat ("name=", name, NULL);

  return g_strv_contains ((const char *const *) words, wanted);
}

gboolean
sandbox_docker_engine_read (SandboxDockerEngine *engine, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", 8);

  if (g_strv_length (lines) < 5 || lines[0][0] == '\0' || !g_str_equal (lines[1], "linux"))
    return FALSE;
  engine->version = g_strdup (lines[0]);
  engine->architecture = image_architecture (lines[2]);
  engine->data_root = g_strdup (lines[3]);
  engine->rootless = has_option (lines[4], "rootless");
  engine->remaps_users = has_option (lines[4], "userns");
  engine->labels_files = has_option (lines[4], "selinux");
  return TRUE;
}

static char *
take_output (const SandboxProbe *probe)
{
  gsize length = 0;
  const char *bytes = probe->output != NULL ? g_bytes_get_data (probe->output, &length) : NULL;
  g_autofree char *text = g_utf8_make_valid (bytes != NULL ? bytes : "", (gssize) length);

  return g_strdup (g_strchomp (text));
}

/* The client's words, what went wrong in them. */
static void
set_engine_error (GError **error, const SandboxProbe *probe)
{
  static const struct
  {
    const char *words;
    SandboxDockerError code;
    const char *sentence;
  } known[] = {
    { "permission denied while trying to connect", SANDBOX_DOCKER_ERROR_DENIED,
      N_ ("You may not use Docker") },
    { "connect: permission denied", SANDBOX_DOCKER_ERROR_DENIED, N_ ("You may not use Docker") },
    { "Cannot connect to the Docker daemon", SANDBOX_DOCKER_ERROR_DOWN,
      N_ ("Docker is not running") },
    { "error during connect", SANDBOX_DOCKER_ERROR_DOWN, N_ ("Docker is not running") },
    { "client version", SANDBOX_DOCKER_ERROR_OLD, N_ ("Docker's engine is too old") },
  };
  g_autofree char *words = g_strndup (probe->words != NULL ? probe->words : "", 2000);

  g_strstrip (words);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strstr (words, known[i].words) != NULL)
      {
        g_set_error (error, SANDBOX_DOCKER_ERROR, (gint) known[i].code, "%s (%s)",
                     _ (known[i].sentence), words);
        return;
      }
  if (probe->timed_out)
    g_set_error_literal (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_DOWN,
                         _ ("Docker doesn't answer"));
  else
    g_set_error (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_OTHER,
                 _ ("Docker can't be asked: %s"), words);
}

static gboolean
ask (const char *const *argv,
     const char *const *environment,
     char **text,
     GCancellable *cancellable,
     GError **error)
{
  g_auto (SandboxProbe) probe = { 0 };

  sandbox_probe_run (&probe, argv, environment, NULL, SECONDS, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (probe.status != 0)
    {
      set_engine_error (error, &probe);
      return FALSE;
    }
  *text = take_output (&probe);
  return TRUE;
}

static char *
find_client (const char *const *environment)
{
  const char *path = environment != NULL ? g_environ_getenv ((char **) environment, "PATH") : NULL;
  g_auto (GStrv) folders = NULL;

  if (path == NULL)
    return g_find_program_in_path ("docker");
  folders = g_strsplit (path, ":", 1000);
  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *program = g_build_filename (folders[i], "docker", NULL);

      if (g_path_is_absolute (program) && g_file_test (program, G_FILE_TEST_IS_EXECUTABLE) &&
          !g_file_test (program, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&program);
    }
  return NULL;
}

/* Asked first: the other questions of an old client to no engine end in words about templates. */
static gboolean
ask_version (SandboxDockerEngine *engine,
             const char *const *environment,
             GCancellable *cancellable,
             GError **error)
{
  const char *argv[] = { engine->program, "version", "--format",
                         "{{.Server.APIVersion}} {{.Server.Version}}"
                         "{{range .Server.Components}}\n{{.Name}}{{end}}",
                         NULL };
  g_autofree char *text = NULL;
  char *components;

  if (!ask (argv, environment, &text, cancellable, error))
    return FALSE;
  components = strchr (text, '\n');
  if (components != NULL)
    {
      *components++ = '\0';
      engine->is_podman = strstr (components, "Podman") != NULL;
    }
  engine->api_minor =
      g_str_has_prefix (text, "1.") ? (guint) g_ascii_strtoull (text + 2, NULL, 10) : 0;
  if (engine->api_minor >= SANDBOX_DOCKER_API_MINOR)
    return TRUE;
  g_set_error (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_OLD,
               _ ("Docker's engine is too old (%s; 20.10 or newer is needed)"),
               strchr (text, ' ') != NULL ? strchr (text, ' ') + 1 : text);
  return FALSE;
}

SandboxDockerEngine *
sandbox_docker_engine_find (const char *const *environment,
                            GCancellable *cancellable,
                            GError **error)
{
  g_autoptr (SandboxDockerEngine) engine = g_new0 (SandboxDockerEngine, 1);
  g_autofree char *text = NULL;

  engine->program = find_client (environment);
  if (engine->program == NULL)
    {
      g_set_error_literal (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_MISSING,
                           _ ("Docker is not installed"));
      return NULL;
    }

  const char *where[] = {
    engine->program, "context", "inspect", "--format", "{{.Endpoints.docker.Host}}", NULL
  };
  const char *what[] = { engine->program, "info", "--format", FORMAT, NULL };

  if (!ask (where, environment, &engine->host, cancellable, error))
    return NULL;
  if (!g_str_has_prefix (engine->host, UNIX "/"))
    {
      g_set_error (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_REMOTE,
                   _ ("Docker's engine is on another computer (%s)"), engine->host);
      return NULL;
    }
  engine->socket = g_strdup (engine->host + strlen (UNIX));
  if (!ask_version (engine, environment, cancellable, error) ||
      !ask (what, environment, &text, cancellable, error))
    return NULL;
  if (!sandbox_docker_engine_read (engine, text))
    {
      g_set_error (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_OTHER,
                   _ ("Docker can't be asked: %s"), text);
      return NULL;
    }
  return g_steal_pointer (&engine);
}

/* Docker with no engine: names of images, what engines and registries say, the plan word by word.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "test-tree.h"
#include "sandbox-backend.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox-docker-profile.h"

#define SUM "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define DIGEST "sha256:" SUM

/* ---- Names ---- */

static const struct
{
  const char *text;
  const char *reference; /* NULL: no name */
} names[] = {
  { "node", "docker.io/library/node:latest" },
  { "node:22-bookworm", "docker.io/library/node:22-bookworm" },
  { "docker.io/library/node:22-bookworm", "docker.io/library/node:22-bookworm" },
  { "docker.io/node", "docker.io/library/node:latest" },
  { "index.docker.io/library/node", "docker.io/library/node:latest" },
  { "me/app", "docker.io/me/app:latest" },
  { "ghcr.io/a/b/c_d.e-f:V1.2_3", "ghcr.io/a/b/c_d.e-f:V1.2_3" },
  { "localhost/x", "localhost/x:latest" },
  { "localhost:5000/x:1", "localhost:5000/x:1" },
  { "127.0.0.1:5000/x", "127.0.0.1:5000/x:latest" },
  { "node@" DIGEST, "docker.io/library/node@" DIGEST },
  { "node:22@" DIGEST, "docker.io/library/node@" DIGEST },
  { "", NULL },
  { "-v", NULL },
  { "--privileged", NULL },
  { "Node", NULL },
  { "node:", NULL },
  { "node:-x", NULL },
  { "node:a b", NULL },
  { "node 22", NULL },
  { "no//de", NULL },
  { "/node", NULL },
  { "node/", NULL },
  { "../node", NULL },
  { "no\nde", NULL },
  { "node@", NULL },
  { "node@sha256:12", NULL },
  { "node@sha256:" SUM "0", NULL },
  { "node@md5:" SUM, NULL },
  { "host:/x", NULL },
  { "host:99999999/x", NULL },
  { "host:a/x", NULL },
  { "h_st.io/x", NULL },
  { "nöde", NULL },
  { "node?x=y", NULL },
  { "node&x", NULL },
  { "node#x", NULL },
  { "node%2f", NULL },
};

static void
test_names (void)
{
  g_autofree char *long_name = g_strnfill (300, 'a');
  g_autofree char *pinned = sandbox_image_reference ("node:22", DIGEST);
  g_autofree char *standard = sandbox_image_reference (NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *reference = sandbox_image_reference (names[i].text, NULL);
      g_auto (SandboxImageName) name = { NULL };
      g_autoptr (GError) error = NULL;
      gboolean good = sandbox_image_name_parse (names[i].text, &name, &error);

      g_assert_cmpstr (reference, ==, names[i].reference);
      g_assert_cmpint (good, ==, names[i].reference != NULL);
      if (!good)
        g_assert_error (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_NAME);
    }
  g_assert_null (sandbox_image_reference (long_name, NULL));
  g_assert_null (sandbox_image_reference ("node", "sha256:x"));
  g_assert_null (sandbox_image_reference ("node", ""));
  g_assert_cmpstr (pinned, ==, "docker.io/library/node@" DIGEST);
  g_assert_cmpstr (standard, ==, SANDBOX_DEFAULT_IMAGE);
}

/* ---- Words ---- */

static const struct
{
  const char *words;
  SandboxDockerError code;
} said[] = {
  { "Get \"https://registry-1.docker.io/v2/\": dial tcp: lookup registry-1.docker.io on "
    "10.255.255.53:53: no such host",
    SANDBOX_DOCKER_ERROR_OFFLINE },
  { "Get \"http://localhost:5999/v2/\": dial tcp 127.0.0.1:5999: connect: connection refused",
    SANDBOX_DOCKER_ERROR_OFFLINE },
  { "Error response from daemon: Get https://registry-1.docker.io/v2/: net/http: request canceled "
    "while waiting for connection (Client.Timeout exceeded while awaiting headers)",
    SANDBOX_DOCKER_ERROR_OFFLINE },
  { "net/http: TLS handshake timeout", SANDBOX_DOCKER_ERROR_OFFLINE },
  { "failed to configure transport: error pinging v2 registry: Get \"https://x/v2/\": dial tcp: "
    "network is unreachable",
    SANDBOX_DOCKER_ERROR_OFFLINE },
  { "pull access denied for me/app, repository does not exist or may require 'docker login': "
    "denied: requested access to the resource is denied",
    SANDBOX_DOCKER_ERROR_LOGIN },
  { "unauthorized: authentication required", SANDBOX_DOCKER_ERROR_LOGIN },
  { "Head \"https://x/v2/a/manifests/1\": no basic auth credentials", SANDBOX_DOCKER_ERROR_LOGIN },
  { "manifest unknown: manifest unknown", SANDBOX_DOCKER_ERROR_NO_IMAGE },
  { "no such manifest: localhost:5977/a/b:latest", SANDBOX_DOCKER_ERROR_NO_IMAGE },
  { "name unknown: repository name not known to registry", SANDBOX_DOCKER_ERROR_NO_IMAGE },
  { "manifest for node:99 not found: manifest unknown: manifest unknown",
    SANDBOX_DOCKER_ERROR_NO_IMAGE },
  { "toomanyrequests: You have reached your unauthenticated pull rate limit. "
    "https://www.docker.com/increase-rate-limit",
    SANDBOX_DOCKER_ERROR_RATE },
  { "failed to register layer: write /usr/lib/x: no space left on device",
    SANDBOX_DOCKER_ERROR_SPACE },
  { "no matching manifest for linux/amd64 in the manifest list entries",
    SANDBOX_DOCKER_ERROR_PLATFORM },
  { "filesystem layer verification failed for digest sha256:12", SANDBOX_DOCKER_ERROR_DIGEST },
  { "manifest verification failed for digest sha256:12", SANDBOX_DOCKER_ERROR_DIGEST },
  { "something new", SANDBOX_DOCKER_ERROR_OTHER },
  { "", SANDBOX_DOCKER_ERROR_OTHER },
  { "\xff\xfe", SANDBOX_DOCKER_ERROR_OTHER },
};

static void
test_words (void)
{
  g_autofree char *filling = g_strnfill (100000, 'x');
  g_autoptr (GError) big = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    {
      g_autoptr (GError) error = NULL;

      sandbox_image_set_error (&error, "node:22", said[i].words);
      g_assert_error (error, SANDBOX_DOCKER_ERROR, (int) said[i].code);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_nonnull (strstr (error->message, "node:22"));
      if (said[i].words[0] == 'm')
        g_assert_nonnull (strstr (error->message, said[i].words));
    }
  sandbox_image_set_error (&big, "node", filling);
  g_assert_cmpuint (strlen (big->message), <, 1000);
}

/* ---- The engine ---- */

static void
test_engine (void)
{
  static const struct
  {
    const char *text;
    gboolean good;
    const char *architecture;
    gboolean rootless;
    gboolean remaps;
    gboolean labels;
  } texts[] = {
    { "20.10.24+dfsg1\nlinux\nx86_64\n/var/lib/docker\n[name=seccomp,profile=default]", TRUE,
      "amd64" },
    { "28.2.2\nlinux\naarch64\n/home/a/.local/share/docker\n[name=seccomp,profile=builtin "
      "name=rootless name=cgroupns]",
      TRUE, "arm64", TRUE },
    { "27.0\nlinux\nriscv64\n/d\n[name=apparmor name=userns]", TRUE, "riscv64", FALSE, TRUE },
    { "27.0\nlinux\nx86_64\n/d\n[name=seccomp,profile=default name=selinux]", TRUE, "amd64", FALSE,
      FALSE, TRUE },
    { "20.10\nwindows\nx86_64\nC:\\d\n[]", FALSE },
    { "\n\n\n\n", FALSE },
    { "", FALSE },
    { "Client:\n", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      SandboxDockerEngine *engine = g_new0 (SandboxDockerEngine, 1);

      g_assert_cmpint (sandbox_docker_engine_read (engine, texts[i].text), ==, texts[i].good);
      if (texts[i].good)
        {
          g_assert_cmpstr (engine->architecture, ==, texts[i].architecture);
          g_assert_cmpint (engine->rootless, ==, texts[i].rootless);
          g_assert_cmpint (engine->remaps_users, ==, texts[i].remaps);
          g_assert_cmpint (engine->labels_files, ==, texts[i].labels);
        }
      sandbox_docker_engine_free (engine);
    }
}

/* Stand-in clients, as scripts. */
static const struct
{
  const char *name;
  const char *script; /* NULL: none in PATH */
  SandboxDockerError code;
} clients[] = {
  { "missing", NULL, SANDBOX_DOCKER_ERROR_MISSING },
  { "down",
    "[ $1 = context ] && echo unix:///x/s && exit 0\n"
    "echo 'Cannot connect to the Docker daemon at unix:///x/s. Is the docker daemon running?' >&2\n"
    "exit 1\n",
    SANDBOX_DOCKER_ERROR_DOWN },
  { "denied",
    "[ $1 = context ] && echo unix:///x/s && exit 0\n"
    "echo 'permission denied while trying to connect to the Docker daemon socket at unix:///x/s: "
    "Get: dial unix /x/s: connect: permission denied' >&2\nexit 1\n",
    SANDBOX_DOCKER_ERROR_DENIED },
  { "down-with-unreadable-settings",
    "echo 'WARNING: Error loading config file: open /c: permission denied' >&2\n"
    "[ $1 = context ] && echo unix:///x/s && exit 0\n"
    "echo 'Cannot connect to the Docker daemon at unix:///x/s. Is the docker daemon running?' >&2\n"
    "exit 1\n",
    SANDBOX_DOCKER_ERROR_DOWN },
  { "far-tcp", "echo tcp://192.0.2.1:2375\n", SANDBOX_DOCKER_ERROR_REMOTE },
  { "far-ssh", "echo ssh://me@host\n", SANDBOX_DOCKER_ERROR_REMOTE },
  { "old",
    "[ $1 = context ] && echo unix:///x/s && exit 0\n[ $1 = version ] && echo 1.40 19.03.8\n",
    SANDBOX_DOCKER_ERROR_OLD },
  { "old-client", "echo \"unknown shorthand flag: 'f' in -f\" >&2\nexit 125\n",
    SANDBOX_DOCKER_ERROR_OTHER },
  { "nonsense",
    "[ $1 = context ] && echo unix:///x/s && exit 0\n[ $1 = version ] && echo 1.41 20.10 && exit "
    "0\n"
    "head -c 100000 /dev/zero\n",
    SANDBOX_DOCKER_ERROR_OTHER },
};

static void
test_clients (void)
{
  g_autofree char *folder = g_dir_make_tmp ("perfica-docker-XXXXXX", NULL);
  g_autofree char *docker = g_build_filename (folder, "docker", NULL);
  g_autofree char *path = g_strdup_printf ("PATH=%s:/nonexistent", folder);
  const char *environment[] = { path, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (clients); i++)
    {
      g_autofree char *script =
          g_strconcat ("#!/bin/sh\nPATH=/usr/bin:/bin\n", clients[i].script, NULL);
      g_autoptr (SandboxDockerEngine) engine = NULL;
      g_autoptr (GError) error = NULL;

      g_unlink (docker);
      if (clients[i].script != NULL)
        {
          g_assert_true (g_file_set_contents (docker, script, -1, NULL));
          g_chmod (docker, 0755);
        }
      engine = sandbox_docker_engine_find (environment, NULL, &error);
      g_assert_null (engine);
      g_assert_error (error, SANDBOX_DOCKER_ERROR, (int) clients[i].code);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
  g_unlink (docker);
  g_rmdir (folder);
}

/* ---- The plan ---- */

typedef struct
{
  char *top;
  SandboxPolicy *policy;
  SandboxDockerEngine engine;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("perfica-plan-XXXXXX", NULL);
  g_autofree char *project = NULL;
  g_autofree char *own = NULL;
  char **protected = g_new0 (char *, 2);

  fixture->top = realpath (made, NULL);
  make_file (fixture->top, "home/.gitconfig");
  make_file (fixture->top, "home/.docker/config.json");
  make_file (fixture->top, "project/web/a/b/file");
  make_file (fixture->top, "project/other/file");
  make_file (fixture->top, "visible/file");
  make_file (fixture->top, "t1/file");
  project = g_build_filename (fixture->top, "project", NULL);
  own = g_build_filename (project, "web", NULL);
  fixture->policy = sandbox_policy_new (project, own);
  g_free (fixture->policy->home);
  fixture->policy->home = g_build_filename (fixture->top, "home", NULL);
  g_strfreev (fixture->policy->protected_paths);
  protected[0] = g_build_filename (own, "a/b", NULL);
  fixture->policy->protected_paths = protected;
  fixture->policy->tmpdir = g_build_filename (fixture->top, "t1", NULL);
  fixture->policy->uid = 1234;
  fixture->policy->image = g_strdup ("node@" DIGEST);
  fixture->engine = (SandboxDockerEngine){ .program = (char *) "/usr/bin/docker",
                                           .socket = (char *) "/nonexistent/docker.sock" };
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_tree (fixture->top);
  g_free (fixture->top);
  sandbox_policy_free (fixture->policy);
}

static SandboxPlan *
make_plan (Fixture *fixture, const char *mountinfo, const char *const *environment)
{
  const char *argv[] = { "bash", "-c", "echo --privileged", NULL };
  const char *none[] = { NULL };
  g_autoptr (GError) error = NULL;
  SandboxPlan *plan =
      sandbox_docker_plan (fixture->policy, &fixture->engine, "/run/p.json", mountinfo,
                           environment != NULL ? environment : none, argv, &error);

  g_assert_no_error (error);
  return plan;
}

/* The words, with the fixture's folder written as @. */
static char *
plan_text (Fixture *fixture, const SandboxPlan *plan)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; plan->argv[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", plan->argv[i]);
  g_string_replace (text, fixture->top, "@", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

#define MOUNT(from, to, rest) " --mount type=bind,src=" from ",dst=" to rest

static void
test_plan_words (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SandboxPlan) plan = make_plan (fixture, "", NULL);
  g_autofree char *text = plan_text (fixture, plan);
  g_autofree char *gid = g_strdup_printf ("%u", getgid ());
  g_autoptr (GString) wanted = g_string_new (
      "/usr/bin/docker run --rm --init --pull never --cidfile @/t1.cid --network none --read-only "
      "--user 1234:GID --cap-drop ALL --security-opt no-new-privileges --security-opt "
      "seccomp=/run/p.json --pids-limit 512 --memory 4g --ipc private --cgroupns private "
      "--no-healthcheck --log-driver none --tmpfs /tmp:rw,exec,nosuid,nodev,mode=1777,size=2g "
      "--tmpfs /var/tmp:rw,exec,nosuid,nodev,mode=1777,size=1g --tmpfs "
      "/home/agent:rw,exec,nosuid,nodev,uid=1234,gid=GID,mode=0700,size=2g --tmpfs "
      "/run/user/1234:rw,nosuid,nodev,noexec,uid=1234,gid=GID,mode=0700,size=64m "
      "-e HOME=/home/agent -e TMPDIR=/tmp -e XDG_RUNTIME_DIR=/run/user/1234 "
      "-e GIT_CONFIG_COUNT=1 -e GIT_CONFIG_KEY_0=safe.directory -e GIT_CONFIG_VALUE_0=* "
      "-e HTTP_PROXY -e http_proxy -e HTTPS_PROXY -e https_proxy -e FTP_PROXY -e ftp_proxy "
      "-e NO_PROXY -e no_proxy -e ALL_PROXY -e all_proxy" MOUNT (
          "@/home/.gitconfig", "/home/agent/.gitconfig", ",readonly")
          MOUNT ("@/project", "@/project", ",readonly") MOUNT ("@/project/web", "@/project/web", "")
              MOUNT ("@/project/web/a", "@/project/web/a", "")
                  MOUNT ("@/project/web/a/b", "@/project/web/a/b",
                         ",readonly") " -w @/project/web "
                                      "--entrypoint bash docker.io/library/node@" DIGEST
                                      " -c echo --privileged");

  g_string_replace (wanted, "GID", gid, 0);
  g_assert_cmpstr (text, ==, wanted->str);
  g_assert_cmpstr (plan->stop_argv[0], ==, "/usr/bin/docker");
  g_assert_cmpstr (plan->stop_argv[1], ==, "rm");
  g_assert_cmpstr (plan->stop_argv[2], ==, "-f");
  g_assert_cmpstr (plan->stop_argv[3], ==, "@CID@");
  g_assert_null (plan->stop_argv[4]);
  g_assert_true (plan->tree_is_certain);
  g_assert_false (plan->needs_init);
}

/* What a container must never be given, whatever the policy. */
static void
test_plan_never (Fixture *fixture, gconstpointer data)
{
  static const char *const never[] = { " -v ",       "--volume",  "--privileged ", "--cap-add",
                                       "--device",   "--pid ",    "--net ",        "docker.sock",
                                       "--pull a",   "--pull m",  "label=disable", "--userns",
                                       "unconfined", "--env-file" };
  g_autoptr (SandboxPlan) plan = make_plan (fixture, "", NULL);
  g_autofree char *text = NULL;

  for (char **word = plan->argv + plan->command_index; *word != NULL; word++)
    g_clear_pointer (word, g_free);
  text = plan_text (fixture, plan);
  for (guint i = 0; i < G_N_ELEMENTS (never); i++)
    g_assert_null (strstr (text, never[i]));
}

static void
test_plan_engines (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SandboxPlan) plan = NULL;
  g_autofree char *text = NULL;

  fixture->engine.rootless = fixture->engine.remaps_users = fixture->engine.labels_files = TRUE;
  plan = make_plan (fixture, "", NULL);
  text = plan_text (fixture, plan);
  g_assert_nonnull (strstr (text, " --user 0:0 "));
  g_assert_nonnull (strstr (text, " --userns host "));
  g_assert_nonnull (strstr (text, " --security-opt label=disable "));
  g_assert_nonnull (strstr (text, " --tmpfs /run/user/0:"));
}

/* Podman's engine takes no filter from a client, gives no owner to a tmpfs, and says 0 with --rm.
 */
static void
test_plan_podman (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SandboxPlan) plan = NULL;
  g_autofree char *text = NULL;

  fixture->engine.is_podman = TRUE;
  plan = make_plan (fixture, "", NULL);
  text = plan_text (fixture, plan);
  g_assert_null (strstr (text, "seccomp="));
  g_assert_null (strstr (text, "--rm"));
  g_assert_null (strstr (text, "uid="));
  g_assert_nonnull (strstr (text, " --cap-drop ALL --security-opt no-new-privileges "));
  g_assert_true (plan->clear_away);
}

/* Names only on the command line; nothing of the person's own places, sockets, proxies. */
static void
test_plan_environment (Fixture *fixture, gconstpointer data)
{
  static const char *const rows[] = { "+LANG=C",
                                      "+FOO=bar baz",
                                      "+PREFIX=/usr",
                                      "+EMPTY=",
                                      "+DATA=@/project/other",
                                      "-PATH=/usr/bin",
                                      "-HOME=@/home",
                                      "-TMPDIR=/x",
                                      "-XDG_CONFIG_HOME=/x",
                                      "-DOCKER_HOST=unix:///x",
                                      "-CARGO_HOME=@/home/.cargo",
                                      "-LIST=/usr:@/home/x",
                                      "-SHELL=/bin/zsh" };
  g_autoptr (GPtrArray) environment = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (SandboxPlan) plan = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (GStrv) parts = g_strsplit (rows[i] + 1, "@", -1);

      g_ptr_array_add (environment, g_strjoinv (fixture->top, parts));
    }
  g_ptr_array_add (environment, g_strdup ("http_proxy=http://192.0.2.1:8/"));
  g_ptr_array_add (environment, NULL);
  plan = make_plan (fixture, "", (const char *const *) environment->pdata);
  g_assert_null (g_environ_getenv (plan->environment, "http_proxy"));
  g_assert_nonnull (g_environ_getenv (plan->environment, "DOCKER_HOST"));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *name = g_strndup (rows[i] + 1, strcspn (rows[i] + 1, "="));
      gboolean passed = FALSE;

      for (guint j = 0; j + 1 < plan->command_index; j++)
        passed =
            passed || (g_str_equal (plan->argv[j], "-e") && g_str_equal (plan->argv[j + 1], name));
      g_assert_cmpint (passed, ==, rows[i][0] == '+');
    }
}

static gboolean
has_word (const SandboxPlan *plan, const char *top, const char *wanted)
{
  for (guint i = 0; i < plan->command_index; i++)
    {
      g_autoptr (GString) word = g_string_new (plan->argv[i]);

      g_string_replace (word, top, "@", 0);
      if (g_str_equal (word->str, wanted))
        return TRUE;
    }
  return FALSE;
}

/* The engine's socket, a file system mounted below the project, a name with a comma. */
static void
test_plan_places (Fixture *fixture, gconstpointer data)
{
  g_autofree char *socket = g_build_filename (fixture->top, "visible/engine", NULL);
  g_autofree char *mountinfo =
      g_strdup_printf ("36 35 98:0 / %s/project rw shared:1 - ext4 /dev/x rw\n"
                       "37 35 98:0 / %s/project/other rw shared:1 - ext4 /dev/x rw\n"
                       "38 35 98:0 / %s/project/web/mine rw - tmpfs none rw\n"
                       "39 35 98:0 / %s/project/web/a/b/in\\040it rw - tmpfs none rw\n"
                       "40 35 98:0 / %s/elsewhere rw - tmpfs none rw\nshort line\n",
                       fixture->top, fixture->top, fixture->top, fixture->top, fixture->top);
  g_autoptr (SandboxPlan) plan = NULL;

  make_file (fixture->top, "visible/engine");
  fixture->engine.socket = socket;
  g_strfreev (fixture->policy->visible);
  fixture->policy->visible = g_new0 (char *, 3);
  fixture->policy->visible[0] = g_build_filename (fixture->top, "visible", NULL);
  make_file (fixture->top, "a,b\"c/file");
  fixture->policy->visible[1] = g_build_filename (fixture->top, "a,b\"c", NULL);
  plan = make_plan (fixture, mountinfo, NULL);
  g_assert_true (
      has_word (plan, fixture->top, "type=bind,src=/dev/null,dst=@/visible/engine,readonly"));
  g_assert_true (
      has_word (plan, fixture->top, "type=bind,src=@/project/other,dst=@/project/other,readonly"));
  g_assert_true (
      has_word (plan, fixture->top,
                "type=bind,src=@/project/web/a/b/in it,dst=@/project/web/a/b/in it,readonly"));
  g_assert_true (
      has_word (plan, fixture->top, "type=bind,\"src=@/a,b\"\"c\",\"dst=@/a,b\"\"c\",readonly"));
  g_assert_false (has_word (plan, fixture->top,
                            "type=bind,src=@/project/web/mine,dst=@/project/web/mine,readonly"));
  g_assert_false (
      has_word (plan, fixture->top, "type=bind,src=@/elsewhere,dst=@/elsewhere,readonly"));
}

static void
test_plan_refusals (Fixture *fixture, gconstpointer data)
{
  static const char *const bad[] = { "--privileged", "-v", "/etc:/etc", "a b" };
  const char *argv[] = { "true", NULL };
  const char *none[] = { NULL };
  g_autoptr (GString) mounts = g_string_new (NULL);

  for (guint i = 0; i < 65; i++)
    g_string_append_printf (mounts, "36 35 98:0 / %s/project/m%u rw - tmpfs none rw\n",
                            fixture->top, i);
  g_assert_null (
      sandbox_docker_plan (fixture->policy, &fixture->engine, "/p", mounts->str, none, argv, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_free (fixture->policy->image);
      fixture->policy->image = g_strdup (bad[i]);
      g_assert_null (
          sandbox_docker_plan (fixture->policy, &fixture->engine, "/p", "", none, argv, &error));
      g_assert_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNAVAILABLE);
    }
}

/* ---- The filter ---- */

static void
test_profile (void)
{
  static const char *const wanted[] = {
    "{\"names\":[\"keyctl\"],\"action\":\"SCMP_ACT_ERRNO\",\"errnoRet\":1}",
    "{\"names\":[\"clone3\"],\"action\":\"SCMP_ACT_ERRNO\",\"errnoRet\":38}",
    "{\"names\":[\"mount\"],\"action\":\"SCMP_ACT_ERRNO\",\"errnoRet\":1}",
    "{\"names\":[\"unshare\"],\"action\":\"SCMP_ACT_ERRNO\",\"errnoRet\":1,\"args\":[{\"index\":0,"
    "\"value\":268435456,\"valueTwo\":268435456,\"op\":\"SCMP_CMP_MASKED_EQ\"}]}",
    "{\"names\":[\"socket\"],\"action\":\"SCMP_ACT_ERRNO\",\"errnoRet\":97,\"args\":[{\"index\":0,"
    "\"value\":16,\"op\":\"SCMP_CMP_GT\"}]}",
    "\"index\":1,\"value\":4294967295,\"valueTwo\":21522",
  };
  g_autofree char *text = sandbox_docker_profile_text ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = sandbox_docker_profile_file (&error);
  g_autofree char *again = NULL;
  g_autofree char *there = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_nonnull (strstr (text, wanted[i]));
  g_assert_no_error (error);
  /* Somebody changed it: it is written again. */
  g_assert_true (g_file_set_contents (path, "{}", -1, NULL));
  again = sandbox_docker_profile_file (&error);
  g_assert_cmpstr (again, ==, path);
  g_assert_true (g_file_get_contents (path, &there, NULL, NULL));
  g_assert_cmpstr (there, ==, text);
}

int
main (int argc, char **argv)
{
  g_autofree char *runtime = g_dir_make_tmp ("perfica-docker-XXXXXX", NULL);
  int result;

  /* G_TEST_OPTION_ISOLATE_DIRS would do, but GLib 2.74 leaks what it sets. */
  g_assert_nonnull (runtime);
  g_assert_true (g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/docker/names", test_names);
  g_test_add_func ("/docker/words", test_words);
  g_test_add_func ("/docker/engine", test_engine);
  g_test_add_func ("/docker/clients", test_clients);
  g_test_add_func ("/docker/profile", test_profile);
#define PLAN(name, function)                                                                       \
  g_test_add ("/docker/plan/" name, Fixture, NULL, set_up, function, tear_down)
  PLAN ("words", test_plan_words);
  PLAN ("never", test_plan_never);
  PLAN ("engines", test_plan_engines);
  PLAN ("podman", test_plan_podman);
  PLAN ("environment", test_plan_environment);
  PLAN ("places", test_plan_places);
  PLAN ("refusals", test_plan_refusals);
  result = g_test_run ();
  remove_tree (runtime);
  return result;
}

/* What leaves the environment, what stays, what comes in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-environment.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct
{
  const char *name;
  const char *value;
  gboolean goes;
} cases[] = {
  { "OPENAI_API_KEY", "x", TRUE },
  { "openai_api_key", "x", TRUE },
  { "MONKEY", "x", TRUE },
  { "MySecretThing", "x", TRUE },
  { "GITHUB_TOKEN", "x", TRUE },
  { "PGPASSWORD", "x", TRUE },
  { "AWS_CREDENTIALS_FILE", "x", TRUE },
  { "SSH_PRIVATE", "x", TRUE },
  { "DB_PASSWD", "x", TRUE },
  { "GPG_PASSPHRASE", "x", TRUE },
  { "DB_PASS", "x", TRUE },
  { "PASS", "x", TRUE },
  { "GH_PAT", "x", TRUE },
  { "SESSION_COOKIE", "x", TRUE },
  { "SLACK_WEBHOOK", "x", TRUE },
  { "SENTRY_DSN", "x", TRUE },
  { "NPM_CONFIG__AUTH", "x", TRUE },
  { "DATABASE_URL", "postgres://localhost/x", TRUE },
  { "REDIS", "redis://:pw@host:1/0", TRUE },
  { "PROXY_LIST", "http://a/ https://me:pw@b/", TRUE },
  { "http_proxy", "http://user:pw@proxy:3128", TRUE },
  { "https_proxy", "http://proxy:3128", FALSE },
  { "REPO", "ssh://git@host:22/x", FALSE },
  { "AT_PATH", "http://host:80/a@b", FALSE },
  { "EMPTY_PW", "http://user:@host/", FALSE },
  { "GIT_AUTHOR_NAME", "A", FALSE },
  { "GIT_COMMITTER_EMAIL", "a@b", FALSE },
  { "GIT_AUTHOR_TOKEN", "x", TRUE },
  { "GIT_SSH_COMMAND", "x", TRUE },
  { "GIT_CONFIG_COUNT", "1", TRUE },
  { "NODE_PATH", "/x", FALSE },
  { "COMPASS_HOME", "/x", FALSE },
  { "PATTERN", "x", FALSE },
  { "AUTHOR", "x", FALSE },
  { "LD_PRELOAD", "x", TRUE },
  { "LD_LIBRARY_PATH", "x", TRUE },
  { "BASH_ENV", "x", TRUE },
  { "ENV", "x", TRUE },
  { "ENVIRONMENT", "x", FALSE },
  { "BASH_FUNC_ls%%", "() { :; }", TRUE },
  { "SHELLOPTS", "x", TRUE },
  { "NODE_OPTIONS", "x", TRUE },
  { "PYTHONSTARTUP", "x", TRUE },
  { "PERL5OPT", "x", TRUE },
  { "DBUS_SESSION_BUS_ADDRESS", "x", TRUE },
  { "DISPLAY", ":0", TRUE },
  { "WAYLAND_DISPLAY", "x", TRUE },
  { "SSH_CLIENT", "x", TRUE },
  { "SSH_AUTH_SOCK", "x", TRUE },
  { "PERFICA_GATEWAY", "x", TRUE },
  { "HOME", "/home/a", FALSE },
  { "LANG", "de_DE.UTF-8", FALSE },
  { "CARGO_HOME", "/home/a/.cargo", FALSE },
  { "NVM_DIR", "/home/a/.nvm", FALSE },
};

static void
test_names (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *entry = g_strdup_printf ("%s=%s", cases[i].name, cases[i].value);
      const char *base[] = { entry, NULL };
      g_auto (GStrv) removed = NULL;
      g_auto (GStrv) left = sandbox_environment_scrub (base, NULL, FALSE, FALSE, &removed);
      gboolean stays = g_strv_contains ((const char *const *) left, entry);

      if (sandbox_environment_is_secret (cases[i].name, cases[i].value) != cases[i].goes ||
          stays == cases[i].goes ||
          g_strv_contains ((const char *const *) removed, cases[i].name) != cases[i].goes)
        {
          g_test_message ("%s", entry);
          g_test_fail ();
        }
    }
}

static void
test_path (void)
{
  g_autofree char *folder = g_dir_make_tmp ("perfica-env-XXXXXX", NULL);
  g_autofree char *project = g_build_filename (folder, "project", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  g_autofree char *inside = g_build_filename (project, "bin", NULL);
  g_autofree char *beside = g_build_filename (folder, "project2", NULL);
  g_autofree char *entry =
      g_strdup_printf ("PATH=:/usr/bin:.:relative:%s:%s:%s:%s/../project/bin::", inside, link,
                       beside, beside);
  const char *base[] = { entry, NULL };
  const char *none[] = { "PATH=.:", NULL };
  g_auto (GStrv) left = NULL;
  g_auto (GStrv) fallback = NULL;
  g_autofree char *expected = g_strdup_printf ("/usr/bin:%s", beside);

  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  g_assert_cmpint (symlink (inside, link), ==, 0);
  left = sandbox_environment_scrub (base, project, FALSE, FALSE, NULL);
  g_assert_cmpstr (g_environ_getenv (left, "PATH"), ==, expected);
  fallback = sandbox_environment_scrub (none, project, FALSE, FALSE, NULL);
  g_assert_cmpstr (g_environ_getenv (fallback, "PATH"), ==, "/usr/local/bin:/usr/bin:/bin");

  g_unlink (link);
  g_rmdir (inside);
  g_rmdir (project);
  g_rmdir (folder);
}

static void
test_ssh_agent (void)
{
  const char *base[] = { "SSH_AUTH_SOCK=/run/x", NULL };
  g_auto (GStrv) kept = sandbox_environment_scrub (base, NULL, TRUE, FALSE, NULL);
  g_auto (GStrv) confined = sandbox_environment_scrub (base, NULL, TRUE, TRUE, NULL);

  g_assert_cmpstr (g_environ_getenv (kept, "SSH_AUTH_SOCK"), ==, "/run/x");
  g_assert_null (g_environ_getenv (confined, "SSH_AUTH_SOCK"));
}

static void
test_added (void)
{
  const char *base[] = {
    "CI=false", "PAGER=less", "GOPROXY=direct", "A=1", "A=2", "nonsense", NULL
  };
  g_auto (GStrv) open = sandbox_environment_scrub (base, NULL, FALSE, FALSE, NULL);
  g_auto (GStrv) confined = sandbox_environment_scrub (base, NULL, FALSE, TRUE, NULL);
  guint pagers = 0;

  g_assert_cmpstr (g_environ_getenv (open, "PAGER"), ==, "cat");
  g_assert_cmpstr (g_environ_getenv (open, "CI"), ==, "1");
  g_assert_cmpstr (g_environ_getenv (open, "GOPROXY"), ==, "direct");
  g_assert_cmpstr (g_environ_getenv (confined, "CI"), ==, "1");
  g_assert_cmpstr (g_environ_getenv (confined, "GOPROXY"), ==, "off");
  g_assert_cmpstr (g_environ_getenv (confined, "npm_config_fetch_retries"), ==, "0");
  g_assert_cmpstr (g_environ_getenv (confined, "A"), ==, "1");
  for (guint i = 0; confined[i] != NULL; i++)
    pagers +=
        g_str_has_prefix (confined[i], "PAGER=") || g_str_has_prefix (confined[i], "nonsense");
  g_assert_cmpuint (pagers, ==, 1);
}

static void
test_limits (void)
{
  g_autofree char *big = g_strnfill (200000, 'x');
  g_autofree char *entry = g_strconcat ("BIG=", big, NULL);
  const char *base[] = { entry, "B=1", NULL };
  g_auto (GStrv) removed = NULL;
  g_auto (GStrv) left = sandbox_environment_scrub (base, NULL, FALSE, FALSE, &removed);

  g_assert_null (g_environ_getenv (left, "BIG"));
  g_assert_cmpstr (g_environ_getenv (left, "B"), ==, "1");
  g_assert_cmpstr (removed[0], ==, "BIG");
}

/* ---- The login shell ---- */

static const struct
{
  const char *name;
  const char *script;
  gboolean ours; /* falls back to this process's own */
  double at_most;
} shells[] = {
  { "plain", "printf 'welcome=x\\0PATH=/from/shell\\0NVM_DIR=/n\\0'; echo bye=1", FALSE, 5 },
  { "junk-first", "echo junk; printf '\\0PATH=/from/shell\\0A\\0=x\\0MULTI=a\\nb\\0'", FALSE, 5 },
  { "fails", "exit 3", TRUE, 5 },
  { "nothing", "true", TRUE, 5 },
  { "no-path", "printf '\\0A=1\\0'", TRUE, 5 },
  { "too-much", "printf '\\0PATH=/from/shell\\0'; head -c 3000000 /dev/zero; sleep 60", TRUE, 8 },
  { "holds-pipe", "printf '\\0PATH=/from/shell\\0'; sleep 3 & exit 0", FALSE, 2.5 },
  { "reads-stdin", "cat; printf '\\0PATH=/from/shell\\0'", FALSE, 5 },
};

static void
on_environment (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static char **
read_with_shell (const char *script, GCancellable *cancellable, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("perfica-shell-XXXXXX", NULL);
  g_autofree char *shell = g_build_filename (folder, "shell", NULL);
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\n%s\n", script);
  g_autoptr (GAsyncResult) result = NULL;
  char **environment;

  g_assert_true (g_file_set_contents (shell, text, -1, NULL));
  g_assert_cmpint (chmod (shell, 0755), ==, 0);
  g_setenv ("SHELL", shell, TRUE);
  sandbox_environment_read_async (cancellable, on_environment, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  environment = sandbox_environment_read_finish (result, error);
  g_unlink (shell);
  g_rmdir (folder);
  return environment;
}

static void
test_shell (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GTimer) timer = g_timer_new ();
  g_auto (GStrv) environment = read_with_shell (shells[i].script, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, shells[i].at_most);
  if (shells[i].ours)
    g_assert_cmpstr (g_environ_getenv (environment, "PATH"), ==, g_getenv ("PATH"));
  else
    g_assert_cmpstr (g_environ_getenv (environment, "PATH"), ==, "/from/shell");
  g_assert_null (g_environ_getenv (environment, "welcome"));
  g_assert_null (g_environ_getenv (environment, "bye"));
}

static gboolean
cancel_it (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GTimer) timer = g_timer_new ();
  g_auto (GStrv) environment = NULL;

  g_timeout_add (100, cancel_it, cancellable);
  environment = read_with_shell ("sleep 30 & sleep 30", cancellable, &error);
  g_assert_null (environment);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 3);
}

typedef struct
{
  GCancellable *cancellable;
  const char *lock;
} Locked;

static gboolean
cancel_locked (gpointer data)
{
  Locked *locked = data;

  if (!g_file_test (locked->lock, G_FILE_TEST_EXISTS))
    return G_SOURCE_CONTINUE;
  g_cancellable_cancel (locked->cancellable);
  return G_SOURCE_REMOVE;
}

/* What a shell file holds is let go of: also by one that won't end otherwise. */
static void
test_lock (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *folder = g_dir_make_tmp ("perfica-lock-XXXXXX", NULL);
  g_autofree char *lock = g_build_filename (folder, "lock", NULL);
  g_autofree char *script =
      g_strdup_printf ("trap '' TERM; bash -c 'trap \"rm -f %s\" EXIT; touch %s; sleep 30'", lock,
                       lock);
  Locked locked = { cancellable, lock };
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) environment = NULL;

  g_timeout_add (20, cancel_locked, &locked);
  environment = read_with_shell (script, cancellable, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  for (int i = 0; i < 300 && g_file_test (lock, G_FILE_TEST_EXISTS); i++)
    g_usleep (10000);
  g_assert_false (g_file_test (lock, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* One that ignores that is killed a second later. */
static void
test_stubborn (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GTimer) timer = g_timer_new ();
  g_auto (GStrv) environment = NULL;

  g_timeout_add (100, cancel_it, cancellable);
  environment = read_with_shell ("trap '' HUP TERM; sleep 30", cancellable, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), >=, 1);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 5);
}

static void
test_timeout (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GTimer) timer = g_timer_new ();
  g_auto (GStrv) environment = read_with_shell ("trap '' TERM; sleep 30 & sleep 30", NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (g_environ_getenv (environment, "PATH"), ==, g_getenv ("PATH"));
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), >, 9.5);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 13);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/environment/names", test_names);
  g_test_add_func ("/environment/path", test_path);
  g_test_add_func ("/environment/ssh-agent", test_ssh_agent);
  g_test_add_func ("/environment/added", test_added);
  g_test_add_func ("/environment/limits", test_limits);
  for (guint i = 0; i < G_N_ELEMENTS (shells); i++)
    {
      g_autofree char *path = g_strdup_printf ("/environment/shell/%s", shells[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_shell);
    }
  g_test_add_func ("/environment/shell/cancel", test_cancel);
  g_test_add_func ("/environment/shell/lock", test_lock);
  g_test_add_func ("/environment/shell/stubborn", test_stubborn);
  g_test_add_func ("/environment/shell/timeout", test_timeout);
  return g_test_run ();
}

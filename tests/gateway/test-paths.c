/* Perfica's own folders: found by the environment, ours alone, and locked once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfica-error.h"
#include "perfica-gateway.h"

typedef struct
{
  char *root;
} Place;

static const char *const variables[] = { "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR" };

static void
set_up (Place *place, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);

  place->root = realpath (made, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    {
      g_autofree char *path = g_build_filename (place->root, variables[i], NULL);

      g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
      g_setenv (variables[i], path, TRUE);
    }
}

static void
run_shell (Place *place, const char *line)
{
  const char *argv[] = { "bash", "-c", line, NULL };
  int status;

  g_assert_true (g_spawn_sync (place->root, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                               NULL, NULL, &status, NULL));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
}

static void
tear_down (Place *place, gconstpointer data)
{
  run_shell (place, "rm -rf \"$PWD\"");
  free (place->root);
}

static void
assert_own (Place *place, const char *path, const char *below)
{
  g_autofree char *wanted = g_build_filename (place->root, below, NULL);
  struct stat info;

  g_assert_cmpstr (path, ==, wanted);
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);
}

static void
test_found (Place *place, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PerficaPaths) paths = NULL;

  /* One that others could open before is closed. */
  run_shell (place, "mkdir -m 0755 XDG_CONFIG_HOME/perfica");
  paths = perfica_paths_new (&error);
  g_assert_no_error (error);
  assert_own (place, paths->config, "XDG_CONFIG_HOME/perfica");
  assert_own (place, paths->state, "XDG_STATE_HOME/perfica");
  assert_own (place, paths->runtime, "XDG_RUNTIME_DIR/perfica");
  g_assert_true (g_str_has_suffix (paths->boards, "/XDG_CONFIG_HOME/perfica/boards.json"));
  g_assert_true (g_str_has_suffix (paths->activity, "/XDG_STATE_HOME/perfica/activity.db"));
  g_assert_true (g_str_has_suffix (paths->socket, "/XDG_RUNTIME_DIR/perfica/gateway"));
  g_assert_cmpint (paths->lock_fd, ==, -1);
}

/* What else the environment may say, and what is answered. */
static const struct
{
  const char *name;
  const char *setup;
  int code;
} wrong[] = {
  { "runtime open to writers", "chmod 0777 XDG_RUNTIME_DIR", PERFICA_ERROR_RUNTIME },
  { "runtime another user's", "chown 1234 XDG_RUNTIME_DIR", PERFICA_ERROR_RUNTIME },
  { "runtime gone", "rmdir XDG_RUNTIME_DIR", PERFICA_ERROR_RUNTIME },
  { "runtime a file", "rmdir XDG_RUNTIME_DIR; echo > XDG_RUNTIME_DIR", PERFICA_ERROR_RUNTIME },
  { "our runtime a link", "mkdir away; ln -s ../away XDG_RUNTIME_DIR/perfica",
    PERFICA_ERROR_RUNTIME },
  { "our runtime a file", "echo > XDG_RUNTIME_DIR/perfica", PERFICA_ERROR_RUNTIME },
  { "our runtime another user's", "mkdir XDG_RUNTIME_DIR/perfica; chown 1234 XDG_RUNTIME_DIR/*",
    PERFICA_ERROR_RUNTIME },
  { "config a file", "rmdir XDG_CONFIG_HOME; echo > XDG_CONFIG_HOME", PERFICA_ERROR_STORE },
  { "our config a link", "mkdir away; ln -s ../away XDG_CONFIG_HOME/perfica", PERFICA_ERROR_STORE },
  { "our config a fifo", "mkfifo XDG_CONFIG_HOME/perfica", PERFICA_ERROR_STORE },
  { "our state a link", "mkdir away; ln -s ../away XDG_STATE_HOME/perfica", PERFICA_ERROR_STORE },
  { "our state another user's", "mkdir XDG_STATE_HOME/perfica; chown 1234 XDG_STATE_HOME/*",
    PERFICA_ERROR_STORE },
};

static void
test_wrong (Place *place, gconstpointer data)
{
  guint index = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  PerficaPaths *paths;

  if (strstr (wrong[index].setup, "chown") && geteuid () != 0)
    {
      g_test_skip ("only root can give a folder away");
      return;
    }
  run_shell (place, wrong[index].setup);
  paths = perfica_paths_new (&error);
  g_assert_null (paths);
  g_assert_error (error, PERFICA_ERROR, wrong[index].code);
}

/* A relative one counts as unset; then it is /run/user/UID, if that is there and ours. */
static void
test_no_runtime (Place *place, gconstpointer data)
{
  static const char *const values[] = { NULL, "", "relative/folder" };
  g_autofree char *usual = g_strdup_printf ("/run/user/%u", (guint) geteuid ());
  g_autofree char *there = realpath (usual, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PerficaPaths) paths = NULL;

      if (values[i])
        g_setenv ("XDG_RUNTIME_DIR", values[i], TRUE);
      else
        g_unsetenv ("XDG_RUNTIME_DIR");
      if (there)
        continue; /* not to be touched by a test */
      paths = perfica_paths_new (&error);
      g_assert_null (paths);
      g_assert_error (error, PERFICA_ERROR, PERFICA_ERROR_RUNTIME);
      g_assert_nonnull (strstr (error->message, "XDG_RUNTIME_DIR"));
    }
}

/* Two runtime folders never share the commands' temporary one. */
static void
test_scratch (Place *place, gconstpointer data)
{
  g_autoptr (PerficaPaths) one = perfica_paths_new (NULL);
  g_autoptr (PerficaPaths) same = perfica_paths_new (NULL);
  g_autoptr (PerficaPaths) other = NULL;
  g_autofree char *path = g_build_filename (place->root, "other", NULL);

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  g_setenv ("XDG_RUNTIME_DIR", path, TRUE);
  other = perfica_paths_new (NULL);
  g_assert_cmpstr (one->scratch, ==, same->scratch);
  g_assert_cmpstr (one->scratch, !=, other->scratch);
}

static gboolean
others_may_lock (const PerficaPaths *paths)
{
  const char *argv[] = { "flock", "--nonblock", paths->runtime, "true", NULL };
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, &status, NULL));
  return g_spawn_check_wait_status (status, NULL);
}

static void
test_lock (Place *place, gconstpointer data)
{
  g_autoptr (PerficaPaths) one = perfica_paths_new (NULL);
  g_autoptr (PerficaPaths) two = perfica_paths_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (others_may_lock (one));
  perfica_paths_lock (one, &error);
  g_assert_no_error (error);
  g_assert_false (others_may_lock (one));
  g_assert_true (perfica_paths_lock (one, &error));
  g_assert_false (perfica_paths_lock (two, &error));
  g_assert_error (error, PERFICA_ERROR, PERFICA_ERROR_RUNNING);
  g_clear_pointer (&one, perfica_paths_free);
  g_assert_true (perfica_paths_lock (two, NULL));
}

/* Handed over, it is never free in between, and goes with the gateway. */
static void
test_hand_over (Place *place, gconstpointer data)
{
  PerficaPaths *paths = perfica_paths_new (NULL);
  g_autoptr (PerficaPaths) other = perfica_paths_new (NULL);
  g_autoptr (PerficaGateway) gateway = perfica_gateway_new (NULL);
  g_autoptr (GError) error = NULL;
  int lock;

  g_assert_true (perfica_paths_lock (paths, NULL));
  lock = paths->lock_fd;
  perfica_gateway_take_paths (gateway, paths);
  perfica_gateway_start (gateway, &error);
  g_assert_no_error (error);
  g_assert_cmpint (paths->lock_fd, ==, lock);
  g_assert_false (others_may_lock (other));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_clear_object (&gateway);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_true (others_may_lock (other));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (Place *, gconstpointer);
  } tests[] = {
    { "/paths/found", test_found },         { "/paths/no-runtime", test_no_runtime },
    { "/paths/scratch", test_scratch },     { "/paths/lock", test_lock },
    { "/paths/hand-over", test_hand_over },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Place, NULL, set_up, tests[i].run, tear_down);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *name = g_strdup_printf ("/paths/wrong/%s", wrong[i].name);

      g_test_add (name, Place, GUINT_TO_POINTER (i), set_up, test_wrong, tear_down);
    }
  return g_test_run ();
}

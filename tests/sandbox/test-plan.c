/* Plans read word by word, with no kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "test-tree.h"
#include "sandbox-backend.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct
{
  char *top;
  char *home;
  char *project;
  SandboxPolicy *policy;
} Fixture;

static char *
make (const char *top, const char *relative)
{
  char *path = g_build_filename (top, relative, NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0755), ==, 0);
  return path;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("perfica-plan-XXXXXX", NULL);
  static const char *const folders[] = {
    "home/.cargo/bin",    "home/.ssh",         "home/.config/git",
    "project/web/api",    "project/docs",      "project/.perfica",
    "project/.git/hooks", "project/.git/info", "tmpdir"
  };

  fixture->top = realpath (made, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    g_free (make (fixture->top, folders[i]));
  make_file (fixture->top, "home/.gitconfig");
  make_file (fixture->top, "home/.config/git/config");
  make_file (fixture->top, "home/.config/git/credentials");
  make_file (fixture->top, "project/.git/config");
  fixture->home = g_build_filename (fixture->top, "home", NULL);
  fixture->project = g_build_filename (fixture->top, "project", NULL);
  fixture->policy = sandbox_policy_new (fixture->project, fixture->project);
  g_free (fixture->policy->home);
  fixture->policy->home = g_strdup (fixture->home);
  fixture->policy->uid = 1000;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  sandbox_policy_free (fixture->policy);
  remove_tree (fixture->top);
  free (fixture->top);
  g_free (fixture->home);
  g_free (fixture->project);
}

static void
set_strv (char ***list, const char *first, const char *second)
{
  const char *words[] = { first, second, NULL };

  g_strfreev (*list);
  *list = g_strdupv ((char **) words);
}

static void
set_own (Fixture *fixture, const char *relative)
{
  g_free (fixture->policy->own);
  g_free (fixture->policy->folder);
  fixture->policy->own = g_build_filename (fixture->project, relative, NULL);
  fixture->policy->folder = g_strdup (fixture->policy->own);
}

/* The arguments as one line, the fixture's folder as TOP. */
static char *
line (const Fixture *fixture, const SandboxPlan *plan)
{
  g_autoptr (GString) text = g_string_new (" ");

  for (const char *word = (const char *) plan->args->data;
       word < (const char *) plan->args->data + plan->args->len; word += strlen (word) + 1)
    g_string_append_printf (text, "%s ", word);
  g_string_replace (text, fixture->top, "TOP", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const SandboxBwrap newest = { TRUE, TRUE, TRUE, FALSE };
static const SandboxBwrap plain = { FALSE, TRUE, TRUE, FALSE };
static const SandboxBwrap oldest = { FALSE, FALSE, FALSE, FALSE };
static const char *const command[] = { "echo", "@ARGS@", "hi", NULL };
static const char *const environment[] = { "PATH=/usr/bin", "A=1", "TMPDIR=/elsewhere", NULL };

static SandboxPlan *
plan_ok (const Fixture *fixture, const SandboxBwrap *bwrap)
{
  g_autoptr (GError) error = NULL;
  SandboxPlan *plan =
      sandbox_bubblewrap_plan (fixture->policy, bwrap, environment, command, &error);

  g_assert_no_error (error);
  g_assert_nonnull (plan);
  return plan;
}

static void
assert_has (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    {
      g_test_message ("“%s” is not in: %s", part, text);
      g_test_fail ();
    }
}

static void
assert_lacks (const char *text, const char *part)
{
  if (strstr (text, part) != NULL)
    {
      g_test_message ("“%s” is in: %s", part, text);
      g_test_fail ();
    }
}

static void
assert_order (const char *text, const char *first, const char *second)
{
  const char *one = strstr (text, first);
  const char *two = strstr (text, second);

  if (one == NULL || two == NULL || one >= two)
    {
      g_test_message ("“%s” does not come before “%s” in: %s", first, second, text);
      g_test_fail ();
    }
}

static void
test_program_line (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SandboxPlan) plan = plan_ok (fixture, &plain);
  g_autofree char *joined = g_strjoinv (" ", plan->argv);

  g_assert_cmpstr (joined, ==,
                   "/usr/bin/bwrap --args @ARGS@ -- /run/perfica/init --init @LIFELINE@ -- "
                   "echo @ARGS@ hi");
  g_assert_cmpuint (plan->command_index, ==, 8);
  g_assert_cmpstr (plan->argv[plan->command_index], ==, "echo");
  g_assert_true (plan->needs_init);
  g_assert_true (plan->seccomp);
  g_assert_true (plan->status);
  g_assert_true (plan->tree_is_certain);
  g_assert_cmpstr (plan->folder, ==, fixture->project);
  g_assert_cmpstr (g_environ_getenv (plan->environment, "A"), ==, "1");
  g_assert_cmpstr (g_environ_getenv (plan->environment, "HOME"), ==, fixture->home);
  g_assert_cmpstr (g_environ_getenv (plan->environment, "TMPDIR"), ==, "/tmp");
  g_assert_cmpstr (g_environ_getenv (plan->environment, "XDG_RUNTIME_DIR"), ==, "/run/user/1000");
}

static void
test_whole_project (Fixture *fixture, gconstpointer data)
{
  g_autofree char *app = g_build_filename (fixture->project, ".perfica", NULL);
  g_autofree char *other = g_build_filename (fixture->project, "web/api", NULL);
  g_autoptr (SandboxPlan) plan = NULL;
  g_autofree char *text = NULL;

  set_strv (&fixture->policy->protected_paths, other, app);
  plan = plan_ok (fixture, &plain);
  text = line (fixture, plan);

  g_assert_true (g_str_has_prefix (text, " --unshare-user --unshare-all --disable-userns "
                                         "--die-with-parent --new-session --cap-drop ALL "
                                         "--ro-bind /usr /usr "));
  assert_has (text, " --dev /dev --proc /proc --perms 1777 --size 1073741824 --tmpfs /dev/shm "
                    "--perms 1777 --size 2147483648 --tmpfs /tmp "
                    "--perms 1777 --size 2147483648 --tmpfs /var/tmp "
                    "--perms 0700 --size 67108864 --tmpfs /run/user/1000 "
                    "--perms 0700 --size 4294967296 --tmpfs TOP/home ");
  assert_has (text, " --ro-bind TOP/home/.cargo/bin TOP/home/.cargo/bin ");
  assert_has (text, " --ro-bind TOP/home/.config/git/config TOP/home/.config/git/config ");
  assert_has (text, " --ro-bind TOP/project TOP/project "
                    "--ro-bind TOP/project/web TOP/project/web "
                    "--ro-bind TOP/project/.git TOP/project/.git "
                    "--bind TOP/project TOP/project ");
  assert_order (text, "--bind TOP/project TOP/project ",
                "--ro-bind TOP/project/web/api TOP/project/web/api ");
  assert_order (text, "--bind TOP/project TOP/project ",
                "--ro-bind TOP/project/.perfica TOP/project/.perfica ");
  assert_has (text, " --ro-bind TOP/project/.git/hooks TOP/project/.git/hooks ");
  assert_has (text, " --ro-bind TOP/project/.git/config TOP/project/.git/config ");
  assert_has (text, " --ro-bind TOP/project/.git/info TOP/project/.git/info ");
  assert_lacks (text, "config.worktree");
  assert_lacks (text, "credentials");
  assert_lacks (text, ".ssh");
  assert_lacks (text, "/proc/sys");
  assert_lacks (text, "/etc/shadow");
  assert_has (
      text,
      " --ro-bind @INIT@ /run/perfica/init --remount-ro /dev --remount-ro / --chdir TOP/project "
      "--seccomp @SECCOMP@ --json-status-fd @STATUS@ --as-pid-1 ");
  g_assert_cmpuint (g_strv_length (plan->traps), ==, 2);
}

static void
test_own_below (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->project, "web/api", NULL);
  g_autofree char *docs = g_build_filename (fixture->project, "docs", NULL);
  g_autoptr (SandboxPlan) plan = NULL;
  g_autofree char *text = NULL;

  set_own (fixture, "web");
  set_strv (&fixture->policy->protected_paths, other, docs);
  plan = plan_ok (fixture, &plain);
  text = line (fixture, plan);
  assert_has (text, " --ro-bind TOP/project TOP/project --bind TOP/project/web TOP/project/web "
                    "--ro-bind TOP/project/web/api TOP/project/web/api --ro-bind @INIT@ ");
  assert_lacks (text, "docs");
  assert_lacks (text, ".git ");
  assert_has (text, " --chdir TOP/project/web ");
  g_assert_cmpuint (g_strv_length (plan->traps), ==, 0);
}

static void
test_descriptors (Fixture *fixture, gconstpointer data)
{
  g_autofree char *app = g_build_filename (fixture->project, ".perfica", NULL);
  g_autofree char *tmpdir = g_build_filename (fixture->top, "tmpdir", NULL);
  g_autoptr (SandboxPlan) plan = NULL;
  g_autoptr (SandboxPlan) copy = NULL;
  g_autofree char *text = NULL;
  const SandboxOpen *first;
  struct stat status;

  set_own (fixture, "web");
  set_strv (&fixture->policy->protected_paths, app, NULL);
  fixture->policy->tmpdir = g_strdup (tmpdir);
  plan = plan_ok (fixture, &newest);
  text = line (fixture, plan);
  assert_has (text, " --ro-bind-fd @OPEN0@ TOP/project --bind-fd @OPEN1@ TOP/project/web "
                    "--bind-fd @OPEN2@ TOP/tmpdir ");
  g_assert_cmpuint (plan->opens->len, ==, 3);
  first = g_ptr_array_index (plan->opens, 0);
  g_assert_cmpint (stat (fixture->project, &status), ==, 0);
  g_assert_cmpstr (first->path, ==, fixture->project);
  g_assert_cmpuint (first->inode, ==, status.st_ino);
  g_assert_cmpuint (first->device, ==, status.st_dev);
  g_assert_true (first->is_folder);
  g_assert_cmpstr (g_environ_getenv (plan->environment, "TMPDIR"), ==, tmpdir);

  copy = sandbox_plan_copy (plan);
  g_assert_cmpmem (copy->args->data, copy->args->len, plan->args->data, plan->args->len);
  g_assert_cmpuint (copy->opens->len, ==, 3);
  first = g_ptr_array_index (copy->opens, 0);
  g_assert_cmpstr (first->path, ==, fixture->project);
}

static void
test_old_bwrap (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SandboxPlan) plan = plan_ok (fixture, &oldest);
  g_autofree char *text = line (fixture, plan);

  assert_lacks (text, "--disable-userns");
  assert_lacks (text, "--size");
  assert_lacks (text, "--perms");
  assert_has (text, " --tmpfs /tmp ");
}

static void
test_root (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SandboxPlan) plan = NULL;
  g_autofree char *text = NULL;

  fixture->policy->uid = 0;
  plan = plan_ok (fixture, &plain);
  text = line (fixture, plan);
  assert_order (text, "--proc /proc ", "--ro-bind /proc/sys /proc/sys ");
  assert_order (text, "--ro-bind /etc /etc ", "--ro-bind /dev/null /etc/shadow ");
  assert_has (text, " --tmpfs /run/user/0 ");
}

static void
test_sockets (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->project, "web", "s", NULL);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM, 0);
  g_autoptr (SandboxPlan) plan = NULL;
  g_autofree char *text = NULL;

  g_assert_cmpint (strlen (path), <, sizeof address.sun_path);
  strcpy (address.sun_path, path);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  set_own (fixture, "docs");
  plan = plan_ok (fixture, &plain);
  text = line (fixture, plan);
  assert_order (text, "--bind TOP/project/docs ", "--ro-bind /dev/null TOP/project/web/s ");
  close (fd);
}

static void
test_nested_repository (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SandboxPlan) plan = NULL;
  g_autofree char *text = NULL;

  make_file (fixture->project, "web/deep/er/.git/config");
  make_file (fixture->project, "web/module/.git");
  set_own (fixture, "web");
  plan = plan_ok (fixture, &plain);
  text = line (fixture, plan);
  assert_has (text, " --ro-bind TOP/project/web/deep/er/.git/config "
                    "TOP/project/web/deep/er/.git/config ");
  assert_has (text, " --ro-bind TOP/project/web/module/.git TOP/project/web/module/.git ");
  assert_order (text, "--ro-bind TOP/project/web/deep TOP/project/web/deep ",
                "--bind TOP/project/web TOP/project/web ");
  assert_order (text, "--ro-bind TOP/project/web/deep/er/.git TOP/project/web/deep/er/.git ",
                "--bind TOP/project/web TOP/project/web ");
}

static void
test_home_links (Fixture *fixture, gconstpointer data)
{
  g_autofree char *nvm = g_build_filename (fixture->home, ".nvm", NULL);
  g_autofree char *pyenv = g_build_filename (fixture->home, ".pyenv", NULL);
  g_autofree char *rbenv = g_build_filename (fixture->home, ".rbenv", NULL);
  g_autofree char *dotfiles G_GNUC_UNUSED = make (fixture->home, "dotfiles/rbenv");
  g_autoptr (SandboxPlan) plan = NULL;
  g_autofree char *text = NULL;

  g_assert_cmpint (symlink (".ssh", nvm), ==, 0);
  g_assert_cmpint (symlink (".", pyenv), ==, 0);
  g_assert_cmpint (symlink ("dotfiles/rbenv", rbenv), ==, 0);
  plan = plan_ok (fixture, &plain);
  text = line (fixture, plan);
  assert_lacks (text, ".nvm");
  assert_lacks (text, ".pyenv");
  assert_has (text, " --ro-bind TOP/home/dotfiles/rbenv TOP/home/.rbenv ");
}

/* ---- What makes no plan ---- */

static void
assert_refused (const Fixture *fixture, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SandboxPlan) plan =
      sandbox_bubblewrap_plan (fixture->policy, &plain, environment, command, &error);

  g_assert_null (plan);
  g_assert_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE);
  assert_has (error->message, part);
}

static void
test_own_is_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->project, "link", NULL);

  g_assert_cmpint (symlink ("docs", link), ==, 0);
  set_own (fixture, "link");
  assert_refused (fixture, "through a link");
}

static void
test_parent_is_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->project, "link", NULL);

  g_assert_cmpint (symlink ("web", link), ==, 0);
  set_own (fixture, "link/api");
  assert_refused (fixture, "through a link");
}

static void
test_protected_is_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->project, "loop", NULL);

  g_assert_cmpint (symlink ("/etc", link), ==, 0);
  set_strv (&fixture->policy->protected_paths, link, NULL);
  assert_refused (fixture, "through a link");
}

static void
test_protected_is_gone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *gone = g_build_filename (fixture->project, "gone", NULL);

  set_strv (&fixture->policy->protected_paths, gone, NULL);
  assert_refused (fixture, "gone");
}

static void
test_project_is_gone (Fixture *fixture, gconstpointer data)
{
  remove_tree (fixture->project);
  assert_refused (fixture, "can't be used");
}

static void
test_own_is_file (Fixture *fixture, gconstpointer data)
{
  make_file (fixture->project, "file");
  set_own (fixture, "file");
  assert_refused (fixture, "is not a folder");
}

static void
test_own_outside (Fixture *fixture, gconstpointer data)
{
  g_free (fixture->policy->own);
  fixture->policy->own = g_build_filename (fixture->top, "tmpdir", NULL);
  assert_refused (fixture, "is not inside");
}

static void
test_own_protected (Fixture *fixture, gconstpointer data)
{
  g_autofree char *web = g_build_filename (fixture->project, "web", NULL);

  set_own (fixture, "web/api");
  set_strv (&fixture->policy->protected_paths, web, NULL);
  assert_refused (fixture, "both writable and protected");
}

static void
test_home_inside (Fixture *fixture, gconstpointer data)
{
  g_free (fixture->policy->home);
  fixture->policy->home = make (fixture->project, "home");
  assert_refused (fixture, "holds your home");
}

static void
test_visible_root (Fixture *fixture, gconstpointer data)
{
  set_strv (&fixture->policy->visible, "/", NULL);
  assert_refused (fixture, "whole disk");
}

static void
test_system_project (Fixture *fixture, gconstpointer data)
{
  g_free (fixture->policy->project);
  fixture->policy->project = g_strdup ("/usr/share");
  assert_refused (fixture, "part of the system");
}

/* ---- Not confined ---- */

static void
test_none (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SandboxPlan) plan = NULL;
  g_autofree char *joined = NULL;

  fixture->policy->best_effort_tree = TRUE;
  plan = sandbox_plan_new (SANDBOX_BACKEND_NONE, fixture->policy, environment, command, NULL);
  joined = g_strjoinv (" ", plan->argv);
  g_assert_cmpstr (joined, ==, "@INIT@ --init @LIFELINE@ -- echo @ARGS@ hi");
  g_assert_cmpuint (plan->command_index, ==, 4);
  g_assert_true (plan->needs_init);
  g_assert_false (plan->tree_is_certain);
  g_assert_false (plan->seccomp);
}

static void
test_none_namespace (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SandboxPlan) plan = NULL;
  g_autofree char *joined = NULL;

  sandbox_none_forget ();
  if (!sandbox_none_has_namespace ())
    {
      g_test_skip ("no namespace here");
      return;
    }
  plan = sandbox_plan_new (SANDBOX_BACKEND_NONE, fixture->policy, environment, command, NULL);
  joined = g_strjoinv (" ", plan->argv);
  g_assert_true (g_str_has_prefix (joined, "/usr/bin/bwrap --unshare-user --unshare-pid "
                                           "--die-with-parent --dev-bind / / --proc /proc "));
  g_assert_true (g_str_has_suffix (joined, " -- @INIT@ --init @LIFELINE@ -- echo @ARGS@ hi"));
  g_assert_cmpstr (plan->argv[plan->command_index], ==, "echo");
  g_assert_true (plan->tree_is_certain);
}

/* ---- The rest ---- */

static void
test_traps (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SandboxPlan) plan = plan_ok (fixture, &plain);
  g_autofree char *trap = g_build_filename (fixture->project, ".git", "commondir", NULL);
  g_autofree char *kept = g_strconcat (trap, ".perfica-kept", NULL);
  g_autofree char *kept2 = g_strconcat (trap, ".perfica-kept-1", NULL);
  g_auto (GStrv) first = sandbox_plan_spring_traps (plan);
  g_auto (GStrv) second = NULL;
  g_auto (GStrv) third = NULL;

  g_assert_null (first);
  make_file (fixture->project, ".git/commondir");
  second = sandbox_plan_spring_traps (plan);
  g_assert_cmpuint (g_strv_length (second), ==, 1);
  g_assert_cmpstr (second[0], ==, trap);
  g_assert_false (g_file_test (trap, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (kept, G_FILE_TEST_EXISTS));
  g_assert_cmpint (symlink ("/nowhere", trap), ==, 0);
  third = sandbox_plan_spring_traps (plan);
  g_assert_true (g_file_test (kept2, G_FILE_TEST_IS_SYMLINK));
}

static void
test_help (Fixture *fixture, gconstpointer data)
{
  SandboxBwrap bwrap;
  const char *all = "\n --args FD \n --unshare-all \n --die-with-parent \n --seccomp FD\n"
                    " --as-pid-1 \n --json-status-fd FD\n --cap-drop CAP\n";
  g_autofree char *more = g_strconcat (all, " --bind-fd FD DEST\n --ro-bind-fd FD DEST\n", NULL);

  g_assert_false (sandbox_bwrap_parse_help ("usage: something else", &bwrap));
  g_assert_true (sandbox_bwrap_parse_help (all, &bwrap));
  g_assert_false (bwrap.bind_fd);
  g_assert_true (sandbox_bwrap_parse_help (more, &bwrap));
  g_assert_true (bwrap.bind_fd);
}

static void
test_names (Fixture *fixture, gconstpointer data)
{
  for (guint i = SANDBOX_BACKEND_NONE; i <= SANDBOX_BACKEND_WSL; i++)
    g_assert_cmpint (sandbox_backend_from_string (sandbox_backend_to_string (i)), ==, i);
  g_assert_cmpint (sandbox_backend_from_string ("unknown"), ==, SANDBOX_BACKEND_NONE);
  g_assert_cmpint (sandbox_backends ()[0], ==, SANDBOX_BACKEND_BUBBLEWRAP);
}

static const struct
{
  const char *name;
  void (*run) (Fixture *fixture, gconstpointer data);
} tests[] = {
  { "program-line", test_program_line },
  { "whole-project", test_whole_project },
  { "own-below", test_own_below },
  { "descriptors", test_descriptors },
  { "old-bwrap", test_old_bwrap },
  { "root", test_root },
  { "sockets", test_sockets },
  { "nested-repository", test_nested_repository },
  { "home-links", test_home_links },
  { "refused/own-is-link", test_own_is_link },
  { "refused/parent-is-link", test_parent_is_link },
  { "refused/protected-is-link", test_protected_is_link },
  { "refused/protected-is-gone", test_protected_is_gone },
  { "refused/project-is-gone", test_project_is_gone },
  { "refused/own-is-file", test_own_is_file },
  { "refused/own-outside", test_own_outside },
  { "refused/own-protected", test_own_protected },
  { "refused/home-inside", test_home_inside },
  { "refused/visible-root", test_visible_root },
  { "refused/system-project", test_system_project },
  { "none/best-effort", test_none },
  { "none/namespace", test_none_namespace },
  { "traps", test_traps },
  { "help", test_help },
  { "names", test_names },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/plan/", tests[i].name, NULL);

      g_test_add (path, Fixture, NULL, set_up, tests[i].run, tear_down);
    }
  return g_test_run ();
}

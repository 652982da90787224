/* What was seen, and the one step that mends it; what made a command fail.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-probe.h"
#include "sandbox-wsl.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* Files of a made-up system: name, then content; an empty name ends it. */
typedef struct
{
  const char *name;
  SandboxBackendType backend;
  const char *files[12];
  const char *words;
  const char *command;
  gboolean warns;
} Case;

#define BWRAP "usr/bin/bwrap", "#!bwrap"
#define UBUNTU(version) "etc/os-release", "ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"" version "\"\n"
#define APPARMOR "proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n"
#define PROFILE                                                                                    \
  "sudo apt-get install -y apparmor-profiles && sudo install -m 0644 "                             \
  "/usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && "                  \
  "sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict"
#define RTM "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted\n"
#define UID_MAP "bwrap: setting up uid map: Permission denied\n"
#define CREATE                                                                                     \
  "bwrap: No permissions to creating new namespace, likely because the kernel does not allow "     \
  "non-privileged user namespaces.\n"
#define CREATE_NEW "bwrap: No permissions to create a new namespace, likely because\n"
#define EXCEEDED                                                                                   \
  "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces "        \
  "exceeded (ENOSPC)\n"
#define CONTAINER "--security-opt seccomp=unconfined --security-opt systempaths=unconfined"

static const Case cases[] = {
  { "debian", 1, { "etc/os-release", "ID=debian\n" }, NULL, "sudo apt-get install -y bubblewrap" },
  { "ubuntu", 1, { UBUNTU ("24.04") }, NULL, "sudo apt-get install -y bubblewrap" },
  { "mint",
    1,
    { "etc/os-release", "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n" },
    NULL,
    "sudo apt-get install -y bubblewrap" },
  { "fedora", 1, { "etc/os-release", "ID=fedora\n" }, NULL, "sudo dnf install -y bubblewrap" },
  { "rhel",
    1,
    { "etc/os-release", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n" },
    NULL,
    "sudo dnf install -y bubblewrap" },
  { "ostree",
    1,
    { "etc/os-release", "ID=fedora\n", "run/ostree-booted", "" },
    NULL,
    "rpm-ostree install bubblewrap" },
  { "arch", 1, { "etc/os-release", "ID=arch\n" }, NULL, "sudo pacman -S --needed bubblewrap" },
  { "opensuse",
    1,
    { "etc/os-release", "ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n" },
    NULL,
    "sudo zypper install -y bubblewrap" },
  { "alpine", 1, { "etc/os-release", "ID=alpine\n" }, NULL, "sudo apk add bubblewrap" },
  { "unknown", 1, { "etc/os-release", "ID=other\n" }, NULL, NULL },
  { "no-release", 1, { "etc/hostname", "x" }, NULL, NULL },
  { "usr-lib-release",
    1,
    { "usr/lib/os-release", "ID=debian\n" },
    NULL,
    "sudo apt-get install -y bubblewrap" },
  { "too-old",
    1,
    { BWRAP, UBUNTU ("18.04") },
    "bwrap: Unknown option --json-status-fd",
    "sudo apt-get install -y bubblewrap" },
  { "apparmor-rtm", 1, { BWRAP, UBUNTU ("24.04"), APPARMOR }, RTM, PROFILE },
  { "apparmor-uid-map", 1, { BWRAP, UBUNTU ("25.10"), APPARMOR }, UID_MAP, PROFILE },
  { "apparmor-older",
    1,
    { BWRAP, UBUNTU ("23.10"), APPARMOR },
    RTM,
    "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    TRUE },
  { "hardened",
    1,
    { BWRAP, "etc/os-release", "ID=debian\n" },
    CREATE,
    "sudo sysctl -w kernel.unprivileged_userns_clone=1",
    TRUE },
  { "hardened-new-words",
    1,
    { BWRAP },
    CREATE_NEW,
    "sudo sysctl -w kernel.unprivileged_userns_clone=1",
    TRUE },
  { "limit-0", 1, { BWRAP }, EXCEEDED, "sudo sysctl -w user.max_user_namespaces=15000" },
  { "docker-create", 1, { BWRAP, ".dockerenv", "" }, CREATE, CONTAINER, TRUE },
  { "podman-proc",
    1,
    { BWRAP, "run/.containerenv", "" },
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
    CONTAINER,
    TRUE },
  { "setuid-words",
    1,
    { BWRAP },
    "bwrap: cannot open /proc/sys/user/max_user_namespaces",
    "sudo chmod u-s /usr/bin/bwrap" },
  { "other-words", 1, { BWRAP }, "bwrap: something new", NULL },
  { "docker-down",
    2,
    { BWRAP },
    "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
    "sudo systemctl start docker" },
  { "docker-denied",
    2,
    { BWRAP },
    "docker: permission denied while trying to connect to the Docker daemon socket",
    "sudo usermod -aG docker $USER",
    TRUE },
  { "docker-image",
    2,
    { BWRAP },
    "docker: Error response from daemon: No such image: node:22",
    NULL },
  { "wsl-none", 4, { BWRAP }, "no-distribution", "wsl --install -d Ubuntu" },
  { "wsl-1", 4, { BWRAP }, "version-1", "wsl --set-version Ubuntu 2", TRUE },
  { "wsl-bwrap",
    4,
    { BWRAP },
    "sh: 1: /usr/bin/bwrap: not found",
    "wsl -d Ubuntu -u root -- apt-get install -y bubblewrap" },
};

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      remove_tree (inner);
    }
  g_remove (path);
}

static char *
make_root (const char *const *files)
{
  char *root = g_dir_make_tmp ("perfica-root-XXXXXX", NULL);

  for (guint i = 0; files[i] != NULL; i += 2)
    {
      g_autofree char *path = g_build_filename (root, files[i], NULL);
      g_autofree char *folder = g_path_get_dirname (path);

      g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
      g_assert_true (g_file_set_contents (path, files[i + 1], -1, NULL));
      g_chmod (path, 0755);
    }
  return root;
}

static void
test_case (gconstpointer data)
{
  const Case *one = data;
  g_autofree char *root = make_root (one->files);
  g_auto (SandboxFacts) facts = { 0 };
  g_autoptr (SandboxDiagnosis) diagnosis = NULL;

  sandbox_facts_read (&facts, root);
  facts.docker_missing = facts.wsl_missing = FALSE;
  diagnosis = sandbox_diagnosis_choose (one->backend, &facts, one->words);
  g_assert_false (diagnosis->ready);
  g_assert_nonnull (diagnosis->summary);
  g_assert_nonnull (diagnosis->step);
  g_assert_cmpstr (diagnosis->command, ==, one->command);
  g_assert_cmpint (diagnosis->warning != NULL, ==, one->warns);
  g_assert_cmpstr (diagnosis->detail, ==, one->words);
  remove_tree (root);
}

static void
test_file_modes (void)
{
  const char *files[] = { BWRAP, NULL };
  g_autofree char *root = make_root (files);
  g_autofree char *bwrap = g_build_filename (root, "usr/bin/bwrap", NULL);
  static const struct
  {
    int mode;
    const char *command;
  } modes[] = { { 0644, "sudo chmod 0755 /usr/bin/bwrap" },
                { 04755, "sudo chmod u-s /usr/bin/bwrap" } };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_auto (SandboxFacts) facts = { 0 };
      g_autoptr (SandboxDiagnosis) diagnosis = NULL;

      g_assert_cmpint (g_chmod (bwrap, modes[i].mode), ==, 0);
      sandbox_facts_read (&facts, root);
      diagnosis = sandbox_diagnosis_choose (SANDBOX_BACKEND_BUBBLEWRAP, &facts, NULL);
      g_assert_cmpstr (diagnosis->command, ==, modes[i].command);
    }
  remove_tree (root);
}

static void
test_missing (void)
{
  SandboxFacts facts = { .distribution = (char *) " debian ",
                         .docker_missing = TRUE,
                         .wsl_missing = TRUE };
  g_autoptr (SandboxDiagnosis) docker =
      sandbox_diagnosis_choose (SANDBOX_BACKEND_DOCKER, &facts, NULL);
  g_autoptr (SandboxDiagnosis) wsl = sandbox_diagnosis_choose (SANDBOX_BACKEND_WSL, &facts, NULL);

  g_assert_cmpstr (docker->command, ==, "sudo apt-get install -y docker.io");
  g_assert_cmpstr (wsl->command, ==, "wsl --install");
}

static void
on_diagnosis (GObject *source, GAsyncResult *result, gpointer data)
{
  *(SandboxDiagnosis **) data = sandbox_diagnose_finish (result, NULL);
}

/* The real plan, here. */
static void
test_ready (void)
{
  g_autoptr (SandboxDiagnosis) diagnosis = NULL;

  sandbox_diagnose_async (SANDBOX_BACKEND_BUBBLEWRAP, NULL, on_diagnosis, &diagnosis);
  while (diagnosis == NULL)
    g_main_context_iteration (NULL, TRUE);
  if (!diagnosis->ready)
    g_test_message ("%s: %s", diagnosis->summary, diagnosis->detail);
  g_assert_true (diagnosis->ready);
}

static void
test_probe_limit (void)
{
  const char *argv[] = { "sh", "-c", "trap '' TERM; sleep 30 & sleep 30", NULL };
  g_auto (SandboxProbe) probe = { 0 };
  g_autoptr (GTimer) timer = g_timer_new ();

  sandbox_probe_run (&probe, argv, NULL, NULL, 1, NULL);
  g_assert_true (probe.timed_out);
  g_assert_cmpint (probe.status, ==, -1);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 3);
}

/* ---- Why a command failed ---- */

static const struct
{
  const char *output;
  int exit_code;
  const char *part; /* NULL: nothing is said */
} failures[] = {
  { "curl: (6) Could not resolve host: example.org", 6, "no network" },
  { "npm error request to http://x failed, reason: getaddrinfo EAI_AGAIN x", 1, "no network" },
  { "dial tcp: lookup proxy.golang.org: no such host", 1, "no network" },
  { "touch: cannot touch '../new': Read-only file system", 1, "“/p/new” is outside this loop" },
  { "touch: cannot touch '/p/loop/.perfica/x': Read-only file system", 1, "belongs to Perfica" },
  { "touch: cannot touch ‘other/x’: Read-only file system", 1,
    "belongs to another loop (“/p/loop/other”)" },
  { "bash: line 1: /etc/x: Read-only file system", 1, "“/etc/x” is outside the project" },
  { "error: could not lock config file .git/config: Read-only file system", 255,
    "decides what git runs" },
  { "Error: EROFS: read-only file system, open '/p/README'", 1,
    "“/p/README” is outside this loop" },
  { "mv: cannot move 'a' to 'b': Device or resource busy", 1, "holds something protected" },
  { "sudo: effective uid is not 0, is /usr/bin/sudo on a file system", 1, "more rights" },
  { "Read-only file system", 0, NULL },
  { "2 tests failed", 1, NULL },
  { "", 1, NULL },
};

static void
test_explain (void)
{
  char *protect[] = { (char *) "/p/loop/.perfica", (char *) "/p/loop/other", NULL };
  char *none[] = { NULL };
  SandboxPolicy policy = { .project = (char *) "/p",
                           .own = (char *) "/p/loop",
                           .folder = (char *) "/p/loop",
                           .protected_paths = protect,
                           .visible = none };
  SandboxPlan plan = { .backend = SANDBOX_BACKEND_BUBBLEWRAP };

  for (guint i = 0; i < G_N_ELEMENTS (failures); i++)
    {
      g_autofree char *said =
          sandbox_explain_failure (&plan, &policy, failures[i].exit_code, failures[i].output);

      if ((said == NULL) != (failures[i].part == NULL) ||
          (said != NULL &&
           (strstr (said, failures[i].part) == NULL || strstr (said, "Likely") == NULL)))
        {
          g_test_message ("%s -> %s", failures[i].output, said);
          g_test_fail ();
        }
    }
}

/* ---- WSL's words ---- */

static void
test_wsl_list (void)
{
  const char *text = "  NAME              STATE           VERSION\r\n"
                     "* Ubuntu            Wird ausgef\303\274hrt   2\r\n"
                     "  docker-desktop    Running         2\r\n"
                     "  Debian-old        Stopped         1\r\n";
  gsize size = 0;
  g_autofree char *wide = g_convert (text, -1, "UTF-16LE", "UTF-8", NULL, &size, NULL);
  g_autofree char *decoded = sandbox_wsl_decode (wide, size);
  g_autofree char *plain = sandbox_wsl_decode (text, strlen (text));
  g_autoptr (GPtrArray) list = sandbox_wsl_parse_list (decoded);
  const SandboxWslDistribution *first = g_ptr_array_index (list, 0);
  const SandboxWslDistribution *second = g_ptr_array_index (list, 1);

  g_assert_cmpstr (decoded, ==, text);
  g_assert_cmpstr (plain, ==, text);
  g_assert_cmpuint (list->len, ==, 2);
  g_assert_cmpstr (first->name, ==, "Ubuntu");
  g_assert_cmpuint (first->version, ==, 2);
  g_assert_true (first->is_default);
  g_assert_cmpstr (second->name, ==, "Debian-old");
  g_assert_cmpuint (second->version, ==, 1);
}

static void
test_wsl_paths (void)
{
  static const char *const paths[][2] = {
    { "C:\\Users\\A B\\p", "/mnt/c/Users/A B/p" },
    { "d:/x", "/mnt/d/x" },
    { "\\\\wsl.localhost\\Ubuntu\\home\\a", "/home/a" },
    { "\\\\wsl$\\Debian\\srv", "/srv" },
    { "/home/a", "/home/a" },
    { "relative", NULL },
    { "C:relative", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *path = sandbox_wsl_path (paths[i][0]);

      g_assert_cmpstr (path, ==, paths[i][1]);
    }
  g_assert_true (sandbox_wsl_is_drive ("/mnt/c/x"));
  g_assert_true (sandbox_wsl_is_drive ("/mnt/c"));
  g_assert_false (sandbox_wsl_is_drive ("/mnt/cd/x"));
  g_assert_false (sandbox_wsl_is_drive ("/home/c"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/diagnosis/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/diagnosis/file-modes", test_file_modes);
  g_test_add_func ("/diagnosis/missing", test_missing);
  g_test_add_func ("/diagnosis/ready", test_ready);
  g_test_add_func ("/probe/limit", test_probe_limit);
  g_test_add_func ("/explain", test_explain);
  g_test_add_func ("/wsl/list", test_wsl_list);
  g_test_add_func ("/wsl/paths", test_wsl_paths);
  return g_test_run ();
}

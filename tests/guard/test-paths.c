/* Paths: how they are written, and who may do what with them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

#define P FAKE_PROJECT

static const struct
{
  const char *base, *path, *normal;
} normals[] = {
  { P, "a", P "/a" },
  { P, "./a/./b", P "/a/b" },
  { P, "a/../b", P "/b" },
  { P, "..", "/home/person" },
  { P, "../../../../..", "/" },
  { P, "/a//b/", "/a/b" },
  { P, "", P },
  { P, ".", P },
  { "/", "a", "/a" },
  { P, "a/..", P },
  { P, "...", P "/..." },
};

static const struct
{
  const char *path;
  GuardAccess access;
  const char *rules;
  const char *physical; /* NULL: none is given */
} checks[] = {
  { "src/a.c", GUARD_ACCESS_READ, "", P "/src/a.c" },
  { "src/../README.md", GUARD_ACCESS_READ, "", P "/README.md" },
  { P "/src", GUARD_ACCESS_READ, "", P "/src" },
  { P "2/a", GUARD_ACCESS_READ, "paths.outside", NULL },
  { "..", GUARD_ACCESS_READ, "paths.outside", NULL },
  { "/etc/passwd", GUARD_ACCESS_READ, "paths.outside", NULL },
  { "//etc//passwd", GUARD_ACCESS_READ, "paths.outside", NULL },
  { "/tmp/x", GUARD_ACCESS_WRITE, "paths.tmp", NULL },
  { "out/passwd", GUARD_ACCESS_READ, "paths.outside", NULL },
  { "in/a.c", GUARD_ACCESS_READ, "", P "/src/a.c" },
  { "in/../README.md", GUARD_ACCESS_READ, "", P "/README.md" },
  { "out", GUARD_ACCESS_DELETE, "", P "/out" },
  { "/dev/null", GUARD_ACCESS_WRITE, "", NULL },
  { "/dev/sda", GUARD_ACCESS_WRITE, "paths.outside", NULL },
  { "/dev/tcp/a/1", GUARD_ACCESS_WRITE, "remote.socket", NULL },
  { "new/file.txt", GUARD_ACCESS_WRITE, "", P "/new/file.txt" },
  { ".env", GUARD_ACCESS_READ, "secrets.file", NULL },
  { "src/.env/x", GUARD_ACCESS_READ, "secrets.file", NULL },
  { ".git/config", GUARD_ACCESS_READ, "", P "/.git/config" },
  { ".git/config", GUARD_ACCESS_WRITE, "paths.git", NULL },
  { ".git", GUARD_ACCESS_DELETE, "paths.git", NULL },
  { ".", GUARD_ACCESS_DELETE, "paths.loop-itself", NULL },
  { "src", GUARD_ACCESS_DELETE, "", P "/src" },
  { "web", GUARD_ACCESS_DELETE, "paths.other-loop", NULL },
  { "web/a.ts", GUARD_ACCESS_READ, "", P "/web/a.ts" },
  { "web/a.ts", GUARD_ACCESS_WRITE, "paths.other-loop", NULL },
  { "web/new", GUARD_ACCESS_MOVE, "paths.other-loop", NULL },
  { ".perfica/boards.json", GUARD_ACCESS_READ, "paths.app-folder", NULL },
  { ".perfica/outputs/1.txt", GUARD_ACCESS_READ, "", P "/.perfica/outputs/1.txt" },
  { ".perfica/outputs/1.txt", GUARD_ACCESS_WRITE, "paths.app-folder", NULL },
  { "twice.txt", GUARD_ACCESS_READ, "", P "/twice.txt" },
  { "twice.txt", GUARD_ACCESS_WRITE, "paths.hard-link", NULL },
  { "\001", GUARD_ACCESS_READ, "paths.unknown", NULL },
  { "src/\001", GUARD_ACCESS_READ, "paths.unknown", NULL },
  { "src/\002.c", GUARD_ACCESS_READ, "", P "/src/\002.c" },
  { "\004/x", GUARD_ACCESS_WRITE, "", NULL },
  { "\004/../x", GUARD_ACCESS_WRITE, "paths.outside", NULL },
  { "\006/x", GUARD_ACCESS_READ, "paths.outside", NULL },
  { "\003", GUARD_ACCESS_READ, "", NULL },
  { "src/\016.c", GUARD_ACCESS_WRITE, "", NULL },
  { "\016/a.ts", GUARD_ACCESS_WRITE, "paths.other-loop", NULL },
  { ".e\016", GUARD_ACCESS_READ, "secrets.file", NULL },
  { "/etc/\016", GUARD_ACCESS_READ, "paths.outside", NULL },
  { "\016/../x", GUARD_ACCESS_READ, "paths.outside", NULL },
};

static void
test_normal (void)
{
  g_autoptr (Unit) unit = unit_new (":");

  for (gsize i = 0; i < G_N_ELEMENTS (normals); i++)
    unit_assert (normals[i].path,
                 guard_path_normal (&unit->context, normals[i].base, normals[i].path),
                 normals[i].normal);
}

static void
test_inside (void)
{
  g_autoptr (Unit) unit = unit_new (":");

  g_assert_true (guard_path_inside (&unit->context, P, P));
  g_assert_true (guard_path_inside (&unit->context, P "/a", P));
  g_assert_true (guard_path_inside (&unit->context, "/a", "/"));
  g_assert_false (guard_path_inside (&unit->context, P "2", P));
  g_assert_false (guard_path_inside (&unit->context, "/home", P));
  g_assert_false (guard_path_inside (&unit->context, P "/WEB", P "/web"));
  unit->scope.case_insensitive = TRUE;
  g_assert_true (guard_path_inside (&unit->context, P "/WEB/a", P "/web"));
}

static void
test_looks (void)
{
  static const char *const yes[] = { "/", "/a", "~", "~/a", "..", "../a", "a/../b", "a/.." };
  static const char *const no[] = { "", "a", "a/b", "...", "..a", "a..b", "./a", "-" };

  for (gsize i = 0; i < G_N_ELEMENTS (yes); i++)
    g_assert_true (guard_path_looks (yes[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (no); i++)
    g_assert_false (guard_path_looks (no[i]));
}

static void
test_devices (void)
{
  static const char *const yes[] = { "/dev/null", "/dev/stdin", "/dev/stderr", "/dev/fd/3",
                                     "/dev/zero" };
  static const char *const no[] = { "/dev/tty",    "/dev/sda",      "/dev/fd/a",
                                    "/dev/null/x", "/dev/tcp/a/80", "/dev/nullx" };

  for (gsize i = 0; i < G_N_ELEMENTS (yes); i++)
    g_assert_true (guard_path_is_device (yes[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (no); i++)
    g_assert_false (guard_path_is_device (no[i]));
}

static void
test_checks (void)
{
  static const char *const loops[] = { "web", NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      g_autoptr (Unit) unit = unit_new (":");
      g_autofree char *shown = unit_shown (checks[i].path);
      g_autofree char *rules = NULL;
      const char *physical;

      unit->scope.loops = loops;
      physical = guard_path_check (&unit->context, &unit->state, checks[i].path,
                                   (GuardSpan){ 0, 1 }, checks[i].access);
      rules = unit_rules (unit);
      unit_assert (shown, rules, checks[i].rules);
      unit_assert (shown, physical != NULL ? physical : "none",
                   checks[i].physical != NULL ? checks[i].physical : "none");
    }
}

/* From another loop's folder, with and without the sandbox. */
static void
test_loops (void)
{
  static const char *const loops[] = { "src", NULL };
  static const struct
  {
    const char *path;
    GuardAccess access;
    gboolean sandbox;
    const char *rules;
  } lines[] = {
    { "a.ts", GUARD_ACCESS_WRITE, FALSE, "" },
    { "../README.md", GUARD_ACCESS_READ, FALSE, "paths.outside-loop" },
    { "../README.md", GUARD_ACCESS_READ, TRUE, "" },
    { "../README.md", GUARD_ACCESS_WRITE, TRUE, "paths.other-loop" },
    { "../src/a.c", GUARD_ACCESS_READ, TRUE, "" },
    { "../src/a.c", GUARD_ACCESS_DELETE, TRUE, "paths.other-loop" },
    { "../.perfica/outputs/1.txt", GUARD_ACCESS_READ, FALSE, "" },
    { "../.perfica/boards.json", GUARD_ACCESS_READ, TRUE, "paths.app-folder" },
    { "../..", GUARD_ACCESS_READ, TRUE, "paths.outside" },
    { ".", GUARD_ACCESS_DELETE, TRUE, "paths.loop-itself" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (Unit) unit = unit_new (":");
      g_autofree char *rules = NULL;

      unit->scope.loops = loops;
      unit->scope.sandbox = lines[i].sandbox;
      unit->context.loop_path = P "/web";
      unit->state.cwd = P "/web";
      guard_path_check (&unit->context, &unit->state, lines[i].path, (GuardSpan){ 0, 1 },
                        lines[i].access);
      rules = unit_rules (unit);
      unit_assert (lines[i].path, rules, lines[i].rules);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/paths/normal", test_normal);
  g_test_add_func ("/guard/paths/inside", test_inside);
  g_test_add_func ("/guard/paths/looks", test_looks);
  g_test_add_func ("/guard/paths/devices", test_devices);
  g_test_add_func ("/guard/paths/checks", test_checks);
  g_test_add_func ("/guard/paths/loops", test_loops);
  return g_test_run ();
}

/* The shell's state along a line: the folder it is in, and what names stand for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

#include <string.h>

/* The folder after the line, below the project; "?" where it isn't known. */
static const struct
{
  const char *line;
  const char *folder;
} folders[] = {
  { "ls", "" },
  { "cd src", "/src" },
  { "cd src && ls", "/src" },
  { "cd src; cd ..", "" },
  { "cd src && cd ../web", "/web" },
  { "cd ./src/.", "/src" },
  { "cd \"src\"", "/src" },
  { "d=src; cd $d", "/src" },
  { "cd $nobody", "?" },
  { "cd /etc", "?" },
  { "cd ..", "?" },
  { "cd", "?" },
  { "cd ~", "?" },
  { "cd in", "/src" },
  { "cd in && cd ..", "" },
  { "cd out", "?" },
  { "cd " FAKE_PROJECT "/web", "/web" },
  { "(cd src)", "" },
  { "(cd src; ls) && cd web", "/web" },
  { "{ cd src; }", "/src" },
  { "cd src | ls", "" },
  { "cd src || cd web", "/src" },
  { "ls || cd src", "" },
  { "cd src && cd -", "" },
  { "pushd src", "/src" },
  { "pushd src && popd", "" },
  { "f() { cd src; }; f", "/src" },
  { "cd src &", "" },
  { "x=$(cd src)", "" },
  { "cd -- src", "/src" },
  { "cd -P src", "/src" },
  { "cd \"$(git rev-parse --show-toplevel)\"", "" },
  { "cd \"$(pwd)/src\"", "/src" },
  { "cd new && ls", "/new" },
  { "mkdir -p new && cd new", "/new" },
};

static void
test_folders (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autoptr (Unit) unit = unit_new (folders[i].line);
      const char *cwd;

      guard_walk (&unit->context, &unit->state, guard_tree_get_root (unit->context.tree));
      cwd = unit->state.cwd;
      if (cwd != NULL && g_str_has_prefix (cwd, FAKE_PROJECT))
        cwd += strlen (FAKE_PROJECT);
      unit_assert (folders[i].line, cwd != NULL ? cwd : "?", folders[i].folder);
    }
}

/* Bindings are only added to: a copy keeps its own view. */
static void
test_bindings (void)
{
  g_autoptr (Unit) unit = unit_new (":");
  GuardState copy;

  g_assert_null (guard_state_lookup (&unit->state, "x"));
  guard_state_set (&unit->context, &unit->state, "x", "a", FALSE);
  copy = unit->state;
  guard_state_set (&unit->context, &unit->state, "x", "b", FALSE);
  guard_state_set (&unit->context, &copy, "y", "c", FALSE);
  g_assert_cmpstr (guard_state_lookup (&unit->state, "x")->value, ==, "b");
  g_assert_cmpstr (guard_state_lookup (&copy, "x")->value, ==, "a");
  g_assert_null (guard_state_lookup (&unit->state, "y"));
  g_assert_cmpstr (guard_state_lookup (&copy, "y")->value, ==, "c");
  guard_state_set (&unit->context, &unit->state, "x", NULL, FALSE);
  g_assert_null (guard_state_lookup (&unit->state, "x")->value);
}

static void
test_bound (void)
{
  g_autoptr (Unit) unit = unit_new (":");

  for (guint i = 0; i < GUARD_MAX_BINDINGS; i++)
    {
      g_autofree char *name = g_strdup_printf ("v%u", i);

      guard_state_set (&unit->context, &unit->state, name, "x", FALSE);
    }
  g_assert_false (unit->context.exhausted);
  guard_state_set (&unit->context, &unit->state, "one_more", "x", FALSE);
  g_assert_true (unit->context.exhausted);
}

/* `IFS=, read` says how a line is split, so its words may be any part of it. */
static void
test_read (void)
{
  static const char *const lines[][3] = {
    { "read x <<< v", "x", "v" },
    { "IFS= read -r x <<< v", "x", "v" },
    { "IFS=, read -r x <<< v", "x", "\001" },
    { "read x y <<< 'a b'", "y", "\001" },
    { "git ls-files | while read -r f; do :; done; x=1", "x", "1" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (Unit) unit = unit_new (lines[i][0]);
      const GuardBinding *binding;
      g_autofree char *rules = NULL;

      guard_walk (&unit->context, &unit->state, guard_tree_get_root (unit->context.tree));
      binding = guard_state_lookup (&unit->state, lines[i][1]);
      g_assert_nonnull (binding);
      rules = unit_rules (unit);
      unit_assert (lines[i][0], binding->value, lines[i][2]);
      unit_assert (lines[i][0], rules, "");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/state/folders", test_folders);
  g_test_add_func ("/guard/state/bindings", test_bindings);
  g_test_add_func ("/guard/state/bound", test_bound);
  g_test_add_func ("/guard/state/read", test_read);
  return g_test_run ();
}

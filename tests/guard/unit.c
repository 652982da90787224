/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <string.h>

Unit *
unit_new (const char *text)
{
  Unit *unit = g_new0 (Unit, 1);

  unit->fake = fake_files_new ();
  fake_files_add (unit->fake, ".git/config", "[core]\n");
  fake_files_add (unit->fake, "src/a.c", "x");
  fake_files_add (unit->fake, "src/b.c", "x");
  fake_files_add (unit->fake, "web/a.ts", "x");
  fake_files_add (unit->fake, "README.md", "x");
  fake_files_add (unit->fake, ".env", "A=1");
  fake_files_add (unit->fake, ".perfica/boards.json", "{}");
  fake_files_add (unit->fake, ".perfica/outputs/1.txt", "x");
  fake_files_add_link (unit->fake, "out", "/etc");
  fake_files_add_link (unit->fake, "in", "src");
  fake_files_add (unit->fake, "twice.txt", "x");
  fake_files_set_links (unit->fake, "twice.txt", 2);
  unit->scope.project = FAKE_PROJECT;
  unit->scope.loop = ".";
  unit->scope.folder = ".";
  unit->scope.app_folder = ".perfica";
  unit->scope.home = "/home/person";
  unit->scope.bash_available = TRUE;
  guard_context_init (&unit->context, &unit->scope, &unit->fake->files);
  unit->context.tree = guard_tree_read (text, strlen (text));
  unit->context.text = guard_tree_get_text (unit->context.tree);
  g_assert_null (guard_tree_get_error (unit->context.tree));
  guard_state_init (&unit->context, &unit->state, FAKE_PROJECT);
  return unit;
}

void
unit_free (Unit *unit)
{
  g_ptr_array_unref (unit->context.findings);
  guard_context_clear (&unit->context);
  fake_files_free (unit->fake);
  g_free (unit);
}

GuardNode *
unit_last (Unit *unit)
{
  GuardNode *root = guard_tree_get_root (unit->context.tree);

  if (root->type != GUARD_NODE_LIST)
    return root;
  for (guint i = 0; i + 1 < root->n_children; i++)
    guard_walk (&unit->context, &unit->state, root->children[i]);
  return root->children[root->n_children - 1];
}

GArray *
unit_args (Unit *unit, const GuardNode *node)
{
  GArray *args = g_array_new (FALSE, FALSE, sizeof (GuardArg));

  g_assert_cmpint (node->type, ==, GUARD_NODE_SIMPLE);
  for (guint i = 0; i < node->n_words; i++)
    guard_value_fields (&unit->context, &unit->state, node->words[i], args);
  return args;
}

char *
unit_rules (const Unit *unit)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < unit->context.findings->len; i++)
    {
      const char *rule = ((GuardFinding *) unit->context.findings->pdata[i])->rule;
      g_auto (GStrv) before = g_strsplit (out->str, " ", -1);

      if (!g_strv_contains ((const char *const *) before, rule))
        g_string_append_printf (out, "%s%s", out->len > 0 ? " " : "", rule);
    }
  return g_string_free (out, FALSE);
}

char *
unit_shown (const char *text)
{
  static const char *const names[] = { "",          "<unknown>", "<word>", "<inside>",
                                       "<scratch>", "<flags>",   "<home>", "<mktemp>" };
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    if ((guchar) *p < G_N_ELEMENTS (names))
      g_string_append (out, names[(guchar) *p]);
    else if (*p == GLOB_STAR || *p == GLOB_ONE)
      g_string_append (out, *p == GLOB_STAR ? "<*>" : "<?>");
    else if (*p == GLOB_SET || *p == GLOB_SET_END)
      g_string_append (out, *p == GLOB_SET ? "<[" : "]>");
    else if ((guchar) *p < 0x20 && *p != '\t' && *p != '\n')
      g_string_append_printf (out, "<%d>", *p);
    else
      g_string_append_c (out, *p);
  return g_string_free (out, FALSE);
}

void
unit_assert (const char *line, const char *got, const char *expected)
{
  if (strcmp (got, expected) != 0)
    {
      g_test_message ("%s\n    got      %s\n    expected %s", line, got, expected);
      g_test_fail ();
    }
}

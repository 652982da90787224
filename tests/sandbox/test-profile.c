/* The macOS profile, read by its rules: which operation on which path would be let through.
 *
 * A small reader of the profile language: (allow|deny OPERATION… FILTER…), the last match wins.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "test-tree.h"
#include "sandbox-backend.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

/* A word or a list; a quoted word has its quote before it. */
typedef struct Node
{
  char *word;
  GPtrArray *list;
} Node;

static void
node_free (gpointer data)
{
  Node *node = data;

  g_free (node->word);
  g_clear_pointer (&node->list, g_ptr_array_unref);
  g_free (node);
}

static GPtrArray *
read_list (const char **at)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (node_free);

  for (;;)
    {
      Node *node;
      gsize length;

      *at += strspn (*at, " \n");
      if (**at == '\0' || **at == ')')
        return list;
      node = g_new0 (Node, 1);
      g_ptr_array_add (list, node);
      if (**at == '(')
        {
          (*at)++;
          node->list = read_list (at);
          g_assert_cmpint (**at, ==, ')');
          (*at)++;
          continue;
        }
      length = **at == '"' ? strcspn (*at + 1, "\"") + 1 : strcspn (*at, " \n()");
      node->word = g_strndup (*at, length);
      *at += length + (**at == '"' ? 1 : 0);
    }
}

static const Node *
nth (const GPtrArray *list, guint at)
{
  return at < list->len ? g_ptr_array_index (list, at) : NULL;
}

typedef struct
{
  char *top;
  SandboxPolicy *policy;
  SandboxPlan *plan;
  GPtrArray *rules;
  GHashTable *params;
} Fixture;

static const char *
value_of (Fixture *fixture, const Node *node)
{
  const char *value;

  if (node->word != NULL)
    {
      g_assert_cmpint (node->word[0], ==, '"');
      return node->word + 1;
    }
  g_assert_cmpstr (nth (node->list, 0)->word, ==, "param");
  value = g_hash_table_lookup (fixture->params, nth (node->list, 1)->word + 1);
  g_assert_nonnull (value);
  return value;
}

static gboolean
filter_fits (Fixture *fixture, const GPtrArray *filter, const char *path)
{
  const char *kind = nth (filter, 0)->word;

  if (g_str_equal (kind, "literal"))
    return g_strcmp0 (value_of (fixture, nth (filter, 1)), path) == 0;
  if (g_str_equal (kind, "subpath"))
    return path != NULL && sandbox_path_is_inside (path, value_of (fixture, nth (filter, 1)));
  /* Of processes and services: none of the questions here. */
  g_assert_true (g_str_equal (kind, "target") || g_str_equal (kind, "global-name"));
  return FALSE;
}

static gboolean
operation_fits (const char *rule, const char *operation)
{
  gsize length = strlen (rule);

  if (g_str_equal (rule, "default"))
    return TRUE;
  return rule[length - 1] == '*' ? strncmp (rule, operation, length - 1) == 0
                                 : g_str_equal (rule, operation);
}

static gboolean
is_allowed (Fixture *fixture, const char *operation, const char *path)
{
  gboolean allowed = FALSE;

  for (guint i = 0; i < fixture->rules->len; i++)
    {
      const GPtrArray *rule = nth (fixture->rules, i)->list;
      const char *verb = nth (rule, 0)->word;
      gboolean operates = FALSE;
      gboolean filtered = FALSE;
      gboolean fits = FALSE;

      if (g_str_equal (verb, "version"))
        continue;
      for (guint j = 1; j < rule->len; j++)
        if (nth (rule, j)->word != NULL)
          operates = operates || operation_fits (nth (rule, j)->word, operation);
        else
          {
            filtered = TRUE;
            fits = fits || filter_fits (fixture, nth (rule, j)->list, path);
          }
      if (operates && (!filtered || fits))
        allowed = g_str_equal (verb, "allow");
    }
  return allowed;
}

/* ---- A project ---- */

static void
read_plan (Fixture *fixture)
{
  const char *at = fixture->plan->argv[2];

  g_assert_cmpstr (fixture->plan->argv[0], ==, "/usr/bin/sandbox-exec");
  g_assert_cmpstr (fixture->plan->argv[1], ==, "-p");
  fixture->rules = read_list (&at);
  g_assert_cmpint (*at, ==, '\0');
  fixture->params = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 3; i + 1 < fixture->plan->command_index; i += 2)
    {
      const char *equals = strchr (fixture->plan->argv[i + 1], '=');

      g_assert_cmpstr (fixture->plan->argv[i], ==, "-D");
      g_hash_table_insert (fixture->params,
                           g_strndup (fixture->plan->argv[i + 1],
                                      equals - fixture->plan->argv[i + 1]),
                           g_strdup (equals + 1));
    }
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  static const char *const files[] = {
    "home/.ssh/id",
    "home/.cargo/bin/tool",
    "home/.gitconfig",
    "project/README",
    "project/web/api/code",
    "project/web/x/y/code",
    "project/web/.git/HEAD",
    "project/web/.git/config",
    "project/web/.git/hooks/a",
    "project/.perfica/a.log",
    "project/web/packages/one",
    "visible/file",
    "tmpdir/file",
  };
  const char *argv[] = { "make", "test", NULL };
  g_autofree char *made = g_dir_make_tmp ("perfica-profile-XXXXXX", NULL);
  g_autofree char *project = NULL;
  g_autofree char *own = NULL;
  char **protect = g_new0 (char *, 3);
  char **visible = g_new0 (char *, 2);
  g_autoptr (GError) error = NULL;

  fixture->top = realpath (made, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    make_file (fixture->top, files[i]);
  project = g_build_filename (fixture->top, "project", NULL);
  own = g_build_filename (project, "web", NULL);
  protect[0] = g_build_filename (own, "api", NULL);
  protect[1] = g_build_filename (own, "x/y", NULL);
  visible[0] = g_build_filename (fixture->top, "visible", NULL);
  fixture->policy = sandbox_policy_new (project, own);
  g_free (fixture->policy->home);
  fixture->policy->home = g_build_filename (fixture->top, "home", NULL);
  fixture->policy->tmpdir = g_build_filename (fixture->top, "tmpdir", NULL);
  g_strfreev (fixture->policy->protected_paths);
  fixture->policy->protected_paths = protect;
  g_strfreev (fixture->policy->visible);
  fixture->policy->visible = visible;
  fixture->plan =
      sandbox_plan_new (SANDBOX_BACKEND_SANDBOX_EXEC, fixture->policy, NULL, argv, &error);
  g_assert_no_error (error);
  read_plan (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_hash_table_unref (fixture->params);
  g_ptr_array_unref (fixture->rules);
  sandbox_plan_free (fixture->plan);
  sandbox_policy_free (fixture->policy);
  remove_tree (fixture->top);
  free (fixture->top);
}

/* ---- Questions ---- */

static const struct
{
  gboolean allowed;
  const char *operation;
  const char *path; /* "@/": in the fixture */
} questions[] = {
  { TRUE, "process-exec", "/bin/ls" },
  { TRUE, "process-fork", NULL },
  { TRUE, "file-read-data", "/usr/lib/libSystem.dylib" },
  { TRUE, "file-read-data", "/private/etc/hosts" },
  { TRUE, "file-read-metadata", "/Users/somebody/x" },
  { TRUE, "file-read-data", "@/project/README" },
  { TRUE, "file-read-data", "@/project/.perfica/a.log" },
  { TRUE, "file-read-data", "@/project/web/api/code" },
  { TRUE, "file-read-data", "@/home/.cargo/bin/tool" },
  { TRUE, "file-read-data", "@/home/.gitconfig" },
  { TRUE, "file-read-data", "@/visible/file" },
  { TRUE, "file-write-data", "@/project/web/new" },
  { TRUE, "file-write-create", "@/project/web/packages/new" },
  { TRUE, "file-write-unlink", "@/project/web/packages" },
  { TRUE, "file-write-create", "@/project/web/x/beside" },
  { TRUE, "file-write-create", "@/project/web/.git/objects" },
  { TRUE, "file-write-create", "@/tmpdir/x" },
  { TRUE, "file-write-data", "/dev/null" },

  { FALSE, "file-read-data", "@/home/.ssh/id" },
  { FALSE, "file-read-data", "@/home/.netrc" },
  { FALSE, "file-read-data", "@/elsewhere" },
  { FALSE, "file-read-data", "/Users/somebody/x" },
  { FALSE, "file-read-data", "/private/var/root/x" },
  { FALSE, "file-read-data", "/Library/Keychains/System.keychain" },
  { FALSE, "file-write-data", "@/project/README" },
  { FALSE, "file-write-create", "@/project/new" },
  { FALSE, "file-write-create", "@/project/web2" },
  { FALSE, "file-write-data", "@/project/.perfica/a.log" },
  { FALSE, "file-write-data", "@/home/.gitconfig" },
  { FALSE, "file-write-create", "@/home/.cargo/bin/new" },
  { FALSE, "file-write-data", "@/visible/file" },
  { FALSE, "file-write-data", "/usr/local/bin/x" },
  { FALSE, "file-write-create", "/private/tmp/x" },
  { FALSE, "file-write-data", "@/project/web/api/code" },
  { FALSE, "file-write-create", "@/project/web/api/new" },
  { FALSE, "file-write-unlink", "@/project/web/api" },
  { FALSE, "file-write-mode", "@/project/web/api/code" },
  { FALSE, "file-write-xattr", "@/project/web/x/y/code" },
  { FALSE, "file-write-unlink", "@/project/web/x/y" },
  { FALSE, "file-write-unlink", "@/project/web/x" },
  { FALSE, "file-write-create", "@/project/web/x" },
  { FALSE, "file-write-unlink", "@/project/web" },
  { FALSE, "file-write-create", "@/project/web" },
  { FALSE, "file-write-data", "@/project/web/.git/config" },
  { FALSE, "file-write-create", "@/project/web/.git/hooks/new" },
  { FALSE, "file-write-unlink", "@/project/web/.git" },
  { FALSE, "file-write-create", "@/project/web/.git/commondir" },
  { FALSE, "file-write-create", "@/project/web/.git/config.worktree" },
  { FALSE, "network-outbound", "/private/var/run/docker.sock" },
  { FALSE, "network-outbound", "@/project/web/socket" },
  { FALSE, "network-bind", NULL },
  { FALSE, "network-inbound", NULL },
  { FALSE, "system-socket", NULL },
  { FALSE, "mach-lookup", NULL },
  { FALSE, "mach-register", NULL },
  { FALSE, "process-exec-interpreter", NULL },
  { FALSE, "job-creation", NULL },
  { FALSE, "appleevent-send", NULL },
  { FALSE, "user-preference-read", NULL },
  { FALSE, "iokit-open", NULL },
};

static void
test_questions (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    {
      g_autofree char *path = questions[i].path != NULL && questions[i].path[0] == '@'
                                  ? g_strconcat (fixture->top, questions[i].path + 1, NULL)
                                  : g_strdup (questions[i].path);

      if (is_allowed (fixture, questions[i].operation, path) != questions[i].allowed)
        {
          g_test_message ("%s %s", questions[i].operation, questions[i].path);
          g_test_fail ();
        }
    }
}

/* A path is a value beside the profile, never text in it. */
static void
test_words (Fixture *fixture, gconstpointer data)
{
  guint at = fixture->plan->command_index;

  g_assert_null (strstr (fixture->plan->argv[2], fixture->top));
  g_assert_cmpstr (fixture->plan->argv[at - 1], ==, "--");
  g_assert_cmpstr (fixture->plan->argv[at], ==, "make");
  g_assert_cmpstr (fixture->plan->argv[at + 1], ==, "test");
  g_assert_null (fixture->plan->argv[at + 2]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/profile/questions", Fixture, NULL, set_up, test_questions, tear_down);
  g_test_add ("/profile/words", Fixture, NULL, set_up, test_words, tear_down);
  return g_test_run ();
}

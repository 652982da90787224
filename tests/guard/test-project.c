/* What a project's files say would run.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-project.h"

#include "fake-files.h"
#include "guard-json.h"
#include "guard.h"

#include <string.h>

/* Files, a runner with its words, and what must come out, in order; "|" between bodies. */
typedef struct
{
  const char *name;
  const char *files[6]; /* path, text, path, text … */
  const char *runner;
  const char *line;
  const char *expected;
} Case;

#define MAKE(text)                                                                                 \
  {                                                                                                \
    "Makefile", text                                                                               \
  }
#define PACKAGE(text)                                                                              \
  {                                                                                                \
    "package.json", text                                                                           \
  }

static const Case cases[] = {
  { "npm-run", PACKAGE ("{\"scripts\":{\"clean\":\"rm -rf dist\"}}"), "npm", "npm run clean",
    "rm -rf dist" },
  { "npm-absent", PACKAGE ("{\"scripts\":{}}"), "npm", "npm run clean", "" },
  { "npm-hooks", PACKAGE ("{\"scripts\":{\"prea\":\"1\",\"a\":\"2\",\"posta\":\"3\"}}"), "npm",
    "npm run a", "1|2|3" },
  { "npm-test", PACKAGE ("{\"scripts\":{\"test\":\"vitest\"}}"), "npm", "npm test -- --watch",
    "vitest '--watch'" },
  { "npm-lifecycle", PACKAGE ("{\"scripts\":{\"prepare\":\"p\",\"preinstall\":\"i\"}}"), "npm",
    "npm install", "i|p" },
  { "npm-lifecycle-package", PACKAGE ("{\"scripts\":{\"preinstall\":\"i\"}}"), "npm",
    "npm install react", "" },
  { "npm-no-scripts", PACKAGE ("{\"scripts\":{\"preinstall\":\"i\"}}"), "npm",
    "npm ci --ignore-scripts", "" },
  { "npm-prefix",
    { "web/package.json", "{\"scripts\":{\"a\":\"x\"}}" },
    "npm",
    "npm --prefix web run a",
    "x" },
  { "npm-workspace",
    { "package.json", "{\"workspaces\":[\"packages/*\"]}", "packages/a/package.json",
      "{\"name\":\"@x/a\",\"scripts\":{\"b\":\"y\"}}" },
    "npm",
    "npm run b -w @x/a",
    "y" },
  { "npm-workspaces",
    { "package.json", "{\"workspaces\":[\"packages/*\"]}", "packages/a/package.json",
      "{\"scripts\":{\"b\":\"y\"}}", "packages/c/package.json", "{\"scripts\":{\"b\":\"z\"}}" },
    "npm",
    "npm run b --workspaces",
    "y|z" },
  { "npm-start-default",
    { "package.json", "{}", "server.js", "1" },
    "npm",
    "npm start",
    "node server.js" },
  { "yarn-bare", PACKAGE ("{\"scripts\":{\"lint\":\"eslint .\"}}"), "yarn", "yarn lint --fix",
    "eslint . '--fix'" },
  { "yarn-own-word", PACKAGE ("{\"scripts\":{\"add\":\"x\"}}"), "yarn", "yarn add", "" },
  { "yarn-install", PACKAGE ("{\"scripts\":{\"postinstall\":\"x\"}}"), "yarn", "yarn", "x" },
  { "yarn-workspace",
    { "package.json", "{\"workspaces\":{\"packages\":[\"p/*\"]}}", "p/a/package.json",
      "{\"name\":\"a\",\"scripts\":{\"b\":\"y\"}}" },
    "yarn",
    "yarn workspace a run b",
    "y" },
  { "pnpm-filter",
    { "pnpm-workspace.yaml", "packages:\n  - 'apps/*'\n", "apps/web/package.json",
      "{\"name\":\"web\",\"scripts\":{\"dev\":\"vite\"}}" },
    "pnpm",
    "pnpm --filter web dev",
    "vite" },
  { "bun-file", { "a.ts", "console.log(1)" }, "bun", "bun run a.ts", "console.log(1)" },
  { "node-run", PACKAGE ("{\"scripts\":{\"a\":\"x\"}}"), "node-run", "node --run a", "x" },
  { "turbo",
    { "package.json", "{\"workspaces\":[\"p/*\"]}", "p/a/package.json",
      "{\"scripts\":{\"build\":\"y\"}}" },
    "workspaces",
    "turbo run build",
    "y" },
  { "run-s", PACKAGE ("{\"scripts\":{\"lint:a\":\"x\",\"lint:b\":\"y\",\"c\":\"z\"}}"), "run-all",
    "run-s lint:*", "x|y" },
  { "make-target", MAKE ("all: a\na:\n\tcc a.c\nclean:\n\t-@rm -f *.o\n"), "make", "make clean",
    "rm -f *.o" },
  { "make-default", MAKE ("all: a\na:\n\tcc a.c\nclean:\n\trm x\n"), "make", "make", "cc a.c" },
  { "make-variable", MAKE ("B := out\nD = $(B)/x\nclean:\n\trm -rf $(D) ${B}\n"), "make",
    "make clean", "rm -rf out/x out" },
  { "make-override", MAKE ("B := out\nclean:\n\trm -rf $(B)\n"), "make", "make clean B=/",
    "rm -rf /" },
  { "make-unknown", MAKE ("clean:\n\trm -rf $(B)\n"), "make", "make clean", "rm -rf ${B}" },
  { "make-shell", MAKE ("X := $(shell id)\nx:\n\techo hi\n"), "make", "make x", "id|echo hi" },
  { "make-dry", MAKE ("x:\n\trm a\n"), "make", "make -n x", "" },
  { "make-folder", { "sub/Makefile", "x:\n\ty\n" }, "make", "make -C sub x", "y" },
  { "make-file", { "a.mk", "x:\n\ty\n" }, "make", "make -f a.mk", "y" },
  { "make-include", { "Makefile", "include b.mk\n", "b.mk", "x:\n\ty\n" }, "make", "make x", "y" },
  { "make-eval", MAKE ("x:\n\ty\n"), "make", "make --eval=$(shell\\ id) x", "id|y" },
  { "make-pattern", MAKE ("all: a.o\n%.o: %.c\n\tcc -c $<\n"), "make", "make", "cc -c %.c" },
  { "make-dollars", MAKE ("x:\n\tfor i in a; do echo $$i; done\n"), "make", "make",
    "for i in a; do echo $i; done" },
  { "make-continued", MAKE ("x:\n\ta && \\\n\tb\n"), "make", "make", "a && \\\nb" },
  { "make-condition", MAKE ("ifeq ($(A),1)\nX = a\nelse\nX = b\nendif\nx:\n\t$(X)\n"), "make",
    "make x", "b" },
  { "make-loop", MAKE ("A = $(B)\nB = $(A)\nx:\n\t$(A)\n"), "make", "make", "" },
  { "just",
    { "justfile", "v := 'out'\nbuild: dep\n  cargo build {{v}}\ndep:\n  @echo hi\n" },
    "just",
    "just build",
    "echo hi|cargo build out" },
  { "just-alias", { "justfile", "alias b := build\nbuild:\n  x\n" }, "just", "just b", "x" },
  { "just-script",
    { "justfile", "a:\n  #!/usr/bin/env python3\n  print(1)\n" },
    "just",
    "just",
    "#!/usr/bin/env python3\nprint(1)\n" },
  { "just-list", { "justfile", "a:\n  x\n" }, "just", "just --list", "" },
  { "task",
    { "Taskfile.yml", "version: '3'\ntasks:\n  lint:\n    cmds:\n      - golangci-lint run\n      "
                      "- task: b\n  b: echo b\n" },
    "task",
    "task lint",
    "echo b|golangci-lint run" },
  { "task-block",
    { "Taskfile.yml", "version: '3'\ntasks:\n  a:\n    deps: [b]\n    cmds:\n      - |\n        "
                      "x\n        y\n  b:\n    cmd: z\n" },
    "task",
    "task a",
    "z|x\ny\n" },
  { "composer",
    { "composer.json", "{\"scripts\":{\"test\":[\"@lint\",\"phpunit\"],\"lint\":\"phpcs\"}}" },
    "composer",
    "composer test",
    "phpcs|phpunit" },
  { "composer-install",
    { "composer.json",
      "{\"scripts\":{\"post-install-cmd\":\"X::y\",\"pre-install-cmd\":\"a b\"}}" },
    "composer",
    "composer install",
    "a b" },
  { "deno",
    { "deno.jsonc", "{ // tasks\n \"tasks\": { \"a\": \"deno lint\", }, }" },
    "deno",
    "deno task a",
    "deno lint" },
  { "git-alias",
    { ".git/config", "[alias]\n\tst = status -sb\n" },
    "git-alias",
    "st -v",
    "git status -sb '-v'" },
  { "git-alias-shell",
    { ".git/config", "[alias]\n\tx = \"!rm -rf /\" # c\n" },
    "git-alias",
    "x",
    "rm -rf /" },
  { "script", { "tools/x.py", "print(1)" }, "script", "tools/x.py", "print(1)" },
};

static void
test_bodies (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (FakeFiles) fake = fake_files_new ();
  g_autoptr (GuardProject) project = NULL;
  g_autoptr (GPtrArray) bodies = NULL;
  g_auto (GStrv) argv = NULL;
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (test->files) && test->files[i]; i += 2)
    fake_files_add (fake, test->files[i], test->files[i + 1]);
  g_assert_true (g_shell_parse_argv (test->line, NULL, &argv, NULL));

  project = guard_project_new (&fake->files, FAKE_PROJECT);
  bodies = guard_project_bodies (project, test->runner, (const char *const *) argv,
                                 g_strv_length (argv), FAKE_PROJECT);
  for (guint i = 0; i < bodies->len; i++)
    {
      GuardBody *body = g_ptr_array_index (bodies, i);

      g_string_append_printf (found, "%s%s", i ? "|" : "", body->text);
      g_assert_cmpuint (strlen (body->text), ==, body->length);
    }
  g_assert_cmpstr (found->str, ==, test->expected);
}

static void
test_languages (void)
{
  static const struct
  {
    const char *path;
    const char *text;
    GuardLanguage language;
  } languages[] = {
    { "a", "#!/bin/sh\n", GUARD_LANGUAGE_SHELL },
    { "a.py", "#!/bin/bash\n", GUARD_LANGUAGE_SHELL },
    { "a", "#!/usr/bin/env python3\n", GUARD_LANGUAGE_PYTHON },
    { "a", "#!/usr/bin/env -S node --x\n", GUARD_LANGUAGE_JAVASCRIPT },
    { "a", "#!/usr/bin/python3.12", GUARD_LANGUAGE_PYTHON },
    { "a", "#!/usr/bin/fish\n", GUARD_LANGUAGE_OTHER },
    { "a.rb", "puts 1", GUARD_LANGUAGE_RUBY },
    { "a", "echo hi", GUARD_LANGUAGE_SHELL },
    { "a", "#!", GUARD_LANGUAGE_OTHER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    g_assert_cmpint (guard_project_language (languages[i].path, languages[i].text,
                                             strlen (languages[i].text)),
                     ==, languages[i].language);
  g_assert_cmpint (guard_project_language ("a", "\177ELF\0x", 6), ==, GUARD_LANGUAGE_BINARY);
}

static void
test_pins (void)
{
  g_autoptr (FakeFiles) fake = fake_files_new ();
  g_autoptr (GuardProject) project = guard_project_new (&fake->files, FAKE_PROJECT);
  g_autoptr (GPtrArray) pins = NULL;
  gsize length;

  fake_files_add (fake, "a", "abc");
  g_assert_cmpstr (guard_project_read (project, FAKE_PROJECT "/a", &length, NULL), ==, "abc");
  g_assert_null (guard_project_read (project, FAKE_PROJECT "/b", &length, NULL));
  g_assert_null (guard_project_read (project, "/etc/passwd", &length, NULL));
  g_assert_null (guard_project_read (project, FAKE_PROJECT "-other/a", &length, NULL));
  pins = guard_project_get_pins (project);
  g_assert_cmpuint (pins->len, ==, 2);
  g_assert_cmpstr (pins->pdata[0], ==,
                   FAKE_PROJECT "/a\t"
                                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  g_assert_cmpstr (pins->pdata[1], ==, FAKE_PROJECT "/b\t-");
}

static void
test_limits (void)
{
  g_autoptr (FakeFiles) fake = fake_files_new ();
  g_autoptr (GuardProject) project = guard_project_new (&fake->files, FAKE_PROJECT);
  g_autofree char *big = g_strnfill (GUARD_MAX_FILE_SIZE + 10, 'x');
  gsize length;
  gboolean truncated;

  fake_files_add (fake, "big", big);
  guard_project_read (project, FAKE_PROJECT "/big", &length, &truncated);
  g_assert_cmpuint (length, ==, GUARD_MAX_FILE_SIZE);
  g_assert_true (truncated);
  for (guint i = 1; i < GUARD_MAX_FILES; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%u", i);
      g_autofree char *path = g_build_filename (FAKE_PROJECT, name, NULL);

      fake_files_add (fake, name, "x");
      g_assert_nonnull (guard_project_read (project, path, &length, NULL));
    }
  g_assert_false (guard_project_get_exceeded (project));
  fake_files_add (fake, "last", "x");
  g_assert_null (guard_project_read (project, FAKE_PROJECT "/last", &length, NULL));
  g_assert_true (guard_project_get_exceeded (project));
}

static void
test_json (void)
{
  static const char *const good[] = { "{}", " [1, -2.5e3, true, null, \"a\\u00e9\\n\"] ",
                                      "\xef\xbb\xbf{\"a\":{\"b\":[]}}" };
  static const char *const bad[] = { "",         "{",       "{\"a\" 1}",   "[1,]",
                                     "{'a':1}",  "01",      "\"\\u0000\"", "\"\\ud800\"",
                                     "\"\n\"",   "{} x",    "nul",         "[1 2]",
                                     "// c\n{}", "\"\\x\"", "-",           "1." };
  g_autofree char *deep = g_strnfill (GUARD_JSON_MAX_NESTING + 1, '[');
  g_autoptr (GuardJson) json = NULL;
  const char twice[] = "{\"a\":\"1\",\"a\":\"2\"}";

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GuardJson) read = guard_json_read (good[i], strlen (good[i]), FALSE);

      g_assert_nonnull (read);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_null (guard_json_read (bad[i], strlen (bad[i]), FALSE));
  g_assert_null (guard_json_read (deep, strlen (deep), FALSE));
  json = guard_json_read (twice, strlen (twice), FALSE);
  g_assert_cmpstr (guard_json_string (guard_json_get_root (json), "a"), ==, "2");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/guard/project/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_bodies);
    }
  g_test_add_func ("/guard/project/languages", test_languages);
  g_test_add_func ("/guard/project/pins", test_pins);
  g_test_add_func ("/guard/project/limits", test_limits);
  g_test_add_func ("/guard/project/json", test_json);
  return g_test_run ();
}

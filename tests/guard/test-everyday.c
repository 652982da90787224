/* What agents and developers run all day: none of it refused, asked only where the rules ask; and
 * lines of our own about what was uncertain. Each line: the answer, a tab, the command; with a `!`
 * behind the answer the command's C escapes are undone.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fake-files.h"
#include "guard.h"

#include <string.h>

/* An ordinary project: what its scripts and targets say is read too. */
static void
add_project (FakeFiles *fake)
{
  fake_files_add (fake, ".git/config", "[remote \"origin\"]\n\turl = https://github.com/x/y\n");
  fake_files_add (fake, ".git/HEAD", "ref: refs/heads/main\n");
  fake_files_add (fake, ".env", "TOKEN=x\n");
  fake_files_add (fake, ".env.example", "TOKEN=\n");
  fake_files_add (fake, "src/main.c", "int main (void) { return 0; }\n");
  fake_files_add (fake, "package.json",
                  "{\"name\":\"app\",\"workspaces\":[\"web\"],\"scripts\":{"
                  "\"dev\":\"vite\",\"start\":\"node server.js\","
                  "\"build\":\"tsc -p . && vite build\",\"test\":\"jest\","
                  "\"lint\":\"eslint . --ext .ts,.tsx\",\"typecheck\":\"tsc --noEmit\","
                  "\"e2e\":\"playwright test\",\"format\":\"prettier --write .\","
                  "\"clean\":\"rimraf dist coverage\",\"test:unit\":\"jest unit\"}}");
  fake_files_add (fake, "web/package.json",
                  "{\"name\":\"web\",\"scripts\":{\"build\":\"vite build\",\"dev\":\"vite\"}}");
  fake_files_add (fake, "packages/ui/package.json",
                  "{\"name\":\"ui\",\"scripts\":{\"test\":\"vitest\"}}");
  fake_files_add (fake, "Makefile",
                  "CC ?= gcc\nall: build/app\nbuild/app: src/main.c\n\t@mkdir -p build\n"
                  "\t$(CC) $(CFLAGS) -o $@ $<\nbuild: all\ntest check: all\n\t./build/app\n"
                  "lint:\n\tclang-tidy src/*.c\nclean:\n\trm -rf build\nlinux mac: all\n"
                  "install: all\n\tinstall -D build/app $(DESTDIR)$(PREFIX)/bin/app\n"
                  "serve:\n\tpython3 -m http.server\n");
  fake_files_add (fake, "configure", "#!/bin/sh\necho checking...\n");
  fake_files_add (fake, "gradlew", "#!/bin/sh\nexec java -jar gradle/wrapper.jar \"$@\"\n");
  fake_files_add (fake, "mvnw", "#!/bin/sh\nexec java -jar .mvn/wrapper.jar \"$@\"\n");
  fake_files_add (fake, "build/app", "#!/bin/sh\n");
  fake_files_add (fake, "scripts/build.js", "console.log('built');\n");
  fake_files_add (fake, "manage.py",
                  "import sys\nfrom django.core import management\n"
                  "management.execute_from_command_line(sys.argv)\n");
  fake_files_add (fake, "bin/rails", "#!/usr/bin/env ruby\nrequire 'rails/commands'\n");
}

typedef struct
{
  const char *name;
  guint lines; /* at least */
} LinesFile;

static const LinesFile everyday = { "everyday.txt", 1050 };
static const LinesFile own = { "own.txt", 400 };

static void
test_lines (gconstpointer data)
{
  const LinesFile *file = data;
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "corpus", file->name, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (FakeFiles) fake = fake_files_new ();
  GuardScope scope = { .project = FAKE_PROJECT,
                       .loop = ".",
                       .folder = ".",
                       .app_folder = ".perfica",
                       .home = "/home/person",
                       .bash_available = TRUE };
  guint wrong = 0;
  guint count = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  add_project (fake);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *command = strchr (lines[i], '\t');
      g_autofree char *escaped = NULL;
      g_autoptr (GuardVerdict) verdict = NULL;
      const char *answer;

      if (command == NULL)
        continue;
      if (command[-1] == '!')
        command = escaped = g_strcompress (command + 1);
      else
        command++;
      count++;
      verdict = guard_read (command, strlen (command), &scope, &fake->files);
      answer = guard_answer_to_string (verdict->answer);
      if (strncmp (lines[i], answer, strlen (answer)) != 0)
        {
          wrong++;
          g_test_message ("%s: answered %s: %s", lines[i], answer,
                          verdict->findings->len > 0
                              ? ((GuardFinding *) verdict->findings->pdata[0])->rule
                              : "");
        }
    }
  g_assert_cmpuint (count, >=, file->lines);
  g_assert_cmpuint (wrong, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/guard/everyday", &everyday, test_lines);
  g_test_add_data_func ("/guard/own", &own, test_lines);
  return g_test_run ();
}

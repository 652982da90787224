/* What a project runs: the commands behind npm scripts, make targets, aliases and script files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "guard-files.h"

G_BEGIN_DECLS

/* Nothing a project's file holds may make reading it dearer than this. */
#define GUARD_PROJECT_MAX_BODIES 1024
#define GUARD_PROJECT_MAX_TEXT (1024 * 1024)
#define GUARD_PROJECT_MAX_WORKSPACES 48

/**
 * GuardLanguage:
 * @GUARD_LANGUAGE_SHELL: sh or bash
 * @GUARD_LANGUAGE_OTHER: a script in a language that is not read (fish, tcl …)
 * @GUARD_LANGUAGE_BINARY: no script: a compiled program
 *
 * What a body is written in.
 */
typedef enum
{
  GUARD_LANGUAGE_SHELL,
  GUARD_LANGUAGE_PYTHON,
  GUARD_LANGUAGE_JAVASCRIPT,
  GUARD_LANGUAGE_RUBY,
  GUARD_LANGUAGE_PERL,
  GUARD_LANGUAGE_PHP,
  GUARD_LANGUAGE_AWK,
  GUARD_LANGUAGE_SED,
  GUARD_LANGUAGE_LUA,
  GUARD_LANGUAGE_OTHER,
  GUARD_LANGUAGE_BINARY,
} GuardLanguage;

/**
 * GuardBody:
 * @language: what @text is written in
 * @text: what would run, NUL-terminated; shell text of a script's command, of
 *   one recipe line, or a whole file
 * @length: of @text, in bytes
 * @path: the file it was read from, absolute
 * @folder: where it would run, absolute
 * @name: what people call it: "npm run clean", "make clean", "scripts/x.sh"
 * @alias: a git alias: judged as if its text stood in the line, not as a body
 * @truncated: the file is larger than GUARD_MAX_FILE_SIZE; @text is its start
 */
typedef struct
{
  GuardLanguage language;
  char *text;
  gsize length;
  char *path;
  char *folder;
  char *name;
  gboolean alias;
  gboolean truncated;
} GuardBody;

typedef struct _GuardProject GuardProject;

/**
 * guard_project_new:
 * @files: the view of the disk, borrowed
 * @root: absolute path of the project's root, borrowed; nothing outside it is read
 *
 * Reads the files of one project for one verdict. Counts them, keeps their
 * text and what they hash to.
 */
GuardProject *guard_project_new (const GuardFiles *files, const char *root);
void guard_project_free (GuardProject *project);

/**
 * guard_project_bodies:
 * @project: a project
 * @runner: "npm", "yarn", "pnpm", "bun", "node-run", "workspaces" (turbo, lerna, nx),
 *   "run-all" (npm-run-all, run-s, run-p), "deno", "composer", "make", "just",
 *   "task", "git-alias", "script"
 * @argv: (array length=n_argv): the program and its arguments; %NULL for one that
 *   isn't known. For "script", argv[0] is the file; for "git-alias", argv[0] is
 *   the alias's name and the rest its arguments
 * @n_argv: how many
 * @folder: where it would run, absolute
 *
 * Finds what @argv would run. What doesn't exist gives nothing. Nested runs
 * ("npm run lint" inside a script) are not followed: the caller reads each
 * body and comes back.
 *
 * Returns: (transfer full) (element-type GuardBody): in the order they would run
 */
GPtrArray *guard_project_bodies (GuardProject *project,
                                 const char *runner,
                                 const char *const *argv,
                                 guint n_argv,
                                 const char *folder);

/**
 * guard_project_has:
 *
 * Returns: whether the runner's own word @name means one of the project's
 *   scripts in @folder (`yarn lint`, `pnpm lint`, `composer lint`, `git st`)
 */
gboolean
guard_project_has (GuardProject *project, const char *runner, const char *name, const char *folder);

/**
 * guard_project_language:
 * @path: a file's name
 * @text: how it begins
 * @length: of @text, in bytes
 *
 * Tells a script's language by its first line, else by its name.
 */
GuardLanguage guard_project_language (const char *path, const char *text, gsize length);

/**
 * guard_project_read:
 * @path: absolute
 * @length: (out): in bytes
 * @truncated: (out) (optional): the file is larger than GUARD_MAX_FILE_SIZE
 *
 * Reads a file once, and pins it. Counts against GUARD_MAX_FILES.
 *
 * Returns: (transfer none) (nullable): its text, as long as @project lives;
 *   %NULL if it can't be read or too many were read
 */
const char *
guard_project_read (GuardProject *project, const char *path, gsize *length, gboolean *truncated);

/**
 * guard_project_get_pins:
 *
 * Returns: (transfer container) (element-type utf8): "path\thash" of each file
 *   read so far; the hash is SHA-256 in hexadecimal, or "-" for one that was
 *   looked for and wasn't there
 */
GPtrArray *guard_project_get_pins (GuardProject *project);

/**
 * guard_project_get_exceeded:
 *
 * Returns: %TRUE once more files, bodies or text were wanted than the limits
 *   allow; what was found then isn't all there is
 */
gboolean guard_project_get_exceeded (GuardProject *project);

void guard_body_free (GuardBody *body);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GuardProject, guard_project_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GuardBody, guard_body_free)

G_END_DECLS

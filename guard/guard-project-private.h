/* What the readers of a project's files share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "guard-json.h"
#include "guard-project.h"

G_BEGIN_DECLS

/* How far makefiles include others, targets need others, variables name others. */
#define GUARD_PROJECT_MAX_DEPTH 32

/* One run of a runner: what it was asked, and what was found. */
typedef struct
{
  GuardProject *project;
  const char *runner;
  const char *const *argv;
  guint n_argv;
  const char *folder;
  GPtrArray *bodies;
} GuardRun;

/* Adds a body; @text is copied, @length may be -1. Refuses beyond the limits. */
void guard_run_add (GuardRun *run,
                    GuardLanguage language,
                    const char *text,
                    gssize length,
                    const char *path,
                    const char *folder,
                    const char *name);

/* Adds the file at @path, in the language it is written in. */
void guard_run_add_file (GuardRun *run, const char *path, const char *folder, const char *name);

/* If argument *@at is one of @names with a value (next word or after =), gives it and moves on. */
const char *guard_run_option (GuardRun *run, guint *at, const char *const *names);

/* The arguments from @from on, each quoted for a shell and with a space before it. */
char *guard_run_quote_rest (GuardRun *run, guint from);

gboolean guard_project_inside (GuardProject *project, const char *path);
gboolean guard_project_exists (GuardProject *project, const char *path);
void guard_project_exceed (GuardProject *project);
char **guard_project_list (GuardProject *project, const char *path);
char *guard_project_in_folder (GuardProject *project, const char *folder, const char *const *names);
char *guard_project_find_up (GuardProject *project, const char *folder, const char *const *names);
GuardJson *guard_project_read_json (GuardProject *project, const char *path);

void guard_run_packages (GuardRun *run);
gboolean guard_packages_have (GuardProject *project,
                              const char *runner,
                              const char *name,
                              const char *folder);
void guard_run_composer (GuardRun *run);
void guard_run_deno (GuardRun *run);
void guard_run_make (GuardRun *run);
void guard_run_just (GuardRun *run);
void guard_run_task (GuardRun *run);
void guard_run_git_alias (GuardRun *run);

/* The folders of a workspace's members below @folder, at most GUARD_PROJECT_MAX_WORKSPACES. */
GPtrArray *guard_workspaces_list (GuardProject *project, const char *folder);
/* Those of them that @filter (a name, a path, a pattern) may mean. */
GPtrArray *guard_workspaces_match (GuardProject *project, const char *folder, const char *filter);

G_END_DECLS

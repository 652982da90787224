/* The guard: reads a command line and answers allow, ask or refuse.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "guard-files.h"

G_BEGIN_DECLS

/* Limits, all refused when passed (guard.md, "Limits"). */
#define GUARD_MAX_LENGTH 131072
#define GUARD_MAX_WORDS 16384
#define GUARD_MAX_NESTING 64
#define GUARD_MAX_WRAPPERS 10
#define GUARD_MAX_FILES 64
#define GUARD_MAX_FILE_SIZE (256 * 1024)
/* Names in a folder that a glob is compared with; more of them can't be known. */
#define GUARD_MAX_LISTED 4096

/**
 * GuardAnswer:
 * @GUARD_ANSWER_ALLOW: may run at once
 * @GUARD_ANSWER_ASK: a person must agree first
 * @GUARD_ANSWER_REFUSE: never runs
 *
 * Ordered by strictness: the strictest part of a line wins.
 */
typedef enum
{
  GUARD_ANSWER_ALLOW,
  GUARD_ANSWER_ASK,
  GUARD_ANSWER_REFUSE,
} GuardAnswer;

/**
 * GuardTimeClass:
 * @GUARD_TIME_SHORT: two minutes
 * @GUARD_TIME_LONG: ten minutes: package managers, compilers, test runners
 */
typedef enum
{
  GUARD_TIME_SHORT,
  GUARD_TIME_LONG,
} GuardTimeClass;

/**
 * GuardIntent:
 *
 * What a refusal wants the agent to do.
 */
typedef enum
{
  GUARD_INTENT_NONE,
  GUARD_INTENT_STOP,
  GUARD_INTENT_ALTERNATIVE,
  GUARD_INTENT_NARROW,
  GUARD_INTENT_PERSON, /* the person does it: "Run in terminal" */
  GUARD_INTENT_EXPLAIN,
} GuardIntent;

/**
 * GuardFinding:
 * @answer: what this finding asks for
 * @rule: the rule's id, static
 * @start: first byte of the span in the original text it rests on
 * @end: one past the last byte; the span lies in the text always, also when the
 *   cause is in a file that the text runs (then the span names the runner)
 * @message: an English sentence with {1}, {2} … for @args; a gettext msgid, static
 * @args: (array zero-terminated=1): what fills @message; never the value of an
 *   environment variable nor the content of a file
 * @kind: (nullable): for asks, what "Allow always this session" remembers
 * @intent: for refusals
 * @alternative: (nullable): a whole line, ready to run and itself allowed
 */
typedef struct
{
  GuardAnswer answer;
  const char *rule;
  guint start;
  guint end;
  const char *message;
  char **args;
  char *kind;
  GuardIntent intent;
  char *alternative;
} GuardFinding;

/**
 * GuardPlan:
 * @argv: (nullable) (array zero-terminated=1): runs with no shell at all
 * @script: (nullable): else canonical text for `bash --norc --noprofile -p -c`
 * @environment: (nullable) (array zero-terminated=1): NAME=VALUE of the simple
 *   command's own assignments, for the @argv form
 * @pins: (array zero-terminated=1): "path\thash" of each file or link the
 *   verdict depends on; guard_plan_verify() checks them again before the run
 *
 * What may run. Both forms are %NULL when the answer is refuse.
 */
typedef struct
{
  char **argv;
  char *script;
  char **environment;
  char **pins;
} GuardPlan;

/**
 * GuardVerdict:
 * @answer: the strictest of @findings, else allow
 * @findings: (element-type GuardFinding): in the order of the text
 * @time_class: how long it may run
 * @network_git: an allowed git command that reaches the network (it keeps
 *   SSH_AUTH_SOCK outside the sandbox; sandbox.md, contract 6)
 * @plan: what may run
 * @canonical: (nullable): the text form of @plan, for people
 */
typedef struct
{
  GuardAnswer answer;
  GPtrArray *findings;
  GuardTimeClass time_class;
  gboolean network_git;
  GuardPlan plan;
  char *canonical;
} GuardVerdict;

/**
 * GuardScope:
 * @project: absolute physical path of the project's root, no trailing slash
 * @loop: the loop's folder, relative to @project ("." = all of it)
 * @loops: (nullable) (array zero-terminated=1): the other loops' folders,
 *   relative to @project
 * @folder: where the command starts, relative to @project
 * @app_folder: the app's folder, relative to @project (".perfica")
 * @home: (nullable): the person's home, for `~` and messages
 * @tmpdir: (nullable): the value of $TMPDIR in the run, which is inside
 * @sandbox: the command will be confined
 * @case_insensitive: names on this file system are not case-sensitive
 * @bash_available: bash can be run; without it only the argv form can
 *
 * Where a command is read. Borrowed by guard_read(), never kept.
 */
typedef struct
{
  const char *project;
  const char *loop;
  const char *const *loops;
  const char *folder;
  const char *app_folder;
  const char *home;
  const char *tmpdir;
  gboolean sandbox;
  gboolean case_insensitive;
  gboolean bash_available;
} GuardScope;

/**
 * guard_read:
 * @text: the command; not trusted to be UTF-8 or free of NUL
 * @length: its length in bytes
 * @scope: where it would run
 * @files: (nullable): the view of the disk; %NULL reads no disk (what only the
 *   disk could tell is then judged by the words alone)
 *
 * Reads a command and says whether it may run. Pure: no global state, no
 * clock; safe on any thread. Never fails: what can't be read is refused.
 *
 * Returns: (transfer full): the verdict
 */
GuardVerdict *
guard_read (const char *text, gsize length, const GuardScope *scope, const GuardFiles *files);

/**
 * guard_explain:
 *
 * Like guard_read(), and also writes down the tree, each effect, each rule
 * considered and what decided, for `perfica-agent check --explain`.
 *
 * Returns: (transfer full): text for people, many lines
 */
char *
guard_explain (const char *text, gsize length, const GuardScope *scope, const GuardFiles *files);

/**
 * guard_plan_verify:
 * @plan: a plan from guard_read()
 * @files: the view of the disk
 * @changed: (out) (optional) (transfer full): the first path that changed
 *
 * Returns: %TRUE if every pinned file still is what was read
 */
gboolean guard_plan_verify (const GuardPlan *plan, const GuardFiles *files, char **changed);

void guard_verdict_free (GuardVerdict *verdict);

/**
 * guard_finding_text:
 * @finding: a finding
 * @translated: (nullable): the translation of @finding's message, or %NULL for English
 *
 * Returns: (transfer full): the sentence with its arguments filled in
 */
char *guard_finding_text (const GuardFinding *finding, const char *translated);

const char *guard_answer_to_string (GuardAnswer answer);
const char *guard_intent_to_string (GuardIntent intent);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GuardVerdict, guard_verdict_free)

G_END_DECLS

/* What the parts of the meaning share while one command is read. Private to guard/.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "guard-arena.h"
#include "guard-project.h"
#include "guard-rules.h"
#include "guard-tree.h"
#include "guard.h"

G_BEGIN_DECLS

/* Steps are counted instead of time: a verdict must not depend on load. */
#define GUARD_MAX_STEPS 400000
#define GUARD_MAX_DEPTH 96
#define GUARD_MAX_FINDINGS 256
#define GUARD_MAX_BINDINGS 512
#define GUARD_MAX_FIELDS 4096
#define GUARD_MAX_BODY_DEPTH 8
#define GUARD_MAX_OTHERS 3

/* In the text of a value these bytes stand for what isn't known, or is alive.
 * The reader refuses control characters, so they can't come from the line; what
 * $'…' decodes to is made an unknown. */
#define HOLE_UNKNOWN '\001' /* anything */
#define HOLE_WORD '\002'    /* text without blanks, slashes and globs */
#define HOLE_INSIDE '\003'  /* a path inside what was searched */
#define HOLE_SCRATCH '\004' /* the value of $TMPDIR */
#define HOLE_FLAGS '\005'   /* harmless options (pkg-config) */
#define HOLE_HOME '\006'    /* the person's home, where it isn't known */
#define HOLE_MKTEMP '\007'  /* a name that mktemp makes */
#define GLOB_STAR '\016'
#define GLOB_ONE '\017'
#define GLOB_SET '\020' /* the set's own text follows, up to GLOB_SET_END */
#define GLOB_SET_END '\021'
#define FIELD_BREAK '\023'
#define PATH_BREAK '\024' /* before each folder that names were searched in */

typedef struct
{
  const char *text; /* in the arena or the tree's; with holes */
  GuardSpan span;
  guint8 holes;    /* has any of the bytes above */
  guint8 computed; /* some of it is a substitution's output */
  guint8 quoted;
} GuardArg;

typedef enum
{
  GUARD_OUTPUT_UNKNOWN,
  GUARD_OUTPUT_TEXT,    /* @text is what is printed, with holes */
  GUARD_OUTPUT_PATHS,   /* names inside what was searched */
  GUARD_OUTPUT_NETWORK, /* what a download gave */
  GUARD_OUTPUT_NONE,
} GuardOutputType;

/* What a command prints, as far as it is known. */
typedef struct
{
  guint8 type;
  guint8 sweeps; /* with PATHS: these names may be deleted with all below them */
  guint8 plain;  /* what files of the project hold, as they are */
  const char *text;
  GuardSpan span;
} GuardOutput;

typedef enum
{
  GUARD_INPUT_EMPTY, /* /dev/null, the guard's own */
  GUARD_INPUT_PIPE,
  GUARD_INPUT_FILE,
  GUARD_INPUT_HEREDOC,
} GuardInputType;

typedef struct
{
  guint8 type;
  GuardOutput from; /* PIPE, HEREDOC: what comes */
  const char *path; /* FILE */
  GuardSpan span;
} GuardInput;

typedef enum
{
  GUARD_ARRAY_NONE,
  GUARD_ARRAY_INDEXED,
  GUARD_ARRAY_NAMED, /* declare -A: its subscripts are texts, not arithmetic */
} GuardArrayType;

typedef struct _GuardBinding GuardBinding;
struct _GuardBinding
{
  const char *name;
  guint hash;
  const char *value; /* NULL: unset; arrays: elements with FIELD_BREAK between */
  guint8 array;      /* GuardArrayType */
  GuardBinding *next;
};

typedef struct _GuardFunction GuardFunction;
struct _GuardFunction
{
  const char *name;
  const GuardNode *body;
  gboolean running;
  GuardFunction *next;
};

typedef struct _GuardWritten GuardWritten;
struct _GuardWritten
{
  const char *path;
  const char *text; /* (nullable): unknown */
  GuardWritten *next;
};

/* The shell's state at a point of the line. Copied by value for subshells. */
typedef struct
{
  const char *cwd; /* absolute, physical; NULL: not known */
  const char *old_cwd;
  const char *others[GUARD_MAX_OTHERS]; /* folders that it may be in instead of @cwd */
  guint8 n_others;
  GuardBinding *bindings;
  guint n_bindings;
  GuardInput input;
  const char *const *parameters; /* (nullable): $1 … of a function; NULL-terminated */
  gboolean parameters_known;
  guint8 bounded;        /* inside `timeout N` */
  guint8 endless_reader; /* what it prints is read by one that ends early */
  guint8 has_jobs;
} GuardState;

typedef struct _GuardContext GuardContext;
struct _GuardContext
{
  const GuardScope *scope;
  const GuardFiles *files; /* (nullable) */
  GuardProject *project;   /* (nullable): made when first needed */
  GuardArena arena;
  GuardTree *tree; /* the tree being walked: the line's own, or a body's */
  const char *text;
  const char *loop_path; /* absolute */
  const char *app_path;
  const char *project_path;
  GPtrArray *findings;
  GPtrArray *trees; /* of bodies, kept to the end */
  GPtrArray *links; /* pins of links and of what globs gave */
  GuardFunction *functions;
  GuardWritten *written;
  GString *trace; /* (nullable): for guard_explain() */
  guint steps;
  guint depth;
  guint body_depth;
  gboolean in_body;   /* reading what a project runs: only what is seen counts */
  guint in_container; /* paths are a container's own */
  gboolean in_code;   /* reading the literals of inline code: spans are @body_span too */
  gboolean exhausted;
  GuardSpan body_span; /* in a body: the span of the runner */
  const char *body_name;
  guint8 time_class;
  gboolean network_git;
  gboolean named_arrays; /* reading the arguments of `declare -A` */
  gboolean loop_exits;   /* a break, exit or return was seen in the loop being read */
  GHashTable *bodies_seen;
};

/* guard-read.c: all but the tree and the text; what is cleared is all but the findings. */
void guard_context_init (GuardContext *context, const GuardScope *scope, const GuardFiles *files);
void guard_context_clear (GuardContext *context);

/* guard-findings.c */

/**
 * guard_find:
 * @args: up to two texts for the message, or %NULL
 *
 * Notes a finding of the family @rule. In a body the span is the runner's.
 */
void guard_find (
    GuardContext *context, const char *rule, GuardSpan span, const char *first, const char *second);
GuardFinding *guard_find_full (GuardContext *context,
                               const GuardFamily *family,
                               GuardAnswer answer,
                               GuardSpan span,
                               const char *first,
                               const char *second,
                               const char *kind,
                               const char *alternative);
/* Like guard_find(), but passes in a body: what can't be known. */
void
guard_find_unknown (GuardContext *context, const char *rule, GuardSpan span, const char *first);
void guard_finding_free (gpointer finding);
gboolean guard_step (GuardContext *context, guint n);
char *guard_printable (GuardContext *context, const char *text);
void guard_trace (GuardContext *context, const char *format, ...) G_GNUC_PRINTF (2, 3);
const char *guard_arena_printf (GuardContext *context, const char *format, ...)
    G_GNUC_PRINTF (2, 3);
const char *guard_copy (GuardContext *context, const char *text, gssize length);

/* guard-alternatives.c */
void guard_alternatives (GuardContext *context);
char *guard_line_with (GuardContext *context, GuardSpan span, const char *text);

/* guard-value.c */
gboolean guard_has_holes (const char *text);
gboolean guard_has_unknown (const char *text);
/* Expands @word to fields, appended to @args (of GuardArg). */
void
guard_value_fields (GuardContext *context, GuardState *state, const GuardWord *word, GArray *args);
/* Expands @word to one text: as in an assignment, a redirection or [[ ]]. */
GuardArg guard_value_one (GuardContext *context, GuardState *state, const GuardWord *word);
void guard_value_arithmetic (GuardContext *context, GuardState *state, const GuardWord *word);
void guard_value_arithmetic_text (GuardContext *context,
                                  GuardState *state,
                                  const char *text,
                                  GuardSpan span);
gboolean guard_is_number (const char *text);
/* The elements of `( … )` after NAME=, with FIELD_BREAK between; unknown as a whole with
 * subscripts. @named: the subscripts are texts. */
char *guard_value_array (GuardContext *context,
                         GuardState *state,
                         const GuardAssignment *items,
                         gboolean named);
/* What a subscript of @name is evaluated to. */
void guard_value_subscript (GuardContext *context,
                            GuardState *state,
                            const GuardWord *subscript,
                            gboolean named,
                            GuardSpan span);

/* guard-state.c */
const GuardBinding *guard_state_lookup (const GuardState *state, const char *name);
void guard_state_set (
    GuardContext *context, GuardState *state, const char *name, const char *value, guint array);
gboolean guard_state_is_named (const GuardState *state, const char *name);
void guard_state_init (GuardContext *context, GuardState *state, const char *cwd);

/* guard-branches.c */
void guard_state_add_cwd (GuardState *state, const char *cwd);
gboolean guard_state_same_cwd (const GuardState *a, const GuardState *b);
void guard_state_merge (GuardContext *context, GuardState *state, const GuardState *branch);
void guard_state_merge_values (GuardContext *context, GuardState *state, const GuardState *branch);
void guard_state_merge_both (GuardContext *context,
                             GuardState *state,
                             const GuardState *yes,
                             const GuardState *no);
gboolean guard_node_leaves (GuardContext *context, const GuardNode *node);
gboolean guard_node_can_fail (GuardContext *context, const GuardNode *node);

/* guard-walk.c */
GuardOutput guard_walk (GuardContext *context, GuardState *state, const GuardNode *node);
/* Walks a substitution in a copy of @state. */
GuardOutput
guard_walk_substitution (GuardContext *context, const GuardState *state, const GuardNode *body);

/* guard-command.c */
GuardOutput guard_command_run (GuardContext *context,
                               GuardState *state,
                               const GuardArg *args,
                               guint n_args,
                               const GuardArg *environment,
                               guint n_environment,
                               guint wrappers);
/* Like guard_command_run() for what @package brings; @args[0] is the word that named it. */
GuardOutput guard_command_package (GuardContext *context,
                                   GuardState *state,
                                   const char *package,
                                   const GuardArg *args,
                                   guint n_args,
                                   const GuardArg *environment,
                                   guint n_environment,
                                   guint wrappers);
void
guard_command_environment (GuardContext *context, GuardState *state, const GuardArg *assignment);
void guard_command_words (GuardContext *context,
                          GuardState *state,
                          const GuardArg *text,
                          guint wrappers);

/* guard-builtins.c */
gboolean guard_builtin_run (GuardContext *context,
                            GuardState *state,
                            const GuardArg *args,
                            guint n_args,
                            const GuardArg *environment,
                            guint n_environment,
                            guint wrappers,
                            GuardOutput *output);
gboolean guard_builtin_is (const char *name);
void guard_builtin_cd (GuardContext *context, GuardState *state, const GuardArg *folder);

/* guard-options.c */
typedef struct
{
  const GuardOption *option; /* (nullable): not in the table */
  const char *spelling;
  const char *value; /* (nullable) */
  GuardSpan span;
  GuardSpan value_span;
  guint8 level;
  guint8 index; /* of the word, saturating */
} GuardGiven;

#define GUARD_MAX_LEVELS 6

typedef struct
{
  const GuardProgram *levels[GUARD_MAX_LEVELS];
  const char *names[GUARD_MAX_LEVELS];
  guint n_levels;
  GArray *given;       /* GuardGiven */
  GArray *operands;    /* GuardArg, of the last level; sub-command names are not in it */
  guint first_operand; /* index in argv of the first operand, or n_args */
  GuardSpan span;
  const GuardArg *args;
  guint n_args;
  guint rest; /* index in argv where a command begins, or 0 */
  gboolean help;
  gboolean unknown_option; /* a word that may be any option */
  GuardSpan unknown_span;
} GuardParsed;

void guard_options_parse (GuardContext *context,
                          const GuardProgram *program,
                          const GuardArg *args,
                          guint n_args,
                          GuardParsed *parsed);
void guard_parsed_clear (GuardParsed *parsed);
const GuardGiven *guard_parsed_find (const GuardParsed *parsed, const char *name);
gboolean guard_when_holds (GuardContext *context,
                           const GuardWhen *when,
                           const GuardParsed *parsed,
                           const GuardState *state,
                           const GuardArg *environment,
                           guint n_environment);
const char *guard_parsed_name (GuardContext *context, const GuardParsed *parsed);

/* guard-effects.c */
typedef struct
{
  GuardContext *context;
  GuardState *state;
  const GuardParsed *parsed;
  const GuardArg *environment;
  guint n_environment;
  guint wrappers;
} GuardEffects;

void guard_effect (GuardEffects *effects, guint role, const char *detail, const GuardArg *arg);
const char *guard_find_output (GuardEffects *effects);
double guard_duration (const char *text);

/* guard-paths.c */
typedef enum
{
  GUARD_ACCESS_READ,
  GUARD_ACCESS_WRITE,
  GUARD_ACCESS_DELETE,
  GUARD_ACCESS_MOVE,
  GUARD_ACCESS_LINK, /* a hard link's target */
  GUARD_ACCESS_RUN,
} GuardAccess;

/* Judges a path. Returns its physical absolute form, NULL if it isn't known or not allowed. */
const char *guard_path_check (GuardContext *context,
                              const GuardState *state,
                              const char *text,
                              GuardSpan span,
                              GuardAccess access);
gboolean guard_path_expand (GuardContext *context,
                            const GuardState *state,
                            const GuardArg *arg,
                            GArray *matches);
/* Lexically normal, absolute, no trailing slash. */
char *guard_path_normal (GuardContext *context, const char *base, const char *path);
gboolean guard_path_inside (const GuardContext *context, const char *path, const char *folder);
const char *guard_path_physical (GuardContext *context, const char *path);
/* For role `maybe`: does it look like something to judge? */
gboolean guard_path_looks (const char *text);
gboolean guard_path_is_device (const char *text);

/* guard-secrets.c */
const char *guard_secret_what (const char *path, gboolean last_only);
gboolean guard_secret_glob (const char *text);
/* A value with live globs as a pattern for guard_glob_match(). */
char *guard_glob_pattern (GuardContext *context, const char *text);

/* guard-hosts.c */
gboolean guard_url_has_scheme (const char *text);
void guard_url_check (GuardContext *context,
                      const GuardState *state,
                      const char *text,
                      GuardSpan span,
                      gboolean scheme_needed);
void guard_host_check (GuardContext *context, const char *text, GuardSpan span);
void guard_remote_check (GuardContext *context,
                         const GuardState *state,
                         const char *text,
                         GuardSpan span);
void guard_image_check (GuardContext *context, const char *text, GuardSpan span);
void guard_module_check (GuardContext *context, const char *text, GuardSpan span);
void guard_package_check (GuardContext *context,
                          const GuardState *state,
                          const char *text,
                          GuardSpan span);

/* guard-inline.c */
void guard_inline_check (GuardContext *context,
                         GuardState *state,
                         const char *language,
                         const char *code,
                         GuardSpan span,
                         gboolean ask,
                         guint wrappers);

/* guard-languages.c: awk, sed, sql */
void guard_awk_check (GuardContext *context, GuardState *state, const char *code, GuardSpan span);
void guard_sed_check (GuardContext *context, GuardState *state, const char *code, GuardSpan span);
void guard_sql_check (GuardContext *context,
                      GuardState *state,
                      const char *code,
                      GuardSpan span,
                      const char *program);

/* guard-bodies.c */
GuardProject *guard_context_project (GuardContext *context);
/* Returns how many bodies were found. */
guint guard_bodies_run (GuardContext *context,
                        GuardState *state,
                        const char *runner,
                        const char *const *argv,
                        guint n_argv,
                        GuardSpan span);
void guard_bodies_script (GuardContext *context,
                          GuardState *state,
                          const char *path,
                          const char *language,
                          const char *const *argv,
                          guint n_argv,
                          GuardSpan span);
/* Writes the package workspace's root that holds the state's folder. */
void guard_bodies_workspace (GuardContext *context, const GuardState *state, GuardSpan span);
/* Walks shell text as part of a body or of code. FALSE if it can't be read. */
gboolean guard_bodies_text (
    GuardContext *context, GuardState *state, const char *text, gsize length, GuardSpan span);

/* guard-shells.c: a shell in a body; @args[0] is the shell. */
void guard_shell_run (GuardContext *context, GuardState *state, const GuardArg *args, guint n_args);

/* guard-git.c */
void
guard_git_config_check (GuardContext *context, GuardState *state, const char *text, GuardSpan span);
const char *guard_git_top (GuardContext *context, const char *folder);
void guard_git_writes (GuardContext *context, const GuardState *state, const GuardParsed *parsed);
void guard_git_revision (GuardContext *context,
                         const GuardState *state,
                         const GuardArg *arg,
                         gboolean path_too,
                         GuardAccess access);
gboolean guard_git_key_runs (const char *key);

G_END_DECLS

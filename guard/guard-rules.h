/* The rule tables that data/rules/generate.py makes, and how to look things up in them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "guard.h"

G_BEGIN_DECLS

/* What a word is to a program; data/rules/README.md, "roles". */
typedef enum
{
  GUARD_ROLE_NONE,
  GUARD_ROLE_TEXT,
  GUARD_ROLE_MAYBE,
  GUARD_ROLE_READ,
  GUARD_ROLE_WRITE,
  GUARD_ROLE_DELETE,
  GUARD_ROLE_FOLDER,
  GUARD_ROLE_MOVE,
  GUARD_ROLE_EDIT,
  GUARD_ROLE_CWD,
  GUARD_ROLE_LINK,
  GUARD_ROLE_HARDLINK,
  GUARD_ROLE_NAMES,
  GUARD_ROLE_PATHSPEC,
  GUARD_ROLE_REVISION,
  GUARD_ROLE_REVPATH,
  GUARD_ROLE_REMOTE,
  GUARD_ROLE_GIT_CONFIG,
  GUARD_ROLE_URL,
  GUARD_ROLE_HOST,
  GUARD_ROLE_IMAGE,
  GUARD_ROLE_MODULE,
  GUARD_ROLE_PACKAGE,
  GUARD_ROLE_AT_FILE,
  GUARD_ROLE_FORM,
  GUARD_ROLE_VOLUME,
  GUARD_ROLE_COPY,
  GUARD_ROLE_ENV,
  GUARD_ROLE_CODE,
  GUARD_ROLE_SCRIPT,
  GUARD_ROLE_MODULE_NAME,
  GUARD_ROLE_SHELL,
  GUARD_ROLE_WORDS,
  GUARD_ROLE_COMMAND,
  GUARD_ROLE_EXEC,
  GUARD_ROLE_INNER,
  GUARD_ROLE_DURATION,
  GUARD_ROLE_TARGET,
  GUARD_ROLE_WAIT,
  GUARD_ROLE_PATHSPEC_WRITE,
  GUARD_ROLE_REVPATH_WRITE,
} GuardRole;

typedef enum
{
  GUARD_SYNTAX_ABBREVIATE = 1 << 0,
  GUARD_SYNTAX_SINGLE = 1 << 1,
  GUARD_SYNTAX_STOP = 1 << 2,
  GUARD_SYNTAX_PLUS = 1 << 3,
  GUARD_SYNTAX_SLASH = 1 << 4,
  GUARD_SYNTAX_ANYWHERE = 1 << 5,
  GUARD_SYNTAX_NODASH = 1 << 6,
  GUARD_SYNTAX_FIND = 1 << 7,
  GUARD_SYNTAX_RAW = 1 << 8,
} GuardSyntax;

typedef enum
{
  GUARD_PROGRAM_BUILTIN = 1 << 0,
  GUARD_PROGRAM_CONTAINER = 1 << 1,
  GUARD_PROGRAM_BODY_ONLY = 1 << 2,
  GUARD_PROGRAM_PRINTS_STDIN = 1 << 3,
  GUARD_PROGRAM_SILENT = 1 << 4,
  GUARD_PROGRAM_SHELL = 1 << 6,    /* in a body it is judged by what it is given */
  GUARD_PROGRAM_PACKAGES = 1 << 5, /* what it starts is named by its package */
} GuardProgramFlags;

typedef enum
{
  GUARD_STDIN_TEXT,
  GUARD_STDIN_CODE,
  GUARD_STDIN_SHELL,
  GUARD_STDIN_PATHS_READ,
  GUARD_STDIN_PATHS_DELETE,
} GuardStdin;

typedef enum
{
  GUARD_PRINTS_UNKNOWN,
  GUARD_PRINTS_PATHS,
  GUARD_PRINTS_ROOT,
  GUARD_PRINTS_CWD,
  GUARD_PRINTS_NUMBER,
  GUARD_PRINTS_WORD,
  GUARD_PRINTS_SCRATCH,
  GUARD_PRINTS_FLAGS,
} GuardPrints;

typedef enum
{
  GUARD_WRITES_NOTHING,
  GUARD_WRITES_FOLDER,
  GUARD_WRITES_WORKSPACE,
  GUARD_WRITES_GIT,
} GuardWrites;

typedef enum
{
  GUARD_WHEN_OPTION,
  GUARD_WHEN_NO_OPTION,
  GUARD_WHEN_VALUE,    /* name, strings */
  GUARD_WHEN_OPERANDS, /* low, high */
  GUARD_WHEN_OPERAND,  /* low: 0 any, else the position, negative from the end; strings */
  GUARD_WHEN_BARE,     /* low: how many levels, none of its sub-commands follows */
  GUARD_WHEN_STDIN_GIVEN,
  GUARD_WHEN_STDIN_EMPTY,
  GUARD_WHEN_STDIN_PIPE,
  GUARD_WHEN_STDIN_NETWORK,
  GUARD_WHEN_ENV, /* name, strings */
  GUARD_WHEN_SANDBOX,
  GUARD_WHEN_OPEN,
  GUARD_WHEN_BODY,
  GUARD_WHEN_LINE,
  GUARD_WHEN_ALL, /* children */
  GUARD_WHEN_ANY,
  GUARD_WHEN_NOT,
} GuardWhenType;

typedef struct _GuardWhen GuardWhen;
struct _GuardWhen
{
  guint8 type;
  gint16 low;
  gint16 high; /* -1: no bound */
  const char *name;
  const char *const *strings;       /* NULL-terminated */
  const GuardWhen *const *children; /* NULL-terminated */
};

/* A key of KEY=value operands or option values; globs allowed in the key. */
typedef struct
{
  const char *key;
  guint8 role;
  const char *detail;
} GuardKey;

typedef struct
{
  const char *name;     /* the first spelling */
  guint8 role;          /* GUARD_ROLE_NONE: no value */
  guint8 optional;      /* the value is only glued */
  char separator;       /* of a key=value list, or 0 */
  const char *detail;   /* the language */
  const GuardKey *keys; /* (nullable), ends with a NULL key */
} GuardOption;

typedef struct
{
  const char *spelling;
  const GuardOption *option;
} GuardSpelling;

typedef struct
{
  guint8 role;
  guint8 repeat;
  const char *detail;
} GuardOperand;

/* One case of operands, stdin, prints or writes: the first whose condition holds. */
typedef struct
{
  const GuardWhen *when; /* (nullable) */
  const GuardOperand *operands;
  guint8 n_operands;
  guint8 value; /* for stdin, prints, writes */
  const char *detail;
} GuardCase;

typedef struct
{
  const char *id;
  guint8 answer; /* GuardAnswer */
  guint8 never;  /* never exits */
  guint8 intent; /* GuardIntent */
  const char *message;
} GuardFamily;

typedef struct
{
  const GuardWhen *when;     /* (nullable) */
  const GuardFamily *family; /* (nullable): an allow */
  guint8 answer;
  guint8 effects; /* for an allow: operands still count */
  const char *kind;
  const char *alternative;
} GuardRule;

typedef struct
{
  const GuardWhen *when;
  const char *runner; /* for guard_project_bodies() */
} GuardRuns;

typedef struct _GuardProgram GuardProgram;
typedef struct
{
  const char *name;
  const GuardProgram *program;
} GuardProgramName;

/* A program or a sub-command. */
struct _GuardProgram
{
  const char *name;
  guint16 syntax;
  guint8 flags;
  guint8 unknown; /* a GuardRole */
  guint8 time_long;
  guint8 network;
  const char *missing;
  const GuardSpelling *spellings; /* sorted by strcmp */
  guint16 n_spellings;
  guint16 n_option_globs; /* of them at the end of @spellings, unsorted */
  const GuardKey *keys;
  const GuardCase *operands; /* each list ends at its count */
  const GuardCase *stdin_cases;
  const GuardCase *prints;
  const GuardCase *writes;
  guint8 n_operands;
  guint8 n_stdin;
  guint8 n_prints;
  guint8 n_writes;
  const GuardRule *rules;
  guint16 n_rules;
  const GuardRuns *runs;
  guint8 n_runs;
  const GuardProgramName *commands; /* sorted; globs at the end */
  guint16 n_commands;
  guint16 n_command_globs;
};

typedef struct
{
  const char *domain;
  const char *const *labels;
  const char *kind;
} GuardHost;

typedef struct
{
  const char *const *names;
  const char *const *except;
  const char *const *paths;
  const char *const *samples; /* whole names a glob may be meant for */
  const char *what;
} GuardSecret;

/* A package whose program isn't called like it. */
typedef struct
{
  const char *name;
  const char *program;
} GuardPackage;

typedef struct
{
  const char *const *names;
  const char *const *values; /* (nullable) */
  const GuardFamily *family; /* (nullable): allowed */
  guint8 role;
} GuardEnvironmentRule;

extern const GuardProgramName guard_table_programs[]; /* sorted; globs at the end */
extern const guint guard_table_n_programs;
extern const guint guard_table_n_program_globs;
extern const GuardFamily guard_table_families[]; /* sorted by id */
extern const guint guard_table_n_families;
extern const GuardHost guard_table_hosts[]; /* sorted by domain */
extern const guint guard_table_n_hosts;
extern const char *const guard_table_local_hosts[];
extern const GuardSecret guard_table_secrets[];
extern const guint guard_table_n_secrets;
extern const GuardPackage guard_table_packages[]; /* sorted by name */
extern const guint guard_table_n_packages;
/* Globs: targets and scripts that by custom never end, for when their body isn't found. */
extern const char *const guard_table_endless_targets[];
extern const GuardEnvironmentRule guard_table_environment[];
extern const guint guard_table_n_environment;

/* A line of the data that must or must not give an answer or a rule. */
typedef struct
{
  const char *line;
  const char *rule; /* (nullable) */
  guint8 answer;
  guint8 expected; /* with @rule: whether it is found */
  const char *where;
} GuardExample;

extern const GuardExample guard_table_examples[]; /* only in tests */
extern const guint guard_table_n_examples;

const GuardProgram *guard_rules_program (const char *name);
const GuardProgram *guard_rules_command (const GuardProgram *program, const char *name);
const GuardFamily *guard_rules_family (const char *id);

/**
 * guard_rules_package:
 * @package: a package's name without version
 *
 * Returns: (nullable): the program it brings, if that has another name
 */
const char *guard_rules_package (const char *package);

/* What is known of programs that no table names. */
const GuardProgram *guard_rules_other (void);

/**
 * guard_glob_match:
 *
 * `*`, `?` and `[…]` over a whole NUL-terminated text; no special treatment of `/`
 * or a leading dot. Linear in time for each `*` (no backtracking beyond the last one).
 */
gboolean guard_glob_match (const char *pattern, const char *text, gboolean fold_case);

G_END_DECLS

/* The tree the reader makes of a command line; what is judged and what is written out again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GuardTree GuardTree;
#define GUARD_TIMED_P 1
#define GUARD_TIMED_DASHES 2

typedef struct _GuardNode GuardNode;
typedef struct _GuardWord GuardWord;
typedef struct _GuardPart GuardPart;
typedef struct _GuardRedirection GuardRedirection;
typedef struct _GuardAssignment GuardAssignment;
typedef struct _GuardCaseItem GuardCaseItem;

/* A stretch of the original text, in bytes. */
typedef struct
{
  guint start;
  guint end;
} GuardSpan;

/**
 * GuardPartType:
 * @GUARD_PART_LITERAL: `text`, quotes removed; `quoted` says whether globs, braces and tildes in it
 * are dead
 * @GUARD_PART_PARAMETER: `$name`, `${name…}`: `name`, `op` ("" plain, ":-", "#", "/", "@P", "!",
 * "#len" …), `subscript`, `word` the operand, `word2` the replacement or length
 * @GUARD_PART_COMMAND: `$(…)` or backquotes: `body`
 * @GUARD_PART_ARITHMETIC: `$((…))` or `$[…]`: `word` holds the expression
 * @GUARD_PART_PROCESS: `<(…)`, `>(…)`: `body`, `op` is "<" or ">"
 * @GUARD_PART_GLOB: an unquoted `*`, `?`, `[…]` as written in `text`
 * @GUARD_PART_EXTGLOB: `@(a|b)` and its kin: `op` is the sign, `words` the alternatives.
 *   (Off in the canonical run: bash -p -c has extglob off, except inside [[ ]] and case; the reader
 * refuses it elsewhere)
 * @GUARD_PART_TILDE: `~` or `~user` at a word's start (or after `=`/`:` in assignments): `text` is
 * the user
 * @GUARD_PART_BRACE: `{a,b}` or `{1..9}`: `words` the alternatives; for a sequence `op` is ".." and
 * `text` the raw inside
 * @GUARD_PART_ARRAY: `(…)` after NAME= in an argument of export, declare and their kin: `items`
 *
 * In [[ ]] the literal of an operator has its text as `op`; all other literals have none. For
 * backquotes `op` is "`". An operand after =~ keeps its bare stretches as globs.
 */
typedef enum
{
  GUARD_PART_LITERAL,
  GUARD_PART_PARAMETER,
  GUARD_PART_COMMAND,
  GUARD_PART_ARITHMETIC,
  GUARD_PART_PROCESS,
  GUARD_PART_GLOB,
  GUARD_PART_EXTGLOB,
  GUARD_PART_TILDE,
  GUARD_PART_BRACE,
  GUARD_PART_ARRAY,
} GuardPartType;

struct _GuardPart
{
  GuardPartType type;
  GuardSpan span;
  gboolean quoted; /* inside '…', "…", $'…' or behind a backslash: no splitting, no globbing */
  const char *text; /* NUL-terminated, in the tree's arena */
  gsize length;
  const char *name;
  const char *op;
  GuardWord *subscript;
  GuardWord *word;
  GuardWord *word2;
  GuardNode *body;
  GuardWord **words; /* NULL-terminated */
  GuardAssignment *items;
  GuardPart *next;
};

struct _GuardWord
{
  GuardSpan span;
  GuardPart *parts; /* linked; NULL for an empty word that was quoted ('' or "") */
  gboolean quoted;  /* some part of it was quoted */
};

struct _GuardAssignment
{
  GuardSpan span;
  const char *name;
  GuardWord *subscript;
  gboolean append;  /* += */
  GuardWord *value; /* NULL when nothing follows = */
  gboolean is_array;
  GuardAssignment *items; /* array elements: name NULL, maybe a subscript */
  GuardAssignment *next;
};

typedef enum
{
  GUARD_REDIR_IN,        /* <  */
  GUARD_REDIR_OUT,       /* >  */
  GUARD_REDIR_APPEND,    /* >> */
  GUARD_REDIR_CLOBBER,   /* >| */
  GUARD_REDIR_READWRITE, /* <> */
  GUARD_REDIR_DUP_IN,    /* <& */
  GUARD_REDIR_DUP_OUT,   /* >& with a descriptor */
  GUARD_REDIR_BOTH,      /* &> or >& with a file */
  GUARD_REDIR_BOTH_APPEND,
  GUARD_REDIR_HEREDOC,
  GUARD_REDIR_HERESTRING,
} GuardRedirectionType;

struct _GuardRedirection
{
  GuardRedirectionType type;
  GuardSpan span;
  int fd;              /* -1: the operator's own */
  const char *fd_name; /* {name}> */
  GuardWord *target; /* for a heredoc: its body, one word (quoted delimiter: one quoted literal) */
  gboolean strip_tabs; /* <<-; the body here is already stripped */
  gboolean literal;    /* the delimiter was quoted: the body does not expand */
  const char *delimiter;
  GuardRedirection *next;
};

typedef enum
{
  GUARD_NODE_SIMPLE,
  GUARD_NODE_PIPELINE, /* children; `negated`, `timed`; pipe_both per child */
  GUARD_NODE_LIST,     /* children joined by separators[i] after child i */
  GUARD_NODE_SUBSHELL, /* ( body ) */
  GUARD_NODE_GROUP,    /* { body; } */
  GUARD_NODE_IF,       /* condition, body, otherwise (an IF for elif, or a list) */
  GUARD_NODE_WHILE,    /* condition, body */
  GUARD_NODE_UNTIL,
  GUARD_NODE_FOR, /* name, words (NULL: "$@"), body */
  GUARD_NODE_SELECT,
  GUARD_NODE_CFOR,       /* words: three arithmetic words, body */
  GUARD_NODE_CASE,       /* words[0], items */
  GUARD_NODE_FUNCTION,   /* name, body */
  GUARD_NODE_TEST,       /* [[ … ]]: words as written, operators among them as literals */
  GUARD_NODE_ARITHMETIC, /* (( … )): words[0] */
  GUARD_NODE_COPROC,     /* name, body */
} GuardNodeType;

typedef enum
{
  GUARD_SEPARATOR_NONE,     /* the last one */
  GUARD_SEPARATOR_SEQUENCE, /* ; or newline */
  GUARD_SEPARATOR_AND,
  GUARD_SEPARATOR_OR,
  GUARD_SEPARATOR_BACKGROUND, /* & */
} GuardSeparator;

struct _GuardCaseItem
{
  GuardWord **patterns;   /* NULL-terminated */
  GuardNode *body;        /* may be NULL */
  const char *terminator; /* ";;", ";&", ";;&" */
  GuardCaseItem *next;
};

struct _GuardNode
{
  GuardNodeType type;
  GuardSpan span;
  GuardAssignment
      *assignments;  /* simple: before the first word (declare/export arguments stay words) */
  GuardWord **words; /* NULL-terminated */
  guint n_words;
  GuardRedirection *redirections;
  GuardNode **children; /* NULL-terminated */
  guint n_children;
  guint8 *separators; /* list: GuardSeparator after each child; pipeline: 1 for |&, 0 for | */
  GuardNode *condition;
  GuardNode *body;
  GuardNode *otherwise;
  GuardCaseItem *items;
  const char *name;
  GuardSpan name_span;
  gboolean negated;
  gboolean timed;
  guint timed_posix; /* of GUARD_TIMED_P and GUARD_TIMED_DASHES */
};

/**
 * GuardReadError:
 * @message: a static English sentence (a gettext msgid), with {1} for @detail
 * @detail: (nullable): in the tree's arena
 * @rule: the id of the rule it stands for ("reader.unfinished", "limits.nesting" …), static
 * @span: where
 */
typedef struct
{
  const char *message;
  const char *detail;
  const char *rule;
  GuardSpan span;
} GuardReadError;

/**
 * guard_tree_read:
 * @text: bash text; NUL, control characters and bad UTF-8 are errors
 * @length: in bytes
 *
 * Never returns %NULL; a text that can't be read has guard_tree_get_error().
 * All nodes live in one arena, freed with the tree.
 */
GuardTree *guard_tree_read (const char *text, gsize length);
void guard_tree_free (GuardTree *tree);

const GuardReadError *guard_tree_get_error (const GuardTree *tree);

/* The root: a LIST, PIPELINE, SIMPLE or compound node; NULL for comments only or an error. */
GuardNode *guard_tree_get_root (const GuardTree *tree);
const char *guard_tree_get_text (const GuardTree *tree);

/* An arena that lives as long as the tree; for what meaning derives from it. */
gpointer guard_tree_alloc (GuardTree *tree, gsize size);
char *guard_tree_strndup (GuardTree *tree, const char *text, gsize length);

/**
 * guard_tree_write:
 *
 * Writes the canonical text: every literal word in single quotes, no comments,
 * no continuations, one space between words, expansions only where the tree has them.
 * A %NULL @node, which a text of nothing but comments has, gives `:`.
 *
 * Returns: (transfer full) (nullable): %NULL if something can't be written out
 */
char *guard_tree_write (const GuardTree *tree, const GuardNode *node);

/* The same tree with words as they were written, for the comparison with bash's own print. */
char *guard_tree_write_raw (const GuardTree *tree, const GuardNode *node);

/* An indented dump, for --explain and tests. */
char *guard_tree_dump (const GuardTree *tree);

/**
 * guard_word_literal:
 *
 * Returns: (transfer none) (nullable): the word's text if it is literal all through
 *   (no expansion, glob, brace or tilde), in the tree's arena
 */
const char *guard_word_literal (GuardTree *tree, const GuardWord *word);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GuardTree, guard_tree_free)

G_END_DECLS

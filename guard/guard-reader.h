/* The reader's own parts: a position in the text, words, commands. Private to the reader's files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "guard-arena.h"
#include "guard-tree.h"

G_BEGIN_DECLS

/* What is read: the text itself, or what backquotes or a here-document hold once
 * their own escapes are gone. */
typedef struct
{
  const char *text; /* NUL-terminated */
  guint length;
  guint pos;
  const guint *map; /* original offset of each byte; NULL for the text itself */
} GuardSource;

typedef struct _GuardHeredoc GuardHeredoc;

struct _GuardHeredoc
{
  GuardRedirection *redirection;
  GuardHeredoc *next;
};

typedef struct
{
  GuardTree *tree;
  GuardArena *arena;
  GuardSource source;
  guint token_end;        /* where the last token ended, in the source */
  GuardHeredoc *heredocs; /* whose bodies begin after the next newline */
  GuardHeredoc *last_heredoc;
  GPtrArray *stack; /* lists that are being collected */
  guint depth;
  guint n_words;
  gsize brace_steps;
  guint no_bracket_until; /* no `]` ends a bracket that begins before this */
  gboolean in_substitution;
  guint late; /* inside of what bash reads only when it runs it */
  gboolean failed;
} GuardReader;

/* What may be special in a word, by where it stands. */
typedef enum
{
  GUARD_WORD_GLOB = 1 << 0,
  GUARD_WORD_BRACE = 1 << 1,
  GUARD_WORD_TILDE = 1 << 2,
  GUARD_WORD_VALUE = 1 << 3,    /* an assignment's value: tildes after `:` too */
  GUARD_WORD_EXTGLOB = 1 << 4,  /* inside [[ ]] only */
  GUARD_WORD_REGEX = 1 << 5,    /* after =~ */
  GUARD_WORD_ARGUMENT = 1 << 6, /* tildes after NAME= */
  GUARD_WORD_DECLARE = 1 << 7,  /* an argument of export and its kin: NAME=(…) */
} GuardWordFlags;

#define GUARD_WORD_ORDINARY (GUARD_WORD_GLOB | GUARD_WORD_BRACE | GUARD_WORD_TILDE)

/* A word being collected. */
typedef struct
{
  GuardReader *reader;
  GuardWord *word;
  GuardPart **tail;
  char *text; /* the literal that is open */
  gsize length;
  gsize size;
  guint start;
  guint end;
  GuardPartType type;
  gboolean open;
  gboolean quoted;
  guint last;       /* past what was added last */
  gboolean braces;  /* marks for guard_reader_resolve_braces() are among the parts */
  gboolean bracket; /* after a `[` that may hold quotes or expansions */
  GuardPart **bracket_from;
} GuardBuilder;

/* Marks in a list of parts until braces are resolved; never in a finished tree. */
#define GUARD_PART_MARK_OPEN ((GuardPartType) 100)
#define GUARD_PART_MARK_CLOSE ((GuardPartType) 101)
#define GUARD_PART_MARK_COMMA ((GuardPartType) 102)
/* Bare text after an open `[`: part of a glob if a `]` follows, else text. */
#define GUARD_PART_MARK_BRACKET ((GuardPartType) 103)

typedef enum
{
  GUARD_RESERVED_NONE,
  GUARD_RESERVED_IF,
  GUARD_RESERVED_THEN,
  GUARD_RESERVED_ELIF,
  GUARD_RESERVED_ELSE,
  GUARD_RESERVED_FI,
  GUARD_RESERVED_WHILE,
  GUARD_RESERVED_UNTIL,
  GUARD_RESERVED_FOR,
  GUARD_RESERVED_SELECT,
  GUARD_RESERVED_CASE,
  GUARD_RESERVED_ESAC,
  GUARD_RESERVED_IN,
  GUARD_RESERVED_DO,
  GUARD_RESERVED_DONE,
  GUARD_RESERVED_FUNCTION,
  GUARD_RESERVED_TIME,
  GUARD_RESERVED_COPROC,
  GUARD_RESERVED_BANG,
  GUARD_RESERVED_OPEN,
  GUARD_RESERVED_CLOSE,
  GUARD_RESERVED_TEST,
  GUARD_RESERVED_TEST_END,
} GuardReserved;

/* guard-lexer.c */

static inline char
guard_reader_peek_from (const GuardReader *reader, guint pos)
{
  const char *text = reader->source.text;

  while (text[pos] == '\\' && text[pos + 1] == '\n')
    pos += 2;
  return text[pos];
}

/* The current character; passes over line continuations. NUL at the end and after a failure. */
static inline char
guard_reader_char (GuardReader *reader)
{
  GuardSource *source = &reader->source;

  while (source->text[source->pos] == '\\' && source->text[source->pos + 1] == '\n')
    source->pos += 2;
  return source->text[source->pos];
}

/* The character after the current one. */
static inline char
guard_reader_next (GuardReader *reader)
{
  if (guard_reader_char (reader) == '\0')
    return '\0';
  return guard_reader_peek_from (reader, reader->source.pos + 1);
}

static inline void
guard_reader_advance (GuardReader *reader)
{
  if (reader->source.text[reader->source.pos] != '\0')
    reader->source.pos++;
}

guint guard_reader_start_of (const GuardReader *reader, guint pos);
guint guard_reader_end_of (const GuardReader *reader, guint pos);
GuardSpan guard_reader_span (const GuardReader *reader, guint start, guint end);
void guard_reader_took (GuardReader *reader);
gpointer guard_reader_fail (
    GuardReader *reader, const char *rule, const char *message, GuardSpan span, const char *detail);
gpointer guard_reader_unfinished (GuardReader *reader, guint start);
gpointer guard_reader_ambiguous (GuardReader *reader, guint start, guint end);
gpointer guard_reader_unexpected (GuardReader *reader);
gboolean guard_reader_enter (GuardReader *reader);
void guard_reader_leave (GuardReader *reader);
gboolean guard_reader_is_name_start (char c);
gboolean guard_reader_is_name (char c);
gboolean guard_reader_is_meta (char c);
guint guard_reader_name_end (const GuardReader *reader, guint pos);
char *guard_reader_copy (GuardReader *reader, guint start, guint end);
void guard_reader_skip_blanks (GuardReader *reader);
void guard_reader_skip_newlines (GuardReader *reader);
GuardReserved guard_reader_reserved (GuardReader *reader);
gboolean guard_reader_take_reserved (GuardReader *reader, GuardReserved reserved);
guint guard_reader_scan (GuardReader *reader, guint pos, const char *open, guint *inner);
gpointer guard_reader_pop (GuardReader *reader, guint base);

/* guard-heredoc.c */
void guard_reader_expect_heredoc (GuardReader *reader, GuardRedirection *redirection);
void guard_reader_read_heredocs (GuardReader *reader);

/* guard-builder.c */
void guard_builder_init (GuardBuilder *builder, GuardReader *reader);
void guard_builder_add (
    GuardBuilder *builder, const char *text, gsize length, gboolean quoted, guint start, guint end);
void guard_builder_add_glob (GuardBuilder *builder, guint start, guint end);
GuardPart *
guard_builder_part (GuardBuilder *builder, GuardPartType type, gboolean quoted, guint start);
void guard_builder_done (GuardBuilder *builder, GuardPart *part);
void guard_builder_open_bracket (GuardBuilder *builder);
void guard_builder_close_bracket (GuardBuilder *builder);
void guard_builder_flush (GuardBuilder *builder);
GuardWord *guard_builder_finish (GuardBuilder *builder, guint start);
void guard_reader_resolve_braces (GuardReader *reader, GuardWord *word);

/* guard-words.c */
GuardWord *guard_reader_word (GuardReader *reader, GuardWordFlags flags, guint keep_until);
GuardWord *guard_reader_subscript (GuardReader *reader, char stop);
GuardWord *guard_reader_heredoc_word (GuardReader *reader);
GuardWord *guard_reader_operand (GuardReader *reader, gboolean value, gboolean quoted, char stop);
void guard_reader_double (GuardBuilder *builder, char stop);
void guard_reader_quoted (GuardBuilder *builder);
gboolean guard_reader_is_bare_dollar (GuardReader *reader);
void guard_reader_ansi (GuardBuilder *builder);
gboolean guard_reader_tilde (GuardBuilder *builder, const char *ends);
GuardAssignment *guard_reader_assignment (GuardReader *reader);
GuardAssignment *guard_reader_array (GuardReader *reader);

/* guard-expansions.c */
void guard_reader_dollar (GuardBuilder *builder, gboolean quoted);
void guard_reader_backquotes (GuardBuilder *builder, gboolean quoted);
void guard_reader_process (GuardBuilder *builder);
GuardWord *guard_reader_arithmetic (GuardReader *reader, char stop, char stop2);

/* guard-commands.c */
GuardNode *guard_reader_list (GuardReader *reader);
GuardNode *guard_reader_command (GuardReader *reader);
GuardNode *guard_reader_body (GuardReader *reader, guint start);
GuardNode *guard_reader_node (GuardReader *reader, GuardNodeType type, guint start);
void guard_reader_end_node (GuardReader *reader, GuardNode *node);

/* guard-redirections.c */
GuardRedirection *guard_reader_redirection (GuardReader *reader);
gboolean guard_reader_at_descriptor (GuardReader *reader);

/* guard-compounds.c */
GuardNode *guard_reader_compound (GuardReader *reader, GuardReserved reserved);
GuardNode *guard_reader_parenthesis (GuardReader *reader);
GuardNode *guard_reader_function_body (GuardReader *reader, GuardNode *node);

/* guard-conditions.c */
GuardNode *guard_reader_test (GuardReader *reader);

G_END_DECLS

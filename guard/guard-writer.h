/* What the canonical and the raw writer share. Private to the writer's files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "guard-tree.h"

G_BEGIN_DECLS

typedef struct
{
  const GuardTree *tree;
  GString *out;
  GQueue heredocs; /* (element-type char *): bodies to write after the next newline */
  gboolean raw;    /* words as they were written */
  gboolean failed;
} GuardWriter;

/* What surrounds a part: decides which characters need an escape. */
typedef enum
{
  GUARD_WRITE_PLAIN,
  GUARD_WRITE_BRACE,   /* an alternative of {a,b} */
  GUARD_WRITE_DOUBLE,  /* in "…" or in an unquoted here-document */
  GUARD_WRITE_OPERAND, /* in ${…} where quotes are active */
  GUARD_WRITE_REGEX,
} GuardWriteContext;

/* guard-write.c */
void guard_writer_node (GuardWriter *writer, const GuardNode *node);
void guard_writer_newline (GuardWriter *writer);
void guard_writer_array (GuardWriter *writer, const GuardAssignment *items);

/* guard-write-words.c */
void guard_writer_word (GuardWriter *writer, const GuardWord *word, GuardWriteContext context);
void guard_writer_argument (GuardWriter *writer, const GuardWord *word);
void guard_writer_arithmetic (GuardWriter *writer, const GuardWord *word);
void guard_writer_subscript (GuardWriter *writer, const GuardWord *word);
void guard_writer_quote (GString *out, const char *text, gsize length);
void guard_writer_body (GuardWriter *writer, const GuardNode *body);
char *guard_writer_heredoc (GuardWriter *writer, const GuardRedirection *redirection);

/* guard-write-raw.c */
void guard_writer_slice (GuardWriter *writer, guint start, guint end);
void guard_writer_raw_word (GuardWriter *writer, const GuardWord *word);
const char *guard_writer_raw_gap (const GuardTree *tree, guint pos, gboolean *newline);

G_END_DECLS

/* What may be put on a shell's input line without running it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A terminal in canonical mode loses what is past 4,096 bytes; half of that leaves room. */
#define PERFICA_PLACING_MAX 2048

/**
 * PerficaPlacing:
 * @PERFICA_PLACING_OK: it can be placed
 * @PERFICA_PLACING_EMPTY: nothing but spaces
 * @PERFICA_PLACING_LONG: more than %PERFICA_PLACING_MAX bytes
 * @PERFICA_PLACING_LINES: more than one line
 * @PERFICA_PLACING_ENCODING: not valid UTF-8
 * @PERFICA_PLACING_INVISIBLE: it holds characters that can't be seen
 */
typedef enum
{
  PERFICA_PLACING_OK,
  PERFICA_PLACING_EMPTY,
  PERFICA_PLACING_LONG,
  PERFICA_PLACING_LINES,
  PERFICA_PLACING_ENCODING,
  PERFICA_PLACING_INVISIBLE,
} PerficaPlacing;

/**
 * perfica_placing_check:
 * @text: bytes, not trusted
 * @length: in bytes, or -1 if it ends with NUL
 *
 * Pure; safe on any thread.
 *
 * Returns: whether @text may be placed, or the first reason why not
 */
PerficaPlacing perfica_placing_check (const char *text, gssize length);

/**
 * perfica_placing_reason:
 *
 * Returns: (transfer none) (nullable): a translated sentence for a toast, %NULL for OK
 */
const char *perfica_placing_reason (PerficaPlacing placing);

/**
 * PerficaShellKind:
 * @PERFICA_SHELL_LINE_EDITOR: bash, zsh, fish: they turn ICANON off while they wait at the prompt
 * @PERFICA_SHELL_OTHER: dash and whatever else
 */
typedef enum
{
  PERFICA_SHELL_LINE_EDITOR,
  PERFICA_SHELL_OTHER,
} PerficaShellKind;

/**
 * perfica_shell_kind:
 * @program: (nullable): path of a shell
 */
PerficaShellKind perfica_shell_kind (const char *program);

/**
 * PerficaTerminalState:
 * @shell: what kind of shell the terminal started
 * @shell_in_front: the shell itself is the terminal's foreground process group
 * @canonical: ICANON is set
 * @echo: ECHO is set
 * @typed: something stands on the input line already
 */
typedef struct
{
  PerficaShellKind shell;
  gboolean shell_in_front;
  gboolean canonical;
  gboolean echo;
  gboolean typed;
} PerficaTerminalState;

/**
 * perfica_terminal_state_takes:
 *
 * Pure. Whether a command may be placed now: the shell waits at an empty prompt, and no
 * password is being read.
 */
gboolean perfica_terminal_state_takes (const PerficaTerminalState *state);

/**
 * perfica_typed_after:
 * @typed: whether something stood on the input line before
 * @data: what the terminal sent to its child
 * @length: of @data in bytes
 *
 * Pure. A line that was sent or given up leaves an empty one; a terminal's own reply to a query
 * leaves it as it was; anything else counts as typed.
 *
 * Returns: whether something may stand on the input line afterwards
 */
gboolean perfica_typed_after (gboolean typed, const char *data, gsize length);

G_END_DECLS

/* What a command prints: kept at its ends, written whole to a file, handed on piece by piece.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sandbox-protocol.h"

/* The first and the last bytes of one stream. */
typedef struct
{
  char head[SANDBOX_PIECE_MAX];
  char tail[SANDBOX_PIECE_MAX]; /* a ring that ends before tail_at */
  size_t head_length;
  size_t tail_length;
  size_t tail_at;
  uint64_t total;
} SuperviseKept;

void supervise_kept_add (SuperviseKept *kept, const char *data, size_t length);
/* Brings the tail into one piece; it may be added to afterwards. */
const char *supervise_kept_tail (SuperviseKept *kept, size_t *length);

/**
 * SuperviseFile:
 * @fd: or -1
 * @max: its size limit in bytes, the mark left out
 *
 * What doesn't fit, or what the disk refuses, is left out and a mark says so; the command goes on.
 */
typedef struct
{
  int fd;
  uint64_t max;
  uint64_t written;
  bool cut;
  int error;
} SuperviseFile;

void supervise_file_add (SuperviseFile *file, const char *data, size_t length);
/* Writes the mark if anything was left out, and closes it. */
void supervise_file_finish (SuperviseFile *file);

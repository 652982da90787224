/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "guard-context.h"

typedef struct
{
  GuardContext *context;
  GuardState *state;
  const GuardWord *word;
  GString *out;
  GArray *args;  /* fields go here … */
  GuardArg *one; /* … or the one text */
  gboolean computed;
  const GuardPart *tails[16]; /* what follows each brace that is being expanded */
  guint n_tails;
  guint n_braces; /* open ones, and those in front of what is being expanded */
} Expansion;

void guard_value_parameter (Expansion *expansion, const GuardPart *part);
void guard_value_emit (Expansion *expansion);

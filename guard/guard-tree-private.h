/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "guard-arena.h"
#include "guard-tree.h"

struct _GuardTree
{
  GuardArena arena;
  char *text;
  gsize length;
  GuardNode *root;
  GuardReadError error;
  gboolean failed;
};

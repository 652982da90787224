/* A window that asks for the person's word: shown without taking the focus, with answers that
 * need a deliberate act.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-answer-button.h"

G_BEGIN_DECLS

/* One second after it is shown or regains the focus the answers wake; the gateway holds to the
 * same second, so a little more here. */
#define PERFICA_WAKE_MS 1050

/* The rest is virtual methods, below. */
#define PERFICA_TYPE_ASK_WINDOW (perfica_ask_window_get_type ())
G_DECLARE_DERIVABLE_TYPE (PerficaAskWindow, perfica_ask_window, PERFICA, ASK_WINDOW, AdwWindow)

/**
 * PerficaAskWindowClass:
 * @fell_asleep: the second begins anew: the question was put in front of the person
 * @awoke: the second has passed
 * @touched: a key, a click or a turn of the wheel
 * @left: the focus went to another window
 */
struct _PerficaAskWindowClass
{
  AdwWindowClass parent_class;

  void (*fell_asleep) (PerficaAskWindow *self);
  void (*awoke) (PerficaAskWindow *self);
  void (*touched) (PerficaAskWindow *self);
  void (*left) (PerficaAskWindow *self);
};

/**
 * perfica_ask_window_open:
 * @focus: (nullable): what gets the focus inside, once the window has it
 *
 * Shows it, never presents it.
 */
void perfica_ask_window_open (PerficaAskWindow *self, GtkWidget *focus);

/**
 * perfica_ask_window_fit:
 *
 * Makes it as high as its content needs at its default width; the toolkit alone would take the
 * height that the narrowest width needs.
 */
void perfica_ask_window_fit (PerficaAskWindow *self);

/**
 * perfica_ask_window_is_moving:
 *
 * Returns: whether the focus is being moved by Tab or an arrow right now
 */
gboolean perfica_ask_window_is_moving (PerficaAskWindow *self);

G_END_DECLS

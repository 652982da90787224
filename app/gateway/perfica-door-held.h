/* Runs of a client that nobody has confirmed yet: they wait for the person's word.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-wire.h"

G_BEGIN_DECLS

typedef struct _PerficaDoorHeld PerficaDoorHeld;

/* A run's turn has come: @message is it. */
typedef void (*PerficaDoorHeldStart) (PerficaWireMessage *message, gpointer data);
/* A run won't start: nobody answered, or there is nobody to ask. */
typedef void (*PerficaDoorHeldDrop) (gint64 id, PerficaOutcome outcome, gpointer data);

/**
 * perfica_door_held_new:
 * @start: called by perfica_door_held_start_all()
 * @drop: called when one is given up
 * @data: for both; must outlive this
 *
 * Main thread only. No run is started or dropped once it is freed.
 */
PerficaDoorHeld *
perfica_door_held_new (PerficaDoorHeldStart start, PerficaDoorHeldDrop drop, gpointer data);
void perfica_door_held_free (PerficaDoorHeld *self);

/**
 * perfica_door_held_add:
 * @message: a run
 * @seconds: how long it waits for the person; 0 without an end
 *
 * The caller bounds their number (%PERFICA_MAX_RUNS).
 */
void perfica_door_held_add (PerficaDoorHeld *self, PerficaWireMessage *message, guint seconds);

gboolean perfica_door_held_contains (PerficaDoorHeld *self, gint64 id);
guint perfica_door_held_get_size (PerficaDoorHeld *self);

/* The client was confirmed: all start, in the order they came. */
void perfica_door_held_start_all (PerficaDoorHeld *self);
/* All are given up. */
void perfica_door_held_drop_all (PerficaDoorHeld *self, PerficaOutcome outcome);
/* One is given up; %FALSE if it isn't held. */
gboolean perfica_door_held_drop (PerficaDoorHeld *self, gint64 id, PerficaOutcome outcome);

G_END_DECLS

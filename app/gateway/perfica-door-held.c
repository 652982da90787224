/* Runs of a client that nobody has confirmed yet: they wait for the person's word.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-door-held.h"

typedef struct
{
  PerficaDoorHeld *owner;
  PerficaWireMessage *message;
  guint timer;
} Held;

struct _PerficaDoorHeld
{
  GPtrArray *runs; /* Held, oldest first */
  PerficaDoorHeldStart start;
  PerficaDoorHeldDrop drop;
  gpointer data;
};

static void
held_free (gpointer data)
{
  Held *held = data;

  g_clear_handle_id (&held->timer, g_source_remove);
  perfica_wire_message_unref (held->message);
  g_free (held);
}

PerficaDoorHeld *
perfica_door_held_new (PerficaDoorHeldStart start, PerficaDoorHeldDrop drop, gpointer data)
{
  PerficaDoorHeld *self = g_new0 (PerficaDoorHeld, 1);

  self->runs = g_ptr_array_new_with_free_func (held_free);
  self->start = start;
  self->drop = drop;
  self->data = data;
  return self;
}

void
perfica_door_held_free (PerficaDoorHeld *self)
{
  g_ptr_array_unref (self->runs);
  g_free (self);
}

static gboolean
is_overdue (gpointer data)
{
  Held *held = data;

  held->timer = 0;
  perfica_door_held_drop (held->owner, held->message->id, PERFICA_OUTCOME_NOT_ATTACHED);
  return G_SOURCE_REMOVE;
}

void
perfica_door_held_add (PerficaDoorHeld *self, PerficaWireMessage *message, guint seconds)
{
  Held *held = g_new0 (Held, 1);

  held->owner = self;
  held->message = perfica_wire_message_ref (message);
  if (seconds > 0)
    held->timer = g_timeout_add_seconds (seconds, is_overdue, held);
  g_ptr_array_add (self->runs, held);
}

static gboolean
find (PerficaDoorHeld *self, gint64 id, guint *position)
{
  for (guint i = 0; i < self->runs->len; i++)
    {
      const Held *held = self->runs->pdata[i];

      if (held->message->id != id)
        continue;
      *position = i;
      return TRUE;
    }
  return FALSE;
}

gboolean
perfica_door_held_contains (PerficaDoorHeld *self, gint64 id)
{
  guint position;

  return find (self, id, &position);
}

guint
perfica_door_held_get_size (PerficaDoorHeld *self)
{
  return self->runs->len;
}

/* What is called may add or drop others, so they are taken out first. */
static GPtrArray *
take_all (PerficaDoorHeld *self)
{
  GPtrArray *runs = g_steal_pointer (&self->runs);

  self->runs = g_ptr_array_new_with_free_func (held_free);
  return runs;
}

void
perfica_door_held_start_all (PerficaDoorHeld *self)
{
  g_autoptr (GPtrArray) runs = take_all (self);

  for (guint i = 0; i < runs->len; i++)
    self->start (((Held *) runs->pdata[i])->message, self->data);
}

void
perfica_door_held_drop_all (PerficaDoorHeld *self, PerficaOutcome outcome)
{
  g_autoptr (GPtrArray) runs = take_all (self);

  for (guint i = 0; i < runs->len; i++)
    self->drop (((Held *) runs->pdata[i])->message->id, outcome, self->data);
}

gboolean
perfica_door_held_drop (PerficaDoorHeld *self, gint64 id, PerficaOutcome outcome)
{
  guint position;

  if (!find (self, id, &position))
    return FALSE;
  g_ptr_array_remove_index (self->runs, position);
  self->drop (id, outcome, self->data);
  return TRUE;
}

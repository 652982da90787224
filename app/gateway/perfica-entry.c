/* One row of the record as an object that a list can show.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-activity-private.h"

#include <glib/gi18n-lib.h>

struct _PerficaEntry
{
  GObject parent_instance;
  PerficaRow *row;
  GByteArray *head; /* while it runs */
  GByteArray *tail;
  guint64 total;
  gboolean stale; /* row->output is older than head and tail */
};

G_DEFINE_FINAL_TYPE (PerficaEntry, perfica_entry, G_TYPE_OBJECT)

enum
{
  PROP_OUTCOME = 1,
  PROP_OUTPUT,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

static void
perfica_entry_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaEntry *self = PERFICA_ENTRY (object);

  switch (id)
    {
    case PROP_OUTCOME:
      g_value_set_uint (value, self->row->outcome);
      break;
    case PROP_OUTPUT:
      g_value_set_string (value, perfica_entry_get_output (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
perfica_entry_finalize (GObject *object)
{
  PerficaEntry *self = PERFICA_ENTRY (object);

  g_clear_pointer (&self->row, perfica_row_free);
  g_clear_pointer (&self->head, g_byte_array_unref);
  g_clear_pointer (&self->tail, g_byte_array_unref);
  G_OBJECT_CLASS (perfica_entry_parent_class)->finalize (object);
}

static void
perfica_entry_class_init (PerficaEntryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = perfica_entry_get_property;
  object_class->finalize = perfica_entry_finalize;
  properties[PROP_OUTCOME] = g_param_spec_uint ("outcome", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_OUTPUT] = g_param_spec_string ("output", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
perfica_entry_init (PerficaEntry *self)
{
}

PerficaEntry *
perfica_entry_new (PerficaRow *row)
{
  PerficaEntry *self = g_object_new (PERFICA_TYPE_ENTRY, NULL);

  self->row = row;
  return self;
}

const PerficaRow *
perfica_entry_get_row (PerficaEntry *self)
{
  return self->row;
}

void
perfica_entry_append (PerficaEntry *self, GBytes *data)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (data, &length);
  gsize room;

  if (!self->head)
    {
      self->head = g_byte_array_new ();
      self->tail = g_byte_array_new ();
    }
  self->total += length;
  room = MIN (length, PERFICA_OUTPUT_KEPT - self->head->len);
  g_byte_array_append (self->head, bytes, room);
  g_byte_array_append (self->tail, bytes + room, length - room);
  /* Twice the size before it is cut, so that each byte moves once. */
  if (self->tail->len > 2 * PERFICA_OUTPUT_KEPT)
    g_byte_array_remove_range (self->tail, 0, self->tail->len - PERFICA_OUTPUT_KEPT);
  self->stale = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OUTPUT]);
}

static void
refresh_output (PerficaEntry *self)
{
  g_autoptr (GBytes) head = g_bytes_new (self->head->data, self->head->len);
  guint cut = self->tail->len > PERFICA_OUTPUT_KEPT ? self->tail->len - PERFICA_OUTPUT_KEPT : 0;
  g_autoptr (GBytes) tail = g_bytes_new (self->tail->data + cut, self->tail->len - cut);
  guint64 left_out = self->total - g_bytes_get_size (head) - g_bytes_get_size (tail);
  g_autofree char *head_text = NULL;
  g_autofree char *tail_text = NULL;
  g_autofree char *count = NULL;

  g_free (self->row->output);
  self->stale = FALSE;
  if (left_out == 0)
    {
      g_byte_array_append (self->head, g_bytes_get_data (tail, NULL), g_bytes_get_size (tail));
      head = (g_bytes_unref (head), g_bytes_new (self->head->data, self->head->len));
      g_byte_array_set_size (self->head, self->head->len - g_bytes_get_size (tail));
      self->row->output = perfica_wire_text (head);
      return;
    }
  head_text = perfica_wire_text (head);
  tail_text = perfica_wire_text (tail);
  count = g_strdup_printf ("%" G_GUINT64_FORMAT, left_out);
  self->row->output =
      g_strdup_printf (_ ("%s\n[%s bytes left out]\n%s"), head_text, count, tail_text);
}

void
perfica_entry_replace (PerficaEntry *self, PerficaRow *row)
{
  if (self->stale)
    refresh_output (self);
  if (!row->output)
    row->output = g_steal_pointer (&self->row->output);
  perfica_row_free (self->row);
  self->row = row;
  g_clear_pointer (&self->head, g_byte_array_unref);
  g_clear_pointer (&self->tail, g_byte_array_unref);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OUTPUT]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OUTCOME]);
}

const char *
perfica_entry_get_output (PerficaEntry *self)
{
  if (self->stale)
    refresh_output (self);
  return self->row->output;
}

gint64
perfica_entry_get_id (PerficaEntry *self)
{
  return self->row->id;
}

gint64
perfica_entry_get_time (PerficaEntry *self)
{
  return self->row->time;
}

const char *
perfica_entry_get_board (PerficaEntry *self)
{
  return self->row->board;
}

const char *
perfica_entry_get_bubble (PerficaEntry *self)
{
  return self->row->bubble;
}

const char *
perfica_entry_get_folder (PerficaEntry *self)
{
  return self->row->folder;
}

const char *
perfica_entry_get_command (PerficaEntry *self)
{
  return self->row->command;
}

const char *
perfica_entry_get_canonical (PerficaEntry *self)
{
  return self->row->canonical;
}

const char *
perfica_entry_get_reason (PerficaEntry *self)
{
  return self->row->reason;
}

const char *
perfica_entry_get_findings (PerficaEntry *self)
{
  return self->row->findings;
}

const char *
perfica_entry_get_rule (PerficaEntry *self)
{
  return self->row->rule;
}

gboolean
perfica_entry_get_offers_terminal (PerficaEntry *self)
{
  return self->row->terminal;
}

PerficaOutcome
perfica_entry_get_outcome (PerficaEntry *self)
{
  return self->row->outcome;
}

int
perfica_entry_get_exit_code (PerficaEntry *self)
{
  return self->row->exit_code;
}

int
perfica_entry_get_signal (PerficaEntry *self)
{
  return self->row->signal_number;
}

gint64
perfica_entry_get_duration (PerficaEntry *self)
{
  return self->row->duration;
}

const char *
perfica_entry_get_confinement (PerficaEntry *self)
{
  return self->row->confinement;
}

const char *
perfica_entry_get_output_path (PerficaEntry *self)
{
  return self->row->output_path;
}

const char *
perfica_entry_get_client (PerficaEntry *self)
{
  return self->row->client;
}

const char *
perfica_entry_get_answered_by (PerficaEntry *self)
{
  return self->row->answered_by;
}

/* One command's journey as an object: its state is what the window binds to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-request-private.h"

#include "perfica-gateway.h"

G_DEFINE_FINAL_TYPE (PerficaRequest, perfica_request, G_TYPE_OBJECT)

enum
{
  PROP_STATE = 1,
  PROP_OUTCOME,
  PROP_DEADLINE,
  PROP_RECORD,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

enum
{
  OUTPUT,
  DONE,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void
perfica_request_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaRequest *self = PERFICA_REQUEST (object);

  switch (id)
    {
    case PROP_STATE:
      g_value_set_uint (value, self->state);
      break;
    case PROP_OUTCOME:
      g_value_set_uint (value, self->outcome);
      break;
    case PROP_DEADLINE:
      g_value_set_int64 (value, self->deadline);
      break;
    case PROP_RECORD:
      g_value_set_int64 (value, perfica_request_get_record (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
perfica_request_finalize (GObject *object)
{
  PerficaRequest *self = PERFICA_REQUEST (object);

  g_clear_object (&self->gateway);
  g_clear_object (&self->board);
  g_clear_object (&self->bubble);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->valve);
  g_clear_object (&self->entry);
  g_clear_pointer (&self->verdict, guard_verdict_free);
  g_clear_pointer (&self->policy, sandbox_policy_free);
  g_clear_pointer (&self->plan, sandbox_plan_free);
  g_clear_pointer (&self->result, perfica_wire_result_free);
  g_free (self->client);
  g_free (self->command);
  g_free (self->wanted_folder);
  g_free (self->folder);
  g_free (self->tmpdir);
  g_free (self->answered_by);
  g_free (self->message);
  g_free (self->output_path);
  G_OBJECT_CLASS (perfica_request_parent_class)->finalize (object);
}

static void
perfica_request_class_init (PerficaRequestClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = perfica_request_get_property;
  object_class->finalize = perfica_request_finalize;
  properties[PROP_STATE] = g_param_spec_uint ("state", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_OUTCOME] = g_param_spec_uint ("outcome", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_DEADLINE] = g_param_spec_int64 ("deadline", NULL, NULL, 0, G_MAXINT64, 0, flags);
  properties[PROP_RECORD] = g_param_spec_int64 ("record", NULL, NULL, 0, G_MAXINT64, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[OUTPUT] = g_signal_new ("output", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 2, G_TYPE_BOOLEAN, G_TYPE_BYTES);
  signals[DONE] = g_signal_new ("done", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
}

static void
perfica_request_init (PerficaRequest *self)
{
  self->cancellable = g_cancellable_new ();
  self->valve = sandbox_valve_new ();
  self->time = g_get_real_time ();
  self->ending = PERFICA_OUTCOME_PENDING;
  self->outcome = PERFICA_OUTCOME_PENDING;
}

PerficaRequest *
perfica_request_new (PerficaGateway *gateway,
                     PerficaBoard *board,
                     PerficaBubble *bubble,
                     PerficaTools tools,
                     const char *command,
                     const char *folder,
                     guint timeout_seconds)
{
  PerficaRequest *self = g_object_new (PERFICA_TYPE_REQUEST, NULL);

  self->gateway = gateway ? g_object_ref (gateway) : NULL;
  self->board = g_object_ref (board);
  self->bubble = g_object_ref (bubble);
  self->tools = tools;
  self->command = g_strdup (command);
  self->wanted_folder = g_strdup (folder);
  self->folder = g_strdup (perfica_loop_get_folder (perfica_bubble_get_loop (bubble)));
  self->wanted_seconds = timeout_seconds;
  self->sandboxed = perfica_board_get_sandbox_active (board);
  return self;
}

PerficaBoard *
perfica_request_get_board (PerficaRequest *self)
{
  return self->board;
}

PerficaBubble *
perfica_request_get_bubble (PerficaRequest *self)
{
  return self->bubble;
}

const char *
perfica_request_get_command (PerficaRequest *self)
{
  return self->command;
}

const char *
perfica_request_get_folder (PerficaRequest *self)
{
  return self->folder;
}

const GuardVerdict *
perfica_request_get_verdict (PerficaRequest *self)
{
  return self->verdict;
}

PerficaState
perfica_request_get_state (PerficaRequest *self)
{
  return self->state;
}

PerficaOutcome
perfica_request_get_outcome (PerficaRequest *self)
{
  return self->outcome;
}

gboolean
perfica_request_get_sandboxed (PerficaRequest *self)
{
  return self->sandboxed;
}

gint64
perfica_request_get_deadline (PerficaRequest *self)
{
  return self->deadline;
}

gint64
perfica_request_get_record (PerficaRequest *self)
{
  return self->entry ? perfica_entry_get_id (self->entry) : 0;
}

char **
perfica_request_get_kinds (PerficaRequest *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; self->verdict && i < self->verdict->findings->len; i++)
    {
      const GuardFinding *finding = self->verdict->findings->pdata[i];

      if (finding->answer != GUARD_ANSWER_ASK)
        continue;
      if (!finding->kind)
        return NULL;
      if (g_hash_table_add (seen, finding->kind))
        g_strv_builder_add (builder, finding->kind);
    }
  return g_strv_builder_end (builder);
}

char *
perfica_request_dup_kinds (PerficaRequest *self)
{
  g_auto (GStrv) kinds = perfica_request_get_kinds (self);

  return kinds && kinds[0] ? g_strjoinv (", ", kinds) : NULL;
}

void
perfica_request_set_state (PerficaRequest *self, PerficaState state)
{
  if (self->state == state)
    return;
  self->state = state;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

void
perfica_request_set_verdict (PerficaRequest *self, GuardVerdict *verdict)
{
  g_clear_pointer (&self->verdict, guard_verdict_free);
  self->verdict = verdict;
}

void
perfica_request_set_deadline (PerficaRequest *self, gint64 deadline)
{
  if (self->deadline == deadline)
    return;
  self->deadline = deadline;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DEADLINE]);
}

void
perfica_request_emit_output (PerficaRequest *self, gboolean is_stderr, GBytes *data)
{
  g_signal_emit (self, signals[OUTPUT], 0, is_stderr, data);
}

void
perfica_request_finish (PerficaRequest *self, PerficaWireResult *result)
{
  self->result = result;
  self->outcome = result->outcome;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OUTCOME]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RECORD]);
  perfica_request_set_state (self, PERFICA_STATE_DONE);
  g_signal_emit (self, signals[DONE], 0);
}

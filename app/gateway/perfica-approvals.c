/* The queue of commands that wait for a person: first come, first shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-approvals-private.h"

#include "perfica-board-private.h"
#include "perfica-request-private.h"

typedef struct
{
  PerficaApprovals *owner;
  PerficaRequest *request;
  PerficaAnswered answered;
  gint64 shown_at; /* µs, monotonic; 0 while it isn't on show */
  gint64 left;     /* µs, while its clock stands */
  gboolean was_paused;
  gboolean paused;
  guint timer; /* the clock, or the end of the pause */
} Waiting;

struct _PerficaApprovals
{
  GObject parent_instance;
  GPtrArray *queue;
  guint pause_seconds;
};

static GType
perfica_approvals_get_item_type (GListModel *model)
{
  return PERFICA_TYPE_REQUEST;
}

static guint
perfica_approvals_get_n_items (GListModel *model)
{
  return PERFICA_APPROVALS (model)->queue->len;
}

static gpointer
perfica_approvals_get_item (GListModel *model, guint position)
{
  PerficaApprovals *self = PERFICA_APPROVALS (model);

  if (position >= self->queue->len)
    return NULL;
  return g_object_ref (((Waiting *) self->queue->pdata[position])->request);
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = perfica_approvals_get_item_type;
  iface->get_n_items = perfica_approvals_get_n_items;
  iface->get_item = perfica_approvals_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (PerficaApprovals,
                               perfica_approvals,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
waiting_free (gpointer data)
{
  Waiting *waiting = data;

  g_clear_handle_id (&waiting->timer, g_source_remove);
  g_object_unref (waiting->request);
  g_free (waiting);
}

static void
perfica_approvals_finalize (GObject *object)
{
  g_ptr_array_unref (PERFICA_APPROVALS (object)->queue);
  G_OBJECT_CLASS (perfica_approvals_parent_class)->finalize (object);
}

static void
perfica_approvals_class_init (PerficaApprovalsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = perfica_approvals_finalize;
}

static void
perfica_approvals_init (PerficaApprovals *self)
{
  self->queue = g_ptr_array_new_with_free_func (waiting_free);
  self->pause_seconds = PERFICA_PAUSE_SECONDS;
}

PerficaApprovals *
perfica_approvals_new (void)
{
  return g_object_new (PERFICA_TYPE_APPROVALS, NULL);
}

void
perfica_approvals_set_pause_seconds (PerficaApprovals *self, guint seconds)
{
  self->pause_seconds = seconds;
}

static Waiting *
find (PerficaApprovals *self, PerficaRequest *request, guint *position)
{
  for (guint i = 0; i < self->queue->len; i++)
    {
      Waiting *waiting = self->queue->pdata[i];

      if (waiting->request != request)
        continue;
      if (position)
        *position = i;
      return waiting;
    }
  return NULL;
}

static void
count_waiting (PerficaApprovals *self, PerficaBoard *board)
{
  guint n = 0;

  for (guint i = 0; i < self->queue->len; i++)
    n += ((Waiting *) self->queue->pdata[i])->request->board == board;
  perfica_board_set_waiting (board, n);
}

/* Returns: (transfer full) */
static PerficaRequest *
take_out (PerficaApprovals *self, guint position)
{
  Waiting *waiting = self->queue->pdata[position];
  PerficaRequest *request = g_object_ref (waiting->request);

  g_ptr_array_remove_index (self->queue, position);
  perfica_request_set_deadline (request, 0);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
  count_waiting (self, request->board);
  return request;
}

static gboolean
time_is_over (gpointer data)
{
  Waiting *waiting = data;
  PerficaApprovals *self = waiting->owner;
  PerficaAnswered answered = waiting->answered;
  g_autoptr (PerficaRequest) request = NULL;
  guint position;

  waiting->timer = 0;
  if (!find (self, waiting->request, &position))
    return G_SOURCE_REMOVE;
  request = take_out (self, position);
  answered (request, FALSE, PERFICA_DECISION_DENY, NULL);
  return G_SOURCE_REMOVE;
}

static void
start_clock (Waiting *waiting, gint64 left)
{
  left = MAX (left, 0);
  perfica_request_set_deadline (waiting->request, g_get_monotonic_time () + left);
  waiting->timer = g_timeout_add ((left + 999) / 1000, time_is_over, waiting);
}

gboolean
perfica_approvals_add (PerficaApprovals *self,
                       PerficaRequest *request,
                       guint seconds,
                       PerficaAnswered answered)
{
  Waiting *waiting;

  if (self->queue->len >= PERFICA_MAX_WAITING)
    return FALSE;
  waiting = g_new0 (Waiting, 1);
  waiting->owner = self;
  waiting->request = g_object_ref (request);
  waiting->answered = answered;
  g_ptr_array_add (self->queue, waiting);
  if (seconds > 0)
    start_clock (waiting, (gint64) seconds * G_USEC_PER_SEC);
  g_list_model_items_changed (G_LIST_MODEL (self), self->queue->len - 1, 0, 1);
  count_waiting (self, request->board);
  return TRUE;
}

gboolean
perfica_approvals_withdraw (PerficaApprovals *self, PerficaRequest *request)
{
  guint position;

  if (!find (self, request, &position))
    return FALSE;
  g_object_unref (take_out (self, position));
  return TRUE;
}

void
perfica_approvals_set_shown (PerficaApprovals *self, PerficaRequest *request, gboolean shown)
{
  Waiting *waiting = find (self, request, NULL);

  if (waiting)
    waiting->shown_at = shown ? g_get_monotonic_time () : 0;
}

static void
go_on (Waiting *waiting)
{
  waiting->paused = FALSE;
  start_clock (waiting, waiting->left);
}

static gboolean
pause_is_over (gpointer data)
{
  Waiting *waiting = data;

  waiting->timer = 0;
  go_on (waiting);
  return G_SOURCE_REMOVE;
}

gboolean
perfica_approvals_pause (PerficaApprovals *self, PerficaRequest *request)
{
  Waiting *waiting = find (self, request, NULL);

  if (!waiting || waiting->was_paused || waiting->timer == 0)
    return FALSE;
  waiting->was_paused = waiting->paused = TRUE;
  waiting->left = perfica_request_get_deadline (request) - g_get_monotonic_time ();
  g_clear_handle_id (&waiting->timer, g_source_remove);
  waiting->timer = g_timeout_add_seconds (self->pause_seconds, pause_is_over, waiting);
  perfica_request_set_deadline (request, 0);
  return TRUE;
}

void
perfica_approvals_resume (PerficaApprovals *self, PerficaRequest *request)
{
  Waiting *waiting = find (self, request, NULL);

  if (!waiting || !waiting->paused)
    return;
  g_clear_handle_id (&waiting->timer, g_source_remove);
  go_on (waiting);
}

gboolean
perfica_approvals_answer (PerficaApprovals *self,
                          PerficaRequest *request,
                          PerficaDecision decision,
                          const char *message)
{
  guint position;
  Waiting *waiting = find (self, request, &position);
  g_autoptr (PerficaRequest) held G_GNUC_UNUSED = NULL;
  PerficaAnswered answered;

  if (!waiting)
    return FALSE;
  if (decision != PERFICA_DECISION_DENY &&
      (waiting->shown_at == 0 ||
       g_get_monotonic_time () - waiting->shown_at < PERFICA_ALLOW_DELAY_US))
    return FALSE;
  answered = waiting->answered;
  held = take_out (self, position);
  answered (held, TRUE, decision, message);
  return TRUE;
}

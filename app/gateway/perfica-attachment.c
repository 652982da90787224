/* A client that attached as a bubble; the window confirms its first time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-attachment-private.h"

#include "perfica-board-private.h"
#include "perfica-origin.h"

struct _PerficaAttachment
{
  GObject parent_instance;
  PerficaBoard *board;
  PerficaBubble *bubble;
  char *executable;
  char *client;
  char *shown;
  char *key;
  char *folder;
  pid_t pid;
  gboolean confirmed;
  guint connections;
  gint64 left;
  guint expiry;
};

G_DEFINE_FINAL_TYPE (PerficaAttachment, perfica_attachment, G_TYPE_OBJECT)

enum
{
  PROP_CONFIRMED = 1,
  PROP_CONNECTED,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

enum
{
  CONFIRMED,
  TURNED_AWAY,
  EXPIRED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void
perfica_attachment_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaAttachment *self = PERFICA_ATTACHMENT (object);

  switch (id)
    {
    case PROP_CONFIRMED:
      g_value_set_boolean (value, self->confirmed);
      break;
    case PROP_CONNECTED:
      g_value_set_boolean (value, self->connections > 0);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
perfica_attachment_finalize (GObject *object)
{
  PerficaAttachment *self = PERFICA_ATTACHMENT (object);

  g_clear_handle_id (&self->expiry, g_source_remove);
  g_clear_object (&self->board);
  g_clear_object (&self->bubble);
  g_free (self->executable);
  g_free (self->client);
  g_free (self->shown);
  g_free (self->key);
  g_free (self->folder);
  G_OBJECT_CLASS (perfica_attachment_parent_class)->finalize (object);
}

static guint
make_signal (PerficaAttachmentClass *klass, const char *name)
{
  return g_signal_new (name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, 0);
}

static void
perfica_attachment_class_init (PerficaAttachmentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = perfica_attachment_get_property;
  object_class->finalize = perfica_attachment_finalize;
  properties[PROP_CONFIRMED] = g_param_spec_boolean ("confirmed", NULL, NULL, FALSE, flags);
  properties[PROP_CONNECTED] = g_param_spec_boolean ("connected", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[CONFIRMED] = make_signal (klass, "confirmed");
  signals[TURNED_AWAY] = make_signal (klass, "turned-away");
  signals[EXPIRED] = make_signal (klass, "expired");
}

static void
perfica_attachment_init (PerficaAttachment *self)
{
}

char *
perfica_attachment_make_key (PerficaBoard *board,
                             PerficaBubble *bubble,
                             const char *program,
                             const char *client)
{
  return g_strjoin ("\n", perfica_board_get_id (board), perfica_bubble_get_name (bubble), program,
                    client, NULL);
}

PerficaAttachment *
perfica_attachment_new (PerficaBoard *board,
                        PerficaBubble *bubble,
                        const char *program,
                        const char *starter,
                        const char *client,
                        pid_t pid,
                        const char *folder)
{
  PerficaAttachment *self = g_object_new (PERFICA_TYPE_ATTACHMENT, NULL);

  self->board = g_object_ref (board);
  self->bubble = g_object_ref (bubble);
  self->executable = g_strdup (program);
  self->client = g_strdup (client);
  self->shown = perfica_origin_describe (starter, program, client);
  self->key = perfica_attachment_make_key (board, bubble, program, client);
  self->folder = perfica_origin_escape (folder);
  self->pid = pid;
  return self;
}

PerficaBoard *
perfica_attachment_get_board (PerficaAttachment *self)
{
  return self->board;
}

PerficaBubble *
perfica_attachment_get_bubble (PerficaAttachment *self)
{
  return self->bubble;
}

const char *
perfica_attachment_get_program (PerficaAttachment *self)
{
  return self->shown;
}

int
perfica_attachment_get_pid (PerficaAttachment *self)
{
  return self->pid;
}

const char *
perfica_attachment_get_folder (PerficaAttachment *self)
{
  return self->folder;
}

const char *
perfica_attachment_get_key (PerficaAttachment *self)
{
  return self->key;
}

gboolean
perfica_attachment_get_confirmed (PerficaAttachment *self)
{
  return self->confirmed;
}

gboolean
perfica_attachment_get_connected (PerficaAttachment *self)
{
  return self->connections > 0;
}

gint64
perfica_attachment_get_left (PerficaAttachment *self)
{
  return self->left;
}

void
perfica_attachment_set_confirmed (PerficaAttachment *self)
{
  if (self->confirmed)
    return;
  self->confirmed = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CONFIRMED]);
}

void
perfica_attachment_connect (PerficaAttachment *self, pid_t pid, const char *starter)
{
  self->pid = pid;
  g_free (self->shown);
  self->shown = perfica_origin_describe (starter, self->executable, self->client);
  self->left = 0;
  g_clear_handle_id (&self->expiry, g_source_remove);
  if (self->connections++ == 0)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CONNECTED]);
}

static gboolean
has_expired (gpointer data)
{
  PerficaAttachment *self = data;

  self->expiry = 0;
  g_signal_emit (self, signals[EXPIRED], 0);
  return G_SOURCE_REMOVE;
}

void
perfica_attachment_disconnect (PerficaAttachment *self)
{
  g_return_if_fail (self->connections > 0);
  if (--self->connections > 0)
    return;
  self->left = g_get_real_time ();
  self->expiry = g_timeout_add_seconds (PERFICA_ATTACHMENT_KEPT_SECONDS, has_expired, self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CONNECTED]);
}

void
perfica_attachment_confirm (PerficaAttachment *self)
{
  if (self->confirmed)
    return;
  perfica_bubble_remember_client (self->bubble, self->executable, self->client);
  perfica_board_changed (self->board);
  perfica_attachment_set_confirmed (self);
  g_signal_emit (self, signals[CONFIRMED], 0);
}

void
perfica_attachment_turn_away (PerficaAttachment *self)
{
  g_signal_emit (self, signals[TURNED_AWAY], 0);
}

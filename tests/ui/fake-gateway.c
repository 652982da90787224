/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fake-gateway.h"

#include <string.h>

/* Docker's image */

struct _PerficaImage
{
  GObject parent_instance;
  FakeImage says;
  char *name;
};
G_DEFINE_FINAL_TYPE (PerficaImage, perfica_image, G_TYPE_OBJECT)

static void
perfica_image_finalize (GObject *object)
{
  g_free (PERFICA_IMAGE (object)->name);
  G_OBJECT_CLASS (perfica_image_parent_class)->finalize (object);
}

static void
perfica_image_class_init (PerficaImageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = perfica_image_finalize;
  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
perfica_image_init (PerficaImage *self)
{
  self->name = g_strdup (SANDBOX_DEFAULT_IMAGE);
}

PerficaImageState
perfica_image_get_state (PerficaImage *self)
{
  return self->says.state;
}

const char *
perfica_image_get_name (PerficaImage *self)
{
  return self->name;
}

const char *
perfica_image_get_digest (PerficaImage *self)
{
  return self->says.digest;
}

guint64
perfica_image_get_size (PerficaImage *self)
{
  return self->says.size;
}

guint64
perfica_image_get_done (PerficaImage *self)
{
  return self->says.done;
}

guint64
perfica_image_get_free (PerficaImage *self)
{
  return self->says.free;
}

gboolean
perfica_image_get_fits (PerficaImage *self)
{
  return self->says.free / PERFICA_IMAGE_SPACE_FACTOR >= self->says.size;
}

const char *
perfica_image_get_problem (PerficaImage *self)
{
  return self->says.problem;
}

static void
image_become (PerficaImage *self, PerficaImageState state)
{
  self->says.state = state;
  g_signal_emit_by_name (self, "changed");
}

void
perfica_image_ask (PerficaImage *self)
{
  self->says.asked++;
  image_become (self, PERFICA_IMAGE_ASKING);
}

void
perfica_image_download (PerficaImage *self)
{
  self->says.downloads++;
  image_become (self, PERFICA_IMAGE_DOWNLOADING);
}

void
perfica_image_cancel (PerficaImage *self)
{
  self->says.cancels++;
  image_become (self, PERFICA_IMAGE_IDLE);
}

gboolean
perfica_image_set_name (PerficaImage *self, const char *name, GError **error)
{
  if (name[0] == '-')
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "That is no name");
      return FALSE;
    }
  g_free (self->name);
  self->name = g_strdup (name[0] != '\0' ? name : SANDBOX_DEFAULT_IMAGE);
  self->says.digest = NULL;
  g_signal_emit_by_name (self, "changed");
  return TRUE;
}

void
perfica_image_forget (PerficaImage *self)
{
  self->says.digest = NULL;
  g_signal_emit_by_name (self, "changed");
}

/* Boards, loops, bubbles, grants */

struct _PerficaLoop
{
  GObject parent_instance;
  char *name;
  char *folder;
};
G_DEFINE_FINAL_TYPE (PerficaLoop, perfica_loop, G_TYPE_OBJECT)

static void
perfica_loop_finalize (GObject *object)
{
  PerficaLoop *self = PERFICA_LOOP (object);

  g_free (self->name);
  g_free (self->folder);
  G_OBJECT_CLASS (perfica_loop_parent_class)->finalize (object);
}

static void
perfica_loop_class_init (PerficaLoopClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = perfica_loop_finalize;
}

static void
perfica_loop_init (PerficaLoop *self)
{
}

const char *
perfica_loop_get_name (PerficaLoop *self)
{
  return self->name;
}

const char *
perfica_loop_get_folder (PerficaLoop *self)
{
  return self->folder;
}

struct _PerficaBubble
{
  GObject parent_instance;
  char *name;
  PerficaRole role;
  PerficaTools tools;
  PerficaLoop *loop;
};
G_DEFINE_FINAL_TYPE (PerficaBubble, perfica_bubble, G_TYPE_OBJECT)

static void
perfica_bubble_finalize (GObject *object)
{
  PerficaBubble *self = PERFICA_BUBBLE (object);

  g_free (self->name);
  g_clear_object (&self->loop);
  G_OBJECT_CLASS (perfica_bubble_parent_class)->finalize (object);
}

static void
perfica_bubble_class_init (PerficaBubbleClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = perfica_bubble_finalize;
}

static void
perfica_bubble_init (PerficaBubble *self)
{
}

const char *
perfica_bubble_get_name (PerficaBubble *self)
{
  return self->name;
}

PerficaRole
perfica_bubble_get_role (PerficaBubble *self)
{
  return self->role;
}

PerficaTools
perfica_bubble_get_tools (PerficaBubble *self)
{
  return self->tools;
}

PerficaLoop *
perfica_bubble_get_loop (PerficaBubble *self)
{
  return self->loop;
}

PerficaTools
perfica_role_get_tools (PerficaRole role)
{
  switch (role)
    {
    case PERFICA_ROLE_CODER:
      return PERFICA_TOOL_READ | PERFICA_TOOL_WRITE | PERFICA_TOOL_RUN;
    case PERFICA_ROLE_REVIEWER:
      return PERFICA_TOOL_READ | PERFICA_TOOL_RUN;
    case PERFICA_ROLE_RESEARCHER:
      return PERFICA_TOOL_READ;
    case PERFICA_ROLE_CUSTOM:
    default:
      return 0;
    }
}

struct _PerficaGrant
{
  GObject parent_instance;
  char *kind;
  gint64 since;
  guint used;
};
G_DEFINE_FINAL_TYPE (PerficaGrant, perfica_grant, G_TYPE_OBJECT)

static void
perfica_grant_finalize (GObject *object)
{
  g_free (PERFICA_GRANT (object)->kind);
  G_OBJECT_CLASS (perfica_grant_parent_class)->finalize (object);
}

static void
perfica_grant_class_init (PerficaGrantClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = perfica_grant_finalize;
}

static void
perfica_grant_init (PerficaGrant *self)
{
}

const char *
perfica_grant_get_kind (PerficaGrant *self)
{
  return self->kind;
}

gint64
perfica_grant_get_since (PerficaGrant *self)
{
  return self->since;
}

guint
perfica_grant_get_used (PerficaGrant *self)
{
  return self->used;
}

struct _PerficaBoard
{
  GObject parent_instance;
  char *name;
  char *folder;
  gboolean full_auto;
  PerficaSandboxChoice sandbox;
  gboolean best_effort;
  guint waiting;
  gboolean *default_on;
  GListStore *loops;
  GListStore *bubbles;
  GListStore *grants;
};
G_DEFINE_FINAL_TYPE (PerficaBoard, perfica_board, G_TYPE_OBJECT)

enum
{
  BOARD_PROP_0,
  BOARD_PROP_FULL_AUTO,
  BOARD_PROP_WAITING,
  BOARD_N_PROPS
};
static GParamSpec *board_props[BOARD_N_PROPS];

static void
perfica_board_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaBoard *self = PERFICA_BOARD (object);

  if (id == BOARD_PROP_FULL_AUTO)
    g_value_set_boolean (value, self->full_auto);
  else
    g_value_set_uint (value, self->waiting);
}

static void
perfica_board_finalize (GObject *object)
{
  PerficaBoard *self = PERFICA_BOARD (object);

  g_free (self->name);
  g_free (self->folder);
  g_clear_object (&self->loops);
  g_clear_object (&self->bubbles);
  g_clear_object (&self->grants);
  G_OBJECT_CLASS (perfica_board_parent_class)->finalize (object);
}

static void
perfica_board_class_init (PerficaBoardClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = perfica_board_get_property;
  object_class->finalize = perfica_board_finalize;
  board_props[BOARD_PROP_FULL_AUTO] =
      g_param_spec_boolean ("full-auto", NULL, NULL, FALSE, G_PARAM_READABLE);
  board_props[BOARD_PROP_WAITING] =
      g_param_spec_uint ("waiting", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READABLE);
  g_object_class_install_properties (object_class, BOARD_N_PROPS, board_props);
}

static void
perfica_board_init (PerficaBoard *self)
{
  self->loops = g_list_store_new (PERFICA_TYPE_LOOP);
  self->bubbles = g_list_store_new (PERFICA_TYPE_BUBBLE);
  self->grants = g_list_store_new (PERFICA_TYPE_GRANT);
}

const char *
perfica_board_get_id (PerficaBoard *self)
{
  return self->name;
}

const char *
perfica_board_get_name (PerficaBoard *self)
{
  return self->name;
}

const char *
perfica_board_get_folder (PerficaBoard *self)
{
  return self->folder;
}

gboolean
perfica_board_get_full_auto (PerficaBoard *self)
{
  return self->full_auto;
}

void
perfica_board_set_full_auto (PerficaBoard *self, gboolean on)
{
  self->full_auto = on;
  g_object_notify_by_pspec (G_OBJECT (self), board_props[BOARD_PROP_FULL_AUTO]);
}

PerficaSandboxChoice
perfica_board_get_sandbox (PerficaBoard *self)
{
  return self->sandbox;
}

void
perfica_board_set_sandbox (PerficaBoard *self, PerficaSandboxChoice choice)
{
  self->sandbox = choice;
  g_object_notify_by_pspec (G_OBJECT (self), board_props[BOARD_PROP_FULL_AUTO]);
}

gboolean
perfica_board_get_sandbox_active (PerficaBoard *self)
{
  if (self->sandbox == PERFICA_SANDBOX_DEFAULT)
    return *self->default_on;
  return self->sandbox == PERFICA_SANDBOX_ON;
}

gboolean
perfica_board_get_best_effort_tree (PerficaBoard *self)
{
  return self->best_effort;
}

void
perfica_board_set_best_effort_tree (PerficaBoard *self, gboolean on)
{
  self->best_effort = on;
}

guint
perfica_board_get_waiting (PerficaBoard *self)
{
  return self->waiting;
}

void
fake_board_set_waiting (PerficaBoard *self, guint waiting)
{
  self->waiting = waiting;
  g_object_notify_by_pspec (G_OBJECT (self), board_props[BOARD_PROP_WAITING]);
}

GListModel *
perfica_board_get_loops (PerficaBoard *self)
{
  return G_LIST_MODEL (self->loops);
}

GListModel *
perfica_board_get_bubbles (PerficaBoard *self)
{
  return G_LIST_MODEL (self->bubbles);
}

GListModel *
perfica_board_get_grants (PerficaBoard *self)
{
  return G_LIST_MODEL (self->grants);
}

PerficaLoop *
perfica_board_add_loop (PerficaBoard *self, const char *name, const char *folder, GError **error)
{
  g_autoptr (PerficaLoop) loop = g_object_new (PERFICA_TYPE_LOOP, NULL);

  if (g_str_has_prefix (folder, ".."))
    {
      g_set_error_literal (error, PERFICA_ERROR, PERFICA_ERROR_FOLDER,
                           "That folder is outside the project.");
      return NULL;
    }
  loop->name = g_strdup (name);
  loop->folder = g_strdup (folder);
  g_list_store_append (self->loops, loop);
  return loop;
}

static gboolean
take_out (GListStore *store, gpointer item)
{
  guint position;

  if (!g_list_store_find (store, item, &position))
    return FALSE;
  g_list_store_remove (store, position);
  return TRUE;
}

gboolean
perfica_board_remove_loop (PerficaBoard *self, PerficaLoop *loop, GError **error)
{
  return take_out (self->loops, loop);
}

PerficaBubble *
perfica_board_add_bubble (PerficaBoard *self,
                          const char *name,
                          PerficaRole role,
                          PerficaTools custom_tools,
                          PerficaLoop *loop,
                          GError **error)
{
  g_autoptr (PerficaBubble) bubble = g_object_new (PERFICA_TYPE_BUBBLE, NULL);

  bubble->name = g_strdup (name);
  bubble->role = role;
  bubble->tools = role == PERFICA_ROLE_CUSTOM ? custom_tools : perfica_role_get_tools (role);
  bubble->loop = g_object_ref (loop);
  g_list_store_append (self->bubbles, bubble);
  return bubble;
}

gboolean
perfica_board_remove_bubble (PerficaBoard *self, PerficaBubble *bubble, GError **error)
{
  return take_out (self->bubbles, bubble);
}

void
perfica_board_revoke (PerficaBoard *self, PerficaGrant *grant)
{
  take_out (self->grants, grant);
}

void
fake_board_add_grant (PerficaBoard *self, const char *kind, guint used)
{
  g_autoptr (PerficaGrant) grant = g_object_new (PERFICA_TYPE_GRANT, NULL);

  grant->kind = g_strdup (kind);
  grant->since = g_get_real_time ();
  grant->used = used;
  g_list_store_append (self->grants, grant);
}

/* Requests and approvals */

struct _PerficaRequest
{
  GObject parent_instance;
  PerficaBoard *board;
  PerficaBubble *bubble;
  char *command;
  char *kind;
  GuardVerdict verdict;
  GuardFinding finding;
  PerficaState state;
  gint64 deadline;
  gint64 left; /* while paused */
};
G_DEFINE_FINAL_TYPE (PerficaRequest, perfica_request, G_TYPE_OBJECT)

static void
perfica_request_finalize (GObject *object)
{
  PerficaRequest *self = PERFICA_REQUEST (object);

  g_clear_object (&self->board);
  g_clear_object (&self->bubble);
  g_free (self->command);
  g_free (self->kind);
  g_ptr_array_unref (self->verdict.findings);
  G_OBJECT_CLASS (perfica_request_parent_class)->finalize (object);
}

static void
perfica_request_class_init (PerficaRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = perfica_request_finalize;
}

static void
perfica_request_init (PerficaRequest *self)
{
  self->verdict.findings = g_ptr_array_new ();
  self->verdict.answer = GUARD_ANSWER_ASK;
  self->finding.answer = GUARD_ANSWER_ASK;
  self->finding.rule = "git.push";
  self->finding.message = "It changes a repository that others share.";
  self->state = PERFICA_STATE_ASKING;
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
  return "packages/web";
}

const GuardVerdict *
perfica_request_get_verdict (PerficaRequest *self)
{
  return &self->verdict;
}

PerficaState
perfica_request_get_state (PerficaRequest *self)
{
  return self->state;
}

gboolean
perfica_request_get_sandboxed (PerficaRequest *self)
{
  return perfica_board_get_sandbox_active (self->board);
}

gint64
perfica_request_get_deadline (PerficaRequest *self)
{
  return self->deadline;
}

char *
perfica_request_dup_kinds (PerficaRequest *self)
{
  return g_strdup (self->kind);
}

char *
guard_finding_text (const GuardFinding *finding, const char *translated)
{
  return g_strdup (translated != NULL ? translated : finding->message);
}

struct _PerficaApprovals
{
  GObject parent_instance;
  GPtrArray *waiting;
  FakeAnswers answers;
};

static GType
approvals_item_type (GListModel *model)
{
  return PERFICA_TYPE_REQUEST;
}

static guint
approvals_n_items (GListModel *model)
{
  return PERFICA_APPROVALS (model)->waiting->len;
}

static gpointer
approvals_item (GListModel *model, guint position)
{
  GPtrArray *waiting = PERFICA_APPROVALS (model)->waiting;

  return position < waiting->len ? g_object_ref (g_ptr_array_index (waiting, position)) : NULL;
}

static void
approvals_list_init (GListModelInterface *iface)
{
  iface->get_item_type = approvals_item_type;
  iface->get_n_items = approvals_n_items;
  iface->get_item = approvals_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (PerficaApprovals,
                               perfica_approvals,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, approvals_list_init))

static void
perfica_approvals_finalize (GObject *object)
{
  PerficaApprovals *self = PERFICA_APPROVALS (object);

  g_ptr_array_unref (self->waiting);
  g_free (self->answers.message);
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
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
}

void
perfica_approvals_set_shown (PerficaApprovals *self, PerficaRequest *request, gboolean shown)
{
  if (shown)
    {
      self->answers.shown = request;
      self->answers.shown_at = g_get_monotonic_time ();
    }
  else if (self->answers.shown == request)
    self->answers.shown = NULL;
}

gboolean
perfica_approvals_pause (PerficaApprovals *self, PerficaRequest *request)
{
  if (self->answers.pauses > 0)
    return FALSE;
  self->answers.pauses++;
  request->left = request->deadline - g_get_monotonic_time ();
  request->deadline = 0;
  return TRUE;
}

void
perfica_approvals_resume (PerficaApprovals *self, PerficaRequest *request)
{
  self->answers.resumes++;
  request->deadline = g_get_monotonic_time () + request->left;
}

static void
approvals_remove (PerficaApprovals *self, PerficaRequest *request)
{
  guint position;

  request->state = PERFICA_STATE_DONE;
  if (!g_ptr_array_find (self->waiting, request, &position))
    return;
  g_ptr_array_remove_index (self->waiting, position);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
}

gboolean
perfica_approvals_answer (PerficaApprovals *self,
                          PerficaRequest *request,
                          PerficaDecision decision,
                          const char *message)
{
  if (decision != PERFICA_DECISION_DENY &&
      (self->answers.shown != request ||
       g_get_monotonic_time () - self->answers.shown_at < PERFICA_ALLOW_DELAY_US))
    {
      self->answers.too_soon++;
      return FALSE;
    }
  self->answers.answers++;
  self->answers.decision = decision;
  self->answers.request = request;
  g_free (self->answers.message);
  self->answers.message = g_strdup (message);
  approvals_remove (self, request);
  return TRUE;
}

/* Attachments */

struct _PerficaAttachment
{
  GObject parent_instance;
  PerficaBoard *board;
  PerficaBubble *bubble;
  gboolean confirmed;
  gboolean gone;
  gboolean turned_away;
};
G_DEFINE_FINAL_TYPE (PerficaAttachment, perfica_attachment, G_TYPE_OBJECT)

static GParamSpec *attachment_confirmed;

static void
perfica_attachment_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, PERFICA_ATTACHMENT (object)->confirmed);
}

static void
perfica_attachment_finalize (GObject *object)
{
  PerficaAttachment *self = PERFICA_ATTACHMENT (object);

  g_clear_object (&self->board);
  g_clear_object (&self->bubble);
  G_OBJECT_CLASS (perfica_attachment_parent_class)->finalize (object);
}

static void
perfica_attachment_class_init (PerficaAttachmentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = perfica_attachment_get_property;
  object_class->finalize = perfica_attachment_finalize;
  attachment_confirmed = g_param_spec_boolean ("confirmed", NULL, NULL, FALSE, G_PARAM_READABLE);
  g_object_class_install_property (object_class, 1, attachment_confirmed);
}

static void
perfica_attachment_init (PerficaAttachment *self)
{
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
  return "/usr/bin/node (claude-code 2.1)";
}

int
perfica_attachment_get_pid (PerficaAttachment *self)
{
  return 4711;
}

const char *
perfica_attachment_get_folder (PerficaAttachment *self)
{
  return self->board->folder;
}

gboolean
perfica_attachment_get_confirmed (PerficaAttachment *self)
{
  return self->confirmed;
}

gboolean
perfica_attachment_get_connected (PerficaAttachment *self)
{
  return !self->gone;
}

gint64
perfica_attachment_get_left (PerficaAttachment *self)
{
  return self->gone ? 1800000000 * G_GINT64_CONSTANT (1000000) : 0;
}

void
perfica_attachment_confirm (PerficaAttachment *self)
{
  self->confirmed = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), attachment_confirmed);
}

void
perfica_attachment_turn_away (PerficaAttachment *self)
{
  self->gone = self->turned_away = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), attachment_confirmed);
}

void
fake_attachment_leave (PerficaAttachment *self)
{
  self->gone = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), attachment_confirmed);
}

gboolean
fake_attachment_turned_away (PerficaAttachment *self)
{
  return self->turned_away;
}

/* Activity */

struct _PerficaEntry
{
  GObject parent_instance;
  gint64 id;
  gint64 time;
  char *board;
  FakeEntry values;
  GString *output;
};
G_DEFINE_FINAL_TYPE (PerficaEntry, perfica_entry, G_TYPE_OBJECT)

static GParamSpec *entry_output;

static void
perfica_entry_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, PERFICA_ENTRY (object)->output->str);
}

static void
perfica_entry_finalize (GObject *object)
{
  PerficaEntry *self = PERFICA_ENTRY (object);

  g_free (self->board);
  g_string_free (self->output, TRUE);
  G_OBJECT_CLASS (perfica_entry_parent_class)->finalize (object);
}

static void
perfica_entry_class_init (PerficaEntryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = perfica_entry_get_property;
  object_class->finalize = perfica_entry_finalize;
  entry_output = g_param_spec_string ("output", NULL, NULL, NULL, G_PARAM_READABLE);
  g_object_class_install_property (object_class, 1, entry_output);
}

static void
perfica_entry_init (PerficaEntry *self)
{
  self->output = g_string_new (NULL);
}

#define GETTER(type, name, value)                                                                  \
  type perfica_entry_get_##name (PerficaEntry *self)                                               \
  {                                                                                                \
    return value;                                                                                  \
  }

GETTER (gint64, id, self->id)
GETTER (gint64, time, self->time)
GETTER (const char *, board, self->board)
GETTER (const char *, bubble, self->values.bubble)
GETTER (const char *, folder, self->values.folder)
GETTER (const char *, command, self->values.command)
GETTER (const char *, canonical, self->values.canonical)
GETTER (const char *, reason, self->values.reason)
GETTER (const char *, findings, self->values.findings)
GETTER (const char *, rule, NULL)
GETTER (gboolean, offers_terminal, self->values.offers_terminal)
GETTER (PerficaOutcome, outcome, self->values.outcome)
GETTER (int, exit_code, self->values.exit_code)
GETTER (int, signal, 0)
GETTER (gint64, duration, self->values.duration)
GETTER (const char *, confinement, self->values.confinement)
GETTER (const char *, output_path, NULL)
GETTER (const char *, output, self->output->str)
GETTER (const char *, answered_by, NULL)
GETTER (const char *, client, NULL)

void
fake_entry_print (PerficaEntry *self, const char *more)
{
  g_string_append (self->output, more);
  g_object_notify_by_pspec (G_OBJECT (self), entry_output);
}

struct _PerficaActivity
{
  GObject parent_instance;
  GPtrArray *entries; /* newest first */
  GPtrArray *lists;
};
G_DEFINE_FINAL_TYPE (PerficaActivity, perfica_activity, G_TYPE_OBJECT)

static void
perfica_activity_finalize (GObject *object)
{
  PerficaActivity *self = PERFICA_ACTIVITY (object);

  g_ptr_array_unref (self->entries);
  g_ptr_array_unref (self->lists);
  G_OBJECT_CLASS (perfica_activity_parent_class)->finalize (object);
}

static void
perfica_activity_class_init (PerficaActivityClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = perfica_activity_finalize;
}

static void
perfica_activity_init (PerficaActivity *self)
{
  self->entries = g_ptr_array_new_with_free_func (g_object_unref);
  self->lists = g_ptr_array_new_with_free_func (g_object_unref);
}

static gboolean
fits (PerficaEntry *entry, const char *board, const char *search, PerficaFilter filter)
{
  if (board != NULL && strcmp (entry->board, board) != 0)
    return FALSE;
  if (search != NULL && strstr (entry->values.command, search) == NULL)
    return FALSE;
  if (filter == PERFICA_FILTER_REFUSED)
    return entry->values.outcome == PERFICA_OUTCOME_REFUSED;
  if (filter == PERFICA_FILTER_FAILED)
    return entry->values.outcome == PERFICA_OUTCOME_RAN && entry->values.exit_code != 0;
  return TRUE;
}

GListModel *
perfica_activity_list (PerficaActivity *self,
                       const char *board,
                       const char *search,
                       PerficaFilter filter)
{
  GListStore *list = g_list_store_new (PERFICA_TYPE_ENTRY);

  for (guint i = 0; i < self->entries->len; i++)
    {
      PerficaEntry *entry = g_ptr_array_index (self->entries, i);

      if (fits (entry, board, search, filter))
        g_list_store_append (list, entry);
    }
  if (search == NULL && filter == PERFICA_FILTER_ALL)
    g_ptr_array_add (self->lists, g_object_ref (list));
  return G_LIST_MODEL (list);
}

GListModel *
perfica_activity_query (PerficaActivity *self, const PerficaActivityQuery *query)
{
  return perfica_activity_list (self, query->board, query->search, query->filter);
}

gboolean
perfica_activity_list_is_loading (GListModel *list)
{
  return FALSE;
}

void
perfica_activity_export_async (PerficaActivity *self,
                               const char *board,
                               GFile *file,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_return_boolean (task, TRUE);
}

gboolean
perfica_activity_export_finish (PerficaActivity *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* The gateway */

struct _PerficaGateway
{
  GObject parent_instance;
  GListStore *boards;
  GListStore *attachments;
  PerficaApprovals *approvals;
  PerficaActivity *activity;
  PerficaImage *image;
  gboolean window_open;
  gboolean sandbox_default;
  SandboxBackendType backend;
  guint prompt_seconds;
  char *problem;
  char **folders;
  SandboxDiagnosis diagnosis;
  gboolean diagnosed;
};
G_DEFINE_FINAL_TYPE (PerficaGateway, perfica_gateway, G_TYPE_OBJECT)
G_DEFINE_QUARK (perfica - error - quark, perfica_error)

enum
{
  PROP_0,
  PROP_WINDOW_OPEN,
  PROP_STORE_PROBLEM,
  N_PROPS
};
static GParamSpec *props[N_PROPS];

static void
perfica_gateway_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaGateway *self = PERFICA_GATEWAY (object);

  if (id == PROP_WINDOW_OPEN)
    g_value_set_boolean (value, self->window_open);
  else
    g_value_set_string (value, self->problem);
}

static void
perfica_gateway_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PERFICA_GATEWAY (object)->window_open = g_value_get_boolean (value);
}

static void
perfica_gateway_finalize (GObject *object)
{
  PerficaGateway *self = PERFICA_GATEWAY (object);

  g_clear_object (&self->boards);
  g_clear_object (&self->attachments);
  g_clear_object (&self->approvals);
  g_clear_object (&self->activity);
  g_clear_object (&self->image);
  g_free (self->problem);
  g_strfreev (self->folders);
  G_OBJECT_CLASS (perfica_gateway_parent_class)->finalize (object);
}

static void
perfica_gateway_class_init (PerficaGatewayClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = perfica_gateway_get_property;
  object_class->set_property = perfica_gateway_set_property;
  object_class->finalize = perfica_gateway_finalize;
  props[PROP_WINDOW_OPEN] =
      g_param_spec_boolean ("window-open", NULL, NULL, FALSE, G_PARAM_READWRITE);
  props[PROP_STORE_PROBLEM] =
      g_param_spec_string ("store-problem", NULL, NULL, NULL, G_PARAM_READABLE);
  g_object_class_install_properties (object_class, N_PROPS, props);
  g_signal_new ("diagnosis-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 0);
  g_signal_new ("notice", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
perfica_gateway_init (PerficaGateway *self)
{
  self->boards = g_list_store_new (PERFICA_TYPE_BOARD);
  self->attachments = g_list_store_new (PERFICA_TYPE_ATTACHMENT);
  self->approvals = g_object_new (PERFICA_TYPE_APPROVALS, NULL);
  self->activity = g_object_new (PERFICA_TYPE_ACTIVITY, NULL);
  self->image = g_object_new (PERFICA_TYPE_IMAGE, NULL);
  self->backend = SANDBOX_BACKEND_BUBBLEWRAP;
  self->prompt_seconds = 120;
  self->folders = g_new0 (char *, 1);
}

PerficaGateway *
fake_gateway_new (void)
{
  return g_object_new (PERFICA_TYPE_GATEWAY, NULL);
}

void
fake_gateway_set_problem (PerficaGateway *self, const char *problem)
{
  g_free (self->problem);
  self->problem = g_strdup (problem);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STORE_PROBLEM]);
}

gboolean
fake_gateway_get_window_open (PerficaGateway *self)
{
  return self->window_open;
}

void
fake_gateway_set_diagnosis (PerficaGateway *self, gboolean ready)
{
  self->diagnosed = TRUE;
  self->diagnosis.backend = self->backend;
  self->diagnosis.ready = ready;
  self->diagnosis.summary =
      (char *) (ready ? "bubblewrap is ready" : "bubblewrap is not installed");
  self->diagnosis.step = ready ? NULL : (char *) "Install it, then check again.";
  self->diagnosis.command = ready ? NULL : (char *) "sudo apt install bubblewrap";
  g_signal_emit_by_name (self, "diagnosis-changed");
}

PerficaBoard *
fake_board_add (PerficaGateway *gateway, const char *name, const char *folder)
{
  g_autoptr (PerficaBoard) board = g_object_new (PERFICA_TYPE_BOARD, NULL);
  PerficaLoop *loop;

  board->name = g_strdup (name);
  board->folder = g_strdup (folder);
  board->default_on = &gateway->sandbox_default;
  loop = perfica_board_add_loop (board, "main", ".", NULL);
  perfica_board_add_bubble (board, "coder-1", PERFICA_ROLE_CODER, 0, loop, NULL);
  g_list_store_append (gateway->boards, board);
  return board;
}

PerficaRequest *
fake_request_add (PerficaGateway *gateway,
                  PerficaBoard *board,
                  const char *command,
                  guint start,
                  guint end,
                  const char *kind)
{
  PerficaRequest *request = g_object_new (PERFICA_TYPE_REQUEST, NULL);
  GPtrArray *waiting = gateway->approvals->waiting;

  request->board = g_object_ref (board);
  request->bubble = g_list_model_get_item (G_LIST_MODEL (board->bubbles), 0);
  request->command = g_strdup (command);
  request->kind = g_strdup (kind);
  request->finding.start = start;
  request->finding.end = end;
  request->finding.kind = request->kind;
  g_ptr_array_add (request->verdict.findings, &request->finding);
  request->deadline = g_get_monotonic_time () + (gint64) gateway->prompt_seconds * G_USEC_PER_SEC;
  g_ptr_array_add (waiting, request);
  g_list_model_items_changed (G_LIST_MODEL (gateway->approvals), waiting->len - 1, 0, 1);
  return request;
}

void
fake_request_withdraw (PerficaGateway *gateway, PerficaRequest *request)
{
  approvals_remove (gateway->approvals, request);
}

FakeAnswers *
fake_approvals_answers (PerficaGateway *gateway)
{
  return &gateway->approvals->answers;
}

PerficaAttachment *
fake_attachment_add (PerficaGateway *gateway, PerficaBoard *board)
{
  g_autoptr (PerficaAttachment) attachment = g_object_new (PERFICA_TYPE_ATTACHMENT, NULL);

  attachment->board = g_object_ref (board);
  attachment->bubble = g_list_model_get_item (G_LIST_MODEL (board->bubbles), 0);
  g_list_store_append (gateway->attachments, attachment);
  return attachment;
}

PerficaEntry *
fake_entry_add (PerficaGateway *gateway, PerficaBoard *board, const FakeEntry *values)
{
  PerficaEntry *entry = g_object_new (PERFICA_TYPE_ENTRY, NULL);
  PerficaActivity *activity = gateway->activity;

  entry->id = activity->entries->len + 1;
  entry->time = g_get_real_time ();
  entry->board = g_strdup (board->name);
  entry->values = *values;
  g_string_assign (entry->output, values->output != NULL ? values->output : "");
  g_ptr_array_insert (activity->entries, 0, entry);
  for (guint i = 0; i < activity->lists->len; i++)
    g_list_store_insert (g_ptr_array_index (activity->lists, i), 0, entry);
  return entry;
}

GListModel *
perfica_gateway_get_boards (PerficaGateway *self)
{
  return G_LIST_MODEL (self->boards);
}

PerficaApprovals *
perfica_gateway_get_approvals (PerficaGateway *self)
{
  return self->approvals;
}

GListModel *
perfica_gateway_get_attachments (PerficaGateway *self)
{
  return G_LIST_MODEL (self->attachments);
}

PerficaActivity *
perfica_gateway_get_activity (PerficaGateway *self)
{
  return self->activity;
}

PerficaBoard *
perfica_gateway_open_folder (PerficaGateway *self, GFile *folder, GError **error)
{
  g_autofree char *path = g_file_get_path (folder);
  g_autofree char *name = g_file_get_basename (folder);

  if (g_strcmp0 (path, "/") == 0)
    {
      g_set_error_literal (error, PERFICA_ERROR, PERFICA_ERROR_FOLDER, "It holds everything.");
      return NULL;
    }
  return fake_board_add (self, name, path);
}

void
perfica_gateway_remove_board (PerficaGateway *self, PerficaBoard *board)
{
  take_out (self->boards, board);
}

void
perfica_gateway_start_afresh (PerficaGateway *self)
{
  fake_gateway_set_problem (self, NULL);
}

void
perfica_gateway_read_again (PerficaGateway *self)
{
  fake_gateway_set_problem (self, NULL);
}

gboolean
perfica_gateway_is_record_broken (PerficaGateway *self)
{
  return FALSE;
}

gboolean
perfica_gateway_get_sandbox_default (PerficaGateway *self)
{
  return self->sandbox_default;
}

void
perfica_gateway_set_sandbox_default (PerficaGateway *self, gboolean on)
{
  self->sandbox_default = on;
}

SandboxBackendType
perfica_gateway_get_backend (PerficaGateway *self)
{
  return self->backend;
}

void
perfica_gateway_set_backend (PerficaGateway *self, SandboxBackendType backend)
{
  self->backend = backend;
}

guint
perfica_gateway_get_prompt_seconds (PerficaGateway *self)
{
  return self->prompt_seconds;
}

void
perfica_gateway_set_prompt_seconds (PerficaGateway *self, guint seconds)
{
  self->prompt_seconds = seconds;
}

char **
perfica_gateway_get_visible_folders (PerficaGateway *self)
{
  return g_strdupv (self->folders);
}

void
perfica_gateway_set_visible_folders (PerficaGateway *self, const char *const *folders)
{
  char **copy = g_strdupv ((char **) folders);

  g_strfreev (self->folders);
  self->folders = copy;
}

const SandboxDiagnosis *
perfica_gateway_get_diagnosis (PerficaGateway *self)
{
  return self->diagnosed ? &self->diagnosis : NULL;
}

void
perfica_gateway_check_backend (PerficaGateway *self)
{
}

PerficaImage *
perfica_gateway_get_image (PerficaGateway *self)
{
  return self->image;
}

FakeImage *
fake_gateway_image (PerficaGateway *self)
{
  return &self->image->says;
}

void
fake_gateway_image_changed (PerficaGateway *self)
{
  g_signal_emit_by_name (self->image, "changed");
}

const SandboxBackendType *
sandbox_backends (void)
{
  static const SandboxBackendType backends[] = { SANDBOX_BACKEND_BUBBLEWRAP, SANDBOX_BACKEND_DOCKER,
                                                 SANDBOX_BACKEND_NONE };

  return backends;
}

gboolean
perfica_gateway_stop_entry (PerficaGateway *self, PerficaEntry *entry)
{
  if (entry->values.outcome != PERFICA_OUTCOME_PENDING)
    return FALSE;
  entry->values.outcome = PERFICA_OUTCOME_CANCELLED;
  g_object_notify_by_pspec (G_OBJECT (entry), entry_output);
  return TRUE;
}

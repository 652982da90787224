/* A board: one project folder with its settings, loops and bubbles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-board-private.h"

#include <glib/gi18n-lib.h>

#include "perfica-board-folder.h"
#include "perfica-error.h"

struct _PerficaBoard
{
  GObject parent_instance;
  char *id;
  char *name;
  char *folder;
  gboolean full_auto;
  PerficaSandboxChoice sandbox;
  gboolean sandbox_default;
  gboolean best_effort_tree;
  guint waiting;
  GListStore *loops;
  GListStore *bubbles;
  GListStore *grants;
};

G_DEFINE_FINAL_TYPE (PerficaBoard, perfica_board, G_TYPE_OBJECT)

enum
{
  PROP_ID = 1,
  PROP_NAME,
  PROP_FOLDER,
  PROP_FULL_AUTO,
  PROP_SANDBOX,
  PROP_SANDBOX_ACTIVE,
  PROP_BEST_EFFORT_TREE,
  PROP_WAITING,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];
static guint changed_signal;

static void
perfica_board_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaBoard *self = PERFICA_BOARD (object);

  switch (id)
    {
    case PROP_ID:
      g_value_set_string (value, self->id);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_FOLDER:
      g_value_set_string (value, self->folder);
      break;
    case PROP_FULL_AUTO:
      g_value_set_boolean (value, self->full_auto);
      break;
    case PROP_SANDBOX:
      g_value_set_uint (value, self->sandbox);
      break;
    case PROP_SANDBOX_ACTIVE:
      g_value_set_boolean (value, perfica_board_get_sandbox_active (self));
      break;
    case PROP_BEST_EFFORT_TREE:
      g_value_set_boolean (value, self->best_effort_tree);
      break;
    case PROP_WAITING:
      g_value_set_uint (value, self->waiting);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
perfica_board_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PerficaBoard *self = PERFICA_BOARD (object);

  switch (id)
    {
    case PROP_FULL_AUTO:
      perfica_board_set_full_auto (self, g_value_get_boolean (value));
      break;
    case PROP_SANDBOX:
      perfica_board_set_sandbox (self, g_value_get_uint (value));
      break;
    case PROP_BEST_EFFORT_TREE:
      perfica_board_set_best_effort_tree (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
perfica_board_finalize (GObject *object)
{
  PerficaBoard *self = PERFICA_BOARD (object);

  g_free (self->id);
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
  GParamFlags read = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  GParamFlags write = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = perfica_board_get_property;
  object_class->set_property = perfica_board_set_property;
  object_class->finalize = perfica_board_finalize;
  properties[PROP_ID] = g_param_spec_string ("id", NULL, NULL, NULL, read);
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, read);
  properties[PROP_FOLDER] = g_param_spec_string ("folder", NULL, NULL, NULL, read);
  properties[PROP_FULL_AUTO] = g_param_spec_boolean ("full-auto", NULL, NULL, FALSE, write);
  properties[PROP_SANDBOX] = g_param_spec_uint ("sandbox", NULL, NULL, 0, PERFICA_SANDBOX_OFF,
                                                PERFICA_SANDBOX_DEFAULT, write);
  properties[PROP_SANDBOX_ACTIVE] =
      g_param_spec_boolean ("sandbox-active", NULL, NULL, FALSE, read | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_BEST_EFFORT_TREE] =
      g_param_spec_boolean ("best-effort-tree", NULL, NULL, FALSE, write);
  properties[PROP_WAITING] =
      g_param_spec_uint ("waiting", NULL, NULL, 0, G_MAXUINT, 0, read | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
perfica_board_init (PerficaBoard *self)
{
  self->loops = g_list_store_new (PERFICA_TYPE_LOOP);
  self->bubbles = g_list_store_new (PERFICA_TYPE_BUBBLE);
  self->grants = g_list_store_new (PERFICA_TYPE_GRANT);
}

PerficaBoard *
perfica_board_new (const char *id, const char *name, const char *folder)
{
  PerficaBoard *self = g_object_new (PERFICA_TYPE_BOARD, NULL);

  self->id = g_strdup (id);
  self->name = g_strdup (name);
  self->folder = g_strdup (folder);
  return self;
}

void
perfica_board_changed (PerficaBoard *self)
{
  g_signal_emit (self, changed_signal, 0);
}

const char *
perfica_board_get_id (PerficaBoard *self)
{
  return self->id;
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
  on = !!on;
  if (self->full_auto == on)
    return;
  self->full_auto = on;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FULL_AUTO]);
  perfica_board_changed (self);
}

PerficaSandboxChoice
perfica_board_get_sandbox (PerficaBoard *self)
{
  return self->sandbox;
}

void
perfica_board_set_sandbox (PerficaBoard *self, PerficaSandboxChoice choice)
{
  gboolean was = perfica_board_get_sandbox_active (self);

  g_return_if_fail (choice <= PERFICA_SANDBOX_OFF);
  if (self->sandbox == choice)
    return;
  self->sandbox = choice;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SANDBOX]);
  if (was != perfica_board_get_sandbox_active (self))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SANDBOX_ACTIVE]);
  perfica_board_changed (self);
}

void
perfica_board_set_sandbox_default (PerficaBoard *self, gboolean on)
{
  gboolean was = perfica_board_get_sandbox_active (self);

  self->sandbox_default = !!on;
  if (was != perfica_board_get_sandbox_active (self))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SANDBOX_ACTIVE]);
}

gboolean
perfica_board_get_sandbox_active (PerficaBoard *self)
{
  return self->sandbox == PERFICA_SANDBOX_ON ||
         (self->sandbox == PERFICA_SANDBOX_DEFAULT && self->sandbox_default);
}

gboolean
perfica_board_get_best_effort_tree (PerficaBoard *self)
{
  return self->best_effort_tree;
}

void
perfica_board_set_best_effort_tree (PerficaBoard *self, gboolean on)
{
  on = !!on;
  if (self->best_effort_tree == on)
    return;
  self->best_effort_tree = on;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BEST_EFFORT_TREE]);
  perfica_board_changed (self);
}

guint
perfica_board_get_waiting (PerficaBoard *self)
{
  return self->waiting;
}

void
perfica_board_set_waiting (PerficaBoard *self, guint waiting)
{
  if (self->waiting == waiting)
    return;
  self->waiting = waiting;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WAITING]);
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

GListStore *
perfica_board_get_grant_store (PerficaBoard *self)
{
  return self->grants;
}

PerficaLoop *
perfica_board_find_loop (PerficaBoard *self, const char *name)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->loops));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (PerficaLoop) loop = g_list_model_get_item (G_LIST_MODEL (self->loops), i);

      if (g_strcmp0 (perfica_loop_get_name (loop), name) == 0)
        return loop; /* the store keeps it alive */
    }
  return NULL;
}

PerficaBubble *
perfica_board_find_bubble (PerficaBoard *self, const char *name)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->bubbles));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (PerficaBubble) bubble = g_list_model_get_item (G_LIST_MODEL (self->bubbles), i);

      if (g_strcmp0 (perfica_bubble_get_name (bubble), name) == 0)
        return bubble; /* the store keeps it alive */
    }
  return NULL;
}

static PerficaLoop *
find_loop_by_folder (PerficaBoard *self, const char *folder)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->loops));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (PerficaLoop) loop = g_list_model_get_item (G_LIST_MODEL (self->loops), i);

      if (g_str_equal (perfica_loop_get_folder (loop), folder))
        return loop;
    }
  return NULL;
}

static gboolean
check_name (const char *name, gboolean taken, guint n, guint max, GError **error)
{
  if (!perfica_board_folder_is_plain (name, PERFICA_MAX_NAME))
    g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_NAME,
                 _ ("A name needs 1 to %d letters, and no control characters."), PERFICA_MAX_NAME);
  else if (taken)
    g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_NAME, _ ("“%s” exists on this board already."),
                 name);
  else if (n >= max)
    g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_LIMIT,
                 _ ("A board holds at most %u of these."), max);
  else
    return TRUE;
  return FALSE;
}

PerficaLoop *
perfica_board_add_loop (PerficaBoard *self, const char *name, const char *folder, GError **error)
{
  g_autoptr (PerficaLoop) loop = NULL;
  g_autofree char *relative = NULL;
  PerficaLoop *owner;

  if (!check_name (name, perfica_board_find_loop (self, name) != NULL,
                   g_list_model_get_n_items (G_LIST_MODEL (self->loops)), PERFICA_MAX_LOOPS, error))
    return NULL;
  relative = perfica_board_folder_check_loop (self->folder, folder, error);
  if (!relative)
    return NULL;
  owner = find_loop_by_folder (self, relative);
  if (owner)
    {
      g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_FOLDER,
                   _ ("The loop “%s” owns this folder already."), perfica_loop_get_name (owner));
      return NULL;
    }
  loop = perfica_loop_new (name, relative);
  g_list_store_append (self->loops, loop);
  perfica_board_changed (self);
  return loop; /* (transfer none): the store keeps it alive */
}

static gboolean
remove_from (GListStore *store, gpointer item)
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
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->bubbles));

  if (g_str_equal (perfica_loop_get_folder (loop), "."))
    {
      g_set_error_literal (error, PERFICA_ERROR, PERFICA_ERROR_BUSY,
                           _ ("The loop of the whole project stays with its board."));
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (PerficaBubble) bubble = g_list_model_get_item (G_LIST_MODEL (self->bubbles), i);

      if (perfica_bubble_get_loop (bubble) != loop)
        continue;
      g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_BUSY,
                   _ ("The bubble “%s” works in this loop. Remove the bubble first."),
                   perfica_bubble_get_name (bubble));
      return FALSE;
    }
  if (remove_from (self->loops, loop))
    perfica_board_changed (self);
  return TRUE;
}

PerficaBubble *
perfica_board_add_bubble (PerficaBoard *self,
                          const char *name,
                          PerficaRole role,
                          PerficaTools custom_tools,
                          PerficaLoop *loop,
                          GError **error)
{
  g_autoptr (PerficaBubble) bubble = NULL;

  g_return_val_if_fail (role <= PERFICA_ROLE_CUSTOM, NULL);
  g_return_val_if_fail (g_list_store_find (self->loops, loop, NULL), NULL);
  if (!check_name (name, perfica_board_find_bubble (self, name) != NULL,
                   g_list_model_get_n_items (G_LIST_MODEL (self->bubbles)), PERFICA_MAX_BUBBLES,
                   error))
    return NULL;
  bubble = perfica_bubble_new (name, role, custom_tools, loop);
  g_list_store_append (self->bubbles, bubble);
  perfica_board_changed (self);
  return bubble; /* (transfer none): the store keeps it alive */
}

gboolean
perfica_board_remove_bubble (PerficaBoard *self, PerficaBubble *bubble, GError **error)
{
  if (remove_from (self->bubbles, bubble))
    perfica_board_changed (self);
  return TRUE;
}

gboolean
perfica_board_restore_loop (PerficaBoard *self, PerficaLoop *loop)
{
  if (!check_name (perfica_loop_get_name (loop),
                   perfica_board_find_loop (self, perfica_loop_get_name (loop)) != NULL,
                   g_list_model_get_n_items (G_LIST_MODEL (self->loops)), PERFICA_MAX_LOOPS,
                   NULL) ||
      find_loop_by_folder (self, perfica_loop_get_folder (loop)))
    return FALSE;
  g_list_store_append (self->loops, loop);
  return TRUE;
}

gboolean
perfica_board_restore_bubble (PerficaBoard *self, PerficaBubble *bubble)
{
  if (!check_name (perfica_bubble_get_name (bubble),
                   perfica_board_find_bubble (self, perfica_bubble_get_name (bubble)) != NULL,
                   g_list_model_get_n_items (G_LIST_MODEL (self->bubbles)), PERFICA_MAX_BUBBLES,
                   NULL))
    return FALSE;
  g_list_store_append (self->bubbles, bubble);
  return TRUE;
}

void
perfica_board_revoke (PerficaBoard *self, PerficaGrant *grant)
{
  remove_from (self->grants, grant);
}

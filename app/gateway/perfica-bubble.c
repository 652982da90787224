/* A bubble: one agent on a board, with its role and the clients that the person confirmed for it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-board-private.h"

struct _PerficaBubble
{
  GObject parent_instance;
  char *name;
  PerficaRole role;
  PerficaTools tools;
  PerficaLoop *loop;
  GPtrArray *clients;
};

G_DEFINE_FINAL_TYPE (PerficaBubble, perfica_bubble, G_TYPE_OBJECT)

enum
{
  PROP_NAME = 1,
  PROP_ROLE,
  PROP_TOOLS,
  PROP_LOOP,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

static const struct
{
  const char *name;
  PerficaTools tools;
} roles[] = {
  [PERFICA_ROLE_CODER] = { "coder", PERFICA_TOOL_READ | PERFICA_TOOL_WRITE | PERFICA_TOOL_RUN },
  [PERFICA_ROLE_REVIEWER] = { "reviewer", PERFICA_TOOL_READ | PERFICA_TOOL_RUN },
  [PERFICA_ROLE_RESEARCHER] = { "researcher", PERFICA_TOOL_READ },
  [PERFICA_ROLE_CUSTOM] = { "custom", 0 },
};

const char *
perfica_role_to_string (PerficaRole role)
{
  return role < G_N_ELEMENTS (roles) ? roles[role].name : "custom";
}

gboolean
perfica_role_from_string (const char *name, PerficaRole *role)
{
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    if (g_strcmp0 (name, roles[i].name) == 0)
      {
        *role = i;
        return TRUE;
      }
  return FALSE;
}

PerficaTools
perfica_role_get_tools (PerficaRole role)
{
  return role < G_N_ELEMENTS (roles) ? roles[role].tools : 0;
}

static void
client_free (gpointer data)
{
  PerficaClient *client = data;

  g_free (client->program);
  g_free (client->client);
  g_free (client);
}

static void
perfica_bubble_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaBubble *self = PERFICA_BUBBLE (object);

  switch (id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_ROLE:
      g_value_set_uint (value, self->role);
      break;
    case PROP_TOOLS:
      g_value_set_uint (value, self->tools);
      break;
    case PROP_LOOP:
      g_value_set_object (value, self->loop);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
perfica_bubble_finalize (GObject *object)
{
  PerficaBubble *self = PERFICA_BUBBLE (object);

  g_free (self->name);
  g_clear_object (&self->loop);
  g_ptr_array_unref (self->clients);
  G_OBJECT_CLASS (perfica_bubble_parent_class)->finalize (object);
}

static void
perfica_bubble_class_init (PerficaBubbleClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = perfica_bubble_get_property;
  object_class->finalize = perfica_bubble_finalize;
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);
  properties[PROP_ROLE] = g_param_spec_uint ("role", NULL, NULL, 0, PERFICA_ROLE_CUSTOM, 0, flags);
  properties[PROP_TOOLS] = g_param_spec_uint ("tools", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_LOOP] = g_param_spec_object ("loop", NULL, NULL, PERFICA_TYPE_LOOP, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
perfica_bubble_init (PerficaBubble *self)
{
  self->clients = g_ptr_array_new_with_free_func (client_free);
}

PerficaBubble *
perfica_bubble_new (const char *name, PerficaRole role, PerficaTools tools, PerficaLoop *loop)
{
  PerficaBubble *self = g_object_new (PERFICA_TYPE_BUBBLE, NULL);
  PerficaTools all = PERFICA_TOOL_READ | PERFICA_TOOL_WRITE | PERFICA_TOOL_RUN;

  self->name = g_strdup (name);
  self->role = role;
  self->tools = role == PERFICA_ROLE_CUSTOM ? (tools & all) : perfica_role_get_tools (role);
  self->loop = g_object_ref (loop);
  return self;
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

GPtrArray *
perfica_bubble_get_clients (PerficaBubble *self)
{
  return self->clients;
}

gboolean
perfica_bubble_knows_client (PerficaBubble *self, const char *program, const char *client)
{
  for (guint i = 0; i < self->clients->len; i++)
    {
      PerficaClient *known = self->clients->pdata[i];

      if (g_str_equal (known->program, program) && g_str_equal (known->client, client))
        return TRUE;
    }
  return FALSE;
}

void
perfica_bubble_remember_client (PerficaBubble *self, const char *program, const char *client)
{
  PerficaClient *known;

  if (perfica_bubble_knows_client (self, program, client))
    return;
  if (self->clients->len >= PERFICA_MAX_CLIENTS)
    g_ptr_array_remove_index (self->clients, 0);
  known = g_new0 (PerficaClient, 1);
  known->program = g_strdup (program);
  known->client = g_strdup (client);
  g_ptr_array_add (self->clients, known);
}

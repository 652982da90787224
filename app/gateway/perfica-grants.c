/* What was allowed "always" on a board: lives as long as the gateway.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-board-private.h"

struct _PerficaGrant
{
  GObject parent_instance;
  char *kind;
  gint64 since;
  guint used;
};

G_DEFINE_FINAL_TYPE (PerficaGrant, perfica_grant, G_TYPE_OBJECT)

enum
{
  PROP_KIND = 1,
  PROP_SINCE,
  PROP_USED,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

static void
perfica_grant_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaGrant *self = PERFICA_GRANT (object);

  switch (id)
    {
    case PROP_KIND:
      g_value_set_string (value, self->kind);
      break;
    case PROP_SINCE:
      g_value_set_int64 (value, self->since);
      break;
    case PROP_USED:
      g_value_set_uint (value, self->used);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
perfica_grant_finalize (GObject *object)
{
  g_free (PERFICA_GRANT (object)->kind);
  G_OBJECT_CLASS (perfica_grant_parent_class)->finalize (object);
}

static void
perfica_grant_class_init (PerficaGrantClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = perfica_grant_get_property;
  object_class->finalize = perfica_grant_finalize;
  properties[PROP_KIND] = g_param_spec_string ("kind", NULL, NULL, NULL, flags);
  properties[PROP_SINCE] = g_param_spec_int64 ("since", NULL, NULL, 0, G_MAXINT64, 0, flags);
  properties[PROP_USED] =
      g_param_spec_uint ("used", NULL, NULL, 0, G_MAXUINT, 0, flags | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
perfica_grant_init (PerficaGrant *self)
{
}

PerficaGrant *
perfica_grant_new (const char *kind)
{
  PerficaGrant *self = g_object_new (PERFICA_TYPE_GRANT, NULL);

  self->kind = g_strdup (kind);
  self->since = g_get_real_time ();
  return self;
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

static PerficaGrant *
find (GListStore *grants, const char *kind)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (grants));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (PerficaGrant) grant = g_list_model_get_item (G_LIST_MODEL (grants), i);

      if (g_str_equal (grant->kind, kind))
        return grant; /* the store keeps it alive */
    }
  return NULL;
}

void
perfica_grants_add (GListStore *grants, const char *kind)
{
  g_autoptr (PerficaGrant) grant = NULL;

  if (find (grants, kind))
    return;
  grant = perfica_grant_new (kind);
  g_list_store_append (grants, grant);
}

gboolean
perfica_grants_use (GListStore *grants, const char *const *kinds)
{
  if (!kinds || !kinds[0])
    return FALSE;
  for (guint i = 0; kinds[i]; i++)
    if (!find (grants, kinds[i]))
      return FALSE;
  for (guint i = 0; kinds[i]; i++)
    {
      PerficaGrant *grant = find (grants, kinds[i]);

      grant->used++;
      g_object_notify_by_pspec (G_OBJECT (grant), properties[PROP_USED]);
    }
  return TRUE;
}

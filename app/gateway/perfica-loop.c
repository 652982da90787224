/* A loop: a line of work that owns one folder of the project.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-board-private.h"

struct _PerficaLoop
{
  GObject parent_instance;
  char *name;
  char *folder;
};

G_DEFINE_FINAL_TYPE (PerficaLoop, perfica_loop, G_TYPE_OBJECT)

enum
{
  PROP_NAME = 1,
  PROP_FOLDER,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

static void
perfica_loop_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaLoop *self = PERFICA_LOOP (object);

  switch (id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_FOLDER:
      g_value_set_string (value, self->folder);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

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
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = perfica_loop_get_property;
  object_class->finalize = perfica_loop_finalize;
  properties[PROP_NAME] =
      g_param_spec_string ("name", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_FOLDER] =
      g_param_spec_string ("folder", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
perfica_loop_init (PerficaLoop *self)
{
}

PerficaLoop *
perfica_loop_new (const char *name, const char *folder)
{
  PerficaLoop *self = g_object_new (PERFICA_TYPE_LOOP, NULL);

  self->name = g_strdup (name);
  self->folder = g_strdup (folder);
  return self;
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-settings.h"

#include <glib/gi18n.h>
#include <pwd.h>
#include <unistd.h>

#define SCHEMA "app.perfica.Perfica"

enum
{
  PROP_0,
  PROP_WINDOW_WIDTH,
  PROP_WINDOW_HEIGHT,
  PROP_DOCK_HEIGHT,
  PROP_TERMINAL_SCROLLBACK,
  PROP_WINDOW_MAXIMIZED,
  PROP_DOCK_VISIBLE,
  PROP_NOTIFICATIONS,
  PROP_TERMINAL_FONT,
  PROP_TERMINAL_SHELL,
  N_PROPS
};

struct _PerficaSettings
{
  GObject parent_instance;

  GSettings *settings;
  GValue values[N_PROPS];
};

G_DEFINE_FINAL_TYPE (PerficaSettings, perfica_settings, G_TYPE_OBJECT)

static GParamSpec *props[N_PROPS];

static GSettingsSchema *
find_schema (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();

  return source != NULL ? g_settings_schema_source_lookup (source, SCHEMA, TRUE) : NULL;
}

gboolean
perfica_settings_check (GError **error)
{
  g_autoptr (GSettingsSchema) schema = find_schema ();

  if (schema != NULL)
    return TRUE;

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
               _ ("The settings schema %s is missing: install Perfica whole, or set "
                  "GSETTINGS_SCHEMA_DIR to the “data” folder of its build"),
               SCHEMA);
  return FALSE;
}

static void
perfica_settings_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaSettings *self = PERFICA_SETTINGS (object);

  g_value_copy (&self->values[id], value);
}

static void
perfica_settings_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PerficaSettings *self = PERFICA_SETTINGS (object);

  if (g_param_values_cmp (pspec, value, &self->values[id]) == 0)
    return;
  g_value_copy (value, &self->values[id]);
  g_object_notify_by_pspec (object, pspec);
}

static void
perfica_settings_finalize (GObject *object)
{
  PerficaSettings *self = PERFICA_SETTINGS (object);

  g_clear_object (&self->settings);
  for (int i = 1; i < N_PROPS; i++)
    g_value_unset (&self->values[i]);
  G_OBJECT_CLASS (perfica_settings_parent_class)->finalize (object);
}

static void
perfica_settings_class_init (PerficaSettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = perfica_settings_get_property;
  object_class->set_property = perfica_settings_set_property;
  object_class->finalize = perfica_settings_finalize;

  props[PROP_WINDOW_WIDTH] = g_param_spec_int ("window-width", NULL, NULL, 360, 16384, 1180, flags);
  props[PROP_WINDOW_HEIGHT] =
      g_param_spec_int ("window-height", NULL, NULL, 294, 16384, 760, flags);
  props[PROP_DOCK_HEIGHT] = g_param_spec_int ("dock-height", NULL, NULL, 80, 16384, 260, flags);
  props[PROP_TERMINAL_SCROLLBACK] =
      g_param_spec_int ("terminal-scrollback", NULL, NULL, 100, 1000000, 10000, flags);
  props[PROP_WINDOW_MAXIMIZED] =
      g_param_spec_boolean ("window-maximized", NULL, NULL, FALSE, flags);
  props[PROP_DOCK_VISIBLE] = g_param_spec_boolean ("dock-visible", NULL, NULL, FALSE, flags);
  props[PROP_NOTIFICATIONS] = g_param_spec_boolean ("notifications", NULL, NULL, TRUE, flags);
  props[PROP_TERMINAL_FONT] = g_param_spec_string ("terminal-font", NULL, NULL, "", flags);
  props[PROP_TERMINAL_SHELL] = g_param_spec_string ("terminal-shell", NULL, NULL, "", flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
perfica_settings_init (PerficaSettings *self)
{
  g_autoptr (GSettingsSchema) schema = find_schema ();

  for (int i = 1; i < N_PROPS; i++)
    {
      g_value_init (&self->values[i], G_PARAM_SPEC_VALUE_TYPE (props[i]));
      g_param_value_set_default (props[i], &self->values[i]);
    }

  if (schema == NULL)
    return;
  self->settings = g_settings_new_full (schema, NULL, NULL);
  for (int i = 1; i < N_PROPS; i++)
    g_settings_bind (self->settings, props[i]->name, self, props[i]->name, G_SETTINGS_BIND_DEFAULT);
}

PerficaSettings *
perfica_settings_new (void)
{
  return g_object_new (PERFICA_TYPE_SETTINGS, NULL);
}

int
perfica_settings_get_int (PerficaSettings *self, const char *property)
{
  int value = 0;

  g_object_get (self, property, &value, NULL);
  return value;
}

gboolean
perfica_settings_get_boolean (PerficaSettings *self, const char *property)
{
  gboolean value = FALSE;

  g_object_get (self, property, &value, NULL);
  return value;
}

char *
perfica_settings_dup_shell (PerficaSettings *self)
{
  const char *chosen = g_value_get_string (&self->values[PROP_TERMINAL_SHELL]);
  const char *shell = g_getenv ("SHELL");
  struct passwd *person;

  if (chosen != NULL && *chosen == '/' && access (chosen, X_OK) == 0)
    return g_strdup (chosen);
  if (shell != NULL && *shell == '/' && access (shell, X_OK) == 0)
    return g_strdup (shell);

  person = getpwuid (getuid ());
  if (person != NULL && person->pw_shell != NULL && access (person->pw_shell, X_OK) == 0)
    return g_strdup (person->pw_shell);
  return g_strdup ("/bin/sh");
}

char *
perfica_settings_dup_font (PerficaSettings *self)
{
  const char *font = g_value_get_string (&self->values[PROP_TERMINAL_FONT]);

  return font != NULL && *font != '\0' ? g_strdup (font) : NULL;
}

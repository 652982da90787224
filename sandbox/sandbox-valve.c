/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-valve.h"

struct _SandboxValve
{
  GObject parent_instance;
  gboolean is_closed;
};

static guint turned_signal;

G_DEFINE_FINAL_TYPE (SandboxValve, sandbox_valve, G_TYPE_OBJECT)

static void
sandbox_valve_class_init (SandboxValveClass *klass)
{
  turned_signal = g_signal_new ("turned", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 0);
}

static void
sandbox_valve_init (SandboxValve *self)
{
}

SandboxValve *
sandbox_valve_new (void)
{
  return g_object_new (SANDBOX_TYPE_VALVE, NULL);
}

void
sandbox_valve_set_open (SandboxValve *self, gboolean open)
{
  g_return_if_fail (SANDBOX_IS_VALVE (self));
  if (self->is_closed == !open)
    return;
  self->is_closed = !open;
  g_signal_emit (self, turned_signal, 0);
}

gboolean
sandbox_valve_get_open (SandboxValve *self)
{
  g_return_val_if_fail (SANDBOX_IS_VALVE (self), TRUE);
  return !self->is_closed;
}

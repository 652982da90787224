/* Holds a command back whose output isn't taken fast enough.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define SANDBOX_TYPE_VALVE (sandbox_valve_get_type ())
G_DECLARE_FINAL_TYPE (SandboxValve, sandbox_valve, SANDBOX, VALVE, GObject)

/**
 * sandbox_valve_new:
 *
 * Signal: "turned" (): it was opened or closed.
 *
 * Returns: (transfer full): an open valve, for one run (sandbox_run_held_async()). It belongs to
 * the main context of that run.
 */
SandboxValve *sandbox_valve_new (void);

/**
 * sandbox_valve_set_open:
 * @self: a valve
 * @open: whether output comes through
 *
 * While it is closed, #SandboxOutputFunc isn't called once the current call has returned, and the
 * command blocks as soon as its pipe and the socket to its supervisor are full (some 300 KiB).
 */
void sandbox_valve_set_open (SandboxValve *self, gboolean open);
gboolean sandbox_valve_get_open (SandboxValve *self);

G_END_DECLS

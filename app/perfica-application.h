/* The application object: builds the gateway, hands it to the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_APPLICATION (perfica_application_get_type ())
G_DECLARE_FINAL_TYPE (PerficaApplication, perfica_application, PERFICA, APPLICATION, AdwApplication)

/**
 * perfica_application_new:
 * @gateway: (transfer none): a gateway that was started
 * @folders: (array zero-terminated=1): absolute paths that become boards
 * @background: show no window until somebody asks for one
 *
 * Main thread only.
 */
PerficaApplication *
perfica_application_new (PerficaGateway *gateway, const char *const *folders, gboolean background);

G_END_DECLS

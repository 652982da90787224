/* The terminal's colours, for light and dark.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <vte/vte.h>

G_BEGIN_DECLS

void perfica_terminal_palette_apply (VteTerminal *terminal, gboolean dark);

G_END_DECLS

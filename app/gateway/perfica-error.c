/* The one error domain of the gateway's room.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-error.h"

G_DEFINE_QUARK (perfica - error - quark, perfica_error)

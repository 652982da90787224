/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-plan.h"

G_DEFINE_QUARK (sandbox - error - quark, sandbox_error)

/* A question before something is loosened: it, too, takes a real click or key.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-ask-window.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_CONFIRM (perfica_confirm_get_type ())
G_DECLARE_FINAL_TYPE (PerficaConfirm, perfica_confirm, PERFICA, CONFIRM, PerficaAskWindow)

/**
 * PerficaConfirmFunc:
 * @confirmed: whether the person agreed
 */
typedef void (*PerficaConfirmFunc) (gboolean confirmed, gpointer user_data);

/**
 * perfica_confirm_ask:
 * @parent: a widget in the window that asks
 * @heading: what would be done
 * @body: what that means
 * @accept: label of the button that does it
 * @callback: called once
 * @owner: (type GObject): passed to @callback, kept alive until then
 *
 * The person has just asked for this, so it is presented.
 */
void perfica_confirm_ask (GtkWidget *parent,
                          const char *heading,
                          const char *body,
                          const char *accept,
                          PerficaConfirmFunc callback,
                          gpointer owner);

G_END_DECLS

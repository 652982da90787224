/* Rows that a preferences group gets and loses while it is on show.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * perfica_rows_new:
 * @title: plain text
 * @subtitle: (nullable): plain text
 *
 * Returns: (transfer floating): an AdwActionRow
 */
GtkWidget *perfica_rows_new (const char *title, const char *subtitle);

/* Puts @row at the end of @group and remembers it in @rows. */
void perfica_rows_add (GtkWidget *group, GPtrArray *rows, GtkWidget *row);

/* Takes all of @rows out of @group. */
void perfica_rows_clear (GtkWidget *group, GPtrArray *rows);

/**
 * perfica_rows_button:
 * @icon: an icon's name
 * @spoken: what it does: its tooltip and its accessible name
 *
 * Returns: (transfer floating): a flat button for a row's end
 */
GtkWidget *perfica_rows_button (const char *icon, const char *spoken);

G_END_DECLS

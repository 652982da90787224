/* What Docker's image costs, a yes or no, and its download.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_IMAGE_DIALOG (perfica_image_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PerficaImageDialog, perfica_image_dialog, PERFICA, IMAGE_DIALOG, AdwWindow)

/**
 * perfica_image_dialog_open:
 * @parent: a widget in the window that asks
 * @image: what it shows; asked at once what a download would be
 *
 * Closing it gives up whatever is under way.
 */
PerficaImageDialog *perfica_image_dialog_open (GtkWidget *parent, PerficaImage *image);

G_END_DECLS

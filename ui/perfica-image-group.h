/* Settings of Docker's image: its name, its pin, its download.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_IMAGE_GROUP (perfica_image_group_get_type ())
G_DECLARE_FINAL_TYPE (
    PerficaImageGroup, perfica_image_group, PERFICA, IMAGE_GROUP, AdwPreferencesGroup)

void perfica_image_group_set_image (PerficaImageGroup *self, PerficaImage *image);

G_END_DECLS

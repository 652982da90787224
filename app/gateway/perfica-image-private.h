/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "perfica-gateway.h"

G_BEGIN_DECLS

/* @gateway: borrowed, must outlive it but for work under way. */
PerficaImage *perfica_image_new (PerficaGateway *gateway);
/* The gateway is going: no work under way gets at it again. */
void perfica_image_leave (PerficaImage *self);

G_END_DECLS

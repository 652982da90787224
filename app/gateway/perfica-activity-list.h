/* A list of the record's rows, newest first: ids in memory, rows made on demand.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-activity-private.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_ACTIVITY_LIST (perfica_activity_list_get_type ())
G_DECLARE_FINAL_TYPE (PerficaActivityList, perfica_activity_list, PERFICA, ACTIVITY_LIST, GObject)

/* @query: (transfer full) */
PerficaActivityList *perfica_activity_list_new (PerficaActivity *activity, PerficaQuery *query);

G_END_DECLS

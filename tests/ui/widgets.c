/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "widgets.h"

static gboolean
ring (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
widgets_spin (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, ring, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

void
widgets_wait (WidgetsCondition condition, gpointer data, guint seconds)
{
  gint64 end = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;

  while (!condition (data))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      widgets_spin (20);
    }
}

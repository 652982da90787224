/* limits.json: lets tests shorten what takes minutes. It only ever lowers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-store-limits.h"

#include "perfica-approvals.h"
#include "perfica-json.h"
#include "perfica-store-file.h"

#define MAX_SIZE 4096

static void
lower (JsonObject *object, const char *name, guint *value)
{
  gint64 wanted = *value;

  if (perfica_json_get_int (object, name, PERFICA_JSON_OPTIONAL, 1, *value, &wanted, NULL))
    *value = wanted;
}

void
perfica_limits_read (const char *path, PerficaLimits *limits)
{
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object;
  gsize length;

  limits->short_seconds = PERFICA_LIMIT_SHORT_SECONDS;
  limits->long_seconds = PERFICA_LIMIT_LONG_SECONDS;
  limits->hello_seconds = PERFICA_LIMIT_HELLO_SECONDS;
  limits->pause_seconds = PERFICA_PAUSE_SECONDS;
  limits->prompt_seconds = 0;
  if (!perfica_store_file_read (path, MAX_SIZE, &text, &length, NULL) || !text)
    return;
  root = perfica_json_parse (text, length, NULL);
  if (!root || !JSON_NODE_HOLDS_OBJECT (root))
    return;
  object = json_node_get_object (root);
  lower (object, "short_seconds", &limits->short_seconds);
  lower (object, "long_seconds", &limits->long_seconds);
  lower (object, "hello_seconds", &limits->hello_seconds);
  lower (object, "pause_seconds", &limits->pause_seconds);
  if (json_object_has_member (object, "prompt_seconds"))
    {
      limits->prompt_seconds = 3600;
      lower (object, "prompt_seconds", &limits->prompt_seconds);
    }
}

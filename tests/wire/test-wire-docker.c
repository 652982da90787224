/* What Docker says in JSON: manifests, events, and how far a download has come.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "perfica-docker-json.h"
#include "perfica-json.h"

#define A "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define LAYERS "\"layers\":[{\"digest\":\"" A "\",\"size\":100},{\"digest\":\"" B "\",\"size\":50}]"

#define ENTRY(digest, os, machine, kind)                                                           \
  "{\"Ref\":\"x\",\"Descriptor\":{\"mediaType\":\"m\",\"digest\":\"" digest                        \
  "\",\"size\":9,\"platform\":{\"architecture\":\"" machine "\",\"os\":\"" os                      \
  "\"}},\"Raw\":\"aGk=\",\"" kind "\":{\"schemaVersion\":2," LAYERS "}}"

static const struct
{
  const char *name;
  const char *text;
  const char *digest; /* NULL: none for this computer; "!": unreadable */
  guint64 size;
} manifests[] = {
  { "one", ENTRY ("d1", "linux", "amd64", "SchemaV2Manifest"), "d1", 150 },
  { "oci", ENTRY ("d1", "linux", "amd64", "OCIManifest"), "d1", 150 },
  { "list",
    "[" ENTRY ("d1", "linux", "arm64", "OCIManifest") "," ENTRY (
        "d2", "linux", "amd64", "OCIManifest") "," ENTRY ("d3",
                                                          "windows",
                                                          "amd64",
                                                          "OCIManifest") "]",
    "d2", 150 },
  { "signatures-first",
    "[" ENTRY ("d1", "unknown", "unknown", "OCIManifest") "," ENTRY (
        "d2", "linux", "amd64", "SchemaV2Manifest") "]",
    "d2", 150 },
  { "other-computer", ENTRY ("d1", "linux", "s390x", "OCIManifest"), NULL, 0 },
  { "other-system", "[" ENTRY ("d1", "windows", "amd64", "OCIManifest") "]", NULL, 0 },
  { "empty-list", "[]", NULL, 0 },
  { "no-platform", "{\"Descriptor\":{\"digest\":\"d1\"},\"SchemaV2Manifest\":{" LAYERS "}}", "d1",
    150 },
  { "layer-twice",
    "{\"Descriptor\":{\"digest\":\"d1\"},\"OCIManifest\":{\"layers\":[{\"digest\":\"" A
    "\",\"size\":7},{\"digest\":\"" A "\",\"size\":7}]}}",
    "d1", 7 },
  { "no-layers", "{\"Descriptor\":{\"digest\":\"d1\"},\"OCIManifest\":{}}", "!", 0 },
  { "no-manifest", "{\"Descriptor\":{\"digest\":\"d1\"}}", "!", 0 },
  { "no-digest", "{\"Descriptor\":{},\"OCIManifest\":{" LAYERS "}}", "!", 0 },
  { "no-descriptor", "{\"OCIManifest\":{" LAYERS "}}", "!", 0 },
  { "minus",
    "{\"Descriptor\":{\"digest\":\"d1\"},\"OCIManifest\":{\"layers\":[{\"digest\":\"a\",\"size\":-"
    "1}"
    "]}}",
    "!", 0 },
  { "too-big",
    "{\"Descriptor\":{\"digest\":\"d1\"},\"OCIManifest\":{\"layers\":[{\"digest\":\"a\",\"size\":"
    "9000000000000000000}]}}",
    "!", 0 },
  { "layer-no-object", "{\"Descriptor\":{\"digest\":\"d1\"},\"OCIManifest\":{\"layers\":[1]}}", "!",
    0 },
  { "text", "no such manifest: x", "!", 0 },
  { "nothing", "", "!", 0 },
};

static void
test_manifests (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (manifests); i++)
    {
      const char *wanted = manifests[i].digest;
      g_autoptr (GError) error = NULL;
      g_autoptr (PerficaImageManifest) manifest =
          perfica_image_manifest_parse (manifests[i].text, strlen (manifests[i].text), "amd64",
                                        &error);

      g_test_message ("%s", manifests[i].name);
      if (g_strcmp0 (wanted, "!") == 0)
        {
          g_assert_null (manifest);
          g_assert_cmpint (error->domain, ==, PERFICA_JSON_ERROR);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpstr (manifest != NULL ? manifest->digest : NULL, ==, wanted);
      if (manifest != NULL)
        g_assert_cmpuint (manifest->size, ==, manifests[i].size);
    }
}

static void
test_many_layers (void)
{
  g_autoptr (GString) text =
      g_string_new ("{\"Descriptor\":{\"digest\":\"d\"},\"OCIManifest\":{\"layers\":[");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i <= PERFICA_IMAGE_MAX_LAYERS; i++)
    g_string_append_printf (text, "%s{\"digest\":\"a%u\",\"size\":1}", i > 0 ? "," : "", i);
  g_string_append (text, "]}}");
  g_assert_null (perfica_image_manifest_parse (text->str, text->len, "amd64", &error));
  g_assert_error (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE);
}

static const struct
{
  const char *text;
  gboolean good;
  const char *id;
  const char *status;
  gint64 current;
  const char *problem;
} events[] = {
  { "{\"status\":\"Pulling from a/b\",\"id\":\"sha256:1\"}", TRUE, "sha256:1", "Pulling from a/b",
    -1, NULL },
  { "{\"status\":\"Downloading\",\"progressDetail\":{\"current\":5,\"total\":9},"
    "\"progress\":\"[=>  ]\",\"id\":\"aaaaaaaaaaaa\"}",
    TRUE, "aaaaaaaaaaaa", "Downloading", 5, NULL },
  { "{\"status\":\"Waiting\",\"progressDetail\":{},\"id\":\"a\"}", TRUE, "a", "Waiting", -1, NULL },
  { "{\"errorDetail\":{\"message\":\"no\"},\"error\":\"no!\"}", TRUE, NULL, NULL, -1, "no" },
  { "{\"error\":\"no\"}", TRUE, NULL, NULL, -1, "no" },
  { "{}", TRUE, NULL, NULL, -1, NULL },
  { "{\"status\":1}", FALSE, NULL, NULL, 0, NULL },
  { "{\"progressDetail\":{\"current\":-5}}", FALSE, NULL, NULL, 0, NULL },
  { "{\"progressDetail\":{\"current\":1.5}}", FALSE, NULL, NULL, 0, NULL },
  { "[]", FALSE, NULL, NULL, 0, NULL },
  { "{", FALSE, NULL, NULL, 0, NULL },
};

static void
test_events (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    {
      g_auto (PerficaImageEvent) event = { 0 };

      g_assert_cmpint (perfica_image_event_parse (events[i].text, strlen (events[i].text), &event,
                                                  NULL),
                       ==, events[i].good);
      if (!events[i].good)
        continue;
      g_assert_cmpstr (event.id, ==, events[i].id);
      g_assert_cmpstr (event.status, ==, events[i].status);
      g_assert_cmpint (event.current, ==, events[i].current);
      g_assert_cmpstr (event.problem, ==, events[i].problem);
    }
}

/* In this order, with what is done after each. */
static const struct
{
  const char *id;
  const char *status;
  gint64 current;
  guint64 done;
  gboolean unpacking;
} steps[] = {
  { "22-bookworm", "Pulling from library/node", -1, 0, FALSE },
  { "aaaaaaaaaaaa", "Pulling fs layer", -1, 0, FALSE },
  { "aaaaaaaaaaaa", "Downloading", 10, 10, FALSE },
  { "bbbbbbbbbbbb", "Downloading", 5, 15, FALSE },
  { "aaaaaaaaaaaa", "Downloading", 8, 15, FALSE },
  { "aaaaaaaaaaaa", "Downloading", 100000, 105, FALSE },
  { "cccccccccccc", "Downloading", 50, 105, FALSE },
  { "b", "Downloading", 50, 105, FALSE },
  { "aaaaaaaaaaaa", "Download complete", -1, 105, FALSE },
  { "sha256:bbbbbbbbbbbbbbbbbbbb", "Downloading", 20, 120, FALSE },
  { "bbbbbbbbbbbb", "Already exists", -1, 150, TRUE },
  { "aaaaaaaaaaaa", "Extracting", 3, 150, TRUE },
  { "aaaaaaaaaaaa", "Pull complete", -1, 150, TRUE },
  { NULL, "Status: Downloaded newer image", -1, 150, TRUE },
};

static void
test_progress (void)
{
  g_autoptr (PerficaImageManifest) manifest =
      perfica_image_manifest_parse (manifests[0].text, strlen (manifests[0].text), "amd64", NULL);
  g_autoptr (PerficaImageProgress) progress = perfica_image_progress_new (manifest);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      PerficaImageEvent event = { (char *) steps[i].id, (char *) steps[i].status, steps[i].current,
                                  NULL };

      perfica_image_progress_add (progress, &event);
      g_assert_cmpuint (perfica_image_progress_get_done (progress), ==, steps[i].done);
      g_assert_cmpint (perfica_image_progress_is_unpacking (progress), ==, steps[i].unpacking);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/docker-json/manifests", test_manifests);
  g_test_add_func ("/docker-json/many-layers", test_many_layers);
  g_test_add_func ("/docker-json/events", test_events);
  g_test_add_func ("/docker-json/progress", test_progress);
  return g_test_run ();
}

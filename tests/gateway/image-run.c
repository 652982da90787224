/* Asks for Docker's image and downloads it as the window would, for tests with an engine.
 *
 * image-run [--name NAME] [--only-ask] [--cancel-at BYTES] [--forget] [--check]
 *
 * Prints each state as a line; what is pinned and what the check then says at the end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "perfica-gateway.h"

static char *name = NULL;
static gint64 cancel_at = -1;
static gboolean only_ask = FALSE;
static gboolean forget = FALSE;
static gboolean check = FALSE;

static const GOptionEntry options[] = {
  { "name", 0, 0, G_OPTION_ARG_STRING, &name, NULL, NULL },
  { "cancel-at", 0, 0, G_OPTION_ARG_INT64, &cancel_at, NULL, NULL },
  { "only-ask", 0, 0, G_OPTION_ARG_NONE, &only_ask, NULL, NULL },
  { "forget", 0, 0, G_OPTION_ARG_NONE, &forget, NULL, NULL },
  { "check", 0, 0, G_OPTION_ARG_NONE, &check, NULL, NULL },
  { NULL },
};

static const char *const states[] = { "idle",      "asking", "offered", "downloading",
                                      "unpacking", "done",   "failed" };

typedef struct
{
  PerficaGateway *gateway;
  PerficaImage *image;
  GMainLoop *loop;
  PerficaImageState last;
  gboolean checking;
} Running;

static void
end (Running *running)
{
  running->checking = TRUE;
  perfica_gateway_check_backend (running->gateway);
}

static void
on_changed (PerficaImage *image, Running *running)
{
  PerficaImageState state = perfica_image_get_state (image);
  guint64 done = perfica_image_get_done (image);

  if (running->checking)
    return;
  printf ("%s size=%" G_GUINT64_FORMAT " done=%" G_GUINT64_FORMAT " free=%" G_GUINT64_FORMAT
          " fits=%d\n",
          states[state], perfica_image_get_size (image), done, perfica_image_get_free (image),
          perfica_image_get_fits (image));
  if (state == PERFICA_IMAGE_DOWNLOADING && cancel_at >= 0 && (gint64) done >= cancel_at)
    {
      perfica_image_cancel (image);
      return;
    }
  if (state == running->last)
    return;
  running->last = state;
  if (state == PERFICA_IMAGE_FAILED)
    printf ("problem %s\n", perfica_image_get_problem (image));
  if (state == PERFICA_IMAGE_OFFERED && !only_ask)
    perfica_image_download (image);
  if (state == PERFICA_IMAGE_DONE || state == PERFICA_IMAGE_FAILED || state == PERFICA_IMAGE_IDLE ||
      (state == PERFICA_IMAGE_OFFERED && only_ask) ||
      (state == PERFICA_IMAGE_OFFERED && !perfica_image_get_fits (image)))
    end (running);
}

static void
on_diagnosis (PerficaGateway *gateway, Running *running)
{
  const SandboxDiagnosis *diagnosis = perfica_gateway_get_diagnosis (gateway);

  if (!running->checking || diagnosis == NULL)
    return;
  printf ("check ready=%d|%s|%s|%s|%s\n", diagnosis->ready, diagnosis->summary,
          diagnosis->step != NULL ? diagnosis->step : "",
          diagnosis->command != NULL ? diagnosis->command : "",
          diagnosis->detail != NULL ? diagnosis->detail : "");
  g_main_loop_quit (running->loop);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PerficaGateway) gateway = perfica_gateway_new (NULL);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Running running = { gateway, perfica_gateway_get_image (gateway), loop, PERFICA_IMAGE_IDLE };

  setvbuf (stdout, NULL, _IOLBF, 0);
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) ||
      !perfica_gateway_start (gateway, &error))
    {
      fprintf (stderr, "image-run: %s\n", error->message);
      return 2;
    }
  perfica_gateway_set_backend (gateway, SANDBOX_BACKEND_DOCKER);
  if (name != NULL && !perfica_image_set_name (running.image, name, &error))
    {
      printf ("problem %s\n", error->message);
      return 1;
    }
  if (forget)
    perfica_image_forget (running.image);
  g_signal_connect (running.image, "changed", G_CALLBACK (on_changed), &running);
  g_signal_connect (gateway, "diagnosis-changed", G_CALLBACK (on_diagnosis), &running);
  if (check)
    end (&running);
  else
    perfica_image_ask (running.image);
  g_main_loop_run (loop);
  printf ("pinned %s\n", perfica_image_get_digest (running.image) != NULL
                             ? perfica_image_get_digest (running.image)
                             : "-");
  return 0;
}

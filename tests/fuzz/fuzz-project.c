/* The files of a project that the guard reads to know what would run: any bytes in any of them
 * leave a verdict, no crash and no endless reading.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fake-files.h"
#include "guard-json.h"
#include "guard.h"

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size);

static const char *const kinds[][2] = {
  { "package.json", "npm run a && npm test && npm install && npx run-s a b" },
  { "Makefile", "make && make a b X=1 -n && make -C . a" },
  { "justfile", "just && just a b" },
  { "Taskfile.yml", "task && task a" },
  { "composer.json", "composer install && composer run a" },
  { "deno.json", "deno task a" },
  { "deno.jsonc", "deno task a" },
  { ".git/config", "git a && git b x" },
  { "pnpm-workspace.yaml", "pnpm -r run a && pnpm install" },
  { "x.sh", "./x.sh a" },
  { "x.py", "python3 x.py" },
  { "x.js", "node x.js" },
  { "x.awk", "awk -f x.awk a" },
  { "x.sed", "sed -f x.sed a" },
};

static void
check_json (const GuardJsonNode *node)
{
  for (; node; node = node->next)
    {
      g_assert (node->type <= GUARD_JSON_OBJECT);
      g_assert (node->type != GUARD_JSON_STRING || node->text);
      check_json (node->first);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  GuardScope scope = { .project = FAKE_PROJECT,
                       .loop = ".",
                       .folder = ".",
                       .app_folder = ".perfica",
                       .home = "/home/person",
                       .bash_available = TRUE };
  FakeFiles *fake;
  char *text;
  guint kind;

  if (size == 0)
    return 0;
  /* The last byte says which file; names end at a NUL on this disk, so there is none. */
  kind = bytes[--size] % G_N_ELEMENTS (kinds);
  text = g_strndup ((const char *) bytes, size);
  fake = fake_files_new ();
  if (kind == 8)
    fake_files_add (fake, "package.json", "{\"scripts\":{\"a\":\"ls\"}}");
  fake_files_add (fake, kinds[kind][0], text);
  if (strstr (kinds[kind][0], "json"))
    {
      g_autoptr (GuardJson) json = guard_json_read (text, strlen (text), kind == 6);

      if (json)
        check_json (guard_json_get_root (json));
    }
  {
    g_autoptr (GuardVerdict) verdict =
        guard_read (kinds[kind][1], strlen (kinds[kind][1]), &scope, &fake->files);

    for (guint i = 0; i < verdict->findings->len; i++)
      {
        const GuardFinding *finding = verdict->findings->pdata[i];
        char *shown = guard_finding_text (finding, NULL);

        g_assert (finding->start <= finding->end && finding->end <= strlen (kinds[kind][1]));
        g_assert (g_utf8_validate (shown, -1, NULL));
        g_free (shown);
      }
  }
  fake_files_free (fake);
  g_free (text);
  return 0;
}

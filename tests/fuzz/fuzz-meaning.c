/* The whole way from any bytes to a verdict, over a small disk, in any scope: no crash, spans that
 * lie in the text, a plan for what may run and none for what is refused, the same answer twice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fake-files.h"
#include "guard.h"

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size);

static FakeFiles *
make_disk (void)
{
  FakeFiles *fake = fake_files_new ();

  fake_files_add (fake, ".git/config", "[core]\n[alias]\n\tst = status\n\twipe = reset --hard\n");
  fake_files_add (
      fake, "package.json",
      "{\"workspaces\":[\"web\"],\"scripts\":{\"a\":\"npm run b\",\"b\":\"rm -rf dist\","
      "\"test\":\"jest\",\"dev\":\"vite\"}}");
  fake_files_add (fake, "web/package.json", "{\"name\":\"web\"}");
  fake_files_add (fake, "Makefile", "all: b\n\tcc -o $@ $<\nb:\n\t$(MAKE) all\n");
  fake_files_add (fake, "x.sh", "#!/bin/sh\nset -e\n./x.sh\nrm -rf build\n");
  fake_files_add (fake, "src/a.c", "x");
  fake_files_add (fake, ".env", "A=1");
  fake_files_add (fake, ".perfica/outputs/1.txt", "x");
  fake_files_add_link (fake, "out", "/etc");
  fake_files_add_link (fake, "round", "round");
  return fake;
}

static void
check (const GuardVerdict *verdict, gsize size)
{
  for (guint i = 0; i < verdict->findings->len; i++)
    {
      const GuardFinding *finding = verdict->findings->pdata[i];
      char *text = guard_finding_text (finding, NULL);

      g_assert (finding->start <= finding->end && finding->end <= size);
      g_assert (finding->rule && finding->message && text);
      g_assert (finding->answer <= verdict->answer);
      g_assert (g_utf8_validate (text, -1, NULL));
      g_free (text);
    }
  g_assert (verdict->plan.pins);
  if (verdict->answer == GUARD_ANSWER_REFUSE)
    g_assert (!verdict->plan.argv && !verdict->plan.script && verdict->findings->len > 0);
  else
    g_assert ((verdict->plan.argv != NULL) != (verdict->plan.script != NULL));
  if (verdict->answer == GUARD_ANSWER_ASK)
    g_assert (verdict->findings->len > 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  static FakeFiles *fake;
  static const char *const loops[] = { "web", NULL };
  GuardScope scope = { .project = FAKE_PROJECT,
                       .loop = ".",
                       .folder = ".",
                       .app_folder = ".perfica",
                       .home = "/home/person",
                       .bash_available = TRUE };
  const char *text = (const char *) bytes;
  uint8_t flags;

  if (!fake)
    fake = make_disk ();
  if (size == 0)
    return 0;
  /* The last byte says in which scope. */
  flags = bytes[--size];
  scope.sandbox = flags & 1;
  scope.case_insensitive = (flags & 2) != 0;
  scope.loops = flags & 4 ? loops : NULL;
  scope.folder = flags & 8 ? "src" : ".";
  {
    const GuardFiles *files = flags & 16 ? NULL : &fake->files;
    g_autoptr (GuardVerdict) verdict = guard_read (text, size, &scope, files);
    g_autoptr (GuardVerdict) again = guard_read (text, size, &scope, files);

    check (verdict, size);
    g_assert (verdict->answer == again->answer && verdict->findings->len == again->findings->len);
    g_assert (g_strcmp0 (verdict->canonical, again->canonical) == 0);
  }
  return 0;
}

/* A verdict depends on nothing but what it is given: the same answers, findings and plans while
 * other processes want the processor, and no memory that stays behind.
 *
 *   PERFICA_LOAD_PROCESSES: how many busy processes (4)
 *   PERFICA_LOAD_COMMANDS: how many commands are read while memory is watched (50,000)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "corpus.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* No busy process outlives this, whatever happens to the test. */
#define BUSY_SECONDS 20
#define MAX_PROCESSES 64

static guint
number_of (const char *name, guint otherwise, guint most)
{
  const char *text = g_getenv (name);

  return text != NULL ? (guint) CLAMP (g_ascii_strtoull (text, NULL, 10), 1, most) : otherwise;
}

static GPtrArray *
all_lines (void)
{
  static const char *const files[] = { "open.jsonl", "own.jsonl", "scoped.jsonl" };
  GPtrArray *all = g_ptr_array_new_with_free_func (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      GPtrArray *lines = corpus_load (files[i]);

      g_ptr_array_extend (all, lines, NULL, NULL);
      g_ptr_array_set_free_func (lines, NULL);
      g_ptr_array_unref (lines);
    }
  return all;
}

static void
free_lines (GPtrArray *lines)
{
  g_ptr_array_set_free_func (lines, corpus_line_free);
  g_ptr_array_unref (lines);
}

static void
append_strings (GString *out, const char *name, char **strings)
{
  for (guint i = 0; strings != NULL && strings[i] != NULL; i++)
    g_string_append_printf (out, "%s %s\n", name, strings[i]);
}

/* All that a verdict says. */
static char *
written (const GuardVerdict *verdict)
{
  GString *out = g_string_new (guard_answer_to_string (verdict->answer));

  g_string_append_printf (out, " %d %d\n%s\n%s\n", verdict->time_class, verdict->network_git,
                          verdict->canonical != NULL ? verdict->canonical : "-",
                          verdict->plan.script != NULL ? verdict->plan.script : "-");
  append_strings (out, "argv", verdict->plan.argv);
  append_strings (out, "environment", verdict->plan.environment);
  append_strings (out, "pin", verdict->plan.pins);
  for (guint i = 0; i < verdict->findings->len; i++)
    {
      const GuardFinding *finding = verdict->findings->pdata[i];
      g_autofree char *text = guard_finding_text (finding, NULL);

      g_string_append_printf (out, "%s %u-%u %s %s %s\n", finding->rule, finding->start,
                              finding->end, text, finding->kind != NULL ? finding->kind : "-",
                              finding->alternative != NULL ? finding->alternative : "-");
    }
  return g_string_free (out, FALSE);
}

static GuardVerdict *
read_line (const CorpusLine *line)
{
  return guard_read (line->command, strlen (line->command), &line->scope, &line->fake->files);
}

static void
start_busy (pid_t *pids, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      pids[i] = fork ();
      g_assert_cmpint (pids[i], >=, 0);
      if (pids[i] == 0)
        {
          struct rlimit seconds = { BUSY_SECONDS, BUSY_SECONDS };

          prctl (PR_SET_PDEATHSIG, SIGKILL);
          setrlimit (RLIMIT_CPU, &seconds);
          alarm (BUSY_SECONDS);
          for (volatile guint64 spent = 0;; spent++)
            ;
        }
    }
}

static void
stop_busy (const pid_t *pids, guint n)
{
  for (guint i = 0; i < n; i++)
    kill (pids[i], SIGKILL);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (waitpid (pids[i], NULL, 0), ==, pids[i]);
}

/* The busy ones are as nice as this process, so that it gets no more than its share. */
static void
test_busy (void)
{
  GPtrArray *lines = all_lines ();
  g_autoptr (GPtrArray) before = g_ptr_array_new_with_free_func (g_free);
  guint n = number_of ("PERFICA_LOAD_PROCESSES", 4, MAX_PROCESSES);
  pid_t pids[MAX_PROCESSES];
  gint64 began, alone;
  guint differ = 0;

  errno = 0;
  g_assert_true (nice (19) != -1 || errno == 0);
  began = g_get_monotonic_time ();
  for (guint i = 0; i < lines->len; i++)
    {
      g_autoptr (GuardVerdict) verdict = read_line (lines->pdata[i]);

      g_ptr_array_add (before, written (verdict));
    }
  alone = g_get_monotonic_time () - began;
  start_busy (pids, n);
  began = g_get_monotonic_time ();
  for (guint i = 0; i < lines->len; i++)
    {
      g_autoptr (GuardVerdict) verdict = read_line (lines->pdata[i]);
      g_autofree char *now = written (verdict);

      if (strcmp (now, before->pdata[i]) != 0)
        {
          differ++;
          g_test_message ("%s: was %s, is %s", ((CorpusLine *) lines->pdata[i])->id,
                          (char *) before->pdata[i], now);
        }
    }
  g_test_message ("%u lines: %.0f ms alone, %.0f ms beside %u busy processes", lines->len,
                  alone / 1000.0, (g_get_monotonic_time () - began) / 1000.0, n);
  stop_busy (pids, n);
  free_lines (lines);
  g_assert_cmpuint (differ, ==, 0);
}

static gsize
resident (void)
{
  unsigned long size = 0, pages = 0;
  FILE *file = fopen ("/proc/self/statm", "r");

  g_assert_nonnull (file);
  g_assert_cmpint (fscanf (file, "%lu %lu", &size, &pages), ==, 2);
  fclose (file);
  return (gsize) pages * (gsize) sysconf (_SC_PAGESIZE);
}

static void
test_memory (void)
{
  GPtrArray *lines = all_lines ();
  guint commands = number_of ("PERFICA_LOAD_COMMANDS", 50000, 10000000);
  guint warm = 5 * lines->len;
  gsize pages = 0, now;
  gsize bytes = 0;

  for (guint i = 0; i < warm + commands; i++)
    {
      if (i == warm)
        {
          pages = resident ();
          bytes = mallinfo2 ().uordblks;
        }
      guard_verdict_free (read_line (lines->pdata[i % lines->len]));
    }
  now = resident ();
  g_test_message ("resident after %u commands %" G_GSIZE_FORMAT
                  " KiB, after %u more %" G_GSIZE_FORMAT " KiB; in use %" G_GSIZE_FORMAT
                  " and %" G_GSIZE_FORMAT " bytes",
                  warm, pages / 1024, commands, now / 1024, bytes, (gsize) mallinfo2 ().uordblks);
#ifndef __SANITIZE_ADDRESS__
  /* What was freed but lies in a cache counts as used, pages may be touched a little differently:
   * a few KiB, however many commands. */
  g_assert_cmpuint (mallinfo2 ().uordblks, <=, bytes + 16 * 1024);
  g_assert_cmpuint (now, <=, pages + 256 * 1024);
#endif
  free_lines (lines);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/load/busy", test_busy);
  g_test_add_func ("/guard/load/memory", test_memory);
  return g_test_run ();
}

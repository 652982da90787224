/* Times the guard on records from a file: PROJECT NUL COMMAND NUL, again and again.
 *
 *   bench-guard time FILE ROUNDS disk|no-disk    the median of each record, in microseconds
 *   bench-guard memory FILE FEW MANY             resident KiB after so many commands
 *   bench-guard hostile FOLDER ROUNDS SHORT      each kind of hostile input, SHORT and as long as
 * is read: NAME, bytes, us, bytes, us; FOLDER gets the long ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard.h"
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_ROUNDS 1000

typedef struct
{
  const char *project;
  const char *command;
  gsize length;
} Record;

static gint64
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The records point into the text, which stays for as long as the process. */
static GArray *
read_records (const char *path)
{
  GArray *records = g_array_new (FALSE, FALSE, sizeof (Record));
  g_autoptr (GError) error = NULL;
  char *text;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &error))
    g_error ("%s", error->message);
  for (const char *at = text; at < text + length;)
    {
      Record record = { .project = at };

      record.command = at + strlen (at) + 1;
      record.length = strlen (record.command);
      at = record.command + record.length + 1;
      g_array_append_val (records, record);
    }
  return records;
}

static void
read_one (const Record *record, const GuardFiles *files)
{
  GuardScope scope = { .project = record->project,
                       .loop = ".",
                       .folder = ".",
                       .app_folder = ".perfica",
                       .home = "/home/person",
                       .bash_available = TRUE };

  guard_verdict_free (guard_read (record->command, record->length, &scope, files));
}

static int
compare (const void *a, const void *b)
{
  gint64 left = *(const gint64 *) a;
  gint64 right = *(const gint64 *) b;

  return (left > right) - (left < right);
}

/* Each round goes through all records, so that none is read with the caches its last one left. */
static void
time_records (const GArray *records, guint rounds, const GuardFiles *files)
{
  g_autofree gint64 *samples = g_new (gint64, (gsize) records->len * rounds);

  for (guint round = 0; round < rounds; round++)
    for (guint i = 0; i < records->len; i++)
      {
        gint64 began = now_ns ();

        read_one (&g_array_index (records, Record, i), files);
        samples[(gsize) i * rounds + round] = now_ns () - began;
      }
  for (guint i = 0; i < records->len; i++)
    {
      gint64 *of_one = samples + (gsize) i * rounds;

      qsort (of_one, rounds, sizeof *of_one, compare);
      printf ("%.3f\n", (double) of_one[rounds / 2] / 1000);
    }
}

/* The best of some: what else runs on the machine only ever adds. */
static double
best_us (const Record *record, guint rounds)
{
  gint64 best = G_MAXINT64;

  for (guint round = 0; round < rounds; round++)
    {
      gint64 began = now_ns ();

      read_one (record, NULL);
      best = MIN (best, now_ns () - began);
    }
  return (double) best / 1000;
}

static void
time_hostile (const char *folder, guint rounds, gsize least)
{
  for (guint i = 0; i < n_hostile_kinds; i++)
    {
      g_autofree char *little = hostile_text (&hostile_kinds[i], least);
      g_autofree char *much = hostile_text (&hostile_kinds[i], GUARD_MAX_LENGTH);
      g_autofree char *path = g_strdup_printf ("%s/%u", folder, i);
      Record few = { "/nowhere", little, strlen (little) };
      Record many = { "/nowhere", much, strlen (much) };
      FILE *file = fopen (path, "we");

      if (file == NULL || fprintf (file, "/nowhere%c%s%c", '\0', much, '\0') < 0 ||
          fclose (file) != 0)
        g_error ("%s can't be written", path);
      printf ("%s\t%zu\t%.1f\t%zu\t%.1f\n", hostile_kinds[i].name, few.length,
              best_us (&few, rounds * 5), many.length, best_us (&many, rounds));
    }
}

static long
resident_kib (void)
{
  FILE *file = fopen ("/proc/self/statm", "re");
  long size;
  long resident = 0;

  if (file == NULL || fscanf (file, "%ld %ld", &size, &resident) != 2)
    g_error ("/proc/self/statm can't be read");
  fclose (file);
  return resident * (sysconf (_SC_PAGESIZE) / 1024);
}

static void
measure_memory (const GArray *records, guint64 few, guint64 many)
{
  for (guint64 i = 0; i < many; i++)
    {
      if (i == few)
        printf ("%ld\n", resident_kib ());
      read_one (&g_array_index (records, Record, i % records->len), NULL);
    }
  printf ("%ld\n", resident_kib ());
}

int
main (int argc, char **argv)
{
  g_autoptr (GArray) records = NULL;
  guint64 number = argc == 5 ? g_ascii_strtoull (argv[3], NULL, 10) : 0;

  if (number > 0 && g_str_equal (argv[1], "hostile"))
    {
      time_hostile (argv[2], (guint) MIN (number, MOST_ROUNDS),
                    g_ascii_strtoull (argv[4], NULL, 10));
      return 0;
    }
  if (number > 0)
    records = read_records (argv[2]);
  if (records == NULL || records->len == 0 || number == 0)
    return 2;
  if (g_str_equal (argv[1], "memory"))
    measure_memory (records, number, g_ascii_strtoull (argv[4], NULL, 10));
  else if (number <= MOST_ROUNDS)
    time_records (records, (guint) number,
                  g_str_equal (argv[4], "disk") ? guard_files_disk () : NULL);
  else
    return 2;
  return 0;
}

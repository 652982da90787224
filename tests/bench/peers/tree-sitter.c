/* Times tree-sitter-bash's parse on the records of bench-guard.c: FILE ROUNDS.
 *
 * Compiled at bench time from the sources that the npm packages bring.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_bash (void);

static double
now_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e6 + (double) now.tv_nsec / 1000;
}

static int
compare (const void *a, const void *b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return (left > right) - (left < right);
}

static char *
read_whole (const char *path, size_t *length)
{
  FILE *file = fopen (path, "rb");
  char *text = NULL;

  *length = 0;
  if (file != NULL && fseek (file, 0, SEEK_END) == 0)
    {
      *length = (size_t) ftell (file);
      rewind (file);
      text = malloc (*length + 1);
      if (text == NULL || fread (text, 1, *length, file) != *length)
        exit (1);
      fclose (file);
    }
  return text;
}

int
main (int argc, char **argv)
{
  TSParser *parser = ts_parser_new ();
  size_t length;
  char *text = argc == 3 ? read_whole (argv[1], &length) : NULL;
  int rounds = argc == 3 ? atoi (argv[2]) : 0;
  size_t records = 0;
  double *samples;

  if (text == NULL || rounds <= 0 || !ts_parser_set_language (parser, tree_sitter_bash ()))
    return 1;
  for (size_t i = 0; i < length; i++)
    records += text[i] == '\0';
  records /= 2;
  samples = calloc (records * (size_t) rounds, sizeof *samples);
  for (int round = 0; samples != NULL && round < rounds; round++)
    {
      const char *at = text;

      for (size_t i = 0; i < records; i++)
        {
          const char *command = at + strlen (at) + 1;
          double began = now_us ();

          ts_tree_delete (
              ts_parser_parse_string (parser, NULL, command, (uint32_t) strlen (command)));
          samples[i * (size_t) rounds + (size_t) round] = now_us () - began;
          at = command + strlen (command) + 1;
        }
    }
  for (size_t i = 0; samples != NULL && i < records; i++)
    {
      qsort (samples + i * (size_t) rounds, (size_t) rounds, sizeof *samples, compare);
      printf ("%.3f\n", samples[i * (size_t) rounds + (size_t) rounds / 2]);
    }
  return 0;
}

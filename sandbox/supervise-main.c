/* perfica-supervise: the launcher, and the init of every command.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "supervise-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
usage (void)
{
  fputs ("perfica-supervise is started by Perfica and does nothing by itself.\n", stderr);
  return 2;
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "--launch") == 0)
    {
      char *end;
      long fd = strtol (argv[2], &end, 10);

      return end == argv[2] || *end != '\0' || fd < 3 || fd > 1048576 ? usage ()
                                                                      : supervise_launch ((int) fd);
    }
  if (argc >= 2 && strcmp (argv[1], "--init") == 0)
    {
      int status = supervise_init_main (argc, argv);

      return status == 2 ? usage () : status;
    }
  return usage ();
}

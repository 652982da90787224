/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "supervise-output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void
supervise_kept_add (SuperviseKept *kept, const char *data, size_t length)
{
  size_t first = sizeof kept->head - kept->head_length;

  if (first > length)
    first = length;
  memcpy (kept->head + kept->head_length, data, first);
  kept->head_length += first;
  kept->total += length;
  data += first;
  length -= first;
  if (length > sizeof kept->tail)
    {
      data += length - sizeof kept->tail;
      length = sizeof kept->tail;
    }
  while (length > 0)
    {
      size_t part = sizeof kept->tail - kept->tail_at;

      if (part > length)
        part = length;
      memcpy (kept->tail + kept->tail_at, data, part);
      kept->tail_at = (kept->tail_at + part) % sizeof kept->tail;
      kept->tail_length += part;
      data += part;
      length -= part;
    }
  if (kept->tail_length > sizeof kept->tail)
    kept->tail_length = sizeof kept->tail;
}

const char *
supervise_kept_tail (SuperviseKept *kept, size_t *length)
{
  *length = kept->tail_length;
  if (kept->tail_length == sizeof kept->tail && kept->tail_at != 0)
    {
      char turned[sizeof kept->tail];
      size_t old = sizeof kept->tail - kept->tail_at;

      memcpy (turned, kept->tail + kept->tail_at, old);
      memcpy (turned + old, kept->tail, kept->tail_at);
      memcpy (kept->tail, turned, sizeof turned);
      kept->tail_at = 0;
    }
  return kept->tail;
}

void
supervise_file_add (SuperviseFile *file, const char *data, size_t length)
{
  if (file->fd < 0 || file->error != 0 || file->cut)
    return;
  if (length > file->max - file->written)
    {
      length = (size_t) (file->max - file->written);
      file->cut = true;
    }
  while (length > 0)
    {
      ssize_t done = write (file->fd, data, length);

      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        {
          file->error = done < 0 ? errno : EIO;
          file->cut = true;
          return;
        }
      data += done;
      length -= (size_t) done;
      file->written += (uint64_t) done;
    }
}

void
supervise_file_finish (SuperviseFile *file)
{
  char mark[160];
  size_t length;

  if (file->fd < 0)
    return;
  if (file->cut && file->error == 0)
    snprintf (mark, sizeof mark, "\n[perfica: output cut here, after %llu bytes]\n",
              (unsigned long long) file->written);
  else
    snprintf (mark, sizeof mark, "\n[perfica: output lost from about here: %.80s]\n",
              strerror (file->error));
  length = strlen (mark);
  if (file->cut && write (file->fd, mark, length) != (ssize_t) length && file->written > 4096)
    {
      /* A full disk has room for the mark once some of the text makes way. */
      off_t end = (off_t) (file->written - 4096);

      if (ftruncate (file->fd, end) == 0 && lseek (file->fd, end, SEEK_SET) == end &&
          write (file->fd, mark, length) == (ssize_t) length)
        file->written = (uint64_t) end;
    }
  close (file->fd);
  file->fd = -1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-protocol.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- Writing ---- */

typedef struct
{
  char *data;
  size_t length;
  size_t size;
  bool failed;
} Writer;

static void
put (Writer *writer, const void *data, size_t length)
{
  if (writer->failed || length > SANDBOX_REQUEST_MAX - writer->length)
    {
      writer->failed = true;
      return;
    }
  if (writer->length + length > writer->size)
    {
      size_t size = (writer->length + length) * 2 + 4096;
      char *grown = realloc (writer->data, size);

      if (grown == NULL)
        {
          writer->failed = true;
          return;
        }
      writer->data = grown;
      writer->size = size;
    }
  if (length > 0)
    memcpy (writer->data + writer->length, data, length);
  writer->length += length;
}

static void
put_u32 (Writer *writer, uint32_t value)
{
  put (writer, &value, sizeof value);
}

static void
put_u64 (Writer *writer, uint64_t value)
{
  put (writer, &value, sizeof value);
}

static void
put_bytes (Writer *writer, const char *data, size_t length)
{
  if (length > SANDBOX_REQUEST_MAX)
    {
      writer->failed = true;
      return;
    }
  put_u32 (writer, (uint32_t) length);
  put (writer, data, length);
  put (writer, "", 1);
}

static void
put_string (Writer *writer, const char *string)
{
  put_u32 (writer, string != NULL);
  if (string != NULL)
    put_bytes (writer, string, strlen (string));
}

static void
put_strings (Writer *writer, char *const *strings)
{
  uint32_t count = 0;

  put_u32 (writer, strings != NULL);
  if (strings == NULL)
    return;
  while (strings[count] != NULL)
    count++;
  put_u32 (writer, count);
  for (uint32_t i = 0; i < count; i++)
    put_bytes (writer, strings[i], strlen (strings[i]));
}

char *
sandbox_request_encode (const SandboxRequest *request, size_t *length)
{
  Writer writer = { 0 };

  put_u32 (&writer, SANDBOX_PROTOCOL_MAGIC);
  put_u32 (&writer, request->flags);
  put_u32 (&writer, request->limit_seconds);
  put_u32 (&writer, request->command_index);
  put_u64 (&writer, request->output_max);
  put_strings (&writer, request->argv);
  put_strings (&writer, request->environment);
  put_strings (&writer, request->stop_argv);
  put_string (&writer, request->folder);
  put_string (&writer, request->cidfile);
  put_u32 (&writer, request->args != NULL);
  if (request->args != NULL)
    put_bytes (&writer, request->args, request->args_length);
  put_u32 (&writer, (uint32_t) request->n_opens);
  for (size_t i = 0; i < request->n_opens; i++)
    {
      put_u64 (&writer, request->opens[i].device);
      put_u64 (&writer, request->opens[i].inode);
      put_u32 (&writer, request->opens[i].is_folder);
      put_string (&writer, request->opens[i].path);
    }
  if (writer.failed)
    {
      free (writer.data);
      return NULL;
    }
  *length = writer.length;
  return writer.data;
}

/* ---- Reading ---- */

typedef struct
{
  char *at;
  size_t left;
  bool failed;
} Reader;

static char *
take (Reader *reader, size_t length)
{
  char *at = reader->at;

  if (reader->failed || length > reader->left)
    {
      reader->failed = true;
      return NULL;
    }
  reader->at += length;
  reader->left -= length;
  return at;
}

static uint32_t
take_u32 (Reader *reader)
{
  uint32_t value = 0;
  const char *at = take (reader, sizeof value);

  if (at != NULL)
    memcpy (&value, at, sizeof value);
  return value;
}

static uint64_t
take_u64 (Reader *reader)
{
  uint64_t value = 0;
  const char *at = take (reader, sizeof value);

  if (at != NULL)
    memcpy (&value, at, sizeof value);
  return value;
}

static bool
take_flag (Reader *reader)
{
  uint32_t value = take_u32 (reader);

  if (value > 1)
    reader->failed = true;
  return value == 1;
}

static char *
take_bytes (Reader *reader, size_t *length)
{
  uint32_t count = take_u32 (reader);
  char *at = take (reader, (size_t) count + 1);

  if (at == NULL || at[count] != '\0')
    {
      reader->failed = true;
      return NULL;
    }
  *length = count;
  return at;
}

/* A string with a NUL inside would be another string to the kernel than to us. */
static char *
take_word (Reader *reader)
{
  size_t length = 0;
  char *word = take_bytes (reader, &length);

  if (word != NULL && strlen (word) != length)
    reader->failed = true;
  return reader->failed ? NULL : word;
}

static char *
take_string (Reader *reader)
{
  return take_flag (reader) ? take_word (reader) : NULL;
}

static char **
take_strings (Reader *reader)
{
  uint32_t count;
  char **strings;

  if (!take_flag (reader))
    return NULL;
  count = take_u32 (reader);
  /* Each one takes at least its length and its NUL. */
  if (reader->failed || count > reader->left / 5)
    {
      reader->failed = true;
      return NULL;
    }
  strings = calloc ((size_t) count + 1, sizeof *strings);
  if (strings == NULL)
    {
      reader->failed = true;
      return NULL;
    }
  for (uint32_t i = 0; i < count; i++)
    strings[i] = take_word (reader);
  return strings;
}

static void
take_opens (Reader *reader, SandboxRequest *request)
{
  uint32_t count = take_u32 (reader);

  if (reader->failed || count > reader->left / 29)
    {
      reader->failed = true;
      return;
    }
  if (count == 0)
    return;
  request->opens = calloc (count, sizeof *request->opens);
  if (request->opens == NULL)
    {
      reader->failed = true;
      return;
    }
  request->n_opens = count;
  for (uint32_t i = 0; i < count; i++)
    {
      SandboxRequestOpen *open = &request->opens[i];

      open->device = take_u64 (reader);
      open->inode = take_u64 (reader);
      open->is_folder = take_flag (reader);
      open->path = take_string (reader);
      if (open->path == NULL)
        reader->failed = true;
    }
}

static bool
is_whole (const SandboxRequest *request)
{
  size_t words = 0;

  if (request->argv == NULL || request->environment == NULL || request->folder == NULL)
    return false;
  while (request->argv[words] != NULL)
    words++;
  if (words == 0 || request->command_index > words)
    return false;
  return request->args == NULL || request->args_length == 0 ||
         request->args[request->args_length - 1] == '\0';
}

bool
sandbox_request_decode (char *buffer, size_t length, SandboxRequest *request)
{
  Reader reader = { .at = buffer, .left = length };

  memset (request, 0, sizeof *request);
  request->buffer = buffer;
  if (length > SANDBOX_REQUEST_MAX || take_u32 (&reader) != SANDBOX_PROTOCOL_MAGIC)
    return false;
  request->flags = take_u32 (&reader);
  request->limit_seconds = take_u32 (&reader);
  request->command_index = take_u32 (&reader);
  request->output_max = take_u64 (&reader);
  request->argv = take_strings (&reader);
  request->environment = take_strings (&reader);
  request->stop_argv = take_strings (&reader);
  request->folder = take_string (&reader);
  request->cidfile = take_string (&reader);
  if (take_flag (&reader))
    request->args = take_bytes (&reader, &request->args_length);
  take_opens (&reader, request);
  return !reader.failed && reader.left == 0 && is_whole (request);
}

void
sandbox_request_clear (SandboxRequest *request)
{
  free (request->argv);
  free (request->environment);
  free (request->stop_argv);
  free (request->opens);
  free (request->buffer);
  memset (request, 0, sizeof *request);
}

/* ---- Messages ---- */

int
sandbox_message_send (int socket,
                      SandboxMessageType type,
                      uint32_t flags,
                      const void *data,
                      size_t length,
                      const int *fds,
                      size_t n_fds,
                      bool wait)
{
  SandboxMessage message = { SANDBOX_PROTOCOL_MAGIC, type, flags, (uint32_t) length };
  struct iovec parts[2] = { { &message, sizeof message }, { (void *) data, length } };
  struct msghdr header = { .msg_iov = parts, .msg_iovlen = length > 0 ? 2 : 1 };
  union
  {
    char space[CMSG_SPACE (sizeof (int) * SANDBOX_RUN_FDS)];
    struct cmsghdr align;
  } control;
  ssize_t sent;

  if (n_fds > SANDBOX_RUN_FDS || length > UINT32_MAX)
    {
      errno = EINVAL;
      return -1;
    }
  if (n_fds > 0)
    {
      struct cmsghdr *rights;

      memset (&control, 0, sizeof control);
      header.msg_control = control.space;
      header.msg_controllen = CMSG_SPACE (sizeof (int) * n_fds);
      rights = CMSG_FIRSTHDR (&header);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN (sizeof (int) * n_fds);
      memcpy (CMSG_DATA (rights), fds, sizeof (int) * n_fds);
    }
  do
    sent = sendmsg (socket, &header, MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT));
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -1 : 0;
}

static size_t
keep_fds (struct msghdr *header, int fds[SANDBOX_RUN_FDS])
{
  size_t count = 0;

  for (struct cmsghdr *part = CMSG_FIRSTHDR (header); part != NULL;
       part = CMSG_NXTHDR (header, part))
    {
      size_t n;

      if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
        continue;
      n = (part->cmsg_len - CMSG_LEN (0)) / sizeof (int);
      for (size_t i = 0; i < n; i++)
        {
          int fd;

          memcpy (&fd, CMSG_DATA (part) + i * sizeof fd, sizeof fd);
          if (count < SANDBOX_RUN_FDS)
            fds[count++] = fd;
          else
            close (fd);
        }
    }
  return count;
}

int
sandbox_message_receive (
    int socket, SandboxMessage *message, void *data, size_t size, int fds[SANDBOX_RUN_FDS])
{
  struct iovec parts[2] = { { message, sizeof *message }, { data, size } };
  struct msghdr header = { .msg_iov = parts, .msg_iovlen = size > 0 ? 2 : 1 };
  union
  {
    char space[CMSG_SPACE (sizeof (int) * SANDBOX_RUN_FDS)];
    struct cmsghdr align;
  } control;
  ssize_t got;

  if (fds != NULL)
    {
      for (size_t i = 0; i < SANDBOX_RUN_FDS; i++)
        fds[i] = -1;
      header.msg_control = control.space;
      header.msg_controllen = sizeof control.space;
    }
  do
    got = recvmsg (socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return -1;
  if (got == 0)
    return 0;
  if (fds != NULL)
    keep_fds (&header, fds);
  if ((header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 || (size_t) got < sizeof *message ||
      message->magic != SANDBOX_PROTOCOL_MAGIC || message->length != (size_t) got - sizeof *message)
    {
      for (size_t i = 0; fds != NULL && i < SANDBOX_RUN_FDS; i++)
        if (fds[i] >= 0)
          {
            close (fds[i]);
            fds[i] = -1;
          }
      errno = EPROTO;
      return -1;
    }
  return 1;
}

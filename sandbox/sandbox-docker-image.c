/* The image: its name, what the registry says of it, its download. Never without being asked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-docker.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "sandbox-probe.h"

#define SECONDS 60
/* Docker's own limits of a name and of a tag. */
#define MAX_NAME 255
#define MAX_TAG 128
#define DIGEST "sha256:"
#define WORDS_MAX 600

/* ---- Names ---- */

void
sandbox_image_name_clear (SandboxImageName *name)
{
  g_clear_pointer (&name->registry, g_free);
  g_clear_pointer (&name->repository, g_free);
  g_clear_pointer (&name->tag, g_free);
  g_clear_pointer (&name->digest, g_free);
}

gboolean
sandbox_image_is_digest (const char *text)
{
  if (text == NULL || !g_str_has_prefix (text, DIGEST))
    return FALSE;
  text += strlen (DIGEST);
  return strlen (text) == 64 && strspn (text, "0123456789abcdef") == 64;
}

/* "a", "a/b-c.d": parts of small letters and digits with single separators between them. */
static gboolean
is_repository (const char *text)
{
  gboolean begins = TRUE;

  for (const char *at = text; *at != '\0'; at++)
    {
      gboolean plain = g_ascii_islower (*at) || g_ascii_isdigit (*at);

      if (!plain && (begins || strchr ("._-/", *at) == NULL))
        return FALSE;
      begins = *at == '/';
    }
  return !begins && g_ascii_isalnum (text[strlen (text) - 1]);
}

static gboolean
is_tag (const char *text)
{
  if (text[0] == '\0' || strlen (text) > MAX_TAG || strchr (".-", text[0]) != NULL)
    return FALSE;
  for (; *text != '\0'; text++)
    if (!g_ascii_isalnum (*text) && strchr ("._-", *text) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
is_registry (const char *text)
{
  const char *colon = strchr (text, ':');
  gsize length = colon != NULL ? (gsize) (colon - text) : strlen (text);

  if (length == 0 || !g_ascii_isalnum (text[0]) || !g_ascii_isalnum (text[length - 1]))
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && strchr (".-", text[i]) == NULL)
      return FALSE;
  return colon == NULL || (colon[1] != '\0' && strlen (colon) <= 6 &&
                           strspn (colon + 1, "0123456789") == strlen (colon + 1));
}

/* The first part is a registry when it can't be a folder: a dot, a colon, or "localhost". */
static void
split_registry (char *text, SandboxImageName *name)
{
  char *slash = strchr (text, '/');

  if (slash != NULL)
    {
      g_autofree char *first = g_strndup (text, (gsize) (slash - text));

      if (strpbrk (first, ".:") != NULL || g_str_equal (first, "localhost"))
        {
          name->registry = g_steal_pointer (&first);
          name->repository = g_strdup (slash + 1);
          if (g_str_equal (name->registry, "index.docker.io"))
            {
              g_free (name->registry);
              name->registry = g_strdup ("docker.io");
            }
        }
    }
  if (name->registry == NULL)
    {
      name->registry = g_strdup ("docker.io");
      name->repository = g_strdup (text);
    }
  if (g_str_equal (name->registry, "docker.io") && strchr (name->repository, '/') == NULL)
    {
      g_autofree char *official = g_strconcat ("library/", name->repository, NULL);

      g_free (name->repository);
      name->repository = g_steal_pointer (&official);
    }
}

gboolean
sandbox_image_name_parse (const char *text, SandboxImageName *name, GError **error)
{
  g_auto (SandboxImageName) found = { NULL };
  g_autofree char *rest = g_strdup (text);
  char *at = strchr (rest, '@');
  char *colon;
  gboolean good = TRUE;

  if (at != NULL)
    {
      *at = '\0';
      found.digest = g_strdup (at + 1);
      good = sandbox_image_is_digest (found.digest);
    }
  colon = strrchr (rest, ':');
  if (colon != NULL && strchr (colon, '/') == NULL)
    {
      *colon = '\0';
      found.tag = g_strdup (colon + 1);
      good = good && is_tag (found.tag);
    }
  else if (found.digest == NULL)
    {
      found.tag = g_strdup ("latest");
    }
  split_registry (rest, &found);
  good = good && is_registry (found.registry) && found.repository[0] != '\0' &&
         is_repository (found.repository) &&
         strlen (found.registry) + strlen (found.repository) < MAX_NAME;
  if (!good)
    {
      g_set_error (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_NAME,
                   _ ("“%.300s” is no name of an image"), text);
      return FALSE;
    }
  *name = found;
  memset (&found, 0, sizeof found);
  return TRUE;
}

char *
sandbox_image_reference (const char *text, const char *digest)
{
  g_auto (SandboxImageName) name = { NULL };

  if (!sandbox_image_name_parse (text != NULL ? text : SANDBOX_DEFAULT_IMAGE, &name, NULL) ||
      (digest != NULL && !sandbox_image_is_digest (digest)))
    return NULL;
  if (digest == NULL)
    digest = name.digest;
  if (digest != NULL)
    return g_strdup_printf ("%s/%s@%s", name.registry, name.repository, digest);
  return g_strdup_printf ("%s/%s:%s", name.registry, name.repository, name.tag);
}

/* ---- What engines and registries say, in words ---- */

typedef struct
{
  const char *words;
  SandboxDockerError code;
  const char *sentence; /* after the image's name */
} Known;

#define OFFLINE N_ ("its registry can't be reached; is this computer online?")
#define LOGIN                                                                                      \
  N_ ("there is none for everybody: the name is wrong, or the registry wants a login (“docker "  \
      "login”, then “docker pull”, in a terminal)")
#define NO_IMAGE N_ ("its registry has no such image")
#define RATE                                                                                       \
  N_ ("its registry has been asked too often from here; try again in some hours, or log in")
#define SPACE N_ ("the disk is too full for it")
#define PLATFORM N_ ("it isn't made for this kind of computer")
#define OTHER_DIGEST N_ ("what its registry sent isn't what it had announced")

/* Lower case; the first that is found. */
static const Known known[] = {
  { "toomanyrequests", SANDBOX_DOCKER_ERROR_RATE, RATE },
  { "too many requests", SANDBOX_DOCKER_ERROR_RATE, RATE },
  { "no space left on device", SANDBOX_DOCKER_ERROR_SPACE, SPACE },
  { "disk quota exceeded", SANDBOX_DOCKER_ERROR_SPACE, SPACE },
  { "no matching manifest", SANDBOX_DOCKER_ERROR_PLATFORM, PLATFORM },
  { "no image found in manifest list", SANDBOX_DOCKER_ERROR_PLATFORM, PLATFORM },
  { "manifest unknown", SANDBOX_DOCKER_ERROR_NO_IMAGE, NO_IMAGE },
  { "name unknown", SANDBOX_DOCKER_ERROR_NO_IMAGE, NO_IMAGE },
  { "repository name not known", SANDBOX_DOCKER_ERROR_NO_IMAGE, NO_IMAGE },
  { "no such manifest", SANDBOX_DOCKER_ERROR_NO_IMAGE, NO_IMAGE },
  { "denied", SANDBOX_DOCKER_ERROR_LOGIN, LOGIN },
  { "unauthorized", SANDBOX_DOCKER_ERROR_LOGIN, LOGIN },
  { "authentication required", SANDBOX_DOCKER_ERROR_LOGIN, LOGIN },
  { "no basic auth credentials", SANDBOX_DOCKER_ERROR_LOGIN, LOGIN },
  { "no such host", SANDBOX_DOCKER_ERROR_OFFLINE, OFFLINE },
  { "dial tcp", SANDBOX_DOCKER_ERROR_OFFLINE, OFFLINE },
  { "network is unreachable", SANDBOX_DOCKER_ERROR_OFFLINE, OFFLINE },
  { "connection refused", SANDBOX_DOCKER_ERROR_OFFLINE, OFFLINE },
  { "connection reset", SANDBOX_DOCKER_ERROR_OFFLINE, OFFLINE },
  { "i/o timeout", SANDBOX_DOCKER_ERROR_OFFLINE, OFFLINE },
  { "handshake timeout", SANDBOX_DOCKER_ERROR_OFFLINE, OFFLINE },
  { "client.timeout", SANDBOX_DOCKER_ERROR_OFFLINE, OFFLINE },
  { "temporary failure in name resolution", SANDBOX_DOCKER_ERROR_OFFLINE, OFFLINE },
  { "unexpected eof", SANDBOX_DOCKER_ERROR_OFFLINE, OFFLINE },
  { "failed to verify", SANDBOX_DOCKER_ERROR_DIGEST, OTHER_DIGEST },
  { "verification failed for digest", SANDBOX_DOCKER_ERROR_DIGEST, OTHER_DIGEST },
  { "does not match digest", SANDBOX_DOCKER_ERROR_DIGEST, OTHER_DIGEST },
  { "manifest verification failed", SANDBOX_DOCKER_ERROR_DIGEST, OTHER_DIGEST },
  { "not found", SANDBOX_DOCKER_ERROR_NO_IMAGE, NO_IMAGE },
};

void
sandbox_image_set_error (GError **error, const char *text, const char *words)
{
  g_autofree char *valid = g_utf8_make_valid (words, -1);
  g_autofree char *low = g_ascii_strdown (valid, -1);
  g_autofree char *shown = NULL;

  g_strstrip (valid);
  shown = g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), WORDS_MAX));
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strstr (low, known[i].words) != NULL)
      {
        g_set_error (error, SANDBOX_DOCKER_ERROR, (gint) known[i].code, _ ("Image “%s”: %s (%s)"),
                     text, _ (known[i].sentence), shown);
        return;
      }
  g_set_error (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_OTHER,
               _ ("The image “%s” can't be had: %s"), text, shown);
}

/* The connection to the engine itself failed. */
static void
turn_engine_error (GError **error, GError *reason)
{
  if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, reason);
      return;
    }
  if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    g_set_error_literal (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_DENIED,
                         _ ("You may not use Docker"));
  else if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED) ||
           g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    g_set_error_literal (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_DOWN,
                         _ ("Docker is not running"));
  else if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT) ||
           g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED))
    g_set_error_literal (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_DOWN,
                         _ ("Docker stopped while it was at work"));
  else
    g_set_error (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_OTHER,
                 _ ("Docker can't be asked: %s"), reason->message);
  g_error_free (reason);
}

/* ---- Asking ---- */

/* Registry and repository as a part of an engine's address. */
static char *
escape_name (const SandboxImageName *name, gboolean with_reference)
{
  g_autofree char *plain = with_reference
                               ? g_strdup_printf ("%s/%s%s%s", name->registry, name->repository,
                                                  name->digest != NULL ? "@" : ":",
                                                  name->digest != NULL ? name->digest : name->tag)
                               : g_strdup_printf ("%s/%s", name->registry, name->repository);

  return g_uri_escape_string (plain, "/:@", FALSE);
}

static GBytes *
ask_engine (const SandboxDockerEngine *engine,
            const char *method,
            const char *target,
            SandboxHttpLine each_event,
            gpointer user_data,
            guint *status,
            GCancellable *cancellable,
            GError **error)
{
  GError *reason = NULL;
  GBytes *body = sandbox_http_ask (engine->socket, method, target, each_event, user_data, status,
                                   cancellable, &reason);

  if (body == NULL && reason->domain != G_IO_ERROR)
    g_propagate_error (error, reason);
  else if (body == NULL)
    turn_engine_error (error, reason);
  return body;
}

/* An engine's refusal is {"message":"words"}: the words. */
static char *
body_text (GBytes *body)
{
  static const char begin[] = "{\"message\":\"";
  gsize length;
  const char *data = g_bytes_get_data (body, &length);
  g_autofree char *text = g_strchomp (g_strndup (data != NULL ? data : "", length));
  g_autofree char *inner = NULL;

  if (!g_str_has_prefix (text, begin) || !g_str_has_suffix (text, "\"}"))
    return g_steal_pointer (&text);
  inner = g_strndup (text + strlen (begin), strlen (text) - strlen (begin) - 2);
  return g_strcompress (inner);
}

GBytes *
sandbox_image_inspect (const SandboxDockerEngine *engine,
                       const char *reference,
                       GCancellable *cancellable,
                       GError **error)
{
  g_auto (SandboxImageName) name = { NULL };
  g_autofree char *escaped = NULL;
  g_autofree char *target = NULL;
  g_autofree char *words = NULL;
  g_autoptr (GBytes) body = NULL;
  guint status;

  if (!sandbox_image_name_parse (reference, &name, error))
    return NULL;
  escaped = escape_name (&name, TRUE);
  target = g_strdup_printf ("/images/%s/json", escaped);
  body = ask_engine (engine, "GET", target, NULL, NULL, &status, cancellable, error);
  if (body == NULL || status == 404)
    return NULL;
  if (status == 200)
    return g_steal_pointer (&body);
  words = body_text (body);
  sandbox_image_set_error (error, reference, words);
  return NULL;
}

/* Engines let registries of this very computer do without TLS; the client has to be told. */
static gboolean
is_loopback (const char *registry)
{
  g_auto (GStrv) parts = g_strsplit (registry, ":", 2);

  return g_str_equal (parts[0], "localhost") ||
         (g_str_has_prefix (parts[0], "127.") && g_hostname_is_ip_address (parts[0]));
}

/* Podman's engine doesn't know this question: then the client's answer has to do. */
static gboolean
ask_distribution (const SandboxDockerEngine *engine,
                  const SandboxImageName *name,
                  const char *text,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autofree char *escaped = escape_name (name, TRUE);
  g_autofree char *target = g_strdup_printf ("/distribution/%s/json", escaped);
  g_autofree char *words = NULL;
  g_autoptr (GBytes) body = NULL;
  guint status;

  body = ask_engine (engine, "GET", target, NULL, NULL, &status, cancellable, error);
  if (body == NULL)
    return FALSE;
  words = body_text (body);
  if (status == 200 || status == 501 || (status == 404 && strstr (words, "page not found") != NULL))
    return TRUE;
  sandbox_image_set_error (error, text, words);
  return FALSE;
}

GBytes *
sandbox_image_ask_registry (const SandboxDockerEngine *engine,
                            const char *text,
                            const char *const *environment,
                            GCancellable *cancellable,
                            GError **error)
{
  g_auto (SandboxImageName) name = { NULL };
  g_autofree char *reference = sandbox_image_reference (text, NULL);
  g_auto (SandboxProbe) probe = { 0 };
  const char *argv[8] = { engine->program, "manifest", "inspect", "-v" };
  guint n = 4;

  if (!sandbox_image_name_parse (text, &name, error) ||
      !ask_distribution (engine, &name, text, cancellable, error))
    return NULL;
  if (is_loopback (name.registry))
    argv[n++] = "--insecure";
  argv[n] = reference;
  sandbox_probe_run (&probe, argv, environment, NULL, SECONDS, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (probe.status == 0)
    return g_bytes_ref (probe.output);
  if (probe.timed_out)
    g_set_error (error, SANDBOX_DOCKER_ERROR, SANDBOX_DOCKER_ERROR_OFFLINE, _ ("Image “%s”: %s"),
                 text, _ (OFFLINE));
  else
    sandbox_image_set_error (error, text, probe.words);
  return NULL;
}

gboolean
sandbox_image_pull (const SandboxDockerEngine *engine,
                    const char *text,
                    const char *digest,
                    SandboxHttpLine each_event,
                    gpointer user_data,
                    GCancellable *cancellable,
                    GError **error)
{
  g_auto (SandboxImageName) name = { NULL };
  g_autofree char *plain = NULL;
  g_autofree char *escaped = NULL;
  g_autofree char *target = NULL;
  g_autofree char *words = NULL;
  g_autoptr (GBytes) body = NULL;
  guint status;

  if (!sandbox_image_name_parse (text, &name, error))
    return FALSE;
  g_return_val_if_fail (sandbox_image_is_digest (digest), FALSE);
  plain = g_strdup_printf ("%s/%s", name.registry, name.repository);
  escaped = g_uri_escape_string (plain, NULL, FALSE);
  target = g_strdup_printf ("/images/create?fromImage=%s&tag=%s", escaped, digest);
  body = ask_engine (engine, "POST", target, each_event, user_data, &status, cancellable, error);
  if (body == NULL)
    return FALSE;
  if (status == 200)
    return TRUE;
  words = body_text (body);
  sandbox_image_set_error (error, text, words);
  return FALSE;
}

guint64
sandbox_image_free_space (const SandboxDockerEngine *engine)
{
  struct statvfs status;

  if (engine->data_root == NULL || !g_path_is_absolute (engine->data_root) ||
      statvfs (engine->data_root, &status) != 0)
    return G_MAXUINT64;
  return (guint64) status.f_bavail * status.f_frsize;
}

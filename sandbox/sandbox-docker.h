/* Docker's engine and the image that commands run in. Podman's docker-compatible engine too.
 *
 * All of this blocks: on a worker.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sandbox-http.h"

G_BEGIN_DECLS

#define SANDBOX_DOCKER_ERROR (sandbox_docker_error_quark ())

/**
 * SandboxDockerError:
 * @SANDBOX_DOCKER_ERROR_MISSING: Docker isn't installed
 * @SANDBOX_DOCKER_ERROR_DOWN: its engine doesn't run
 * @SANDBOX_DOCKER_ERROR_DENIED: this person may not use it
 * @SANDBOX_DOCKER_ERROR_REMOTE: it is on another computer: folders of this one can't be shown to it
 * @SANDBOX_DOCKER_ERROR_OLD: it is too old
 * @SANDBOX_DOCKER_ERROR_NAME: no image can be called that
 * @SANDBOX_DOCKER_ERROR_OFFLINE: the registry can't be reached
 * @SANDBOX_DOCKER_ERROR_LOGIN: the registry wants a login (or hides that there is no such image)
 * @SANDBOX_DOCKER_ERROR_NO_IMAGE: the registry has no such image
 * @SANDBOX_DOCKER_ERROR_RATE: the registry refuses for having been asked too often
 * @SANDBOX_DOCKER_ERROR_SPACE: the disk is full
 * @SANDBOX_DOCKER_ERROR_PLATFORM: the image isn't made for this kind of computer
 * @SANDBOX_DOCKER_ERROR_DIGEST: what came isn't what was agreed on
 * @SANDBOX_DOCKER_ERROR_OTHER: something else, in the engine's own words
 */
typedef enum
{
  SANDBOX_DOCKER_ERROR_MISSING,
  SANDBOX_DOCKER_ERROR_DOWN,
  SANDBOX_DOCKER_ERROR_DENIED,
  SANDBOX_DOCKER_ERROR_REMOTE,
  SANDBOX_DOCKER_ERROR_OLD,
  SANDBOX_DOCKER_ERROR_NAME,
  SANDBOX_DOCKER_ERROR_OFFLINE,
  SANDBOX_DOCKER_ERROR_LOGIN,
  SANDBOX_DOCKER_ERROR_NO_IMAGE,
  SANDBOX_DOCKER_ERROR_RATE,
  SANDBOX_DOCKER_ERROR_SPACE,
  SANDBOX_DOCKER_ERROR_PLATFORM,
  SANDBOX_DOCKER_ERROR_DIGEST,
  SANDBOX_DOCKER_ERROR_OTHER,
} SandboxDockerError;
GQuark sandbox_docker_error_quark (void);

/* ---- The engine ---- */

/**
 * SandboxDockerEngine:
 * @program: path of the client
 * @host: where the client says the engine is ("unix:///var/run/docker.sock")
 * @socket: (nullable): path of its socket; %NULL when it isn't one of this computer
 * @version: "20.10.24", as it says
 * @api_minor: of its API 1.x
 * @architecture: as images name it ("amd64", "arm64" …)
 * @data_root: where it keeps its data; not a folder of this computer when it runs in a machine of
 *   its own
 * @rootless: it runs as this person: root in a container is this person outside
 * @remaps_users: users in a container are others outside, unless it is told not to
 * @labels_files: SELinux decides which files a container sees
 * @is_podman: it is Podman's, which takes no filter of system calls from a client and has its own
 */
typedef struct
{
  char *program;
  char *host;
  char *socket;
  char *version;
  guint api_minor;
  char *architecture;
  char *data_root;
  gboolean rootless;
  gboolean remaps_users;
  gboolean labels_files;
  gboolean is_podman;
} SandboxDockerEngine;

/* What the plan needs: --mount, tmpfs options, --pull, and profiles with answers of their own came
 * with engine 20.10, API 1.41 (December 2020). */
#define SANDBOX_DOCKER_API_MINOR 41

/**
 * sandbox_docker_engine_find:
 * @environment: (nullable) (array zero-terminated=1): the person's (PATH, DOCKER_HOST,
 *   DOCKER_CONTEXT, HOME); %NULL is this process's
 *
 * Asks the client which engine it talks to, and that one what it is: 10 s at the most.
 *
 * Returns: (transfer full): the engine, or %NULL with a %SANDBOX_DOCKER_ERROR
 */
SandboxDockerEngine *sandbox_docker_engine_find (const char *const *environment,
                                                 GCancellable *cancellable,
                                                 GError **error);
SandboxDockerEngine *sandbox_docker_engine_copy (const SandboxDockerEngine *engine);
void sandbox_docker_engine_free (SandboxDockerEngine *engine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SandboxDockerEngine, sandbox_docker_engine_free)

/* What `docker info` was asked to print, into an engine. Pure. FALSE when it is no such text. */
gboolean sandbox_docker_engine_read (SandboxDockerEngine *engine, const char *text);

/* ---- Names of images ---- */

/**
 * SandboxImageName:
 * @registry: "docker.io", "localhost:5000"
 * @repository: "library/node"
 * @tag: (nullable): "22-bookworm"
 * @digest: (nullable): "sha256:…"
 */
typedef struct
{
  char *registry;
  char *repository;
  char *tag;
  char *digest;
} SandboxImageName;

/* FALSE with %SANDBOX_DOCKER_ERROR_NAME; a name with neither tag nor digest gets "latest". */
gboolean sandbox_image_name_parse (const char *text, SandboxImageName *name, GError **error);
void sandbox_image_name_clear (SandboxImageName *name);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SandboxImageName, sandbox_image_name_clear)
gboolean sandbox_image_is_digest (const char *text); /* "sha256:" and 64 hexadecimal digits */

/**
 * sandbox_image_reference:
 * @text: (nullable): a name; %NULL is SANDBOX_DEFAULT_IMAGE
 * @digest: (nullable): what was pinned
 *
 * Returns: (transfer full) (nullable): what `docker run` is told:
 * "docker.io/library/node@sha256:…", or the name whole where nothing is pinned; %NULL for what is
 * no name or digest
 */
char *sandbox_image_reference (const char *text, const char *digest);

/* ---- The image ---- */

/**
 * sandbox_image_ask_registry:
 * @text: a name
 *
 * Has the engine ask whether the registry has it (so that its words are those of the one that is
 * to download it), then the client for the sizes: 60 s at the most.
 *
 * Returns: (transfer full): what `docker manifest inspect -v` printed, JSON
 */
GBytes *sandbox_image_ask_registry (const SandboxDockerEngine *engine,
                                    const char *text,
                                    const char *const *environment,
                                    GCancellable *cancellable,
                                    GError **error);

/**
 * sandbox_image_inspect:
 * @reference: a name, with or without digest
 *
 * Returns: (transfer full) (nullable): the engine's description, JSON; %NULL with no error when it
 *   hasn't got the image
 */
GBytes *sandbox_image_inspect (const SandboxDockerEngine *engine,
                               const char *reference,
                               GCancellable *cancellable,
                               GError **error);

/**
 * sandbox_image_pull:
 * @digest: what exactly to download
 * @each_event: takes the engine's events, a JSON object each
 *
 * Downloads. Cancelling closes the connection, and the engine gives up. That it came whole is for
 * the caller to see (sandbox_image_inspect()); an engine also says failures in an event.
 */
gboolean sandbox_image_pull (const SandboxDockerEngine *engine,
                             const char *text,
                             const char *digest,
                             SandboxHttpLine each_event,
                             gpointer user_data,
                             GCancellable *cancellable,
                             GError **error);

/* Bytes free where the engine keeps images; G_MAXUINT64 when that can't be told. */
guint64 sandbox_image_free_space (const SandboxDockerEngine *engine);

/**
 * sandbox_image_set_error:
 * @text: the image's name
 * @words: what an engine or a registry said
 *
 * Makes a sentence of it, with the words themselves behind it.
 */
void sandbox_image_set_error (GError **error, const char *text, const char *words);

G_END_DECLS

/* From what was seen to the one step that mends it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-probe.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

void
sandbox_diagnosis_free (SandboxDiagnosis *diagnosis)
{
  if (diagnosis == NULL)
    return;
  g_free (diagnosis->summary);
  g_free (diagnosis->step);
  g_free (diagnosis->command);
  g_free (diagnosis->warning);
  g_free (diagnosis->detail);
  g_free (diagnosis);
}

SandboxDiagnosis *
sandbox_diagnosis_copy (const SandboxDiagnosis *diagnosis)
{
  SandboxDiagnosis *copy = g_memdup2 (diagnosis, sizeof *diagnosis);

  copy->summary = g_strdup (diagnosis->summary);
  copy->step = g_strdup (diagnosis->step);
  copy->command = g_strdup (diagnosis->command);
  copy->warning = g_strdup (diagnosis->warning);
  copy->detail = g_strdup (diagnosis->detail);
  return copy;
}

SandboxDiagnosis *
sandbox_diagnosis_new_ready (SandboxBackendType backend)
{
  SandboxDiagnosis *diagnosis = g_new0 (SandboxDiagnosis, 1);

  diagnosis->backend = backend;
  diagnosis->ready = TRUE;
  diagnosis->summary = g_strdup (N_ ("Ready"));
  return diagnosis;
}

/* ---- Packages ---- */

typedef struct
{
  const char *distribution; /* in ID or ID_LIKE */
  const char *bubblewrap;
  const char *docker;
} Packages;

static const Packages packages[] = {
  { "ubuntu", "sudo apt-get install -y bubblewrap", "sudo apt-get install -y docker.io" },
  { "debian", "sudo apt-get install -y bubblewrap", "sudo apt-get install -y docker.io" },
  { "fedora", "sudo dnf install -y bubblewrap", "sudo dnf install -y moby-engine" },
  { "rhel", "sudo dnf install -y bubblewrap", "sudo dnf install -y podman-docker" },
  { "centos", "sudo dnf install -y bubblewrap", "sudo dnf install -y podman-docker" },
  { "arch", "sudo pacman -S --needed bubblewrap", "sudo pacman -S --needed docker" },
  { "opensuse", "sudo zypper install -y bubblewrap", "sudo zypper install -y docker" },
  { "suse", "sudo zypper install -y bubblewrap", "sudo zypper install -y docker" },
  { "alpine", "sudo apk add bubblewrap", "sudo apk add docker" },
};

static const Packages ostree = { NULL, "rpm-ostree install bubblewrap",
                                 "rpm-ostree install moby-engine" };

static const Packages *
find_packages (const SandboxFacts *facts)
{
  if (facts->is_ostree)
    return &ostree;
  for (guint i = 0; i < G_N_ELEMENTS (packages); i++)
    {
      g_autofree char *word = g_strdup_printf (" %s ", packages[i].distribution);
      g_autofree char *family = g_strdup_printf (" %s-", packages[i].distribution);

      if (strstr (facts->distribution, word) != NULL ||
          strstr (facts->distribution, family) != NULL)
        return &packages[i];
    }
  return NULL;
}

/* ---- Rows ---- */

typedef enum
{
  WHERE_ANY = 0,
  WHERE_BWRAP_MISSING = 1 << 0,
  WHERE_BWRAP_NOT_EXECUTABLE = 1 << 1,
  WHERE_BWRAP_SETUID = 1 << 2,
  WHERE_APPARMOR = 1 << 3,
  WHERE_PROFILE = 1 << 4,
  WHERE_CONTAINER = 1 << 5,
  WHERE_CLONE_REFUSED = 1 << 6,
  WHERE_LIMIT_ZERO = 1 << 7,
  WHERE_DOCKER_MISSING = 1 << 8,
  WHERE_WSL_MISSING = 1 << 9,
  WHERE_DOCKER_REMOTE = 1 << 10,
  WHERE_DOCKER_OLD = 1 << 11,
  WHERE_IMAGE_MISSING = 1 << 12,
  WHERE_IMAGE_DIFFERS = 1 << 13,
} Where;

typedef enum
{
  COMMAND_TEXT,
  COMMAND_BUBBLEWRAP_PACKAGE,
  COMMAND_DOCKER_PACKAGE,
} CommandKind;

typedef struct
{
  SandboxBackendType backend;
  Where where;          /* all of these */
  const char *words[4]; /* any of these in the program's words; none = anything */
  const char *summary;
  const char *step;
  CommandKind kind;
  const char *command;
  const char *warning;
} Row;

#define CREATE_REFUSED "No permissions to creat"
#define NO_RTM "loopback: Failed RTM_NEWADDR"
#define NO_UID_MAP "setting up uid map: Permission denied"

/* The first that fits. */
static const Row rows[] = {
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .where = WHERE_BWRAP_MISSING,
    .summary = N_ ("bubblewrap is not installed"),
    .step = N_ ("Install bubblewrap"),
    .kind = COMMAND_BUBBLEWRAP_PACKAGE },
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .where = WHERE_BWRAP_NOT_EXECUTABLE,
    .summary = N_ ("bubblewrap is installed but may not be run"),
    .step = N_ ("Make /usr/bin/bwrap executable"),
    .command = "sudo chmod 0755 /usr/bin/bwrap" },
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .words = { "too old or not bubblewrap", "Unknown option" },
    .summary = N_ ("The installed bubblewrap is too old"),
    .step = N_ ("Install a newer bubblewrap"),
    .kind = COMMAND_BUBBLEWRAP_PACKAGE },
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .where = WHERE_BWRAP_SETUID,
    .summary = N_ ("bubblewrap runs as root here and then can't confine commands fully"),
    .step = N_ ("Take away its setuid bit"),
    .command = "sudo chmod u-s /usr/bin/bwrap" },
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .words = { "cannot open /proc/sys/user/max_user_namespaces" },
    .summary = N_ ("bubblewrap runs as root here and then can't confine commands fully"),
    .step = N_ ("Take away its setuid bit"),
    .command = "sudo chmod u-s /usr/bin/bwrap" },
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .where = WHERE_CONTAINER,
    .words = { CREATE_REFUSED, "Can't mount proc", "reating new namespace failed", NO_RTM },
    .summary = N_ ("The container that Perfica runs in grants no namespaces"),
    .step = N_ ("Restart the container with these options"),
    .command = "--security-opt seccomp=unconfined --security-opt systempaths=unconfined",
    .warning = N_ ("This takes protection away from the container itself.") },
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .where = WHERE_APPARMOR | WHERE_PROFILE,
    .words = { NO_RTM, NO_UID_MAP, CREATE_REFUSED },
    .summary = N_ ("AppArmor keeps bubblewrap from making a sandbox"),
    .step = N_ ("Install AppArmor's profile for bubblewrap"),
    .command = "sudo apt-get install -y apparmor-profiles && sudo install -m 0644 "
               "/usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && "
               "sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict" },
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .where = WHERE_APPARMOR,
    .words = { NO_RTM, NO_UID_MAP, CREATE_REFUSED },
    .summary = N_ ("AppArmor keeps bubblewrap from making a sandbox"),
    .step = N_ ("Allow programs to make user namespaces"),
    .command = "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    .warning = N_ ("This weakens the system: every program may then make user namespaces.") },
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .words = { "namespaces exceeded", "ENOSPC" },
    .summary = N_ ("This system allows no user namespaces"),
    .step = N_ ("Allow some"),
    .command = "sudo sysctl -w user.max_user_namespaces=15000" },
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .where = WHERE_LIMIT_ZERO,
    .words = { "namespace", "No space left on device" },
    .summary = N_ ("This system allows no user namespaces"),
    .step = N_ ("Allow some"),
    .command = "sudo sysctl -w user.max_user_namespaces=15000" },
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .words = { CREATE_REFUSED },
    .summary = N_ ("The kernel refuses user namespaces to ordinary users"),
    .step = N_ ("Allow them"),
    .command = "sudo sysctl -w kernel.unprivileged_userns_clone=1",
    .warning = N_ ("Every program may then make user namespaces.") },
  { .backend = SANDBOX_BACKEND_BUBBLEWRAP,
    .summary = N_ ("bubblewrap can't make a sandbox here"),
    .step = N_ ("Its own words say why") },

  { .backend = SANDBOX_BACKEND_DOCKER,
    .where = WHERE_DOCKER_MISSING,
    .summary = N_ ("Docker is not installed"),
    .step = N_ ("Install Docker"),
    .kind = COMMAND_DOCKER_PACKAGE },
  { .backend = SANDBOX_BACKEND_DOCKER,
    .where = WHERE_DOCKER_REMOTE,
    .summary = N_ ("Docker's engine is on another computer, which can't see this one's folders"),
    .step = N_ ("Use the engine of this computer"),
    .command = "docker context use default && unset DOCKER_HOST DOCKER_CONTEXT" },
  { .backend = SANDBOX_BACKEND_DOCKER,
    .where = WHERE_DOCKER_OLD,
    .summary = N_ ("The installed Docker is too old"),
    .step = N_ ("Install a newer Docker (20.10 or later)"),
    .kind = COMMAND_DOCKER_PACKAGE },
  { .backend = SANDBOX_BACKEND_DOCKER,
    .words = { "unknown flag", "is too old", "requires API version" },
    .summary = N_ ("The installed Docker is too old"),
    .step = N_ ("Install a newer Docker (20.10 or later)"),
    .kind = COMMAND_DOCKER_PACKAGE },
  { .backend = SANDBOX_BACKEND_DOCKER,
    .where = WHERE_IMAGE_DIFFERS,
    .summary = N_ ("The image on this computer is not the one that was pinned"),
    .step = N_ ("Download the pinned image, or forget the pin") },
  { .backend = SANDBOX_BACKEND_DOCKER,
    .where = WHERE_IMAGE_MISSING,
    .summary = N_ ("The image is not on this computer"),
    .step = N_ ("Download the image") },
  { .backend = SANDBOX_BACKEND_DOCKER,
    .words = { "permission denied while trying to connect", "connect: permission denied" },
    .summary = N_ ("You may not use Docker"),
    .step = N_ ("Join the group “docker”, then log out and in again"),
    .command = "sudo usermod -aG docker $USER",
    .warning = N_ ("Members of this group can do whatever root can.") },
  { .backend = SANDBOX_BACKEND_DOCKER,
    .words = { "Cannot connect to the Docker daemon", "error during connect" },
    .summary = N_ ("Docker is not running"),
    .step = N_ ("Start Docker"),
    .command = "sudo systemctl start docker" },
  { .backend = SANDBOX_BACKEND_DOCKER,
    .words = { "No such image", "No such object", "Unable to find image" },
    .summary = N_ ("The image is not on this computer"),
    .step = N_ ("Download the image") },
  { .backend = SANDBOX_BACKEND_DOCKER,
    .summary = N_ ("Docker can't make a sandbox here"),
    .step = N_ ("Its own words say why") },

  { .backend = SANDBOX_BACKEND_WSL,
    .where = WHERE_WSL_MISSING,
    .summary = N_ ("WSL is not installed"),
    .step = N_ ("Install WSL, then restart Windows"),
    .command = "wsl --install" },
  { .backend = SANDBOX_BACKEND_WSL,
    .words = { "no-distribution" },
    .summary = N_ ("WSL has no distribution"),
    .step = N_ ("Install Ubuntu"),
    .command = "wsl --install -d Ubuntu" },
  { .backend = SANDBOX_BACKEND_WSL,
    .words = { "version-1" },
    .summary = N_ ("The distribution runs in WSL 1, which can't confine commands"),
    .step = N_ ("Change it to WSL 2"),
    .command = "wsl --set-version Ubuntu 2",
    .warning = N_ ("If that fails, run “wsl --update” first.") },
  { .backend = SANDBOX_BACKEND_WSL,
    .words = { "bwrap: not found", "bwrap: No such file", "bwrap failed: No such file" },
    .summary = N_ ("bubblewrap is not installed in WSL"),
    .step = N_ ("Install bubblewrap in WSL"),
    .command = "wsl -d Ubuntu -u root -- apt-get install -y bubblewrap" },
  { .backend = SANDBOX_BACKEND_WSL,
    .summary = N_ ("WSL can't make a sandbox here"),
    .step = N_ ("Its own words say why"),
    .command = "wsl --update" },

  { .backend = SANDBOX_BACKEND_SANDBOX_EXEC,
    .summary = N_ ("macOS's sandbox-exec is not there"),
    .step = N_ ("Use Perfica on macOS for this one") },
};

static gboolean
place_fits (Where where, const SandboxFacts *facts)
{
  const struct
  {
    Where where;
    gboolean holds;
  } conditions[] = {
    { WHERE_BWRAP_MISSING, facts->bwrap_missing },
    { WHERE_BWRAP_NOT_EXECUTABLE, facts->bwrap_not_executable },
    { WHERE_BWRAP_SETUID, facts->bwrap_setuid },
    { WHERE_APPARMOR, facts->apparmor_restricts },
    { WHERE_PROFILE, facts->apparmor_profile },
    { WHERE_CONTAINER, facts->is_container },
    { WHERE_CLONE_REFUSED, facts->clone_refused },
    { WHERE_LIMIT_ZERO, facts->limit_is_zero },
    { WHERE_DOCKER_MISSING, facts->docker_missing },
    { WHERE_DOCKER_REMOTE, facts->docker_remote },
    { WHERE_DOCKER_OLD, facts->docker_old },
    { WHERE_IMAGE_MISSING, facts->image_missing },
    { WHERE_IMAGE_DIFFERS, facts->image_differs },
    { WHERE_WSL_MISSING, facts->wsl_missing },
  };

  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    if ((where & conditions[i].where) != 0 && !conditions[i].holds)
      return FALSE;
  return TRUE;
}

static gboolean
words_fit (const Row *row, const char *words)
{
  if (row->words[0] == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (row->words) && row->words[i] != NULL; i++)
    if (words != NULL && strstr (words, row->words[i]) != NULL)
      return TRUE;
  return FALSE;
}

static const char *
row_command (const Row *row, const SandboxFacts *facts)
{
  const Packages *found = find_packages (facts);

  switch (row->kind)
    {
    case COMMAND_BUBBLEWRAP_PACKAGE:
      return found != NULL ? found->bubblewrap : NULL;
    case COMMAND_DOCKER_PACKAGE:
      return found != NULL ? found->docker : NULL;
    case COMMAND_TEXT:
    default:
      return row->command;
    }
}

SandboxDiagnosis *
sandbox_diagnosis_choose (SandboxBackendType backend, const SandboxFacts *facts, const char *words)
{
  SandboxDiagnosis *diagnosis = g_new0 (SandboxDiagnosis, 1);

  diagnosis->backend = backend;
  diagnosis->detail = words != NULL && words[0] != '\0' ? g_strdup (words) : NULL;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].backend == backend && place_fits (rows[i].where, facts) &&
        words_fit (&rows[i], words))
      {
        diagnosis->summary = g_strdup (rows[i].summary);
        diagnosis->step = g_strdup (rows[i].step);
        diagnosis->command = g_strdup (row_command (&rows[i], facts));
        diagnosis->warning = g_strdup (rows[i].warning);
        return diagnosis;
      }
  diagnosis->summary = g_strdup (N_ ("This sandbox doesn't work here"));
  return diagnosis;
}

/* ---- Asking the system ---- */

typedef struct
{
  const SandboxBackend *backend;
  SandboxWishes wishes;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_free (question->wishes.image);
  g_strfreev (question->wishes.environment);
  g_free (question);
}

static void
diagnose_on_worker (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Question *question = data;
  SandboxDiagnosis *diagnosis = question->backend->probe (&question->wishes, cancellable);

  if (!g_task_return_error_if_cancelled (task))
    g_task_return_pointer (task, diagnosis, (GDestroyNotify) sandbox_diagnosis_free);
  else
    sandbox_diagnosis_free (diagnosis);
}

void
sandbox_diagnose_image_async (SandboxBackendType backend,
                              const char *image,
                              const char *const *environment,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Question *question = g_new0 (Question, 1);

  g_task_set_source_tag (task, sandbox_diagnose_async);
  question->backend = sandbox_backend_find (backend);
  question->wishes.image = g_strdup (image);
  question->wishes.environment =
      environment != NULL ? g_strdupv ((char **) environment) : g_get_environ ();
  g_task_set_task_data (task, question, question_free);
  if (question->backend != NULL)
    g_task_run_in_thread (task, diagnose_on_worker);
  else
    g_task_return_new_error (task, SANDBOX_ERROR, SANDBOX_ERROR_UNAVAILABLE, "%s",
                             _ ("There is no such sandbox"));
}

void
sandbox_diagnose_async (SandboxBackendType backend,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  sandbox_diagnose_image_async (backend, NULL, NULL, cancellable, callback, user_data);
}

SandboxDiagnosis *
sandbox_diagnose_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

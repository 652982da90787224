/* Input made to take long or to nest without end: an answer, whatever it is, and a stack to spare.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fake-files.h"
#include "guard.h"
#include "hostile.h"

#include <pthread.h>
#include <string.h>

/* The gateway's threads have 8 MiB, some systems' have far less. */
#ifdef __SANITIZE_ADDRESS__
#  define STACK (4096 * 1024)
#else
#  define STACK (512 * 1024)
#endif

typedef struct
{
  const char *text;
  gsize length;
} Input;

static void *
read_it (void *data)
{
  const Input *input = data;
  g_autoptr (FakeFiles) fake = fake_files_new ();
  GuardScope scope = { .project = FAKE_PROJECT,
                       .loop = ".",
                       .folder = ".",
                       .app_folder = ".perfica",
                       .home = "/home/person",
                       .bash_available = TRUE };
  g_autoptr (GuardVerdict) verdict = NULL;

  fake_files_add (fake, "Makefile", "a:\n\techo a\n");
  verdict = guard_read (input->text, input->length, &scope, &fake->files);
  g_assert_true (verdict->answer == GUARD_ANSWER_REFUSE || verdict->canonical != NULL);
  return NULL;
}

static void
read_on_small_stack (const char *text, gsize length)
{
  Input input = { text, length };
  pthread_attr_t attributes;
  pthread_t thread;

  pthread_attr_init (&attributes);
  g_assert_cmpint (pthread_attr_setstacksize (&attributes, STACK), ==, 0);
  g_assert_cmpint (pthread_create (&thread, &attributes, read_it, &input), ==, 0);
  pthread_join (thread, NULL);
  pthread_attr_destroy (&attributes);
}

static void
test_kind (gconstpointer data)
{
  static const gsize lengths[] = { 1, 1000, GUARD_MAX_LENGTH };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *text = hostile_text (data, lengths[i]);
      gsize length = strlen (text);

      read_on_small_stack (text, length);
      /* Cut anywhere: whatever closes it is missing. */
      read_on_small_stack (text, length - length / 3);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n_hostile_kinds; i++)
    {
      g_autofree char *path = g_strdup_printf ("/guard/hostile/%s", hostile_kinds[i].name);

      g_strdelimit (path + strlen ("/guard/hostile/"), "/", '-');
      g_test_add_data_func (path, &hostile_kinds[i], test_kind);
    }
  return g_test_run ();
}

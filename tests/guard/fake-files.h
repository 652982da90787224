/* A disk that exists in memory only, for tests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "guard-files.h"

G_BEGIN_DECLS

/* The project's root in tests. */
#define FAKE_PROJECT "/home/person/project"

typedef struct
{
  GuardFiles files; /* first: a FakeFiles is a GuardFiles */
  GHashTable *entries;
} FakeFiles;

/* With FAKE_PROJECT as an empty folder, and /, /etc, /tmp, /home/person. */
FakeFiles *fake_files_new (void);
void fake_files_free (FakeFiles *fake);

/* @path is relative to FAKE_PROJECT, or absolute; its folders are made. A text that begins with
 * "#!" is executable. */
void fake_files_add (FakeFiles *fake, const char *path, const char *text);
void fake_files_add_folder (FakeFiles *fake, const char *path);
void fake_files_add_link (FakeFiles *fake, const char *path, const char *target);
void fake_files_set_links (FakeFiles *fake, const char *path, guint n_links);
void fake_files_set_executable (FakeFiles *fake, const char *path, gboolean executable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeFiles, fake_files_free)

G_END_DECLS

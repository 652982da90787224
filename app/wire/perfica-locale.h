/* The language of the person: where the programs' catalogues are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/**
 * perfica_set_language:
 * @bindir: the folder that the programs are installed in
 * @localedir: the folder of the installed catalogues
 * @built: where a program that isn't in @bindir finds the catalogues of its build, from its own
 *   folder, such as "../po"
 *
 * Takes the language from the environment and binds the text domain. A program run from its build
 * folder speaks it too. Call it once, first in main(), before any thread.
 */
void perfica_set_language (const char *bindir, const char *localedir, const char *built);

/* A gateway of its own in a temporary home, and a raw client at its socket.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-gateway.h"
#include "perfica-wire-connection.h"

typedef struct
{
  char *root;
  char *project;
  SandboxLauncher *launcher;
  PerficaGateway *gateway;
  PerficaBoard *board;
  PerficaWireConnection *client;
  PerficaWireMessage *last; /* result, hello reply or failure */
  gboolean closed;
  gint64 last_run; /* the id of the last run that was sent */
} House;

/* Makes the folders, starts the gateway, opens the project, says hello. @data: (nullable): its
 * limits.json; else a second for a command and two for a prompt */
void house_set_up (House *house, gconstpointer data);
void house_tear_down (House *house, gconstpointer data);

/* Turns the main context until @done says so, 30 s at the most. */
void house_spin_until (gboolean (*done) (gpointer), gpointer data);
gboolean house_is_true (gpointer data);
/* A #House has its answer, or its connection is over. */
gboolean house_has_answer (gpointer data);
/* Something waits for the person at this gateway. */
gboolean house_waits (gpointer data);

GSocketConnection *house_dial (void);
/* A new connection that says that; the answer is waited for by the caller. */
void house_send_hello (House *house, const PerficaWireHello *hello);
/* As "test", from the project's folder; waits for the answer. */
void house_say_hello (House *house);
void house_hang_up (House *house);
/* Confirms who attached, as the person would. */
void house_confirm (House *house);
void house_send_run (House *house, const char *command);
/* Runs it and waits. Returns: (transfer none): its result, until the next run */
const PerficaWireResult *house_run (House *house, const char *command);
void house_restart (House *house);

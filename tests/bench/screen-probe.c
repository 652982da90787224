/* Watches an X display from outside, the same for every program: when a new window is there.
 *
 *   screen-probe SECONDS
 *
 * Prints "ready", then for the first window that was not there before: "MAPPED DRAWN", both in
 * nanoseconds of CLOCK_MONOTONIC. Mapped: the window manager lists it and it is viewable. Drawn:
 * its picture has more than a background: several colours among the pixels that are looked at. It
 * looks 500 times a second.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PERIOD_NS 2000000
#define MOST_WINDOWS 256
/* Rows of the window that are read, and the colours that make a picture. */
#define ROWS 24
#define COLOURS 4

typedef struct
{
  unsigned long ids[MOST_WINDOWS];
  unsigned long count;
} Windows;

static int64_t
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

static void
rest (void)
{
  struct timespec period = { 0, PERIOD_NS };

  nanosleep (&period, NULL);
}

/* A window may be gone between two questions. */
static int
ignore_error (Display *display, XErrorEvent *event)
{
  (void) display;
  (void) event;
  return 0;
}

static void
list_windows (Display *display, Atom list, Windows *windows)
{
  Atom type;
  int format;
  unsigned long left;
  unsigned long count = 0;
  unsigned char *data = NULL;

  windows->count = 0;
  if (XGetWindowProperty (display, DefaultRootWindow (display), list, 0, MOST_WINDOWS, False,
                          XA_WINDOW, &type, &format, &count, &left, &data) != Success)
    return;
  if (format == 32)
    for (unsigned long i = 0; i < count && i < MOST_WINDOWS; i++)
      windows->ids[windows->count++] = ((unsigned long *) (void *) data)[i];
  if (data != NULL)
    XFree (data);
}

static bool
has (const Windows *windows, unsigned long id)
{
  for (unsigned long i = 0; i < windows->count; i++)
    if (windows->ids[i] == id)
      return true;
  return false;
}

static Window
find_new (Display *display, Atom list, const Windows *before)
{
  Windows now;
  XWindowAttributes attributes;

  list_windows (display, list, &now);
  for (unsigned long i = 0; i < now.count; i++)
    if (!has (before, now.ids[i]) && XGetWindowAttributes (display, now.ids[i], &attributes) &&
        attributes.map_state == IsViewable)
      return now.ids[i];
  return None;
}

static int
count_colours (XImage *image, unsigned long seen[COLOURS], int count)
{
  for (int x = 0; x < image->width && count < COLOURS; x++)
    {
      unsigned long pixel = XGetPixel (image, x, 0);
      int i = 0;

      while (i < count && seen[i] != pixel)
        i++;
      if (i == count)
        seen[count++] = pixel;
    }
  return count;
}

static bool
is_drawn (Display *display, Window window)
{
  XWindowAttributes attributes;
  unsigned long seen[COLOURS];
  int count = 0;

  if (!XGetWindowAttributes (display, window, &attributes) || attributes.map_state != IsViewable)
    return false;
  for (int row = 0; row < ROWS && count < COLOURS; row++)
    {
      /* Close together at the top, where titles and buttons are. */
      int y = row < ROWS / 2 ? row * 6 : attributes.height * (row - ROWS / 2) / (ROWS / 2);
      XImage *image =
          XGetImage (display, window, 0, y, (unsigned int) attributes.width, 1, AllPlanes, ZPixmap);

      if (image == NULL)
        continue;
      count = count_colours (image, seen, count);
      XDestroyImage (image);
    }
  return count >= COLOURS;
}

int
main (int argc, char **argv)
{
  Display *display = XOpenDisplay (NULL);
  int64_t end = now_ns () + (argc == 2 ? strtoll (argv[1], NULL, 10) : 0) * 1000000000;
  int64_t mapped;
  Windows before;
  Window window;
  Atom list;

  if (display == NULL || argc != 2)
    return 2;
  XSetErrorHandler (ignore_error);
  list = XInternAtom (display, "_NET_CLIENT_LIST", False);
  list_windows (display, list, &before);
  printf ("ready\n");
  fflush (stdout);
  while ((window = find_new (display, list, &before)) == None && now_ns () < end)
    rest ();
  mapped = now_ns ();
  while (window != None && !is_drawn (display, window) && now_ns () < end)
    rest ();
  if (window == None || now_ns () >= end)
    return 1;
  printf ("%" PRId64 " %" PRId64 "\n", mapped, now_ns ());
  XCloseDisplay (display);
  return 0;
}

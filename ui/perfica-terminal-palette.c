/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-terminal-palette.h"

typedef struct
{
  const char *foreground;
  const char *background;
  const char *colors[16];
} Palette;

/* From the GNOME HIG's palette; each of light's ordinary colours has at least 4.5:1 on white, each
 * of dark's on the dark view colour. */
static const Palette light = {
  "#1e1e1e",
  "#ffffff",
  { "#241f31", "#c01c28", "#1b7a4e", "#8f5902", "#1a5fb4", "#813d9c", "#0b7285", "#77767b",
    "#5e5c64", "#a51d2d", "#26713d", "#6b4a00", "#1c71d8", "#9141ac", "#0e6a7c", "#3d3846" },
};

static const Palette dark = {
  "#f6f5f4",
  "#1e1e1e",
  { "#3d3846", "#f66151", "#57e389", "#f8e45c", "#62a0ea", "#dc8add", "#5bc8d8", "#c0bfbc",
    "#9a9996", "#ff7b63", "#8ff0a4", "#f9f06b", "#99c1f1", "#e8a8ea", "#93ddc2", "#ffffff" },
};

void
perfica_terminal_palette_apply (VteTerminal *terminal, gboolean is_dark)
{
  const Palette *palette = is_dark ? &dark : &light;
  GdkRGBA foreground, background;
  GdkRGBA colors[16];

  gdk_rgba_parse (&foreground, palette->foreground);
  gdk_rgba_parse (&background, palette->background);
  for (gsize i = 0; i < G_N_ELEMENTS (colors); i++)
    gdk_rgba_parse (&colors[i], palette->colors[i]);
  vte_terminal_set_colors (terminal, &foreground, &background, colors, G_N_ELEMENTS (colors));
}

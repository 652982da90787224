#!/bin/sh
# Runs a widget test on a virtual screen with a bus of its own.
export GDK_BACKEND=x11 GSK_RENDERER=cairo GSETTINGS_BACKEND=memory ADW_DISABLE_PORTAL=1
export GTK_A11Y="${GTK_A11Y:-test}" LANG=C.UTF-8 LC_ALL=C.UTF-8 NO_AT_BRIDGE=1
exec xvfb-run -a -s "-screen 0 1280x900x24" dbus-run-session -- "$@"

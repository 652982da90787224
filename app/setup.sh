# Shared by app/run and tests/run: installs what is missing, configures, builds.
# Source it from the project's root with `set -eu`.

say () { printf '%s\n' "$*" >&2; }
stop () { say "$1"; exit 2; }

# The names of the packages in the given lists.
packages_of () { cat "$@" | sed -e 's/#.*//' -e '/^[[:space:]]*$/d' | sort -u | tr '\n' ' '; }

is_debian () {
  [ -r /etc/os-release ] || return 1
  (
    . /etc/os-release
    [ "${ID:-}" = debian ] || exit 1
    # testing and unstable have no VERSION_ID and are newer than 12
    [ -z "${VERSION_ID:-}" ] || [ "${VERSION_ID%%.*}" -ge 12 ]
  )
}

missing_packages () {
  for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null) || state=
    case $state in
      ?i*) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

# need_packages LIST…: installs those of the lists that are missing.
need_packages () {
  wanted=$(packages_of "$@")
  if ! is_debian; then
    # Elsewhere the person installs; what counts is that the build finds it.
    if command -v meson >/dev/null && command -v ninja >/dev/null && pkg-config --exists \
         'gtk4 >= 4.8' 'libadwaita-1 >= 1.2' 'vte-2.91-gtk4 >= 0.70' 'json-glib-1.0 >= 1.6' sqlite3 libseccomp 2>/dev/null; then
      return 0
    fi
    stop "This is not Debian 12 or newer; install what your distribution calls these packages, then run this again: $wanted"
  fi
  missing=$(missing_packages $wanted)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" = 0 ]; then root=; elif command -v sudo >/dev/null; then root=sudo; else
    stop "These packages are missing and neither root nor sudo is at hand; install them, then run this again: $missing"
  fi
  say "Installing: $missing"
  log=$(mktemp)
  # A list that is there already may do; only when it does not, it is fetched anew.
  if ! $root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >"$log" 2>&1; then
    if ! { $root env DEBIAN_FRONTEND=noninteractive apt-get update -o APT::Update::Error-Mode=any &&
           $root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
      tail -n 5 "$log" >&2
      rm -f "$log"
      stop "The packages could not be installed (is there a network?): $missing"
    fi
  fi
  rm -f "$log"
}

# One build at a time in a folder: app/run and tests/run may be started side by side.
lock_build () {
  mkdir -p "$1"
  exec 8>"$1/.lock"
  command -v flock >/dev/null && flock 8
}

# configure FOLDER [MESON OPTION…]: a folder configured before is kept.
configure () {
  folder=$1
  shift
  mkdir -p "$folder"
  if [ ! -f "$folder/build.ninja" ]; then
    if ! meson setup "$folder" "$@" >"$folder/setup.log" 2>&1; then
      tail -n 20 "$folder/setup.log" >&2
      stop "The build could not be configured; the whole log is $folder/meson-logs/meson-log.txt."
    fi
  fi
}

# build FOLDER [TARGET…]
build () {
  folder=$1
  shift
  if ! ninja -C "$folder" "$@" >"$folder/build.log" 2>&1; then
    grep -E 'error|warning|FAILED' "$folder/build.log" | head -n 40 >&2
    stop "The build failed; the whole log is $folder/build.log."
  fi
}

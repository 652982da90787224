# Shared by app/run and tests/run: installs what is missing, configures, builds.
# Source it from the project's root with `set -eu`.

say () { printf '%s\n' "$*" >&2; }
stop () { say "$1"; exit 2; }

# The lines of the given package lists, without comments.
package_lines () { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@"; }

# os_release KEY: what this system says of itself; empty when it says nothing.
os_release () {
  [ -r /etc/os-release ] || return 0
  (
    unset ID ID_LIKE VERSION_ID
    . /etc/os-release
    case $1 in ID) printf '%s' "${ID-}" ;; LIKE) printf '%s' "${ID_LIKE-}" ;; VERSION) printf '%s' "${VERSION_ID-}" ;; esac
  )
}

is_debian () {
  [ "$(os_release ID)" = debian ] || return 1
  # testing and unstable have no VERSION_ID and are newer than 12
  version=$(os_release VERSION)
  [ -z "$version" ] || [ "${version%%.*}" -ge 12 ]
}

# debian, fedora, arch, suse or nothing: whose names of packages this system knows.
family () {
  for word in $(os_release ID) $(os_release LIKE); do
    case $word in
      debian|ubuntu) printf debian; return ;;
      fedora|rhel|centos) printf fedora; return ;;
      arch) printf arch; return ;;
      suse|opensuse*|sles) printf suse; return ;;
    esac
  done
}

# is_there PROBE: the second column of a package list.
is_there () {
  case $1 in
    cmd:*) command -v "${1#cmd:}" >/dev/null ;;
    pc:*) pkg-config --exists "$(printf '%s' "${1#pc:}" | sed 's/>=/ >= /')" 2>/dev/null ;;
    py:*) /usr/bin/python3 -c "import ${1#py:}" >/dev/null 2>&1 ;;
    *) return 0 ;;
  esac
}

# The names of what Debian has not installed, of the given lists.
missing_packages () {
  package_lines "$@" | while read -r package probe names; do
    case " $names " in *" anywhere "*) is_there "$probe" && continue ;; esac
    state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null) || state=
    case $state in
      ?i*) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

# missing_elsewhere FAMILY LIST…: the same on any other system, by what a build would find.
missing_elsewhere () {
  kind=$1
  shift
  package_lines "$@" | while read -r package probe names; do
    is_there "$probe" && continue
    for name in $names; do
      case $name in "$kind":*) package=${name#*:} ;; esac
    done
    printf '%s\n' "$package"
  done | sort -u | tr '\n' ' '
}

# Elsewhere the person installs; what counts is that the build finds it.
need_elsewhere () {
  kind=$(family)
  missing=$(missing_elsewhere "$kind" "$@")
  missing=${missing% }
  [ -n "$missing" ] || return 0
  case $kind in
    debian) how="apt install" ;;
    fedora) how="dnf install" ;;
    arch) how="pacman -S --needed" ;;
    suse) how="zypper install" ;;
    *) stop "This is not Debian 12 or newer: install what your distribution calls these packages of Debian's, then run this again: $missing" ;;
  esac
  stop "This is not Debian 12 or newer: install what is missing, then run this again: sudo $how $missing"
}

# Whom to install as: sets the array `as`, or stops with a sentence.
become_root () {
  as=()
  [ "$(id -u)" != 0 ] || return 0
  command -v sudo >/dev/null ||
    stop "Packages are missing, and this is neither root nor is there sudo; install them, then run this again: apt install $1"
  # It asks on the terminal, where there is one, else fails at once.
  as=(sudo)
  sudo true 2>/dev/null ||
    stop "Packages are missing, and sudo does not let this user install them; as root, then run this again: apt install $1"
}

# Bounded: no network, a network that swallows packets and a busy apt all end.
apt () {
  ${as[@]+"${as[@]}"} env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o Acquire::Retries=1 \
    -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

# why_not LOG: what apt complained of, as the end of a sentence.
why_not () {
  if grep -qE 'Temporary failure resolving|Could not (resolve|connect)|Unable to connect|Network is unreachable|Connection timed out|Connection failed' "$1"; then
    printf 'there is no network to fetch them over'
  elif grep -q 'Could not get lock' "$1"; then
    printf 'another program holds the lock of apt'
  elif grep -q 'No space left on device' "$1"; then
    printf 'the disk is full'
  elif grep -qE 'Unable to locate package|has no installation candidate' "$1"; then
    printf "apt's sources do not have them"
  else
    printf 'apt says: %s' "$(grep '^E: ' "$1" | head -n 1 | cut -c 4-)"
  fi
}

# need_packages LIST…: installs those of the lists that are missing.
need_packages () {
  if ! is_debian; then
    need_elsewhere "$@"
    return 0
  fi
  missing=$(missing_packages "$@")
  missing=${missing% }
  [ -n "$missing" ] || return 0
  become_root "$missing"
  say "Installing: $missing"
  log=$(mktemp)
  # A list that is there already may do; only when it does not, it is fetched anew.
  if ! apt install -y --no-install-recommends $missing >"$log" 2>&1; then
    if ! { apt update -o APT::Update::Error-Mode=any && apt install -y --no-install-recommends $missing; } >"$log" 2>&1; then
      why=$(why_not "$log")
      rm -f "$log"
      stop "Packages are missing and could not be installed, $why; install them, then run this again: apt install $missing"
    fi
  fi
  rm -f "$log"
}

# One build at a time in a folder: app/run and tests/run may be started side by side.
lock_build () {
  mkdir -p "$1"
  exec 8>"$1/.lock"
  command -v flock >/dev/null || return 0
  flock -n 8 || { say "Waiting for another build in $1."; flock 8; }
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

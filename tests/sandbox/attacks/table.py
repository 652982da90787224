"""The attacks: one property a line.

Each is (name, loop, script, wanted, extras). The script runs in `bash -c` in the loop's folder, with
$B the top of the world, $P the project and $S the port or name of a service outside. Wanted:

  "denied"   it exits with something else than 0; the same script run outside the sandbox exits 0, so
             the attack is known to work ("control": False where it couldn't outside either)
  "works"    it exits with 0
  "code N"   it exits with N
  "no plan"  it is refused before anything runs

After each, whatever lies outside the loop's folder or is protected in it must be as before.

SPDX-License-Identifier: GPL-3.0-or-later
"""

PY = "python3 -I - <<'END'\n"
SYS = PY + """
import ctypes, os, sys, errno, platform
libc = ctypes.CDLL(None, use_errno=True)
ARM = platform.machine() == 'aarch64'
def call(x86, arm, *a):
    r = libc.syscall(arm if ARM else x86, *a)
    if r < 0:
        e = ctypes.get_errno(); print('errno', errno.errorcode[e]); sys.exit(1)
    return r
"""
END = "\nEND"


def py(text):
    return PY + text + END


def sysc(text):
    return SYS + text + END


def connect(family, where, kind="SOCK_STREAM"):
    return py(f"""
import socket, os
s = socket.socket(socket.{family}, socket.{kind})
s.settimeout(2)
s.connect({where})
""")


OUT = {"control": False}   # can't or mustn't be done outside
EXCHANGE = "call(316, 276, -100, {0}.encode(), -100, {1}.encode(), 2)"

ATTACKS = [
    # ---- What must work, or nobody would leave it on ----
    ("own/write", "whole", "echo x > new && [ $(cat new) = x ]", "works"),
    ("own/append", "whole", "echo x >> README", "works"),
    ("own/new-folder", "whole", "mkdir -p a/b/c && touch a/b/c/d", "works"),
    ("own/rename", "whole", "mv README R2", "works"),
    ("own/delete", "whole", "rm -r docs", "works"),
    ("own/link", "whole", "ln -s README l && cat l", "works"),
    ("own/hard-link", "whole", "ln README h && echo x >> h", "works"),
    ("own/hard-link-across-pin", "whole", "ln README packages/h", "works", {"docker": "code 1"}),
    ("own/executable", "whole", "printf '#!/bin/sh\\nexit 0\\n' > s && chmod +x s && ./s", "works"),
    ("own/write-beside-protected", "whole", "echo x > packages/new && rm packages/free", "works"),
    ("own/sub-write", "sub", "echo x > new", "works"),
    ("own/sub-write-beside-protected", "sub", "echo x > x/y/new", "works"),
    ("own/read-project", "sub", "[ $(cat ../README) = readme ]", "works"),
    ("own/read-other-loop", "whole", "[ $(cat packages/foo/code) = foo ]", "works"),
    ("own/read-outputs", "whole", "[ $(cat .perfica/outputs/1.log) = output ]", "works"),
    ("own/git-status", "whole", "git -c safe.directory='*' status --short", "works"),
    ("own/git-commit", "whole", "git add README && git commit -qm x", "works"),
    ("own/tmp", "whole", "echo x > /tmp/x && echo x > /var/tmp/x", "works"),
    ("own/tmp-runs", "whole", "cp /bin/true /tmp/t && /tmp/t", "works"),
    ("own/tmpdir", "whole", "[ -n \"$TMPDIR\" ] && mktemp && mktemp -d", "works"),
    ("own/shm", "whole", "echo x > /dev/shm/x", "works"),
    ("own/home-is-scratch", "whole", "echo x > ~/scratch && mkdir -p ~/.cache/x", "works"),
    ("own/runtime-folder", "whole", "echo x > $XDG_RUNTIME_DIR/x", "works"),
    ("own/null-and-random", "whole", "echo > /dev/null && head -c 4 /dev/urandom", "works"),
    ("own/pty", "whole", py("import pty, os\nos.close(os.openpty()[0])"), "works"),
    ("own/unix-socket-of-its-own", "whole", py("""
import socket, os
os.chdir('/tmp')
a = socket.socket(socket.AF_UNIX); a.bind('s'); a.listen()
b = socket.socket(socket.AF_UNIX); b.connect('s')"""), "works"),
    ("own/loopback-of-its-own", "whole", py("""
import socket
a = socket.socket(); a.bind(('127.0.0.1', 0)); a.listen()
b = socket.socket(); b.connect(a.getsockname())"""), "works"),
    ("own/ptrace-its-child", "whole", py("""
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
pid = os.fork()
if pid == 0:
    import time; time.sleep(20)
r = libc.ptrace(16, pid, 0, 0)
os.waitpid(pid, 0); os.kill(pid, 9)
sys.exit(0 if r == 0 else 1)"""), "works"),
    ("own/toolchain", "whole", "[ $(~/.cargo/bin/tool) = tool-runs ]", "works", {"docker": "denied", "control": False}),
    ("own/gitconfig", "whole", "[ $(git config --global user.name) = A ]", "works"),
    ("own/visible", "whole", "[ $(cat $B/visible/file) = shown ]", "works"),
    ("own/folder", "whole", "[ \"$PWD\" = $P ] && [ \"$(pwd -P)\" = $P ]", "works"),
    ("own/threads", "whole", py("import threading\nt=threading.Thread(target=print)\nt.start()\nt.join()"), "works"),

    # ---- How it ended is told as it was ----
    ("ending/0", "whole", "exit 0", "code 0"),
    ("ending/1", "whole", "exit 1", "code 1"),
    ("ending/2", "whole", "exit 2", "code 2"),
    ("ending/125", "whole", "exit 125", "code 125"),
    ("ending/126", "whole", "exit 126", "code 126"),
    ("ending/127", "whole", "no-such-command-at-all", "code 127"),
    ("ending/255", "whole", "exit 255", "code 255"),
    ("ending/term", "whole", "kill -TERM $$", "code 143"),
    ("ending/kill", "whole", "kill -KILL $$", "code 137"),
    ("ending/segv", "whole", "kill -SEGV $$", "code 139"),
    ("ending/stdin-is-empty", "whole", "[ -z \"$(cat)\" ]", "works"),
    ("ending/big-output", "whole", "head -c 20000000 /dev/zero", "works", {"bytes": 20000000}),
    ("ending/stderr", "whole", "echo to-stderr >&2", "works", {"stderr": "to-stderr"}),

    # ---- Writing where it may not ----
    ("write/project", "sub", "echo x > ../new", "denied"),
    ("write/project-file", "sub", "echo x >> ../README", "denied"),
    ("write/sibling", "sub", "echo x > ../docs/new", "denied"),
    ("write/sibling-delete", "sub", "rm ../docs/page", "denied"),
    ("write/sibling-rename", "sub", "mv ../docs ../d2", "denied"),
    ("write/own-folder-away", "sub", "cd .. && mv web w2", "denied"),
    ("write/own-folder-gone", "leaf", "cd .. && rm docs/page && rmdir docs", "denied"),
    ("write/other-loop", "whole", "echo x > packages/foo/new", "denied"),
    ("write/other-loop-file", "whole", "echo x > packages/foo/code", "denied"),
    ("write/other-loop-deep", "whole", "echo x > packages/bar/deep/code", "denied"),
    ("write/other-loop-sub", "sub", "echo x > api/code", "denied"),
    ("write/other-loop-delete", "whole", "rm packages/foo/code", "denied"),
    ("write/other-loop-inner-folder", "whole", "rm -r packages/foo/sub", "denied"),
    ("write/other-loop-chmod", "whole", "chmod 777 packages/foo/code", "denied"),
    ("write/other-loop-folder-chmod", "whole", "chmod 777 packages/foo", "denied"),
    ("write/other-loop-touch", "whole", "touch -d 2001-01-01 packages/foo/code", "denied"),
    ("write/other-loop-truncate", "whole", "truncate -s 0 packages/foo/code", "denied"),
    ("write/other-loop-xattr", "whole", py("import os\nos.setxattr('packages/foo/code', 'user.x', b'1')"), "denied"),
    ("write/other-loop-move-in", "whole", "mv README packages/foo/", "denied"),
    ("write/other-loop-move-out", "whole", "mv packages/foo/code here && cat here", "denied"),
    ("write/other-loop-tmpfile", "whole", py("""
import os
f = os.open('packages/foo', os.O_TMPFILE | os.O_RDWR)
os.write(f, b'x')
import ctypes, sys
sys.exit(0 if ctypes.CDLL(None).linkat(-100, b'/proc/self/fd/%d' % f, -100, b'packages/foo/new', 0x400) == 0 else 1)"""), "denied"),
    ("write/other-loop-mmap", "whole", py("""
import mmap, os
f = os.open('packages/foo/code', os.O_RDWR)
m = mmap.mmap(f, 3); m[0:1] = b'x'; m.flush()"""), "denied"),
    ("write/app-folder", "whole", "echo x > .perfica/new", "denied"),
    ("write/app-folder-output", "whole", "echo x > .perfica/outputs/1.log", "denied"),
    ("write/app-folder-delete", "whole", "rm .perfica/outputs/1.log", "denied"),
    ("write/app-folder-from-sub", "sub", "echo x > ../.perfica/new", "denied"),
    ("write/app-folder-through-link", "whole", "ln -s .perfica l && echo x > l/new", "denied"),
    ("write/app-folder-through-link-chain", "whole", "ln -s .perfica a; ln -s a b; ln -s b/outputs c; echo x > c/1.log", "denied"),
    ("write/app-folder-through-absolute-link", "whole", "ln -s $P/.perfica/outputs l && echo x > l/1.log", "denied"),
    ("write/app-folder-new-hard-link", "whole", "ln .perfica/outputs/1.log h && echo x > h", "denied"),
    ("write/other-loop-new-hard-link", "whole", "ln packages/foo/code h && echo x > h", "denied"),
    ("write/project-new-hard-link", "sub", "ln ../README h && echo x > h", "denied"),
    ("write/hard-link-by-descriptor", "whole", py("""
import os
f = os.open('packages/foo/code', os.O_RDONLY)
import ctypes, sys
if ctypes.CDLL(None).linkat(-100, b'/proc/self/fd/%d' % f, -100, b'h', 0x400) != 0: sys.exit(1)
open('h', 'w').write('x')"""), "denied"),
    ("write/proc-self-root", "whole", "echo x > /proc/self/root$P/.perfica/new", "denied"),
    ("write/proc-1-root", "whole", "echo x > /proc/1/root$P/.perfica/new", "denied", OUT),
    ("write/proc-cwd", "sub", "echo x > /proc/self/cwd/../new", "denied"),
    ("write/reopen-for-writing", "whole", py("""
import os
f = os.open('packages/foo/code', os.O_RDONLY)
os.write(os.open('/proc/self/fd/%d' % f, os.O_WRONLY), b'x')"""), "denied"),
    ("write/path-descriptor", "whole", py("""
import os
f = os.open('packages/foo', os.O_PATH)
os.open('new', os.O_CREAT | os.O_WRONLY, dir_fd=f)"""), "denied"),
    ("write/dot-dot", "sub", "echo x > api/../../new", "denied"),
    ("write/through-link-out", "sub", "ln -s .. up && echo x > up/new", "denied"),
    ("write/outside", "whole", "echo x > $B/outside/new", "denied"),
    ("write/outside-through-link", "whole", "ln -s $B/outside o && echo x > o/new", "denied"),
    ("write/visible", "whole", "echo x > $B/visible/file", "denied"),
    ("write/toolchain", "whole", "echo x > ~/.cargo/bin/tool", "denied"),
    ("write/toolchain-new", "whole", "echo x > ~/.cargo/bin/new", "denied"),
    ("write/gitconfig", "whole", "git config --global alias.x '!sh'", "denied"),
    ("write/home-stays-inside", "whole", "echo x > ~/.bashrc; echo x > ~/notes2", "works"),
    ("write/etc", "whole", "echo x > /etc/perfica-attack", "denied", OUT),
    ("write/usr", "whole", "echo x > /usr/perfica-attack", "denied", OUT),
    ("write/usr-local-bin", "whole", "echo x > /usr/local/bin/perfica-attack", "denied", OUT),
    ("write/top", "whole", "echo x > /perfica-attack", "denied", OUT),
    ("write/run", "whole", "echo x > /run/perfica-attack", "denied", OUT),
    ("write/init", "whole", "echo x > /run/perfica/init", "denied", OUT),
    ("write/sys", "whole", "for f in /sys/kernel/mm/*/enabled /sys/power/state; do echo x > $f && exit 0; done; exit 1", "denied", OUT),
    ("write/core-pattern", "whole", "cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern", "denied", OUT),
    ("write/hostname", "whole", "cat /proc/sys/kernel/hostname > /proc/sys/kernel/hostname", "denied", OUT),
    ("write/ip-forward", "whole", "echo 1 > /proc/sys/vm/drop_caches", "denied", OUT),
    ("write/sysrq", "whole", "echo h > /proc/sysrq-trigger", "denied", OUT),
    ("write/dev", "whole", "echo x > /dev/perfica-attack", "denied", dict(OUT, docker="harmless")),
    ("write/kmsg", "whole", "[ -c /dev/kmsg ] || [ -e /dev/mem ] || [ -e /dev/port ]", "denied", OUT),

    # ---- Changing what a name means ----
    ("rename/parent", "whole", "mv packages p2", "denied"),
    ("rename/parent-then-replace", "whole", "mv packages p2; mkdir -p packages/foo && echo evil > packages/foo/code", "denied"),
    ("rename/deep-parent", "sub", "mv x/y x/w", "denied"),
    ("rename/deepest-parent", "sub", "mv x w", "denied"),
    ("rename/middle-parent", "whole", "mv packages/bar packages/b2", "denied"),
    ("rename/protected", "whole", "mv packages/foo packages/f2", "denied"),
    ("rename/app-folder", "whole", "mv .perfica .p2", "denied"),
    ("rename/over-protected", "whole", "mkdir empty && rm -rf packages/foo; mv -T empty packages/foo", "denied"),
    ("rename/exchange-parent", "whole", sysc("os.makedirs('fake/foo')\n" + EXCHANGE.format("'packages'", "'fake'")), "denied"),
    ("rename/exchange-deep-parent", "sub", sysc("os.makedirs('fake/z')\n" + EXCHANGE.format("'x/y'", "'fake'")), "denied"),
    ("rename/exchange-protected", "whole", sysc("os.makedirs('fake')\n" + EXCHANGE.format("'packages/foo'", "'fake'")), "denied"),
    ("rename/exchange-app-folder", "whole", sysc("os.makedirs('fake')\n" + EXCHANGE.format("'.perfica'", "'fake'")), "denied"),
    ("rename/exchange-git", "whole", sysc("os.makedirs('fake')\n" + EXCHANGE.format("'.git'", "'fake'")), "denied"),
    ("rename/exchange-by-link", "whole", sysc("os.symlink('/etc', 'fake')\n" + EXCHANGE.format("'packages'", "'fake'")), "denied"),
    ("rename/parent-to-link", "whole", "rm -rf packages; ln -sT /etc packages", "denied"),
    ("rename/remove-parent", "whole", "rm -rf packages; [ ! -e packages ]", "denied"),
    ("rename/remove-app-folder", "whole", "rm -rf .perfica; [ ! -e .perfica ]", "denied"),
    ("rename/own-to-link", "sub", "cd .. && rm -rf web; ln -sT /etc web", "denied"),

    # ---- git, which the person runs outside ----
    ("git/hook", "whole", "echo x > .git/hooks/pre-commit", "denied"),
    ("git/hook-delete", "whole", "rm .git/hooks/sample", "denied"),
    ("git/hooks-away", "whole", "mv .git/hooks .git/h2", "denied"),
    ("git/config", "whole", "echo x >> .git/config", "denied"),
    ("git/config-by-git", "whole", "git config core.fsmonitor /tmp/evil", "denied"),
    ("git/config-by-rename", "whole", "cp .git/config c && mv -f c .git/config", "denied"),
    ("git/config-hard-link", "whole", "ln .git/config c && echo x > c", "denied"),
    ("git/config-delete", "whole", "rm -f .git/config", "denied"),
    ("git/info", "whole", "echo '* filter=x' > .git/info/attributes", "denied"),
    ("git/folder-away", "whole", "mv .git g2", "denied"),
    ("git/folder-replaced", "whole", "rm -rf .git; mkdir -p .git/hooks && echo x > .git/hooks/pre-commit", "denied"),
    ("git/nested-hook", "whole", "echo x > vendor/lib/.git/hooks/pre-commit", "denied"),
    ("git/nested-config", "whole", "echo x >> vendor/lib/.git/config", "denied"),
    ("git/nested-away", "whole", "mv vendor/lib vendor/l2", "denied"),
    ("git/nested-parent-away", "whole", "mv vendor v2", "denied"),
    ("git/from-sub", "sub", "echo x > ../.git/hooks/pre-commit", "denied"),
    ("git/commondir-is-set-aside", "whole", "echo ../evil > .git/commondir", "works", {"gone": "project/.git/commondir"}),
    ("git/worktree-config-is-set-aside", "whole", "echo x > .git/config.worktree", "works", {"gone": "project/.git/config.worktree"}),
    ("git/nested-commondir-is-set-aside", "whole", "echo ../evil > vendor/lib/.git/commondir", "works", {"gone": "project/vendor/lib/.git/commondir"}),

    # ---- Reading what is not its business ----
    ("read/ssh-key", "whole", "cat ~/.ssh/id_ed25519", "denied"),
    ("read/netrc", "whole", "cat ~/.netrc", "denied"),
    ("read/npmrc", "whole", "cat ~/.npmrc", "denied"),
    ("read/git-credentials", "whole", "cat ~/.git-credentials", "denied"),
    ("read/git-config-credentials", "whole", "cat ~/.config/git/credentials", "denied"),
    ("read/aws", "whole", "cat ~/.aws/credentials", "denied"),
    ("read/cargo-credentials", "whole", "cat ~/.cargo/credentials.toml", "denied"),
    ("read/our-boards", "whole", "cat ~/.config/perfica/boards.json", "denied"),
    ("read/home-file", "whole", "cat ~/notes", "denied"),
    ("read/outside", "whole", "cat $B/outside/file", "denied"),
    ("read/outside-through-link", "whole", "ln -s $B/outside/file l && cat l", "denied"),
    ("read/outside-through-proc", "whole", "cat /proc/self/root$B/outside/file", "denied"),
    ("read/home-through-tilde-link", "whole", "ln -s ~ h && cat h/.netrc", "denied"),
    ("read/whole-world", "whole", "grep -rsq hunter2 $B /run /var /tmp", "denied"),
    ("read/shadow", "whole", "grep -q : /etc/shadow", "denied", OUT),
    ("read/gshadow", "whole", "grep -q : /etc/gshadow", "denied", OUT),
    ("read/host-keys", "whole", "cat /etc/ssh/ssh_host_*_key | grep -q .", "denied", OUT),
    ("read/root-home", "whole", "[ -n \"$(ls -A /root 2>/dev/null)\" ]", "denied", OUT),
    ("read/var-lib", "whole", "[ -n \"$(ls -A /var/lib 2>/dev/null)\" ]", "denied", OUT),
    ("read/run", "whole", "[ -e /run/docker.sock ] || [ -e /run/dbus ] || [ -e /run/systemd ]", "denied", OUT),
    ("read/boot", "whole", "[ -e /boot ] || [ -e /srv ] || [ -e /mnt ] || [ -e /media ]", "denied", OUT),
    ("read/disks", "whole", "ls /dev/vd* /dev/sd* /dev/nvme* /dev/mapper 2>/dev/null | grep -q .", "denied", OUT),
    ("read/kcore", "whole", "head -c 1 /proc/kcore | grep -q .", "denied", OUT),
    ("read/kernel-log", "whole", "dmesg | grep -q .", "denied", OUT),
    ("read/other-processes", "whole", "[ $(ls -d /proc/[0-9]* | wc -l) -gt 12 ]", "denied"),
    ("read/pid-1-environment", "whole", "tr '\\0' '\\n' < /proc/1/environ | grep -q PATH=", "denied", dict(OUT, docker="harmless", wsl="harmless")),
    ("read/any-environment", "whole", "cat /proc/[0-9]*/environ | grep -aq hunter2", "denied"),
    ("read/pid-1-command-line", "whole", "tr '\\0' ' ' < /proc/1/cmdline | grep -q 'remount-r[o]'", "denied", dict(OUT, wsl="harmless")),
    ("read/pid-1-memory", "whole", "head -c 1 /proc/1/mem; [ $? = 0 ]", "denied", OUT),
    ("read/own-environment", "whole", "env | grep -q hunter2", "denied"),
    ("read/secret-token", "whole", "[ -n \"$ATTACK_TOKEN\" ]", "denied"),
    ("read/session-bus", "whole", "[ -n \"$DBUS_SESSION_BUS_ADDRESS\" ]", "denied"),
    ("read/display", "whole", "[ -n \"$DISPLAY$WAYLAND_DISPLAY\" ]", "denied"),
    ("read/ssh-agent", "whole", "[ -n \"$SSH_AUTH_SOCK\" ]", "denied"),
    ("read/preload", "whole", "[ -n \"$LD_PRELOAD$LD_LIBRARY_PATH\" ]", "denied"),
    ("read/project-in-path", "whole", "case :$PATH: in *:$P*|*::*|*:.:*) exit 0;; esac; exit 1", "denied"),

    # ---- Reaching a service outside ----
    ("reach/project-socket", "whole", connect("AF_UNIX", "os.environ['B'] + '/project/web/s'"), "denied", {"listen": "project/web/s"}),
    ("reach/project-socket-relative", "whole", connect("AF_UNIX", "'web/s'"), "denied", {"listen": "project/web/s"}),
    ("reach/project-socket-from-sub", "sub", connect("AF_UNIX", "'../docs/s'"), "denied", {"listen": "project/docs/s"}),
    ("reach/project-socket-in-own", "sub", connect("AF_UNIX", "'s'"), "denied", {"listen": "project/web/s"}),
    ("reach/project-socket-renamed", "whole", "mv web/s t; " + connect("AF_UNIX", "'t'"), "denied", {"listen": "project/web/s"}),
    ("reach/project-socket-linked", "whole", "ln web/s t; " + connect("AF_UNIX", "'t'"), "denied", {"listen": "project/web/s"}),
    ("reach/socket-through-link", "whole", "ln -s $B/outside/s t; " + connect("AF_UNIX", "'t'"), "denied", {"listen": "outside/s"}),
    ("reach/outside-socket", "whole", connect("AF_UNIX", "os.environ['B'] + '/outside/s'"), "denied", {"listen": "outside/s"}),
    ("reach/home-socket", "whole", connect("AF_UNIX", "os.environ['HOME'] + '/s'"), "denied", {"listen": "home/s"}),
    ("reach/visible-socket", "whole", connect("AF_UNIX", "os.environ['B'] + '/visible/s'"), "denied", {"listen": "visible/s"}),
    ("reach/abstract-socket", "whole", connect("AF_UNIX", "chr(0) + os.environ['S']"), "denied", {"listen": "@perfica-attack"}),
    ("reach/x11-abstract", "whole", connect("AF_UNIX", "chr(0) + '/tmp/.X11-unix/X77'"), "denied", {"listen": "@/tmp/.X11-unix/X77"}),
    ("reach/tcp-loopback", "whole", connect("AF_INET", "('127.0.0.1', int(os.environ['S']))"), "denied", {"listen": 4}),
    ("reach/tcp6-loopback", "whole", connect("AF_INET6", "('::1', int(os.environ['S']))"), "denied", {"listen": 6}),
    ("reach/bash-tcp", "whole", "exec 3<>/dev/tcp/127.0.0.1/$S", "denied", {"listen": 4}),
    ("reach/docker", "whole", connect("AF_UNIX", "'/run/docker.sock'"), "denied", OUT),
    ("reach/system-bus", "whole", connect("AF_UNIX", "'/run/dbus/system_bus_socket'"), "denied", OUT),
    ("reach/internet", "whole", connect("AF_INET", "('192.0.2.1', 80)"), "denied", OUT),
    ("reach/udp", "whole", py("import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))"), "denied", OUT),
    ("reach/names", "whole", py("import socket\nsocket.getaddrinfo('example.org', 80)"), "denied", OUT),
    ("reach/interfaces", "whole", "[ $(ls /proc/self/net/dev_snmp6 2>/dev/null | grep -vc '^lo$') -gt 0 ]", "denied", OUT),
    ("reach/new-interface", "whole", "ip link add dummy0 type dummy 2>&1 && ip link show dummy0", "denied", OUT),
    ("reach/vsock", "whole", py("import socket\nsocket.socket(40, socket.SOCK_STREAM)"), "denied", OUT),
    ("reach/packet", "whole", py("import socket\nsocket.socket(17, socket.SOCK_RAW)"), "denied", OUT),
    ("reach/raw", "whole", py("import socket\nsocket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"), "denied", OUT),
    ("reach/bluetooth", "whole", py("import socket\nsocket.socket(31, socket.SOCK_RAW, 1)"), "denied", OUT),

    # ---- More rights ----
    ("rights/no-capabilities", "whole", "grep -qE '^Cap(Prm|Eff|Bnd|Inh|Amb):.*[1-9a-f]' /proc/self/status", "denied", OUT),
    ("rights/no-new-privileges", "whole", "grep -q 'NoNewPrivs:.*1' /proc/self/status", "works"),
    ("rights/filter", "whole", "grep -q 'Seccomp:.*2' /proc/self/status", "works"),
    ("rights/user-namespace", "whole", "unshare -U true", "denied", OUT),
    ("rights/user-namespace-by-clone", "whole", sysc("call(56, 220, 0x10000000 | 17, 0, 0, 0, 0)"), "denied", OUT),
    ("rights/mount-namespace", "whole", "unshare -m true", "denied", OUT),
    ("rights/net-namespace", "whole", "unshare -n true", "denied", OUT),
    ("rights/mount-tmpfs", "whole", "mkdir m && mount -t tmpfs none m", "denied", OUT),
    ("rights/remount-writable", "whole", "mount -o remount,bind,rw $P/packages/foo", "denied", OUT),
    ("rights/bind-over", "whole", "mount --bind docs packages/foo", "denied", OUT),
    ("rights/unmount-cover", "whole", "umount -l .perfica", "denied", OUT),
    ("rights/new-mount-api", "whole", sysc("call(428, 428, -100, b'.', 1)"), "denied", OUT),
    ("rights/fsopen", "whole", sysc("call(430, 430, b'tmpfs', 0)"), "denied", OUT),
    ("rights/mount-setattr", "whole", sysc("call(442, 442, -100, b'.', 0, 0, 0)"), "denied", OUT),
    ("rights/pivot-root", "whole", sysc("call(155, 41, b'.', b'.')"), "denied", OUT),
    ("rights/chroot", "whole", sysc("call(161, 51, b'.')"), "denied", OUT),
    ("rights/setns", "whole", py("import os, ctypes, sys\nf = os.open('/proc/self/ns/net', 0)\nsys.exit(0 if ctypes.CDLL(None).setns(f, 0) == 0 else 1)"), "denied", OUT),
    ("rights/open-by-handle", "whole", sysc("b = ctypes.create_string_buffer(64)\ncall(304, 265, -100, b, 0)"), "denied", OUT),
    ("rights/keyring-add", "whole", sysc("call(248, 217, b'user', b'perfica', b'x', 1, -4)"), "denied", OUT),
    ("rights/keyring-session", "whole", sysc("call(250, 219, 0, -3, 0)"), "denied", OUT),
    ("rights/keyring-request", "whole", sysc("call(249, 218, b'user', b'perfica', 0, 0)"), "denied", OUT),
    ("rights/bpf", "whole", sysc("call(321, 280, 0, ctypes.create_string_buffer(128), 128)"), "denied", OUT),
    ("rights/perf", "whole", sysc("call(298, 241, ctypes.create_string_buffer(b'\\1'+b'\\0'*127), 0, -1, -1, 0)"), "denied", OUT),
    ("rights/userfaultfd", "whole", sysc("call(323, 282, 1)"), "denied", OUT),
    ("rights/io-uring", "whole", sysc("call(425, 425, 1, ctypes.create_string_buffer(256))"), "denied", OUT),
    ("rights/syslog", "whole", sysc("call(103, 116, 3, ctypes.create_string_buffer(64), 64)"), "denied", OUT),
    ("rights/quotactl", "whole", sysc("call(179, 60, 0x80000100, 0, 0, 0)"), "denied", OUT),
    ("rights/device-node", "whole", "mknod d b 254 0", "denied", OUT),
    ("rights/char-device-node", "whole", "mknod d c 1 1 && head -c 1 d", "denied", OUT),
    ("rights/set-time", "whole", "date -s 2001-01-01", "denied", OUT),
    ("rights/set-host-name", "whole", "hostname evil", "denied", OUT),
    ("rights/sudo", "whole", "sudo -n true", "denied", OUT),
    ("rights/other-user", "whole", "setpriv --reuid=65533 true", "denied", OUT),
    ("rights/chown", "whole", "touch f && chown 12345 f", "denied", OUT),
    ("rights/push-into-terminal", "whole", py("import fcntl, pty, os\nm, s = os.openpty()\nos.setsid() if os.getpid() != os.getsid(0) else None\nfcntl.ioctl(s, 0x5412, b'x')"), "denied", OUT),
    ("rights/push-wide-request", "whole", sysc("m, s = os.openpty()\ncall(16, 29, s, ctypes.c_ulong(0x100005412), b'x')"), "denied", OUT),
    ("rights/controlling-terminal", "whole", "exec 3<>/dev/tty", "denied", OUT),
    ("rights/trace-pid-1", "whole", sysc("call(101, 117, 16, 1, 0, 0)"), "denied", OUT),
    ("rights/read-memory-of-pid-1", "whole", sysc("b = ctypes.create_string_buffer(16)\nimport struct\nv = struct.pack('QQ', ctypes.addressof(b), 8)\nw = struct.pack('QQ', 0x400000, 8)\ncall(310, 270, 1, v, 1, w, 1, 0)"), "denied", OUT),
    ("rights/signal-outside", "whole", "kill -0 $OUTSIDE_PID", "denied"),
    ("rights/kill-pid-1", "whole", "kill -9 1; kill -TERM 1; sleep 0.1; exit 7", "code 7", {"docker": "code 143"}),

    # ---- Descriptors ----
    ("descriptors/none-inherited", "whole", "[ $(ls /proc/self/fd | wc -l) -gt 4 ]", "denied", {"leak": "outside"}),
    ("descriptors/folder", "whole", "ls -l /proc/self/fd/9/", "denied", {"leak": "outside"}),
    ("descriptors/folder-write", "whole", "echo x > /proc/self/fd/9/new", "denied", {"leak": "outside", "control": False}),
    ("descriptors/file", "whole", "cat <&8", "denied", {"leak_file": "outside/file"}),
    ("descriptors/of-pid-1", "whole", "for f in /proc/1/fd/[3-9] /proc/1/fd/1[0-9]; do [ -e $f ] && ( exec 3<>$f ) && exit 0; done; exit 1", "denied", OUT),

    # ---- Refused before anything runs ----
    ("refused/own-is-link", "sub", "true", "no plan", {"host": "mv $P/web $P/w2; ln -s w2 $P/web"}),
    ("refused/own-is-link-out", "sub", "echo x > new", "no plan", {"host": "rm -r $P/web; ln -s $B/outside $P/web"}),
    ("refused/own-is-gone", "sub", "true", "no plan", {"host": "rm -r $P/web"}),
    ("refused/own-is-file", "sub", "true", "no plan", {"host": "rm -r $P/web; echo > $P/web"}),
    ("refused/project-is-gone", "whole", "true", "no plan", {"host": "mv $P $B/p2"}),
    ("refused/project-is-link", "whole", "true", "no plan", {"host": "mv $P $B/p2; ln -s p2 $P"}),
    ("refused/target-is-link", "whole", "true", "no plan", {"host": "rm -r $P/packages/foo; ln -s $B/outside $P/packages/foo"}),
    ("refused/target-parent-is-link", "whole", "true", "no plan", {"host": "rm -r $P/packages; ln -s $B/outside $P/packages; mkdir $B/outside/foo"}),
    ("refused/target-is-dangling-link", "whole", "true", "no plan", {"host": "rm -r $P/.perfica; ln -s $B/nowhere $P/.perfica"}),
    ("refused/target-is-gone", "whole", "true", "no plan", {"host": "rm -r $P/packages/foo"}),

    # ---- Nothing is left ----
    ("left/no-ghosts-whole", "whole", "true", "works", {"same_names": True}),
    ("left/no-ghosts-sub", "sub", "true", "works", {"same_names": True}),
    ("left/no-ghosts-after-failure", "sub", "exit 3", "code 3", {"same_names": True}),
    ("left/background-child", "whole", "sleep $MARK & exit 0", "works", {"mark": True}),
    ("left/no-hang-up", "whole", "nohup sleep $MARK >/dev/null 2>&1 & exit 0", "works", {"mark": True}),
    ("left/new-session", "whole", "setsid sleep $MARK & exit 0", "works", {"mark": True}),
    ("left/double-fork", "whole", "( setsid sh -c 'sleep $MARK & sleep $MARK &' & ) ; exit 0", "works", {"mark": True}),
    ("left/hopping-forks", "whole", py("""
import os, time
end = time.time() + 20
for i in range(8):
    if os.fork() == 0: break
while time.time() < end:
    if os.fork() != 0: os._exit(0)
    time.sleep(0.005)"""), "works", {"mark": True, "also": "sleep $MARK"}),
    ("limit/plain", "whole", "sleep $MARK", "code 252", {"mark": True, "limit": 1}),
    ("limit/ignores-term", "whole", "trap '' TERM INT HUP; sleep $MARK; sleep $MARK", "code 252", {"mark": True, "limit": 1}),
    ("limit/new-session", "whole", "setsid -w sleep $MARK", "code 252", {"mark": True, "limit": 1}),
    ("limit/double-fork-and-wait", "whole", "( setsid sleep $MARK & ); sleep $MARK", "code 252", {"mark": True, "limit": 1}),
    ("limit/stopped", "whole", "kill -STOP $$; sleep $MARK", "code 252", {"mark": True, "limit": 1}),
    ("limit/busy", "whole", "while :; do :; done", "code 252", {"mark": True, "limit": 1}),
    ("killed/app-at-once", "whole", "sleep $MARK", "killed", {"mark": True, "kill_after": 0.0}),
    ("killed/app-at-3-ms", "whole", "sleep $MARK", "killed", {"mark": True, "kill_after": 0.003}),
    ("killed/app-at-10-ms", "whole", "sleep $MARK", "killed", {"mark": True, "kill_after": 0.010}),
    ("killed/app-at-30-ms", "whole", "sleep $MARK", "killed", {"mark": True, "kill_after": 0.030}),
    ("killed/app-at-300-ms", "whole", "setsid sleep $MARK & trap '' TERM; sleep $MARK", "killed", {"mark": True, "kill_after": 0.3}),
]

"""Network namespaces of this process: they are entered, and removed at its end."""

import contextlib
import ctypes
import os
import re
import signal
import subprocess
import sys

NAMESPACES = "/run/netns"
LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x4000_0000


def run(*words, text=None, check=True, **more):
    result = subprocess.run(words, input=text, capture_output=True, text=True, **more)
    if check and result.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {result.stderr.strip()}")
    return result


@contextlib.contextmanager
def inside(namespace):
    """Moves this thread into a namespace. Sockets opened and commands started meanwhile belong to it."""
    before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    there = os.open(os.path.join(NAMESPACES, namespace), os.O_RDONLY)
    try:
        if LIBC.setns(there, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"setns {namespace}")
        try:
            yield
        finally:
            if LIBC.setns(before, CLONE_NEWNET) != 0:
                os._exit(70)
    finally:
        os.close(before)
        os.close(there)


def namespaces(owner=None):
    """Returns the namespaces of a process, or those of all runs, as (pid, name)."""
    found = []
    for name in os.listdir(NAMESPACES) if os.path.isdir(NAMESPACES) else []:
        match = re.fullmatch(r"path-(\d+)-.+", name)
        if match and owner in (None, int(match[1])):
            found.append((int(match[1]), name))
    return found


def remove(names):
    """Kills the processes in namespaces, and deletes the namespaces."""
    inodes = set()
    for name in names:
        with contextlib.suppress(OSError):
            inodes.add(os.stat(os.path.join(NAMESPACES, name)).st_ino)
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{process}/ns/net").st_ino in inodes:
                os.kill(int(process), signal.SIGKILL)
    run("ip", "-force", "-batch", "-", text="".join(f"netns delete {name}\n" for name in names), check=False)


def remove_abandoned():
    """Removes the namespaces of runs that have ended."""
    names = [name for owner, name in namespaces() if not os.path.exists(f"/proc/{owner}")]
    if names:
        remove(names)


@contextlib.contextmanager
def cleanup():
    """Removes this process's namespaces at the end, and starts a process that does so if this one is killed."""
    remove_abandoned()
    guard = subprocess.Popen(
        [sys.executable, os.path.abspath(sys.argv[0]), "guard", str(os.getpid())], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, start_new_session=True,
    )
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        remove([name for _, name in namespaces(os.getpid())])
        guard.stdin.close()
        guard.wait()


def guard(owner):
    """Waits until the owner of the pipe at standard input has ended, and removes what it left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    remove([name for _, name in namespaces(owner)])

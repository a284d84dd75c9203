"""The network namespace: loopback for the targets, and one address that can become silent."""
import ctypes
import os
import subprocess
import sys

# An address on one end of a veth pair, local and answering. Without it, packets to it leave by the pair and are lost.
SILENT_TARGET = "198.18.0.2"
CLONE_NEWNET, CLONE_NEWUSER = 0x40000000, 0x10000000


def enter():
    """Enters a new network namespace, inside a new user namespace unless run as root. Exits on failure."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if libc.unshare(CLONE_NEWNET if user == 0 else CLONE_NEWNET | CLONE_NEWUSER) != 0:
        sys.exit(f"cannot create a network namespace: {os.strerror(ctypes.get_errno())} – run as root")
    if user != 0:
        write("/proc/self/setgroups", "deny")
        write("/proc/self/uid_map", f"0 {user} 1")
        write("/proc/self/gid_map", f"0 {group} 1")
    ip("link set lo up")
    ip("link add v0 type veth peer name v1")
    # Without ARP, the kernel does not notice the missing host, so probes time out instead of "host unreachable".
    ip("link set v0 arp off up")
    ip("link set v1 up")
    ip("address add 198.18.0.1/24 dev v0")
    # Allows echo requests by every user, and provides enough ports.
    write("/proc/sys/net/ipv4/ping_group_range", "0 0")
    write("/proc/sys/net/ipv4/ip_local_port_range", "10000 65000")


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def ip(words):
    subprocess.run(["ip", *words.split()], check=True)


def revive():
    ip(f"address replace {SILENT_TARGET}/24 dev v0")


def stop():
    ip(f"address delete {SILENT_TARGET}/24 dev v0")


def address(number):
    """Returns a target's address: 127.1.x.y, 250 for each x, as in Floor/floor.c."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


def echoes():
    """Returns the number of echo requests that the kernel of this namespace has received."""
    with open("/proc/net/snmp") as file:
        names, values = [line.split() for line in file if line.startswith("Icmp:")]
    return int(values[names.index("InEchos")])

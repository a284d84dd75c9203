"""A network of our own: loopback for the targets, and one address that can go away without a word."""
import ctypes
import os
import subprocess
import sys

# Stands on one end of a veth pair, local and answering; without it, what is sent there leaves by the pair and is lost.
VICTIM = "198.18.0.2"
CLONE_NEWNET, CLONE_NEWUSER = 0x40000000, 0x10000000


def enter():
    """Leaves for a network namespace, through a user namespace where nobody is root; ends the program if it cannot."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if libc.unshare(CLONE_NEWNET if user == 0 else CLONE_NEWNET | CLONE_NEWUSER) != 0:
        sys.exit(f"no network namespace of our own: {os.strerror(ctypes.get_errno())} (run it as root)")
    if user != 0:
        write("/proc/self/setgroups", "deny")
        write("/proc/self/uid_map", f"0 {user} 1")
        write("/proc/self/gid_map", f"0 {group} 1")
    ip("link set lo up")
    ip("link add v0 type veth peer name v1")
    # Without ARP: nothing finds out that nobody is there, so that it is silence and no "host unreachable".
    ip("link set v0 arp off up")
    ip("link set v1 up")
    ip("address add 198.18.0.1/24 dev v0")
    # The rates at which the kernel answers are not what is measured, nor is who may ask.
    write("/proc/sys/net/ipv4/ping_group_range", "0 0")
    write("/proc/sys/net/ipv4/ip_local_port_range", "10000 65000")


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def ip(words):
    subprocess.run(["ip", *words.split()], check=True)


def revive():
    ip(f"address replace {VICTIM}/24 dev v0")


def stop():
    ip(f"address delete {VICTIM}/24 dev v0")


def address(number):
    """127.1.x.y, 250 in each x, as Floor/floor.c has it."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


def echoes():
    """Echo requests that have reached the kernel of this namespace, whoever sent them."""
    with open("/proc/net/snmp") as file:
        names, values = [line.split() for line in file if line.startswith("Icmp:")]
    return int(values[names.index("InEchos")])

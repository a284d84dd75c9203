"""The name server of the network `names`."""

import contextlib
import ipaddress
import select
import socket
import struct

from .constants import CLIENT, TARGET

# The names of the hops as labels. Escapes could set colors, the title of the terminal, or the direction of writing.
HOP_NAMES = [
    [b"\x1b[31mred\x07", b"example"], [b"x" * 63] * 3, None, [b"good", b"example"],
]


def name_servers():
    """Returns the addresses of the machine's name servers, which the client of `names` has as its own."""
    found = []
    with contextlib.suppress(OSError), open("/etc/resolv.conf") as file:
        found = [line.split()[1] for line in file if line.startswith("nameserver ") and "%" not in line]
    return found or ["127.0.0.1"]


def answer_names(lab):
    """Answers questions for the names of addresses."""
    net = lab.network
    known = {}
    for place, labels in zip([*net.hops(CLIENT, "r1", "r2", "r3", TARGET)], HOP_NAMES):
        for address in place[0]:
            known[ipaddress.ip_address(address).reverse_pointer.encode()] = labels
    with lab.inside(CLIENT):
        sockets = []
        for address in name_servers():
            sockets.append(socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM))
            sockets[-1].bind((address, 53))
    lab.sockets += sockets
    while not lab.ended.is_set():
        for each in select.select(sockets, [], [], 0.2)[0]:
            query, peer = each.recvfrom(4096)
            lab.questions += 1
            each.sendto(name_answer(query, known), peer)


def name_answer(query, known):
    """Returns the answer to a question: with the name of a known address, or that there is none."""
    labels, end = [], 12
    while query[end]:
        labels.append(query[end + 1:end + 1 + query[end]])
        end += 1 + query[end]
    question = query[12:end + 5]
    name = known.get(b".".join(labels).lower())
    if not name or question[-4:-2] != b"\0\x0c":
        return query[:2] + struct.pack("!HHHHH", 0x8183, 1, 0, 0, 0) + question
    data = b"".join(bytes([len(label)]) + label for label in name) + b"\0"
    record = b"\xc0\x0c" + struct.pack("!HHIH", 12, 1, 60, len(data)) + data
    return query[:2] + struct.pack("!HHHHH", 0x8180, 1, 1, 0, 0) + question + record

"""Answers that quote what was not sent."""

import contextlib
import socket
import struct

from .constants import FORGED_ADDRESS, TARGET_ADDRESS
from .wire import parse


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def expired_packet(family, quoted, client):
    """Returns an answer to an expired packet, from the address of the forger, that quotes some bytes."""
    index = family == 6
    version = socket.AF_INET6 if index else socket.AF_INET
    source, destination = (socket.inet_pton(version, address) for address in (FORGED_ADDRESS[index], client))
    body = struct.pack("!BBHI", 3 if index else 11, 0, 0, 0) + quoted
    if index:
        pseudo = source + destination + struct.pack("!II", len(body), 58)
        body = body[:2] + struct.pack("!H", checksum(pseudo + body)) + body[4:]
        return struct.pack("!IHBB", 6 << 28, len(body), 58, 64) + source + destination + body
    body = body[:2] + struct.pack("!H", checksum(body)) + body[4:]
    header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(body), 0, 0, 64, 1, 0) + source + destination
    return header[:10] + struct.pack("!H", checksum(header)) + header[12:] + body


def altered(data, *positions):
    changed = bytearray(data)
    for position in positions:
        if position < len(changed):
            changed[position] ^= 0x55
    return bytes(changed)


def forgeries(packet):
    """Returns quotations that do not fit a packet: with another address, other ports, another identity, and truncated
    ones. A quotation of all that identifies a packet is none of them: only a router on the way can send that."""
    start, protocol = (40, packet[6]) if packet[0] >> 4 == 6 else (20, packet[9])
    forged = [altered(packet, start - 1), packet[:start], packet[:10], b""]
    if protocol in (socket.IPPROTO_UDP, socket.IPPROTO_TCP):
        forged += [altered(packet, start, start + 1), altered(packet, start + 2, start + 3)]
    # The identity is the payload of a datagram, or else the number of an echo request or TCP packet.
    identity = range(start + 8, len(packet)) if protocol == socket.IPPROTO_UDP else range(start + 4, start + 8)
    return [*forged, altered(packet, *identity)]


def forge(lab):
    """Sends the forgeries of each packet to the client that arrives at r2."""
    with lab.inside("r2"):
        sniffer = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
        sniffer.bind(("to-r1", 3))
    sniffer.settimeout(0.2)
    with sniffer:
        while not lab.ended.is_set():
            try:
                data, address = sniffer.recvfrom(2048)
            except TimeoutError:
                continue
            packet = parse(data, 0, False)
            if packet is None or address[2] != 0 or packet.destination not in TARGET_ADDRESS:
                continue
            for quoted in forgeries(data[:512]):
                forged = expired_packet(packet.family, quoted, packet.source)
                with contextlib.suppress(OSError):
                    sniffer.sendto(forged, ("to-r1", address[1], 0, 0, address[4]))
                    lab.forged += 1

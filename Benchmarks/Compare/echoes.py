"""Hosts that answer each echo request after a delay of its own, so that every reply can be recognized on a screen.

Run as a program, it is the hosts: it answers all addresses of a TUN device, and writes a line for each reply into a
file: its time, the number of its host and its delay in milliseconds.
"""
import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time

DEVICE = "echoes"
FIRST_HOST = 10
# Three digits, so that they differ from counters, with room for what a program measures on top.
SLOW_DELAYS = range(100, 900, 4)
# For intervals of 200 ms.
FAST_DELAYS = range(100, 190, 4)
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


def address(number):
    return f"198.18.1.{number + FIRST_HOST}"


def answer(request):
    """Returns the reply to an ICMP echo request (RFC 792), or None for another packet."""
    header = (request[0] & 15) * 4
    if request[0] >> 4 != 4 or request[9] != 1 or request[header] != 8:
        return None
    reply = bytearray(request)
    reply[12:16], reply[16:20] = request[16:20], request[12:16]
    reply[header] = 0
    # The checksum of a header whose type is 8 lower (RFC 1624).
    checksum = struct.unpack_from("!H", request, header + 2)[0] + 0x0800
    struct.pack_into("!H", reply, header + 2, (checksum & 0xFFFF) + (checksum >> 16))
    return bytes(reply)


def serve(path, all_delays):
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", DEVICE.encode(), IFF_TUN | IFF_NO_PI))
    import network

    network.ip(f"address add 198.18.1.1/24 dev {DEVICE}")
    network.ip(f"link set {DEVICE} up")
    waiting, delays = [], {}
    with open(path, "w", buffering=1) as file:
        print("ready", file=file)
        while True:
            left = waiting[0][0] - time.monotonic() if waiting else None
            if select.select([device], [], [], None if left is None else max(0, left))[0]:
                if (reply := answer(os.read(device, 65536))) is not None:
                    host = reply[15] - FIRST_HOST
                    if not delays.get(host):
                        delays[host] = random.sample(all_delays, len(all_delays))
                    delay = delays[host].pop()
                    heapq.heappush(waiting, (time.monotonic() + delay / 1000, host, delay, reply))
            while waiting and waiting[0][0] <= time.monotonic():
                _, host, delay, reply = heapq.heappop(waiting)
                os.write(device, reply)
                print(time.monotonic(), host, delay, file=file)


if __name__ == "__main__":
    serve(sys.argv[1], FAST_DELAYS if sys.argv[2:] == ["fast"] else SLOW_DELAYS)

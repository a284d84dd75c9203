"""The packets at an interface."""

import dataclasses
import socket
import struct
import threading

from .constants import CLIENT


@dataclasses.dataclass
class Packet:
    """A packet at the client's interface."""

    time: float
    outgoing: bool
    family: int
    ttl: int
    source: str
    destination: str


class Wire:
    """The packets at an interface, with the kernel's time of each. An independent count of what a program sends."""

    def __init__(self, lab, node=CLIENT, interface="to-r1"):
        self.packets = []
        self.ended = threading.Event()
        with lab.inside(node):
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
            self.socket.bind((interface, 3))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self.socket.setsockopt(socket.SOL_SOCKET, 35, 1)  # SO_TIMESTAMPNS
        self.socket.settimeout(0.2)
        self.thread = threading.Thread(target=self.read, daemon=True)

    def read(self):
        while not self.ended.is_set():
            try:
                data, control, _, address = self.socket.recvmsg(128, 64)
            except TimeoutError:
                continue
            except OSError:
                return
            seconds, nanoseconds = struct.unpack("qq", control[0][2][:16])
            if packet := parse(data, seconds + nanoseconds / 1e9, address[2] == 4):
                self.packets.append(packet)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        self.socket.close()

    def probes(self, targets):
        return [packet for packet in self.packets if packet.outgoing and packet.destination in targets]

    def most_within(self, seconds, packets):
        """Returns the largest number of packets within a time."""
        times, most, first = sorted(packet.time for packet in packets), 0, 0
        for last, moment in enumerate(times):
            while moment - times[first] >= seconds:
                first += 1
            most = max(most, last - first + 1)
        return most


def parse(data, moment, outgoing):
    """Returns the packet in a frame, or None if it is of another protocol, or of the neighbour discovery."""
    if len(data) >= 20 and data[0] >> 4 == 4:
        return Packet(moment, outgoing, 4, data[8], socket.inet_ntoa(data[12:16]), socket.inet_ntoa(data[16:20]))
    if len(data) >= 41 and data[0] >> 4 == 6 and not (data[6] == 58 and 130 <= data[40] <= 143) and data[6] != 0:
        ends = [socket.inet_ntop(socket.AF_INET6, data[start:start + 16]) for start in (8, 24)]
        return Packet(moment, outgoing, 6, data[7], *ends)
    return None

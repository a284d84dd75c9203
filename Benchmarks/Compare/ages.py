"""The age of drawn data: the time from a reply to the output that shows its round trip."""
import importlib.util
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass

from measure import percentile
from process import Process

# A reply that has not been drawn by then never is: the next one of its target has replaced it.
LIMIT = 2.5


def is_available():
    """Whether a terminal can be emulated (pyte; in Debian python3-pyte)."""
    return importlib.util.find_spec("pyte") is not None


def measure_ages(contender, seconds):
    """Measures the ages of the replies of some seconds in milliseconds, and the share that is never drawn."""
    import pyte

    path = contender.setup.path("echoes")
    if os.path.exists(path):
        os.unlink(path)
    words = [sys.executable, os.path.join(os.path.dirname(__file__), "echoes.py"), path]
    hosts = Process(words + (["fast"] if contender.task.interval < 1 else []), path + ".out", path + ".err")
    try:
        wait_until_ready(path, hosts)
        contender.write_targets()
        terminal = contender.open()
        try:
            terminal.pause(5 + seconds)
        finally:
            terminal.end()
    finally:
        hosts.end()
    with open(path) as file:
        replies = read_replies(file)
    pieces = terminal.pieces
    screen = pyte.Screen(200, 50)
    stream = pyte.ByteStream(screen)
    first, last = pieces[0][0] + 4, pieces[-1][0] - LIMIT
    replies = [reply for reply in replies if first <= reply.time <= last]
    waiting, ages, undrawn, lines = [], [], 0, []
    for when, piece in pieces:
        while replies and replies[0].time <= when:
            reply = replies.pop(0)
            # A figure that is on the screen already says nothing about a new reply.
            if not contender.shows(reply, lines):
                waiting.append(reply)
        stream.feed(piece)
        lines = screen.display
        for reply in list(waiting):
            if contender.shows(reply, lines):
                ages.append((when - reply.time) * 1000)
                waiting.remove(reply)
            elif when - reply.time > LIMIT:
                undrawn += 1
                waiting.remove(reply)
    count = len(ages) + undrawn
    if not ages:
        return {"undrawn": 1.0}
    return {"age_p50": percentile(ages, 0.5), "age_p99": percentile(ages, 0.99), "undrawn": undrawn / count, "ages": count}


@dataclass
class Reply:
    time: float
    host: int
    number: int  # of this host's replies, from 1
    delay: int

    def is_in(self, figures):
        """Whether figures contain its round trip; a program measures up to 4 ms more than the delay."""
        return any(self.delay <= int(figure) < self.delay + 4 for figure in figures)


def read_replies(lines):
    replies, counts = [], Counter()
    for line in lines:
        if line != "ready\n":
            when, host, delay = line.split()
            counts[host] += 1
            replies.append(Reply(float(when), int(host), counts[host], int(delay)))
    return replies


def wait_until_ready(path, hosts):
    end = time.monotonic() + 5
    while time.monotonic() < end and hosts.is_running():
        if os.path.exists(path) and os.path.getsize(path):
            return
        time.sleep(0.02)
    raise OSError(f"no hosts: {hosts.last_error()}")

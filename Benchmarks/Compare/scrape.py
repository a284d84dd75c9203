"""Requests a probe of each target from blackbox_exporter, or from reach, once a second: `scrape.py METHOD TARGETS SECONDS`.

Prints the exporter's ICMP round trips in microseconds, as one JSON list.
"""
import json
import re
import socket
import sys
import threading
import time
from urllib.parse import quote

import exporter

THREADS = 24
RTT = re.compile(rb'^probe_icmp_duration_seconds\{phase="rtt"\} (\S+)$', re.MULTILINE)
CLOSE = re.compile(rb"^connection: close\r?$", re.IGNORECASE | re.MULTILINE)
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


def exchange(connection, request):
    """Returns the body, and whether the server closes the connection after it."""
    connection.sendall(request)
    answer = b""
    while True:
        piece = connection.recv(1 << 16)
        if not piece:
            raise OSError("closed")
        answer += piece
        head, end, body = answer.partition(b"\r\n\r\n")
        if end and (length := LENGTH.search(head)):
            if len(body) >= int(length[1]):
                return body, bool(CLOSE.search(head))
        elif end and answer.endswith(b"0\r\n\r\n"):
            return body, bool(CLOSE.search(head))


def work(method, numbers, targets, start, end, found):
    host, port = exporter.LISTEN.split(":")
    requests = []
    for number in numbers:
        path = f"/probe?module={method}&target={quote(exporter.target(method, number), safe='')}"
        requests.append(f"GET {path} HTTP/1.1\r\nHost: {exporter.LISTEN}\r\n\r\n".encode())
    connection, turn = None, 0
    while time.monotonic() < end:
        try:
            for number, request in zip(numbers, requests):
                due = start + turn + number / targets
                late = time.monotonic() - due
                if late > 1:
                    continue  # skipped: its next probe is due
                if late < 0:
                    time.sleep(-late)
                connection = connection or socket.create_connection((host, int(port)), 2)
                body, is_closed = exchange(connection, request)
                if is_closed:
                    connection.close()
                    connection = None
                if trip := RTT.search(body):
                    found.append(float(trip[1]) * 1e6)
            turn += 1
        except OSError:
            connection = None
            time.sleep(0.1)


def main(method, targets, seconds):
    start, found = time.monotonic() + 0.5, []
    threads = []
    for number in range(THREADS):
        numbers = range(number, targets, THREADS)
        words = (method, numbers, targets, start, start + seconds, found)
        threads.append(threading.Thread(target=work, args=words, daemon=True))
        threads[-1].start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        pass
    print(json.dumps(found[len(found) // 5 :]))


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

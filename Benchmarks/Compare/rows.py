"""The rows: what is asked how often, and by whom."""
import os
import re
from dataclasses import dataclass
from typing import Callable

import screens
from connectors import Asyncio, Netcat
from contender import Task
from exporter import Blackbox, Prometheus
from floor import Floor
from measure import measure
from pingers import Fping, Noping, Oping
from reach import Reach
from screens import Screen, dashboard


@dataclass
class Row:
    name: str
    title: str
    contenders: Callable  # stage -> contenders
    measure: Callable  # contender, counts -> figures


def floors(stage, task):
    return [Floor("C floor, 1 ms ticks", stage, task), Floor("C floor, 10 ms ticks", stage, task, tick=10)]


def icmp_10000(stage):
    task = Task("icmp", 10_000)
    return [
        *floors(stage, task),
        Reach("reach", stage, task),
        Oping("oping", stage, task),
        Fping("two fpings, in bursts", stage, task, parts=2, at_once=True),
        Fping("fping, in bursts", stage, task, at_once=True),
        Fping("fping", stage, task),
        Blackbox("blackbox_exporter", stage, task),
    ]


def icmp_1000(stage):
    task = Task("icmp", 1_000)
    return [
        *floors(stage, task),
        Reach("reach", stage, task),
        Reach("reach --observations", stage, task, observations=True),
        Fping("fping, in bursts", stage, task, at_once=True),
        Fping("fping", stage, task),
        Oping("oping", stage, task),
        Noping("noping", stage, task),
        Blackbox("blackbox_exporter", stage, task),
        Prometheus("blackbox_exporter and Prometheus", stage, task),
    ]


def tcp(stage):
    task = Task("tcp", 1_000)
    return [
        *floors(stage, task),
        Reach("reach", stage, task),
        Asyncio("Python asyncio", stage, task),
        Netcat("nc", stage, task),
        Blackbox("blackbox_exporter", stage, task),
    ]


def http(stage):
    task = Task("http", 1_000)
    return [*floors(stage, task), Reach("reach", stage, task), Blackbox("blackbox_exporter", stage, task)]


def dns(stage):
    task = Task("dns", 1_000)
    return [*floors(stage, task), Reach("reach", stage, task), Blackbox("blackbox_exporter", stage, task)]


def scale(stage):
    sizes = [100, 1_000, 10_000, 50_000]
    return [Reach(f"reach, {size:,} targets", stage, Task("icmp", size, 5.0)) for size in sizes]


def crowd(stage):
    task = Task("icmp", 10_000)
    return [Reach("reach watch", stage, task), dashboard(stage, task)]


def handful(stage):
    task = Task("icmp", 20)
    hosts = [f"127.1.0.{number + 1}" for number in range(20)]
    table = "".join(f"{host} {host}\n" for host in hosts)
    return [
        dashboard(stage, task),
        Screen("noping", stage, task, words=("noping", "-i", "1", *hosts)),
        Screen("mtr, one target", stage, task, words=("mtr", "-n", hosts[0])),
        Screen("deadman", stage, task, words=("deadman", "FOLDER/deadman.conf"), files=(("deadman.conf", table),)),
        Screen("btop", stage, task, words=("btop",)),
        Screen("htop", stage, task, words=("htop",)),
    ]


def keys(stage):
    task = Task("icmp", 20)
    text = (("text", "".join(f"line {number}\n" for number in range(10_000))),)
    return [
        dashboard(stage, task),
        Screen("less", stage, task, words=("less", "FOLDER/text"), keys=(b"j", b"k"), files=text),
        Screen("mtr, one target", stage, task, words=("mtr", "-n", "127.1.0.1"), keys=(b"d",)),
        Screen("htop", stage, task, words=("htop",), keys=(b"\x1b[B", b"\x1b[A")),
        Screen("btop", stage, task, words=("btop",), keys=(b"\x1b[B", b"\x1b[A")),
    ]


def start(stage):
    task = Task("icmp", 20)
    mtr = Screen("mtr, one target", stage, task, words=("mtr", "-n", "127.1.0.1"), first=re.compile(b"Packets"))
    mtr.answer = re.compile(rb"0\.0%")
    noping = Screen("noping", stage, task, words=("noping", "-i", "1", *[f"127.1.0.{n + 1}" for n in range(20)]))
    noping.first, noping.answer = re.compile(rb"127\.1\.0\.1"), re.compile(rb"1 received")
    return [dashboard(stage, task), mtr, noping]


def measure_crowd(contender, counts):
    if isinstance(contender, Reach):
        return measure(contender, counts)
    return screens.measure_drawing(contender, contender.stage.seconds)


def rows(count):
    """All of them; screens have `count` keys pressed, and are started a fifth as often, in each run."""

    def pressed(contender, counts):
        return screens.measure_keys(contender, count)

    def drawn(contender, counts):
        return screens.measure_drawing(contender, contender.stage.seconds * 2)

    def started(contender, counts):
        return screens.measure_start(contender, max(3, count // 5))

    return [
        Row("icmp-10000", "ICMP, 10,000 targets once a second", icmp_10000, measure),
        Row("icmp-1000", "ICMP, 1,000 targets once a second", icmp_1000, measure),
        Row("tcp", "TCP connect and close, 1,000 targets once a second", tcp, measure),
        Row("http", "HTTP GET, a connection each, 1,000 targets once a second", http, measure),
        Row("dns", "DNS query, 1,000 targets once a second", dns, measure),
        Row("screen-10000", "Screen of 10,000 targets once a second, 200 × 50", crowd, measure_crowd),
        Row("screen-20", "Screen of 20 targets once a second, 200 × 50", handful, drawn),
        Row("key", "Key to screen, 20 targets, 200 × 50", keys, pressed),
        Row("start", "Start, 20 targets, 200 × 50", start, started),
        Row("scale", "Scale: each target every 5 s", scale, measure),
    ]

"""The rows: each workload and its contenders."""
import os
import re
from dataclasses import dataclass
from typing import Callable

import echoes
import screens
from ages import is_available as measures_ages
from ages import measure_ages
from connectors import Asyncio, Netcat
from contender import Task
from exporter import Blackbox, Prometheus, ReachProbes, ReachPrometheus
from floor import Floor
from measure import measure
from pingers import Fping, Noping, Oping
from reach import Reach
from screens import Echoes, NopingEchoes, Screen, dashboard, views


@dataclass
class Row:
    name: str
    title: str
    contenders: Callable  # setup -> contenders
    measure: Callable  # contender, counts -> figures


def floors(setup, task):
    return [Floor("C floor, 1 ms ticks", setup, task), Floor("C floor, 10 ms ticks", setup, task, tick=10)]


def icmp_10000(setup):
    task = Task("icmp", 10_000)
    return [
        *floors(setup, task),
        Reach("reach", setup, task),
        Oping("oping", setup, task),
        Fping("two fpings, in bursts", setup, task, parts=2, at_once=True),
        Fping("fping, in bursts", setup, task, at_once=True),
        Fping("fping", setup, task),
        Blackbox("blackbox_exporter", setup, task),
    ]


def icmp_1000(setup):
    task = Task("icmp", 1_000)
    return [
        *floors(setup, task),
        Reach("reach", setup, task),
        Reach("reach --observations", setup, task, observations=True),
        Fping("fping, in bursts", setup, task, at_once=True),
        Fping("fping", setup, task),
        Oping("oping", setup, task),
        Noping("noping", setup, task),
        Blackbox("blackbox_exporter", setup, task),
        Prometheus("blackbox_exporter and Prometheus", setup, task),
    ]


def tcp(setup):
    task = Task("tcp", 1_000)
    return [
        *floors(setup, task),
        Reach("reach", setup, task),
        Asyncio("Python asyncio", setup, task),
        Netcat("nc", setup, task),
        Blackbox("blackbox_exporter", setup, task),
    ]


def http(setup):
    task = Task("http", 1_000)
    return [*floors(setup, task), Reach("reach", setup, task), Blackbox("blackbox_exporter", setup, task)]


def dns(setup):
    task = Task("dns", 1_000)
    return [*floors(setup, task), Reach("reach", setup, task), Blackbox("blackbox_exporter", setup, task)]


def on_request(method, targets=1_000):
    def contenders(setup):
        task = Task(method, targets)
        return [ReachProbes("reach", setup, task), Blackbox("blackbox_exporter", setup, task)]

    return contenders


def on_request_by_prometheus(setup):
    task = Task("tcp", 5_000)
    return [
        ReachPrometheus("reach and Prometheus", setup, task),
        Prometheus("blackbox_exporter and Prometheus", setup, task),
    ]


def scale(setup):
    sizes = [100, 1_000, 10_000, 50_000]
    return [Reach(f"reach, {size:,} targets", setup, Task("icmp", size, 5.0)) for size in sizes]


def many_targets(setup):
    task = Task("icmp", 10_000)
    return [Reach("reach watch", setup, task), dashboard(setup, task)]


def few_targets(setup):
    task = Task("icmp", 20)
    hosts = [f"127.1.0.{number + 1}" for number in range(20)]
    table = "".join(f"{host} {host}\n" for host in hosts)
    return [
        dashboard(setup, task),
        *views(setup, task),
        Screen("noping", setup, task, words=("noping", "-i", "1", *hosts)),
        Screen("mtr, one target", setup, task, words=("mtr", "-n", hosts[0])),
        Screen("deadman", setup, task, words=("deadman", "FOLDER/deadman.conf"), files=(("deadman.conf", table),)),
        Screen("btop", setup, task, words=("btop",)),
        Screen("htop", setup, task, words=("htop",)),
    ]


def keys(setup):
    task = Task("icmp", 20)
    text = (("text", "".join(f"line {number}\n" for number in range(10_000))),)
    return [
        dashboard(setup, task),
        Screen("less", setup, task, words=("less", "FOLDER/text"), keys=(b"j", b"k"), files=text),
        Screen("mtr, one target", setup, task, words=("mtr", "-n", "127.1.0.1"), keys=(b"d",)),
        Screen("htop", setup, task, words=("htop",), keys=(b"\x1b[B", b"\x1b[A")),
        Screen("btop", setup, task, words=("btop",), keys=(b"\x1b[B", b"\x1b[A")),
    ]


def ages(setup):
    if not measures_ages():
        return []
    hosts = [echoes.address(number) for number in range(5)]  # as many as noping has room for
    words = (setup.reach, "--config", "FOLDER/dashboard.toml")
    return [
        Echoes("reach", setup, Task("icmp", 20), words=words),
        Echoes("reach, 5 targets every 200 ms", setup, Task("icmp", 5, 0.2), words=words),
        Echoes('reach, refresh = "eco"', setup, Task("icmp", 20), words=words, refresh="eco"),
        NopingEchoes("noping, 5 targets", setup, Task("icmp", 5), words=("noping", "-i", "1", *hosts)),
        Screen("mtr, one target", setup, Task("icmp", 1), words=("mtr", "-n", hosts[0])),
    ]


def start(setup):
    task = Task("icmp", 20)
    mtr = Screen("mtr, one target", setup, task, words=("mtr", "-n", "127.1.0.1"), first=re.compile(b"Packets"))
    mtr.answer = re.compile(rb"0\.0%")
    noping = Screen("noping", setup, task, words=("noping", "-i", "1", *[f"127.1.0.{n + 1}" for n in range(20)]))
    noping.first, noping.answer = re.compile(rb"127\.1\.0\.1"), re.compile(rb"1 received")
    return [dashboard(setup, task), mtr, noping]


def measure_many(contender, counts):
    if isinstance(contender, Reach):
        return measure(contender, counts)
    return screens.measure_drawing(contender, contender.setup.seconds)


def rows(count):
    """Returns all rows. In each run, `count` keys are pressed, and a screen is started a fifth as often."""

    def pressed(contender, counts):
        return screens.measure_keys(contender, count)

    def drawn(contender, counts):
        return screens.measure_drawing(contender, contender.setup.seconds * 2)

    def aged(contender, counts):
        return measure_ages(contender, contender.setup.seconds * 2)

    def started(contender, counts):
        return screens.measure_start(contender, max(3, count // 5))

    return [
        Row("icmp-10000", "ICMP, 10,000 targets once a second", icmp_10000, measure),
        Row("icmp-1000", "ICMP, 1,000 targets once a second", icmp_1000, measure),
        Row("tcp", "TCP connect and close, 1,000 targets once a second", tcp, measure),
        Row("http", "HTTP GET, a connection each, 1,000 targets once a second", http, measure),
        Row("dns", "DNS query, 1,000 targets once a second", dns, measure),
        Row("request-icmp", "ICMP on request, 1,000 targets once a second", on_request("icmp"), measure),
        Row("request-tcp", "TCP on request, 1,000 targets once a second", on_request("tcp"), measure),
        Row("request-http", "HTTP on request, 1,000 targets once a second", on_request("http"), measure),
        Row("request-dns", "DNS on request, 1,000 targets once a second", on_request("dns"), measure),
        Row("request-5000", "TCP on request, 5,000 targets once a second", on_request("tcp", 5_000), measure),
        Row("prometheus", "TCP on request by Prometheus, 5,000 targets once a second", on_request_by_prometheus, measure),
        Row("screen-10000", "Screen of 10,000 targets once a second, 200 × 50", many_targets, measure_many),
        Row("screen-20", "Screen of 20 targets once a second, 200 × 50", few_targets, drawn),
        Row("age", "Reply to screen, 20 targets once a second, 200 × 50", ages, aged),
        Row("key", "Key to screen, 20 targets, 200 × 50", keys, pressed),
        Row("start", "Start, 20 targets, 200 × 50", start, started),
        Row("scale", "Scale: each target every 5 s", scale, measure),
    ]

"""traceroute and mtr, which check the networks without reach."""

import dataclasses
import json
import re
import time

from .constants import CLIENT, CLOSED_PORT, FAMILIES, FORGED_ADDRESS, OTHER_ADDRESS, TARGET_ADDRESS
from .lab import Lab
from .model import expected_hops
from .namespaces import run
from .wire import Wire


@dataclasses.dataclass
class Line:
    """A hop in the output of traceroute."""

    addresses: set
    answers: int
    marks: set


def traceroute(lab, family, *options, target=None):
    """Returns the hops as reported by traceroute."""
    words = ["traceroute", f"-{family}", "-n", *map(str, options)]
    target = target or TARGET_ADDRESS[family == 6]
    # The size of the packet follows the target.
    words = [*words[:-1], target, words[-1]] if options and options[-1] in (1000, 1400) else [*words, target]
    with lab.inside(CLIENT):
        result = run(*words, check=False)
    lines = []
    for text in result.stdout.splitlines():
        if match := re.match(r" *\d+  ?(.*)", text):
            fields = match[1].split()
            addresses = [field for field in fields if re.fullmatch(r"[0-9a-f]*[.:][0-9a-f.:]*[.:][^ ]*", field)]
            found = {address.split("%")[0] for address in addresses}
            lines.append(Line(found, fields.count("ms"), {field for field in fields if field.startswith(("!", "F="))}))
    return lines


def options_of(case, hops):
    flags = {"icmp": ["-I"], "udp": ["-U", "-p", case.port], "tcp": ["-T", "-p", case.port]}[case.method]
    return [*flags, "-q", 1, "-w", 4 if "unreachable" in case.kinds else 0.5, "-m", hops]


def mtr(lab, family, cycles, interval):
    """Returns the hops as reported by mtr, as (address, loss in percent)."""
    with lab.inside(CLIENT):
        words = ["mtr", f"-{family}", "-n", "-j", "-c", str(cycles), "-i", str(interval)]
        result = run(*words, TARGET_ADDRESS[family == 6])
    return [(hub["host"], hub["Loss%"]) for hub in json.loads(result.stdout)["report"]["hubs"]]


def verify_case(lab, case, family):
    """Compares the hops of traceroute with a case."""
    expected = expected_hops(case, family)
    seen = [set() for _ in range(len(expected) + 3)]
    marks = set()
    # A router that limits or loses its answers may need several tries.
    for _ in range(12):
        lines = traceroute(lab, family, *options_of(case, len(seen) if len(seen) < 255 else 255),
                           target=case.target[family == 6])
        for place, line in zip(seen, lines):
            place |= line.addresses
            marks |= line.marks
        if all(found or not wanted for found, wanted in zip(seen, expected)):
            break
        time.sleep(1.1)
    problems = []
    for number, (wanted, found) in enumerate(zip(expected, seen), start=1):
        # The two routers of a loop have many packets to answer, which their limits prevent.
        optional = case.kinds == ("loop",) and number > 3
        if found - wanted or (wanted and not found and not optional):
            problems.append(f"hop {number}: {sorted(found)} instead of {sorted(wanted)}")
    beyond = set().union(*seen[len(expected):])
    words = " ".join(case.words.values())
    if case.kinds == ("loop",) or "loses" in words:
        beyond -= expected[-1] | expected[-2]
    if beyond:
        problems.append(f"beyond the end: {sorted(beyond)}")
    # traceroute has no mark for "port unreachable", whatever machine sent it.
    marked = "unreachable" in case.kinds and "another address" not in words
    if marked != any(re.match(r"![NHPX\d]", mark) for mark in marks):
        problems.append(f"marks of traceroute: {sorted(marks)}")
    return problems


def burst(lab, family, hop):
    """Returns how many of ten probes at once a hop answers."""
    lines = traceroute(lab, family, "-I", "-q", 10, "-N", 10, "-w", 0.5, "-f", hop, "-m", hop)
    return lines[0].answers if lines else 0


def verify_default_limit(lab):
    answers = [burst(lab, family, 1) for family in FAMILIES]
    return [] if all(0 < count < 10 for count in answers) else [f"{answers} of 10 probes at once answered"]


def verify_no_limit(lab):
    answers = [burst(lab, family, 1) for family in FAMILIES]
    return [] if answers == [10, 10] else [f"{answers} of 10 probes at once answered"]


def verify_limits(lab):
    answers = {hop: [burst(lab, family, hop) for family in FAMILIES] for hop in (2, 3, 4)}
    # The kernel's limit allows six at once.
    most = {2: 6, 3: 1, 4: 1}
    wrong = [hop for hop in answers if max(answers[hop]) > most[hop]]
    return [f"hop {hop}: {answers[hop]} of 10 probes at once answered" for hop in wrong]


def verify_loss(lab):
    problems = []
    for family in FAMILIES:
        address, loss = mtr(lab, family, 100, 0.1)[-1]
        if address != TARGET_ADDRESS[family == 6] or not 8 <= loss <= 35:
            problems.append(f"IPv{family}: {address} loses {loss} %")
    return problems


def verify_return_loss(lab):
    """Checks that hop 3 loses answers and the target does not."""
    problems = []
    for family in FAMILIES:
        hubs = mtr(lab, family, 20, 0.25)
        if hubs[2][1] < 20 or hubs[-1] != (TARGET_ADDRESS[family == 6], 0):
            problems.append(f"IPv{family}: {hubs}")
    return problems


def verify_flows(lab):
    problems = []
    for family in FAMILIES:
        ways = {}
        for port in [*range(40000, 40012)] * 2:
            ports = ("-U", "-p", CLOSED_PORT, f"--sport={port}")
            for line in traceroute(lab, family, *ports, "-q", 1, "-w", 0.3, "-f", 2, "-m", 2):
                ways.setdefault(port, set()).update(line.addresses)
        if any(len(way) > 1 for way in ways.values()):
            problems.append(f"IPv{family}: a flow takes several ways: {ways}")
        if len(set().union(*ways.values())) != 2:
            problems.append(f"IPv{family}: all flows take one way: {ways}")
    return problems


def verify_spray(lab):
    problems = []
    for family in FAMILIES:
        seen = set()
        for _ in range(3):
            lines = traceroute(lab, family, "-I", "-q", 10, "-N", 10, "-w", 0.5, "-f", 2, "-m", 2)
            seen |= lines[0].addresses
        if len(seen) != 2:
            problems.append(f"IPv{family}: hop 2 is {sorted(seen)}")
    return problems


def verify_mtu(lab):
    problems = []
    for family in FAMILIES:
        marks = set().union(*(line.marks for line in traceroute(lab, family, "-F", "-q", 1, "-w", 0.5, "-m", 4, 1400)))
        if "!F-1280" not in marks:
            problems.append(f"IPv{family}: {sorted(marks)} instead of !F-1280")
    return problems


def verify_mtu_hole(lab):
    problems = []
    for family in FAMILIES:
        for size, wanted in ((1000, True), (1400, False)):
            lines = traceroute(lab, family, "-F", "-q", 1, "-w", 0.5, "-m", 4, size)
            found = any(TARGET_ADDRESS[family == 6] in line.addresses for line in lines)
            if found != wanted or any(line.marks for line in lines):
                problems.append(f"IPv{family}: {size} bytes {'reach' if found else 'do not reach'} the target")
    return problems


def verify_change(lab):
    problems = []
    for number in range(4):
        lab.network.change(lab, number)
        wanted = 4 if number % 2 else 6
        for family in FAMILIES:
            # On a busy machine, an answer may be late.
            if not any(len(traceroute(lab, family, "-I", "-q", 1, "-w", 0.5, "-m", 8)) == wanted for _ in range(4)):
                problems.append(f"IPv{family}: not {wanted} hops after change {number}")
    return problems


def verify_unplugged(lab):
    problems = []
    for family in FAMILIES:
        lines = traceroute(lab, family, "-I", "-q", 1, "-w", 0.5, "-m", 3)
        if lines:
            problems.append(f"IPv{family}: {len(lines)} hops")
    return problems


def verify_other_address(lab):
    """Checks that echo replies come from the other address, which traceroute does not show."""
    with Wire(lab) as wire:
        for family in FAMILIES:
            traceroute(lab, family, "-I", "-q", 1, "-w", 0.5, "-m", 4)
        time.sleep(0.3)
    sources = {packet.source for packet in wire.packets if not packet.outgoing}
    return [f"no packet of {address} arrives" for address in OTHER_ADDRESS if address not in sources]


def verify_names(lab):
    """Checks that the names are found: the good one is printed, the bad one is asked for."""
    with lab.inside(CLIENT):
        out = run("traceroute", "-4", "-I", "-q", "1", "-w", "0.5", "-m", "4", TARGET_ADDRESS[0], check=False).stdout
    return [] if "good.example" in out and lab.questions >= 4 else [f"{lab.questions} questions: {out}"]


def verify_forged(lab):
    problems = []
    with Wire(lab) as wire:
        for family in FAMILIES:
            traceroute(lab, family, "-U", "-q", 1, "-w", 0.5, "-m", 4)
        time.sleep(0.3)
    for address in FORGED_ADDRESS:
        if not any(packet.source == address for packet in wire.packets):
            problems.append(f"no packet of {address} arrives")
    return problems


def verify(name):
    """Returns what is wrong with a network according to traceroute and mtr, and how many paths there were."""
    problems, count = [], 0
    with Lab(name) as lab:
        for case in lab.network.cases:
            for family in case.families if case.verified else ():
                problems += [f"IPv{family} {case.name()}: {problem}" for problem in verify_case(lab, case, family)]
                count += 1
        if lab.network.verify:
            problems += lab.network.verify(lab)
    return problems, count

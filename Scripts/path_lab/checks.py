"""Runs reach in the networks."""

import functools
import json
import os
import re
import signal
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from .constants import FAMILIES, TARGET_ADDRESS
from .lab import Lab
from .model import describe, expected_hops
from .namespaces import run
from .reports import finish, judge, path_command, read_paths, start_program, url
from .wire import Wire


def many_target(branch, number):
    return (f"10.200.{branch}.{number + 1}", f"2001:db8:200:{branch + 1:x}::{number + 1:x}")


def check_case(options, lab, case, family, cycles):
    """Runs reach in a network, and returns the differences between its report and a case."""
    target = case.target[family == 6]
    later = [change for change in case.changes if change[0]]
    changes = [threading.Timer(seconds, lab.network.change, (lab, number)) for seconds, number in later]
    for seconds, number in case.changes:
        if not seconds:
            lab.network.change(lab, number)
    with Wire(lab) as wire:
        words = path_command(options, [url(case.method, case.port, target)], cycles, len(case.hops))
        process = start_program(options, lab, words)
        for timer in changes:
            timer.start()
        out, problems = finish(process, cycles + 20)
        for timer in changes:
            timer.join()
    if problems:
        return problems
    try:
        paths = read_paths(out)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return [f"unexpected output: {type(error).__name__} {error}: {out[:200]}"]
    if len(paths) != 1:
        return [f"{len(paths)} paths instead of one"]
    problems = judge(case, family, paths[0])
    probes = wire.probes({target})
    # The target has no limit. Two within a second: a probe can be late, and the search for an MTU sends others.
    for hop in range(1, (case.end_hops or (1,))[0]):
        most = wire.most_within(1, [packet for packet in probes if packet.ttl == hop])
        if most > 2:
            problems.append(f"hop {hop}: {most} probes within a second")
    return problems


def check_tree(lab, options, cycles):
    """Traces a thousand targets at once, and checks that their common router has at most one probe a second."""
    targets = [many_target(branch, number) for branch in range(4) for number in range(250)]
    problems = []
    for family in FAMILIES:
        addresses = [target[family == 6] for target in targets]
        with Wire(lab) as wire:
            words = path_command(options, [url("icmp", 0, address) for address in addresses], cycles)
            out, failed = finish(start_program(options, lab, words), 900)
        if failed:
            return [f"IPv{family}: {problem}" for problem in failed]
        paths = read_paths(out)
        first = [packet for packet in wire.probes(set(addresses)) if packet.ttl == 1]
        duration = max(1, first[-1].time - first[0].time) if first else 1
        others = [path.target for path in paths if not path.hops or path.hops[0].word != "ok"]
        probes = len(wire.probes(set(addresses)))
        print(f"tree IPv{family}: {probes} probes, {len(first)} at the first hop in {duration:.0f} s")
        if len(paths) != len(targets):
            problems.append(f"IPv{family}: {len(paths)} paths instead of {len(targets)}")
        if wire.most_within(1, first) > 2 or len(first) > duration * 1.05 + 3:
            problems.append(f"IPv{family}: {len(first)} probes at the first hop in {duration:.0f} s, "
                            f"{wire.most_within(1, first)} within one")
        if others:
            problems.append(f"IPv{family}: hop 1 is not “ok” for {len(others)} targets")
        wrong = [path.target for path in paths if path.kind != "reached" or path.end_hop != 3]
        if wrong:
            problems.append(f"IPv{family}: {len(wrong)} targets are not reached at hop 3, for example {wrong[0]}")
    return problems


def check_names(lab, options, cycles):
    """Checks that names are shown, and that no control character of a name is printed."""
    problems, shown = [], ""
    for family in FAMILIES:
        words = path_command(options, [url("icmp", 0, TARGET_ADDRESS[family == 6])], cycles)
        for kind in (words, [word for word in words if word != "--json"]):
            out, failed = finish(start_program(options, lab, kind), cycles + 20)
            shown += out
            problems += failed
            if match := re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", out):
                problems.append(f"IPv{family}: {match[0]!r} is printed by {' '.join(kind[1:])}")
    if lab.questions == 0 or "good.example" not in shown:
        problems.append(f"no name is shown; {lab.questions} questions")
    return problems


# The times of an outage: the first trace, the verdict with its trace, and the recovery.
OUTAGE_SECONDS = (4, 6, 3)
CUT = "table inet cut {\nchain f {\ntype filter hook forward priority 0\ndrop\n}\n}\n"


def check_outage(options):
    """Cuts the path behind hop 2 while `reach watch` runs, and checks what it says about the outage."""
    target = TARGET_ADDRESS[0]
    with tempfile.TemporaryDirectory() as folder, Lab("short") as lab:
        os.chmod(folder, 0o755)
        settings = os.path.join(folder, "dashboard.toml")
        with open(settings, "w") as file:
            # All routers have private addresses. The outage of a router of the own network would block the target.
            file.write(f'history = "off"\n[whose]\nenabled = false\n[[target]]\nname = "NAS"\nurl = "icmp://{target}"\n')
        words = [os.path.abspath(options.program), "watch", "--config", settings, "--json"]
        process = start_program(options, lab, words)
        time.sleep(OUTAGE_SECONDS[0])
        with lab.inside("r2"):
            run("nft", "-f", "-", text=CUT)
        time.sleep(OUTAGE_SECONDS[1])
        with lab.inside("r2"):
            run("nft", "delete", "table", "inet", "cut")
        time.sleep(OUTAGE_SECONDS[2])
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=20)
        hops = [sorted(hop)[0] for hop in expected_hops(lab.network.cases[0], 4)]
    events = [json.loads(line) for line in out.splitlines()]
    paths = [event["path"] for event in events if event.get("to") == "down" or event["type"] == "path" if "path" in event]
    expected = {"end": "silent", "detail": f"ends after {hops[1]}, hop 2 of {len(hops)}", "hop": 2, "address": hops[1],
                "hops": hops[:2], "before": hops}
    problems = [] if paths == [expected] else [f"the path of the outage is {paths}, not {expected}; {errors}"]
    if [event["to"] for event in events if event["type"] == "transition"] != ["up", "down", "up"]:
        problems.append(f"unexpected events: {out}")
    return problems, 1


def check(options, name, index):
    """Returns what is wrong with the reports of reach about a case of a network, and how many there were. Each case has
    a lab of its own, in which no limit is used up."""
    with Lab(name) as lab:
        if index is None:
            return lab.network.check(lab, options, 3), 2
        case = lab.network.cases[index]
        cycles = options.cycles or (3 if options.quick else case.cycles)
        with ThreadPoolExecutor(len(case.families)) as pool:
            runs = [pool.submit(check_case, options, lab, case, family, cycles) for family in case.families]
            problems = [f"IPv{family} {case.name()}: {problem}"
                        for family, result in zip(case.families, runs) for problem in result.result()]
        return problems, len(case.families)


def tasks_of(options, name):
    """Returns the functions that check a network."""
    net = describe(name)
    chosen = list(range(len(net.cases)))
    if options.quick:
        found = [[index for index in chosen if net.cases[index].method == method] for method in ("icmp", "udp", "tcp")]
        chosen = [indexes[0] for indexes in found if indexes]
    elif net.check:
        chosen.append(None)
    outage = [functools.partial(check_outage, options)] if name == "short" else []
    return [functools.partial(check, options, name, index) for index in chosen] + outage


# The networks of the short check: without those that need many probes.
QUICK = ["short", "silent-hops", "loop", "dnat", "rejecting", "dropped-ports", "no-route", "ecmp"]

"""Compares reach with mtr and traceroute."""

import json
import os
import re
import subprocess
import time

from .constants import CLIENT, FAMILIES, NOBODY, TARGET_ADDRESS
from .lab import Lab
from .model import expected_hops
from .reports import judge, path_command, read_paths, url
from .wire import Wire


def measure(options, lab, words, target, hops, user=True):
    """Runs a program, and returns its output, the probes it sent, the seconds until the answers of all hops had
    arrived, and its processor time in microseconds a probe."""
    with Wire(lab) as wire:
        began = time.time()
        with lab.inside(CLIENT):
            process = subprocess.Popen(
                words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/",
                **({"user": NOBODY, "group": NOBODY, "extra_groups": []} if user and not options.root else {}),
            )
        out = process.stdout.read()
        errors = process.stderr.read()
        # The usage includes that of processes that the program has waited for, as mtr does for mtr-packet.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if not out.strip():
        raise RuntimeError(f"{words[0]}: status {process.returncode}: {errors.strip()[-300:]}")
    probes = wire.probes({target})
    waiting, whole = set().union(*hops), None
    for packet in wire.packets:
        if not packet.outgoing and packet.source in waiting:
            waiting.discard(packet.source)
            if not waiting:
                whole = packet.time - began
    processor = (usage.ru_utime + usage.ru_stime) * 1e6 / max(1, len(probes))
    return out, len(probes), whole, processor


def compare(options):
    """Compares reach with mtr and traceroute in a chain of 20 hops; returns the goals that are missed."""
    problems, cycles = [], options.cycles or 60
    row = "{:<10} {:<5} {:<11} {:>5} {:>8} {:>12} {:>13} {:>12}"
    print(row.format("network", "", "program", "hops", "probes", "whole path", "loss (target)", "CPU a probe"))
    for name in ("chain", "unlimited"):
        for family in FAMILIES:
            target = TARGET_ADDRESS[family == 6]
            results = {}
            for program in ("reach", "mtr", "traceroute"):
                # Each program finds the routers' limits unused.
                with Lab(name) as lab:
                    case = lab.network.cases[0]
                    hops = expected_hops(case, family)
                    words = {
                        "reach": path_command(options, [url("icmp", 0, target)], cycles),
                        "mtr": ["mtr", f"-{family}", "-n", "--report", "--json", "-c", str(cycles), target],
                        "traceroute": ["traceroute", f"-{family}", "-n", "-I", target],
                    }[program]
                    out, probes, whole, processor = measure(options, lab, words, target, hops, program == "reach")
                found, loss = reading(program, out)
                results[program] = (found, loss, whole, processor)
                same = found == [next(iter(hop)) for hop in hops]
                print(row.format(
                    name, f"IPv{family}", program, len(found), probes, f"{whole:.2f} s" if whole else "–",
                    f"{loss:.1f} %" if loss is not None else "–", f"{processor:.0f} µs"), flush=True)
                if not same and program != "traceroute":
                    problems.append(f"{name} IPv{family}: the hops of {program} are {found}")
                if program == "reach":
                    differences = judge(case, family, read_paths(out)[0])
                    problems += [f"{name} IPv{family}: {problem}" for problem in differences]
            _, loss, whole, processor = results["reach"]
            _, other_loss, other_whole, other_processor = results["mtr"]
            if whole is None or (other_whole and whole > other_whole / 3):
                problems.append(f"{name} IPv{family}: whole path after {whole or 0:.2f} s, mtr {other_whole:.2f} s")
            if processor > other_processor:
                problems.append(f"{name} IPv{family}: {processor:.0f} µs a probe, mtr {other_processor:.0f}")
            if abs(loss - other_loss) > 2:
                problems.append(f"{name} IPv{family}: the target loses {loss:.1f} %, for mtr {other_loss:.1f} %")
    return problems


def reading(program, out):
    """Returns the address of each hop and the loss of the target in percent, as reported by a program."""
    if program == "mtr":
        hubs = json.loads(out)["report"]["hubs"]
        return [hub["host"] for hub in hubs], hubs[-1]["Loss%"]
    if program == "traceroute":
        return [match[1] for match in re.finditer(r"(?m)^ *\d+  (?:\* )*(\S+)", out)], None
    path = read_paths(out)[0]
    last = path.hops[-1] if path.hops else None
    loss = 100 * (1 - last.received / max(1, last.sent)) if last else 100
    return [(hop.addresses or ["*"])[0] for hop in path.hops], loss

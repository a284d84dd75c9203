"""The reports of `reach path`, and their differences from what a network is."""

import dataclasses
import json
import os
import re
import subprocess

from .constants import CLIENT, NOBODY
from .model import expected_hops


@dataclasses.dataclass
class Hop:
    number: int
    addresses: list
    sent: int
    received: int
    word: str
    mtu: int


@dataclasses.dataclass
class Path:
    """A path as reported by reach."""

    target: str
    hops: list
    kind: str
    end_hop: int
    end_address: str


def read_paths(text):
    """Returns the paths in the output of `reach path --json`: the only place that knows its format."""
    paths, position, decoder = [], 0, json.JSONDecoder()
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        value, position = decoder.raw_decode(text, position)
        for each in value["paths"]:
            hops = [
                Hop(hop["hop"], [address.split("%")[0] for address in hop["addresses"]], hop["sent"], hop["received"],
                    hop["word"], hop.get("mtu"))
                for hop in each["hops"]
            ]
            end = each["end"]
            address = (end.get("address") or "").split("%")[0]
            paths.append(Path(each["target"], hops, end["kind"], end.get("hop"), address))
    return paths


def url(method, port, address):
    host = f"[{address}]" if ":" in address else address
    return f"{method}://{host}" + (f":{port}" if port else "")


def path_command(options, targets, cycles, hops=30):
    """Returns the command that prints paths: the only place that knows the options of `reach path`."""
    words = [os.path.abspath(options.program), "path", *targets, "--json", "--cycles", str(cycles)]
    return words + (["--max-hops", "255"] if hops > 30 else [])


def start_program(options, lab, words, errors=subprocess.PIPE):
    """Starts a program in the first namespace; without privileges unless --root is given."""
    user = {} if options.root else {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    environment = dict(os.environ, HOME="/nonexistent", XDG_STATE_HOME="/nonexistent")
    with lab.inside(CLIENT):
        return subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=errors, text=True, cwd="/", env=environment, **user
        )


def finish(process, seconds):
    """Returns the output of a program, and what is wrong with its end."""
    try:
        out, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return "", [f"not finished after {seconds:.0f} s"]
    # A path that does not reach its target may have another status than one that does.
    if process.returncode < 0 or process.returncode > 3 or not out.strip():
        return out, [f"status {process.returncode}: {errors.strip()[-300:] or 'no output'}"]
    return out, []


def judge_hops(case, family, path):
    """Returns the differences between the hops of a path and a case."""
    problems = []
    expected = expected_hops(case, family)
    hops = list(path.hops)
    while hops and not hops[-1].addresses:
        hops.pop()
    if [hop.number for hop in hops] != list(range(1, len(hops) + 1)):
        problems.append(f"the hops are {[hop.number for hop in hops]}")
    if case.kinds == ("loop",):
        while len(expected) < len(hops):
            expected.append(expected[-2])
        if len(hops) < 4:
            problems.append(f"{len(hops)} hops")
    elif len(hops) not in {len(expected), *case.end_hops}:
        problems.append(f"{len(hops)} hops instead of {len(expected)}")
    for hop, wanted in zip(hops, expected):
        default = case.words.get("*", "ok") if wanted else "silent"
        if case.kinds == ("loop",) and hop.number > 1:
            default = "loop"
        pattern = case.words.get(hop.number, default)
        found = set(hop.addresses)
        if found - wanted or (wanted and not found and not re.fullmatch(pattern, "silent")):
            problems.append(f"hop {hop.number}: {sorted(found)} instead of {sorted(wanted)}")
        # By TCP, probes that are in flight at the same time have different ports.
        if case.single and case.method != "tcp" and len(found) > 1:
            problems.append(f"hop {hop.number}: {len(found)} addresses in one flow")
        # The word may have figures or times behind it.
        if not re.fullmatch(pattern, hop.word):
            answered = f"{hop.received} of {hop.sent} answered"
            problems.append(f"hop {hop.number}: “{hop.word}” instead of “{pattern}” ({answered})")
    reported = {hop.number: hop.mtu for hop in hops if hop.mtu}
    if case.mtu and not (set(reported) & set(case.mtu[1]) and set(reported.values()) == {case.mtu[0]}):
        problems.append(f"MTU: {reported} instead of {case.mtu[0]} at one of the hops {case.mtu[1]}")
    if not case.mtu and any(value < 1500 for value in reported.values()):
        problems.append(f"MTU: {reported}")
    return problems


def judge(case, family, path):
    """Returns the differences between a path and a case."""
    problems = judge_hops(case, family, path)
    places = {place[family == 6] for place in case.end_places}
    if path.kind not in case.kinds:
        problems.append(f"ends as “{path.kind}” instead of “{' or '.join(case.kinds)}”")
    elif case.kinds not in (("nothing",), ("not_sent",)):
        if case.kinds != ("loop",) and path.end_hop not in case.end_hops:
            problems.append(f"ends at hop {path.end_hop} instead of {' or '.join(map(str, case.end_hops))}")
        if places and path.end_address not in places:
            problems.append(f"ends at {path.end_address} instead of {' or '.join(sorted(places))}")
    return problems

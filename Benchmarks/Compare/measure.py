"""One run of one contender: its cost in a window between its start and its end."""
import math
import time

import network
from process import Process


def percentile(values, share):
    """Returns a percentile by nearest rank."""
    values = sorted(values)
    return values[max(0, math.ceil(len(values) * share) - 1)]


class ContenderExited(Exception):
    """A contender has exited by itself or failed to start."""


def hold(contender, seconds):
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 0.25))
        for process in contender.processes:
            if not process.is_running():
                raise ContenderExited(f"exited by itself: {process.last_error()}")


def probes(contender, counts):
    method = contender.task.method
    return network.echoes() if method == "icmp" else counts.of(method)


def first_probe(contender, counts, before):
    """Returns the milliseconds from the start of the first process to the first probe, or None without a probe."""
    start, timeout = contender.processes[0].start, contender.setup.warm_up
    while time.monotonic() < start + timeout:
        if probes(contender, counts) > before:
            return (time.monotonic() - start) * 1000
        time.sleep(0.001)
    return None


def wait_for_lull(contender, counts):
    """Waits for a pause between bursts, so that the window does not split a burst."""
    last, since, end = None, time.monotonic(), time.monotonic() + contender.task.interval
    while contender.bursts and time.monotonic() < end:
        done = probes(contender, counts)
        if done != last:
            last, since = done, time.monotonic()
        elif time.monotonic() - since > 0.05:
            return
        time.sleep(0.005)


def wait_for_tick(contender, counts):
    """Waits for the next tick of a contender that sends several probes together, so that the window has whole ticks. It
    waits no longer than the longest tick."""
    last, since, end = None, time.monotonic(), time.monotonic() + min(0.25, contender.task.interval)
    while not contender.bursts and (now := time.monotonic()) < end:
        done = probes(contender, counts)
        if done != last:
            if last is not None and now - since > 0.002:
                return
            last, since = done, now
        time.sleep(0.0002)


def processor(contender):
    return sum(process.seconds() for process in contender.processes)


def measure(contender, counts):
    """Returns figures by name: `us` is the µs of processor time for each probe, `missed` the share of due probes."""
    setup, task = contender.setup, contender.task
    before = probes(contender, counts)
    contender.start()
    try:
        first = first_probe(contender, counts, before)
        hold(contender, max(setup.warm_up, task.interval + 1))
        wait_for_lull(contender, counts)
        wait_for_tick(contender, counts)
        began, cost, done = time.monotonic(), processor(contender), probes(contender, counts)
        hold(contender, setup.seconds)
        wait_for_lull(contender, counts)
        wait_for_tick(contender, counts)
        length = time.monotonic() - began
        cost, done = processor(contender) - cost, probes(contender, counts) - done
        turns = length / task.interval
        due = task.targets * (round(turns) if contender.bursts else turns)
        facts = {
            "first": first,
            "us": cost / done * 1e6 if done else None,
            "core": cost / length,
            "done": done,
            "missed": max(0, 1 - done / due),
            "rss": sum(process.memory() for process in contender.processes),
        }
        facts.update(contender.finish())
    finally:
        contender.end()
    trips = contender.round_trips()
    if isinstance(trips, dict):
        facts.update(trips)
    elif trips:
        facts["p50"], facts["p99"] = percentile(trips, 0.5), percentile(trips, 0.99)
    return facts

"""fping, oping and noping, which probe every target once a second."""
import re
import subprocess
from dataclasses import dataclass

import network
from contender import Contender, found


def write_addresses(path, numbers):
    with open(path, "w") as file:
        file.writelines(network.address(number) + "\n" for number in numbers)
    return path


@dataclass
class Fping(Contender):
    parts: int = 1  # the number of processes, which divide the targets among them
    at_once: bool = False  # without a pause between two targets

    @property
    def bursts(self):
        return self.at_once

    def is_available(self):
        return found("fping")

    def start(self):
        part = self.task.targets // self.parts
        # The pause between two probes in milliseconds, a little less than would fill the second.
        pause = "0" if self.at_once else f"{min(10, 900 / part):.3f}"
        for number in range(self.parts):
            path = write_addresses(self.setup.path(f"{number}.hosts"), range(number * part, (number + 1) * part))
            # Prints all round trips at the end, and no output before.
            count = ["-C", str(self.setup.length), "-p", "1000", "-i", pause, "-q"]
            self.run(["fping", *count, "-f", path], f"{number}")

    def end(self):
        # fping prints its round trips only at a regular end.
        for process in self.processes:
            try:
                process.child.wait(8)
            except subprocess.TimeoutExpired:
                pass
        super().end()

    def round_trips(self):
        lines = [line for number in range(self.parts) for line in self.output(f"{number}.err").splitlines()]
        words = [word for line in lines if " : " in line for word in line.split(" : ")[1].split()]
        return [float(word) * 1000 for word in words if re.fullmatch(r"[\d.]+", word)]


@dataclass
class Oping(Contender):
    @property
    def bursts(self):
        return True

    def is_available(self):
        return found("oping")

    def start(self):
        path = write_addresses(self.setup.path("hosts"), range(self.task.targets))
        self.run(["oping", "-i", "1", "-w", "0.9", "-f", path])

    def round_trips(self):
        return [float(word) * 1000 for word in re.findall(r"icmp_seq=.* time=([\d.]+) ms", self.output())]


@dataclass
class Noping(Contender):
    """noping on a terminal whose output is discarded."""

    @property
    def bursts(self):
        return True

    def is_available(self):
        return found("noping")

    def start(self):
        from terminal import Terminal

        path = write_addresses(self.setup.path("hosts"), range(self.task.targets))
        self.processes.append(Terminal(["noping", "-i", "1", "-f", path]).discard_output())

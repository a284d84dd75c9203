"""The floor: the cost of a C loop that sends probes and evaluates nothing."""
import glob
import json
import os
import subprocess
from dataclasses import dataclass

from contender import Contender, found
from servers import PORTS

BENCHMARKS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def build(folder, sources):
    """Compiles the C files of a folder of the benchmarks, and returns the path of the program, or None without a compiler."""
    if not found("cc"):
        return None
    program = os.path.join(folder, sources.lower())
    sources = sorted(glob.glob(os.path.join(BENCHMARKS, sources, "*.c")))
    subprocess.run(["cc", "-std=gnu11", "-O2", *sources, "-o", program], check=True)
    return program


@dataclass
class Floor(Contender):
    tick: int = 1  # milliseconds

    def is_available(self):
        return self.setup.floor is not None

    def start(self):
        port = PORTS.get(self.task.method, 0)
        words = [self.task.method, self.task.targets, self.tick * 1000, self.setup.length, port]
        self.run([self.setup.floor, *map(str, words)])

    def round_trips(self):
        return json.loads(self.output())["round_trip_us"]

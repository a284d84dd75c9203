"""A measured program: how it is started, and which round trips it reports."""
import os
import shutil
import signal
from dataclasses import dataclass, field

from process import Process


@dataclass
class Task:
    """The workload: the number of targets, and the interval of their probes in seconds."""

    method: str
    targets: int
    interval: float = 1.0


@dataclass
class Setup:
    """The folder, the programs and the times of all runs."""

    folder: str
    reach: str
    floor: str | None
    requests: str | None
    seconds: float  # the length of the measured window
    warm_up: float = 3.0

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def length(self):
        """The run time for a contender that needs it as an argument, in seconds."""
        return int(self.warm_up + self.seconds + 5)


@dataclass
class Contender:
    name: str
    setup: Setup
    task: Task
    processes: list = field(default_factory=list)
    # Processes that drive the contender and are not measured.
    drivers: list = field(default_factory=list)

    @property
    def bursts(self):
        """Whether it probes all targets at once, then sleeps until the next interval."""
        return False

    def is_available(self):
        return True

    def start(self):
        raise NotImplementedError

    def finish(self):
        """Returns further figures. Called after the window, while all processes still run."""
        return {}

    def round_trips(self):
        """Returns its own round trips in microseconds, or a dictionary of percentiles. Called after its end."""
        return []

    def end(self):
        for process in self.drivers + self.processes:
            process.end(signal.SIGINT)

    def run(self, words, name=None, **options):
        name = name or f"{len(self.processes)}"
        process = Process(words, self.setup.path(f"{name}.out"), self.setup.path(f"{name}.err"), **options)
        self.processes.append(process)
        return process

    def output(self, name="0.out"):
        with open(self.setup.path(name), errors="replace") as file:
            return file.read()


def found(*names):
    return all(shutil.which(name) for name in names)

"""Whoever asks: how it is started, and what it says of its own round trips."""
import os
import shutil
import signal
from dataclasses import dataclass, field

from process import Process


@dataclass
class Task:
    """What is to be asked: so many targets, each once in an interval (seconds)."""

    method: str
    targets: int
    interval: float = 1.0


@dataclass
class Stage:
    """Where it happens."""

    folder: str
    reach: str
    floor: str | None
    seconds: float  # of a measured window
    warm_up: float = 3.0

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def length(self):
        """How long a contender runs that must be told beforehand."""
        return int(self.warm_up + self.seconds + 5)


@dataclass
class Contender:
    name: str
    stage: Stage
    task: Task
    processes: list = field(default_factory=list)
    # Driven by something that is not measured with it.
    drivers: list = field(default_factory=list)

    @property
    def bursts(self):
        """Whether it asks all targets at once, and then rests for the rest of the interval."""
        return False

    def is_there(self):
        return True

    def start(self):
        raise NotImplementedError

    def finish(self):
        """Called when the window is over, all still running: what else is to be found out."""
        return {}

    def round_trips(self):
        """Its own round trips, in microseconds, once it has ended; a few percentiles where it knows no more."""
        return []

    def end(self):
        for process in self.drivers + self.processes:
            process.end(signal.SIGINT)

    def run(self, words, name=None, **options):
        name = name or f"{len(self.processes)}"
        process = Process(words, self.stage.path(f"{name}.out"), self.stage.path(f"{name}.err"), **options)
        self.processes.append(process)
        return process

    def output(self, name="0.out"):
        with open(self.stage.path(name), errors="replace") as file:
            return file.read()


def found(*names):
    return all(shutil.which(name) for name in names)

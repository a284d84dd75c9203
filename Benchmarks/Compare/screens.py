"""Programs on a terminal: the cost of drawing, and the delays of a key press and of the first screen."""
import random
import re
import time
from dataclasses import dataclass

import echoes
import network
from contender import Contender, found
from measure import percentile
from reach import write_settings
from terminal import Terminal

ANY = re.compile(rb".", re.DOTALL)
# A round trip of three digits, perhaps with decimal places.
FIGURE = re.compile(r"(?<![\d.:])([1-8]\d\d)(?:\.\d+)?(?=\D|$)")
# The marker of the selected row, which only a key moves.
SELECTED = re.compile("▸".encode())


@dataclass
class Screen(Contender):
    """A program on a terminal of 200 × 50.

    The key `opening` opens the measured view. Each of `keys` changes the screen, and the output then matches `shown`. The first screen matches `first`, and a
    screen with a round trip matches `answer`.
    """

    words: tuple = ()
    opening: bytes = b""
    keys: tuple = ()
    shown: re.Pattern = ANY
    first: re.Pattern = ANY
    answer: re.Pattern | None = None
    files: tuple = ()  # (name in the setup's folder, text)

    def is_available(self):
        return found(self.words[0]) or self.words[0] == self.setup.reach

    def write_targets(self):
        """Writes the targets of a run, if the program reads them from a file."""

    def shows(self, reply, lines):
        """Whether the lines of a screen show the round trip of a reply."""
        return reply.is_in(figure for line in lines for figure in FIGURE.findall(line))

    def open(self):
        for name, text in self.files:
            with open(self.setup.path(name), "w") as file:
                file.write(text)
        words = [word.replace("FOLDER", self.setup.folder) for word in self.words]
        return Terminal(words, settings={"HOME": self.setup.folder, "XDG_STATE_HOME": self.setup.folder})


@dataclass
class Dashboard(Screen):
    def open(self):
        network.revive()
        write_settings(self.setup.path("dashboard.toml"), self.task)
        return super().open()


@dataclass
class Echoes(Screen):
    """reach with the hosts that answer after delays."""

    refresh: str = "live"

    def write_targets(self):
        with open(self.setup.path("dashboard.toml"), "w") as file:
            file.write(f'[dashboard]\nrefresh = "{self.refresh}"\n[defaults]\ninterval = "{self.task.interval:g}s"\n')
            for number in range(self.task.targets):
                file.write(f'[[target]]\nname = "host-{number}"\nurl = "icmp://{echoes.address(number)}"\n')

    def shows(self, reply, lines):
        # The first figure of the row is the last round trip.
        figures = (re.search(rf"\bhost-{reply.host} .*?(\d+)ms", line) for line in lines)
        return reply.is_in(figure[1] for figure in figures if figure)


@dataclass
class NopingEchoes(Screen):
    """noping, which shows no single round trip, but a line with the number of replies for each host."""

    def shows(self, reply, lines):
        counts = [int(count[1]) for line in lines if (count := re.search(r"(\d+) received", line))]
        return reply.host < len(counts) and counts[reply.host] >= reply.number


def dashboard(setup, task):
    """The dashboard with its table."""
    return Dashboard(
        "reach",
        setup,
        task,
        words=(setup.reach, "--config", "FOLDER/dashboard.toml"),
        keys=(b"j", b"k"),
        shown=SELECTED,
        first=re.compile(rb"target-1\b"),
        answer=re.compile(rb"\d\.\d+ms|\d\xc2\xb5s"),
    )


def views(setup, task):
    """The dashboard with its other views of live charts."""
    words = (setup.reach, "--config", "FOLDER/dashboard.toml")
    openings = {"wall": b"2", "graphs": b"3", "details": b"\r"}
    return [
        Dashboard(f"reach, {name}", setup, task, words=words, opening=opening) for name, opening in openings.items()
    ]


def measure_drawing(contender, seconds):
    """Measures the share of a core and the bytes a second of a screen without input."""
    terminal = contender.open()
    terminal.keep = False
    try:
        terminal.pause(max(3, contender.task.interval + 2))
        if contender.opening:
            terminal.press(contender.opening)
            terminal.pause(1)
        began, cost, count = time.monotonic(), terminal.seconds(), terminal.bytes
        terminal.pause(seconds)
        length = time.monotonic() - began
        facts = {
            "core": (terminal.seconds() - cost) / length,
            "bytes": (terminal.bytes - count) / length,
            "rss": terminal.memory(),
        }
        if contender.keys:
            facts.update(press_keys(contender, terminal, 30))
        return facts
    finally:
        terminal.end()


def press_keys(contender, terminal, count):
    """Measures the time from a key press to the changed output, in milliseconds."""
    times, missed = [], 0
    for number in range(count):
        terminal.pause(random.uniform(0.05, 0.15))
        pressed = terminal.press(contender.keys[number % len(contender.keys)])
        shown = terminal.wait_for(contender.shown, 2)
        if shown is None:
            missed += 1
        else:
            times.append((shown - pressed) * 1000)
    if not times:
        return {"keys_missed": missed}
    figures = {"key_p50": percentile(times, 0.5), "key_p99": percentile(times, 0.99)}
    return {**figures, "keys": times, "keys_missed": missed}


def measure_keys(contender, count):
    terminal = contender.open()
    terminal.keep = False
    try:
        terminal.pause(2.5)
        return press_keys(contender, terminal, count)
    finally:
        terminal.end()


def measure_start(contender, count):
    """Measures the milliseconds from exec to the first screen, and to the first drawn answer."""
    screens, answers = [], []
    for _ in range(count):
        terminal = contender.open()
        try:
            if (shown := terminal.wait_for(contender.first, 5)) is None:
                continue
            screens.append((shown - terminal.start) * 1000)
            seen, answered = b"".join(piece for _, piece in terminal.pieces), None
            if contender.answer and contender.answer.search(seen):
                answered = shown
            elif contender.answer:
                answered = terminal.wait_for(contender.answer, 5)
            if answered:
                answers.append((answered - terminal.start) * 1000)
        finally:
            terminal.end()
    facts = {}
    if screens:
        facts["screen"] = percentile(screens, 0.5)
    if answers:
        facts["answer"] = percentile(answers, 0.5)
    return facts

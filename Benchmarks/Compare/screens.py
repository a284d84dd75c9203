"""What is drawn on a terminal: what that costs, how soon a key shows, and how soon the first screen stands."""
import random
import re
import time
from dataclasses import dataclass

import network
from contender import Contender, found
from measure import percentile
from reach import write_settings
from terminal import Terminal

ANY = re.compile(rb".", re.DOTALL)
# The mark of the selected row: nothing but a key moves it.
SELECTED = re.compile("▸".encode())


@dataclass
class Screen(Contender):
    """A program on a terminal of 200 × 50.

    A key of `keys` changes the screen, which is seen when what is `shown` comes; `first` is on the first screen, and
    `answer` is there when the first round trip is drawn.
    """

    words: tuple = ()
    keys: tuple = ()
    shown: re.Pattern = ANY
    first: re.Pattern = ANY
    answer: re.Pattern | None = None
    files: tuple = ()  # (name in the stage's folder, text)

    def is_there(self):
        return found(self.words[0]) or self.words[0] == self.stage.reach

    def open(self):
        for name, text in self.files:
            with open(self.stage.path(name), "w") as file:
                file.write(text)
        words = [word.replace("FOLDER", self.stage.folder) for word in self.words]
        return Terminal(words, settings={"HOME": self.stage.folder, "XDG_STATE_HOME": self.stage.folder})


@dataclass
class Dashboard(Screen):
    def open(self):
        network.revive()
        write_settings(self.stage.path("dashboard.toml"), self.task)
        return super().open()


def dashboard(stage, task):
    return Dashboard(
        "reach",
        stage,
        task,
        words=(stage.reach, "--config", "FOLDER/dashboard.toml"),
        keys=(b"j", b"k"),
        shown=SELECTED,
        first=re.compile(rb"target-1\b"),
        answer=re.compile(rb"\d\.\d+ms|\d\xc2\xb5s"),
    )


def measure_drawing(contender, seconds):
    """The share of a core, and bytes a second, of a screen that nobody touches."""
    terminal = contender.open()
    terminal.keep = False
    try:
        terminal.pause(max(3, contender.task.interval + 2))
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
    """How long after a key what it does is on its way to the terminal, in milliseconds."""
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
    """Milliseconds from exec to the first screen, and to the first answer drawn."""
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

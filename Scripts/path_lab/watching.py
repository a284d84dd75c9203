"""Runs `reach watch` in a network, and follows its JSON."""

import datetime
import http.client
import json
import os
import threading
import time

from .constants import CLIENT
from .random_trees import place_of
from .reports import start_program

PORT = 9720


def seconds(text):
    """Returns a time of the JSON as seconds since 1970."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Cause:
    """A named cause, as the lines about it say."""

    def __init__(self):
        # The places that it was named at, and that it moved to: (time, the words of the place, the set of places).
        self.places = []
        self.targets = set()
        self.ended = False

    def receive(self, line):
        about = line["cause"]
        self.targets.update(about["targets"])
        if line["change"] == "ended":
            self.ended = True
        elif line["change"] in ("named", "moved"):
            places = frozenset(place_of(risk) for risk in about["risks"])
            self.places.append((seconds(line["time"]), about["place"], places))

    @property
    def words(self):
        return self.places[-1][1] if self.places else "–"


class Watch:
    """`reach watch --json` in the first namespace of a lab."""

    def __init__(self, options, lab, folder, log=None):
        self.lab, self.log = lab, log
        # The health of targets, when they went down, and the causes by number. `changed` protects them.
        self.health, self.down_at, self.causes = {}, {}, {}
        self.changed = threading.Condition()
        self.ended = False
        settings = os.path.join(folder, f"{lab.network.name}.toml")
        with open(settings, "w") as file:
            file.write(settings_of(lab.network))
        self.errors = open(os.path.join(folder, f"{lab.network.name}.errors"), "w+")
        words = [os.path.abspath(options.program), "watch", "--json", "--config", settings, "--listen", str(PORT)]
        words += ["--observations"] if log else []
        self.process = start_program(options, lab, words, errors=self.errors)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for text in self.process.stdout:
            line = json.loads(text)
            with self.changed:
                if self.log:
                    self.log.write(text)
                if line["type"] == "transition":
                    self.health[line["target"]] = line["to"]
                    if line["to"] == "down":
                        self.down_at[line["target"]] = seconds(line["time"])
                elif line["type"] == "cause":
                    self.causes.setdefault(line["cause"]["id"], Cause()).receive(line)
                self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def note(self, **about):
        """Writes a line of the lab's own into the log."""
        with self.changed:
            if self.log:
                time_now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
                self.log.write(json.dumps({"type": "lab", "time": time_now.replace("+00:00", "Z"), **about}) + "\n")
                self.log.flush()

    def wait_for(self, condition, limit):
        """Waits until a condition holds, at most some seconds. Returns whether it does."""
        with self.changed:
            self.changed.wait_for(lambda: self.ended or condition(), limit)
            if self.ended:
                self.errors.seek(0)
                raise RuntimeError(f"reach has exited: {self.errors.read().strip()[-300:]}")
            return condition()

    def all_up(self):
        return all(self.health.get(name) == "up" for name in self.lab.network.targets)

    def metrics(self, name):
        """Returns the values of a metric by target."""
        with self.lab.inside(CLIENT):
            connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=5)
            connection.connect()
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        found = {}
        for line in text.splitlines():
            if line.startswith(name + "{"):
                labels, value = line.rsplit(" ", 1)
                found[labels.split('target="', 1)[1].split('"', 1)[0]] = float(value)
        return found

    def wait_for_paths(self, limit):
        """Waits until the paths to all targets are known. Returns the names of those without the right number of hops."""
        network, end = self.lab.network, time.monotonic() + limit
        while True:
            hops = self.metrics("reach_path_hops")
            missing = [name for name in network.targets if hops.get(name) != network.hop_count(name)]
            if not missing or time.monotonic() > end:
                return missing
            self.wait_for(lambda: False, 1)

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        self.errors.close()


def settings_of(network):
    """Returns the settings of reach for the targets of a tree."""
    # The faults follow each other so closely that targets would be flapping.
    lines = ["[defaults]", 'interval = "2s"', 'retry_interval = "1s"', "flapping = false", ""]
    for name, (_, address) in network.targets.items():
        lines += ["[[target]]", f'name = "{name}"', f'url = "icmp://{address}"', ""]
    return "\n".join(lines)

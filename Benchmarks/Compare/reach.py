"""reach: the release build with its defaults, including its verdicts."""
import json
import time
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

import network
from contender import Contender
from servers import PORTS


def url(method, address):
    if method == "icmp":
        return f"icmp://{address}"
    path = {"tcp": "", "http": "/", "dns": "/example.test?type=A"}[method]
    return f"{method}://{address}:{PORTS[method]}{path}"


def write_settings(path, task):
    """Writes settings with targets in groups of 500. The last target becomes silent later."""
    with open(path, "w") as file:
        file.write(f'[defaults]\ninterval = "{task.interval:g}s"\n')
        for number in range(task.targets):
            last = number == task.targets - 1
            target = url(task.method, network.SILENT_TARGET if last else network.address(number))
            name = "victim" if last else f"target-{number}"
            file.write(f'[[target]]\nname = "{name}"\nurl = "{target}"\ngroup = "Hall {number // 500}"\n')
    return path


@dataclass
class Reach(Contender):
    observations: bool = False

    def start(self):
        network.revive()
        settings = write_settings(self.setup.path("dashboard.toml"), self.task)
        more = ["--observations"] if self.observations else []
        self.run([self.setup.reach, "watch", "--json", "--config", settings, *more])

    def events(self):
        for line in self.output().splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                pass  # still being written

    def transitions(self):
        return [event for event in self.events() if event["type"] == "transition"]

    def finish(self):
        """Silences the last target, and checks all verdicts: which targets are up or down, and since when."""
        if self.observations:
            return {}
        process, facts = self.processes[0], {"rss_end": self.processes[0].memory("VmRSS")}
        network.stop()
        stopped = time.time()
        while process.is_running() and time.time() < stopped + 4 * self.task.interval + 6:
            time.sleep(0.1)
            if '"to":"down"' in self.output():
                break
        transitions = self.transitions()
        up = Counter(event["target"] for event in transitions if event["to"] == "up")
        down = [event for event in transitions if event["to"] == "down"]
        facts["up"] = len(up)
        facts["wrong"] = sum(count - 1 for count in up.values()) + sum(e["target"] != "victim" for e in down)
        times = [datetime.fromisoformat(e["time"].replace("Z", "+00:00")) for e in down if e["target"] == "victim"]
        facts["down_after"] = times[0].timestamp() - stopped if times else None
        # The next probe is up to an interval away. It and two retries are lost, each sent after the last one's timeout.
        limit = self.task.interval + 3 * min(self.task.interval, 1) + 0.5
        facts["verdicts"] = (
            facts["up"] == self.task.targets
            and facts["wrong"] == 0
            and facts["down_after"] is not None
            and facts["down_after"] < limit
        )
        return facts

    def round_trips(self):
        if not self.observations:
            return []
        skipped = self.task.targets * self.setup.warm_up / self.task.interval
        probes = [event for event in self.events() if event["type"] == "observation"]
        return [e["round_trip_seconds"] * 1e6 for e in probes[int(skipped):] if e["outcome"] == "reply"]

"""reach itself, as everybody runs it: the released program, its defaults, verdicts and all."""
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
    """Settings of so many targets in groups of 500; the last of them is the one that will go away."""
    with open(path, "w") as file:
        file.write(f'[defaults]\ninterval = "{task.interval:g}s"\n')
        for number in range(task.targets):
            last = number == task.targets - 1
            asked = url(task.method, network.VICTIM if last else network.address(number))
            name = "victim" if last else f"target-{number}"
            file.write(f'[[target]]\nname = "{name}"\nurl = "{asked}"\ngroup = "Hall {number // 500}"\n')
    return path


@dataclass
class Reach(Contender):
    observations: bool = False

    def start(self):
        network.revive()
        settings = write_settings(self.stage.path("dashboard.toml"), self.task)
        more = ["--observations"] if self.observations else []
        self.run([self.stage.reach, "watch", "--json", "--config", settings, *more])

    def events(self):
        for line in self.output().splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                pass  # still being written

    def transitions(self):
        return [event for event in self.events() if event["type"] == "transition"]

    def finish(self):
        """Lets the last target go away, and looks at all the verdicts: who is up, who is down, and since when."""
        if self.observations:
            return {}
        process, facts = self.processes[0], {"rss_end": self.processes[0].memory("VmRSS")}
        network.stop()
        stopped = time.time()
        while process.is_running() and time.time() < stopped + 4 * self.task.interval + 6:
            time.sleep(0.1)
            if '"to":"down"' in self.output():
                break
        told = self.transitions()
        up = Counter(event["target"] for event in told if event["to"] == "up")
        down = [event for event in told if event["to"] == "down"]
        facts["up"] = len(up)
        facts["wrong"] = sum(count - 1 for count in up.values()) + sum(e["target"] != "victim" for e in down)
        known = [datetime.fromisoformat(e["time"].replace("Z", "+00:00")) for e in down if e["target"] == "victim"]
        facts["down_after"] = known[0].timestamp() - stopped if known else None
        # The next probe is up to an interval away; it and two more, each begun when the last was given up, are lost.
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
        skipped = self.task.targets * self.stage.warm_up / self.task.interval
        asked = [event for event in self.events() if event["type"] == "observation"]
        return [e["round_trip_seconds"] * 1e6 for e in asked[int(skipped):] if e["outcome"] == "reply"]

"""The results: the figures of each contender in each run, and statistics of them."""
import statistics
from dataclasses import dataclass, field

FLOORS = ["C floor, 1 ms ticks", "C floor, 10 ms ticks"]
NO_PEERS = ["mtr, one target"]  # no peers in processor time: the others have twenty targets
MAX_MISSED = 0.02  # a contender that misses a larger share of its probes is no peer


@dataclass
class Spread:
    least: float
    median: float
    most: float

    @classmethod
    def of(cls, values):
        values = [value for value in values if value is not None]
        return cls(min(values), statistics.median(values), max(values)) if values else None


@dataclass
class Results:
    # row -> contender -> the figures of each run, or None for a failed run
    rows: dict = field(default_factory=dict)
    failures: list = field(default_factory=list)

    def add(self, row, contender, facts):
        self.rows.setdefault(row, {}).setdefault(contender, []).append(facts)

    def values(self, row, contender, key):
        """Returns a value for each run, or None if the run has none."""
        return [facts.get(key) if facts else None for facts in self.rows.get(row, {}).get(contender, [])]

    def spread(self, row, contender, key):
        return Spread.of(self.values(row, contender, key))

    def ratios(self, row, contender, other, key):
        """Compares run by run, so that a slow machine affects both."""
        pairs = zip(self.values(row, contender, key), self.values(row, other, key))
        return Spread.of([one / two for one, two in pairs if one is not None and two])

    def best_peer(self, row, key="us"):
        """Returns the cheapest contender that sends its probes, neither a floor nor reach; None if there is none."""
        peers = {}
        for name in self.rows.get(row, {}):
            if name in FLOORS or name.startswith("reach") or (key == "core" and name in NO_PEERS):
                continue
            spread, missed = self.spread(row, name, key), self.spread(row, name, "missed")
            if spread and (missed is None or missed.median <= MAX_MISSED):
                peers[name] = spread.median
        return min(peers, key=peers.get) if peers else None


@dataclass
class Goal:
    """A limit for the median run of reach."""

    row: str
    name: str
    unit: str
    limit: float
    contender: str
    key: str
    scale: float = 1

    def spread(self, results):
        values = results.values(self.row, self.contender, self.key)
        return Spread.of([value / self.scale if value is not None else None for value in values])


GOALS = [
    Goal("icmp-10000", "ICMP, 10,000/s", "µs a probe", 11, "reach", "us"),
    Goal("icmp-10000", "missed", "%", 0.05, "reach", "missed", 0.01),
    Goal("icmp-10000", "memory, at most", "MB", 64, "reach", "rss", 1e6),
    Goal("icmp-10000", "exec to first probe, settings of 10,000 read", "ms", 300, "reach", "first"),
    Goal("icmp-1000", "ICMP, 1,000/s", "µs a probe", 16, "reach", "us"),
    Goal("icmp-1000", "own round trip, median", "µs", 30, "reach --observations", "p50"),
    Goal("icmp-1000", "own round trip, 99 %", "µs", 150, "reach --observations", "p99"),
    Goal("tcp", "TCP connect and close, 1,000/s", "µs a probe", 70, "reach", "us"),
    Goal("http", "HTTP GET, a connection each, 1,000/s", "µs a probe", 160, "reach", "us"),
    Goal("dns", "DNS query, 1,000/s", "µs a probe", 40, "reach", "us"),
    Goal("screen-10000", "screen of 10,000: more than without", "% of a core", 2, "reach", "extra", 0.01),
    Goal("screen-10000", "bytes to the terminal", "bytes/s", 4_000, "reach", "bytes"),
    Goal("screen-10000", "key to screen, 99 %", "ms", 16, "reach", "key_p99"),
    Goal("screen-20", "screen of 20", "% of a core", 0.6, "reach", "core", 0.01),
    Goal("screen-20", "bytes to the terminal", "bytes/s", 1_500, "reach", "bytes"),
    Goal("screen-20", "wall of 20", "% of a core", 0.6, "reach, wall", "core", 0.01),
    Goal("screen-20", "bytes to the terminal", "bytes/s", 1_500, "reach, wall", "bytes"),
    Goal("screen-20", "graphs of 20", "% of a core", 0.6, "reach, graphs", "core", 0.01),
    Goal("screen-20", "bytes to the terminal", "bytes/s", 1_500, "reach, graphs", "bytes"),
    Goal("screen-20", "details of one of 20", "% of a core", 0.6, "reach, details", "core", 0.01),
    Goal("screen-20", "bytes to the terminal", "bytes/s", 1_500, "reach, details", "bytes"),
    Goal("age", "reply to screen, 99 %", "ms", 150, "reach", "age_p99"),
    Goal("age", "replies never drawn", "%", 1, "reach", "undrawn", 0.01),
    Goal("key", "key to screen, median", "ms", 1, "reach", "key_p50"),
    Goal("key", "key to screen, 99 %", "ms", 5, "reach", "key_p99"),
    Goal("start", "exec to first screen", "ms", 25, "reach", "screen"),
    Goal("start", "exec to first answer drawn", "ms", 60, "reach", "answer"),
]

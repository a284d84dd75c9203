"""blackbox_exporter and `reach watch --blackbox`, scraped by a client that is not measured, or by Prometheus, which is."""
import json
from dataclasses import dataclass

import network
from contender import Contender, found
from process import Process
from servers import PORTS

LISTEN = "127.0.0.1:9115"
MODULES = """
modules:
  icmp: { prober: icmp, timeout: 1s, icmp: { preferred_ip_protocol: ip4 } }
  tcp: { prober: tcp, timeout: 1s, tcp: { preferred_ip_protocol: ip4 } }
  http: { prober: http, timeout: 1s, http: { preferred_ip_protocol: ip4, no_follow_redirects: true } }
  dns: { prober: dns, timeout: 1s, dns: { query_name: example.test, query_type: A, preferred_ip_protocol: ip4 } }
"""


def target(method, number):
    address = network.address(number)
    return {"icmp": address, "http": f"http://{address}:{PORTS['http']}/"}.get(method) or f"{address}:{PORTS[method]}"


@dataclass
class Blackbox(Contender):
    def is_available(self):
        return self.setup.requests is not None and found("prometheus-blackbox-exporter")

    def start_exporter(self):
        with open(self.setup.path("blackbox.yml"), "w") as file:
            file.write(MODULES)
        self.run(self.exporter(self.setup.path("blackbox.yml")))

    def exporter(self, settings):
        config = f"--config.file={settings}"
        return ["prometheus-blackbox-exporter", config, f"--web.listen-address={LISTEN}", "--log.level=error"]

    def start(self):
        self.start_exporter()
        port = LISTEN.split(":")[1]
        words = [self.task.method, self.task.targets, self.setup.length, port, PORTS.get(self.task.method, 0)]
        client = [self.setup.requests, *map(str, words)]
        self.drivers.append(Process(client, self.setup.path("requests.out"), self.setup.path("requests.err")))

    def round_trips(self):
        if self.task.method != "icmp":
            return []
        return json.loads(self.output("requests.out") or "[]")


@dataclass
class ReachProbes(Blackbox):
    """The same requests, answered by reach."""

    def is_available(self):
        return self.setup.requests is not None

    def exporter(self, settings):
        return [self.setup.reach, "watch", "--listen", LISTEN, "--blackbox", settings]


@dataclass
class Prometheus(Blackbox):
    """The usual setup: Prometheus scrapes every target each second and stores the result."""

    def is_available(self):
        return found("prometheus", "prometheus-blackbox-exporter")

    def start(self):
        self.start_exporter()
        with open(self.setup.path("prometheus.yml"), "w") as file:
            json.dump(self.settings(), file)  # JSON is YAML
        store, config = self.setup.path("prometheus"), self.setup.path("prometheus.yml")
        listen = "--web.listen-address=127.0.0.1:9090"
        self.run(["prometheus", f"--config.file={config}", f"--storage.tsdb.path={store}", listen])

    def settings(self):
        targets = [target(self.task.method, number) for number in range(self.task.targets)]
        return {
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s"},
            "scrape_configs": [
                {
                    "job_name": "probe",
                    "metrics_path": "/probe",
                    "params": {"module": [self.task.method]},
                    "static_configs": [{"targets": targets}],
                    "relabel_configs": [
                        {"source_labels": ["__address__"], "target_label": "__param_target"},
                        {"source_labels": ["__param_target"], "target_label": "instance"},
                        {"target_label": "__address__", "replacement": LISTEN},
                    ],
                }
            ],
        }

    def round_trips(self):
        return []


@dataclass
class ReachPrometheus(Prometheus):
    """Prometheus with reach in place of blackbox_exporter."""

    def is_available(self):
        return found("prometheus")

    def exporter(self, settings):
        return ReachProbes.exporter(self, settings)

"""Random trees of routers, and the faults that cut targets off."""

import dataclasses
import random

from .checks import many_target
from .constants import CLIENT
from .model import Network
from .namespaces import run

ROUTERS = (12, 16)
TARGETS = (30, 40)
# The share of the routers that do not answer expired packets.
SILENT = 0.2
# The share of the routers with others behind them that have a host too.
INNER_HOSTS = 0.3
# A fault cuts off at least this many targets: a cause explains at least as many.
FEWEST = 3
# The kinds of faults, and how often each one is chosen.
KINDS = {"router stops": 4, "router loses power": 2, "link drops": 2, "link is unplugged": 2}
IPV4 = (4,)


@dataclasses.dataclass
class Fault:
    """A router or a link that fails."""

    kind: str
    # The router, or the far end of the link.
    node: str
    # The names of the targets behind it.
    targets: frozenset
    # The places that are correct, as `place_of` returns them.
    places: frozenset
    # Those of the routers before it, which answer.
    answering: frozenset
    words: str


def place_of(risk):
    """Returns the place of a risk in the JSON of reach, to compare it with those of a fault."""
    if risk["kind"] == "silent_hop":
        return ("silent_hop", risk.get("after"), risk["number"])
    return (risk["kind"], risk["name"])


class RandomTree(Network):
    """A tree of routers with hosts, each of which has several targets. The observer is at the root."""

    def __init__(self, seed):
        super().__init__(f"random{seed}")
        self.random = random.Random(f"tree {seed}")
        self.servers = []
        # The node before each node, the hosts of routers, and the targets of each host by name.
        self.before, self.hosts, self.targets = {"r1": CLIENT}, {}, {}
        self.grow()
        self.silent = {router for router in self.routers if self.random.random() < SILENT}
        self.silence(*sorted(self.silent))

    def grow(self):
        self.routers = [f"r{number}" for number in range(1, self.random.randint(*ROUTERS) + 1)]
        self.link(CLIENT, "r1")
        self.route(CLIENT, "r1", families=IPV4)
        # No "unreachable" for addresses outside the tree: it would count toward the router's limit of ICMP.
        self.node("r1").commands.append("route add blackhole default")
        self.route_back("r1")
        for number, router in enumerate(self.routers[1:], start=1):
            # The newest routers are preferred: so there are long paths as well.
            choices = self.routers[:number]
            self.attach(router, self.random.choices(choices, range(1, number + 1))[0])
        inner = set(self.before.values())
        for router in self.routers:
            if router not in inner or self.random.random() < INNER_HOSTS:
                self.hosts[router] = f"h{router[1:]}"
        for router, host in self.hosts.items():
            self.attach(host, router)
        self.settle()

    def attach(self, node, parent):
        self.before[node] = parent
        self.link(parent, node)
        self.route_back(node)
        self.route_to(node, self.place(parent, node)[0], self.way_to(parent))

    def route_back(self, node):
        self.route(node, self.before[node], self.client_prefix(), families=IPV4)

    def route_to(self, node, address, nodes):
        """Adds the routes to an address of a node. The observer has a default route."""
        for near, following in zip(nodes[1:], [*nodes[2:], node]):
            if near != nodes[-1] or address not in self.place(near, node):
                self.route(near, following, (f"{address}/32", None), families=IPV4)

    def settle(self):
        """Distributes the targets. Hosts may share a network of 256 addresses."""
        hosts = list(self.hosts.values())
        count = max(self.random.randint(*TARGETS), len(hosts))
        owners = hosts + self.random.choices(hosts, k=count - len(hosts))
        networks = {host: self.random.randrange(len(hosts)) for host in hosts}
        for number, host in enumerate(sorted(owners, key=hosts.index)):
            address = many_target(networks[host], number)[0]
            self.targets[f"{host}-{number + 1}"] = (host, address)
            self.node(host).addresses.append(f"{address}/32")
            self.route_to(host, address, self.way_to(self.before[host]))

    # Places

    def way_to(self, node):
        """Returns the nodes from the observer to a node."""
        nodes = [node]
        while nodes[0] != CLIENT:
            nodes.insert(0, self.before[nodes[0]])
        return nodes

    def behind(self, node):
        """Returns the names of the targets behind a node."""
        return frozenset(name for name, (host, _) in self.targets.items() if node in self.way_to(host))

    def hop_count(self, name):
        """Returns the hops of the path to a target, with the target."""
        return len(self.way_to(self.targets[name][0])) - 1

    def address(self, router):
        return self.place(self.before[router], router)[0]

    def risk(self, router):
        """Returns the place of a router as a trace shows it."""
        if router not in self.silent:
            return ("hop", self.address(router))
        answering, number = None, 0
        for each in self.way_to(router)[1:]:
            answering, number = (answering, number + 1) if each in self.silent else (self.address(each), 0)
        return ("silent_hop", answering, number)

    def answering(self, node):
        """Returns the places of the routers before a node that answer."""
        routers = [router for router in self.way_to(node)[1:-1] if router not in self.silent]
        return frozenset((kind, self.address(router)) for router in routers for kind in ("hop", "gateway"))

    def subnets(self, host):
        """Returns the place of the subnet that has the targets of a host and no others, if there is one."""
        owners = {}
        for owner, address in self.targets.values():
            owners.setdefault(address.rsplit(".", 1)[0], set()).add(owner)
        return {("subnet", f"{subnet}.0/24") for subnet, hosts in owners.items() if hosts == {host}}

    # Faults

    def faults(self, kind):
        """Returns the faults of a kind that cut off enough targets."""
        made = self.router_fault if kind.startswith("router") else self.link_fault
        nodes = self.routers if kind.startswith("router") else [*self.routers[1:], *self.hosts.values()]
        faults = [made(kind, node) for node in nodes if len(self.behind(node)) >= FEWEST]
        return [fault for fault in faults if fault.places]

    def router_fault(self, kind, router):
        places = {self.risk(router)}
        if router == "r1":
            places.add(("gateway", self.address(router)))
        silent = ", silent" if router in self.silent else ""
        words = f"{kind}: {router} ({self.address(router)}{silent})"
        return Fault(kind, router, self.behind(router), frozenset(places), self.answering(router), words)

    def link_fault(self, kind, node):
        """Returns the fault of the link before a node; without places if an observer cannot know it.

        The place is the router behind the link, or a subnet with just the targets of the host. If the link carries
        everything behind the router before it, the cause may as well be behind that one, which answers. A silent router
        then cannot be told from its link to a host.
        """
        parent = self.before[node]
        places = {self.risk(node)} if node in self.routers else self.subnets(node)
        if self.behind(node) == self.behind(parent):
            if parent not in self.silent:
                places.add(("beyond", self.address(parent)))
            elif node not in self.routers:
                places.add(self.risk(parent))
        return Fault(kind, node, self.behind(node), frozenset(places), self.answering(node), f"{kind}: {parent} – {node}")

    def random_faults(self, count):
        """Returns faults at random, the same ones for the same seed."""
        chosen = []
        for _ in range(count):
            kinds = {kind: weight for kind, weight in KINDS.items() if self.faults(kind)}
            kind = self.random.choices(list(kinds), list(kinds.values()))[0]
            chosen.append(self.random.choice(self.faults(kind)))
        return chosen

    def begin(self, lab, fault):
        """Cuts off the targets behind a fault."""
        parent, node = self.before[fault.node], fault.node
        if fault.kind == "router stops":
            drop_all(lab, node, [("prerouting", ""), ("output", "")])
        elif fault.kind == "link drops":
            drop_all(lab, parent, [("prerouting", f"iifname to-{node} "), ("postrouting", f"oifname to-{node} ")])
        else:
            lab.commands(node, [f"link set {interface} down" for interface in self.unplugged(fault)])

    def end(self, lab, fault):
        """Repairs a fault."""
        parent, node = self.before[fault.node], fault.node
        if fault.kind in ("router stops", "link drops"):
            with lab.inside(node if fault.kind == "router stops" else parent):
                run("nft", "delete", "table", "inet", "fault")
            return
        # An interface that is switched off loses its routes.
        routes = [command.replace("route add", "route replace") for command in self.nodes[node].commands]
        lab.commands(node, [*(f"link set {interface} up" for interface in self.unplugged(fault)), *routes])

    def unplugged(self, fault):
        """Returns the interfaces that are switched off. The nodes at the other ends lose their carrier."""
        if fault.kind == "link is unplugged":
            return [f"to-{self.before[fault.node]}"]
        return [f"to-{link.other(fault.node)}" for link in self.links if fault.node in (link.near, link.far)]


def drop_all(lab, node, hooks):
    """Drops all packets at these hooks that match."""
    chains = "".join(
        f"chain {hook} {{\ntype filter hook {hook} priority -300\n{match}drop\n}}\n" for hook, match in hooks
    )
    with lab.inside(node):
        run("nft", "-f", "-", text=f"table inet fault {{\n{chains}}}\n")

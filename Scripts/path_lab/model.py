"""The description of a network: nodes, links, routes and rules, and the paths through it."""

import dataclasses

from .constants import CLIENT, CLOSED_PORT, EVERYWHERE, EXPIRED, FAMILIES, TARGET, TARGET_ADDRESS, TCP_PORT


@dataclasses.dataclass
class Node:
    """A namespace: a host or a router."""

    settings: dict = dataclasses.field(default_factory=dict)
    addresses: list = dataclasses.field(default_factory=list)
    # Rules of nftables by hook.
    rules: dict = dataclasses.field(default_factory=dict)
    # The arguments of `ip` for routes and rules.
    commands: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Link:
    """A pair of interfaces. Its number is part of its addresses; the far end is the one a probe arrives at."""

    number: int
    near: str
    far: str
    mtu: int = 1500
    numbered: bool = True

    def address(self, node):
        """Returns the addresses of an end, for IPv4 and IPv6."""
        end = 1 if node == self.far else 2
        return (f"10.{self.number >> 8}.{self.number & 255}.{end}", f"2001:db8:0:{self.number:x}::{end}")

    def link_local(self, node):
        return f"fe80::{self.number:x}:{1 if node == self.far else 2}"

    def other(self, node):
        return self.near if node == self.far else self.far


@dataclasses.dataclass
class Case:
    """A path through a network: what a correct program reports about the target by one method."""

    method: str
    port: int = 0
    # For each hop the places that may answer; an empty tuple is a silent hop. A place is a pair of addresses.
    hops: list = dataclasses.field(default_factory=list)
    # How the path ends: the kinds, the hops and the places that are correct.
    kinds: tuple = ("reached",)
    end_hops: tuple = ()
    end_places: tuple = ()
    # Patterns of the words of hops; the others must be "ok", or "silent" where no place answers.
    words: dict = dataclasses.field(default_factory=dict)
    # Hops at which each run finds one address only: those of one flow.
    single: bool = False
    # The MTU that is reported by one of these hops, as (MTU, hops).
    mtu: tuple = None
    # The changes of the network while the program runs, as (seconds, arguments of Network.change).
    changes: tuple = ()
    cycles: int = 10
    families: tuple = FAMILIES
    target: tuple = TARGET_ADDRESS
    # Whether traceroute cannot report the path.
    verified: bool = True

    def name(self):
        return f"{self.method}{f' port {self.port}' if self.port else ''}"


def reached(method, hops, port=0, **more):
    """A path that reaches its target with the last of the hops."""
    return Case(method, port, hops, ("reached",), (len(hops),), hops[-1], **more)


def silent(method, hops, port=0, **more):
    """A path beyond whose last hop nothing answers."""
    return Case(method, port, hops, ("silent",), (len(hops),), hops[-1], **more)


def unreachable(method, hops, port=0, **more):
    """A path whose last hop reports that it does not forward the packets."""
    return Case(method, port, hops, ("unreachable", "refused"), (len(hops) - 1, len(hops)), hops[-1], **more)


class Network:
    """The description of a network: nodes, links, routes and rules, and the paths through it."""

    def __init__(self, name):
        self.name = name
        self.nodes, self.links, self.cases = {}, [], []
        # Nodes with TCP and UDP servers.
        self.servers = [TARGET]
        # A check of its own by traceroute and mtr: a function of the lab that returns problems.
        self.verify = None
        # Changes the network while it is up: a function of the lab and the number of the change.
        self.change = None
        # Runs in a thread while the network is up.
        self.service = None
        # A check of the network's own of what reach reports: a function of the lab and the options.
        self.check = None

    # Nodes, links, routes

    def node(self, name):
        return self.nodes.setdefault(name, Node())

    def link(self, near, far, **more):
        link = Link(len(self.links) + 1, near, far, **more)
        self.node(near), self.node(far)
        self.links.append(link)
        return link

    def between(self, one, other):
        return next(link for link in self.links if {link.near, link.far} == {one, other})

    def place(self, before, node):
        """Returns the addresses with which a node answers packets that arrive from the node before it."""
        return self.between(before, node).address(node)

    def gateway(self, node, following, family):
        """Returns the arguments of a route to the following node."""
        link = self.between(node, following)
        if link.numbered:
            return f"via {link.address(following)[family == 6]} dev to-{following}"
        return f"via {'inet6 ' if family == 4 else ''}{link.link_local(following)} dev to-{following}"

    def route(self, node, following, prefix=EVERYWHERE, table="main", command="add", families=FAMILIES):
        """Adds a route. Several following nodes divide the traffic by flow. Returns the commands."""
        several = [following] if isinstance(following, str) else following
        commands = []
        for family in families:
            gateways = [self.gateway(node, each, family) for each in several]
            hops = gateways[0] if len(gateways) == 1 else " ".join(f"nexthop {gateway}" for gateway in gateways)
            commands.append(f"route {command} {prefix[family == 6]} table {table} {hops}")
        self.node(node).commands += commands
        return commands

    def forget_default(self, node):
        """Removes the default routes of a node."""
        commands = self.node(node).commands
        commands[:] = [command for command in commands if command.split()[2] not in EVERYWHERE]

    def client_prefix(self):
        first = next(link for link in self.links if link.near == CLIENT)
        return (f"{first.address(CLIENT)[0]}/32", f"{first.address(CLIENT)[1]}/128")

    def way(self, *nodes, there=True, back=True):
        """Adds routes along nodes: to all addresses forward, and to the client backward."""
        for node, following in zip(nodes, nodes[1:]):
            if there:
                self.route(node, following)
            if back:
                self.route(following, node, EVERYWHERE if following == TARGET else self.client_prefix())

    def rule(self, node, hook, *rules):
        self.node(node).rules.setdefault(hook, []).extend(rules)

    def silence(self, *nodes):
        """Lets routers drop their answers to expired packets."""
        for node in nodes:
            self.rule(node, "output", *(f"{match} drop" for match in EXPIRED))

    def set(self, settings, *nodes):
        for node in nodes or self.nodes:
            self.node(node).settings.update(settings)

    def chain(self, hops, links=()):
        """Makes a chain of routers r1, r2... to the target, which is the last hop. Returns the place of each hop, and
        takes options of links by their number."""
        nodes = [CLIENT, *(f"r{number}" for number in range(1, hops)), TARGET]
        options = dict(links)
        for number, (near, far) in enumerate(zip(nodes, nodes[1:]), start=1):
            self.link(near, far, **options.get(number, {}))
        self.way(*nodes)
        return self.hops(*nodes)

    def hops(self, *nodes):
        """Returns the places of the nodes after the first; the target's place is its address."""
        pairs = zip(nodes, nodes[1:])
        return [(TARGET_ADDRESS,) if node == TARGET else (self.place(before, node),) for before, node in pairs]

    def add(self, *cases):
        self.cases += cases


NETWORKS = {}


def network(make):
    """Registers a function that describes a network; its name and its comment are those of the network."""
    NETWORKS[make.__name__.replace("_", "-")] = make
    return make


def describe(name):
    made = Network(name)
    NETWORKS[name](made)
    return made


def methods(hops, **more):
    """Returns the cases of a target that is reached by all methods."""
    return [
        reached("icmp", hops, **more), reached("udp", hops, CLOSED_PORT, **more), reached("tcp", hops, TCP_PORT, **more)
    ]


def merged(*paths):
    """Returns for each hop the places of all paths, from the longest."""
    longest = max(map(len, paths))
    return [tuple(dict.fromkeys(place for path in paths for place in path[min(index, len(path) - 1)]))
            for index in range(longest)]


def expected_hops(case, family):
    """Returns the set of addresses of each hop; an empty one is a silent hop."""
    return [{place[family == 6] for place in hop if place[family == 6]} for hop in case.hops]

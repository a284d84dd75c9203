"""Networks with several ways, and without addresses on links."""

import dataclasses

from .constants import CLIENT, PORTS, TARGET, TARGET_ADDRESS
from .model import Case, merged, methods, network
from .reference import verify_change, verify_flows, verify_return_loss, verify_spray


@network
def ecmp(net):
    """Two ways of the same length, chosen by flow"""
    diamond(net, ["r2a"], ["r2b"])
    # By addresses, protocol and ports. The policy 1 would use the hash of the sending socket, which a veth hands on.
    for family in ("ipv4", "ipv6"):
        net.set({f"{family}/fib_multipath_hash_policy": 3, f"{family}/fib_multipath_hash_fields": 0x37}, "r1")
    net.route("r1", ("r2a", "r2b"))
    hops = diamond_hops(net, ["r2b"])
    net.add(*methods(hops, single=True))
    net.verify = verify_flows


@network
def ecmp_lossy(net):
    """Two ways, chosen by flow; one of them loses half of the packets"""
    ecmp(net)
    net.cases = [dataclasses.replace(case, verified=False, words={"*": r"ok|loses \d+ %"}) for case in net.cases]
    net.rule("r2b", "forward", "iifname to-r1 numgen random mod 100 < 50 drop")


@network
def spray(net):
    """Two ways of the same length, chosen at random for each packet"""
    diamond(net, ["r2a"], ["r2b"])
    per_packet(net, "r2a", "r2b")
    hops = diamond_hops(net, ["r2b"])
    net.add(*methods(hops))
    net.verify = verify_spray


@network
def spray_uneven(net):
    """Two ways of different lengths, chosen at random for each packet"""
    diamond(net, ["r2a"], ["r2b", "r2c"])
    per_packet(net, "r2a", "r2b")
    hops = diamond_hops(net, ["r2b", "r2c"])
    words = {"*": "ok|changed.*|limits its answers"}
    net.add(*(dataclasses.replace(case, end_hops=(4, 5), words=words) for case in methods(hops)))
    net.verify = verify_spray


def diamond(net, upper, lower):
    """Makes two ways from r1 to r3. r1 has no route to the target yet; answers take the way of the packet's router."""
    net.link(CLIENT, "r1")
    for way in (upper, lower):
        for near, far in zip(["r1", *way], [*way, "r3"]):
            net.link(near, far)
    net.link("r3", TARGET)
    net.way(CLIENT, "r1")
    net.way("r3", TARGET)
    net.way("r1", *upper, "r3", there=False)
    net.way(*upper, "r3", back=False)
    net.way(*lower, "r3", back=False)
    net.way("r1", *lower, there=False)


def diamond_hops(net, lower):
    """Returns the hops of both ways. The answers of r3 take the upper one, so it has one address for IPv4; for IPv6,
    Linux answers from the address of the interface at which a packet arrives."""
    one, other = net.hops(CLIENT, "r1", "r2a", "r3", TARGET), net.hops(CLIENT, "r1", *lower, "r3", TARGET)
    other[-2] = ((one[-2][0][0], other[-2][0][1]), one[-2][0])
    return merged(one, other)


def per_packet(net, one, other):
    """Lets r1 choose one of two nodes at random for each packet."""
    net.route("r1", one)
    net.route("r1", other, table="100")
    net.node("r1").commands += ["rule add fwmark 1 table 100", "-6 rule add fwmark 1 table 100"]
    net.rule("r1", "prerouting", "iifname to-client meta mark set numgen random mod 2")


@network
def changing(net):
    """The path changes between 6 and 4 hops while it runs"""
    net.chain(6)
    net.link("r2", "r5")
    net.route("r5", "r2", net.client_prefix(), command="replace")
    longer = net.hops(CLIENT, "r1", "r2", "r3", "r4", "r5", TARGET)
    # All answers of r5 take the shorter way, so it has one address for IPv4.
    leaving, arriving = net.place("r2", "r5"), longer[4][0]
    longer[4] = ((leaving[0], arriving[1]), leaving)
    shorter = net.hops(CLIENT, "r1", "r2", "r5", TARGET)
    both = merged(longer, [*shorter, (), ()])
    net.change = change_length
    words = {3: "ok|changed.*", 4: "ok|changed.*", 5: "ok|changed.*", 6: "ok|changed.*"}
    for method, port in PORTS:
        net.add(
            Case(method, port, both, ("reached",), (4,), (TARGET_ADDRESS,), words, changes=((0, 0), (12, 1)), cycles=25,
                 verified=False),
            Case(method, port, both, ("reached",), (6,), (TARGET_ADDRESS,), words, changes=((0, 1), (12, 0)), cycles=25,
                 verified=False),
        )
    net.verify = verify_change


def change_length(lab, number):
    """Switches r2 to the longer way (even numbers) or to the shorter one (odd numbers)."""
    lab.commands("r2", lab.network.route("r2", "r5" if number % 2 else "r3", command="replace"))


@network
def unnumbered(net):
    """Routers without addresses on their links: link-local, loopback and none"""
    options = {number: {"numbered": False} for number in range(1, 5)}
    net.links = []
    nodes = [CLIENT, "r1", "r2", "r3", TARGET]
    for number, (near, far) in enumerate(zip(nodes, nodes[1:]), start=1):
        net.link(near, far, **options[number])
    net.node(CLIENT).addresses += ["10.0.1.2/32", "2001:db8:0:1::2/128"]
    net.node("r2").addresses += ["10.255.0.2/32", "2001:db8:ff::2/128"]
    net.way(*nodes)
    # Without a global address, a router answers from its link-local one, which is valid on its own link only, so that
    # the answers of hop 3 are not forwarded; for IPv4, all these routers answer from 192.0.0.8 (RFC 7600).
    dummy = "192.0.0.8"
    loopback = ("10.255.0.2", "2001:db8:ff::2")
    hops = [((dummy, net.links[0].link_local("r1")),), (loopback,), ((dummy, None),), (TARGET_ADDRESS,)]
    # The address of hops 1 and 3 is the same, which is no loop.
    net.add(*methods(hops, words={1: "ok", 3: "ok|silent"}))


@network
def asymmetric(net):
    """The answers from hop 3 on return by another router"""
    asymmetric_way(net)
    net.route("r3", "r4", net.client_prefix(), command="replace")


@network
def asymmetric_loss(net):
    """The answers of hop 3 only return by another router, which loses half of them"""
    asymmetric_way(net)
    net.route("r3", "r4", table="100")
    net.node("r3").commands += ["rule add iif lo table 100", "-6 rule add iif lo table 100"]
    net.rule("r4", "forward", "iifname to-r3 numgen random mod 100 < 50 drop")
    net.cases = [dataclasses.replace(case, words={3: "limits its answers"}, cycles=30) for case in net.cases]
    net.verify = verify_return_loss


def asymmetric_way(net):
    hops = net.chain(4)
    net.link("r1", "r4")
    net.link("r4", "r3")
    net.way("r1", "r4", there=False)
    # IPv4: the address of the interface by which the answer leaves; IPv6: of that at which the packet arrives.
    leaving, arriving = net.between("r4", "r3").address("r3"), hops[2][0]
    hops[2] = ((leaving[0], arriving[1]), leaving)
    net.add(*methods(hops))

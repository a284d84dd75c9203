"""Networks with one way to the target."""

from .checks import check_names, check_tree, many_target
from .constants import (
    CLIENT, CLOSED_PORT, EXPIRED, NO_LIMIT, OTHER_ADDRESS, PORTS, TARGET, TARGET_ADDRESS, TCP_PORT, UDP_PORT,
)
from .forgery import forge
from .model import Case, methods, network, reached, silent, unreachable
from .names import answer_names, name_servers
from .reference import (
    verify_default_limit, verify_forged, verify_limits, verify_loss, verify_mtu, verify_mtu_hole, verify_names,
    verify_no_limit, verify_other_address, verify_unplugged,
)


@network
def chain(net):
    """20 hops, the default limits of ICMP (one answer a second)"""
    net.add(*methods(net.chain(20)))
    net.verify = verify_default_limit


@network
def unlimited(net):
    """20 hops, no limits of ICMP"""
    net.add(*methods(net.chain(20)))
    net.set(NO_LIMIT)
    net.verify = verify_no_limit


@network
def short(net):
    """4 hops; open, closed and answering ports"""
    hops = net.chain(4)
    net.add(*methods(hops), reached("udp", hops, UDP_PORT), reached("tcp", hops, 81))


@network
def long(net):
    """255 hops"""
    hops = net.chain(255)
    # The answers travel as far as the probes.
    net.set({"ipv4/ip_default_ttl": 255, "ipv6/conf/all/hop_limit": 255, "ipv6/conf/default/hop_limit": 255})
    net.add(reached("icmp", hops, cycles=3), reached("udp", hops, CLOSED_PORT, cycles=3))


@network
def tree(net):
    """1,000 targets behind one first hop, on four hosts"""
    net.link(CLIENT, "r1")
    net.route(CLIENT, "r1")
    net.servers = []
    for branch in range(4):
        router, host = f"r2{'abcd'[branch]}", f"host{branch + 1}"
        net.link("r1", router)
        net.link(router, host)
        prefix = (f"10.200.{branch}.0/24", f"2001:db8:200:{branch + 1:x}::/64")
        net.route("r1", router, prefix)
        net.route(router, host, prefix)
        net.route(router, "r1", net.client_prefix())
        net.route(host, router)
        targets = [many_target(branch, number) for number in range(250)]
        for target in targets:
            net.node(host).addresses += [f"{target[0]}/32", f"{target[1]}/128"]
        hops = net.hops(CLIENT, "r1", router, host)[:2]
        net.add(*(reached("icmp", [*hops, (target,)], target=target) for target in (targets[0], targets[249])))
    net.check = check_tree


@network
def limits(net):
    """Routers that answer one packet in 2 s (by the kernel), 10 s and 60 s (by nftables)"""
    hops = net.chain(6)
    net.set({"ipv4/icmp_ratelimit": 2000, "ipv6/icmp/ratelimit": 8000, "ipv4/icmp_ratemask": 1 << 11}, "r2")
    for node, rate in (("r3", "6/minute"), ("r4", "1/minute")):
        for match in EXPIRED:
            net.rule(node, "output", f"{match} limit rate {rate} burst 1 packets accept", f"{match} drop")
    # The kernel answers six packets before it limits its answers.
    words = {2: "ok|limits its answers", 3: "limits its answers", 4: "limits its answers|silent"}
    net.add(*methods(hops, words=words, cycles=30))
    for case in net.cases[1:]:
        # The limits are used up by the first case.
        case.verified = False
    net.verify = verify_limits


@network
def loss(net):
    """20 % of the packets are lost behind hop 3, between routers that limit their answers"""
    hops = net.chain(7)
    net.rule("r3", "forward", "iifname to-r2 numgen random mod 100 < 20 drop")
    for node in ("r2", "r5"):
        for match in EXPIRED:
            net.rule(node, "output", f"{match} limit rate 20/minute burst 1 packets accept", f"{match} drop")
    words = {2: "limits its answers", 4: r"loses \d+ %", 5: r"loses \d+ %|limits its answers", 6: r"loses \d+ %",
             7: r"loses \d+ %"}
    net.add(*methods(hops, words=words, cycles=60))
    net.verify = verify_loss


@network
def loop(net):
    """Two routers, hops 2 and 3, that send the packets to each other"""
    for near, far in ((CLIENT, "r1"), ("r1", "r2"), ("r2", "r3")):
        net.link(near, far)
    net.servers = []
    net.way(CLIENT, "r1", "r2", "r3")
    net.route("r3", "r2")
    first, second, third = net.hops(CLIENT, "r1", "r2", "r3")
    # For IPv6, r2 answers from the address of the interface at which a packet arrives, which is the other one for all
    # packets that return from r3.
    returned = ((second[0][0], net.place("r3", "r2")[1]), second[0])
    hops = [first, second, third, *(third if number % 2 else returned for number in range(4, 9))]
    words = {2: "ok|loop", **{number: "loop" for number in range(3, 9)}}
    for method, port in PORTS:
        net.add(Case(method, port, hops, ("loop",), tuple(range(2, 9)), second + third + returned, words))


@network
def dnat(net):
    """Hop 2 sends TCP port 443 and UDP port 53 to a host at hop 3, which answers for the target at hop 5"""
    hops = net.chain(5)
    net.link("r2", "front")
    net.route("front", "r2")
    net.servers.append("front")
    for index, family in enumerate(("ip", "ip6")):
        for match in (f"tcp dport {TCP_PORT}", f"udp dport {UDP_PORT}"):
            address = net.place("r2", "front")[index]
            net.rule("r2", "nat", f"{family} daddr {TARGET_ADDRESS[index]} {match} dnat {family} to {address}")
    # Linux translates the source of its own answers as well, so the expired packet at hop 2 is answered in the target's
    # name before the target is reached at hop 3.
    early = [hops[0], (TARGET_ADDRESS,), (TARGET_ADDRESS,)]
    words = {2: "ok|answers for another address"}
    net.add(reached("icmp", hops), reached("tcp", early, TCP_PORT, words=words),
            reached("udp", early, UDP_PORT, words=words), reached("tcp", hops, 81))


@network
def other_address(net):
    """The target answers from another address"""
    hops = net.chain(4)
    net.servers = []
    for index, family in enumerate(("ip", "ip6")):
        net.rule(TARGET, "output", f"{family} saddr {TARGET_ADDRESS[index]} {family} saddr set {OTHER_ADDRESS[index]}")
    ending = dict(kinds=("reached_elsewhere", "refused"), end_hops=(4,), words={4: "answers for another address"})
    answered = [*hops[:3], (OTHER_ADDRESS,)]
    net.add(
        # traceroute ignores echo replies from other addresses.
        Case("icmp", 0, answered, end_places=(OTHER_ADDRESS, TARGET_ADDRESS), verified=False, **ending),
        Case("udp", CLOSED_PORT, answered, end_places=(OTHER_ADDRESS, TARGET_ADDRESS), **ending),
        # A connection is not accepted from another address.
        silent("tcp", hops[:3], 81),
    )
    net.verify = verify_other_address


@network
def silent_hops(net):
    """Hops 3, 4 and 6 of 8 never answer"""
    hops = net.chain(8)
    net.silence("r3", "r4", "r6")
    hops[2] = hops[3] = hops[5] = ()
    net.add(*methods(hops))


@network
def many_silent_hops(net):
    """15 hops in a row never answer"""
    hops = net.chain(18)
    net.silence(*(f"r{number}" for number in range(2, 17)))
    hops[1:16] = [()] * 15
    net.add(*methods(hops))


@network
def dark(net):
    """The target never answers, and neither does the last router"""
    hops = net.chain(5)
    net.silence("r4")
    net.rule(TARGET, "input", "iifname to-r4 meta l4proto { tcp, udp, icmp } drop",
             "iifname to-r4 icmpv6 type echo-request drop")
    net.add(silent("icmp", hops[:3]), silent("udp", hops[:3], CLOSED_PORT), silent("tcp", hops[:3], TCP_PORT))


@network
def dropped_ports(net):
    """The target answers echo requests, and drops the packets to all ports"""
    hops = net.chain(4)
    net.rule(TARGET, "input", "meta l4proto { tcp, udp } drop")
    net.add(reached("icmp", hops), silent("udp", hops[:3], UDP_PORT), silent("tcp", hops[:3], TCP_PORT))


@network
def rejecting(net):
    """Hop 3 of 5 rejects TCP and UDP (port unreachable), TCP port 22 (host unreachable) and ICMP (prohibited)"""
    hops = net.chain(5)
    net.rule("r3", "forward", "iifname to-r2 tcp dport 22 reject with icmpx host-unreachable",
             "iifname to-r2 tcp dport 80 reject with tcp reset",
             "iifname to-r2 meta l4proto { tcp, udp } reject with icmpx port-unreachable",
             "iifname to-r2 icmp type echo-request reject with icmpx admin-prohibited",
             "iifname to-r2 icmpv6 type echo-request reject with icmpx admin-prohibited")
    rejected = [*hops[:3], hops[2]]
    words = {3: ".*", 4: ".*"}
    foreign = {3: "ok", 4: "answers for another address"}
    net.add(
        unreachable("icmp", rejected, words=words), unreachable("udp", rejected, CLOSED_PORT, words=foreign),
        unreachable("tcp", rejected, TCP_PORT, words=foreign), unreachable("tcp", rejected, 22, words=words),
        reached("tcp", [*hops[:3], (TARGET_ADDRESS,)], 80),
    )


@network
def no_route(net):
    """Hop 3 has no route to the target, and says so"""
    hops = net.chain(4)
    net.forget_default("r3")
    words = {3: ".*"}
    net.add(*(unreachable(method, hops[:3], port, words=words)
              for method, port in PORTS))


@network
def host_down(net):
    """The target is switched off; the last router reports "host unreachable" after three seconds"""
    hops = net.chain(4)
    net.servers = []
    net.forget_default("r3")
    net.node("r3").commands += [f"route add {address} dev to-target" for address in TARGET_ADDRESS]
    net.rule(TARGET, "output", "icmpv6 type nd-neighbor-advert drop")
    net.node(TARGET).settings["ipv4/conf/all/arp_ignore"] = 8
    # A connection attempt is given up before the report: its first packet would be repeated after a second.
    net.add(*(unreachable(method, [*hops[:3], hops[2]], port, words={3: ".*", 4: ".*"})
              for method, port in PORTS if method != "tcp"))
    net.add(silent("tcp", hops[:3], TCP_PORT))


@network
def nothing(net):
    """The first router drops all packets"""
    net.chain(3)
    net.rule("r1", "prerouting", "iifname to-client meta l4proto { tcp, udp, icmp } drop",
             "iifname to-client icmpv6 type echo-request drop")
    net.add(*(Case(method, port, [], ("nothing",)) for method, port in PORTS))


@network
def unplugged(net):
    """The client has no route to the target"""
    net.chain(3)
    net.node(CLIENT).commands = []
    net.add(*(Case(method, port, [], ("not_sent",), verified=False)
              for method, port in PORTS))
    net.verify = verify_unplugged


@network
def mtu(net):
    """Hop 2 forwards at most 1,280 bytes, and says so"""
    hops = net.chain(4, {3: {"mtu": 1280}})
    net.add(*methods(hops, mtu=(1280, (2, 3))))
    # The first packet of a connection has one size.
    net.cases[2].mtu = None
    net.verify = verify_mtu


@network
def mtu_hole(net):
    """Hop 2 forwards at most 1,280 bytes, and drops larger packets silently"""
    hops = net.chain(4, {3: {"mtu": 1280}})
    net.rule("r2", "output", "icmp type destination-unreachable icmp code frag-needed drop",
             "icmpv6 type packet-too-big drop")
    net.add(*methods(hops))
    net.verify = verify_mtu_hole


@network
def no_icmp(net):
    """Hop 2 drops echo requests; TCP and UDP reach the target"""
    hops = net.chain(4)
    net.rule("r2", "forward", "icmp type echo-request drop", "icmpv6 type echo-request drop")
    net.add(silent("icmp", hops[:2]), reached("udp", hops, CLOSED_PORT), reached("tcp", hops, TCP_PORT))


@network
def no_udp(net):
    """Hop 2 drops UDP; TCP and ICMP reach the target"""
    hops = net.chain(4)
    net.rule("r2", "forward", "meta l4proto udp drop")
    net.add(reached("icmp", hops), silent("udp", hops[:2], CLOSED_PORT), reached("tcp", hops, TCP_PORT))


@network
def forged(net):
    """Hop 2 forges an answer to each packet, with a wrong or truncated quotation"""
    hops = net.chain(4)
    # traceroute believes some of the forgeries for TCP.
    net.add(*methods(hops))
    net.cases[2].verified = False
    net.service = forge
    net.verify = verify_forged


@network
def names(net):
    """Names of hops with escapes, a very long one, and one without a name"""
    net.add(*methods(net.chain(4)))
    net.node(CLIENT).addresses += [f"{address}/{128 if ':' in address else 32}" for address in name_servers()
                                   if not address.startswith("127.") and address != "::1"]
    net.service = answer_names
    net.verify = verify_names
    net.check = check_names

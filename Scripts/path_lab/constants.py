"""The addresses, ports and settings of all networks."""

# The user as whom reach runs.
NOBODY = 65534
FAMILIES = (4, 6)
EVERYWHERE = ("0.0.0.0/0", "::/0")
CLIENT, TARGET = "client", "target"
# The addresses of the target, and another one from which it answers in `other-address`.
TARGET_ADDRESS = ("198.51.100.9", "2001:db8:100::9")
OTHER_ADDRESS = ("198.51.100.99", "2001:db8:100::99")
# The source of forged answers.
FORGED_ADDRESS = ("203.0.113.66", "2001:db8:66::66")
# TCP and UDP servers of the target; other ports are closed.
TCP_PORT, UDP_PORT, CLOSED_PORT = 443, 53, 33434
# The answer to an expired packet.
EXPIRED = ("icmp type time-exceeded", "icmpv6 type time-exceeded")
# The ports of the three methods.
PORTS = (("icmp", 0), ("udp", CLOSED_PORT), ("tcp", TCP_PORT))
# The settings of all namespaces, below /proc/sys/net. A link has two ends only, so that redirects and the detection of
# duplicate addresses are of no use.
SETTINGS = {
    "ipv4/ip_forward": 1, "ipv6/conf/all/forwarding": 1,
    "ipv4/conf/all/rp_filter": 0, "ipv4/conf/default/rp_filter": 0,
    "ipv4/conf/all/send_redirects": 0, "ipv4/conf/default/send_redirects": 0,
    "ipv6/conf/all/accept_dad": 0, "ipv6/conf/default/accept_dad": 0,
    "ipv6/conf/default/dad_transmits": 0, "ipv6/conf/default/accept_ra": 0,
    # No automatic link-local addresses; each link has fixed ones.
    "ipv6/conf/default/addr_gen_mode": 1,
    "ipv4/ping_group_range": "0 2147483647",
}
# A router that answers all expired packets.
NO_LIMIT = {
    "ipv4/icmp_ratelimit": 0, "ipv4/icmp_msgs_per_sec": 1_000_000, "ipv4/icmp_msgs_burst": 1_000_000,
    "ipv6/icmp/ratelimit": 0,
}

import ReachMonitoring
import Testing

@testable import ReachProbing

struct LocalNetworkTests {
    private let here = IPAddress(literal: "192.0.2.7")
    private let there = IPAddress(literal: "198.51.100.1")
    private let lo = Interface(name: "lo", isUp: true, isRunning: true, isLoopback: true)

    private func eth0(_ addresses: String..., isUp: Bool = true, isRunning: Bool = true) -> Interface {
        Interface(
            name: "eth0",
            isUp: isUp,
            isRunning: isRunning,
            addresses: addresses.compactMap { IPAddress(literal: $0) }
        )
    }

    private func outcome(of name: String?, in network: LocalNetwork) -> Outcome {
        network.linkOutcome(of: name) { $0.isLoopback ? .loopback : .wired }
    }

    private func down(_ detail: String) -> Outcome {
        .failure(Failure(.linkDown, detail: detail))
    }

    private func up(_ detail: String) -> Outcome {
        .reply(Reply(roundTrip: nil, detail: detail))
    }

    @Test func `an interface is up if it is administratively up and has a carrier`() {
        #expect(outcome(of: "eth0", in: LocalNetwork(interfaces: [lo, eth0()])) == up("wired"))
        #expect(outcome(of: "lo", in: LocalNetwork(interfaces: [lo, eth0()])) == up("loopback"))
        #expect(outcome(of: "eth0", in: LocalNetwork(interfaces: [eth0(isUp: false)])) == down("eth0 is down"))
        let unplugged = LocalNetwork(interfaces: [eth0(isRunning: false)])
        #expect(outcome(of: "eth0", in: unplugged) == down("eth0 has no carrier"))
        #expect(outcome(of: "eth1", in: unplugged) == down("eth1 does not exist"))
    }

    @Test func `an outbound interface needs an address that is not link-local`() {
        let none = down("no outbound interface is up")
        #expect(outcome(of: nil, in: LocalNetwork(interfaces: [lo])) == none)
        #expect(outcome(of: nil, in: LocalNetwork(interfaces: [lo, eth0()])) == none)
        #expect(outcome(of: nil, in: LocalNetwork(interfaces: [eth0("fe80::1", "169.254.7.7")])) == none)
        #expect(outcome(of: nil, in: LocalNetwork(interfaces: [eth0("192.0.2.7", isRunning: false)])) == none)
        #expect(outcome(of: nil, in: LocalNetwork(interfaces: [eth0("192.0.2.7")])) == up("eth0, wired"))
        #expect(outcome(of: nil, in: LocalNetwork(interfaces: [eth0("fd00::7")])) == up("eth0, wired"))
    }

    @Test func `the outbound interface is that of the default route, and otherwise no bridge`() throws {
        let here = try #require(here)
        var other = Interface(name: "br0", isUp: true, isRunning: true, addresses: [here])
        let first = eth0("198.51.100.7")
        #expect(LocalNetwork(interfaces: [first, other], sources: [here]).outboundInterface?.name == "br0")
        other.isBridge = true
        #expect(LocalNetwork(interfaces: [other, first]).outboundInterface?.name == "eth0")
        #expect(LocalNetwork(interfaces: [other]).outboundInterface == nil)
        #expect(LocalNetwork(interfaces: [other], sources: [here]).outboundInterface?.name == "br0")
    }

    @Test func `a route has its interface, and fails without a carrier`() throws {
        let (here, there) = (try #require(here), try #require(there))
        let route = { (network: LocalNetwork, destination: IPAddress) in
            network.routeOutcome(to: destination, from: here) { $0.isLoopback ? .loopback : .wired }
        }
        let network = LocalNetwork(interfaces: [lo, eth0("192.0.2.7")])
        #expect(route(network, there) == up("eth0, wired, from 192.0.2.7"))
        #expect(route(network, here) == up("lo, loopback, from 192.0.2.7"), "this machine itself")
        let unplugged = LocalNetwork(interfaces: [lo, eth0("192.0.2.7", isRunning: false)])
        #expect(route(unplugged, there) == .failure(Failure(.noRoute, detail: "eth0 has no carrier")))
        #expect(route(LocalNetwork(interfaces: []), there) == up("from 192.0.2.7"))
    }

    @Test func `the interface of a target is that of its route, its own link, or the outbound one`() throws {
        let (here, there) = (try #require(here), try #require(IPAddress(literal: "198.51.100.7")))
        let other = try #require(IPAddress(literal: "203.0.113.9"))
        let wwan0 = Interface(name: "wwan0", isUp: true, isRunning: true, addresses: [there])
        let network = LocalNetwork(interfaces: [lo, eth0("192.0.2.7"), wwan0], sources: [there])
        #expect(network.interface(for: .icmp(host: "nas"), to: other, from: here)?.name == "eth0")
        #expect(network.interface(for: .icmp(host: "nas"), to: other, from: nil)?.name == "wwan0")
        #expect(network.interface(for: .icmp(host: "nas"), to: there, from: there)?.name == "lo", "this machine itself")
        #expect(network.interface(for: .link(interface: "eth0"), to: nil, from: nil)?.name == "eth0")
        #expect(network.interface(for: .link(interface: nil), to: nil, from: nil)?.name == "wwan0")
        #expect(network.interface(for: .exec(.shell("true")), to: nil, from: nil)?.name == "wwan0")
        #expect(network.interface(for: .link(interface: "eth9"), to: nil, from: nil) == nil)
        #expect(LocalNetwork(interfaces: [lo]).interface(for: .icmp(host: "nas"), to: other, from: nil) == nil)
    }

    @Test func `this machine is not reached over a mobile network`() {
        #expect(!Question.tcp(host: "127.0.0.1", port: 1).usesCellular(address: nil))
    }

    @Test func `outbound routes are better with a new link or default route`() throws {
        let here = try #require(here)
        let none = OutboundRoutes(
            of: LocalNetwork(interfaces: [lo, eth0("192.0.2.7", isRunning: false)], sources: [here])
        )
        let link = OutboundRoutes(of: LocalNetwork(interfaces: [lo, eth0("192.0.2.7")]))
        let route = OutboundRoutes(of: LocalNetwork(interfaces: [lo, eth0("192.0.2.7")], sources: [here]))
        #expect(link.isBetter(than: none))
        #expect(route.isBetter(than: link))
        #expect(!route.isBetter(than: route))
        #expect(!link.isBetter(than: route))
        #expect(!none.isBetter(than: route))
    }

    @Test func `a path has the interfaces of the default routes first, and the families with one`() throws {
        let four = try #require(IPAddress(literal: "192.0.2.9"))
        let other = Interface(name: "wlan0", isUp: true, isRunning: true, addresses: [four])
        let down = Interface(name: "eth1", isUp: false, isRunning: false, addresses: [four])
        let network = LocalNetwork(interfaces: [lo, down, eth0("192.0.2.7", "2001:db8::7"), other], sources: [four])
        let path = OutboundPath(of: network) { $0.name == "eth0" ? .wired : nil }
        #expect(path.interfaces.map(\.name) == ["wlan0", "eth0"])
        #expect(path.interfaces.map(\.kind) == [nil, .wired])
        #expect(path.supportsIPv4 && !path.supportsIPv6)
        #expect(OutboundPath(of: LocalNetwork(interfaces: [lo, down])) { _ in nil }.interfaces.isEmpty)
    }
}

struct LinkKindTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var files: [String: String] = [:]
        let kind: LinkKind?
        var testDescription: String { "\(name) \(files.keys.sorted())" }
    }

    @Test(arguments: [
        Case(name: "eth0", files: ["type": "1\n", "uevent": "INTERFACE=eth0\nIFINDEX=2\n"], kind: .wired),
        Case(name: "wlp2s0", files: ["type": "1\n", "uevent": "DEVTYPE=wlan\n"], kind: .wifi),
        Case(name: "wlan0", files: ["type": "1\n", "wireless": ""], kind: .wifi),
        Case(name: "mesh", files: ["type": "1\n", "phy80211": ""], kind: .wifi),
        Case(name: "wwan0", files: ["type": "1\n", "uevent": "DEVTYPE=wwan\n"], kind: .cellular),
        Case(name: "wwan0", files: ["type": "65534\n", "tun_flags": "0x1"], kind: .cellular),
        Case(name: "usb0", files: ["type": "65534\n", "uevent": "DEVTYPE=wwan\nINTERFACE=usb0\n"], kind: .cellular),
        Case(name: "office", files: ["type": "65534\n", "uevent": "DEVTYPE=wireguard\n"], kind: .vpn),
        Case(name: "tap0", files: ["type": "1\n", "tun_flags": "0x1002\n"], kind: .vpn),
        Case(name: "ppp0", files: ["type": "512\n"], kind: .vpn),
        Case(name: "any", files: ["type": "772\n"], kind: .loopback),
        Case(name: "tun0", kind: .vpn),
        Case(name: "pdp_ip0", kind: .cellular),
        Case(name: "lo0", kind: .loopback),
        Case(name: "x0", kind: nil),
    ])
    func `the kind is that of the system, or else derived from the name`(_ one: Case) {
        let interface = Interface(name: one.name, isUp: true, isRunning: true)
        #expect(LinkKind(of: interface, read: { one.files[$0] }) == one.kind)
    }
}

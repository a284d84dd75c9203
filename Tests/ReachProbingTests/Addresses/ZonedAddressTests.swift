import ReachMonitoring
import Testing

@testable import ReachProbing

struct ZonedAddressTests {
    private static let loopback = try? LocalNetwork.read().interfaces.first(where: \.isLoopback)?.name

    private func host(_ host: String, _ family: Family = .any) -> TargetHost {
        TargetHost(of: Target(name: "a", question: .icmp(host: host), family: family))
    }

    @Test(.enabled(if: loopback != nil, "no loopback interface here"))
    func `the zone of an address is resolved to an interface index`() throws {
        let text = "fe80::1%\(try #require(Self.loopback))"
        let address = try #require(IPAddress(literal: text))
        #expect(address.scope != 0)
        #expect(ZonedAddress(text)?.current == address)
        #expect(host(text) == .address(address))
        #expect(!WatchedTarget(number: 1, at: text).hasMoved)
    }

    @Test func `an address on a missing interface has no route`() {
        let failure = Failure(.noRoute, detail: "nowhere0 does not exist")
        #expect(host("fe80::1%nowhere0") == .unusable(failure))
        let other = Failure(.nameNotFound, detail: "fe80::1%nowhere0 is not an IPv4 address")
        #expect(host("fe80::1%nowhere0", .v4) == .unusable(other))
    }

    @Test(arguments: ["fe80::1", "fe80::1%7", "2001:db8::1%nowhere0", "nas%nowhere0", "192.0.2.1%nowhere0", "nas"])
    func `other hosts are not zoned addresses`(text: String) {
        #expect(ZonedAddress(text) == nil)
    }
}

extension WatchedTarget {
    fileprivate convenience init(number: Int, at host: String) {
        let target = Target(name: "a", question: .icmp(host: host))
        self.init(number: number, of: .init(id: Target.ID(0), target: target), prober: LinkProber.idle)
    }
}

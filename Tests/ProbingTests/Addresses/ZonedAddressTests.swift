import Monitoring
import Testing

@testable import Probing

struct ZonedAddressTests {
    private static let loopback = try? LocalNetwork.read().interfaces.first(where: \.isLoopback)?.name

    private func place(_ host: String, _ family: Family = .any) -> Place {
        Place(of: Target(name: "a", question: .icmp(host: host), family: family))
    }

    @Test(.enabled(if: loopback != nil, "no loopback interface here"))
    func `the interface of an address has an index`() throws {
        let text = "fe80::1%\(try #require(Self.loopback))"
        let address = try #require(IPAddress(literal: text))
        #expect(address.scope != 0)
        #expect(ZonedAddress(text)?.current == address)
        #expect(place(text) == .address(address))
        #expect(!Watch(number: 1, at: text).hasMoved)
    }

    @Test func `without its interface there is no route to an address`() {
        let failure = Failure(.noRoute, detail: "nowhere0 does not exist")
        #expect(place("fe80::1%nowhere0") == .unusable(failure))
        let other = Failure(.nameNotFound, detail: "fe80::1%nowhere0 is no IPv4 address")
        #expect(place("fe80::1%nowhere0", .v4) == .unusable(other))
    }

    @Test(arguments: ["fe80::1", "fe80::1%7", "2001:db8::1%nowhere0", "nas%nowhere0", "192.0.2.1%nowhere0", "nas"])
    func `nothing else depends on the name of an interface`(text: String) {
        #expect(ZonedAddress(text) == nil)
    }
}

extension Watch {
    fileprivate convenience init(number: Int, at host: String) {
        let target = Target(name: "a", question: .icmp(host: host))
        self.init(number: number, of: .init(id: Target.ID(0), target: target), prober: LinkProber { _ in })
    }
}

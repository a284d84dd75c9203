import NIOCore
import ReachMonitoring
import Testing

@testable import ReachProbing

struct IPAddressTests {
    @Test(arguments: ["0.0.0.0", "127.0.0.1", "255.1.2.254", "::", "::1", "2001:db8::8:800:200c:417a"])
    func `the description of a numeric address is the address`(text: String) throws {
        #expect(try #require(IPAddress(literal: text)).description == text)
    }

    @Test func `a name is not a numeric address`() {
        for text in ["localhost", "", "1.2.3.4.5", "[::1]", "fe80::1%no such interface"] {
            #expect(IPAddress(literal: text) == nil, "\(text)")
        }
    }

    @Test func `an IPv4-mapped address is the IPv4 address`() throws {
        let plain = IPAddress(ipv4: 0xC000_0201)
        #expect(IPAddress(literal: "::ffff:192.0.2.1") == plain)
        #expect(try IPAddress(SocketAddress(ipAddress: "::ffff:c000:201", port: 1)) == plain)
        #expect(PeerIdentity("::ffff:192.0.2.1") == .address(plain))
        #expect(ResolverFile("nameserver ::ffff:192.0.2.1").resolvers == [plain])
        #expect(try Origin("::ffff:127.0.0.1", toward: plain) == .address(IPAddress(ipv4: 0x7F00_0001)))
        for text in ["::fffe:192.0.2.1", "::192.0.2.1", "1::ffff:192.0.2.1"] {
            #expect(IPAddress(literal: text)?.family == .ipv6)
        }
    }

    @Test func `an IPv4-mapped host is probed by IPv4 only`() throws {
        let host = "::ffff:192.0.2.1"
        func probed(_ family: ReachMonitoring.Family) throws -> TargetHost {
            TargetHost(of: Target(name: "A", question: try Question("icmp://\(host)"), family: family))
        }
        #expect(try probed(.any) == .address(IPAddress(ipv4: 0xC000_0201)))
        #expect(try probed(.v6) == .unusable(NameQuery(host, family: .v6).wrongAddress))
        let mapped = try #require(IPAddress(literal: host))
        #expect(Resolution(usable: [mapped], of: NameQuery("nas")) == .addresses([mapped]))
        let query = NameQuery("nas", family: .v6)
        #expect(Resolution(usable: [mapped], of: query) == .failure(query.noAddress))
    }

    @Test func `a name of multicast addresses has no usable address`() throws {
        let group = try #require(IPAddress(literal: "224.0.0.251"))
        let failure = Failure(.noRoute, detail: "nas has only multicast addresses")
        #expect(Resolution(usable: [group], of: NameQuery("nas")) == .failure(failure))
        #expect(try #require(IPAddress(literal: "ff02::1")).isMulticast)
        #expect(try !#require(IPAddress(literal: "fe80::1")).isMulticast)
    }

    @Test func `a link-local address keeps its interface`() throws {
        let loopback = try #require(IPAddress(literal: "fe80::1%lo"))
        #expect(loopback.scope != 0)
        #expect(loopback.description == "fe80::1%lo")
        #expect(IPAddress(loopback.socketAddress(port: 80)) == loopback)
        let elsewhere = try #require(IPAddress(literal: "fe80::1%99"))
        #expect(!loopback.isAnswered(by: elsewhere))
        #expect(loopback.isAnswered(by: try #require(IPAddress(literal: "fe80::1"))))
    }

    @Test func `any address of this machine may answer for the unspecified address`() throws {
        let unspecified = try #require(IPAddress(literal: "0.0.0.0"))
        #expect(unspecified.isAnswered(by: try #require(IPAddress(literal: "127.0.0.1"))))
        #expect(!unspecified.isAnswered(by: try #require(IPAddress(literal: "::1"))))
    }

    @Test func `a socket address converts to the same address`() throws {
        for text in ["192.0.2.7", "2001:db8::7"] {
            let address = try #require(IPAddress(literal: text))
            let socketAddress = address.socketAddress(port: 443)
            #expect(socketAddress.port == 443)
            #expect(socketAddress.ipAddress == text)
            #expect(IPAddress(socketAddress) == address)
        }
    }

    @Test func `this machine always has a route to itself`() throws {
        #expect(try #require(IPAddress(literal: "127.0.0.1")).routeFailure() == nil)
    }
}

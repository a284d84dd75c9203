import NIOCore
import Testing

@testable import Probing

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

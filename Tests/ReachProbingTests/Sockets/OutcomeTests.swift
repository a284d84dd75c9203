import NIOCore
import NIOSSL
import ReachMonitoring
import Testing

@testable import ReachProbing
import ReachSystem

struct OutcomeTests {
    @Test(
        arguments: [
            (ECONNREFUSED, .refused), (ECONNRESET, .reset), (EHOSTUNREACH, .hostUnreachable),
            (ENETUNREACH, .networkUnreachable), (ENETDOWN, .networkUnreachable), (EPIPE, .closed),
            (ENOPROTOOPT, .hostUnreachable),
        ] as [(CInt, Reason)]
    )
    func `errors of the peer and the network are failures`(code: CInt, reason: Reason) throws {
        #expect(Outcome(errno: code) == .failure(Failure(reason)))
        let address = try #require(IPAddress(literal: "192.0.2.1"))
        #expect(Outcome(IOError(errnoCode: code, reason: "connect"), to: address) == .failure(Failure(reason)))
    }

    @Test(
        arguments: [
            (EMFILE, .tooManyFiles), (ENFILE, .tooManyFiles), (ENOMEM, .noMemory), (ENOBUFS, .noMemory),
            (EADDRNOTAVAIL, .internal), (EPERM, .localFilter), (EACCES, .localFilter),
        ] as [(CInt, Fault.Problem)]
    )
    func `a shortage of this machine is a fault`(code: CInt, problem: Fault.Problem) {
        guard case .fault(let fault) = Outcome(errno: code) else {
            Issue.record("\(Outcome(errno: code))")
            return
        }
        #expect(fault.problem == problem)
    }

    @Test func `a fault has a fix`() {
        #expect(Fault(errno: EMFILE).cures.contains { $0.contains("65536") })
    }

    @Test func `an invalid argument is a missing interface or a blackhole route`()
        throws
    {
        let linkLocal = try #require(IPAddress(literal: "fe80::1"))
        guard case .fault(let fault) = Outcome(errno: EINVAL, to: linkLocal) else {
            Issue.record("\(Outcome(errno: EINVAL, to: linkLocal))")
            return
        }
        #expect(fault.detail.contains("fe80::1%eth0"))
        let blackhole = try #require(IPAddress(literal: "192.0.2.1"))
        #expect(Outcome(errno: EINVAL, to: blackhole) == .fault(.blackholeRoute))
    }

    @Test func `access is refused by this machine, or for IPv6 by a router`() throws {
        let loopback = try #require(IPAddress(literal: "127.0.0.1"))
        #expect(Outcome(errno: EACCES, to: loopback) == .fault(.localFilter))
        let other = try #require(IPAddress(literal: "::1"))
        #expect(Outcome(errno: EACCES, to: other) == .failure(Failure(.prohibited)))
        #expect(Outcome(IOError(errnoCode: EPERM, reason: "connect"), to: other) == .fault(.localFilter))
    }

    @Test(arguments: [ENETUNREACH, EACCES])
    func `an address of many hosts is named`(code: CInt) throws {
        let group = try #require(IPAddress(literal: "224.0.0.1"))
        let multicast = Fault(.internal, detail: "multicast address: use the address of a host")
        #expect(Outcome(errno: code, to: group) == .fault(multicast))
        // The network of the loopback interface has one.
        let broadcast = try #require(IPAddress(literal: "127.255.255.255"))
        let fault = Fault(.internal, detail: "broadcast address: use the address of a host")
        #expect(Outcome(errno: code, to: broadcast) == .fault(fault))
    }

    #if os(Linux)
    @Test(arguments: [EOPNOTSUPP, ENONET])
    func `the less common ICMP messages are failures`(code: CInt) {
        #expect(Outcome(errno: code) == .failure(Failure(.hostUnreachable)))
    }
    #endif

    @Test(arguments: [
        NIOSSLError.noCertificateToValidate, .readInInvalidTLSState, .uncleanShutdown, .unableToValidateCertificate,
        .shutdownFailed(.sslError([])), .handshakeFailed(.wantRead),
    ])
    func `no error of a TLS connection is a fault`(error: NIOSSLError) throws {
        let address = try #require(IPAddress(literal: "192.0.2.1"))
        guard case .failure = Outcome(tls: error, to: address) else {
            Issue.record("\(Outcome(tls: error, to: address))")
            return
        }
    }

    @Test func `a link-local address from a name server is ignored, without a fault`() throws {
        let nearby = try #require(IPAddress(literal: "fe80::1"))
        let far = try #require(IPAddress(literal: "192.0.2.1"))
        let name = NameQuery("nas")
        #expect(Resolution(usable: [nearby, far], of: name) == .addresses([far]))
        let failure = Failure(.noRoute, detail: "nas has only link-local addresses")
        #expect(Resolution(usable: [nearby], of: name) == .failure(failure))
        #expect(Resolution(usable: [], of: name) == nil)
    }

    @Test func `a connection that times out is a timeout`() throws {
        let address = try #require(IPAddress(literal: "192.0.2.1"))
        #expect(Outcome(errno: ETIMEDOUT) == .timeout)
        #expect(Outcome(ChannelError.connectTimeout(.seconds(1)), to: address) == .timeout)
    }

    @Test func `the resolver's codes distinguish a missing name from a failed resolver`() {
        #expect(Failure(resolverCode: EAI_NONAME, host: "nas") == Failure(.nameNotFound, detail: "nas not found"))
        #expect(Failure(resolverCode: EAI_AGAIN, host: "nas").reason == .resolverFailed)
        #expect(Failure(resolverCode: EAI_FAIL, host: "nas").reason == .resolverFailed)
    }

    @Test func `a long name is truncated`() {
        let host = String(repeating: "n", count: 8_000)
        let shown = String(repeating: "n", count: 60) + "…"
        #expect(Failure(resolverCode: EAI_NONAME, host: host).detail == "\(shown) not found")
        #expect(NameQuery(host, family: .v6).noAddress.detail == "\(shown) has no IPv6 address")
        #expect(NameQuery("192.0.2.1", family: .v6).wrongAddress.detail == "192.0.2.1 is not an IPv6 address")
    }
}

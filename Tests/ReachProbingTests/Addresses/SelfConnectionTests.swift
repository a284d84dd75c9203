#if os(Linux)
import ReachSystem

import NIOCore
import NIOPosix
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

/// Sockets connected to themselves, and peers that accept and reset.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SelfConnectionTests {
    /// A socket bound to a port that the kernel selects.
    private static func bound(_ type: CInt) throws -> (descriptor: CInt, port: UInt16, address: IPAddress) {
        let address = try #require(IPAddress(literal: "127.0.0.1"))
        let descriptor = socket(AF_INET, type, 0)
        try #require(address.withSocketAddress { bind(descriptor, $0, $1) } == 0)
        return (descriptor, try #require(LocalEndpoint(of: descriptor)).port, address)
    }

    @Test func `a connection from a port to itself is detected`() throws {
        let (descriptor, port, address) = try Self.bound(SocketType.stream)
        defer { closeDescriptor(descriptor) }
        try #require(address.withSocketAddress(port: port) { connect(descriptor, $0, $1) } == 0)
        let handshake = Handshake(of: descriptor)
        #expect(handshake.code == 0)
        #expect(handshake.isConnectedToItself(at: address, port: port))
        #expect(handshake.isConnectedToItself(at: IPAddress(ipv4: 0), port: port))
        #expect(!handshake.isConnectedToItself(at: address, port: port ^ 1))
        #expect(!handshake.isConnectedToItself(at: IPAddress(ipv4: 0x7F00_0002), port: port))
    }

    @Test func `a channel from a port to itself is detected, and one to a listener is accepted`() async throws {
        let (descriptor, port, address) = try Self.bound(SocketType.stream)
        closeDescriptor(descriptor)
        let itself = address.socketAddress(port: port)
        let group = MultiThreadedEventLoopGroup.singleton
        let channel = try await ClientBootstrap(group: group).bind(to: itself).connect(to: itself).get()
        #expect(channel.isConnectedToItself)
        try await channel.close()
        let listener = try await Listener.on()
        let there = address.socketAddress(port: listener.port)
        let other = try await ClientBootstrap(group: group).connect(to: there).get()
        #expect(!other.isConnectedToItself)
        try await other.close()
        try await listener.close()
    }

    @Test func `a connection to a listener is not one to itself`() async throws {
        let listener = try await Listener.on()
        let (descriptor, _, address) = try Self.bound(SocketType.stream)
        defer { closeDescriptor(descriptor) }
        try #require(address.withSocketAddress(port: listener.port) { connect(descriptor, $0, $1) } == 0)
        #expect(!Handshake(of: descriptor).isConnectedToItself(at: address, port: listener.port))
        try await listener.close()
    }

    @Test func `a peer that accepts and resets counts as a reply`() async throws {
        let (descriptor, port, address) = try Self.bound(SocketType.stream)
        defer { closeDescriptor(descriptor) }
        try #require(listen(descriptor, 5) == 0)
        let probe = Probe(
            target: Target.ID(0),
            watch: 1,
            sequence: 1,
            question: .tcp(host: "127.0.0.1", port: port),
            timeout: .seconds(20),
            made: .zero,
            address: address
        )
        let outcome = try await ProberBench.end(of: probe) { parts in
            // The peer accepts and resets before the prober checks.
            parts.loop.execute {
                let accepted = accept(descriptor, nil, nil)
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(accepted, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                closeDescriptor(accepted)
            }
            return HandshakeProber(parts.environment)
        }.outcome
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
    }
}
#endif

import NIOCore
import NIOPosix
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct OriginTests {
    private func fault(_ source: String, toward destination: String) throws -> Fault? {
        let destination = try #require(IPAddress(literal: destination))
        do throws(Fault) {
            let origin = try Origin(source, toward: destination)
            Issue.record("\(origin)")
            return nil
        } catch {
            return error
        }
    }

    @Test func `a source that this machine lacks is a fault with its name`() throws {
        let foreign = try fault("192.0.2.77", toward: "127.0.0.1")
        #expect(foreign == Fault(.noSource, detail: "source 192.0.2.77: not an address of this machine"))
        let unknown = try fault("nothing0", toward: "127.0.0.1")
        #expect(unknown == Fault(.noSource, detail: "source nothing0: not an interface or address of this machine"))
        let other = try fault("127.0.0.1", toward: "::1")
        #expect(other == Fault(.noSource, detail: "source 127.0.0.1: wrong address family for ::1"))
    }

    @Test func `an address of this machine is a source`() throws {
        let here = try #require(IPAddress(literal: "127.0.0.5"))
        let there = try #require(IPAddress(literal: "127.0.0.1"))
        #expect(try Origin("127.0.0.5", toward: there) == .address(here))
    }

    /// The questions for a local port by each method that connects.
    static let connecting: [@Sendable (UInt16) -> Question] = [
        { .tcp(host: "127.0.0.1", port: $0) }, { .session(host: "127.0.0.1", port: $0) },
        { .tls(host: "127.0.0.1", port: $0) },
        { .http(HTTPQuestion(isSecure: false, host: "127.0.0.1", port: $0)) },
        { .http(HTTPQuestion(isSecure: true, host: "127.0.0.1", port: $0)) },
    ]

    @Test(arguments: [("127.0.0.7", "127.0.0.7"), ("lo", "127.0.0.1")], connecting.indices)
    func `a connection leaves from its source`(route: (source: String, peer: String), index: Int) async throws {
        let peers = AsyncStream.makeStream(of: String?.self)
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                peers.continuation.yield(channel.remoteAddress?.ipAddress)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let port = UInt16(try #require(listener.localAddress?.port))
        let harness = EngineHarness()
        harness.watch([Self.connecting[index](port)], source: route.source)
        var arrivals = peers.stream.makeAsyncIterator()
        #expect(await arrivals.next() == route.peer)
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `a redirect is followed from the source`() async throws {
        let peers = AsyncStream.makeStream(of: String?.self)
        let second = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                peers.continuation.yield(channel.remoteAddress?.ipAddress)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.2", port: 0)
            .get()
        let port = try #require(second.localAddress?.port)
        let first = try await WebServer.on { _ in
            .send(WebServer.answer("302 Found", headers: "Location: http://127.0.0.2:\(port)/\r\n"))
        }
        let harness = EngineHarness()
        let options = HTTPOptions(follow: 1)
        let question = HTTPQuestion(isSecure: false, host: "127.0.0.1", port: first.port, options: options)
        harness.watch([.http(question)], source: "127.0.0.7")
        var arrivals = peers.stream.makeAsyncIterator()
        #expect(await arrivals.next() == "127.0.0.7")
        await harness.engine.shutdown()
        try await first.close()
        try await second.close()
    }

    @Test func `a route is looked up from its source`() async throws {
        let harness = EngineHarness()
        harness.watch([.route(host: "127.0.0.1")], source: "127.0.0.7")
        let observation = try #require(await harness.observations(1).first)
        guard case .reply(let reply) = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        #expect(reply.detail?.hasSuffix("from 127.0.0.7") == true, "\(reply.detail ?? "")")
        await harness.engine.shutdown()
    }

    @Test(arguments: [("127.0.0.7", "127.0.0.7"), ("lo", "127.0.0.1")])
    func `queries leave from their source, over UDP and TCP`(source: String, peer: String) async throws {
        let peers = AsyncStream.makeStream(of: String?.self)
        let server = try await NameServer.on { question in
            peers.continuation.yield(question.source.ipAddress)
            return [
                .send(DNSMessage.answer(to: question.query, isTruncated: !question.isStream, records: [.a(1, 2, 3, 4)]))
            ]
        }
        let harness = EngineHarness()
        let question = DNSQuestion(server: .host("127.0.0.1", port: server.port), name: "example.com")
        harness.watch([.dns(question)], interval: .milliseconds(500), timeout: .milliseconds(500), source: source)
        let observation = try #require(await harness.observations(1).first)
        guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        var arrivals = peers.stream.makeAsyncIterator()
        for _ in 1...2 { #expect(await arrivals.next() == peer) }
        await harness.engine.shutdown()
        try await server.close()
    }

    @Test(arguments: [("127.0.0.7", "127.0.0.7"), ("lo", "127.0.0.1")])
    func `a datagram probe leaves from its source`(source: String, peer: String) async throws {
        let peers = AsyncStream.makeStream(of: String?.self)
        let server = try await NameServer.on { question in
            peers.continuation.yield(question.source.ipAddress)
            return [.send(question.query)]
        }
        let harness = EngineHarness()
        harness.watch([.udp(host: "127.0.0.1", port: server.port, UDPOptions(send: "x"))], source: source)
        let observation = try #require(await harness.observations(1).first)
        guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        var arrivals = peers.stream.makeAsyncIterator()
        #expect(await arrivals.next() == peer)
        await harness.engine.shutdown()
        try await server.close()
    }

    @Test func `a source that this machine lacks is a fault of the probe`() async throws {
        let harness = EngineHarness()
        harness.watch(
            [
                .tcp(host: "127.0.0.1", port: 1), .icmp(host: "127.0.0.1"), .udp(host: "127.0.0.1", port: 1),
                .dns(DNSQuestion(server: .host("127.0.0.1", port: 1), name: "example.com")),
                .tls(host: "127.0.0.1", port: 1), .http(HTTPQuestion(isSecure: false, host: "127.0.0.1", port: 1)),
                .session(host: "127.0.0.1", port: 1), .route(host: "127.0.0.1"),
            ],
            // Reading the trusted authorities may take seconds on a busy machine.
            timeout: .seconds(20),
            source: "nothing0"
        )
        let observations = await harness.observations { Set($0.map(\.target)).count == 8 }
        for observation in observations {
            guard case .fault(let fault) = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            #expect(fault.problem == .noSource)
        }
        await harness.engine.shutdown()
    }

    @Test(.enabled(if: canOpenICMP, "no ICMP socket may be opened here"), arguments: ["127.0.0.9", "lo"])
    func `an echo request leaves from its source and is answered`(source: String) async throws {
        let harness = EngineHarness()
        harness.watch([.icmp(host: "127.0.0.1")], source: source)
        let observation = try #require(await harness.observations(1).first)
        guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        await harness.engine.shutdown()
    }
}

#if os(Linux)
import NIOCore
import NIOPosix
import ReachMonitoring
import ReachSystem
import TestSupport
import Testing

@testable import ReachProbing

/// Each phase of a round trip is as long as the delay injected into it: on the path, in the resolver or by the
/// peer.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct PhaseTests {
    /// The one-way latency. A connection, a handshake of TLS 1.3 (RFC 8446 §2) and a request take two of them each.
    private static let latency = Duration.milliseconds(60)
    private static let lookupTime = Duration.milliseconds(150)
    private static let handshakeDelay = Duration.milliseconds(180)
    private static let processingTime = Duration.milliseconds(130)
    private static let transferPause = Duration.milliseconds(220)

    private static func injected(_ phase: Phase) -> Duration {
        switch phase {
        case .resolve: lookupTime
        case .connect: latency * 2
        case .tls: latency * 2 + handshakeDelay
        case .processing: latency * 2 + processingTime
        case .transfer: transferPause
        }
    }

    @Test(
        .enabled("no private network can be made here") { await PrivateNetwork.isAllowed() },
        arguments: [
            (Method.http, [Phase.resolve, .connect, .processing, .transfer]),
            (.https, [.resolve, .connect, .tls, .processing, .transfer]),
            (.tls, [.resolve, .connect, .tls]),
        ]
    )
    func `each phase is as long as its injected delay`(method: Method, phases: [Phase]) async throws {
        var reply = try await reply(by: method)
        // A busy machine may lengthen a phase.
        for _ in 0..<2 where !reply.phases.allSatisfy(Self.isRight) { reply = try await self.reply(by: method) }
        let measured = reply.phases.map { "\($0.phase) \($0.duration.roundTripText)" }.joined(separator: ", ")
        print("\(method): \(measured)")
        #expect(reply.phases.map(\.phase) == phases)
        #expect(reply.phases.allSatisfy(Self.isRight), "\(measured)")
        // The lookup is not part of the round trip.
        let parts = reply.phases.filter { $0.phase != .resolve }
        #expect(parts.reduce(.zero) { $0 + $1.duration } == reply.roundTrip)
    }

    /// Returns whether a phase is within a fifth and a millisecond of its injected delay.
    private static func isRight(_ measured: Reply.PhaseTime) -> Bool {
        let expected = injected(measured.phase)
        let tolerance = expected / 5 + .milliseconds(1)
        return (expected - tolerance...expected + tolerance).contains(measured.duration)
    }

    /// Returns the reply of a slow peer on a slow path.
    private func reply(by method: Method) async throws -> Reply {
        // A thread stays in the network namespace that it was created in.
        let (near, home) = try await PrivateNetwork.enter {
            (try Tunnel(raisedAt: (192, 0, 2, 1)), MultiThreadedEventLoopGroup(numberOfThreads: 2))
        }
        let harness = EngineHarness(
            group: home,
            resolve: { _ in
                usleep(UInt32(Self.lookupTime / .microseconds(1)))
                return Resolution.system("192.0.2.2")
            }
        )
        let (far, group) = try await PrivateNetwork.enter {
            (try Tunnel(raisedAt: (192, 0, 2, 2)), MultiThreadedEventLoopGroup(numberOfThreads: 1))
        }
        let path = DelayedLink(Self.latency, between: (near, far))
        let root = try Authority()
        let server = try await WebServer.on(
            host: "192.0.2.2",
            group: group,
            tls: method == .http ? nil : root.certify().context(),
            firstReadDelay: method == .http ? nil : Self.handshakeDelay.amount,
            answer: { _ in
                .sendInTwoParts(
                    Self.processingTime.amount,
                    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfi",
                    Self.transferPause.amount,
                    "ne"
                )
            }
        )
        harness.watch(
            [try question(by: method, to: server, ca: root.file())],
            interval: .seconds(5),
            timeout: .seconds(5)
        )
        let observation = try #require(await harness.observations(1).first)
        await harness.engine.shutdown()
        try await home.shutdownGracefully()
        try await server.close()
        try await group.shutdownGracefully()
        withExtendedLifetime(path) {}
        guard case .reply(let reply) = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        return reply
    }

    private func question(by method: Method, to server: WebServer, ca: String) -> Question {
        let (host, options) = ("good.example", TLSOptions(ca: ca))
        guard method != .tls else { return .tls(host: host, port: server.port, options) }
        var question = HTTPQuestion(isSecure: method == .https, host: host, port: server.port)
        question.tls = options
        // Without a pattern, the response would end with its head.
        question.options.body = "fine"
        return .http(question)
    }
}

extension Duration {
    fileprivate var amount: TimeAmount { .nanoseconds(nanoseconds) }
}
#endif

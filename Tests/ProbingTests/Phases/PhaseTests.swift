#if os(Linux)
    import LibC
    import Monitoring
    import NIOCore
    import NIOPosix
    import TestSupport
    import Testing

    @testable import Probing

    /// Each phase is as long as what was put into it: by the way, by the resolver or by the peer.
    @Suite(.timeLimit(.minutes(1)))
    struct PhaseTests {
        /// What a packet takes in one direction. A connection, a handshake of TLS 1.3 (RFC 8446 §2) and a request take
        /// two of them each.
        private static let way = Duration.milliseconds(60)
        private static let lookUp = Duration.milliseconds(150)
        private static let hesitation = Duration.milliseconds(180)
        private static let thought = Duration.milliseconds(130)
        private static let pause = Duration.milliseconds(220)

        private static func injected(_ phase: Phase) -> Duration {
            switch phase {
            case .resolve: lookUp
            case .connect: way * 2
            case .tls: way * 2 + hesitation
            case .processing: way * 2 + thought
            case .transfer: pause
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
        func `each phase is as long as what was put into it`(method: Method, phases: [Phase]) async throws {
            var reply = try await reply(by: method)
            // A machine that stalls makes a phase longer, now and then.
            for _ in 0..<2 where !reply.phases.allSatisfy(Self.isRight) { reply = try await self.reply(by: method) }
            let told = reply.phases.map { "\($0.phase) \($0.duration.roundTripText)" }.joined(separator: ", ")
            print("\(method): \(told)")
            #expect(reply.phases.map(\.phase) == phases)
            #expect(reply.phases.allSatisfy(Self.isRight), "\(told)")
            // The target has no share in the time that its name takes.
            let parts = reply.phases.filter { $0.phase != .resolve }
            #expect(parts.reduce(.zero) { $0 + $1.duration } == reply.roundTrip)
        }

        /// Whether a phase is within a fifth and a millisecond of what was put into it.
        private static func isRight(_ told: Reply.PhaseTime) -> Bool {
            let expected = injected(told.phase)
            let tolerance = expected / 5 + .milliseconds(1)
            return (expected - tolerance...expected + tolerance).contains(told.duration)
        }

        /// The reply of a peer far away that takes its time over everything.
        private func reply(by method: Method) async throws -> Reply {
            // Whoever is to be in a network has to have threads that were made in it.
            let (near, home) = try await PrivateNetwork.enter {
                (try Tunnel(raisedAt: (192, 0, 2, 1)), MultiThreadedEventLoopGroup(numberOfThreads: 2))
            }
            let tower = Watchtower(
                group: home,
                resolve: { _ in
                    usleep(UInt32(Self.lookUp / .microseconds(1)))
                    return Resolution.system("192.0.2.2")
                }
            )
            let (far, group) = try await PrivateNetwork.enter {
                (try Tunnel(raisedAt: (192, 0, 2, 2)), MultiThreadedEventLoopGroup(numberOfThreads: 1))
            }
            let way = LongWay(Self.way, between: (near, far))
            let root = try Authority()
            let server = try await WebServer.on(
                host: "192.0.2.2",
                group: group,
                tls: method == .http ? nil : root.certify().context(),
                hesitation: method == .http ? nil : Self.hesitation.amount,
                answer: { _ in
                    .falter(
                        Self.thought.amount,
                        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfi",
                        Self.pause.amount,
                        "ne"
                    )
                }
            )
            tower.watch(
                [try question(by: method, to: server, ca: root.file())],
                interval: .seconds(5),
                timeout: .seconds(5)
            )
            let observation = try #require(await tower.observations(1).first)
            await tower.engine.shutdown()
            try await home.shutdownGracefully()
            try await server.close()
            try await group.shutdownGracefully()
            withExtendedLifetime(way) {}
            guard case .reply(let reply) = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            return reply
        }

        private func question(by method: Method, to server: WebServer, ca: String) -> Question {
            let (host, options) = ("good.example", TLSOptions(ca: ca))
            guard method != .tls else { return .tls(host: host, port: server.port, options) }
            var question = HTTPQuestion(isSecure: method == .https, host: host, port: server.port)
            question.tls = options
            // Without a pattern, the answer would end with its head.
            question.options.body = "fine"
            return .http(question)
        }
    }

    extension Duration {
        fileprivate var amount: TimeAmount { .nanoseconds(nanoseconds) }
    }
#endif

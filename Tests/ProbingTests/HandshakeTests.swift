#if os(Linux)
    import LibC

    import Monitoring
    import NIOCore
    import NIOPosix
    import Testing

    @testable import Probing

    @Suite(.timeLimit(.minutes(1)))
    struct HandshakeTests {
        private static func probe(_ port: UInt16, deadline: Duration) -> Probe {
            Probe(
                target: Target.ID(0),
                watch: 1,
                sequence: 1,
                question: .tcp(host: "127.0.0.1", port: port),
                timeout: deadline,
                made: .zero,
                address: IPAddress(literal: "127.0.0.1")
            )
        }

        @Test func `a round trip is all of the time, where the kernel had to ask twice`() async throws {
            let door = try FullListener()
            let outcome = try await ProberBench.end(of: Self.probe(door.port, deadline: .seconds(20))) { parts in
                // When this turn is over, the first question has been dropped.
                parts.loop.execute { door.open() }
                return HandshakeProber(loop: parts.loop, time: parts.time, tell: parts.tell)
            }.outcome
            guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
            // It asks again after a second.
            #expect(try #require(reply.roundTrip) > .milliseconds(900))
        }

        @Test func `who does not let us in in time is a timeout`() async throws {
            let door = try FullListener()
            let outcome = try await ProberBench.end(of: Self.probe(door.port, deadline: .milliseconds(50))) {
                HandshakeProber(loop: $0.loop, time: $0.time, tell: $0.tell)
            }.outcome
            #expect(outcome == .timeout)
            withExtendedLifetime(door) {}
        }

        @Test func `nothing is told of what is void, and whoever is asked after it has an outcome`() async throws {
            let door = try FullListener()
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let ended = try await loop.submit {
                var ended: [Int] = []
                let prober = HandshakeProber(loop: loop, time: { .zero }) { notice in
                    if case .ended(let probe, .timeout) = notice { ended.append(Int(probe.timeout / .seconds(1))) }
                }
                prober.ask(Self.probe(door.port, deadline: .seconds(1)))
                #expect(prober.nextDeadline == .seconds(1))
                prober.void(at: .zero)
                #expect(prober.nextDeadline == nil)
                prober.ask(Self.probe(door.port, deadline: .seconds(2)))
                prober.listen(isPolled: true)
                prober.expire(at: .seconds(3))
                #expect(prober.nextDeadline == nil)
                prober.keep(for: [])
                return ended
            }.get()
            #expect(ended == [2])
            withExtendedLifetime(door) {}
        }

        @Test func `of many who are asked at once, each has an outcome of its own`() async throws {
            let open = try await Listener.on()
            let shut = try await Listener.on()
            let shutPort = shut.port
            try await shut.close()
            let tower = Watchtower()
            let count = ConnectWatch.batch * 3
            tower.watch(
                (0..<count).map { .tcp(host: "127.0.0.1", port: $0.isMultiple(of: 3) ? shutPort : open.port) },
                interval: .milliseconds(500),
                timeout: .milliseconds(500)
            )
            tower.engine.perform(.now((0..<count).map { Target.ID($0) }))
            let observations = await tower.observations { Set($0.map(\.target)).count == count }
            for observation in observations {
                let isShut = (0..<count).first { Target.ID($0) == observation.target }?.isMultiple(of: 3)
                switch observation.outcome {
                case .reply: #expect(isShut == false)
                default: #expect(isShut == true && observation.outcome == .failure(Failure(.refused)))
                }
            }
            await tower.engine.shutdown()
            try await open.close()
        }

        @Test func `when nobody is left, what is needed is closed, and opened for the next`() async throws {
            let listener = try await Listener.on()
            let tower = Watchtower()
            for _ in 1...2 {
                tower.watch([.tcp(host: "127.0.0.1", port: listener.port)])
                let observation = try #require(await tower.observations(1).first)
                guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
                tower.engine.perform(.forget([Target.ID(0)]))
            }
            await tower.engine.shutdown()
            try await listener.close()
        }
    }
#endif

import NIOCore
import NIOPosix
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

/// A name with several addresses, of which the first ones are dead.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SeveralAddressesTests {
    private static let alive = "127.0.0.1"
    private static let refusing = "127.0.0.2"
    private static let silent = "127.0.0.3"

    private static func harness(_ hosts: String...) -> EngineHarness {
        let addresses = hosts.compactMap { IPAddress(literal: $0) }
        return EngineHarness(resolve: { _ in .addresses(addresses) })
    }

    /// A question for each method that connects.
    private static func questions(_ port: UInt16) -> [Question] {
        [
            .tcp(host: "nas", port: port),
            .tcp(host: "nas", port: port, TCPOptions(send: "GET / HTTP/1.1\r\n\r\n", expect: "200")),
            .http(HTTPQuestion(isSecure: false, host: "nas", port: port, path: "/")),
            .session(host: "nas", port: port, SessionOptions()),
        ]
    }

    @Test(arguments: 0..<4)
    func `the next address is tried when the first refuses`(method: Int) async throws {
        let server = try await WebServer.on(host: Self.alive)
        let harness = Self.harness(Self.refusing, Self.alive)
        harness.watch([Self.questions(server.port)[method]], timeout: .seconds(20))
        let observations = await harness.observations(2)
        for observation in observations {
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            #expect(observation.address == Self.alive)
        }
        await harness.engine.shutdown()
        try await server.close()
    }

    @Test(arguments: 0..<4)
    func `the next address is tried when the first times out`(method: Int) async throws {
        let server = try await WebServer.on(host: Self.alive)
        let full = try FullListener(host: Self.silent, port: server.port)
        let harness = Self.harness(Self.silent, Self.alive)
        let start = ContinuousClock.now
        harness.watch([Self.questions(server.port)[method]], timeout: .seconds(20))
        let observations = await harness.observations(3)
        // The first probe waits for 250 ms; the others go to the address that replied.
        #expect(ContinuousClock.now - start > .milliseconds(250))
        for observation in observations {
            guard case .reply(let reply) = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            #expect(observation.address == Self.alive)
            // The round trip starts with the first packet to this address.
            if let roundTrip = reply.roundTrip { #expect(roundTrip < .milliseconds(200)) }
        }
        withExtendedLifetime(full) {}
        await harness.engine.shutdown()
        try await server.close()
    }

    @Test func `a TLS handshake uses the address that accepts`() async throws {
        let authority = try Authority()
        let server = try await WebServer.on(host: Self.alive, tls: authority.certify().context())
        let harness = Self.harness(Self.refusing, Self.alive)
        let options = TLSOptions(ca: try authority.file())
        harness.watch([.tls(host: "good.example", port: server.port, options)], timeout: .seconds(20))
        let observation = try #require(await harness.observations(1).first)
        guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        #expect(observation.address == Self.alive)
        await harness.engine.shutdown()
        try await server.close()
    }

    @Test(arguments: 0..<4)
    func `when every address fails, the most informative outcome is reported`(method: Int) async throws {
        let listener = try await Listener.on(host: Self.alive)
        let port = listener.port
        try await listener.close()
        let full = try FullListener(host: Self.silent, port: port)
        let harness = Self.harness(Self.silent, Self.refusing)
        harness.watch([Self.questions(port)[method]], interval: .milliseconds(600), timeout: .milliseconds(600))
        let observation = try #require(await harness.observations(1).first)
        #expect(observation.outcome == .failure(Failure(.refused)))
        #expect(observation.address == Self.refusing)
        withExtendedLifetime(full) {}
        await harness.engine.shutdown()
    }

    @Test func `the address that replies stays in use until it refuses`() async throws {
        let first = try await Listener.on(host: Self.alive)
        let second = try await Listener.on(host: Self.refusing, port: first.port)
        let harness = Self.harness(Self.alive, Self.refusing)
        harness.watch([.tcp(host: "nas", port: first.port)], timeout: .seconds(20))
        #expect(await harness.observations(2).map(\.address) == [Self.alive, Self.alive])
        try await first.close()
        let after = await harness.observations { $0.last?.address == Self.refusing }
        #expect(after.allSatisfy { if case .reply = $0.outcome { true } else { false } })
        try await second.close()
        await harness.engine.shutdown()
    }

    @Test func `a refused datagram is sent to the next address at once`() async throws {
        let server = try await NameServer.on(host: Self.alive) { [.send($0.query)] }
        let harness = Self.harness(Self.refusing, Self.alive)
        harness.watch([.udp(host: "nas", port: server.port, UDPOptions(send: "x"))], timeout: .seconds(20))
        for observation in await harness.observations(2) {
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            #expect(observation.address == Self.alive)
        }
        await harness.engine.shutdown()
        try await server.close()
    }

    @Test func `a datagram without a reply is sent to the next address before the target is down`() async throws {
        let server = try await NameServer.on(host: Self.alive) { [.send($0.query)] }
        let deaf = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: Self.silent, port: Int(server.port)).get()
        let harness = Self.harness(Self.silent, Self.alive)
        let question = Question.udp(host: "nas", port: server.port, UDPOptions(send: "x"))
        let target = Target(
            name: "nas",
            question: question,
            interval: .milliseconds(200),
            timeout: .milliseconds(200),
            thresholds: Thresholds(fall: 1)
        )
        harness.engine.perform(.watch([ProbeRequest.Assignment(id: Target.ID(0), target: target)]))
        for observation in await harness.observations(2) {
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            #expect(observation.address == Self.alive)
        }
        await harness.engine.shutdown()
        try await deaf.close()
        try await server.close()
    }

    @Test(.enabled(if: canOpenICMP, "no ICMP socket may be opened here"))
    func `an echo request that cannot be sent goes to the next address`() async throws {
        // To a broadcast address the kernel sends nothing, unless SO_BROADCAST is set.
        let harness = Self.harness("255.255.255.255", Self.alive)
        harness.watch([.icmp(host: "nas")], timeout: .seconds(1))
        for observation in await harness.observations(3) {
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            #expect(observation.address == Self.alive)
        }
        await harness.engine.shutdown()
    }

    @Test func `an event reports that the address in use no longer belongs to the name`() async throws {
        let lookups = Mutex(0)
        let addresses = [Self.refusing, Self.alive, Self.silent].compactMap { IPAddress(literal: $0) }
        let server = try await Listener.on(host: Self.alive)
        let harness = EngineHarness(resolve: { _ in
            let count = lookups.withLock { lookups in
                lookups += 1
                return lookups
            }
            return .addresses(count == 1 ? Array(addresses[..<2]) : [addresses[2]])
        })
        harness.watch([.tcp(host: "nas", port: server.port)], timeout: .milliseconds(200))
        _ = await harness.observations(1)
        try await server.close()
        var found: Finding?
        while found == nil {
            found = await harness.batch().first { if case .addressChanged = $0 { true } else { false } }
        }
        guard case .addressChanged(_, let from, let to, _)? = found else { return }
        #expect(from != Self.silent && to == Self.silent)
        await harness.engine.shutdown()
    }
}

/// Targets with a row for each address of their name.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct EachAddressTests {
    private static let one = "127.0.0.1"
    private static let other = "127.0.0.2"

    private func target(_ addresses: AddressChoice, port: UInt16) -> Target {
        Target(
            name: "nas",
            question: .tcp(host: "nas", port: port),
            addresses: addresses,
            interval: .milliseconds(50),
            timeout: .milliseconds(500)
        )
    }

    private func addresses(in batch: [Finding]) -> [(Target.ID, [String])] {
        batch.compactMap { if case .addresses(let id, let addresses, _) = $0 { (id, addresses) } else { nil } }
    }

    private func observations(in batch: [Finding]) -> [Observation] {
        batch.compactMap { if case .observation(let observation) = $0 { observation } else { nil } }
    }

    @Test func `the addresses of a name are reported before it is probed, once`() async throws {
        let server = try await Listener.on(host: Self.one)
        let harness = EngineHarness(resolve: { _ in
            .addresses([Self.one, Self.other].compactMap { IPAddress(literal: $0) })
        })
        harness.engine.perform(
            .watch([ProbeRequest.Assignment(id: Target.ID(0), target: target(.each, port: server.port))])
        )
        var findings: [Finding] = []
        while observations(in: findings).count < 5 { findings += await harness.batch() }
        await harness.engine.shutdown()
        try await server.close()
        let found = addresses(in: findings)
        #expect(found.map(\.1) == [[Self.one, Self.other]])
        let first = findings.first { if case .link = $0 { false } else { true } }
        guard case .addresses? = first else {
            Issue.record("\(String(describing: first)) came first")
            return
        }
    }

    @Test func `a row is probed at its own address, even if another one replies`() async throws {
        let server = try await Listener.on(host: Self.one)
        let harness = EngineHarness(resolve: { _ in
            .addresses([Self.one, Self.other].compactMap { IPAddress(literal: $0) })
        })
        let rows = [Self.one, Self.other].enumerated().map { index, address in
            ProbeRequest.Assignment(id: Target.ID(index), target: target(.only(address), port: server.port))
        }
        harness.engine.perform(.watch(rows))
        let observations = await harness.observations { all in
            (0..<2).allSatisfy { row in all.count { $0.target == Target.ID(row) } >= 3 }
        }
        await harness.engine.shutdown()
        try await server.close()
        for observation in observations {
            switch (observation.target, observation.outcome) {
            case (Target.ID(0), .reply): #expect(observation.address == Self.one)
            case (Target.ID(1), .failure(let failure)):
                #expect(failure.reason == .refused)
                #expect(observation.address == Self.other)
            default: Issue.record("\(observation)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `a change of addresses is reported, also for a session`(holds: Bool) async throws {
        let lookups = Mutex(0)
        let jump = Mutex(Duration.zero)
        let server = try await Listener.on(host: Self.one)
        let harness = EngineHarness(
            clockOffset: { jump.withLock(\.self) },
            resolve: { _ in
                let count = lookups.withLock { lookups in
                    lookups += 1
                    return lookups
                }
                let names = count == 1 ? [Self.one] : [Self.one, Self.other]
                return .addresses(names.compactMap { IPAddress(literal: $0) })
            }
        )
        var row = target(.only(Self.one), port: server.port)
        if holds { row.question = .session(host: "nas", port: server.port) }
        harness.engine.perform(.watch([ProbeRequest.Assignment(id: Target.ID(0), target: row)]))
        var findings: [Finding] = []
        while observations(in: findings).count < 3 { findings += await harness.batch() }
        #expect(addresses(in: findings).map(\.1) == [[Self.one]])
        // The first lookup is cached for a minute.
        jump.withLock { $0 = .seconds(70) }
        while addresses(in: findings).count < 2 { findings += await harness.batch() }
        await harness.engine.shutdown()
        try await server.close()
        #expect(addresses(in: findings).last?.1 == [Self.one, Self.other])
    }
}

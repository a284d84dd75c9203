import Monitoring
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import Probing

/// A name with several addresses, of which the first ones are dead.
@Suite(.timeLimit(.minutes(1)))
struct SeveralAddressesTests {
    private static let alive = "127.0.0.1"
    private static let refusing = "127.0.0.2"
    private static let silent = "127.0.0.3"

    private static func tower(_ hosts: String...) -> Watchtower {
        let addresses = hosts.compactMap { IPAddress(literal: $0) }
        return Watchtower(resolve: { _ in .addresses(addresses) })
    }

    /// A question by each method that connects.
    private static func questions(_ port: UInt16) -> [Question] {
        [
            .tcp(host: "nas", port: port),
            .tcp(host: "nas", port: port, TCPOptions(send: "GET / HTTP/1.1\r\n\r\n", expect: "200")),
            .http(HTTPQuestion(isSecure: false, host: "nas", port: port, path: "/")),
            .session(host: "nas", port: port, SessionOptions()),
        ]
    }

    @Test(arguments: 0..<4)
    func `the next address is connected to when the first refuses`(method: Int) async throws {
        let server = try await WebServer.on(host: Self.alive)
        let tower = Self.tower(Self.refusing, Self.alive)
        tower.watch([Self.questions(server.port)[method]], timeout: .seconds(20))
        let observations = await tower.observations(2)
        for observation in observations {
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            #expect(observation.address == Self.alive)
        }
        await tower.engine.shutdown()
        try await server.close()
    }

    @Test(arguments: 0..<4)
    func `the next address is connected to when the first is silent`(method: Int) async throws {
        let server = try await WebServer.on(host: Self.alive)
        let full = try FullListener(host: Self.silent, port: server.port)
        let tower = Self.tower(Self.silent, Self.alive)
        let start = ContinuousClock.now
        tower.watch([Self.questions(server.port)[method]], timeout: .seconds(20))
        let observations = await tower.observations(3)
        // The first one waits for 250 ms; the others go where there was an answer.
        #expect(ContinuousClock.now - start > .milliseconds(250))
        for observation in observations {
            guard case .reply(let reply) = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            #expect(observation.address == Self.alive)
            // Its own round trip, and nothing of what passed before its first packet.
            if let roundTrip = reply.roundTrip { #expect(roundTrip < .milliseconds(200)) }
        }
        withExtendedLifetime(full) {}
        await tower.engine.shutdown()
        try await server.close()
    }

    @Test func `a handshake of TLS goes to the address that accepts`() async throws {
        let authority = try Authority()
        let server = try await WebServer.on(host: Self.alive, tls: authority.certify().context())
        let tower = Self.tower(Self.refusing, Self.alive)
        let options = TLSOptions(ca: try authority.file())
        tower.watch([.tls(host: "good.example", port: server.port, options)], timeout: .seconds(20))
        let observation = try #require(await tower.observations(1).first)
        guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        #expect(observation.address == Self.alive)
        await tower.engine.shutdown()
        try await server.close()
    }

    @Test(arguments: 0..<4)
    func `when every address fails, the most informative outcome is reported`(method: Int) async throws {
        let listener = try await Listener.on(host: Self.alive)
        let port = listener.port
        try await listener.close()
        let full = try FullListener(host: Self.silent, port: port)
        let tower = Self.tower(Self.silent, Self.refusing)
        tower.watch([Self.questions(port)[method]], interval: .milliseconds(600), timeout: .milliseconds(600))
        let observation = try #require(await tower.observations(1).first)
        #expect(observation.outcome == .failure(Failure(.refused)))
        #expect(observation.address == Self.refusing)
        withExtendedLifetime(full) {}
        await tower.engine.shutdown()
    }

    @Test func `the address that answers is kept, and left when it refuses`() async throws {
        let first = try await Listener.on(host: Self.alive)
        let second = try await Listener.on(host: Self.refusing, port: first.port)
        let tower = Self.tower(Self.alive, Self.refusing)
        tower.watch([.tcp(host: "nas", port: first.port)], timeout: .seconds(20))
        #expect(await tower.observations(2).map(\.address) == [Self.alive, Self.alive])
        try await first.close()
        let after = await tower.observations { $0.last?.address == Self.refusing }
        #expect(after.allSatisfy { if case .reply = $0.outcome { true } else { false } })
        try await second.close()
        await tower.engine.shutdown()
    }

    @Test func `a datagram that is refused is sent to the next address at once`() async throws {
        let server = try await NameServer.on(host: Self.alive) { [.say($0.query)] }
        let tower = Self.tower(Self.refusing, Self.alive)
        tower.watch([.udp(host: "nas", port: server.port, UDPOptions(send: "x"))], timeout: .seconds(20))
        for observation in await tower.observations(2) {
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            #expect(observation.address == Self.alive)
        }
        await tower.engine.shutdown()
        try await server.close()
    }

    @Test func `a datagram without an answer is sent to the next address before the target is down`() async throws {
        let server = try await NameServer.on(host: Self.alive) { [.say($0.query)] }
        let deaf = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: Self.silent, port: Int(server.port)).get()
        let tower = Self.tower(Self.silent, Self.alive)
        let question = Question.udp(host: "nas", port: server.port, UDPOptions(send: "x"))
        let target = Target(
            name: "nas",
            question: question,
            interval: .milliseconds(200),
            timeout: .milliseconds(200),
            thresholds: Thresholds(fall: 1)
        )
        tower.engine.perform(.watch([ProbeRequest.Assignment(id: Target.ID(0), target: target)]))
        for observation in await tower.observations(2) {
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            #expect(observation.address == Self.alive)
        }
        await tower.engine.shutdown()
        try await deaf.close()
        try await server.close()
    }

    @Test(.enabled(if: canOpenICMP, "no ICMP socket may be opened here"))
    func `an echo request that cannot leave is sent to the next address`() async throws {
        // To a broadcast address the kernel sends nothing, unless it is told to.
        let tower = Self.tower("255.255.255.255", Self.alive)
        tower.watch([.icmp(host: "nas")], timeout: .seconds(1))
        for observation in await tower.observations(3) {
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            #expect(observation.address == Self.alive)
        }
        await tower.engine.shutdown()
    }

    @Test func `an event is told when the address in use is no longer one of the name`() async throws {
        let lookups = Mutex(0)
        let addresses = [Self.refusing, Self.alive, Self.silent].compactMap { IPAddress(literal: $0) }
        let server = try await Listener.on(host: Self.alive)
        let tower = Watchtower(resolve: { _ in
            let count = lookups.withLock { lookups in
                lookups += 1
                return lookups
            }
            return .addresses(count == 1 ? Array(addresses[..<2]) : [addresses[2]])
        })
        tower.watch([.tcp(host: "nas", port: server.port)], timeout: .milliseconds(200))
        _ = await tower.observations(1)
        try await server.close()
        var found: Finding?
        while found == nil {
            found = await tower.batch().first { if case .addressChanged = $0 { true } else { false } }
        }
        guard case .addressChanged(_, let from, let to, _)? = found else { return }
        #expect(from != Self.silent && to == Self.silent)
        await tower.engine.shutdown()
    }
}

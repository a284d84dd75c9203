import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct NameTests {
    @Test func `unknown and unresponsive names delay no other target`() async throws {
        let listener = try await Listener.on()
        let hang = Hang()
        let harness = EngineHarness(resolve: { host in
            switch host {
            case "unknown": return .failure(Failure(.nameNotFound))
            case "hangs":
                hang.wait()
                return .failure(Failure(.resolverFailed))
            default: return Resolution.system("127.0.0.1")
            }
        })
        let hosts = ["unknown", "hangs"] + (0..<48).map { $0.isMultiple(of: 2) ? "127.0.0.1" : "name\($0)" }
        harness.watch(
            hosts.map { .tcp(host: $0, port: listener.port) },
            interval: .seconds(1),
            timeout: .milliseconds(900)
        )
        let observations = await harness.observations { Set($0.map(\.target)).count == 50 }
        for observation in observations {
            switch (hosts[observation.target.rawValue], observation.outcome) {
            case ("unknown", let outcome):
                #expect(outcome == .failure(Failure(.nameNotFound)))
                #expect(observation.address == nil)
            case ("hangs", let outcome):
                let failure = Failure.awaitingResolver(of: "hangs")
                #expect(outcome == .failure(failure))
            case (_, .reply):
                #expect(observation.address == "127.0.0.1")
                // The first probes are spread over one interval; none waits for another.
                if observation.sequence == 1 { #expect(observation.time < .milliseconds(1_500)) }
            default:
                Issue.record("\(observation)")
            }
        }
        hang.end()
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `a name that resolves does not wait behind forty that hang`() async throws {
        let listener = try await Listener.on()
        let hang = Hang()
        let harness = EngineHarness(resolve: { host in
            guard host.hasPrefix("hangs") else { return Resolution.system("127.0.0.1") }
            hang.wait()
            return .failure(Failure(.resolverFailed))
        })
        let hosts = (0..<40).map { "hangs\($0)" } + ["good"]
        harness.watch(
            hosts.map { .tcp(host: $0, port: listener.port) },
            interval: .seconds(1),
            timeout: .milliseconds(900)
        )
        let observations = await harness.observations { $0.contains { $0.target.rawValue == 40 } }
        guard case .reply? = observations.last?.outcome else {
            Issue.record("\(observations)")
            return
        }
        hang.end()
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `targets with the same name share one lookup`() async throws {
        let listener = try await Listener.on()
        let lookups = Mutex(0)
        let harness = EngineHarness(resolve: { _ in
            lookups.withLock { $0 += 1 }
            return Resolution.system("127.0.0.1")
        })
        harness.watch(Array(repeating: .tcp(host: "nas", port: listener.port), count: 20))
        _ = await harness.observations { Set($0.map(\.target)).count == 20 }
        #expect(lookups.withLock { $0 } == 1)
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `a name that hangs has one lookup, and its target one outcome per interval`() async {
        let lookups = Mutex(0)
        let hang = Hang()
        let harness = EngineHarness(resolve: { _ in
            lookups.withLock { $0 += 1 }
            hang.wait()
            return .failure(Failure(.resolverFailed))
        })
        harness.watch([.icmp(host: "nas")], interval: .milliseconds(50), timeout: .milliseconds(50))
        let observations = await harness.observations(4)
        #expect(observations.map(\.sequence) == [1, 2, 3, 4])
        #expect(lookups.withLock { $0 } == 1)
        hang.end()
        await harness.engine.shutdown()
    }

    @Test func `numeric addresses need no lookup`() async throws {
        let listener = try await Listener.on()
        let harness = EngineHarness(resolve: { host in
            Issue.record("looked up \(host)")
            return .failure(Failure(.resolverFailed))
        })
        harness.watch([.tcp(host: "127.0.0.1", port: listener.port)])
        _ = await harness.observations(1)
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `an engine shuts down while a lookup hangs`() async {
        let hang = Hang()
        let harness = EngineHarness(resolve: { _ in
            hang.wait()
            return .failure(Failure(.resolverFailed))
        })
        harness.watch([.icmp(host: "nas")], interval: .milliseconds(50), timeout: .milliseconds(50))
        _ = await harness.observations(1)
        await harness.engine.shutdown()
        hang.end()
    }
}

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct FamilyTests {
    private static let four = IPAddress(literal: "127.0.0.1")
    private static let six = IPAddress(literal: "::1")

    @Test func `only the addresses of the wanted family count`() throws {
        let (four, six) = (try #require(Self.four), try #require(Self.six))
        let both = Resolution.addresses([six, four])
        #expect(both.only(NameQuery("nas")) == both)
        #expect(both.only(NameQuery("nas", family: .v4)) == .addresses([four]))
        #expect(both.only(NameQuery("nas", family: .v6)) == .addresses([six]))
        let failure = Failure(.nameNotFound, detail: "nas.local has no IPv6 address")
        #expect(Resolution.addresses([four]).only(NameQuery("nas.local", family: .v6)) == .failure(failure))
        let unknown = Resolution.failure(Failure(.resolverFailed))
        #expect(unknown.only(NameQuery("nas", family: .v6)) == unknown)
    }

    @Test func `a numeric host is an address, or unusable in the other family`() throws {
        let four = try #require(Self.four)
        let question = Question.icmp(host: "127.0.0.1")
        #expect(TargetHost(of: Target(name: "a", question: question)) == .address(four))
        #expect(TargetHost(of: Target(name: "a", question: question, family: .v4)) == .address(four))
        let failure = Failure(.nameNotFound, detail: "127.0.0.1 is not an IPv6 address")
        #expect(TargetHost(of: Target(name: "a", question: question, family: .v6)) == .unusable(failure))
        #expect(TargetHost(of: Target(name: "a", question: .link(interface: nil), family: .v6)) == .none)
    }

    @Test func `the source address decides the family if the target allows any`() {
        func host(_ family: Family, from source: String) -> TargetHost {
            TargetHost(of: Target(name: "a", question: .icmp(host: "nas"), family: family, source: source))
        }
        #expect(host(.any, from: "192.0.2.1") == .name(NameQuery("nas", family: .v4)))
        #expect(host(.any, from: "2001:db8::1") == .name(NameQuery("nas", family: .v6)))
        #expect(host(.v6, from: "192.0.2.1") == .name(NameQuery("nas", family: .v6)))
        #expect(host(.any, from: "fe80::7%nowhere0") == .name(NameQuery("nas", family: .v6)), "also before it exists")
        #expect(host(.any, from: "eth0") == .name(NameQuery("nas", family: .any)))
    }

    @Test(arguments: [(Family.v4, "127.0.0.1"), (.v6, "::1")])
    func `the address of the wanted family is probed`(family: Family, address: String) async throws {
        let four = try await Listener.on()
        let harness = EngineHarness(resolve: { _ in .addresses([Self.six, Self.four].compactMap(\.self)) })
        harness.watch([.tcp(host: "here", port: four.port)], family: family)
        let observation = try #require(await harness.observations(1).first)
        #expect(observation.address == address)
        await harness.engine.shutdown()
        try await four.close()
    }

    @Test func `a name without an address of the family is a failure with the reason`() async throws {
        let harness = EngineHarness(resolve: { _ in .addresses([Self.four].compactMap(\.self)) })
        harness.watch([.tcp(host: "nas.local", port: 1), .icmp(host: "127.0.0.1")], family: .v6)
        let observations = await harness.observations { Set($0.map(\.target)).count == 2 }
        for observation in observations {
            let subject = observation.target == Target.ID(0) ? "nas.local has no" : "127.0.0.1 is not an"
            let failure = Failure(.nameNotFound, detail: "\(subject) IPv6 address")
            #expect(observation.outcome == .failure(failure))
            #expect(observation.address == nil)
        }
        await harness.engine.shutdown()
    }

    @Test func `the system's resolver queries the wanted family`() {
        #expect(Resolution.system(NameQuery("127.0.0.1", family: .v4)) == Self.four.map { .addresses([$0]) })
        let failure = Failure(.nameNotFound, detail: "127.0.0.1 has no IPv6 address")
        #expect(Resolution.system(NameQuery("127.0.0.1", family: .v6)) == .failure(failure))
    }
}

/// A name whose address changes while a probe to the old one is in flight.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct MovedNameTests {
    private static let dead = "127.0.0.3"

    /// The first observation after the change, away from an address that accepts no connections.
    private func observation(movingTo new: String, port: UInt16) async throws -> Observation? {
        let full = try FullListener(host: Self.dead, port: port)
        let lookups = Mutex(0)
        let offset = Mutex(Duration.zero)
        let addresses = [Self.dead, new].compactMap { IPAddress(literal: $0) }
        let harness = EngineHarness(
            clockOffset: { offset.withLock { $0 } },
            resolve: { _ in
                let count = lookups.withLock { lookups in
                    defer { lookups += 1 }
                    return lookups
                }
                return .addresses([addresses[min(count, 1)]])
            }
        )
        harness.watch([.tcp(host: "nas", port: port)], interval: .seconds(2), timeout: .seconds(1))
        let first = try #require(await harness.observations(1).first)
        #expect(first.outcome == .timeout && first.address == Self.dead)
        // After this time, the next probe looks the name up again.
        offset.withLock { $0 = .seconds(100) }
        let second = await harness.observations(1).first
        await harness.engine.shutdown()
        withExtendedLifetime(full) {}
        return second
    }

    @Test func `a loss at an old address does not count, and the new one is probed`() async throws {
        let listener = try await Listener.on(host: "127.0.0.1")
        let observation = try #require(try await observation(movingTo: "127.0.0.1", port: listener.port))
        #expect(observation.address == "127.0.0.1")
        guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        try await listener.close()
    }

    @Test func `a loss at the new address counts`() async throws {
        let listener = try await Listener.on(host: "127.0.0.1")
        let port = listener.port
        let full = try FullListener(host: "127.0.0.4", port: port)
        let observation = try #require(try await observation(movingTo: "127.0.0.4", port: port))
        #expect(observation.address == "127.0.0.4")
        #expect(observation.outcome == .timeout)
        withExtendedLifetime(full) {}
        try await listener.close()
    }
}

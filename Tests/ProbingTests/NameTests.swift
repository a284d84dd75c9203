import Monitoring
import Synchronization
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct NameTests {
    @Test func `names that are unknown or never answered delay nobody`() async throws {
        let listener = try await Listener.on()
        let hang = Hang()
        let tower = Watchtower(resolve: { host in
            switch host {
            case "unknown": return .failure(Failure(.nameNotFound))
            case "hangs":
                hang.wait()
                return .failure(Failure(.resolverFailed))
            default: return Resolution.system("127.0.0.1")
            }
        })
        let hosts = ["unknown", "hangs"] + (0..<48).map { $0.isMultiple(of: 2) ? "127.0.0.1" : "name\($0)" }
        tower.watch(
            hosts.map { .tcp(host: $0, port: listener.port) },
            interval: .seconds(1),
            timeout: .milliseconds(900)
        )
        let observations = await tower.observations { Set($0.map(\.target)).count == 50 }
        for observation in observations {
            switch (hosts[observation.target.rawValue], observation.outcome) {
            case ("unknown", let outcome):
                #expect(outcome == .failure(Failure(.nameNotFound)))
                #expect(observation.address == nil)
            case ("hangs", let outcome):
                let failure = Failure(.resolverFailed, detail: "the resolver does not answer for hangs")
                #expect(outcome == .failure(failure))
            case (_, .reply):
                #expect(observation.address == "127.0.0.1")
                // The first probes are spread over one interval, and none waits for another.
                if observation.sequence == 1 { #expect(observation.time < .milliseconds(1_500)) }
            default:
                Issue.record("\(observation)")
            }
        }
        hang.end()
        await tower.engine.shutdown()
        try await listener.close()
    }

    @Test func `a name that resolves does not wait behind forty that hang`() async throws {
        let listener = try await Listener.on()
        let hang = Hang()
        let tower = Watchtower(resolve: { host in
            guard host.hasPrefix("hangs") else { return Resolution.system("127.0.0.1") }
            hang.wait()
            return .failure(Failure(.resolverFailed))
        })
        let hosts = (0..<40).map { "hangs\($0)" } + ["good"]
        tower.watch(
            hosts.map { .tcp(host: $0, port: listener.port) },
            interval: .seconds(1),
            timeout: .milliseconds(900)
        )
        let observations = await tower.observations { $0.contains { $0.target.rawValue == 40 } }
        guard case .reply? = observations.last?.outcome else {
            Issue.record("\(observations)")
            return
        }
        hang.end()
        await tower.engine.shutdown()
        try await listener.close()
    }

    @Test func `targets of one name share its lookup`() async throws {
        let listener = try await Listener.on()
        let lookups = Mutex(0)
        let tower = Watchtower(resolve: { _ in
            lookups.withLock { $0 += 1 }
            return Resolution.system("127.0.0.1")
        })
        tower.watch(Array(repeating: .tcp(host: "nas", port: listener.port), count: 20))
        _ = await tower.observations { Set($0.map(\.target)).count == 20 }
        #expect(lookups.withLock { $0 } == 1)
        await tower.engine.shutdown()
        try await listener.close()
    }

    @Test func `a name that hangs is looked up once, and its target has one verdict an interval`() async {
        let lookups = Mutex(0)
        let hang = Hang()
        let tower = Watchtower(resolve: { _ in
            lookups.withLock { $0 += 1 }
            hang.wait()
            return .failure(Failure(.resolverFailed))
        })
        tower.watch([.icmp(host: "nas")], interval: .milliseconds(50), timeout: .milliseconds(50))
        let observations = await tower.observations(4)
        #expect(observations.map(\.sequence) == [1, 2, 3, 4])
        #expect(lookups.withLock { $0 } == 1)
        hang.end()
        await tower.engine.shutdown()
    }

    @Test func `literal addresses never ask the resolver`() async throws {
        let listener = try await Listener.on()
        let tower = Watchtower(resolve: { host in
            Issue.record("asked for \(host)")
            return .failure(Failure(.resolverFailed))
        })
        tower.watch([.tcp(host: "127.0.0.1", port: listener.port)])
        _ = await tower.observations(1)
        await tower.engine.shutdown()
        try await listener.close()
    }

    @Test func `an engine shuts down while a lookup hangs`() async {
        let hang = Hang()
        let tower = Watchtower(resolve: { _ in
            hang.wait()
            return .failure(Failure(.resolverFailed))
        })
        tower.watch([.icmp(host: "nas")], interval: .milliseconds(50), timeout: .milliseconds(50))
        _ = await tower.observations(1)
        await tower.engine.shutdown()
        hang.end()
    }
}

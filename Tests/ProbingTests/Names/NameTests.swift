import Monitoring
import Synchronization
import TestSupport
import Testing

@testable import Probing

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

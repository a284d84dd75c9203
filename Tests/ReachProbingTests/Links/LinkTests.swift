import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct LinkTests {
    /// The outcome of one probe.
    private func outcome(of question: Question) async throws -> Outcome {
        let harness = EngineHarness()
        harness.watch([question])
        let observation = try #require(await harness.observations(1).first)
        await harness.engine.shutdown()
        return observation.outcome
    }

    @Test(.enabled(if: loopback != nil, "no loopback interface here"))
    func `the loopback interface is up, without a round trip`() async throws {
        let name = try #require(loopback)
        #expect(try await outcome(of: .link(interface: name)) == .reply(Reply(roundTrip: nil, detail: "loopback")))
    }

    @Test func `whether an outbound route exists is reported at the start`() async throws {
        let harness = EngineHarness()
        harness.watch([.link(interface: nil)])
        var batch = await harness.batch()
        while !batch.isEmpty {
            for case .link(let isUp, _) in batch {
                #expect(try isUp == (LocalNetwork.read().outboundInterface != nil))
                await harness.engine.shutdown()
                return
            }
            batch = await harness.batch()
        }
        Issue.record("no report")
    }

    @Test func `an interface that does not exist is down`() async throws {
        let failure = Failure(.linkDown, detail: "nowhere0 does not exist")
        #expect(try await outcome(of: .link(interface: "nowhere0")) == .failure(failure))
    }

    @Test(.enabled(if: loopback != nil, "no loopback interface here"))
    func `the route to this machine is its loopback interface`() async throws {
        let name = try #require(loopback)
        let detail = "\(name), loopback, from 127.0.0.1"
        #expect(try await outcome(of: .route(host: "127.0.0.1")) == .reply(Reply(roundTrip: nil, detail: detail)))
    }

    @Test func `the outcome of link:any agrees with the interfaces`() async throws {
        let outbound = try LocalNetwork.read().outboundInterface
        switch try await outcome(of: .link(interface: nil)) {
        case .reply(let reply): #expect(reply.detail?.hasPrefix(outbound?.name ?? "?") == true)
        case let other: #expect(outbound == nil, "\(other)")
        }
    }

    @Test func `a route to an unknown name fails with the lookup`() async throws {
        let harness = EngineHarness(resolve: { _ in .failure(Failure(.nameNotFound)) })
        harness.watch([.route(host: "nas")])
        #expect(await harness.observations(1).first?.outcome == .failure(Failure(.nameNotFound)))
        await harness.engine.shutdown()
    }
}

private let loopback = try? LocalNetwork.read().interfaces.first { $0.isLoopback && $0.isUp }?.name

struct DebounceTests {
    /// The times at which a notification passes, with one every millisecond.
    private func times(_ debounce: Debounce, milliseconds: Int) -> [Duration] {
        var debounce = debounce
        return (0..<milliseconds).map { .milliseconds($0) }.filter { time in
            debounce.notify(at: time)
            return debounce.fire(at: time)
        }
    }

    @Test func `the first notification passes at once, later ones with growing pauses`() {
        let debounce = Debounce(pause: .milliseconds(20) ... .milliseconds(100))
        let expected: [Duration] = [0, 20, 60, 140, 240, 340].map { .milliseconds($0) }
        #expect(times(debounce, milliseconds: 400) == expected)
    }

    @Test func `after a quiet time a notification passes at once again`() {
        var debounce = Debounce(pause: .milliseconds(20) ... .milliseconds(100))
        for time in [Duration.zero, .milliseconds(20), .milliseconds(60), .seconds(1)] {
            debounce.notify(at: time)
            #expect(debounce.due == time)
            _ = debounce.fire(at: time)
        }
        debounce.notify(at: .milliseconds(1_001))
        #expect(debounce.due == .milliseconds(1_020))
    }

    @Test func `a delay collects notifications, and the last is not lost`() {
        var debounce = Debounce(delay: .milliseconds(50), pause: .seconds(1) ... .seconds(1))
        debounce.notify(at: .zero)
        debounce.notify(at: .milliseconds(49))
        let passed = [49, 50, 50].map { debounce.fire(at: .milliseconds($0)) }
        #expect(passed == [false, true, false])
        debounce.notify(at: .milliseconds(60))
        #expect(debounce.due == .milliseconds(1_050))
    }
}

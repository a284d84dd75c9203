import Testing

@testable import ReachMonitoring

struct SourceStateTests {
    private func list(_ addresses: String...) throws -> DiscoveryList {
        var list = DiscoveryList()
        try list.add(addresses, labels: [:])
        return list
    }

    @Test func `the last good list stays over a failure`() throws {
        var state = SourceState()
        let first = try list("a", "b")
        #expect(state.record(.success(first), at: .seconds(1)) == SourceState.Change(hasNewList: true))
        #expect(state.record(.success(first), at: .seconds(2)) == nil)
        let change = state.record(.failure(DiscoveryProblem("HTTP 503")), at: .seconds(3))
        #expect(change?.newProblem == "HTTP 503" && change?.hasNewList == false)
        #expect(state.list == first && state.lastSuccess == .seconds(2))
        #expect(state.problemSummary == "HTTP 503; its 2 targets stay")
        // The same problem again is no news; another one is.
        #expect(state.record(.failure(DiscoveryProblem("HTTP 503")), at: .seconds(4)) == nil)
        #expect(state.record(.failure(DiscoveryProblem("timeout")), at: .seconds(5))?.newProblem == "timeout")
        let recovery = state.record(.success(first), at: .seconds(6))
        #expect(recovery?.hasRecovered == true && recovery?.hasNewList == false && state.problem == nil)
    }

    @Test func `an empty list replaces a good one`() throws {
        var state = SourceState()
        _ = state.record(.success(try list("a")), at: .zero)
        #expect(state.record(.success(DiscoveryList()), at: .zero)?.hasNewList == true)
        #expect(state.list?.targets.isEmpty == true)
    }

    @Test func `the consequence of a problem depends on the last good list`() throws {
        var state = SourceState()
        _ = state.record(.failure(DiscoveryProblem("refused")), at: .zero)
        #expect(state.problemSummary == "refused; it has no targets yet")
        for (addresses, words) in [(["a"], "its target stays"), ([], "it stays without targets")] {
            var list = DiscoveryList()
            try list.add(addresses, labels: [:])
            _ = state.record(.success(list), at: .zero)
            _ = state.record(.failure(DiscoveryProblem("refused")), at: .zero)
            #expect(state.problemSummary == "refused; \(words)")
        }
    }

    @Test func `after a failure the pause is short, doubles and never exceeds the interval`() throws {
        var state = SourceState()
        #expect(state.pause(refresh: .seconds(60)) == .seconds(60))
        let pauses = (0..<6).map { _ in
            _ = state.record(.failure(DiscoveryProblem("refused")), at: .zero)
            return state.pause(refresh: .seconds(60), lifetime: .seconds(1))
        }
        #expect(pauses == [5, 10, 20, 40, 60, 60].map { .seconds($0) })
        for _ in 0..<100 { _ = state.record(.failure(DiscoveryProblem("refused")), at: .zero) }
        #expect(state.pause(refresh: .seconds(86_400)) == .seconds(86_400))
        #expect(state.pause(refresh: .seconds(2)) == .seconds(2))
        _ = state.record(.success(DiscoveryList()), at: .zero)
        #expect(state.pause(refresh: .seconds(60)) == .seconds(60))
    }

    @Test(arguments: [(0, 5), (4, 5), (30, 30), (299, 299), (300, 300), (86_400, 300)])
    func `the time to live of records counts within bounds`(lifetime: Int, seconds: Int) {
        #expect(SourceState().pause(refresh: .seconds(300), lifetime: .seconds(lifetime)) == .seconds(seconds))
    }
}

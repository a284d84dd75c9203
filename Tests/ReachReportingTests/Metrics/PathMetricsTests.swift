import ReachMonitoring
import TestSupport
import Testing

@testable import ReachReporting

@Suite struct PathMetricsTests {
    @Test func `a path has its hops, its end and its changes`() throws {
        var target = Target.make()
        target.path = PathSettings()
        var counted = Counted(target)
        func paths() -> [String] { counted.lines().filter { $0.hasPrefix("reach_path_") } }
        let nas = #"target="NAS",group="",method="tcp""#
        #expect(paths() == ["reach_path_changes_total{\(nas)} 0"])
        let id = try #require(counted.story["NAS"]?.id)
        let reply = Observation(
            target: id,
            sequence: 1,
            time: .seconds(1),
            outcome: .reply(Reply(roundTrip: nil)),
            address: "192.0.2.5"
        )
        func trace(_ end: PathEnd, _ hops: [String?]) -> Finding {
            let completion = PathCompletion(cause: .refresh, end: end, started: .zero, probes: 3, hops: hops)
            return .path(id, .traced(completion), at: .seconds(2))
        }
        let change = PathChange(hop: 1, flow: 0, before: "10.0.0.1", after: "10.0.0.2")
        _ = counted.story.roster.record([
            .observation(reply), trace(.reached(hop: 2, address: "192.0.2.5"), ["10.0.0.1", "192.0.2.5"]),
            trace(.silent(hop: 1, address: "10.0.0.2", length: 2), ["10.0.0.2"]),
            .path(id, .changed(change), at: .seconds(3)),
        ])
        let known = ["reach_path_hops{\(nas)} 2", "reach_path_end_hop{\(nas)} 1", "reach_path_changes_total{\(nas)} 1"]
        #expect(paths() == known)
    }
}

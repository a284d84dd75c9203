import TestSupport
import Testing

@testable import ReachMonitoring

/// The paths that the history keeps, and the paths of a past time.
struct StoredPathTests {
    private static let ends: [PathEnd] = [
        .reached(hop: 3, address: "192.0.2.7"), .reachedElsewhere(hop: 3, address: "fe80::1%eth0"),
        .refused(hop: 2, address: "10.1.0.1"), .unreachable(.prohibited, hop: 2, address: "10.1.0.1"),
        .loop(hop: 2, addresses: ["10.1.0.1", "10.2.0.1"]), .loop(hop: 2, addresses: []),
        .silent(hop: 2, address: "2001:db8::1", length: 5), .silent(hop: 1, address: "10.0.0.1", length: nil),
        .limited(hop: 30, address: "10.0.0.1"), .nothing,
    ]

    @Test(arguments: ends)
    func `a stored path is the same when it is read`(end: PathEnd) throws {
        for hops in [["10.0.0.1", nil, "192.0.2.7"], [], [nil], ["2001:db8::1"]] as [[String?]] {
            let path = TracedPath(end: end, hops: hops)
            let event = HistoryEvent(
                StoredPath(path, at: .seconds(7)),
                wall: WallTime(start: .seconds(1_000)),
                Redaction()
            )
            #expect(StoredPath(event) == StoredPath(path, at: .seconds(1_007)))
        }
    }

    @Test(arguments: [
        ("reached", ""), ("reached", "10.0.0.1"), ("reached", "10.0.0.1; "), ("reached", "10.0.0.1; hop x, 10.0.0.1"),
        ("unknown", "10.0.0.1; hop 1, 10.0.0.1"), ("silent", "; hop 1"),
    ])
    func `a damaged path is none`(kind: String, text: String) {
        #expect(StoredPath(HistoryEvent(.traced, at: .zero, reason: kind, detail: text)) == nil)
        #expect(StoredPath(HistoryEvent(.path, at: .zero, reason: "nothing", detail: "; ")) == nil)
    }

    /// A roster with a target whose path is traced.
    private static func roster() -> (Roster, Target.ID) {
        var target = Target.make("NAS", url: "tcp://nas.test:445")
        target.path = PathSettings()
        var roster = Roster(keepsPast: true)
        _ = roster.apply(Settings(targets: [target]), at: .zero)
        let id = roster.states[0].id
        let reply = Outcome.reply(Reply(roundTrip: .milliseconds(1)))
        _ = roster.record([
            .observation(Observation(target: id, sequence: 1, time: .seconds(1), outcome: reply, address: "192.0.2.7"))
        ])
        return (roster, id)
    }

    private static func finding(_ id: Target.ID, _ hops: [String?], at seconds: Int) -> Finding {
        let end = PathEnd.reached(hop: hops.count, address: "192.0.2.7")
        let completion = PathCompletion(cause: .refresh, end: end, started: .zero, probes: 3, hops: hops)
        return .path(id, .traced(completion), at: .seconds(seconds))
    }

    @Test func `a path is stored if its end or a hop is another one`() {
        var (roster, id) = Self.roster()
        var stored: [[String?]] = []
        let traces: [[String?]] = [
            ["a", nil, "192.0.2.7"], ["a", nil, "192.0.2.7"], ["a", "b", "192.0.2.7"], ["a", nil, "192.0.2.7"],
            [nil, "b", "192.0.2.7"], ["a", "c", "192.0.2.7"], ["a", "192.0.2.7"],
        ]
        for (index, hops) in traces.enumerated() {
            let consequences = roster.record([Self.finding(id, hops, at: 10 * index + 2)])
            stored += consequences.traced.map(\.found.path.hops)
            #expect(consequences.events.isEmpty)
        }
        #expect(stored == [traces[0], traces[2], traces[5], traces[6]])
    }

    @Test(arguments: ["192.0.2.7", "192.0.2.8"])
    func `the length of the path before an outage survives a restart, if the address is the same`(address: String) {
        var (roster, id) = Self.roster()
        var past = StoredPast()
        let reached = TracedPath(end: .reached(hop: 3, address: address), hops: ["a", "b", address])
        past.paths[id] = [
            StoredPath(reached, at: .seconds(100)), StoredPath(TracedPath(end: .nothing, hops: []), at: .seconds(200)),
        ]
        roster.restorePaths(of: past)
        let end = PathEnd.silent(hop: 1, address: "a", length: nil)
        let completion = PathCompletion(cause: .first, end: end, started: .zero, probes: 3, hops: ["a"])
        _ = roster.record([.path(id, .traced(completion), at: .seconds(2))])
        let isSame = address == "192.0.2.7"
        #expect(roster.states[0].tracedPath?.end.summary == "ends after a, hop 1" + (isSame ? " of 3" : ""))
        #expect(roster.states[0].tracedPath?.before == (isSame ? reached.hops : []))
    }
}

import ReachMonitoring

/// A roster of many targets, and a batch of findings for some of them.
struct RosterFixture {
    private var roster = Roster()
    private let ids: [Target.ID]
    private var findings: [Finding] = []
    private var now = Duration.zero
    private var next = 0

    /// Creates the roster and records batches of answers. With 1,100 batches every window is full, as it is from the second
    /// minute on.
    init(count: Int, span: Duration = .seconds(100), batches: Int = 1_100) {
        let targets = (0..<count).map { number in
            Target(
                name: "ap-\(number)",
                question: .icmp(host: "10.\(number / 62_500).\(number / 250 % 250).\(number % 250 + 1)"),
                group: "Hall \(number / 500)"
            )
        }
        var settings = Settings(targets: targets)
        settings.history = span
        _ = roster.apply(settings, at: .zero)
        ids = roster.states.map(\.id)
        for _ in 0..<batches {
            prepare()
            _ = record()
        }
    }

    /// Creates a batch of findings; one in a hundred is a loss.
    mutating func prepare(_ count: Int = 1_000) {
        now += .milliseconds(1_000 * count / ids.count)
        findings = (0..<count).map { number in
            let id = ids[next]
            next = (next + 1) % ids.count
            let trip = Duration.microseconds(1_000 + number % 97 * 40)
            let outcome: Outcome = number % 100 == 99 ? .timeout : .reply(Reply(roundTrip: trip))
            return .observation(Observation(target: id, sequence: next, time: now, outcome: outcome))
        }
    }

    mutating func record() -> Int {
        roster.record(findings).events.count
    }

    /// Returns the sum of the percentiles in the rows of a table, in nanoseconds.
    func percentiles() -> Int {
        roster.states.reduce(0) { sum, state in
            let statistics = state.statistics
            let shown = [50, 90, 99].compactMap { statistics.percentile($0) }
            return sum + shown.reduce(0) { $0 + Int($1.components.attoseconds / 1_000_000_000) }
        }
    }
}

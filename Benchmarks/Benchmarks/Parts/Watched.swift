import Monitoring

/// A roster of many targets, and what is found of a tenth of them.
struct Watched {
    private var roster = Roster()
    private let ids: [Target.ID]
    private var findings: [Finding] = []
    private var now = Duration.zero
    private var next = 0

    /// With so many batches of answers behind them: of 1,100, every window is full, as it is from the second minute on.
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
        ids = roster.standings.map(\.id)
        for _ in 0..<batches {
            prepare()
            _ = record()
        }
    }

    /// Makes a batch: one in a hundred is lost.
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

    /// The sum of what the rows of a table show, in nanoseconds.
    func percentiles() -> Int {
        roster.standings.reduce(0) { sum, standing in
            let statistics = standing.statistics
            let shown = [50, 90, 99].compactMap { statistics.percentile($0) }
            return sum + shown.reduce(0) { $0 + Int($1.components.attoseconds / 1_000_000_000) }
        }
    }
}

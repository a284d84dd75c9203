import Monitoring

/// A roster of many targets, and what is found of a tenth of them.
struct Watched {
    private var roster = Roster()
    private let ids: [Target.ID]
    private var findings: [Finding] = []
    private var now = Duration.zero
    private var next = 0

    init(count: Int) {
        let targets = (0..<count).map { number in
            Target(
                name: "ap-\(number)",
                question: .icmp(host: "10.\(number / 62_500).\(number / 250 % 250).\(number % 250 + 1)"),
                group: "Hall \(number / 500)"
            )
        }
        _ = roster.apply(Settings(targets: targets), at: .zero)
        ids = roster.standings.map(\.id)
        // Every window is full, as it is from the second minute on.
        for _ in 0..<1_100 {
            prepare()
            _ = record()
        }
    }

    /// Makes a batch: one in a hundred is lost.
    mutating func prepare() {
        now += .milliseconds(100)
        findings = (0..<1_000).map { number in
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
}

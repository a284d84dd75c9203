import ReachDashboard
import ReachMonitoring
import ReachScreen
import ReachTerminal

/// A dashboard of many targets, each probed once a second, and the encoder of its frames.
struct DashboardFixture {
    private(set) var model: Model
    private let encoder = Encoder(color: .direct)
    private let ids: [Target.ID]
    private var shown: Frame?
    private var now = Duration.zero
    private var next = 0
    private var sequence = 0
    private var random = Random()
    private let wall = WallTime(start: .seconds(1_795_183_351))

    /// The interval of the model's ticks.
    private static let tick = Duration.milliseconds(100)

    /// Creates targets in groups of 500, each with a minute of answers.
    init(count: Int, columns: Int = 200, rows: Int = 50, keys: [Key]) {
        model = Model(
            source: "dashboard.toml",
            size: Size(columns: columns, rows: rows),
            glyphs: .unicode,
            themeOverride: .dark,
            wall: wall
        )
        let targets = (0..<count).map { number in
            Target(
                name: "ap-\(number / 500)-\(number % 500)",
                question: .icmp(host: "10.\(number / 62_500).\(number / 250 % 250).\(number % 250 + 1)"),
                group: "Hall \(number / 500)"
            )
        }
        _ = model.update(Event(.settings(Settings(targets: targets)), at: .zero))
        ids = model.roster.states.map(\.id)
        for _ in 0..<600 { advance() }
        for key in keys { update(.key(key)) }
        _ = frame()
    }

    /// Folds an event into the model, and answers its requests for the history.
    private mutating func update(_ kind: Event.Kind) {
        for effect in model.update(Event(kind, at: now)).effects {
            guard case .readHistory(.pasts(let assignments)) = effect else { continue }
            let pasts = assignments.map { ($0.id, past(of: $0.id)) }
            let answer = HistoryAnswer.pasts(Dictionary(pasts) { _, new in new })
            update(.history(answer, ZoneOffsets(.zero)))
        }
    }

    /// Returns a past of 90 days with an outage and a slow time on most days.
    private func past(of id: Target.ID) -> TargetPast {
        var spans: [WatchedSpan] = []
        var time = wall.start - .seconds(90 * 86_400)
        for day in 0..<90 {
            let start = time + .seconds(3_600 + (id.rawValue * 31 + day * 7_919) % 40_000)
            spans.append(WatchedSpan(.up, from: time, until: start))
            spans.append(WatchedSpan(.down, from: start, until: start + .seconds(300), because: "timeout"))
            spans.append(WatchedSpan(.up, from: start + .seconds(300), until: start + .seconds(20_000)))
            spans.append(WatchedSpan(.degraded, from: start + .seconds(20_000), until: start + .seconds(21_000)))
            time += .seconds(86_400)
            spans.append(WatchedSpan(.up, from: start + .seconds(21_000), until: time))
        }
        return TargetPast(spans)
    }

    /// Advances by a tenth of a second: records a probe for a tenth of the targets, a few of them lost, and a tick.
    mutating func advance() {
        now += Self.tick
        let count = ids.count / 10
        var findings: [Finding] = []
        findings.reserveCapacity(count)
        for _ in 0..<count {
            let id = ids[next]
            next = (next + 1) % ids.count
            sequence += 1
            findings.append(
                .observation(Observation(target: id, sequence: sequence, time: now, outcome: outcome(of: id)))
            )
        }
        _ = model.update(Event(.findings(findings), at: now))
        _ = model.update(Event(.tick(wall), at: now))
    }

    /// Returns the outcome of a probe. One target in fifty never answers; the others rarely lose a probe, and each has its
    /// own round trip.
    private mutating func outcome(of id: Target.ID) -> Outcome {
        if id.rawValue % 50 == 49 || random.next() % 500 == 0 { return .timeout }
        let usual = 1_000 + id.rawValue % 97 * 400
        return .reply(Reply(roundTrip: .microseconds(usual + Int(random.next() % 1_000))))
    }

    /// Draws a frame, and encodes its difference from the last one.
    ///
    /// - Returns: The number of bytes.
    mutating func frame() -> Int {
        let (frame, before) = draw()
        return encoder.encode(frame, over: before).count
    }

    /// Draws a frame, and compares it with the last one.
    ///
    /// - Returns: The number of runs.
    mutating func compare() -> Int {
        let (frame, before) = draw()
        return before.map { frame.changes(from: $0).runs.count } ?? 0
    }

    /// Draws a frame.
    ///
    /// - Returns: The frame and the previous one.
    mutating func draw() -> (Frame, before: Frame?) {
        let frame = model.draw()
        model.markPainted()
        defer { shown = frame }
        return (frame, shown)
    }

    /// Presses a key, and draws the changed frame.
    mutating func press(_ key: Key) -> Int {
        update(.key(key))
        return frame()
    }
}

/// A generator with equal numbers in every run (G. Marsaglia, Xorshift RNGs, 2003).
private struct Random {
    private var state: UInt64 = 88_172_645_463_325_252

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

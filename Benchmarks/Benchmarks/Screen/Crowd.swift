import Dashboard
import Monitoring
import Screen
import TerminalIO

/// A dashboard of many targets, each asked once a second, and the terminal that shows it.
struct Crowd {
    private(set) var model: Model
    private let encoder = Encoder(color: .direct)
    private let ids: [Target.ID]
    private var shown: Frame?
    private var now = Duration.zero
    private var next = 0
    private var sequence = 0
    private var random = Random()
    private let wall = WallTime(start: .seconds(1_795_183_351))

    /// The model's tick.
    private static let tick = Duration.milliseconds(100)

    /// Targets in groups of 500, each with a minute of answers.
    init(count: Int, columns: Int = 200, rows: Int = 50, keys: [Key]) {
        model = Model(
            source: "dashboard.toml",
            size: Size(columns: columns, rows: rows),
            glyphs: .unicode,
            forcedTheme: .dark,
            wall: wall
        )
        let targets = (0..<count).map { number in
            Target(
                name: "ap-\(number / 500)-\(number % 500)",
                question: .icmp(host: "10.\(number / 62_500).\(number / 250 % 250).\(number % 250 + 1)"),
                group: "Hall \(number / 500)"
            )
        }
        _ = model.update(.settings(Settings(targets: targets), at: .zero))
        ids = model.roster.standings.map(\.id)
        for _ in 0..<600 { advance() }
        for key in keys { _ = model.update(.key(key)) }
        _ = frame()
    }

    /// A tenth of a second: a tenth of the targets answers, a few of them do not, and the clock ticks.
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
        _ = model.update(.findings(findings, at: now))
        _ = model.update(.tick(now, wall))
    }

    /// One in fifty never answers; the others do, nearly always, each at a speed of its own.
    private mutating func outcome(of id: Target.ID) -> Outcome {
        if id.rawValue % 50 == 49 || random.next() % 500 == 0 { return .timeout }
        let usual = 1_000 + id.rawValue % 97 * 400
        return .reply(Reply(roundTrip: .microseconds(usual + Int(random.next() % 1_000))))
    }

    /// Draws and encodes the difference to the last frame.
    ///
    /// - Returns: The number of bytes.
    mutating func frame() -> Int {
        let (frame, before) = draw()
        return encoder.encode(frame, over: before).count
    }

    /// Draws, and finds what differs from the last frame.
    ///
    /// - Returns: The number of runs.
    mutating func compare() -> Int {
        let (frame, before) = draw()
        return frame.changes(from: before).count
    }

    /// Draws.
    ///
    /// - Returns: The frame, and the one before it.
    mutating func draw() -> (Frame, before: Frame?) {
        let frame = model.draw()
        model.markPainted()
        defer { shown = frame }
        return (frame, shown)
    }

    /// Presses a key, and draws what comes of it.
    mutating func press(_ key: Key) -> Int {
        _ = model.update(.key(key))
        return frame()
    }
}

/// The same numbers in every run (G. Marsaglia, Xorshift RNGs, 2003).
private struct Random {
    private var state: UInt64 = 88_172_645_463_325_252

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

import ReachDashboard
import ReachMonitoring
import ReachScreen
import ReachTerminal
import TestSupport
import Testing

/// The bytes that a screen of 200 × 50 takes without input, by a simulated clock.
@Suite struct ScreenBytesTests {
    /// Targets that reply in groups over each interval, drawn by a model and encoded for a terminal of 256 colours.
    private struct Simulation {
        private var model: Model
        private let encoder = Encoder(color: .indexed)
        private let ids: [Target.ID]
        private let interval: Duration
        private let wall = WallTime(start: .seconds(1_795_183_351))
        private var painted: Frame?
        private var now = Duration.zero
        /// The time of the next replies, and their group.
        private var next = (time: Duration.milliseconds(70), group: 0)
        private var sequence = 0
        private var random = SplitMix(seed: 7)
        private(set) var frames = 0
        private(set) var bytes = 0

        init(count: Int, interval: Duration, keys: [Key]) {
            model = Model(
                source: "dashboard.toml",
                size: Size(columns: 200, rows: 50),
                glyphs: .unicode,
                themeOverride: .dark,
                wall: wall
            )
            let targets = (0..<count).map { number in
                Target.make(
                    "target-\(number)",
                    url: "icmp://127.1.0.\(number + 1)",
                    group: "Hall 0",
                    interval: interval,
                    timeout: interval
                )
            }
            self.interval = interval
            _ = model.update(Event(.settings(Settings(targets: targets)), at: .zero))
            ids = model.roster.states.map(\.id)
            advance(by: .seconds(70), isPainting: false)
            for key in keys { _ = model.update(Event(.key(key), at: now)) }
            advance(by: .seconds(3))
        }

        /// Advances the time: replies arrive, and frames are painted when they are due, if at all.
        mutating func advance(by time: Duration, isPainting: Bool = true) {
            (frames, bytes) = (0, 0)
            let end = now + time
            while true {
                let due = min(next.time, model.nextTick)
                guard due <= end else { break }
                now = due
                if due == next.time { receiveReplies() }
                _ = model.update(Event(.tick(wall), at: now))
                guard model.isFrameDue else { continue }
                if isPainting { paint() } else { model.markPainted() }
            }
            now = end
        }

        /// A quarter of the targets replies at once, as probes are sent. Round trips are those of a busy machine's loopback.
        private mutating func receiveReplies() {
            let groups = 4
            let findings = ids.indices.filter { $0 * groups / ids.count == next.group }.map { index in
                sequence += 1
                let usual = Double([8, 35, 10, 40, 7][index % 5])
                let isOutlier = Int.random(in: 0..<20, using: &random) == 0
                let microseconds = usual * .random(in: 0.75...1.3, using: &random) * (isOutlier ? 2.5 : 1)
                return Finding.observation(
                    Observation(
                        target: ids[index],
                        sequence: sequence,
                        time: now,
                        outcome: .reply(roundTrip: .nanoseconds(Int64(microseconds * 1_000)))
                    )
                )
            }
            _ = model.update(Event(.findings(findings), at: now))
            next = (next.time + interval / groups, (next.group + 1) % groups)
        }

        private mutating func paint() {
            let frame = model.draw(over: painted)
            let update = encoder.encode(frame, over: painted)
            frames += update.isEmpty ? 0 : 1
            bytes += update.count
            painted = frame
            model.markPainted()
        }
    }

    /// The graphs of this noise are often drawn on another scale, since one round trip in twenty is an outlier.
    @Test(
        arguments: [
            ("table", [], 1_300), ("wall", [.character("2")], 1_500), ("graphs", [.character("3")], 1_900),
            ("detail", [.down, .enter], 1_400),
        ] as [(String, [Key], Int)]
    )
    func `twenty targets once a second take few bytes`(view: String, keys: [Key], limit: Int) {
        var simulation = Simulation(count: 20, interval: .seconds(1), keys: keys)
        simulation.advance(by: .seconds(10))
        #expect(simulation.bytes / 10 <= limit, "\(view): \(simulation.bytes / 10) bytes a second")
        #expect(simulation.frames <= 6 * 10, "\(view)")
    }

    @Test(arguments: [("table", []), ("graphs", [.character("3")]), ("detail", [.down, .enter])] as [(String, [Key])])
    func `five targets every 200 ms are drawn at most ten times a second`(view: String, keys: [Key]) {
        var simulation = Simulation(count: 5, interval: .milliseconds(200), keys: keys)
        simulation.advance(by: .seconds(5))
        #expect(simulation.frames <= 50)
        #expect(simulation.bytes / 5 <= 3_000, "\(view): \(simulation.bytes / 5) bytes a second")
    }
}

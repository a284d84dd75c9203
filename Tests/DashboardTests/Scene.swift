import Monitoring
import Screen
import TestSupport

@testable import Dashboard

extension Effect {
    /// The requests to the prober.
    var requests: [ProbeRequest] {
        if case .perform(let consequences) = self { consequences.requests } else { [] }
    }

    /// The hook runs.
    var runs: [HookRun] {
        if case .perform(let consequences) = self { consequences.runs } else { [] }
    }
}

/// A dashboard that a test plays with: outcomes and keys go in, the screen comes out.
struct Scene {
    var model: Model
    private(set) var effects: [Effect] = []
    private(set) var now = Duration.zero
    private var sequence = 0
    /// 14:02:31 on the day of the design.
    static let wall = WallTime(start: .seconds(1_795_183_351))

    init(_ targets: [Target], columns: Int = 120, rows: Int = 36, glyphs: Glyphs = .unicode, theme: ThemeChoice? = nil)
    {
        model = Model(
            source: "dashboard.toml",
            size: Size(columns: columns, rows: rows),
            glyphs: glyphs,
            forcedTheme: theme,
            wall: Self.wall
        )
        send(.settings(Settings(targets: targets), at: .zero))
        tick()
    }

    mutating func send(_ event: Event) {
        effects += model.update(event)
    }

    /// Presses keys, characters as they stand.
    mutating func press(_ keys: Key...) {
        for key in keys { send(.key(key)) }
    }

    /// Types a text.
    mutating func type(_ text: String) {
        for character in text { send(.key(.character(character))) }
    }

    /// Hands over outcomes of one target, a second apart, and lets the screen tick.
    mutating func hear(_ letters: String, from name: String) {
        for outcome in Outcome.picture(letters) { hear(outcome, from: name) }
    }

    /// Hands over round trips in milliseconds, a second apart; nil is a timeout.
    mutating func hear(_ milliseconds: [Double?], from name: String) {
        for value in milliseconds {
            hear(value.map { .reply(roundTrip: .microseconds(Int($0 * 1_000))) } ?? .timeout, from: name)
        }
    }

    /// Hands over an outcome, a second after what was last.
    mutating func hear(
        _ outcome: Outcome,
        from name: String,
        address: String? = nil,
        after pause: Duration = .seconds(1)
    ) {
        wait(pause)
        guard let id = id(name) else { return }
        sequence += 1
        let observation = Observation(
            target: id,
            sequence: sequence,
            time: now,
            outcome: outcome,
            address: address
        )
        send(.findings([.observation(observation)], at: now))
    }

    /// Lets all the named targets answer in turn within the same seconds.
    mutating func hearTogether(_ stories: [String: String]) {
        let longest = stories.values.map(\.count).max() ?? 0
        for step in 0..<longest {
            wait(.seconds(1))
            for (name, letters) in stories.sorted(by: { $0.key < $1.key }) {
                let letters = Array(letters)
                guard step < letters.count, let id = id(name), letters[step] != " " else { continue }
                sequence += 1
                let outcome = Outcome.picture(String(letters[step]))[0]
                let observation = Observation(target: id, sequence: sequence, time: now, outcome: outcome)
                send(.findings([.observation(observation)], at: now))
            }
        }
        tick()
    }

    /// Lets targets answer within one second: milliseconds of a round trip, nil for a refused connection.
    mutating func hearOnce(_ milliseconds: [String: Double?]) {
        hearAll { _, standing in
            milliseconds[standing.target.name].map { value in
                value.map { .reply(roundTrip: .microseconds(Int($0 * 1_000))) } ?? .failure(Failure(.refused))
            }
        }
    }

    /// Lets every target finish a probe within one second; nil is none.
    mutating func hearAll(_ outcome: (Int, Standing) -> Outcome?) {
        now += .seconds(1)
        let findings = model.roster.standings.enumerated().compactMap { index, standing in
            outcome(index, standing).map { outcome in
                sequence += 1
                return Finding.observation(
                    Observation(target: standing.id, sequence: sequence, time: now, outcome: outcome)
                )
            }
        }
        send(.findings(findings, at: now))
        tick()
    }

    mutating func wait(_ duration: Duration) {
        now += duration
        tick()
    }

    mutating func tick() {
        send(.tick(now, Self.wall))
    }

    /// Selects a target by its name.
    mutating func select(_ name: String) {
        let wanted = id(name).map(Row.ID.target)
        press(.home)
        for _ in model.rows where model.selection.id != wanted { press(.down, .right) }
    }

    /// Opens all about a target.
    mutating func open(_ name: String) {
        select(name)
        press(.enter)
    }

    func id(_ name: String) -> Target.ID? {
        model.roster.standings.first { $0.target.name == name }?.id
    }

    /// The screen as text.
    var screen: String { model.draw().text }

    /// The line of the screen that contains a text.
    func line(_ text: String) -> String {
        screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).first { $0.contains(text) }
            ?? "nothing says \(text)"
    }
}

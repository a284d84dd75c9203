import Monitoring
import Screen
import TestSupport

@testable import Dashboard

extension Effect {
    /// The probe requests.
    var requests: [ProbeRequest] {
        if case .perform(let consequences) = self { consequences.requests } else { [] }
    }

    /// The hook runs.
    var runs: [HookRun] {
        if case .perform(let consequences) = self { consequences.runs } else { [] }
    }
}

/// A dashboard under test: outcomes and keys are the input, screen and effects the output.
struct Scene {
    var model: Model
    private(set) var effects: [Effect] = []
    private(set) var now = Duration.zero
    private var sequences: [Target.ID: Int] = [:]
    /// The start of the program: 14:02:31.
    static let wall = WallTime(start: .seconds(1_795_183_351))

    init(
        _ targets: [Target],
        document: SettingsDocument? = nil,
        columns: Int = 120,
        rows: Int = 36,
        glyphs: Glyphs = .unicode,
        theme: ThemeChoice? = nil
    ) {
        model = Model(
            source: "dashboard.toml",
            document: document,
            size: Size(columns: columns, rows: rows),
            glyphs: glyphs,
            themeOverride: theme,
            wall: Self.wall
        )
        send(.settings(Settings(targets: targets), at: .zero))
        tick()
    }

    mutating func send(_ event: Event) {
        effects += model.update(event)
    }

    /// Presses keys.
    mutating func press(_ keys: Key...) {
        for key in keys { send(.key(key)) }
    }

    /// Types a text.
    mutating func type(_ text: String) {
        for character in text { send(.key(.character(character))) }
    }

    /// Receives outcomes of one target, one second apart, with a tick each.
    mutating func receive(_ letters: String, from name: String) {
        for outcome in Outcome.picture(letters) { receive(outcome, from: name) }
    }

    /// Receives round trips in milliseconds, one second apart; nil is a timeout.
    mutating func receive(_ milliseconds: [Double?], from name: String) {
        for value in milliseconds {
            receive(value.map { .reply(roundTrip: .microseconds(Int($0 * 1_000))) } ?? .timeout, from: name)
        }
    }

    /// Receives an outcome after a pause.
    mutating func receive(
        _ outcome: Outcome,
        from name: String,
        address: String? = nil,
        after pause: Duration = .seconds(1)
    ) {
        wait(pause)
        guard let id = id(name) else { return }
        sequences[id, default: 0] += 1
        let observation = Observation(
            target: id,
            sequence: sequences[id] ?? 0,
            time: now,
            outcome: outcome,
            address: address
        )
        send(.findings([.observation(observation)], at: now))
    }

    /// Receives outcomes of several targets, each target once per second; a blank is no outcome.
    mutating func receiveTogether(_ stories: [String: String]) {
        let longest = stories.values.map(\.count).max() ?? 0
        for step in 0..<longest {
            wait(.seconds(1))
            for (name, letters) in stories.sorted(by: { $0.key < $1.key }) {
                let letters = Array(letters)
                guard step < letters.count, let id = id(name), letters[step] != " " else { continue }
                sequences[id, default: 0] += 1
                let outcome = Outcome.picture(String(letters[step]))[0]
                let observation = Observation(
                    target: id,
                    sequence: sequences[id] ?? 0,
                    time: now,
                    outcome: outcome
                )
                send(.findings([.observation(observation)], at: now))
            }
        }
        tick()
    }

    /// Receives one outcome of each named target within one second: a round trip in milliseconds, or nil for refused.
    mutating func receiveOnce(_ milliseconds: [String: Double?]) {
        receiveAll { _, state in
            milliseconds[state.target.name].map { value in
                value.map { .reply(roundTrip: .microseconds(Int($0 * 1_000))) } ?? .failure(Failure(.refused))
            }
        }
    }

    /// Receives an outcome of every target within one second; nil is no outcome.
    mutating func receiveAll(_ outcome: (Int, TargetState) -> Outcome?) {
        now += .seconds(1)
        let findings = model.roster.states.enumerated().compactMap { index, state in
            outcome(index, state).map { outcome in
                sequences[state.id, default: 0] += 1
                return Finding.observation(
                    Observation(target: state.id, sequence: sequences[state.id] ?? 0, time: now, outcome: outcome)
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

    /// Opens the details of a target.
    mutating func open(_ name: String) {
        select(name)
        press(.enter)
    }

    func id(_ name: String) -> Target.ID? {
        model.roster.states.first { $0.target.name == name }?.id
    }

    /// The screen as text.
    var screen: String { model.draw().text }

    /// The line of the screen that contains a text.
    func line(_ text: String) -> String {
        screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).first { $0.contains(text) }
            ?? "not on the screen: \(text)"
    }
}

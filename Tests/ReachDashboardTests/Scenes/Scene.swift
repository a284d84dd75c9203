import ReachMonitoring
import ReachScreen
import TestSupport

@testable import ReachDashboard

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
        theme: ThemeChoice? = nil,
        hasPaths: Bool = false
    ) {
        let targets = hasPaths ? targets.map(\.traced) : targets
        model = Model(
            source: "dashboard.toml",
            document: document,
            size: Size(columns: columns, rows: rows),
            glyphs: glyphs,
            themeOverride: theme,
            wall: Self.wall
        )
        send(.settings(Settings(targets: targets)))
        tick()
    }

    /// Sends an event, by default at the present time, and the keys that its effects precede.
    mutating func send(_ kind: Event.Kind, at time: Duration? = nil) {
        let (new, rest) = model.update(Event(kind, at: time ?? now))
        effects += new
        if !rest.isEmpty { send(.keys(rest), at: time) }
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
        send(.findings([.observation(observation)]))
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
                send(.findings([.observation(observation)]))
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
        send(.findings(findings))
        tick()
    }

    mutating func wait(_ duration: Duration) {
        now += duration
        tick()
    }

    mutating func tick() {
        send(.tick(Self.wall))
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

extension Scene {
    /// Returns the scene of a story by its name.
    static func named(_ name: String) -> Scene? {
        switch name {
        case "home": home
        case "evening": evening
        case "editing": editing
        case "unsaved": unsaved
        case "empty": Scene([])
        case "one": one
        case "thousands": thousands
        case "provider": providerWithPaths
        case "traced": traced
        case "fleet": fleet
        case "many-vantage-points": manyVantagePoints
        default: nil
        }
    }

    /// Five targets in two groups: one is down, and one is slow.
    private static let home: Scene = {
        var scene = Scene(home(["Router", "NAS", "Camera", "Shop", "API"]))
        scene.receiveTogether([
            "Router": "rrrrrrrr", "NAS": "rrrrrxxx", "Camera": "rrrrrrrr", "Shop": "rrrrrsss", "API": "rrrrrrrr",
        ])
        return scene
    }()

    /// The home, whose paths are traced.
    private static let traced: Scene = {
        var scene = Scene(home(["Router", "NAS", "Camera", "Shop", "API"]), hasPaths: true)
        scene.receiveTogether(["Router": "rrrr", "NAS": "rrrr", "Camera": "rrrr", "Shop": "rrrr", "API": "rrrr"])
        return scene
    }()

    /// The home, with a text that a simulated store made.
    private static let editing: Scene = {
        var scene = Scene(home(["Router", "NAS", "Camera", "Shop", "API"]), document: SimulatedStore.document)
        scene.receiveTogether(["Router": "rrrr", "NAS": "rrrr", "Camera": "rrrr", "Shop": "rrrr", "API": "rrrr"])
        return scene
    }()

    /// Targets by their URLs, which are in no file yet.
    private static let unsaved = Scene(
        [.make("192.0.2.1", url: "icmp://192.0.2.1"), .make("nas.local:445")],
        document: SettingsDocument(file: nil, text: SimulatedStore.document.text)
    )

    /// Targets of the home by their names; an unknown name is a new target.
    static func home(_ names: [String]) -> [Target] {
        let known: [Target] = [
            .make("Router", url: "icmp://192.168.1.1", group: "Home"),
            .make("NAS", url: "tcp://nas.local:445", group: "Home", hooks: [.make(on: [.up])]),
            .make("Camera", url: "icmp://192.168.1.7", group: "Home"),
            .make("Shop", url: "tcp://shop.example:443", group: "Cloud", slow: .milliseconds(500)),
            .make("API", url: "tcp://api.example:443", group: "Cloud"),
        ]
        return names.map { name in
            known.first { $0.name == name } ?? .make(name, url: "tcp://\(name.lowercased()).local:80")
        }
    }

    private static let one: Scene = {
        var scene = Scene([.make("NAS", url: "tcp://nas.local:445")])
        scene.receive("rrr", from: "NAS")
        return scene
    }()

    private static let thousands = halls([2_400, 1_700, 3_100, 900, 1_900], columns: 60, rows: 8)
}

extension Scene {
    /// Nine targets of a fleet with six vantage points, one of which has stopped reporting, and a target of this machine.
    static let fleet: Scene = {
        var scene = Scene(
            ["Shop", "API", "Login", "Images", "Search", "Mail"].map { target($0, group: "Shop") }
                + ["DNS a", "DNS b", "VPN"].map { target($0, group: "Network") }
                + [.make("NAS", url: "tcp://nas.local:445", group: "Network")]
        )
        scene.receive("r", from: "NAS")
        let first: [String: String] = [
            "Shop": "fra=12ms nyc=87ms sin=190ms syd=255ms gru=degraded:911ms jnb=870ms",
            "API": "fra=11ms nyc=86ms sin=178ms syd=276ms gru=184ms jnb=157ms",
            "Login": "fra=12ms nyc=90ms sin=180ms syd=229ms gru=190ms jnb=184ms",
            "Images": "fra=13ms nyc=89ms sin=down:HTTP_503 syd=227ms gru=205ms jnb=147ms",
            "Search": "fra=11ms nyc=81ms sin=152ms syd=255ms gru=201ms jnb=179ms",
            "Mail": "fra=20ms nyc=80ms sin=170ms syd=240ms gru=200ms jnb=180ms",
            "DNS a": "fra=14ms nyc=97ms sin=186ms syd=270ms gru=195ms jnb=154ms",
            "DNS b": "fra=12ms nyc=77ms sin=183ms syd=221ms gru=221ms jnb=160ms",
            "VPN": "fra=14ms nyc=93ms sin=151ms gru=224ms jnb=unknown",
        ]
        scene.report(first)
        for _ in 0..<6 {
            scene.wait(.seconds(30))
            scene.report(
                first.mapValues { $0.split(separator: " ").filter { !$0.hasPrefix("syd") }.joined(separator: " ") }
            )
        }
        scene.report([
            "Login": "fra=down:timeout nyc=down:timeout gru=down:timeout",
            "Shop": "jnb=degraded:870ms sin=degraded:1190ms",
        ])
        scene.wait(.seconds(20))
        scene.report(["Mail": "fra=down:refused nyc=down:refused sin=down:refused gru=down:refused jnb=down:refused"])
        scene.wait(.seconds(12))
        return scene
    }()

    /// A fleet with fifty vantage points of long names.
    static let manyVantagePoints: Scene = {
        var scene = Scene(["Shop", "Login"].map { target($0) })
        let names = (1...50).map { "probe-eu-central-\($0 < 10 ? "0" : "")\($0)" }
        scene.report([
            "Shop": names.enumerated().map { "\($1)=\(10 + $0)ms" }.joined(separator: " "),
            "Login": names.enumerated().map { $0 % 3 == 1 ? "\($1)=down:timeout" : "\($1)=\(20 + $0)ms" }
                .joined(separator: " "),
        ])
        scene.wait(.seconds(5))
        return scene
    }()

    private static func target(_ name: String, group: String? = nil) -> Target {
        let instance = "https://\(name.lowercased().filter { $0 != " " }).example.com/"
        return Target(name: name, question: .fleet(FleetQuestion(instance: instance)), group: group)
    }

    /// Receives reports of vantage points on targets, by their names.
    mutating func report(_ reports: [String: String]) {
        let findings = reports.sorted { $0.key < $1.key }.compactMap { name, text -> Finding? in
            guard let id = id(name) else { return nil }
            let reports = text.split(separator: " ").compactMap { try? VantageReport(story: String($0), time: now) }
            return .vantageReports(id, reports, at: now)
        }
        send(.findings(findings))
        tick()
    }

    /// Shows the fleet on the same terminal.
    mutating func showFleet(_ fleet: Scene) {
        let (size, glyphs) = (model.size, model.appearance.glyphs)
        self = fleet
        model.appearance.glyphs = glyphs
        send(.resize(size))
    }
}

extension Scene {
    /// Halls of machines: most are up, some of them slow. A row in one hall is down, and a few machines are degraded,
    /// down or unknown.
    static func halls(_ sizes: [Int], columns: Int, rows: Int) -> Scene {
        let targets = sizes.enumerated().flatMap { hall, size in
            (0..<size).map { index in
                Target.make(
                    "\(hall + 1)-\(index)",
                    url: "icmp://10.\(hall).\(index / 250).\(index % 250 + 1)",
                    group: "Hall \(hall + 1)",
                    slow: .milliseconds(500)
                )
            }
        }
        var scene = Scene(targets, columns: columns, rows: rows)
        for _ in 0..<4 {
            scene.receiveAll { index, _ in
                switch index {
                case _ where index % 97 == 13: .timeout
                case _ where sizes.count > 2 && (sizes[0] + 8..<sizes[0] + 19).contains(index):
                    .failure(Failure(.hostUnreachable))
                case _ where index % 71 == 5: .reply(roundTrip: .milliseconds(640))
                case _ where index % 83 == 9: nil
                default: .reply(roundTrip: .milliseconds([1, 1, 2, 12, 3, 8, 70, 1, 2, 20, 5, 4, 260][index % 13]))
                }
            }
        }
        return scene
    }

    /// Halls that fill a screen: ten thousand machines on the largest one.
    static func halls(for size: Size) -> Scene {
        size.columns < 200 ? fewHalls : manyHalls
    }

    private static let fewHalls = halls([64, 90, 31, 7], columns: 80, rows: 24)
    private static let manyHalls = halls([2_400, 1_700, 3_100, 900, 1_900], columns: 200, rows: 50)
}

import Foundation
import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The effect of keys, from the story files in `Triples/`: a screen, keys, and the resulting screen. `UPDATE_GOLDEN=1`
/// rewrites the screens.
@Suite struct KeyStoryTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Triples")
    private static let names =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".triple") }.sorted()

    /// Each story runs once, since stories with thousands of targets are slow.
    private static let stories = Dictionary(
        uniqueKeysWithValues: names.map { name in
            (name, Result { try KeyStory(String(contentsOf: folder.appending(path: name), encoding: .utf8)) })
        }
    )

    @Test(arguments: names)
    func `each story shows the expected screens`(name: String) throws {
        let story = try #require(try Self.stories[name]?.get())
        try expectGolden(story.lines.joined(separator: "\n"), "../Triples/\(name)")
    }

    @Test func `stories press every key, in at least eighty triples`() throws {
        let stories = try Self.stories.values.map { try $0.get() }
        let pressed = stories.reduce(into: Set<Key>()) { $0.formUnion($1.keys) }
        for binding in KeyTable.bindings {
            for key in binding.keys where !pressed.contains(key) {
                Issue.record("no story presses \(key), the key of \(binding.action)")
            }
        }
        #expect(stories.reduce(0) { $0 + $1.count } >= 80)
    }

    @Test func `a story collects the actual screens, and rejects invalid lines`() throws {
        let expected = ["scene one 60x3", "00|wrong", "press q", "! quit", "press r", "= the first screen"]
        let lines = try KeyStory(expected.joined(separator: "\n")).lines
        let prefixes = lines.map { $0.prefix(3) }
        #expect(prefixes == ["sce", "00|", "01|", "02|", "pre", "= t", "! q", "pre", "02|", "! p"])
        #expect(lines[1].hasPrefix("00| reach"))
        for line in ["boil NAS", "press hyperspace", "scene nowhere 1x1", "click nothing-like-it", "wait 5"] {
            #expect(throws: KeyStory.ParseError.self) { try KeyStory("scene one 60x3\n\(line)") }
        }
    }
}

/// A story file: a series of triples of a screen, keys, and the resulting screen, from which the next triple starts.
///
/// ```
/// # A comment.
/// scene home 72x12       the scene; the whole first screen follows in lines `NN|…`
/// press down space       an action; the changed rows follow, or `= the same screen`, or `= the first screen`
/// ! forget NAS           a resulting effect
/// history on             requests for the history are answered from now on
/// ```
struct KeyStory {
    /// An invalid line of a story.
    struct ParseError: Error, CustomStringConvertible {
        let description: String
    }

    private var scene = Scene([])
    private var store = SimulatedStore()
    /// Whether requests for the history are answered.
    private var hasHistory = false
    private var first: [Substring] = []
    private var last: [Substring] = []
    private var effects = 0
    /// The lines of the file with the actual screens and effects.
    private(set) var lines: [String] = []
    /// The keys that the story presses.
    private(set) var keys: Set<Key> = []
    /// The number of triples.
    private(set) var count = 0

    /// Runs a story. It ignores the expected screens and effects of the text, and collects the actual ones in
    /// ``lines``.
    init(_ text: String) throws {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0)
        {
            let isOutcome = line.hasPrefix("! ") || line.hasPrefix("= ") || line.dropFirst(2).first == "|"
            if isOutcome { continue }
            lines.append(String(line))
            let words = line.split(separator: " ").map(String.init)
            guard let verb = words.first, verb != "#" else { continue }
            try perform(verb, Array(words.dropFirst()), rest: String(line.dropFirst(verb.count + 1)))
            recordScreen(isFirst: verb == "scene")
        }
    }

    private mutating func perform(_ verb: String, _ words: [String], rest: String) throws {
        switch verb {
        case "scene":
            guard words.count == 2, let named = Scene.named(words[0]), let size = Size(words[1]) else {
                throw ParseError(description: "unknown scene: \(rest)")
            }
            scene = named
            store = SimulatedStore(Settings(targets: scene.model.roster.targets))
            scene.send(.resize(size))
            effects = scene.effects.count
            return
        case "history":
            guard ["on", "off"].contains(rest) else { throw ParseError(description: "history: on or off, not \(rest)") }
            hasHistory = rest == "on"
            if !hasHistory { scene.refuseHistory() }
        case "press":
            for word in words {
                guard let key = Key(name: word) else { throw ParseError(description: "unknown key: \(word)") }
                press(key)
            }
            count += 1
        case "type":
            for character in rest { press(.character(character)) }
            count += 1
        case "click":
            guard let text = words.first else { throw ParseError(description: "click: missing text") }
            try click(on: text)
            count += 1
        case "receive":
            guard words.count == 2 else { throw ParseError(description: "receive: missing target or outcomes") }
            scene.receive(words[1], from: words[0])
        case "wait":
            guard let time = Duration(text: rest) else { throw ParseError(description: "invalid time: \(rest)") }
            scene.wait(time)
        case "resize":
            guard let size = Size(rest) else { throw ParseError(description: "invalid size: \(rest)") }
            scene.send(.resize(size))
        case "reload":
            scene.send(.settings(Settings(targets: Scene.home(words))))
        case "replace":
            store.disk = store.text(of: Settings(targets: Scene.home(words)))
            let before = scene.effects.count
            scene.send(.fileChanged)
            answer(from: before)
        case "refuse":
            scene.send(.settingsRefused([rest]))
        default:
            throw ParseError(description: "unknown verb: \(verb)")
        }
        scene.tick()
    }

    private mutating func press(_ key: Key) {
        keys.insert(key)
        let before = scene.effects.count
        scene.press(key)
        answer(from: before)
    }

    /// Performs the requests among the effects from an index on.
    private mutating func answer(from index: Int) {
        var index = index
        while index < scene.effects.count {
            switch scene.effects[index] {
            // Without a document, there is no text of the store.
            case .edit(.reread(nil)):
                break
            case .edit(let request):
                scene.send(.edited(store.perform(request)))
            case .readHistory(let request) where hasHistory:
                scene.send(.history(SimulatedHistory.answer(request), SimulatedHistory.zone))
            default:
                break
            }
            index += 1
        }
    }

    /// Clicks on the first character of a text on the screen.
    private mutating func click(on text: String) throws {
        let rows = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
        guard let row = rows.firstIndex(where: { $0.contains(text) }), let range = rows[row].firstRange(of: text) else {
            throw ParseError(description: "not on the screen: \(text)")
        }
        let column = String(rows[row][..<range.lowerBound]).displayWidth
        press(.click(Position(column: column, row: row)))
    }

    /// Appends the changed rows of the screen and the new effects to ``lines``.
    private mutating func recordScreen(isFirst: Bool) {
        let screen = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let isNew = isFirst || screen.count != last.count
        let changed = screen.indices.filter { isNew || screen[$0] != last[$0] }
        if changed.isEmpty {
            lines.append("= the same screen")
        } else if screen == first, !isFirst {
            lines.append("= the first screen")
        } else {
            lines += changed.map { ($0 < 10 ? "0" : "") + "\($0)|\(screen[$0])" }
        }
        if isFirst { first = screen }
        last = screen
        lines += scene.effects.dropFirst(effects).flatMap { $0.descriptions(in: scene.model.roster) }.map { "! \($0)" }
        effects = scene.effects.count
    }
}

extension Size {
    /// Creates a size from columns and rows, as in `80x24`.
    fileprivate init?(_ text: String) {
        let numbers = text.split(separator: "x").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        self.init(columns: numbers[0], rows: numbers[1])
    }
}

extension Effect {
    /// The effect in words: a line for each request or run.
    fileprivate func descriptions(in roster: Roster) -> [String] {
        let names = { (ids: [Target.ID]) in
            ids.map { roster[$0]?.target.name ?? "a removed target" }.joined(separator: ", ")
        }
        return switch self {
        case .perform(let consequences):
            consequences.requests.compactMap { request in
                switch request {
                case .now(let ids): "probe \(names(ids)) now"
                case .forget(let ids): "forget \(names(ids))"
                default: nil
                }
            }
                + (consequences.runs.isEmpty
                    ? []
                    : [
                        "run "
                            + consequences.runs.map { "\($0.rule.action) for \($0.context.name)" }
                            .joined(separator: ", ")
                    ])
        case .silence(let silence): ["silence \(silence.matcher.text): \(silence.reason)"]
        case .copy(let text): ["copy \(text.replacing("\n", with: " / "))"]
        case .mouse(let isOn): ["mouse \(isOn ? "on" : "off")"]
        case .save(_, let name): ["save \(name)"]
        case .saveIncident(_, let targets, _, let name):
            ["write the minutes of \(targets.joined(separator: ", ")) to \(name)"]
        case .readHistory(let request): request.words(names)
        case .showPaths(.none): ["show no paths"]
        case .showPaths(.one(let id)): ["show the path to \(names([id]))"]
        case .showPaths(.all): ["show all paths"]
        case .edit(let request): [request.words]
        case .repaint: ["repaint"]
        case .suspend: ["suspend"]
        case .restoreTerminal: ["retake"]
        case .exit: ["quit"]
        case .alert(let alert):
            [alert.rings ? "ring" : nil, alert.notification.map { "notify: \($0)" }].compactMap(\.self)
        // The title repeats a count of the header.
        case .refresh, .remember, .title, .showFleet, .readFleetHistory: []
        }
    }
}

extension HistoryRequest {
    /// The request in words.
    fileprivate func words(_ names: ([Target.ID]) -> String) -> [String] {
        switch self {
        case .pasts(let assignments): ["read the past of \(names(assignments.map(\.id)))"]
        case .figures(let assignment, _): ["read the figures of \(names([assignment.id]))"]
        case .availability(let assignments): ["read the availability of \(assignments.count) targets"]
        case .hookRuns(let assignments): ["read the hook runs of \(assignments.count) targets"]
        case .chart(let assignment, let period):
            ["read \(period.count) columns of \(names([assignment.id]))"]
        case .moment(let time, let assignments):
            ["read \(assignments.count) targets at \(WallTime(start: .zero).timeOfDay(at: time)) UTC"]
        }
    }
}

extension EditRequest {
    /// The request in words.
    fileprivate var words: String {
        switch self {
        case .make(let edit, _): "make the edit: \(edit.summary)"
        case .undo(let edit, _): "undo the edit: \(edit.summary)"
        case .fields(let name, _): "read the values of \(name)"
        case .rereadIfChanged: "read the file again if it has changed"
        case .reread(nil): "reload"
        case .reread: "read the file again"
        case .write, .overwriteEmpty: "write the file"
        case .create(_, let file): "write the new file \(file)"
        }
    }
}

extension Key {
    /// Creates a key from its name in a story: a character by itself, `^R` with control, others by name.
    init?(name: String) {
        let names: [String: Key] = [
            "space": .character(" "), "up": .up, "down": .down, "left": .left, "right": .right, "pgup": .pageUp,
            "pgdn": .pageDown, "home": .home, "end": .end, "enter": .enter, "esc": .escape, "tab": .tab,
            "backtab": .backTab, "backspace": .backspace, "delete": .delete, "insert": .insert, "f1": .function(1),
            "f9": .function(9), "wheelup": .wheelUp, "wheeldown": .wheelDown, "alt-x": .alt("x"),
        ]
        if let key = names[name] {
            self = key
        } else if name.count == 1, let character = name.first {
            self = .character(character)
        } else if name.count == 2, name.first == "^", let character = name.last {
            self = .control(Character(character.lowercased()))
        } else {
            return nil
        }
    }
}

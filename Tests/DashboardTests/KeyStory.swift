import Foundation
import Monitoring
import Screen
import TestSupport

@testable import Dashboard

/// A file of triples, each a screen, keys and the screen after them: the latter is the former of the next.
///
/// ```
/// # What it is about.
/// scene home 72x12       the first screen, in full, follows in lines `NN|…`
/// press down space       what is done; the rows that change follow, or `= the same screen`, or `= the first screen`
/// ! forget NAS           and what the outside is asked to do
/// ```
struct KeyStory {
    /// What stands in a line that is wrong, for whoever writes a story.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    private var scene = Scene([])
    private var first: [Substring] = []
    private var last: [Substring] = []
    private var effects = 0
    /// The file as it is to be.
    private(set) var lines: [String] = []
    /// Every key that was pressed.
    private(set) var keys: Set<Key> = []
    /// How many triples there are.
    private(set) var count = 0

    /// Plays a story; what it expects of the screen is left aside, and what the screen is stands in ``lines``.
    init(_ text: String) throws {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0)
        {
            let isOutcome = line.hasPrefix("! ") || line.hasPrefix("= ") || line.dropFirst(2).first == "|"
            if isOutcome { continue }
            lines.append(String(line))
            let words = line.split(separator: " ").map(String.init)
            guard let verb = words.first, verb != "#" else { continue }
            try act(verb, Array(words.dropFirst()), rest: String(line.dropFirst(verb.count + 1)))
            tell(isFirst: verb == "scene")
        }
    }

    private mutating func act(_ verb: String, _ words: [String], rest: String) throws {
        switch verb {
        case "scene":
            guard words.count == 2, let made = Scene.named(words[0]), let size = Size(words[1]) else {
                throw Mistake(description: "no such scene: \(rest)")
            }
            scene = made
            scene.send(.resize(size))
            effects = scene.effects.count
            return
        case "press":
            for word in words {
                guard let key = Key(word: word) else { throw Mistake(description: "no such key: \(word)") }
                press(key)
            }
            count += 1
        case "type":
            for character in rest { press(.character(character)) }
            count += 1
        case "click":
            guard let text = words.first else { throw Mistake(description: "click on what?") }
            try click(on: text)
            count += 1
        case "hear":
            guard words.count == 2 else { throw Mistake(description: "hear whom, and what?") }
            scene.hear(words[1], from: words[0])
        case "wait":
            scene.wait(.seconds(Int(rest) ?? 0))
        case "resize":
            guard let size = Size(rest) else { throw Mistake(description: "no size: \(rest)") }
            scene.send(.resize(size))
        case "reload":
            scene.send(.settings(Settings(targets: Scene.home(words)), at: scene.now))
        case "refuse":
            scene.send(.settingsRefused([rest], at: scene.now))
        default:
            throw Mistake(description: "no such verb: \(verb)")
        }
        scene.tick()
    }

    private mutating func press(_ key: Key) {
        keys.insert(key)
        scene.press(key)
    }

    /// Clicks on the first character of a word on the screen.
    private mutating func click(on text: String) throws {
        let rows = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
        guard let row = rows.firstIndex(where: { $0.contains(text) }), let place = rows[row].firstRange(of: text) else {
            throw Mistake(description: "nothing says \(text)")
        }
        let column = String(rows[row][..<place.lowerBound]).displayWidth
        press(.click(Position(column: column, row: row)))
    }

    /// Writes down what became of the screen, and what was asked for.
    private mutating func tell(isFirst: Bool) {
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
        lines += scene.effects.dropFirst(effects).flatMap { $0.words(in: scene.model.roster) }.map { "! \($0)" }
        effects = scene.effects.count
    }
}

extension Size {
    /// Columns and rows, as in `80x24`.
    fileprivate init?(_ text: String) {
        let numbers = text.split(separator: "x").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        self.init(columns: numbers[0], rows: numbers[1])
    }
}

extension Effect {
    /// The effect in words: a line for each thing that a key may ask for.
    fileprivate func words(in roster: Roster) -> [String] {
        let names = { (ids: [Target.ID]) in
            ids.map { roster[$0]?.target.name ?? "one that is gone" }.joined(separator: ", ")
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
                            + consequences.runs.map { "\($0.rule.action) for \($0.occasion.name)" }
                            .joined(separator: ", ")
                    ])
        case .copy(let text): ["copy \(text.replacing("\n", with: " / "))"]
        case .mouse(let isOn): ["mouse \(isOn ? "on" : "off")"]
        case .save(_, let name): ["save \(name)"]
        case .reload: ["reload"]
        case .repaint: ["repaint"]
        case .suspend: ["suspend"]
        case .retake: ["retake"]
        case .exit: ["quit"]
        case .limitHooks, .remember: []
        }
    }
}

import Foundation
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachSettings

/// Random edits of random files: the edited text has the edited settings, and all other lines stay.
struct RandomEditTests {
    private let reader = SettingsReader(file: "dashboard.toml", environment: [:])

    /// A random valid file in odd but legal notation.
    private func file(using random: inout SplitMix) -> String {
        var chance: (Int) -> Bool = { _ in false }
        var generator = random
        chance = { Int.random(in: 0..<$0, using: &generator) == 0 }
        func quoted(_ text: String) -> String {
            chance(3) ? "'\(text)'" : chance(6) ? "\"\"\"\(text)\"\"\"" : "\"\(text)\""
        }
        func comment() -> String {
            chance(3) ? "  # a \"comment\" [[target]] \(Int.random(in: 0..<99, using: &generator))" : ""
        }
        func sign() -> String { chance(4) ? "=" : chance(4) ? "  =  " : " = " }
        var lines = chance(3) ? ["# [[target]]", ""] : []
        if chance(2) { lines += ["[defaults]\(comment())", "interval\(sign())\(quoted("5s"))\(comment())"] }
        if chance(2) { lines += ["", "[group.G]", "slow = \"9ms\"  # url = 'x'", "http.headers = { url = \"no\" }"] }
        for index in 0..<Int.random(in: 2...7, using: &generator) {
            let indentation = chance(4) ? "  " : chance(6) ? "\t" : ""
            if !chance(4) { lines.append("") }
            if chance(3) { lines.append("# Target \(index).") }
            lines.append(
                "\(indentation)[[\(chance(5) ? " target " : chance(5) ? "\"target\"" : "target")]]\(comment())"
            )
            var keys = ["url\(sign())\(quoted("icmp://192.0.2.\(index)"))\(comment())"]
            if chance(2) { keys.append("name\(sign())\(quoted("T \(index)"))\(comment())") }
            if chance(3) { keys.append("group = \(quoted("G"))\(comment())") }
            if chance(3) { keys.append("\"interval\" = \(quoted("7s"))\(comment())") }
            if chance(4) { keys.append("icmp.size = 56\(comment())") }
            if chance(4) { keys.append("when_reachable = '''\n[[target]]\nurl = \"x\"'''") }
            if chance(4) { keys.append("depends_on = [ # ]\n  'link', # \"T 0\"\n]") }
            if chance(5) { keys.append("# interval = \"3s\"") }
            lines += keys.shuffled(using: &generator).map { indentation + $0 }
            if chance(4) {
                lines += ["", "\(indentation)  [[target.hooks]]", "  on = [\"up\"]", "  run = 'true'\(comment())"]
            }
        }
        if chance(3) { lines += ["", "[dashboard]  # mine"] }
        if lines.last == "[dashboard]  # mine", chance(2) { lines.append("columns = [ 'name', 'health' ]  # two") }
        if chance(3) { lines += ["", "[[hook]]", "on = \"down\"", "run = \"true\""] }
        if chance(3) { lines += ["", "# The end."] }
        random = generator
        let lineEnd = chance(4) ? "\r\n" : "\n"
        let text = lines.joined(separator: "\n") + (chance(3) ? "" : "\n")
        return (chance(8) ? "\u{FEFF}" : "") + text.replacing("\n", with: lineEnd)
    }

    private func edit(_ names: [String], step: Int, using random: inout SplitMix) -> SettingsEdit {
        let name = names.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            return .add(
                Bool.random(using: &random) ? [.url: "tcp://n\(step):1"] : [.url: "n\(step)", .name: "New \(step)"],
                below: Bool.random(using: &random) ? name : nil
            )
        case 1: return .remove(name)
        case 2: return .change(name, [.name: Bool.random(using: &random) ? "Name '\(step)'" : ""])
        case 3: return .change(name, [.url: "icmp://198.51.100.\(step)"])
        case 4: return .columns([.name, .health] + [TableColumn.url, .last, .max].prefix(step % 4))
        case 5: return .change(name, [.interval: Bool.random(using: &random) ? "\(step + 1)s" : ""])
        default: return .change(name, [.interval: "\(step + 1)s", .url: "u\(step)", .name: "\\ \(step)"])
        }
    }

    /// The values of all targets that an edit can change.
    private func summary(_ targets: [Target]) -> [[String]] {
        targets.map { [$0.name, $0.question.url, "\($0.interval)", $0.group ?? "", "\($0.hooks.count)"] }
    }

    @Test func `random edits change what they say and nothing else`() throws {
        var random = SplitMix(seed: 17)
        var made = 0
        for _ in 0..<60 {
            var text = file(using: &random)
            for step in 0..<8 {
                let before = try reader.settings(from: text).targets
                let edit = edit(before.map(\.name), step: step, using: &random)
                guard let new = try? SettingsEditor(reader).text(text, with: edit) else { continue }
                // A target without a name is named by its URL, which may be that of another one.
                guard let after = try? reader.settings(from: new).targets else { continue }
                made += 1
                check(edit, before, after)
                checkLines(edit, text, new)
                text = new
            }
        }
        #expect(made > 280)
    }

    private func check(_ edit: SettingsEdit, _ before: [Target], _ after: [Target]) {
        var wanted = summary(before)
        let actual = summary(after)
        switch edit {
        case .add(let values, let neighbour):
            let index = neighbour.flatMap { name in before.firstIndex { $0.name == name } } ?? before.count - 1
            let new = after[index + 1]
            wanted.insert(actual[index + 1], at: index + 1)
            #expect(new.question == values[.url].flatMap { try? Question($0) })
            #expect(new.group == (neighbour == nil ? nil : before[index].group))
        case .remove(let name):
            wanted.removeAll { $0[0] == name }
        case .change(let name, let values):
            guard let index = before.firstIndex(where: { $0.name == name }) else { return }
            if let url = values[.url] { #expect(after[index].question == (try? Question(url))) }
            if let new = values[.name], !new.isEmpty { #expect(after[index].name == new) }
            if let interval = values[.interval], !interval.isEmpty {
                #expect(after[index].interval == Duration(text: interval))
            }
            wanted[index] = actual[index]
        case .columns:
            break
        }
        #expect(wanted == actual)
    }

    /// Checks that the lines before and after one changed part are equal, and how long that part may be.
    private func checkLines(_ edit: SettingsEdit, _ old: String, _ new: String) {
        let (old, new) = (old.lines, new.lines)
        let prefix = zip(old, new).prefix { $0 == $1 }.count
        let suffix = zip(old.dropFirst(prefix).reversed(), new.dropFirst(prefix).reversed()).prefix { $0 == $1 }.count
        let (removed, added) = (old.count - prefix - suffix, new.count - prefix - suffix)
        switch edit {
        case .add(let values, _):
            // The last line of a text gets a line end.
            #expect(removed <= 1 && added - removed <= values.count + 3)
        case .remove:
            #expect(added <= 1)
            let lost = old.dropFirst(prefix).dropLast(suffix).filter {
                $0.contains("# Target") || $0.contains("# The end")
            }
            let kept = new.dropFirst(prefix).dropLast(suffix).filter {
                $0.contains("# Target") || $0.contains("# The end")
            }
            #expect(lost.count == kept.count, "\(edit) \(old.joined())")
        case .change(_, let values):
            let comments = { (lines: [String]) in lines.filter { $0.contains("# a ") }.count }
            #expect(comments(old) == comments(new))
            // Three keys of one table, which has at most nine lines of others between them.
            #expect(values.count > 1 || (removed <= 2 && added <= 2))
        case .columns:
            // A new table has a blank line above it, and the last line of a text gets a line end.
            #expect(removed <= 1 && added - removed <= 3)
        }
    }
}

extension String {
    /// The lines with their line ends.
    fileprivate var lines: [String] {
        unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) + "\n" }
    }
}

/// Edits of the commented sample with a target in another style: more than two hundred lines.
struct SampleEditTests {
    private let text: String
    private let reader = SettingsReader(file: "dashboard.toml", environment: [:])

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let sample = try String(contentsOf: root.appending(path: "dashboard.toml").standardized, encoding: .utf8)
        text = sample + Self.more
    }

    private static let more = """

        # ── More ──

        \t[[ target ]]  # aligned
        \tname   = 'Printer'
        \turl    = 'tcp://192.0.2.9:631'  # in the hall
        \tgroup  = 'Here'

        # The end, without a line end.
        """

    private func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test func `a changed URL is one line, and every other byte stays`() throws {
        #expect(lines(text).count > 200)
        for target in try reader.settings(from: text).targets where target.question.method != .exec {
            let fields = try SettingsEditor(reader).fields(of: target.name, in: text)
            let url = try #require(fields.values[.url])
            let edit = SettingsEdit.change(target.name, [.url: url + "1"])
            // A URL that is not valid is for the reader to refuse.
            let new = try SettingsEditor(reader).text(text, with: edit)
            let index = try #require(
                lines(text).firstIndex {
                    $0.hasPrefix("url") && $0.contains(url + "\"") || $0.contains("url    = '\(url)'")
                }
            )
            var expected = lines(text).map(String.init)
            expected[index] = expected[index].replacing(url, with: url + "1", maxReplacements: 1)
            #expect(new.utf8.elementsEqual(expected.joined(separator: "\n").utf8))
        }
    }

    @Test func `removing and adding a target keeps every comment outside its table`() throws {
        let editor = SettingsEditor(reader)
        for target in try reader.settings(from: text).targets {
            let removed = try editor.text(text, with: .remove(target.name))
            let all = lines(text).filter { $0.hasPrefix("#") }
            let kept = lines(removed).filter { $0.hasPrefix("#") }
            // These comments are inside the tables of the targets.
            #expect(all.count - kept.count == ["Gateway": 3, "SSH": 1][target.name, default: 0], "\(target.name)")
            #expect(try reader.settings(from: removed).targets.count == reader.settings(from: text).targets.count - 1)

            let added = try editor.text(
                text,
                with: .add([.url: "icmp://192.0.2.77", .name: "New"], below: target.name)
            )
            let (old, new) = (lines(text), lines(added))
            let start = zip(old, new).prefix { $0 == $1 }.count
            #expect(new.count == old.count + 5)
            #expect(Array(new[..<start]) == Array(old[..<start]) && Array(new[(start + 5)...]) == Array(old[start...]))
        }
    }
}

import ReachBasics
import ReachMonitoring

/// A target read from the file of another tool. Values are in the notation of TOML.
struct ImportedTarget {
    var name: String
    var url: String
    var group: String?
    /// The other keys, in order.
    var options = TOMLPairs()
    /// The line in the imported file.
    let line: Int
}

/// Keys with their values in the notation of TOML, in order. A later value of a key replaces the earlier one.
struct TOMLPairs: Hashable {
    private struct Pair: Hashable {
        let key: String
        let value: String
    }

    private var pairs: [Pair] = []

    var isEmpty: Bool { pairs.isEmpty }

    /// The keys with their values, each on a line.
    var lines: [String] { pairs.map { "\($0.key.tomlKey) = \($0.value)" } }

    /// The keys as an inline table.
    var inlineTable: String { "{ \(lines.joined(separator: ", ")) }" }

    /// Whether there is a value for a key.
    func has(_ key: String) -> Bool {
        pairs.contains { $0.key == key }
    }

    /// Adds a text.
    mutating func add(_ key: String, _ text: String) {
        add(key, toml: text.tomlString())
    }

    /// Adds a value.
    mutating func add(_ key: String, toml value: String) {
        pairs.removeAll { $0.key == key }
        pairs.append(Pair(key: key, value: value))
    }

    /// Adds all of other pairs.
    mutating func add(_ others: TOMLPairs) {
        for pair in others.pairs { add(pair.key, toml: pair.value) }
    }

    /// Adds an inline table, unless it is empty.
    mutating func add(_ key: String, _ table: TOMLPairs) {
        if !table.isEmpty { add(key, toml: table.inlineTable) }
    }
}

/// The targets of an imported file, and notes about the parts that do not fit.
struct ImportDraft {
    /// The path of the imported file, for notes.
    let file: String
    /// The keys of `[defaults]`.
    var defaults = TOMLPairs()
    private(set) var targets: [ImportedTarget] = []
    /// The targets by their probes, and their names.
    private var probes: [Probe: (name: String, line: Int)] = [:]
    private var names: Set<String> = []
    private(set) var notes: [SettingsProblem] = []
    /// Whether `${NAME}` is a variable in the imported file as well.
    var hasVariables = false
    /// Whether a name that is taken gets a number.
    var numbersNames = false
    /// Whether targets have names of their own, so that several may have the same probe.
    var mayRepeatProbes = false
    /// The notes for the first of several parts of one kind: their indexes, and the numbers of parts.
    private var noted: [String: (index: Int, count: Int)] = [:]

    init(file: String) {
        self.file = file
    }

    /// Adds a target, unless one with the same name or the same probe exists.
    mutating func add(_ target: ImportedTarget) {
        var target = target
        let probe = Probe(url: target.url, options: target.options)
        if !mayRepeatProbes, let same = probes[probe] {
            return note(target.line, about: target.name, "the same probe as \(same.name.quoted) on line \(same.line)")
        }
        if names.contains(target.name), let group = target.group { target.name += " (\(group))" }
        // The query is not part of the name.
        if names.contains(target.name), numbersNames || target.url.contains("?") { number(&target.name) }
        guard names.insert(target.name).inserted else {
            return note(target.line, about: target.name, "duplicate name", hint: "rename it")
        }
        probes[probe] = (target.name, target.line)
        targets.append(target)
    }

    /// Adds the first free number to a name.
    private func number(_ name: inout String) {
        var number = 2
        while names.contains("\(name) (\(number))") { number += 1 }
        name += " (\(number))"
    }

    /// Whether a target has a name.
    func hasTarget(named name: String) -> Bool { names.contains(name) }

    /// The probe of a target.
    private struct Probe: Hashable {
        let url: String
        let options: TOMLPairs
    }

    /// Adds a target for a URL, or notes the problem of the URL.
    ///
    /// - Parameter url: a URL or a short form, as on the command line.
    mutating func add(
        url: String,
        name: String? = nil,
        group: String? = nil,
        line: Int,
        options: TOMLPairs = TOMLPairs()
    ) {
        // The URL is checked with the whole text, where variables have values.
        if hasVariables, url.contains("${") {
            return add(ImportedTarget(name: name ?? url, url: url, group: group, options: options, line: line))
        }
        do {
            let question = try Question(url)
            let name = name ?? question.publicTitle ?? url
            add(ImportedTarget(name: name, url: question.url, group: group, options: options, line: line))
        } catch {
            note(line, about: name ?? url.withoutSecretsOfInvalidURL, error.message, hint: error.hint)
        }
    }

    /// Gives the targets without a group the one that a function returns.
    mutating func group(_ name: (ImportedTarget) -> String?) {
        for index in targets.indices where targets[index].group == nil { targets[index].group = name(targets[index]) }
    }

    /// Notes that a part of the file does not fit.
    mutating func note(_ line: Int, about subject: String = "", _ message: String, hint: String? = nil) {
        notes.append(SettingsProblem(file: file, line: line, keyPath: subject, message: message, hint: hint))
    }

    /// Notes the first of several parts of one kind.
    mutating func noteOnce(_ line: Int, about subject: String, _ message: String, hint: String? = nil) {
        if noted[subject] == nil {
            noted[subject] = (notes.count, 0)
            note(line, about: subject, message, hint: hint)
        }
        noted[subject]?.count += 1
    }

    /// The notes in the order of their lines. Many with one text are merged into the first, with their number.
    var listedNotes: [SettingsProblem] {
        var listed = notes
        for (index, count) in noted.values where count > 1 { listed[index].message += " (\(count) times)" }
        let ordered = listed.sorted { $0.line ?? 0 < $1.line ?? 0 }
        let counts = Dictionary(ordered.map { (NoteText($0), 1) }, uniquingKeysWith: +)
        var seen: Set<NoteText> = []
        return ordered.compactMap { note in
            let text = NoteText(note)
            guard let count = counts[text], count > Self.equalNotes else { return note }
            guard seen.insert(text).inserted else { return nil }
            var first = note
            first.message += " (and \(count - 1) more lines)"
            return first
        }
    }

    /// The most notes with one text that are listed one by one.
    private static let equalNotes = 20

    /// The text that notes of one kind share.
    private struct NoteText: Hashable {
        let message: String
        let hint: String?

        init(_ note: SettingsProblem) {
            (message, hint) = (note.message, note.hint)
        }
    }

    /// Removes the targets at indexes, and notes why.
    mutating func remove(_ problems: [Int: SettingsProblem]) {
        for (index, problem) in problems.sorted(by: { $0.key > $1.key }) {
            note(targets[index].line, about: targets[index].name, problem.message, hint: problem.hint)
        }
        targets = targets.indices.filter { problems[$0] == nil }.map { targets[$0] }
    }

    /// Returns the settings, with the lines of each target.
    func text(beginning comment: String) -> (text: String, lines: [ClosedRange<Int>]) {
        var lines = ["# \(comment.onOneLine)"]
        if !defaults.isEmpty { lines += ["", "[defaults]"] + defaults.lines.map(escaped) }
        var ranges: [ClosedRange<Int>] = []
        for target in targets {
            var pairs = TOMLPairs()
            pairs.add("name", target.name)
            pairs.add("url", target.url)
            if let group = target.group { pairs.add("group", group) }
            let start = lines.count + 2
            lines += ["", "[[target]]"] + (pairs.lines + target.options.lines).map(escaped)
            ranges.append(start...lines.count)
        }
        return (lines.joined(separator: "\n") + "\n", ranges)
    }

    /// Escapes `${`, which begins a variable here but is literal in the imported file.
    private func escaped(_ line: String) -> String {
        hasVariables ? line : line.replacing("${", with: "$${")
    }
}

extension ImportDraft {
    /// Adds the addresses of a hosts(5) file, each by its first name that no other address has.
    mutating func addHosts(_ text: String) {
        for (number, line) in text.importLines {
            let words = line.prefix { $0 != "#" }.importWords
            guard let address = words.first.map(String.init) else { continue }
            guard Family(ofAddress: address) != nil else {
                note(number, about: address, "invalid address", hint: "such as 192.0.2.1")
                continue
            }
            guard words.count > 1 else {
                note(number, about: address, "no name after the address")
                continue
            }
            let names = words.dropFirst().map(String.init)
            let name = names.first { !hasTarget(named: $0) } ?? names[0]
            if let kind = Self.kind(ofAddress: address) {
                note(number, about: name, "\(address) is \(kind), not a host")
            } else {
                add(url: "icmp://\(address)", name: name, line: number)
            }
        }
    }

    /// Returns the kind of an address that is not one of a single host; nil for the address of a host.
    private static func kind(ofAddress address: String) -> String? {
        let address = address.lowercased()
        if address == "0.0.0.0" || address == "::" { return "the unspecified address" }
        if address == "255.255.255.255" { return "the broadcast address" }
        if address.contains(":") {
            return address.hasPrefix("ff")
                ? "a multicast address" : address.hasPrefix("fe0") ? "a reserved address" : nil
        }
        let first = address.prefix { $0 != "." }
        return Int(first).map { (224...239).contains($0) } == true ? "a multicast address" : nil
    }
}

extension String {
    /// The lines with their numbers, counted from one.
    var importLines: [(number: Int, line: Substring)] {
        split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map { ($0 + 1, $1) }
    }
}

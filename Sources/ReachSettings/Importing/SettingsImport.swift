import ReachMonitoring

/// Settings made of the file of another tool, as far as its targets fit.
package struct SettingsImport: Sendable {
    /// The settings. They are valid.
    package let text: String
    /// The format of the imported file.
    package let format: ImportFormat
    /// The number of targets.
    package let targetCount: Int
    /// The parts of the file that were not imported, with the reasons, in the order of their lines.
    ///
    /// Many with one text are merged into the first, with their number.
    package let notes: [SettingsProblem]
    /// The number of parts that were not imported.
    package let partCount: Int
    /// The environment variables that the settings use without a fallback, sorted.
    package let variables: [String]

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - format: The format; nil to detect it by name and content.
    ///   - prefixes: The networks that are groups of the targets without one; nil for none.
    /// - Throws: ``SettingsFailure`` for a file that cannot be read, has another format, or has no target.
    package init(
        path: String,
        format: ImportFormat? = nil,
        groupedBy prefixes: NetworkPrefixes? = nil
    ) throws(SettingsFailure) {
        let content: RegularFile
        do {
            content = try RegularFile(path: path, limit: SettingsFile.limit)
        } catch {
            throw .unreadable("\(path): \(error.problem)".onOneLine)
        }
        try self.init(bytes: content.bytes, file: path, format: format, groupedBy: prefixes)
    }

    /// The largest size of an imported file, in bytes.
    package static let sizeLimit = SettingsFile.limit

    /// Imports the bytes of a file.
    package init(
        bytes: [UInt8],
        file: String,
        format: ImportFormat? = nil,
        groupedBy prefixes: NetworkPrefixes? = nil
    ) throws(SettingsFailure) {
        guard bytes.count <= Self.sizeLimit else {
            throw .unreadable("\(file): larger than \(Self.sizeLimit / 1_048_576) MiB".onOneLine)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unreadable("\(file): the text is not UTF-8 – save the file as UTF-8".onOneLine)
        }
        try self.init(text, file: file, format: format, groupedBy: prefixes)
    }

    /// Imports the text of a file.
    package init(
        _ text: String,
        file: String,
        format: ImportFormat? = nil,
        groupedBy prefixes: NetworkPrefixes? = nil
    ) throws(SettingsFailure) {
        // A byte order mark is not part of the first line.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        let isYAML = [".yaml", ".yml", ".json"].contains { file.lowercased().hasSuffix($0) }
        guard format != nil || isYAML || text.hasImportLines else {
            throw .unreadable("\(file): no targets in the file".onOneLine)
        }
        guard let format = format ?? ImportFormat(of: text, named: file) else {
            let choices = ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw .unreadable("\(file): unknown format – name it with --from-format: one of \(choices)".onOneLine)
        }
        var draft = ImportDraft(file: file)
        switch format {
        case .fping: draft.addList(text)
        case .hosts: draft.addHosts(text)
        case .ssh: draft.addSecureShellHosts(text)
        case .prometheus: try draft.addTargetGroups(text)
        case .gatus: try draft.addEndpoints(text)
        }
        if let prefixes { draft.group(by: prefixes) }
        guard draft.targets.count <= Self.limit else {
            let count = draft.targets.count
            throw .unreadable("\(file): \(count) targets – at most \(Self.limit), split the file".onOneLine)
        }
        let comment = "Imported from \(format.title), \(file). Keys and defaults: reach init - | less"
        self.format = format
        self.text = Self.validText(of: &draft, beginning: comment)
        targetCount = draft.targets.count
        variables = draft.hasVariables ? Self.requiredVariables(in: self.text) : []
        notes = draft.listedNotes
        partCount = draft.notes.count
        guard targetCount > 0 else {
            let problem = SettingsProblem(file: file, message: "no targets in \(format.title)")
            throw .problems(notes + [problem])
        }
    }

    /// Returns the text of the draft, after removing the targets that are not valid.
    private static func validText(of draft: inout ImportDraft, beginning comment: String) -> String {
        while true {
            let (text, lines) = draft.text(beginning: comment)
            let attempts = Self.samples.map { sample in
                let environment = variables(in: text, standingFor: sample)
                return SettingsReader(file: draft.file, environment: environment, mayLackTargets: true).result(of: text)
            }
            // The targets of the lines.
            var owners: [Int: Int] = [:]
            for (index, range) in lines.enumerated() { for line in range { owners[line] = index } }
            let problems = attempts.map { attempt in
                attempt.problems.reduce(into: [Int: SettingsProblem]()) { found, problem in
                    guard let index = problem.line.flatMap({ owners[$0] }), found[index] == nil else { return }
                    found[index] = problem
                }
            }
            let invalid = problems[0].filter { index, _ in problems.allSatisfy { $0[index] != nil } }
            guard !invalid.isEmpty else { return text }
            draft.remove(invalid)
        }
    }

    /// The most targets of a file, as of lists of URLs.
    private static let limit = DocumentReader.listedLimit

    /// Values of variables: a target is valid if it is so with one of them.
    private static let samples = ["host.example", "443"]

    /// The names of the variables without a fallback in a text.
    private static func requiredVariables(in text: String) -> [String] {
        Set(text.matches(of: #/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/#).map { String($0.1) }).sorted()
    }

    /// The variables of a text, all with one value.
    private static func variables(in text: String, standingFor sample: String) -> [String: String] {
        let names = text.matches(of: #/\$\{([A-Za-z_][A-Za-z0-9_]*)/#).map { String($0.1) }
        return Dictionary(names.map { ($0, sample) }, uniquingKeysWith: { first, _ in first })
    }
}

extension String {
    /// Whether a line has more than blanks and a comment.
    fileprivate var hasImportLines: Bool {
        split(whereSeparator: \.isNewline).contains { !$0.prefix { $0 != "#" }.importWords.isEmpty }
    }
}

/// A file format of another tool whose targets can be imported.
package enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// A list for `fping -f`: a host on each line.
    case fping
    /// A hosts(5) file, such as `/etc/hosts`.
    case hosts
    /// An ssh_config(5) file, such as `~/.ssh/config`.
    case ssh
    /// A file of Prometheus's file-based service discovery, in JSON or YAML.
    case prometheus
    /// A configuration of Gatus, in YAML.
    case gatus

    /// Detects the format by the name of a file, or else by its content; nil for another file.
    init?(of text: String, named file: String) {
        let name = file.split(separator: "/").last.map { $0.lowercased() } ?? ""
        let lines = text.split(whereSeparator: \.isNewline).map { $0.prefix { $0 != "#" }.importWords }
            .filter { !$0.isEmpty }
        if [".yaml", ".yml", ".json"].contains(where: { name.hasSuffix($0) }) {
            self = lines.contains { $0[0].hasPrefix("endpoints:") } ? .gatus : .prometheus
        } else if lines.contains(where: { $0[0] == "endpoints:" }) {
            self = .gatus
        } else if lines.first.map({ $0[0].hasPrefix("[") || $0[0] == "-" }) ?? false {
            self = .prometheus
        } else if Self.isSecureShellConfiguration(lines) {
            self = .ssh
        } else if name == "hosts"
            || lines.contains(where: { $0.count > 1 }) && lines.allSatisfy({ Self.isAddress($0[0]) })
        {
            self = .hosts
        } else if !lines.isEmpty, lines.allSatisfy({ $0.count == 1 && !$0[0].contains("=") }) {
            self = .fping
        } else {
            return nil
        }
    }

    /// The name of the format for people.
    var title: String {
        switch self {
        case .fping: "an fping list"
        case .hosts: "a hosts file"
        case .ssh: "an ssh configuration"
        case .prometheus: "Prometheus file_sd"
        case .gatus: "a Gatus configuration"
        }
    }

    /// Whether most lines begin with a keyword of ssh_config(5) and have a value, and one begins a block. A word in a list
    /// of hosts may be `host`, too.
    private static func isSecureShellConfiguration(_ lines: [[Substring]]) -> Bool {
        let keywords = lines.compactMap { words -> String? in
            let parts = words[0].split(separator: "=", maxSplits: 1)
            guard let keyword = parts.first?.lowercased(), parts.count == 2 || words.count > 1 else { return nil }
            return ImportDraft.secureShellKeywords.contains(keyword) ? keyword : nil
        }
        return keywords.count * 2 > lines.count && keywords.contains { ["host", "match"].contains($0) }
    }

    private static func isAddress(_ text: Substring) -> Bool {
        text.contains(":") || text.allSatisfy { $0.isNumber || $0 == "." }
    }
}

extension Substring {
    /// The words of a line.
    var importWords: [Substring] {
        split { $0 == " " || $0 == "\t" || $0 == "\r" }
    }
}

package import ReachMonitoring

/// A problem in the settings: its position, message and hint.
public struct SettingsProblem: Sendable, Hashable, CustomStringConvertible {
    /// The path of the file, as the user wrote it.
    package var file: String
    /// The line, counted from one; nil if the problem has no position.
    package var line: Int?
    /// The column, counted from one in Unicode scalars; nil if the problem has no position.
    package var column: Int?
    /// The table and key, for people: `target "NAS": tcp.expect`. Empty for the whole file.
    package var keyPath: String
    /// The problem, without its position.
    package var message: String
    /// The fix, if there is a likely one.
    package var hint: String?
    /// Whether this is a warning: a part of the settings that is valid and has no effect.
    package var isWarning = false

    /// Creates a problem at a position, or with the whole file.
    package init(
        file: String,
        line: Int? = nil,
        column: Int? = nil,
        keyPath: String = "",
        message: String,
        hint: String? = nil
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.keyPath = keyPath
        self.message = message
        self.hint = hint
    }

    /// One line: `dashboard.toml:14:12: target "NAS": interval: 2 has no unit – did you mean "2s"?`.
    public var description: String {
        var position = file
        if let line { position += ":\(line)" + (column.map { ":\($0)" } ?? "") }
        let parts = [position, keyPath, isWarning ? "warning: \(message)" : message].filter { !$0.isEmpty }
        return (parts.joined(separator: ": ") + (hint.map { " – \($0)" } ?? "")).onOneLine
    }
}

/// Why the settings cannot be used.
public enum SettingsFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file was read and is invalid. All problems are listed, in the order of their lines.
    case problems([SettingsProblem])
    /// The file cannot be read; one line gives the reason.
    case unreadable(String)
    /// There is no file in the folders searched, which one line names.
    case notFound(String)

    /// One line for each problem.
    package var lines: [String] {
        switch self {
        case .problems(let problems): problems.map(\.description)
        case .unreadable(let line), .notFound(let line): [line]
        }
    }

    /// The lines as one text.
    public var description: String {
        lines.joined(separator: "\n")
    }
}

/// The result of a validation of settings, with the lists of their sources that are in files.
package struct SettingsReport: Sendable, Hashable {
    /// The settings, with the targets of the lists; nil if there are problems.
    package private(set) var settings: Settings?
    /// The problems: those of the settings in the order of their files and lines, then those of the lists.
    package private(set) var problems: [SettingsProblem]
    /// The parts that are valid and have no effect; empty if there are problems.
    package private(set) var warnings: [SettingsProblem]
    /// The variables and secrets without a value, if these are allowed. The values that have them were not checked.
    package let unset: [String]

    /// The names of the sources whose lists are not in files, and were not read.
    package private(set) var notFetched: [String] = []

    /// Reads the lists in files.
    ///
    /// - Parameter file: The path of the settings file, for the problems.
    mutating func readLists(file: String) {
        var lists: [DiscoverySource.Kind: DiscoveryList] = [:]
        func problem(_ source: DiscoverySource, _ message: String) -> SettingsProblem {
            SettingsProblem(file: file, keyPath: "source \(source.name.quoted)", message: message)
        }
        for source in settings?.sources ?? [] {
            switch ListFiles(source)?.result {
            case nil: notFetched.append(source.name)
            case .success(let list): lists[source.kind] = list
            case .failure(let failure): problems.append(problem(source, failure.description))
            }
        }
        for (source, leftOut) in settings?.discover(lists) ?? [:] {
            var warning = problem(source, leftOut.summary)
            warning.isWarning = true
            warnings.append(warning)
        }
        if !problems.isEmpty { (settings, warnings) = (nil, []) }
    }
}

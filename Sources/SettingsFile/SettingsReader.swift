public import Monitoring

/// Parses and validates the text of a settings file, and reports all problems.
public struct SettingsReader: Sendable {
    /// The path of the file. Problems show it, and other files are relative to its directory.
    public let file: String
    /// The variables to substitute for `${NAME}`.
    public let environment: [String: String]
    /// Whether settings without targets are valid.
    private let mayLackTargets: Bool

    /// Creates a reader for one file.
    public init(file: String, environment: [String: String], mayLackTargets: Bool = false) {
        self.file = file
        self.environment = environment
        self.mayLackTargets = mayLackTargets
    }

    /// Reads the settings from a text.
    ///
    /// - Throws: ``SettingsFailure/problems(_:)`` with all problems in the order of their lines. After a syntax error,
    ///   it contains only that error.
    public func settings(from text: String) throws(SettingsFailure) -> Settings {
        try result(of: text).settings()
    }

    /// The settings read from a text, with their problems.
    struct ReadResult {
        /// The settings, valid only if there are no problems.
        let partial: Settings
        var problems: [SettingsProblem]
        /// The parts that are valid and have no effect; empty if there are problems.
        var warnings: [SettingsProblem] = []
        /// Whether the text has commands to run, valid or not.
        let hasCommands: Bool

        /// Returns the settings if there are no problems.
        func settings() throws(SettingsFailure) -> Settings {
            guard problems.isEmpty else { throw .problems(problems) }
            return partial
        }
    }

    /// The directory of the file with a trailing slash; empty for the current directory.
    private var directory: String {
        file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    }

    /// Reads a text and collects all problems.
    func result(of text: String) -> ReadResult {
        let log = ProblemLog(file: file, text: text)
        let (document, isCut): ([String: Value], Bool)
        do {
            (document, isCut) = try Value.document(text)
        } catch {
            log.report(error.message, hint: error.hint, at: error.location)
            return ReadResult(partial: Settings(targets: []), problems: log.sorted, hasCommands: false)
        }

        if isCut || text.mayHaveEscapedNull {
            reportDropped(to: log)
            guard log.sorted.isEmpty else {
                return ReadResult(partial: Settings(targets: []), problems: log.sorted, hasCommands: false)
            }
        }
        var reader = DocumentReader(document, environment: environment, directory: directory, log: log)
        let settings = reader.settings(mayLackTargets: mayLackTargets)
        return ReadResult(
            partial: settings,
            problems: log.sorted,
            warnings: log.warnings,
            hasCommands: log.hasCommands
        )
    }

    /// Reports the parts of the text that are missing from the parsed document.
    private func reportDropped(to log: ProblemLog) {
        for location in log.locator.nulls {
            log.report(
                "NUL character in a string or key",
                hint: "remove the \\u0000; a byte to send is '\\x00'",
                at: location
            )
        }
        for location in log.locator.tooDeep.prefix(1) {
            log.report("tables nested too deeply", hint: "settings have at most six levels", at: location)
        }
    }
}

extension String {
    /// Whether the text may contain an escaped NUL. The locator finds out whether it does.
    fileprivate var mayHaveEscapedNull: Bool {
        var zeros = -1
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "u"), UInt8(ascii: "U"): zeros = 0
            case UInt8(ascii: "0") where zeros >= 0: zeros += 1
            default: zeros = -1
            }
            if zeros == 4 { return true }
        }
        return false
    }
}

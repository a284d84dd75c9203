public import ReachMonitoring

/// Parses and validates the text of a settings file with the files that it includes, and reports all problems.
public struct SettingsReader: Sendable {
    /// The path of the file. Problems show it, and other files are relative to its directory.
    private let file: String
    /// The variables to substitute for `${NAME}`.
    private let environment: [String: String]
    /// Whether settings without targets are valid.
    private let mayLackTargets: Bool
    /// Whether variables and secrets without a value are no problems.
    var allowsUnset = false

    /// Creates a reader for one file.
    public init(file: String, environment: [String: String], mayLackTargets: Bool = false) {
        self.file = file
        self.environment = environment
        self.mayLackTargets = mayLackTargets
    }

    /// Reads the settings from a text.
    ///
    /// - Throws: ``SettingsFailure/problems(_:)`` with all problems in the order of their files and lines. After a syntax
    ///   error of this text, it contains only that error.
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
        /// The files that were read besides the first one.
        var included: [IncludedFiles.File] = []
        /// The tables of the targets, in order.
        var targetDeclarations: [TargetDeclaration] = []
        /// The variables and secrets without a value, if they are no problems.
        var unset: [String] = []

        /// Returns the settings if there are no problems.
        func settings() throws(SettingsFailure) -> Settings {
            guard problems.isEmpty else { throw .problems(problems) }
            return partial
        }
    }

    /// Reads a text and collects all problems.
    func result(of text: String) -> ReadResult {
        let log = ProblemLog(allowsUnset: allowsUnset)
        var files = IncludedFiles(environment: environment, log: log)
        files.read(text, of: file)
        // Nothing can be read of a first file with a syntax error.
        guard files.documents.first?.file == 0 else {
            return ReadResult(partial: Settings(targets: []), problems: log.sorted, hasCommands: false)
        }
        var reader = DocumentReader(files.documents, environment: environment, log: log)
        let settings = reader.settings(mayLackTargets: mayLackTargets)
        return ReadResult(
            partial: settings,
            problems: log.sorted,
            warnings: log.warnings,
            hasCommands: log.hasCommands,
            included: files.files,
            targetDeclarations: reader.targetDeclarations,
            unset: log.unset.sorted()
        )
    }
}

public import Monitoring

/// Makes settings of the text of a settings file, or says everything that is wrong with it.
public struct SettingsReader: Sendable {
    /// What the file is called in problems, and beside what the files are that it names.
    public let file: String
    /// The variables that `${NAME}` stands for.
    public let environment: [String: String]

    /// A reader for one file.
    public init(file: String, environment: [String: String]) {
        self.file = file
        self.environment = environment
    }

    /// The settings that the text describes.
    ///
    /// - Throws: ``SettingsFailure/problems(_:)``, all of them in the order of the lines. Of mistakes in the syntax only
    ///   the first is known, and nothing else is looked at.
    public func settings(from text: String) throws(SettingsFailure) -> Settings {
        try outcome(of: text).settings()
    }

    /// What a text amounts to.
    struct Outcome {
        /// The settings, as far as they go.
        let partial: Settings
        /// All that is wrong with them.
        var problems: [SettingsProblem]
        /// Whether the text has commands to run, good ones or bad.
        let hasCommands: Bool

        /// The settings, if nothing is wrong with them.
        func settings() throws(SettingsFailure) -> Settings {
            guard problems.isEmpty else { throw .problems(problems) }
            return partial
        }
    }

    /// The file's folder with a slash at its end; empty for the current one.
    private var folder: String {
        file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    }

    func outcome(of text: String) -> Outcome {
        let log = ProblemLog(file: file, text: text)
        let (document, isCut): ([String: Value], Bool)
        do {
            (document, isCut) = try Value.document(text)
        } catch {
            log.report(error.message, hint: error.hint, at: error.location)
            return Outcome(partial: Settings(targets: []), problems: log.sorted, hasCommands: false)
        }

        if isCut || text.mayHaveEscapedNull {
            reportWhatIsLost(to: log)
            guard log.sorted.isEmpty else {
                return Outcome(partial: Settings(targets: []), problems: log.sorted, hasCommands: false)
            }
        }
        var reader = DocumentReader(document, environment: environment, folder: folder, log: log)
        return Outcome(partial: reader.settings(), problems: log.sorted, hasCommands: log.hasCommands)
    }
    /// Reports what the document lacks of the text.
    private func reportWhatIsLost(to log: ProblemLog) {
        for location in log.locator.nulls {
            log.report(
                "NUL character in a string or key",
                hint: "remove the \\u0000; a byte to send is '\\x00'",
                at: location
            )
        }
        for location in log.locator.abysses.prefix(1) {
            log.report("tables within tables, too deep for settings", hint: "no key needs that", at: location)
        }
    }
}

extension String {
    /// Whether a NUL may be written as an escape somewhere; where it is one, the locator knows.
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

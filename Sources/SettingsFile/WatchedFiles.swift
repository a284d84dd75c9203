import LibC

/// The files that settings are read from: the first one, and those that it includes, also if they appear later.
public struct WatchedFiles: Sendable, Hashable {
    /// The state of all files. It changes when one of them is written, replaced, added or removed.
    public struct Signature: Sendable, Hashable {
        private let files: [String: FileSignature]

        fileprivate init(_ paths: [String]) {
            let signatures = paths.map { ($0, FileSignature(at: $0)) }
            files = Dictionary(signatures) { first, _ in first }.compactMapValues(\.self)
        }
    }

    /// The path of the first file.
    private let path: String
    /// The patterns of the included files.
    private let patterns: [FilePattern]

    /// Finds the files that a file includes now.
    ///
    /// - Parameter environment: The variables to substitute for `${NAME}`.
    public init(path: String, environment: [String: String]) {
        self.path = path
        let content = try? FileContent(path: path, limit: SettingsFile.limit)
        guard let text = content?.text, text.contains("include") else {
            patterns = []
            return
        }
        var files = IncludedFiles(environment: environment, log: ProblemLog())
        files.read(text, of: path)
        patterns = files.patterns
    }

    /// Whether other files are included.
    public var hasIncludes: Bool { !patterns.isEmpty }

    /// Reads the state of the files.
    public var signature: Signature { Signature(paths) }

    /// The first file without text; nil if there is none. An editor may write it at this moment.
    public var blankFile: String? { paths.first { SettingsFile(path: $0).isBlank } }

    private var paths: [String] { [path] + patterns.flatMap(\.paths) }
}

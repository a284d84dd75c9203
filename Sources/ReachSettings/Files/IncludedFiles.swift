import ReachSystem

/// Reads the files of settings: the first one, the files that it includes, and the files that those include.
///
/// Each file is read once, at its first mention. The files of one pattern are in the order of their names.
struct IncludedFiles {
    /// A file that was read.
    struct File {
        let path: String
        /// Owner and permissions of the open file.
        let ownership: Ownership
    }

    /// The content of a file.
    struct Document {
        /// The index of the file in the log.
        let file: Int
        let values: [String: TOMLValue]
    }

    /// The largest number of included files.
    private static let limit = 1_000
    /// The largest number of files that include each other in a chain.
    private static let depth = 8
    static let example = "such as include = [\"conf.d/*.toml\"]"

    /// The documents, in the order in which they are read.
    private(set) var documents: [Document] = []
    /// The included files.
    private(set) var files: [File] = []
    /// The patterns of all includes, with their directories. A file that matches one may appear later.
    private(set) var patterns: [FilePattern] = []

    private let environment: [String: String]
    private let log: ProblemLog
    /// The files on the way to the present one: their identities and the names in messages.
    private var chain: [(identity: String, name: String)] = []
    /// The identities of the files that were read.
    private var seen: Set<String> = []
    /// Whether a file was left out because of the limit.
    private var isFull = false

    init(environment: [String: String], log: ProblemLog) {
        (self.environment, self.log) = (environment, log)
    }

    /// Reads a text and the files that it includes, and reports the problems of their syntax.
    ///
    /// - Parameter path: The path of the file that has the text.
    mutating func read(_ text: String, of path: String) {
        let file = log.add(file: path, text: text)
        guard let values = parse(text, file: file) else {
            log.isIncomplete = true
            return
        }
        documents.append(Document(file: file, values: values))
        let identity = path.resolvedPath ?? path
        seen.insert(identity)
        chain.append((identity, path))
        var table = TableReader(
            values,
            title: "",
            at: SettingsPath(file: file),
            substitution: Substitution(environment: environment),
            log: log
        )
        for element in table.texts("include", example: Self.example) ?? [] {
            include(element, of: table)
        }
        chain.removeLast()
    }

    private mutating func include(_ element: TableReader.Element, of table: TableReader) {
        let problems = log.count
        defer { if log.count > problems { log.isIncomplete = true } }
        if let (message, hint) = TableReader.problem(inFileName: element.text) {
            return table.report(message, hint: hint, about: "include", at: element)
        }
        guard chain.count <= Self.depth else {
            return table.report(
                "files include each other more than \(Self.depth) levels deep",
                hint: "include the files from the first one",
                about: "include",
                at: element
            )
        }
        let pattern = FilePattern(element.text, in: log.directory(ofFile: table.path.file))
        patterns.append(pattern)
        let paths = pattern.paths
        if paths.isEmpty {
            let (message, hint) =
                pattern.isForbidden
                ? ("no permission to read the folder of", "chmod u+rx, or run as its owner")
                : ("no file matches", "write one, or remove the pattern")
            table.report("\(message) \(pattern.text.quoted)", hint: hint, about: "include", at: element)
        }
        for path in paths { include(path, at: element, of: table) }
    }

    private mutating func include(_ path: String, at element: TableReader.Element, of table: TableReader) {
        func report(_ message: String, hint: String? = nil) {
            table.report(message, hint: hint, about: "include", at: element)
        }
        let identity = path.resolvedPath ?? path
        if let start = chain.firstIndex(where: { $0.identity == identity }) {
            let cycle = (chain[start...].map(\.name) + [path]).joined(separator: " → ")
            let isPattern = FilePattern.hasWildcard(element.text)
            let fix =
                isPattern ? "a pattern that does not match it, such as conf.d/*.toml" : "remove \(element.text.quoted)"
            return report("circular include: \(cycle)", hint: fix)
        }
        guard !seen.contains(identity) else { return }
        guard files.count < Self.limit else {
            if !isFull { report("more than \(Self.limit) files", hint: "join some of them") }
            isFull = true
            return
        }
        do {
            let content = try RegularFile(path: path, limit: SettingsFile.limit)
            files.append(File(path: path, ownership: content.ownership))
            guard let text = content.text else {
                let file = log.add(file: path, text: "")
                let location = Location(line: content.firstInvalidLine, column: 1, file: file)
                return log.report("the text is not UTF-8", hint: "save the file as UTF-8", at: location)
            }
            read(text, of: path)
        } catch {
            report("\(path): \(error.problem)", hint: error.isMissing ? "write it, or remove it here" : error.fix)
        }
    }

    /// Parses a text; nil if it is not TOML, which is reported.
    private func parse(_ text: String, file: Int) -> [String: TOMLValue]? {
        let (document, isCut): ([String: TOMLValue], Bool)
        do {
            (document, isCut) = try TOMLValue.document(text)
        } catch {
            var location = error.location
            location?.file = file
            log.report(error.message, hint: error.hint, at: location, in: file)
            return nil
        }
        guard isCut || text.mayHaveEscapedNull else { return document }
        let problems = log.count
        reportDropped(ofFile: file)
        return log.count == problems ? document : nil
    }

    /// Reports the parts of a text that are missing from the parsed document.
    private func reportDropped(ofFile file: Int) {
        let locator = log.locator(ofFile: file)
        for var location in locator.nulls {
            location.file = file
            log.report(
                "NUL character in a string or key",
                hint: "remove the \\u0000; a byte to send is '\\x00'",
                at: location
            )
        }
        for var location in locator.tooDeep.prefix(1) {
            location.file = file
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

/// The path of an included file, or a pattern of paths with `*`, `?` or `[…]`.
struct FilePattern: Sendable, Hashable {
    /// The path or pattern, as messages show it.
    let text: String
    /// The directory that it is relative to, with a trailing slash; empty for the current directory.
    private let directory: String

    init(_ text: String, in directory: String) {
        self.text = text
        self.directory = text.hasPrefix("/") ? "" : directory
    }

    /// Whether a text has a wildcard.
    static func hasWildcard(_ text: String) -> Bool {
        text.utf8.contains { "*?[".utf8.contains($0) }
    }

    /// The paths that match, in the order of their bytes. A path without wildcards matches, whether it exists or not.
    var paths: [String] {
        guard Self.hasWildcard(text) else { return [directory + text] }
        var matches = glob_t()
        defer { globfree(&matches) }
        guard glob(wholePattern, 0, nil, &matches) == 0 else { return [] }
        let paths = (0..<Int(matches.gl_pathc)).compactMap { matches.gl_pathv[$0].map { String(cString: $0) } }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether a folder on the way to the files cannot be read.
    var isForbidden: Bool {
        var matches = glob_t()
        defer { globfree(&matches) }
        return glob(wholePattern, GLOB_ERR, nil, &matches) == GLOB_ABORTED && errno == EACCES
    }

    /// The pattern with its directory, which may have the characters of patterns in its name.
    private var wholePattern: String {
        directory.reduce(into: "") { $0 += "*?[\\".contains($1) ? "\\\($1)" : String($1) } + text
    }
}

/// The state of files. It changes when one of them is written, replaced, added or removed.
package struct FileSignatures: Sendable, Hashable {
    private let signatures: [String: FileSignature]

    init(of paths: [String]) {
        signatures = paths.reduce(into: [:]) { $0[$1] = FileSignature(at: $1) }
    }
}

/// The files that settings are read from: the settings file, and all present and future files that it includes.
package struct WatchedFiles: Sendable, Hashable {
    /// The path of the first file.
    private let path: String
    /// The patterns of the included files.
    private let patterns: [FilePattern]

    /// Finds the files that a file includes now.
    ///
    /// - Parameter environment: The variables to substitute for `${NAME}`.
    package init(path: String, environment: [String: String]) {
        self.path = path
        let content = try? RegularFile(path: path, limit: SettingsFile.limit)
        guard let text = content?.text, text.contains("include") else {
            patterns = []
            return
        }
        var files = IncludedFiles(environment: environment, log: ProblemLog())
        files.read(text, of: path)
        patterns = files.patterns
    }

    /// Whether other files are included.
    package var hasIncludes: Bool { !patterns.isEmpty }

    /// Reads the state of the files.
    package var signature: FileSignatures { FileSignatures(of: paths) }

    /// The first blank file, which an editor may be writing; nil if all files have text.
    package var blankFile: String? { paths.first { SettingsFile(path: $0).isBlank } }

    private var paths: [String] { [path] + patterns.flatMap(\.paths) }
}

import LibC

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

    /// The path of a file without symbolic links, which identifies it; the path itself if there is no such file.
    static func identity(of path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

import LibC

/// The directories above a file, up to the root. For a symbolic link, they include those above the file it points to.
struct ParentDirectories {
    /// The paths without symbolic links, the nearest first.
    let paths: [String]

    init(of path: String) {
        let nearest = [Self.parent(of: path), Self.resolved(path).map(Self.parent)].compactMap(\.self)
        var paths: [String] = []
        for start in nearest.compactMap(Self.resolved) {
            var directory = start
            while !paths.contains(directory) {
                paths.append(directory)
                directory = Self.parent(of: directory)
            }
        }
        self.paths = paths
    }

    /// Returns a problem if another user can replace the file; nil if only the user and root can.
    func problem(file: String) -> SettingsProblem? {
        for path in paths {
            var status = stat()
            // A directory without a status is skipped: the file below it could not be opened either.
            guard stat(path, &status) == 0 else { continue }
            if let problem = Ownership(status).problem(file: file, directory: path) { return problem }
        }
        return nil
    }

    /// Returns the directory of a file. The root is its own parent.
    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

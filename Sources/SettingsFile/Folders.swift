import LibC

/// The folders above a file, up to the root: those of its name and, where that is a symbolic link, those of the file that
/// it leads to.
struct Folders {
    /// Their paths, the nearest first, without symbolic links.
    let paths: [String]

    init(of path: String) {
        let nearest = [Self.parent(of: path), Self.resolved(path).map(Self.parent)].compactMap(\.self)
        var paths: [String] = []
        for folder in nearest.compactMap(Self.resolved) {
            var folder = folder
            while !paths.contains(folder) {
                paths.append(folder)
                folder = Self.parent(of: folder)
            }
        }
        self.paths = paths
    }

    /// Why another may replace the file; nil if only the user and the administrator may.
    func problem(file: String) -> SettingsProblem? {
        for path in paths {
            var status = stat()
            // What cannot be looked at cannot be vouched for, but neither could the file be opened.
            guard stat(path, &status) == 0 else { continue }
            if let problem = Ownership(status).problem(file: file, folder: path) { return problem }
        }
        return nil
    }

    /// The folder that a file is in: `/` of the root itself.
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

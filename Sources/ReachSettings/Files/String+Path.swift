import ReachSystem

extension String {
    /// The path without symbolic links; nil if there is no such file.
    var resolvedPath: String? {
        guard let real = realpath(self, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The path of the folder that has the file. The root is its own folder.
    var parentPath: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}

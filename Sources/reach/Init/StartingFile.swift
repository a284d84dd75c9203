import LibC

/// The settings file to begin with: the sample of the repository.
enum StartingFile {
    /// Its bytes.
    static let bytes = PackageResources.dashboard_toml

    /// Writes it where nothing is yet, for the user alone: it is a place for commands and secrets.
    ///
    /// - Returns: Why it could not, and nothing is there then that was not before; nil when it did.
    static func write(to path: String) -> String? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return trouble(errno, path) }
        let isWritten = writeAll(String(decoding: bytes, as: UTF8.self), to: descriptor)
        let code = errno
        close(descriptor)
        guard !isWritten else { return nil }
        // Half of it would be in the way of the next try.
        unlink(path)
        return trouble(code, path)
    }

    private static func trouble(_ code: Int32, _ path: String) -> String {
        switch code {
        case EEXIST: "is there already, and stays as it is – name another file, or move that one away"
        case ENOENT: "there is no such folder – mkdir -p \(folder(of: path))"
        case ENOTDIR: "a part of the path is no folder"
        case EACCES, EPERM, EROFS: "no permission to write in \(folder(of: path))"
        default: "cannot write it: \(String(cString: strerror(code)))"
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "this folder"
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Where a picture is kept.
enum PictureFile {
    /// Why a file cannot be written, as far as that shows before there is anything to write; nil when it can.
    static func obstacle(at path: String) -> String? {
        let exists = access(path, F_OK) == 0
        // Only a folder has itself in it.
        if exists, access("\(path)/.", F_OK) == 0 { return String(cString: strerror(EISDIR)) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard path.isEmpty || access(exists ? path : folder, W_OK) != 0 else { return nil }
        return path.isEmpty ? "it has no name" : String(cString: strerror(errno))
    }

    /// Writes a picture into a file.
    ///
    /// - Parameter replaces: whether a file of that name is overwritten.
    /// - Returns: Why it could not; nil when it did.
    static func write(_ picture: String, to path: String, replaces: Bool) -> String? {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replaces ? O_TRUNC : O_EXCL)
        let descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        return writeAll(picture, to: descriptor) ? nil : String(cString: strerror(errno))
    }
}

import LibC

extension Fetch {
    /// The sink for a path: a file that appears when it is whole, or a stream where the path is standard output, a pipe or a
    /// device.
    ///
    /// - Parameter path: standard output where nil or `-`.
    /// - Throws: ``Error/file(_:)`` when nothing can be written there.
    package static func sink(to path: String?) throws(Error) -> any BodySink {
        guard let path, !["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path) else {
            return StreamSink()
        }
        var status = stat()
        let isThere = stat(path, &status) == 0
        // A name that is too long, a loop of links, a folder that may not be entered.
        if !isThere, errno != ENOENT { throw Error("write", path, errno: errno) }
        guard !path.isEmpty, isThere || path.last != "/" else { throw .file("invalid file name \"\(path)\"") }
        if isThere, status.st_mode & S_IFMT == S_IFDIR { throw .file("\(path) is a folder – name a file in it") }
        if isThere, status.st_mode & S_IFMT != S_IFREG || path.hasPrefix("/dev/") || path.hasPrefix("/proc/") {
            return StreamSink(path: path)
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else { throw Error("write", path, errno: errno) }
        return FileSink(path)
    }
}

extension Fetch.Error {
    /// A system call on a file that failed: `cannot write disk.img: No space left on device`.
    ///
    /// - Parameter code: the value of `errno`.
    init(_ verb: String, _ name: String, errno code: Int32) {
        let text = "cannot \(verb) \(name): \(String(cString: strerror(code)))"
        self = code == EPIPE ? .brokenPipe(text) : .file(text)
    }
}

#if Fetch
import LibC

extension Fetch {
    /// The sink for a path: a file that appears when it is complete, or a stream for standard output, a pipe or a
    /// device.
    ///
    /// - Parameter path: standard output where nil or `-`.
    /// - Throws: ``Error/file(_:)`` when the path cannot be written.
    package static func sink(to path: String?) throws(Error) -> any BodySink {
        guard let path, !["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path) else {
            return StreamSink()
        }
        var status = stat()
        let isThere = stat(path, &status) == 0
        // For example: the name is too long, symbolic links form a loop, or the folder is not accessible.
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
    /// The error of a system call on a file: `cannot write disk.img: No space left on device`.
    ///
    /// - Parameter code: the value of `errno`.
    init(_ verb: String, _ name: String, errno code: Int32) {
        let text = "cannot \(verb) \(name): \(String(cString: strerror(code)))"
        self = code == EPIPE ? .brokenPipe(text) : .file(text)
    }
}
#endif

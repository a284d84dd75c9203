import LibC

/// What a path of the user's stands for as the place of a body.
public enum BodyOutput: Sendable {
    /// A file, which appears when it is whole.
    case file(FileSink)
    /// What cannot be taken back: standard output, a pipe, a device.
    case stream(StreamSink)

    /// Decides by what is there, so that trouble shows before anybody waits.
    ///
    /// - Parameter path: standard output where nil or `-`.
    /// - Throws: ``FileProblem`` when nothing can be written there.
    public init(_ path: String?) throws(FileProblem) {
        guard let path, !["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path) else {
            self = .stream(StreamSink())
            return
        }
        var status = stat()
        let isThere = stat(path, &status) == 0
        // A name that is too long, a loop of links, a folder that may not be entered.
        if !isThere, errno != ENOENT { throw FileProblem("write", path, errno: errno) }
        guard !path.isEmpty, isThere || path.last != "/" else { throw FileProblem("\"\(path)\" is no file") }
        if isThere, status.st_mode & S_IFMT == S_IFDIR {
            throw FileProblem("\(path) is a folder – name a file in it")
        }
        if isThere, status.st_mode & S_IFMT != S_IFREG || path.hasPrefix("/dev/") || path.hasPrefix("/proc/") {
            self = .stream(StreamSink(path: path))
            return
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else { throw FileProblem("write", path, errno: errno) }
        self = .file(FileSink(path))
    }

    /// Where pieces are handed.
    public var sink: any BodySink {
        switch self {
        case .file(let sink): sink
        case .stream(let sink): sink
        }
    }

    /// Leaves nothing behind that is not whole.
    public func discard() {
        if case .file(let sink) = self { sink.discard() }
    }

    /// How many bytes of a body that broke off cannot be taken back.
    public var remainder: Int64 {
        if case .stream(let sink) = self { sink.written } else { 0 }
    }
}

#if Fetch

import ReachMonitoring
import ReachSystem

extension Fetch {
    /// Fetches a URL into a file, which gets its name when it is complete. Until then, its bytes are in a hidden file
    /// in the same folder, which is removed when the fetch fails, and an older file of the name stays.
    ///
    /// Writes to a pipe or a device cannot be undone. So a body of up to 1 MiB is written there when it is complete. A
    /// longer one is written as it is received, and ends the fetch if it is incomplete.
    ///
    /// - Parameters:
    ///   - request: a URL, or a ``Request``.
    ///   - path: the file's name; `/dev/stdout` is standard output.
    ///   - limit: the time limit of the whole fetch; none by default. A blocked write to a pipe can delay its end.
    ///   - maximumRetries: the maximum number of retries; negative counts as zero.
    ///   - onEvent: called for each event, on any thread.
    /// - Returns: The good response (HTTP 200 to 299), whose body is in the file.
    /// - Throws: ``Error/file(_:)`` before anything is sent when the path cannot be written. For another response,
    ///   ``Error/status(_:)`` has the first mebibyte of its body.
    @discardableResult
    public func save(
        _ request: some RequestConvertible,
        to path: String,
        within limit: Duration? = nil,
        maximumRetries: Int = Self.defaultMaximumRetries,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Response {
        // A file of the name "-", not standard output.
        let sink = try Self.sink(to: path == "-" ? "./-" : path)
        defer { sink.discard() }
        return try await response(
            to: request.fetchRequest.limitingKeptBody,
            into: sink,
            within: limit,
            maximumRetries: maximumRetries,
            onEvent: onEvent
        )
    }

    /// Fetches a URL into a sink, which the caller discards.
    @discardableResult
    package func save(
        _ request: Request,
        to sink: any BodySink,
        maximumRetries: Int,
        onEvent: @escaping @Sendable (Event) -> Void
    ) async throws(Error) -> Response {
        try await response(
            to: request.limitingKeptBody,
            into: sink,
            within: nil,
            maximumRetries: maximumRetries,
            onEvent: onEvent
        )
    }
}

extension Fetch.Request {
    /// The same request, with at most 1 MiB of the body kept in memory: only bodies of bad responses are kept.
    var limitingKeptBody: Fetch.Request {
        var request = self
        request.maximumBodySize = min(request.maximumBodySize, HTTPOptions.maxBodyLength)
        return request
    }
}

extension Fetch {
    /// The sink for a path: a file that appears when it is complete, or a stream for standard output, a pipe or a
    /// device.
    ///
    /// - Parameter path: standard output where nil or `-`.
    /// - Throws: ``Error/file(_:)`` when the path cannot be written.
    package static func sink(to path: String?) throws(Error) -> any BodySink {
        guard var path, !["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path) else {
            return StreamSink()
        }
        guard !path.utf8.contains(0) else { throw .file(withZero: path) }
        let status = stat(at: path)
        // For example: the name is too long, symbolic links form a loop, or the folder is not accessible.
        if status == nil, errno != ENOENT { throw Error("write", path, errno: errno) }
        // A link can lead to a file that does not exist yet.
        if status == nil { path = path.followingLinks }
        guard !path.isEmpty, status != nil || path.last != "/" else { throw .file("invalid file name \"\(path)\"") }
        if let status {
            guard !status.isFolder else { throw .file("\(path) is a folder – name a file in it") }
            guard status.isRegular, !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/") else {
                return StreamSink(path: path)
            }
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else { throw Error("write", path, errno: errno) }
        return FileSink(path)
    }
}

extension String {
    /// The path that a symbolic link to no file leads to, through further links; the path itself if it is no link.
    fileprivate var followingLinks: String {
        var path = self
        // The limit of Linux; more links are an error before.
        for _ in 0..<40 {
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &bytes, bytes.count)
            guard count > 0 else { break }
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            let target = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            path = target.hasPrefix("/") ? target : folder + target
        }
        return path
    }
}

extension Fetch.Error {
    /// The error of a system call on a file: `cannot write disk.img: No space left on device`.
    ///
    /// - Parameter code: the value of `errno`.
    init(_ verb: String, _ name: String, errno code: Int32) {
        let text = "cannot \(verb) \(name): \(SystemError(code))"
        self = code == EPIPE ? .brokenPipe(text) : .file(text)
    }

    /// The error for a file's name with a NUL, where system calls would end it.
    static func file(withZero name: String) -> Self {
        .file("invalid file name \(name.debugDescription) – it contains a NUL")
    }
}

#endif

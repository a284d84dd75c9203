#if Fetch

import NIOPosix
import ReachSystem
import Synchronization

/// The destination of the bodies of good responses. Bodies are written in pieces: the next piece is read from the
/// connection once this one is written, so memory stays bounded for any length.
package protocol BodySink: Sendable {
    /// The number of bytes that cannot be undone. If there are any, an incomplete body cannot be restarted.
    var committedBytes: Int64 { get }

    /// Whether an incomplete body can be restarted from its beginning.
    var canRestart: Bool { get }

    /// The number of bytes of the current body so far; nil where an incomplete body cannot be continued.
    var receivedBytes: Int64? { get }

    /// Begins a body, and discards what was written of an incomplete one.
    ///
    /// - Parameter head: status and header fields; nil for a body that is not from a server.
    func begin(with head: Fetch.Response?) async throws(Fetch.Error)
    /// Writes a piece of the body.
    func write(_ piece: [UInt8]) async throws(Fetch.Error)
    /// Completes the body.
    func finish() async throws(Fetch.Error)
    /// Removes an incomplete body where that is possible. Later writes fail.
    func discard()
}

extension BodySink {
    package var canRestart: Bool { committedBytes == 0 }

    package var receivedBytes: Int64? { nil }
}

/// A file that gets its name when it is complete. Until then, its bytes are in a hidden file in the same folder, which
/// is removed when the fetch fails, and an older file of the name stays. Permissions are those of the older file, or follow
/// the process's umask.
final class FileSink: BodySink {
    private struct State {
        /// The hidden file.
        var descriptor: Int32 = -1
        /// The hidden file's name, until it is renamed.
        var temporary: String?
        /// The number of bytes in it.
        var length: Int64 = 0
        var isDiscarded = false
    }

    private let path: String
    private let state = Mutex(State())

    /// Creates a sink for a file, which replaces an older one.
    ///
    /// - Parameter path: the file's name. If it is a symbolic link, the file that it points to is replaced.
    init(_ path: String) {
        if let real = realpath(path, nil) {
            self.path = String(cString: real)
            free(real)
        } else {
            self.path = path
        }
    }

    deinit {
        discard()
        state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
    }

    /// Zero: an incomplete body is overwritten.
    let committedBytes: Int64 = 0

    var receivedBytes: Int64? { state.withLock(\.length) }

    func begin(with head: Fetch.Response?) async throws(Fetch.Error) {
        try await runBlocking { [self] () throws(Fetch.Error) in try open() }
    }

    func write(_ piece: [UInt8]) async throws(Fetch.Error) {
        let descriptor = state.withLock(\.descriptor)
        try await runBlocking { [path] () throws(Fetch.Error) in try writeAll(piece[...], to: descriptor, named: path) }
        state.withLock { $0.length += Int64(piece.count) }
    }

    func finish() async throws(Fetch.Error) {
        try await runBlocking { [self] () throws(Fetch.Error) in try rename() }
    }

    func discard() {
        state.withLock { state in
            state.isDiscarded = true
            if let temporary = state.temporary { unlink(temporary) }
            state.temporary = nil
        }
    }

    /// Creates the hidden file, or empties it.
    private func open() throws(Fetch.Error) {
        try state.withLock { state throws(Fetch.Error) in
            guard !state.isDiscarded else { throw .file("cancelled") }
            state.length = 0
            if state.temporary != nil {
                guard ftruncate(state.descriptor, 0) == 0, lseek(state.descriptor, 0, SEEK_SET) == 0 else {
                    throw Fetch.Error("write", path, errno: errno)
                }
                return
            }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            let name = "\(folder).reach-\(String(UInt64.random(in: .min ... .max), radix: 36))"
            state.descriptor = create(name, replacing: path)
            guard state.descriptor >= 0 else { throw Fetch.Error("write", path, errno: errno) }
            state.temporary = name
        }
    }

    /// Gives the hidden file its name.
    private func rename() throws(Fetch.Error) {
        try state.withLock { state throws(Fetch.Error) in
            guard let temporary = state.temporary else { throw .file("cancelled") }
            defer { state.descriptor = -1 }
            // A network file system may report only now that it is full.
            guard close(state.descriptor) == 0, renameFile(temporary, path) == 0 else {
                let code = errno
                unlink(temporary)
                state.temporary = nil
                throw Fetch.Error("write", path, errno: code)
            }
            state.temporary = nil
        }
    }
}

/// Creates a file with the permissions and, where that is permitted, the owner of an older file; without one, with the
/// permissions that the umask leaves. The sink's own functions hide `open` and `rename`.
private func create(_ path: String, replacing older: String) -> Int32 {
    let status = stat(at: older)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status == nil ? 0o666 : 0o600)
    guard let status, descriptor >= 0 else { return descriptor }
    var mode = status.st_mode & 0o777
    if fchown(descriptor, status.st_uid, status.st_gid) != 0, fchown(descriptor, .max, status.st_gid) != 0 {
        // The permissions of the group would be for another group.
        mode &= 0o707
    }
    // Some file systems have no permissions.
    _ = fchmod(descriptor, mode)
    return descriptor
}

private func renameFile(_ old: String, _ new: String) -> Int32 {
    rename(old, new)
}

/// Standard output, a pipe or a device, where writes cannot be undone.
///
/// The first mebibyte is buffered: a body up to that length is written when it is complete, or not at all.
final class StreamSink: BodySink {
    /// The number of bytes that are buffered until the end of the body.
    static let bufferSize = 1_048_576

    private struct State {
        var descriptor: Int32?
        var buffer: [UInt8] = []
        var written: Int64 = 0
    }

    private let name: String
    private let path: String?
    private let state: Mutex<State>

    /// Standard output.
    init() {
        name = "standard output"
        path = nil
        state = Mutex(State(descriptor: STDOUT_FILENO))
    }

    /// A pipe or a device, which is opened when a body begins.
    init(path: String) {
        name = path
        self.path = path
        state = Mutex(State())
    }

    /// The number of bytes that were written.
    var committedBytes: Int64 { state.withLock(\.written) }

    var receivedBytes: Int64? { state.withLock { $0.written + Int64($0.buffer.count) } }

    func begin(with head: Fetch.Response?) async throws(Fetch.Error) {
        state.withLock { $0.buffer = [] }
        guard let path, state.withLock({ $0.descriptor == nil }) else { return }
        // A named pipe blocks here until it has a reader.
        let descriptor = try await runBlocking { () throws(Fetch.Error) in
            let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { throw Fetch.Error("write", path, errno: errno) }
            return descriptor
        }
        state.withLock { $0.descriptor = descriptor }
    }

    func write(_ piece: [UInt8]) async throws(Fetch.Error) {
        let isFull = state.withLock { state in
            state.buffer += piece
            return state.written > 0 || state.buffer.count > Self.bufferSize
        }
        if isFull { try await flush() }
    }

    func finish() async throws(Fetch.Error) {
        try await flush()
    }

    func discard() {}

    private func flush() async throws(Fetch.Error) {
        let (buffer, descriptor) = state.withLock { state in
            defer {
                state.written += Int64(state.buffer.count)
                state.buffer = []
            }
            return (state.buffer, state.descriptor ?? STDOUT_FILENO)
        }
        try await runBlocking { [name] () throws(Fetch.Error) in try writeAll(buffer[...], to: descriptor, named: name)
        }
    }
}

/// Runs a body that can block – a write to a full pipe, a read from a slow disk – on a thread pool for blocking calls,
/// not on the threads that tasks share.
func runBlocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Fetch.Error) -> Value
) async throws(Fetch.Error) -> Value {
    let result: Result<Value, Fetch.Error>
    do {
        result = try await NIOThreadPool.singleton.runIfActive { Result { () throws(Fetch.Error) in try body() } }
    } catch {
        // The task was cancelled before a thread was free.
        throw .cancelled
    }
    return try result.get()
}

/// Writes all bytes to a descriptor, and blocks while it is full.
func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, named name: String) throws(Fetch.Error) {
    do throws(SystemError) {
        try writeAll(bytes, to: descriptor)
    } catch {
        throw Fetch.Error("write", name, errno: error.code)
    }
}

#endif

#if Fetch
import LibC
import Synchronization

/// Standard output, a pipe or a device, where writes cannot be undone.
///
/// So the first mebibyte is buffered: a body up to that length is written when it is complete, or not at all.
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
#endif

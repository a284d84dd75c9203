import LibC
import Synchronization

/// A pipe, a device, or whatever else standard output is: what is written cannot be taken back.
///
/// So the first mebibyte waits for the rest, and a body that is no longer goes out when it is whole, or not at all.
public final class StreamSink: BodySink {
    /// How many bytes wait for the end of the body.
    public static let patience = 1_048_576

    private struct State {
        var descriptor: Int32?
        var held: [UInt8] = []
        var written: Int64 = 0
    }

    private let name: String
    private let path: String?
    private let state: Mutex<State>

    /// Standard output.
    public init() {
        name = "standard output"
        path = nil
        state = Mutex(State(descriptor: STDOUT_FILENO))
    }

    /// A pipe or a device, which is opened when a body begins.
    public init(path: String) {
        name = path
        self.path = path
        state = Mutex(State())
    }

    /// How many bytes have gone out.
    public var written: Int64 { state.withLock(\.written) }

    /// Nothing has gone out.
    public var canBeginAnew: Bool { written == 0 }

    /// Opens the pipe or the device, where it is not open.
    public func begin(length: Int64?) async throws(FileProblem) {
        state.withLock { $0.held = [] }
        guard let path, state.withLock({ $0.descriptor == nil }) else { return }
        // A pipe with a name waits here for whoever reads it.
        let descriptor = try await blocking {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            return descriptor < 0 ? .failure(FileProblem("write", path, errno: errno)) : .success(descriptor)
        }
        state.withLock { $0.descriptor = descriptor }
    }

    /// Holds a piece back, or writes it.
    public func take(_ piece: [UInt8]) async throws(FileProblem) {
        let isFull = state.withLock { state in
            state.held += piece
            return state.written > 0 || state.held.count > Self.patience
        }
        if isFull { try await release() }
    }

    /// Writes what was held back.
    public func end() async throws(FileProblem) {
        try await release()
    }

    private func release() async throws(FileProblem) {
        let (held, descriptor) = state.withLock { state in
            defer {
                state.written += Int64(state.held.count)
                state.held = []
            }
            return (state.held, state.descriptor ?? STDOUT_FILENO)
        }
        try await blocking { [name] in
            Result { () throws(FileProblem) in try writeWhole(held[...], to: descriptor, named: name) }
        }
    }
}

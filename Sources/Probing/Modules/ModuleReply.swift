#if Fetch
import Monitoring
import Synchronization

/// The reply to a request for a probe: a continuation that is resumed once.
final class ModuleReply: Sendable {
    private let state = Mutex(State())

    private struct State {
        var continuation: CheckedContinuation<ModuleReport?, Never>?
        var isOver = false
    }

    /// Whether the reply was sent.
    var isOver: Bool { state.withLock(\.isOver) }

    /// Sets the continuation. If the reply was sent before, resumes it without a report.
    func await(_ continuation: CheckedContinuation<ModuleReport?, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        if isOver { continuation.resume(returning: nil) }
    }

    /// Resumes the continuation, unless the reply was sent before.
    func send(_ report: ModuleReport?) {
        let continuation = state.withLock { state in
            defer { (state.continuation, state.isOver) = (nil, true) }
            return state.continuation
        }
        continuation?.resume(returning: report)
    }
}
#endif

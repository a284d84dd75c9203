import NIOCore
import Synchronization

/// Schedules closures on an event loop from other threads, in order. The gate closes before the loop does: SwiftNIO
/// prints an error when a closure is submitted to a loop that has shut down.
final class LoopGate: Sendable {
    let loop: any EventLoop
    private let isOpen = Mutex(true)

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    /// Runs `body` on the loop unless the gate is closed. Returns whether it is run.
    @discardableResult
    func enter(_ body: @escaping @Sendable () -> Void) -> Bool {
        isOpen.withLock { isOpen in
            if isOpen { loop.execute(body) }
            return isOpen
        }
    }

    /// Runs `body` on the loop as the last closure. Returns false if the gate was closed before.
    func close(_ body: @escaping @Sendable () -> Void) -> Bool {
        isOpen.withLock { isOpen in
            guard isOpen else { return false }
            isOpen = false
            loop.execute(body)
            return true
        }
    }
}

import NIOCore
import Synchronization

/// The way onto the event loop from other threads, in order; it closes before the loop does, since a loop that has
/// ended complains on standard error about whoever comes late.
final class LoopGate: Sendable {
    let loop: any EventLoop
    private let isOpen = Mutex(true)

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    /// Runs `body` on the loop, unless the gate is closed; returns whether it does.
    @discardableResult
    func enter(_ body: @escaping @Sendable () -> Void) -> Bool {
        isOpen.withLock { isOpen in
            if isOpen { loop.execute(body) }
            return isOpen
        }
    }

    /// Runs `body` on the loop as the last one, and lets nobody in behind it; false if the gate was closed before.
    func close(_ body: @escaping @Sendable () -> Void) -> Bool {
        isOpen.withLock { isOpen in
            guard isOpen else { return false }
            isOpen = false
            loop.execute(body)
            return true
        }
    }
}

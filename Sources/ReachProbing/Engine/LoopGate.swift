import NIOCore
import Synchronization

/// The entrance to the code of one event loop. Everything that may send a packet passes it first: closures of other
/// threads, timers, and the events of connections. There, the owner of the loop notices that the process did not run.
///
/// The gate closes before the loop does: SwiftNIO prints an error when a closure is submitted to a loop that has shut
/// down.
final class LoopGate: Sendable {
    let loop: any EventLoop
    private let isOpen = Mutex(true)
    private let check: NIOLoopBoundBox<(() -> Void)?>

    init(_ loop: any EventLoop) {
        self.loop = loop
        check = .makeEmptyBox(eventLoop: loop)
    }

    /// Sets what is called at each entrance. On the loop.
    func onEntry(_ check: @escaping () -> Void) {
        self.check.value = check
    }

    /// Enters from an event of a channel. On the loop.
    func pass() {
        check.value?()
    }

    /// Runs `body` on the loop unless the gate is closed. Returns whether it is run.
    @discardableResult
    func enter(_ body: @escaping @Sendable () -> Void) -> Bool {
        isOpen.withLock { isOpen in
            if isOpen {
                loop.execute { [self] in
                    pass()
                    body()
                }
            }
            return isOpen
        }
    }

    /// Runs `body` on the loop after a delay. On the loop.
    @discardableResult
    func schedule(in delay: Duration, _ body: @escaping () -> Void) -> Scheduled<Void> {
        let bound = NIOLoopBound(body, eventLoop: loop)
        return loop.scheduleTask(in: .nanoseconds(delay.nanoseconds)) { [self] in
            pass()
            bound.value()
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

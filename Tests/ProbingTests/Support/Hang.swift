import Dispatch

/// A lookup that blocks until the test ends it.
final class Hang: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    /// Blocks for this time, like a slow resolver.
    func wait(milliseconds: Int) {
        if semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success { semaphore.signal() }
    }

    func end() {
        semaphore.signal()
    }
}

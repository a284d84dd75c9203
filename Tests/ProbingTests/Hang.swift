import Dispatch

/// A lookup that is never answered, until the test has seen enough.
final class Hang: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    /// Waits as long as a resolver takes that answers in the end.
    func wait(milliseconds: Int) {
        if semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success { semaphore.signal() }
    }

    func end() {
        semaphore.signal()
    }
}

import Dispatch

/// A lookup that is never answered, until the test has seen enough.
final class Hang: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    func end() {
        semaphore.signal()
    }
}

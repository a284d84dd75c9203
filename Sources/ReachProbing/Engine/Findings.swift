public import ReachMonitoring
import Synchronization

/// An asynchronous sequence of batches of findings. The findings of a target are in the order in which they were made.
/// The sequence has a single consumer, and ends when the engine shuts down.
public struct Findings: AsyncSequence, Sendable {
    /// The findings since the last batch; never empty.
    public typealias Element = [Finding]
    /// The sequence never throws.
    public typealias Failure = Never

    let buffer: FindingBuffer

    /// The iterator of the single consumer.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let buffer: FindingBuffer
        var signals: AsyncStream<Void>.AsyncIterator

        /// Waits for the next batch. Returns nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [Finding]? {
            while true {
                let batch = buffer.removeAll()
                guard batch.isEmpty else { return batch }
                guard await signals.next(isolation: actor) != nil else {
                    let rest = buffer.removeAll()
                    return rest.isEmpty ? nil : rest
                }
            }
        }

        /// Waits for the next batch. Returns nil at the end.
        public mutating func next() async -> [Finding]? {
            await next(isolation: #isolation)
        }
    }

    /// Returns the iterator; the sequence has a single consumer.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(buffer: buffer, signals: buffer.signals.makeAsyncIterator())
    }
}

/// A buffer between the event loops, which append findings, and the consumer, which takes all of them at once. The
/// consumer suspends once per batch, however large the batch is.
final class FindingBuffer: Sendable {
    /// Yields an element when findings were appended.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let findings = Mutex<[Finding]>([])
    private let capacity: Int
    private let routineDelayNanoseconds = Atomic<Int64>(400_000_000)

    /// The longest delay of a routine finding before it is appended.
    var routineDelay: Duration {
        .nanoseconds(routineDelayNanoseconds.load(ordering: .relaxed))
    }

    func setRoutineDelay(_ delay: Duration) {
        routineDelayNanoseconds.store(delay.nanoseconds, ordering: .relaxed)
    }

    /// - Parameter capacity: the maximum number of findings kept for a slow consumer.
    init(capacity: Int = 100_000) {
        self.capacity = capacity
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Appends findings. Returns the number of old findings dropped to make room.
    func append(_ batch: [Finding]) -> Int {
        guard !batch.isEmpty else { return 0 }
        let dropped = findings.withLock { findings in
            guard !findings.isEmpty || batch.count > capacity else {
                // The consumer usually keeps up, and nothing is copied.
                findings = batch
                return 0
            }
            findings += batch
            guard findings.count > capacity else { return 0 }
            // Drops a tenth more than needed, so that not every later batch moves the whole array.
            let dropped = min(findings.count, findings.count - capacity + capacity / 10)
            findings.removeFirst(dropped)
            return dropped
        }
        signal.yield()
        return dropped
    }

    /// Removes and returns all findings.
    func removeAll() -> [Finding] {
        findings.withLock { findings in
            defer { findings = [] }
            return findings
        }
    }

    /// Ends the stream of signals; no more findings follow.
    func finish() {
        signal.finish()
    }
}

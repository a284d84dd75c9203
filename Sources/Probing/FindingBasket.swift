import Monitoring
import Synchronization

/// Where the event loops leave findings, and the consumer takes them all at once: one suspension per batch, however
/// many findings it has.
final class FindingBasket: Sendable {
    /// Rings when something was left.
    let bells: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation
    private let findings = Mutex<[Finding]>([])
    private let capacity: Int

    /// - Parameter capacity: how many findings are kept for a consumer that does not come.
    init(capacity: Int = 100_000) {
        self.capacity = capacity
        (bells, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Leaves findings, and says how many of the oldest had to make room.
    func leave(_ batch: [Finding]) -> Int {
        guard !batch.isEmpty else { return 0 }
        let dropped = findings.withLock { findings in
            guard !findings.isEmpty || batch.count > capacity else {
                // The consumer mostly keeps up: then nothing is copied.
                findings = batch
                return 0
            }
            findings += batch
            guard findings.count > capacity else { return 0 }
            // A tenth more than needed, or every batch from now on would move them all.
            let dropped = min(findings.count, findings.count - capacity + capacity / 10)
            findings.removeFirst(dropped)
            return dropped
        }
        bell.yield()
        return dropped
    }

    /// Takes everything.
    func take() -> [Finding] {
        findings.withLock { findings in
            defer { findings = [] }
            return findings
        }
    }

    /// Nothing more will be left.
    func close() {
        bell.finish()
    }
}

public import Monitoring

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

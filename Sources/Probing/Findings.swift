public import Monitoring

/// Batches of findings; those of one target are in the order in which they were made. It has one consumer, and ends when
/// the engine shuts down.
public struct Findings: AsyncSequence, Sendable {
    /// What was found since the last batch; never empty.
    public typealias Element = [Finding]
    /// Nothing stops it but the engine's end.
    public typealias Failure = Never

    let basket: FindingBasket

    /// The consumer's end.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let basket: FindingBasket
        var bells: AsyncStream<Void>.AsyncIterator

        /// Waits for the next batch; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [Finding]? {
            while true {
                let batch = basket.take()
                guard batch.isEmpty else { return batch }
                guard await bells.next(isolation: actor) != nil else {
                    let rest = basket.take()
                    return rest.isEmpty ? nil : rest
                }
            }
        }

        /// Waits for the next batch; nil at the end.
        public mutating func next() async -> [Finding]? {
            await next(isolation: #isolation)
        }
    }

    /// Begins to consume.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(basket: basket, bells: basket.bells.makeAsyncIterator())
    }
}

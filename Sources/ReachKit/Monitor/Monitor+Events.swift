extension Monitor {
    /// The events of a monitor, in batches: all events since the last batch. The sequence ends when the monitor is
    /// cancelled.
    ///
    /// Any number of tasks can subscribe, and the targets are probed while one does. For a slow subscriber, the newest
    /// 100,000 events are kept; ``Event/dropped(_:)`` reports how many were dropped before them.
    public struct Events: AsyncSequence, Sendable {
        /// Events in the order in which they happened; never empty.
        public typealias Element = [Event]
        /// The sequence does not throw; errors are events.
        public typealias Failure = Never

        static let capacity = 100_000

        let monitor: Monitor

        /// One subscriber.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let reader: EventBuffer<Event>.Reader

            /// Waits for the next batch; nil at the end, or when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> [Event]? {
                guard let (events, droppedCount) = await reader.nextBatch(isolation: actor) else { return nil }
                return droppedCount > 0 ? [.dropped(droppedCount)] + events : events
            }

            /// Waits for the next batch; nil at the end, or when the task is cancelled.
            public mutating func next() async -> [Event]? {
                await next(isolation: #isolation)
            }
        }

        /// Subscribes.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(reader: monitor.subscribe())
        }
    }

    /// The events from now on.
    public var events: Events { Events(monitor: self) }
}

extension Monitor {
    /// What happens, in batches: all that has happened since the listener looked last. It ends when the monitor is cancelled.
    ///
    /// Any number of tasks may listen, and the targets are asked while one does. For who falls behind, the newest 100,000
    /// events wait; ``Event/dropped(_:)`` says how many are lost before them.
    public struct Events: AsyncSequence, Sendable {
        /// Events in the order in which they happened; never empty.
        public typealias Element = [Event]
        /// Trouble is an event.
        public typealias Failure = Never

        static let room = 100_000

        let monitor: Monitor

        /// One listener's end.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var reader: Inbox<Event>.Reader

            /// Waits for the next batch; nil at the end, or when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> [Event]? {
                guard let (events, dropped) = await reader.all(isolation: actor) else { return nil }
                return dropped > 0 ? [.dropped(dropped)] + events : events
            }

            /// Waits for the next batch; nil at the end, or when the task is cancelled.
            public mutating func next() async -> [Event]? {
                await next(isolation: #isolation)
            }
        }

        /// Begins to listen.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(reader: monitor.listen())
        }
    }

    /// What happens from now on.
    public var events: Events { Events(monitor: self) }
}

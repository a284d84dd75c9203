extension Session {
    /// The states of a session: the present one, and then every change. The sequence ends when the session is
    /// cancelled.
    ///
    /// Any number of tasks can subscribe. For a slow subscriber, the newest 64 states are kept.
    public struct States: AsyncSequence, Sendable {
        /// A state of the session.
        public typealias Element = State
        /// The sequence does not throw; errors are states.
        public typealias Failure = Never

        static let capacity = 64

        let session: Session

        /// One subscriber. The session runs while there is one.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let reader: EventBuffer<State>.Reader

            /// Waits for the next state; nil at the end, or when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
                await reader.next(isolation: actor)
            }

            /// Waits for the next state; nil at the end, or when the task is cancelled.
            public mutating func next() async -> State? {
                await next(isolation: #isolation)
            }
        }

        /// Subscribes.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(reader: session.subscribe())
        }
    }

    /// The states, the present one first.
    public var states: States { States(session: self) }
}

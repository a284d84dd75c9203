extension Session {
    /// The states of a session: where it stands, and then every change. It ends when the session is cancelled.
    ///
    /// Any number of tasks may listen. Who falls behind by more than 64 states misses the oldest of them.
    public struct States: AsyncSequence, Sendable {
        /// Where the session stands.
        public typealias Element = State
        /// Trouble is a state.
        public typealias Failure = Never

        static let room = 64

        let session: Session

        /// One listener's end. The session runs while there is any.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var reader: Inbox<State>.Reader

            /// Waits for the next state; nil at the end, or when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
                await reader.next(isolation: actor)
            }

            /// Waits for the next state; nil at the end, or when the task is cancelled.
            public mutating func next() async -> State? {
                await next(isolation: #isolation)
            }
        }

        /// Begins to listen.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(reader: session.listen())
        }
    }

    /// The states, the present one first.
    public var states: States { States(session: self) }
}

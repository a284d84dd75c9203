extension Reachability {
    /// The changes of a status, as they come. The sequence ends when its task is cancelled, and never otherwise; the subject
    /// is asked from the making of an iterator to its end.
    public struct Changes: AsyncSequence, Sendable {
        /// What the status has changed to.
        public typealias Element = Status
        /// Nothing stops it but the task's end.
        public typealias Failure = Never

        let reachability: Reachability
        let startsWithCurrent: Bool

        /// A listener.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let reachability: Reachability
            private var bells: AsyncStream<Void>.AsyncIterator
            /// What the listener knows; what it is told next is something else.
            private var known: Status?

            init(_ listening: Listening, to reachability: Reachability, knowing known: Status?) {
                self.reachability = reachability
                bells = listening.bells.makeAsyncIterator()
                self.known = known
            }

            /// Waits for the next change, on the caller's own actor; nil once the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Status? {
                while await bells.next(isolation: actor) != nil {
                    let status = reachability.heard
                    guard status != known else { continue }
                    known = status
                    return status
                }
                return nil
            }

            /// Waits for the next change, on the caller's own actor; nil once the task is cancelled.
            public mutating func next() async -> Status? {
                await next(isolation: #isolation)
            }
        }

        /// Begins to listen.
        public func makeAsyncIterator() -> AsyncIterator {
            let listening = reachability.listen()
            return AsyncIterator(listening, to: reachability, knowing: startsWithCurrent ? nil : listening.start)
        }
    }
}

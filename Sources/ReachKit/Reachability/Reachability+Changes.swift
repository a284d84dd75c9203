extension Reachability {
    /// The changes of a status. The sequence ends only when its task is cancelled. The subject is probed while there is
    /// an iterator.
    public struct Changes: AsyncSequence, Sendable {
        /// The new status.
        public typealias Element = Status
        /// The sequence does not throw.
        public typealias Failure = Never

        let reachability: Reachability
        let startsWithCurrent: Bool

        /// One subscriber.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let statuses: EventBuffer<Status>.Reader
            /// The last status that the subscriber knows. Equal ones are skipped.
            private var known: Status?

            init(_ statuses: EventBuffer<Status>.Reader, knowing known: Status?) {
                self.statuses = statuses
                self.known = known
            }

            /// Waits for the next change, on the caller's own actor; nil once the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Status? {
                while let status = await statuses.next(isolation: actor) {
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

        /// Subscribes.
        public func makeAsyncIterator() -> AsyncIterator {
            var known: Status?
            let statuses = reachability.subscription.subscribe { model in
                if startsWithCurrent { return [model.status] }
                known = model.status
                return []
            }
            return AsyncIterator(statuses, knowing: known)
        }
    }
}

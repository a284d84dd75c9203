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
            private let reports: EventBuffer<ReachabilityModel.Report>.Reader
            /// The last status that the subscriber knows. Equal ones are skipped.
            private var known: Status?

            init(_ reports: EventBuffer<ReachabilityModel.Report>.Reader, knowing known: Status?) {
                self.reports = reports
                self.known = known
            }

            /// Waits for the next change, on the caller's own actor; nil once the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Status? {
                while let status = await reports.next(isolation: actor)?.status {
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
            let reports = reachability.subscription.subscribe { model in
                if startsWithCurrent { return [model.report] }
                known = model.status
                return []
            }
            return AsyncIterator(reports, knowing: known)
        }
    }
}

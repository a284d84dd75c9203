/// The offsets of local time from UTC in a period, with their changes, such as the beginning of daylight saving time.
public struct ZoneOffsets: Sendable, Hashable {
    /// A change of the offset.
    public struct Change: Sendable, Hashable {
        /// When it happens, since 1970.
        public let time: Duration
        /// The offset from then on.
        public let offset: Duration

        /// Creates a change.
        public init(at time: Duration, to offset: Duration) {
            (self.time, self.offset) = (time, offset)
        }
    }

    /// The offset before the first change.
    let first: Duration
    /// The changes, oldest first.
    let changes: [Change]

    /// Creates offsets.
    ///
    /// - Parameters:
    ///   - first: the offset before the first change.
    ///   - changes: the changes, oldest first.
    public init(_ first: Duration, changes: [Change] = []) {
        (self.first, self.changes) = (first, changes)
    }

    /// The offset at a time since 1970.
    package func offset(at time: Duration) -> Duration {
        offset(before: position(after: time))
    }

    /// The local time of a time since 1970, as if it were UTC.
    package func local(_ time: Duration) -> Duration {
        time + offset(at: time)
    }
}

/// A note of the user about a failing target: the failure is known. It ends when the target is up again, when its time is
/// over, or when the user removes it.
public struct Acknowledgement: Sendable, Hashable {
    /// The user's note.
    public let reason: String
    /// When the user acknowledged the failure.
    public let since: Duration
    /// How long the acknowledgement holds at most; nil for no limit.
    public let length: Duration?

    /// Creates an acknowledgement.
    public init(reason: String, since: Duration, length: Duration? = nil) {
        self.reason = reason
        self.since = since
        self.length = length
    }

    /// When the time is over; nil for no limit.
    public var deadline: Duration? {
        length.map { since + $0 }
    }

    /// Why an acknowledgement ended.
    public enum End: Sendable, Hashable {
        /// The target is up again, and not flapping.
        case up
        /// Its time is over.
        case expired(after: Duration)
        /// The user removed it.
        case removed
    }
}

/// A span of time in which the state of a target did not change.
public struct WatchedSpan: Sendable, Hashable {
    /// The state, as far as it matters for availability.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// The target replied, as it should.
        case up
        /// The target replied, but slowly or with a warning.
        case degraded
        /// The target did not reply.
        case down
        /// There was no verdict yet, or the target could not be probed.
        case unknown
        /// A dependency was down.
        case blocked
        /// The user had paused the target.
        case paused
        /// There was planned work at the target, whether it replied or not.
        case maintenance
        /// reach did not run, or the target was not in the settings.
        case unwatched
    }

    package var state: State
    /// When it began and ended, since 1970.
    package var start: Duration
    package var end: Duration
    /// Why the target is down.
    package var cause: String?
    /// When the target replied first during maintenance; nil without a reply, and for other states.
    var firstReply: Duration?

    /// Creates a span.
    public init(_ state: State, from start: Duration, until end: Duration, because cause: String? = nil) {
        self.state = state
        self.start = start
        self.end = end
        self.cause = cause
    }

    package var length: Duration { end - start }
}

/// A run of the program, from its start to its end.
package struct ProgramRun: Sendable, Hashable {
    package let id: Int64
    /// When it began, since 1970.
    package let start: Duration
    /// When it ended; without a regular end, when it last wrote something.
    package let end: Duration

    package init(id: Int64, from start: Duration, until end: Duration) {
        self.id = id
        self.start = start
        self.end = end
    }
}

extension WatchedSpan {
    /// Stored spans, with what the present run of the program knows in place of what was stored of its time.
    ///
    /// - Parameter present: the spans of the present run; empty if it knows nothing.
    package static func joined(_ stored: [WatchedSpan], with present: [WatchedSpan]) -> [WatchedSpan] {
        guard let start = present.first?.start else { return stored }
        var spans = Array(stored.prefix { $0.start < start })
        if let last = spans.indices.last {
            spans[last].end = min(spans[last].end, start)
            spans[last].firstReply = spans[last].firstReply.flatMap { $0 < start ? $0 : nil }
        }
        spans += present
        return spans
    }
}

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
    /// What its outage has in common with others; nil if no common cause was named.
    package var commonCause: String?
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
    /// Stored spans until the start of the present run of the program, and its own spans from then on.
    ///
    /// - Parameter present: the spans of the present run; empty if there are none.
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

extension WatchedSpan {
    /// The spans of several runs as one account. Where runs overlap, time counts by the state that comes first in
    /// ``State/precedence``: it is watched if any run watched it, and an outage that one of them saw is one.
    package static func joined(_ runs: [[WatchedSpan]]) -> [WatchedSpan] {
        let all = runs.filter { !$0.isEmpty }.sorted { ($0.first?.start ?? .zero) < ($1.first?.start ?? .zero) }
            .flatMap(\.self)
        let overlap = zip(all, all.dropFirst()).contains { $1.start < $0.end }
        guard overlap else { return all.filter { $0.start < $0.end } }
        return merged(all.sorted { ($0.start, $0.state.precedence) < ($1.start, $1.state.precedence) })
    }

    /// Joins spans in the order of their starts.
    private static func merged(_ spans: [WatchedSpan]) -> [WatchedSpan] {
        var joined: [WatchedSpan] = []
        // The spans that have begun and not ended.
        var open: [WatchedSpan] = []
        var next = 0
        var time = spans.first?.start ?? .zero
        while next < spans.count || !open.isEmpty {
            if open.isEmpty, next < spans.count { time = spans[next].start }
            while next < spans.count, spans[next].start <= time {
                if spans[next].end > time { open.append(spans[next]) }
                next += 1
            }
            guard let first = open.min(by: { $0.state.precedence < $1.state.precedence }) else { continue }
            // The next time at which another span may come first.
            var end = open.map(\.end).min() ?? first.end
            if next < spans.count { end = min(end, spans[next].start) }
            var part = WatchedSpan(first.state, from: time, until: end, because: first.cause)
            part.commonCause = first.commonCause
            part.firstReply = open.compactMap(\.firstReply).filter { time <= $0 && $0 < end }.min()
            append(part, to: &joined)
            time = end
            open.removeAll { $0.end <= time }
        }
        return joined
    }

    /// Appends a span, or extends the last one with it.
    fileprivate static func append(_ span: WatchedSpan, to spans: inout [WatchedSpan]) {
        if let last = spans.indices.last, spans[last].end == span.start, spans[last].state == span.state,
            spans[last].cause == span.cause, spans[last].commonCause == span.commonCause
        {
            spans[last].end = span.end
            spans[last].firstReply = spans[last].firstReply ?? span.firstReply
        } else {
            spans.append(span)
        }
    }
}

extension [WatchedSpan] {
    /// The spans with maintenance during some times, where the target was watched.
    ///
    /// - Parameter times: the times, oldest first. They do not overlap.
    func covered(byMaintenance times: [Range<Duration>]) -> [WatchedSpan] {
        guard !times.isEmpty else { return self }
        var covered: [WatchedSpan] = []
        var next = 0
        for span in self {
            var rest = span
            while rest.start < rest.end {
                while next < times.count, times[next].upperBound <= rest.start { next += 1 }
                var part = rest
                if next < times.count, span.state != .unwatched {
                    if times[next].contains(rest.start) {
                        let end = Swift.min(rest.end, times[next].upperBound)
                        part = WatchedSpan(.maintenance, from: rest.start, until: end)
                        if span.state == .up || span.state == .degraded { part.firstReply = rest.start }
                    } else {
                        part.end = Swift.min(rest.end, times[next].lowerBound)
                    }
                }
                WatchedSpan.append(part, to: &covered)
                rest.start = part.end
            }
        }
        return covered
    }
}

extension WatchedSpan.State {
    /// The state of a target that is watched and not paused.
    init(_ health: Health, isBlocked: Bool) {
        switch health {
        // A target that was down before its dependency stays down.
        case .down: self = .down
        case _ where isBlocked: self = .blocked
        case .up: self = .up
        case .degraded: self = .degraded
        case .unknown: self = .unknown
        }
    }

    /// The rank among states that several runs report for the same time. Planned work explains everything else, and a
    /// verdict counts more than none.
    var precedence: Int {
        switch self {
        case .maintenance: 0
        case .down: 1
        case .degraded: 2
        case .up: 3
        case .blocked: 4
        case .paused: 5
        case .unknown: 6
        case .unwatched: 7
        }
    }
}

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
            spans[last].cause == span.cause
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

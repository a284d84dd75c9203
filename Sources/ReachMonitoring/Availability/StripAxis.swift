import ReachBasics

/// The slices of a period, for strips that show the worst state of each.
///
/// Slices begin at multiples of their length in local time: those of a day at midnight, those of eight hours at 0:00, 8:00
/// and 16:00. Where the offset of local time changes, a slice is longer or shorter. The first one begins with the period,
/// and the last one ends with it.
package struct StripAxis: Sendable, Hashable {
    /// The length of a slice, unless the end of the period or a change of the offset cuts it.
    package let step: Duration
    /// The start of each slice since 1970, oldest first, and the end of the last one.
    package let boundaries: [Duration]

    /// The lengths of slices, shortest first.
    private static let steps: [Duration] =
        [10, 15, 30, 60, 120, 300, 600, 900, 1_200, 1_800].map { .seconds($0) }
        + [1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 120, 240, 720].map { .seconds($0 * 3_600) }

    /// Creates the slices of a period with the shortest length of which at most `limit` cover it.
    package init(from start: Duration, until end: Duration, limit: Int, zone: ZoneOffsets) {
        let length = max(.zero, end - start)
        // The ends are in one slice more, and a change of the offset may add another one.
        let fitting = Self.steps.first { Int((length / $0).rounded(.up)) + 2 <= limit }
        self.init(from: start, until: end, step: fitting ?? Self.steps[Self.steps.count - 1], zone: zone)
    }

    /// Creates the slices of a period with a length.
    package init(from start: Duration, until end: Duration, step: Duration, zone: ZoneOffsets) {
        self.step = step
        var boundaries = [start]
        var next = Self.boundary(after: start, step: step, zone: zone)
        while next < end {
            boundaries.append(next)
            next = Self.boundary(after: next, step: step, zone: zone)
        }
        if end > start { boundaries.append(end) }
        self.boundaries = boundaries
    }

    /// The first time after another one that is a multiple of the length in local time.
    private static func boundary(after time: Duration, step: Duration, zone: ZoneOffsets) -> Duration {
        let next = time + step - rest(of: zone.local(time), step)
        // The offset may have changed in between.
        let excess = rest(of: zone.local(next), step)
        guard excess > .zero else { return next }
        let earlier = next - excess
        return earlier > time && rest(of: zone.local(earlier), step) == .zero ? earlier : next + step - excess
    }

    /// What is left of a time after whole multiples of a length.
    private static func rest(of time: Duration, _ step: Duration) -> Duration {
        .nanoseconds(time.nanoseconds.floorRemainder(by: step.nanoseconds))
    }

    package var start: Duration { boundaries[0] }
    package var end: Duration { boundaries[boundaries.count - 1] }

    /// The number of slices.
    package var count: Int { boundaries.count - 1 }

    /// The time of a slice.
    package func slice(_ index: Int) -> Range<Duration> {
        boundaries[index]..<boundaries[index + 1]
    }

    /// The index of the slice that a time is in; nil outside of the period.
    package func index(of time: Duration) -> Int? {
        time >= start && time < end ? boundaries.partitioningIndex { $0 > time } - 1 : nil
    }

    /// The worst state of each slice. Time without a span is not watched.
    ///
    /// - Parameter spans: the spans of a target, oldest first, none of which overlap.
    package func worstStates(of spans: [WatchedSpan]) -> [WatchedSpan.State] {
        var states = [WatchedSpan.State](repeating: .unwatched, count: count)
        var first = 0
        for span in spans where span.end > start {
            guard span.start < end else { break }
            while first < count - 1, boundaries[first + 1] <= span.start { first += 1 }
            var index = first
            while index < count, boundaries[index] < span.end {
                if span.state.isWorse(than: states[index]) { states[index] = span.state }
                index += 1
            }
        }
        return states
    }
}

extension WatchedSpan.State {
    /// The order of severity; missing data last. A verdict comes before time without one, and time with a dependency down
    /// before time unknown, which may be a moment after a start.
    private var rank: Int {
        switch self {
        case .down: 0
        case .degraded: 1
        case .maintenance: 2
        case .up: 3
        case .blocked: 4
        case .unknown: 5
        case .paused: 6
        case .unwatched: 7
        }
    }

    /// Whether a slice with both states shows this one.
    package func isWorse(than other: Self) -> Bool { rank < other.rank }

    /// All states, the worst first.
    package static let worstFirst = allCases.sorted { $0.isWorse(than: $1) }
}

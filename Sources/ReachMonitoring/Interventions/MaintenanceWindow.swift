import ReachBasics

/// A time of planned work at targets. During it, hooks and alerts wait, and it counts as neither up nor down.
package struct MaintenanceWindow: Sendable, Hashable {
    /// When the work takes place.
    package enum Schedule: Sendable, Hashable {
        /// One time, since 1970.
        case once(Range<Duration>)
        /// On these days of each week, in local time of a zone.
        case weekly(Set<Weekday>, from: Duration, until: End, in: ZoneOffsets)
    }

    /// The end of a window that repeats.
    package enum End: Sendable, Hashable {
        /// A time of day; of the next day, unless it is after the start.
        case time(Duration)
        /// A time after the start.
        case length(Duration)
    }

    /// Which targets a window covers: those that match any selector; all if there are none.
    package struct Selection: Sendable, Hashable {
        package var targets: Set<String>
        package var groups: Set<String>
        package var tags: Set<String>

        package init(targets: Set<String> = [], groups: Set<String> = [], tags: Set<String> = []) {
            (self.targets, self.groups, self.tags) = (targets, groups, tags)
        }

        /// Whether a target is one of them.
        package func contains(_ target: Target) -> Bool {
            targets.isEmpty && groups.isEmpty && tags.isEmpty || targets.contains(target.name)
                || target.group.map(groups.contains) == true || target.tags.contains(where: tags.contains)
        }
    }

    /// The name for people; nil if it has none.
    package var name: String?
    package var schedule: Schedule
    package var selection: Selection

    package init(name: String? = nil, _ schedule: Schedule, for selection: Selection = Selection()) {
        (self.name, self.schedule, self.selection) = (name, schedule, selection)
    }

    private static let day: Int64 = 86_400
    /// The longest window that repeats: a week.
    package static let longest = Duration.seconds(7 * 86_400)

    /// The time of the window that a time since 1970 lies in; nil if it lies in none. Of several that overlap, it is the
    /// one that ends last.
    package func span(at time: Duration) -> Range<Duration>? {
        switch schedule {
        case .once(let span):
            span.contains(time) ? span : nil
        case .weekly:
            // One more day at each end, for the offset of the zone.
            spans(ofDays: -9...1, around: time).filter { $0.contains(time) }.max { $0.upperBound < $1.upperBound }
        }
    }

    /// When the next window begins after a time since 1970; nil if there is none.
    package func nextStart(after time: Duration) -> Duration? {
        switch schedule {
        case .once(let span):
            span.lowerBound > time ? span.lowerBound : nil
        case .weekly:
            // A window that the clock skips does not take place, so that the next one is a week later.
            spans(ofDays: -1...16, around: time).map(\.lowerBound).filter { $0 > time }.min()
        }
    }

    /// The times of the window that begin on days around a time.
    private func spans(ofDays days: ClosedRange<Int64>, around time: Duration) -> [Range<Duration>] {
        guard case .weekly(let weekdays, let start, let end, let zone) = schedule else { return [] }
        let seconds = (time + zone.offset(at: time)).components.seconds
        let today = seconds.floorDivided(by: Self.day)
        return days.map { today + $0 }.filter { weekdays.contains(Weekday(day: $0)) }.compactMap { day in
            let midnight = Duration.seconds(day * Self.day)
            let first = zone.times(ofLocal: midnight + start).lowerBound
            let last =
                switch end {
                case .length(let length): first + length
                case .time(let time):
                    zone.times(ofLocal: midnight + time + (time > start ? .zero : .seconds(Self.day))).upperBound
                }
            return first < last ? first..<last : nil
        }
    }
}

/// A day of the week. The raw values are those of the settings.
package enum Weekday: String, Sendable, Hashable, CaseIterable {
    case monday = "mon"
    case tuesday = "tue"
    case wednesday = "wed"
    case thursday = "thu"
    case friday = "fri"
    case saturday = "sat"
    case sunday = "sun"

    /// The weekday of a day, counted from 1970-01-01, which was a Thursday.
    package init(day: Int64) {
        self = Self.allCases[Int((day + 3).floorRemainder(by: 7))]
    }
}

extension ZoneOffsets {
    /// The times since 1970 at which clocks of the zone show a local time, which is written as if it were UTC.
    ///
    /// A clock that is set back shows a local time twice: the bounds are the first and the last of these times. A local
    /// time that a clock skips is the moment of the change.
    package func times(ofLocal local: Duration) -> ClosedRange<Duration> {
        // No offset is longer than a day, so only these changes matter.
        let start = max(0, position(after: local - .seconds(86_400)) - 1)
        let end = position(after: local + .seconds(86_400))
        var found: [Duration] = []
        for index in start...end {
            let time = local - offset(before: index)
            let isAfterStart = index == 0 || time >= changes[index - 1].time
            if isAfterStart, index == changes.count || time < changes[index].time { found.append(time) }
        }
        if let first = found.min(), let last = found.max() { return first...last }
        let skipped = (start..<end).first { local < changes[$0].time + changes[$0].offset }
        let time = skipped.map { changes[$0].time } ?? local - offset(before: end)
        return time...time
    }

    /// The offsets in a range of times: the first one, and each from when it begins.
    package func periods(in range: ClosedRange<Duration>) -> [(start: Duration?, offset: Duration)] {
        let later = changes.filter { range.lowerBound < $0.time && $0.time <= range.upperBound }
        return [(nil, offset(at: range.lowerBound))] + later.map { ($0.time, $0.offset) }
    }

    /// The number of changes until a time.
    func position(after time: Duration) -> Int {
        changes.partitioningIndex { $0.time > time }
    }

    /// The offset before the change with this index.
    func offset(before index: Int) -> Duration {
        index == 0 ? first : changes[index - 1].offset
    }
}

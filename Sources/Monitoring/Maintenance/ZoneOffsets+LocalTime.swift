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

    /// The number of changes until a time.
    func position(after time: Duration) -> Int {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The offset before the change with this index.
    func offset(before index: Int) -> Duration {
        index == 0 ? first : changes[index - 1].offset
    }
}

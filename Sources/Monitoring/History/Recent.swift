import DequeModule

/// The newest samples, oldest first, in eight bytes each: round trips as they were, times in whole microseconds.
///
/// Of a time the lower 32 bits are kept, counted back from the newest. Where the samples lie further apart than these
/// reach, all times are in milliseconds, or in seconds. Times never run backward.
struct Recent: Sendable {
    private struct Entry: Sendable {
        let time: UInt32
        let trace: Trace
    }

    private var entries: Deque<Entry> = []
    /// The newest sample's time.
    private var newest: Int64 = 0
    /// Nanoseconds of what times are counted in.
    private var unit: Int64 = 1_000

    /// How many samples there are.
    var count: Int { entries.count }

    /// Asks at once for what will be needed.
    mutating func reserveCapacity(_ capacity: Int) {
        entries.reserveCapacity(capacity)
    }

    /// Appends the newest sample.
    mutating func append(_ sample: Sample) {
        // The usual unit by itself: dividing by what the compiler knows is several times faster.
        let exact = unit == 1_000 ? sample.timeNanoseconds / 1_000 : sample.timeNanoseconds / unit
        let time = entries.isEmpty ? exact : max(newest, exact)
        if let first = entries.first, time - units(of: first) > Int64(UInt32.max) { return coarsen(for: sample) }
        newest = time
        entries.append(Entry(time: UInt32(truncatingIfNeeded: time), trace: sample.trace))
    }

    private mutating func coarsen(for sample: Sample) {
        for index in entries.indices {
            let time = units(of: entries[index]) / 1_000
            entries[index] = Entry(time: UInt32(truncatingIfNeeded: time), trace: entries[index].trace)
        }
        newest /= 1_000
        unit *= 1_000
        append(sample)
    }

    /// An entry's time.
    private func units(of entry: Entry) -> Int64 {
        newest - Int64(UInt32(truncatingIfNeeded: newest) &- entry.time)
    }

    /// Forgets the oldest samples.
    mutating func removeFirst(_ number: Int) {
        entries.removeFirst(number)
        if entries.isEmpty { unit = 1_000 }
    }

    /// Forgets everything.
    mutating func removeAll() {
        removeFirst(count)
    }

    /// The sample at a position counted from the oldest.
    subscript(position: Int) -> Sample {
        Sample(time: units(of: entries[position]) * unit, trace: entries[position].trace)
    }
}

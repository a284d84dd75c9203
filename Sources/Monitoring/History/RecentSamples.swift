import DequeModule

/// The newest samples, oldest first, in eight bytes each: exact round trips, and times in whole microseconds.
///
/// Only the lower 32 bits of a time are kept, relative to the newest. If the samples span more than these can express,
/// all times are in milliseconds, or in seconds. Times never run backward.
struct RecentSamples: Sendable {
    private struct Entry: Sendable {
        let time: UInt32
        let packed: PackedRoundTrip
    }

    private var entries: Deque<Entry> = []
    /// The newest sample's time.
    private var newest: Int64 = 0
    /// The unit of the times, in nanoseconds.
    private var unit: Int64 = 1_000

    /// The number of samples.
    var count: Int { entries.count }

    /// Reserves memory for a number of samples.
    mutating func reserveCapacity(_ capacity: Int) {
        entries.reserveCapacity(capacity)
    }

    /// Appends the newest sample.
    mutating func append(_ sample: Sample) {
        // A separate case for the default unit: dividing by a constant is several times faster.
        let exact = unit == 1_000 ? sample.timeNanoseconds / 1_000 : sample.timeNanoseconds / unit
        let time = entries.isEmpty ? exact : max(newest, exact)
        if let first = entries.first, time - units(of: first) > Int64(UInt32.max) { return coarsen(for: sample) }
        newest = time
        entries.append(Entry(time: UInt32(truncatingIfNeeded: time), packed: sample.packed))
    }

    private mutating func coarsen(for sample: Sample) {
        for index in entries.indices {
            let time = units(of: entries[index]) / 1_000
            entries[index] = Entry(time: UInt32(truncatingIfNeeded: time), packed: entries[index].packed)
        }
        newest /= 1_000
        unit *= 1_000
        append(sample)
    }

    /// An entry's time.
    private func units(of entry: Entry) -> Int64 {
        newest - Int64(UInt32(truncatingIfNeeded: newest) &- entry.time)
    }

    /// Removes the oldest samples.
    mutating func removeFirst(_ number: Int) {
        entries.removeFirst(number)
        if entries.isEmpty { unit = 1_000 }
    }

    /// Removes all samples.
    mutating func removeAll() {
        removeFirst(count)
    }

    /// The sample at a position counted from the oldest.
    subscript(position: Int) -> Sample {
        Sample(time: units(of: entries[position]) * unit, packed: entries[position].packed)
    }
}

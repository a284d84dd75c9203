import HeapModule

/// What is due when: items come out in the order of their times.
public struct Agenda<Item: Sendable>: Sendable {
    private struct Entry: Sendable, Comparable {
        let time: Duration
        let item: Item

        static func < (one: Entry, other: Entry) -> Bool { one.time < other.time }
        static func == (one: Entry, other: Entry) -> Bool { one.time == other.time }
    }

    private var entries = Heap<Entry>()

    /// An agenda with nothing on it.
    public init() {}

    /// When the first item is due.
    public var next: Duration? {
        entries.min?.time
    }

    /// Puts an item on the agenda.
    public mutating func add(_ item: Item, at time: Duration) {
        entries.insert(Entry(time: time, item: item))
    }

    /// Takes the first item off the agenda if it is due at `time`.
    public mutating func take(at time: Duration) -> Item? {
        guard let first = entries.min, first.time <= time else { return nil }
        return entries.removeMin().item
    }

    /// Takes items off the front for as long as they no longer matter, so that nobody wakes up for them.
    public mutating func discard(while isObsolete: (Item) -> Bool) {
        while let first = entries.min, isObsolete(first.item) { entries.removeMin() }
    }
}

import HeapModule

/// What is due when: items come out in the order of their times.
///
/// What is due in the next two seconds stands in a calendar, the rest in a heap: where thousands of items come and go in a
/// second, none is compared with all the others (Brown, "Calendar Queues", Communications of the ACM, 1988).
public struct Agenda<Item: Sendable>: Sendable {
    struct Entry: Sendable, Comparable {
        let time: Duration
        let item: Item

        static func < (one: Entry, other: Entry) -> Bool { one.time < other.time }
        static func == (one: Entry, other: Entry) -> Bool { one.time == other.time }
    }

    /// When the first item is due. It is kept at hand: most who look find that it is not yet time.
    public private(set) var next: Duration?
    private var soon = Calendar()
    /// What no slot of the calendar is for.
    private var others = Heap<Entry>()

    /// An agenda with nothing on it.
    public init() {}

    /// Puts an item on the agenda.
    public mutating func add(_ item: Item, at time: Duration) {
        let entry = Entry(time: time, item: item)
        if !soon.add(entry) { others.insert(entry) }
        next = next.map { min($0, time) } ?? time
    }

    /// Takes the first item off the agenda if it is due at `time`.
    @inlinable
    public mutating func take(at time: Duration) -> Item? {
        guard let next, next <= time else { return nil }
        return takeFirst()
    }

    /// Takes items off the front for as long as they no longer matter, so that nobody wakes up for them.
    @inlinable
    public mutating func discard(while isObsolete: (Item) -> Bool) {
        guard next != nil else { return }
        discardFirst(while: isObsolete)
    }

    @usableFromInline
    mutating func takeFirst() -> Item {
        let entry = removeFirst()
        next = first?.time
        return entry.item
    }

    @usableFromInline
    mutating func discardFirst(while isObsolete: (Item) -> Bool) {
        while let first, isObsolete(first.item) { _ = removeFirst() }
        next = first?.time
    }

    private var first: Entry? {
        guard let one = soon.first else { return others.min }
        guard let other = others.min else { return one }
        return other < one ? other : one
    }

    /// There must be one.
    private mutating func removeFirst() -> Entry {
        guard let one = soon.first else { return others.removeMin() }
        guard let other = others.min, other < one else { return soon.removeFirst() }
        return others.removeMin()
    }
}

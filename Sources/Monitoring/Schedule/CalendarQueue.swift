import HeapModule

/// A priority queue of items by time.
///
/// Items that are due in the next two seconds are in a calendar, the rest in a heap. With thousands of insertions and
/// removals a second, no item is compared with all others (Brown, "Calendar Queues", Communications of the ACM, 1988).
///
/// The methods are specialized for the numbers of probes in flight, which another module keeps: without that, a probe by DNS
/// takes a quarter more processor time.
public struct CalendarQueue<Item: Sendable>: Sendable {
    struct Entry: Sendable, Comparable {
        let time: Duration
        let item: Item

        static func < (one: Entry, other: Entry) -> Bool { one.time < other.time }
        static func == (one: Entry, other: Entry) -> Bool { one.time == other.time }
    }

    /// When the first item is due. It is cached, since most callers find that it is not due yet.
    public private(set) var next: Duration?
    private var calendar = Calendar()
    /// The entries for which the calendar has no slot.
    private var heap = Heap<Entry>()

    /// Creates an empty queue.
    public init() {}

    /// Adds an item.
    @specialized(where Item == Int)
    public mutating func add(_ item: Item, at time: Duration) {
        let entry = Entry(time: time, item: item)
        if !calendar.add(entry) { heap.insert(entry) }
        next = next.map { min($0, time) } ?? time
    }

    /// Removes and returns the first item if it is due at `time`.
    @inlinable
    public mutating func take(at time: Duration) -> Item? {
        guard let next, next <= time else { return nil }
        return takeFirst()
    }

    /// Removes obsolete items from the front, so that no timer fires for them.
    @inlinable
    public mutating func discard(while isObsolete: (Item) -> Bool) {
        guard next != nil else { return }
        discardFirst(while: isObsolete)
    }

    @usableFromInline
    @specialized(where Item == Int)
    mutating func takeFirst() -> Item {
        let entry = removeFirst()
        next = first?.time
        return entry.item
    }

    @usableFromInline
    @specialized(where Item == Int)
    mutating func discardFirst(while isObsolete: (Item) -> Bool) {
        while let first, isObsolete(first.item) { _ = removeFirst() }
        next = first?.time
    }

    private var first: Entry? {
        guard let near = calendar.first else { return heap.min }
        guard let far = heap.min else { return near }
        return far < near ? far : near
    }

    /// Removes and returns the first entry; there must be one.
    private mutating func removeFirst() -> Entry {
        guard let near = calendar.first else { return heap.removeMin() }
        guard let far = heap.min, far < near else { return calendar.removeFirst() }
        return heap.removeMin()
    }
}

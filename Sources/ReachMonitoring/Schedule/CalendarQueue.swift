import HeapModule

/// A priority queue of items by time.
///
/// Items that are due in the next two seconds are in a calendar, the rest in a heap. With thousands of insertions and
/// removals a second, no item is compared with all others (Brown, "Calendar Queues", Communications of the ACM, 1988).
///
/// `@inlinable` methods are specialized in the modules that use them, on the hot path of each probe.
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

extension CalendarQueue {
    /// The calendar: entries that are due in one of the next slots. Only those of the first slot are sorted.
    struct Calendar: Sendable {
        /// The number of slots.
        private static var size: Int { 512 }
        /// A slot is 2^52 attoseconds long, or 4.5 ms.
        private static var shift: Int { 52 }
        private static var none: Int32 { -1 }

        private struct Node: Sendable {
            var entry: Entry?
            /// The next node of the same slot, or the next free node.
            var next: Int32
        }

        /// The first slot's entries, the earliest last.
        private var front: [Entry] = []
        /// The number of the first slot; the others follow it.
        private var frontNumber: Int64 = 0
        /// The first node of each slot, by the slot's number.
        private var heads: [Int32] = []
        private var nodes: [Node] = []
        private var free = Self.none
        /// The number of entries in slots after the first.
        private var count = 0

        /// The earliest entry.
        var first: Entry? { front.last }

        /// Adds an entry. Returns whether it belongs to one of the slots.
        mutating func add(_ entry: Entry) -> Bool {
            let number = Self.number(of: entry.time)
            if front.isEmpty {
                // The calendar is empty: otherwise the front has entries.
                frontNumber = number
                front.append(entry)
                return true
            }
            guard number > frontNumber, number - frontNumber < Int64(Self.size), nodes.count < Int(Int32.max) else {
                return false
            }
            if heads.isEmpty { heads = [Int32](repeating: Self.none, count: Self.size) }
            let slot = Self.slot(of: number)
            let node = Node(entry: entry, next: heads[slot])
            if free == Self.none {
                heads[slot] = Int32(nodes.count)
                nodes.append(node)
            } else {
                heads[slot] = free
                (free, nodes[Int(free)]) = (nodes[Int(free)].next, node)
            }
            count += 1
            return true
        }

        /// Removes and returns the earliest entry; there must be one.
        mutating func removeFirst() -> Entry {
            let entry = front.removeLast()
            if front.isEmpty, count > 0 { advance() }
            return entry
        }

        /// Moves the entries of the next slot that has any to the front.
        private mutating func advance() {
            var slot: Int
            repeat {
                frontNumber += 1
                slot = Self.slot(of: frontNumber)
            } while heads[slot] == Self.none
            var index = heads[slot]
            heads[slot] = Self.none
            while index != Self.none {
                let node = nodes[Int(index)]
                if let entry = node.entry { front.append(entry) }
                nodes[Int(index)] = Node(entry: nil, next: free)
                (free, index) = (index, node.next)
                count -= 1
            }
            front.sort { $0.time > $1.time }
        }

        private static func number(of time: Duration) -> Int64 {
            // Times beyond 292 years share one slot.
            Int64(clamping: max(0, time.attoseconds >> shift))
        }

        private static func slot(of number: Int64) -> Int {
            Int(number & Int64(size - 1))
        }
    }
}

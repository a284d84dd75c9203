/// A first-in, first-out queue in one array. Removed elements are dropped once they are half of it.
struct PathQueue<Element: Sendable>: Sendable {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count, let element = elements[head] else { return nil }
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= 64)
            head = 0
        } else if head >= 32, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}

/// A binary heap of items by time.
struct PathTimers<Item: Sendable>: Sendable {
    private var entries: [(time: Duration, item: Item)] = []

    var first: (time: Duration, item: Item)? { entries.first }

    mutating func add(_ item: Item, at time: Duration) {
        var index = entries.count
        entries.append((time, item))
        while index > 0 {
            let parent = (index - 1) / 2
            guard entries[index].time < entries[parent].time else { break }
            entries.swapAt(index, parent)
            index = parent
        }
    }

    mutating func popFirst() -> (time: Duration, item: Item)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else {
            entries = []
            return first
        }
        entries[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < entries.count && entries[child].time < entries[least].time {
                least = child
            }
            guard least != index else { return first }
            entries.swapAt(index, least)
            index = least
        }
    }
}

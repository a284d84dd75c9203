import Monitoring

/// A collection of operations in flight, each with a deadline.
struct InFlight<Item> {
    /// The identity of an item until it ends.
    typealias Ticket = Int

    private var items: [Ticket: Item] = [:]
    private var deadlines = CalendarQueue<Ticket>()
    private var tickets = 0

    /// The earliest deadline; nil while nothing is in flight.
    var nextDeadline: Duration? {
        deadlines.next
    }

    mutating func add(_ item: Item, deadline: Duration) -> Ticket {
        tickets += 1
        items[tickets] = item
        deadlines.add(tickets, at: deadline)
        return tickets
    }

    /// An item that is still in flight; nil otherwise.
    subscript(ticket: Ticket) -> Item? { items[ticket] }

    /// Changes an item that is still in flight.
    mutating func update(_ ticket: Ticket, _ change: (inout Item) -> Void) {
        guard var item = items[ticket] else { return }
        change(&item)
        items[ticket] = item
    }

    /// Removes and returns an item; nil if it has ended before.
    mutating func remove(_ ticket: Ticket) -> Item? {
        defer { deadlines.discard { items[$0] == nil } }
        return items.removeValue(forKey: ticket)
    }

    /// Removes and returns the items whose deadline has passed.
    mutating func expire(at time: Duration) -> [(ticket: Ticket, item: Item)] {
        var expired: [(ticket: Ticket, item: Item)] = []
        while let ticket = deadlines.take(at: time) {
            if let item = items.removeValue(forKey: ticket) { expired.append((ticket, item)) }
        }
        deadlines.discard { items[$0] == nil }
        return expired
    }

    /// Removes and returns all items, the oldest first.
    mutating func removeAll() -> [Item] {
        defer {
            items = [:]
            deadlines = CalendarQueue()
        }
        return items.sorted { $0.key < $1.key }.map(\.value)
    }
}

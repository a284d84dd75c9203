/// Those who listen to one thing, each at their own pace.
struct Audience<Element: Sendable>: Sendable {
    private var inboxes: [Int: Inbox<Element>] = [:]
    private var count = 0

    /// Whether nobody listens.
    var isEmpty: Bool { inboxes.isEmpty }

    /// The number of the next to listen.
    mutating func nextNumber() -> Int {
        count += 1
        return count
    }

    /// One more listens.
    mutating func add(_ inbox: Inbox<Element>, as number: Int) {
        inboxes[number] = inbox
    }

    /// One listens no more.
    mutating func remove(_ number: Int) {
        inboxes[number] = nil
    }

    /// Tells all; they hear of it when they are rung.
    func tell(_ elements: [Element]) {
        for inbox in inboxes.values { inbox.leave(elements) }
    }

    /// Wakes all; no lock may be held.
    func ring() {
        for inbox in inboxes.values { inbox.ring() }
    }

    /// Tells all that it is the end; no lock may be held.
    func finish() {
        for inbox in inboxes.values { inbox.finish() }
    }
}

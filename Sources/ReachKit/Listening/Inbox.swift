import Synchronization

/// What waits for one who listens: all that was left since they looked last, or the newest of it if it is too much.
///
/// Leaving wakes nobody, and ringing does. Cancelling a task calls whoever is told of the end of its listening while the task
/// is locked, and waking the task waits for that lock: who rings must hold no lock that is taken at the end.
final class Inbox<Element: Sendable>: Sendable {
    private let waiting = Mutex(Waiting())
    private let room: Int
    /// Rings when something was left.
    private let bell: AsyncStream<Void>.Continuation

    private struct Waiting {
        var elements: ArraySlice<Element> = []
        var dropped = 0
    }

    private init(room: Int, bell: AsyncStream<Void>.Continuation) {
        self.room = room
        self.bell = bell
    }

    /// Begins to listen, until the reader is gone.
    ///
    /// - Parameters:
    ///   - room: how many elements may wait.
    ///   - end: is called once when nobody listens any more.
    static func open(room: Int, end: @escaping @Sendable () -> Void) -> (inbox: Inbox, reader: Reader) {
        let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        bell.onTermination = { _ in end() }
        let inbox = Inbox(room: room, bell: bell)
        return (inbox, Reader(inbox: inbox, bells: bells.makeAsyncIterator()))
    }

    /// Leaves elements; ``ring()`` is to follow.
    func leave(_ elements: some Sequence<Element>) {
        waiting.withLock { waiting in
            waiting.elements += elements
            let excess = waiting.elements.count - room
            guard excess > 0 else { return }
            waiting.elements.removeFirst(excess)
            waiting.dropped += excess
        }
    }

    /// Wakes who waits for something.
    func ring() {
        bell.yield()
    }

    /// Nothing more will be left.
    func finish() {
        bell.finish()
    }

    /// Who takes what was left, and listens as long as this exists.
    struct Reader {
        fileprivate let inbox: Inbox
        fileprivate var bells: AsyncStream<Void>.Iterator

        /// Waits for the next element; nil at the end.
        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while true {
                if let element = inbox.takeFirst() { return element }
                guard await bells.next(isolation: actor) != nil else { return inbox.takeFirst() }
            }
        }

        /// Waits for whatever was left, and how many had to make room for it; nil at the end.
        mutating func all(isolation actor: isolated (any Actor)?) async -> (elements: [Element], dropped: Int)? {
            while true {
                if let all = inbox.takeAll() { return all }
                guard await bells.next(isolation: actor) != nil else { return inbox.takeAll() }
            }
        }
    }

    private func takeFirst() -> Element? {
        waiting.withLock { $0.elements.popFirst() }
    }

    private func takeAll() -> (elements: [Element], dropped: Int)? {
        waiting.withLock { waiting in
            guard !waiting.elements.isEmpty else { return nil }
            defer { waiting = Waiting() }
            return (Array(waiting.elements), waiting.dropped)
        }
    }
}

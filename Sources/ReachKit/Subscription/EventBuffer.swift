import Synchronization

/// The events that wait for one subscriber. Above its capacity, the oldest events are dropped and counted.
///
/// ``append(_:)`` does not resume the subscriber, ``wake()`` does. So events can be appended under a lock that must not
/// be held while a task is resumed (``SharedSubscription``).
final class EventBuffer<Event: Sendable>: Sendable {
    private let contents = Mutex(Contents())
    private let capacity: Int
    private let signal: AsyncStream<Void>.Continuation

    private struct Contents {
        var events: ArraySlice<Event> = []
        var droppedCount = 0
    }

    private init(capacity: Int, signal: AsyncStream<Void>.Continuation) {
        self.capacity = capacity
        self.signal = signal
    }

    /// Makes a buffer and its reader.
    ///
    /// - Parameters:
    ///   - capacity: How many events can wait.
    ///   - onEnd: Called once with the identity of the buffer: when the reader is released or cancelled, or when its
    ///     task is cancelled while it waits.
    static func make(
        capacity: Int,
        onEnd: @escaping @Sendable (ObjectIdentifier) -> Void
    ) -> (buffer: EventBuffer, reader: Reader) {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let buffer = EventBuffer(capacity: capacity, signal: signal)
        signal.onTermination = { [id = ObjectIdentifier(buffer)] _ in onEnd(id) }
        return (buffer, Reader(buffer: buffer, signals: signals))
    }

    /// Adds events without waking the subscriber.
    func append(_ events: [Event]) {
        contents.withLock { contents in
            contents.events += events
            let excess = contents.events.count - capacity
            guard excess > 0 else { return }
            contents.events.removeFirst(excess)
            contents.droppedCount += excess
        }
    }

    /// Resumes the subscriber if it waits.
    func wake() {
        signal.yield()
    }

    /// Ends the subscription. The events that wait can still be read.
    func finish() {
        signal.finish()
    }

    /// The subscriber's end of a buffer. Releasing it ends the subscription.
    struct Reader: Sendable {
        fileprivate let buffer: EventBuffer
        fileprivate let signals: AsyncStream<Void>

        /// Waits for the next event; nil at the end.
        func next(isolation actor: isolated (any Actor)?) async -> Event? {
            await next(isolation: actor) { $0.removeFirst() }
        }

        /// Waits for events and returns all of them, with the number of those dropped before them; nil at the end.
        func nextBatch(isolation actor: isolated (any Actor)?) async -> (events: [Event], droppedCount: Int)? {
            await next(isolation: actor) { $0.removeAll() }
        }

        /// Ends the subscription.
        func cancel() {
            buffer.finish()
        }

        private func next<Result: Sendable>(
            isolation actor: isolated (any Actor)?,
            remove: (EventBuffer) -> Result?
        ) async -> Result? {
            var iterator = signals.makeAsyncIterator()
            while true {
                if let result = remove(buffer) { return result }
                guard await iterator.next(isolation: actor) != nil else { return remove(buffer) }
            }
        }
    }

    private func removeFirst() -> Event? {
        contents.withLock { $0.events.popFirst() }
    }

    private func removeAll() -> (events: [Event], droppedCount: Int)? {
        contents.withLock { contents in
            guard !contents.events.isEmpty else { return nil }
            defer { contents = Contents() }
            return (Array(contents.events), contents.droppedCount)
        }
    }
}

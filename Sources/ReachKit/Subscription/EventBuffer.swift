import Synchronization

/// The events that wait for one subscriber. Above its capacity, the oldest events are dropped and counted.
///
/// ``append(_:)`` does not resume the subscriber, ``wake()`` does. So events can be appended under a lock that must not
/// be held while a task is resumed (``SharedSubscription``).
final class EventBuffer<Event: Sendable>: Sendable {
    private let contents: Contents
    private let capacity: Int
    private let signal: AsyncStream<Void>.Continuation

    /// The events and the state of the subscriber. The handler of the end shares them, and must not keep the buffer.
    private final class Contents: Sendable {
        struct State {
            var events: ArraySlice<Event> = []
            var droppedCount = 0
            /// Whether the subscriber waits for an event.
            var isWaiting = false
            var hasEnded = false
        }

        let state = Mutex(State())
        /// Nil except for a simulated network.
        let tracker: (any TaskTracker)?

        init(tracker: (any TaskTracker)?) {
            self.tracker = tracker
        }

        /// Notes that the subscriber waits, unless there are events for it.
        func wait() {
            guard let tracker else { return }
            state.withLock { state in
                guard state.events.isEmpty, !state.hasEnded else { return }
                state.isWaiting = true
                tracker.subscriberSettled(ObjectIdentifier(self))
            }
        }

        /// Notes that the subscriber is about to read, if it waited and there are events for it.
        func resume() {
            guard let tracker else { return }
            state.withLock { state in
                guard state.isWaiting, !state.events.isEmpty else { return }
                state.isWaiting = false
                tracker.subscriberResumed(ObjectIdentifier(self))
            }
        }

        /// Notes that the subscriber handles events, until it waits again.
        func read() {
            guard let tracker else { return }
            state.withLock { state in
                guard !state.hasEnded else { return }
                tracker.subscriberResumed(ObjectIdentifier(self))
            }
        }

        func end() {
            guard let tracker else { return }
            state.withLock { state in
                state.hasEnded = true
                tracker.subscriberSettled(ObjectIdentifier(self))
            }
        }
    }

    private init(capacity: Int, contents: Contents, signal: AsyncStream<Void>.Continuation) {
        self.capacity = capacity
        self.contents = contents
        self.signal = signal
    }

    /// Makes a buffer and its reader.
    ///
    /// - Parameters:
    ///   - capacity: How many events can wait.
    ///   - tracker: Tracks whether the subscriber has read its events.
    ///   - onEnd: Called once with the identity of the buffer: when the reader is released or cancelled, or when its
    ///     task is cancelled while it waits.
    static func make(
        capacity: Int,
        tracker: (any TaskTracker)? = nil,
        onEnd: @escaping @Sendable (ObjectIdentifier) -> Void
    ) -> (buffer: EventBuffer, reader: Reader) {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let contents = Contents(tracker: tracker)
        let buffer = EventBuffer(capacity: capacity, contents: contents, signal: signal)
        signal.onTermination = { [id = ObjectIdentifier(buffer)] _ in
            contents.end()
            onEnd(id)
        }
        return (buffer, Reader(buffer: buffer, signals: signals))
    }

    /// Adds events without waking the subscriber.
    func append(_ events: [Event]) {
        contents.state.withLock { state in
            state.events += events
            let excess = state.events.count - capacity
            guard excess > 0 else { return }
            state.events.removeFirst(excess)
            state.droppedCount += excess
        }
    }

    /// Resumes the subscriber if it waits.
    func wake() {
        contents.resume()
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
                if let result = remove(buffer) {
                    buffer.contents.read()
                    return result
                }
                buffer.contents.wait()
                guard await iterator.next(isolation: actor) != nil else { return remove(buffer) }
            }
        }
    }

    private func removeFirst() -> Event? {
        contents.state.withLock { $0.events.popFirst() }
    }

    private func removeAll() -> (events: [Event], droppedCount: Int)? {
        contents.state.withLock { state in
            guard !state.events.isEmpty else { return nil }
            defer { (state.events, state.droppedCount) = ([], 0) }
            return (Array(state.events), state.droppedCount)
        }
    }
}

import AsyncAlgorithms
import Dispatch
import ReachSystem
import Synchronization

/// An asynchronous sequence whose elements are inputs of an event loop.
struct InputSource<Input: Sendable>: Sendable {
    private let feed: @Sendable (AsyncChannel<Input>) async -> Void

    /// Creates a source that sends an input for each element, and waits until the loop has received it.
    ///
    /// - Parameters:
    ///   - last: Returns one more input after the end of the sequence; nil for none.
    ///   - input: Returns the input for an element; nil ignores the element.
    init<Source: AsyncSequence & Sendable>(
        _ source: Source,
        last: (@Sendable () async -> Input?)? = nil,
        _ input: @escaping @Sendable (Source.Element) -> Input?
    ) where Source.Failure == Never {
        feed = { channel in
            for await element in source {
                if let input = input(element) { await channel.send(input) }
            }
            if !Task.isCancelled, let input = await last?() { await channel.send(input) }
        }
    }

    /// Creates a source that sends one input for all elements that have arrived while the loop was busy.
    ///
    /// - Parameters:
    ///   - last: Returns one more input after the end of the sequence.
    ///   - input: Returns the input for elements, which are in the order of the sequence.
    init<Source: AsyncSequence & Sendable>(
        batching source: Source,
        last: (@Sendable () async -> Input)? = nil,
        _ input: @escaping @Sendable ([Source.Element]) -> Input
    ) where Source.Failure == Never, Source.Element: Sendable {
        feed = { channel in
            let batch = Batch<Source.Element>()
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await element in source { batch.append(element) }
                    batch.finish()
                }
                for await _ in batch.changes { await channel.send(input(batch.removeAll())) }
            }
            if let last, !Task.isCancelled { await channel.send(last()) }
        }
    }

    /// Runs a loop on the inputs of all sources, in the order in which they arrive. The sources are cancelled when the loop
    /// returns.
    ///
    /// - Parameter queue: the serial queue on which the loop and its sources run.
    static func run<Result>(
        _ sources: [InputSource],
        on queue: DispatchQueue = .loop(),
        _ loop: (AsyncChannel<Input>) async -> Result
    ) async -> Result {
        await withTaskExecutorPreference(SerialTaskExecutor { queue.async(execute: $0) }) {
            await withTaskGroup(of: Void.self) { group in
                let channel = AsyncChannel<Input>()
                for source in sources {
                    group.addTask { await source.feed(channel) }
                }
                let result = await loop(channel)
                group.cancelAll()
                return result
            }
        }
    }
}

/// Elements that wait for a consumer, which takes them all at once.
private final class Batch<Element: Sendable>: Sendable {
    /// Yields after elements were appended, for one consumer.
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    private let elements = Mutex<[Element]>([])
    /// The maximum number of elements; later ones are dropped.
    private let limit = 4_096

    init() {
        (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func append(_ element: Element) {
        let isFirst = elements.withLock { elements in
            guard elements.count < limit else { return false }
            elements.append(element)
            return elements.count == 1
        }
        if isFirst { change.yield() }
    }

    func finish() { change.finish() }

    func removeAll() -> [Element] {
        elements.withLock { elements in
            defer { elements = [] }
            return elements
        }
    }
}

extension DispatchQueue {
    /// Creates a serial queue for a loop.
    static func loop() -> DispatchQueue {
        DispatchQueue(label: "reach.loop", qos: .userInteractive)
    }
}

extension AsyncStream {
    /// A stream without elements.
    static var finished: AsyncStream {
        AsyncStream { $0.finish() }
    }
}

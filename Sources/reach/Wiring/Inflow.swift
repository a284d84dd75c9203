import AsyncAlgorithms

/// One of the sources of a loop.
struct Inflow<Input: Sendable>: Sendable {
    private let pour: @Sendable (AsyncChannel<Input>) async -> Void

    /// A source that gives an input for each element; it waits while the loop has not taken the one before.
    init<Source: AsyncSequence & Sendable>(
        _ source: Source,
        _ input: @escaping @Sendable (Source.Element) -> Input
    ) where Source.Failure == Never {
        pour = { channel in
            for await element in source { await channel.send(input(element)) }
        }
    }

    /// Runs a loop on what all the sources give, until it ends, however that comes; then nobody listens to them any more.
    static func run<Result>(
        _ sources: [Inflow],
        _ loop: (AsyncChannel<Input>) async -> Result
    ) async -> Result {
        await withTaskExecutorPreference(LoopExecutor()) {
            await withTaskGroup(of: Void.self) { group in
                let channel = AsyncChannel<Input>()
                for source in sources {
                    group.addTask { await source.pour(channel) }
                }
                let result = await loop(channel)
                group.cancelAll()
                return result
            }
        }
    }
}

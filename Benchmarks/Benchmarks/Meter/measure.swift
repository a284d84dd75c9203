import Allocations
public import Benchmark

/// Measures what `work` does with a state of its own, from one iteration to the next.
///
/// - Parameters:
///   - items: how many of what is measured an iteration does; the time is that of one.
///   - writesBytes: whether what `work` returns is a number of bytes, to be told.
///   - state: what it begins with, made once.
///   - prepare: what comes before each iteration, and is not measured.
///   - work: what is measured; it returns a number that hangs on all it did, so that the optimizer leaves nothing out.
public func measure<State>(
    _ name: String,
    items: Int = 1,
    writesBytes: Bool = false,
    state: @escaping @Sendable () -> State,
    prepare: @escaping @Sendable (inout State) -> Void = { _ in },
    _ work: @escaping @Sendable (inout State) -> Int
) {
    // The package writes the names of files with underscores, and looks for them with blanks.
    Benchmark(String(name.map { $0 == " " ? "_" : $0 })) { benchmark, box in
        for _ in benchmark.scaledIterations {
            prepare(&box.state)
            let count = allocations()
            let start = ThreadTime.nanoseconds
            benchmark.startMeasurement()
            let result = work(&box.state)
            benchmark.stopMeasurement()
            benchmark.measurement(.time, (ThreadTime.nanoseconds - start) / items)
            if allocations_are_counted() { benchmark.measurement(.allocations, Int(allocations() - count)) }
            if writesBytes { benchmark.measurement(.bytes, result) }
            blackHole(result)
        }
    } setup: {
        Box(state())
    }
}

extension Benchmark {
    /// Metrics that are told, and how far allocations may be from those in Thresholds/: they are the same in every run,
    /// but for the growth of hash tables, which have a seed of their own in each.
    public static func configure(bytes: Bool = false) {
        defaultConfiguration = .init(
            metrics: [.wallClock, .time, .allocations] + (bytes ? [.bytes] : []),
            maxDuration: .seconds(5),
            maxIterations: 300,
            thresholds: [.allocations: .init(relative: [.p90: 10])]
        )
    }
}

/// Carries the state from the set-up to the measured part, which changes it.
private final class Box<State> {
    var state: State

    init(_ state: State) {
        self.state = state
    }
}

import Allocations
public import Benchmark

/// Measures repeated calls of `work`, which share a state.
///
/// - Parameters:
///   - items: the number of measured items in an iteration; the reported time is for one item.
///   - writesBytes: whether to report the result of `work` as a number of bytes.
///   - state: creates the initial state, once.
///   - prepare: prepares each iteration, and is not measured.
///   - work: the measured function. Its result depends on all of its work, so that the optimizer cannot remove any.
public func measure<State>(
    _ name: String,
    items: Int = 1,
    writesBytes: Bool = false,
    state: @escaping @Sendable () -> State,
    prepare: @escaping @Sendable (inout State) -> Void = { _ in },
    _ work: @escaping @Sendable (inout State) -> Int
) {
    // The benchmark package writes file names with underscores but reads them with blanks.
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
    /// Sets the reported metrics and the allowed deviation of allocations from Thresholds/. Allocations are equal in every
    /// run, except for the growth of hash tables, whose seed differs.
    public static func configure(bytes: Bool = false) {
        defaultConfiguration = .init(
            metrics: [.wallClock, .time, .allocations] + (bytes ? [.bytes] : []),
            maxDuration: .seconds(5),
            maxIterations: 300,
            thresholds: [.allocations: .init(relative: [.p90: 10])]
        )
    }
}

/// Shares the mutable state between the set-up and the iterations.
private final class Box<State> {
    var state: State

    init(_ state: State) {
        self.state = state
    }
}

public import Benchmark

extension BenchmarkMetric {
    /// The processor time of the thread, in nanoseconds for each item: another program's load does not count.
    public static let time = BenchmarkMetric.custom(
        "thread time (ns)",
        polarity: .prefersSmaller,
        useScalingFactor: false
    )
    /// How often memory was allocated, for all items together.
    public static let allocations = BenchmarkMetric.custom(
        "allocations",
        polarity: .prefersSmaller,
        useScalingFactor: false
    )
    /// What was written.
    public static let bytes = BenchmarkMetric.custom("bytes", polarity: .prefersSmaller, useScalingFactor: false)
}

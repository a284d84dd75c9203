public import Benchmark

extension BenchmarkMetric {
    /// The processor time of the thread in nanoseconds for each item, independent of other programs' load.
    public static let time = BenchmarkMetric.custom(
        "thread time (ns)",
        polarity: .prefersSmaller,
        useScalingFactor: false
    )
    /// The number of memory allocations, for all items together.
    public static let allocations = BenchmarkMetric.custom(
        "allocations",
        polarity: .prefersSmaller,
        useScalingFactor: false
    )
    /// The number of written bytes.
    public static let bytes = BenchmarkMetric.custom("bytes", polarity: .prefersSmaller, useScalingFactor: false)
}

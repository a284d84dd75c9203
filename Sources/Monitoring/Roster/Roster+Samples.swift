extension Roster {
    /// The most samples of all targets that are kept exactly: eight megabytes.
    private static let mostExactSamples = 1_000_000

    /// Whether older samples are packed, for histories of these capacities.
    static func packsSamples(_ capacities: [Int]) -> Bool {
        capacities.reduce(0, +) > mostExactSamples
    }

    /// The number of samples that cover `span` at the target's interval, and at least the statistics window.
    package static func historyCapacity(of target: Target, covering span: Duration) -> Int {
        // A span can have more samples than an integer can count.
        Int(min(100_000, max(Double(Statistics.window), (span / target.interval).rounded(.up))))
    }
}

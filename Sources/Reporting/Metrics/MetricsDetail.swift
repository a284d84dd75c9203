/// How many series each target has in `/metrics`.
public enum MetricsDetail: String, Sendable, Hashable, CaseIterable {
    /// All series, with a histogram of round trips: about 40 for each target.
    case histograms
    /// All series, with percentiles of the last 100 round trips in place of the histogram: about 25 for each target.
    case summary
    /// At most nine series for each target: whether it answers, round trip, loss, and what else it is.
    case basic

    /// The largest number of targets that have histograms by default.
    public static let targetsWithHistograms = 1_000

    /// The detail for a number of targets, if the user has not chosen one.
    public init(targets: Int) {
        self = targets > Self.targetsWithHistograms ? .basic : .histograms
    }
}

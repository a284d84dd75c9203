/// The state of the matrix of vantage points.
struct VantageViewState: Sendable {
    /// The index of the first visible vantage point.
    private(set) var first = 0

    /// Shows others of `count` vantage points, of which `shown` are visible.
    mutating func scroll(by step: Int, shown: Int, of count: Int) {
        first = max(0, min(count - shown, first + step))
    }
}

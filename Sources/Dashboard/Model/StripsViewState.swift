import Monitoring

/// The state of the strips: their time, the selected slice and the scroll position.
struct StripsViewState: Sendable {
    /// The times that the user can select: an hour, a day, a week, 30 and 90 days.
    static let spans: [Duration] = [1, 24, 7 * 24, 30 * 24, 90 * 24].map { .seconds($0 * 3_600) }

    /// The time until now that the strips show: one of ``spans``.
    private(set) var span = spans[1]
    /// The first visible row.
    private(set) var scroll = 0
    /// A time in the selected slice, since 1970; nil if all of them are.
    private(set) var cursor: Duration?

    /// Selects the next longer or shorter time, if there is one.
    mutating func changeSpan(isLonger: Bool) {
        let index = Self.spans.firstIndex(of: span) ?? 0
        span = Self.spans[max(0, min(Self.spans.count - 1, index + (isLonger ? 1 : -1)))]
    }

    /// Selects a slice; nil selects all.
    mutating func select(_ slice: Range<Duration>?) {
        // Its end stays in the period longest.
        cursor = slice.map { $0.upperBound - .milliseconds(1) }
    }

    /// Selects all slices if the selected one is not in the period any more.
    mutating func reconcile(with axis: StripAxis) {
        if let cursor, axis.index(of: cursor) == nil { self.cursor = nil }
    }

    /// Scrolls so that a row is visible.
    mutating func reveal(row: Int, of rows: Int, height: Int) {
        scroll = max(0, min(scroll, row, rows - height))
        if row >= scroll + height { scroll = row - height + 1 }
    }
}

import ReachScreen

/// The columns of the tree of paths. A narrow screen has the hops and their loss; the rest is added in order of importance.
struct PathTreeLayout: Sendable, Hashable {
    /// The columns of the hops with their names and words.
    let hop: Range<Int>
    /// The columns of the number of targets, the loss and the median; nil if there is no room.
    private(set) var targets: Range<Int>?
    let loss: Range<Int>
    private(set) var median: Range<Int>?
    /// The columns of the heat rows; nil if there is no room.
    private(set) var heat: Range<Int>?

    private static let gap = 2
    private static let leastHop = 24

    /// Creates the layout.
    ///
    /// - Parameter hopWidth: the width of the longest row of a hop.
    init(columns: Int, hopWidth: Int) {
        // The first columns are the mark of the selection and a blank.
        let (start, width) = (2, max(1, columns - 4))
        let wanted = max(Self.leastHop, min(hopWidth, width * 45 / 100))
        let (lossWidth, targetsWidth, medianWidth) = (4, 7, 6)
        var free = width - lossWidth - Self.gap
        let hasTargets = free - targetsWidth - Self.gap >= Self.leastHop
        if hasTargets { free -= targetsWidth + Self.gap }
        let hasMedian = free - medianWidth - Self.gap >= Self.leastHop
        if hasMedian { free -= medianWidth + Self.gap }
        let heatWidth = free - wanted - Self.gap >= 12 ? free - wanted - Self.gap : 0
        let hopColumns = max(1, heatWidth > 0 ? wanted : free)

        var column = start
        func next(_ width: Int) -> Range<Int> {
            defer { column += width + Self.gap }
            return column..<column + width
        }
        hop = next(hopColumns)
        if hasTargets { targets = next(targetsWidth) }
        loss = next(lossWidth)
        if hasMedian { median = next(medianWidth) }
        if heatWidth > 0 { heat = next(heatWidth) }
    }
}

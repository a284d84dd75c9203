/// The layout of a table: which columns fit a width, and the range of each.
///
/// Columns are dropped in their drop order until the minimums of the others fit. The remaining space goes first to the ideal
/// widths, from left to right, and then to the flexible columns by weight.
struct ColumnLayout<ID: Hashable & Sendable>: Sendable, Hashable {
    /// A column that fits, and its range.
    struct Column: Sendable, Hashable {
        let id: ID
        let range: Range<Int>
    }

    /// The columns that fit, from left to right.
    private(set) var columns: [Column] = []

    /// Lays columns out.
    ///
    /// - Parameters:
    ///   - specs: the columns, from left to right; each id once.
    ///   - width: the columns of the screen for all of them.
    ///   - gap: the blank columns between two neighbours.
    init(_ specs: [Spec], width: Int, gap: Int) {
        var kept = specs
        while Self.minimum(of: kept, gap: gap) > width, let next = Self.firstToDrop(of: kept) {
            kept.remove(at: next)
        }
        let widths = Self.widths(of: kept, spare: max(width - Self.minimum(of: kept, gap: gap), 0))
        var start = 0
        for (spec, columns) in zip(kept, widths) {
            // Columns that are never dropped may together still be too wide: they are clipped at the edge.
            guard start < width || columns == 0 else { break }
            self.columns.append(Column(id: spec.id, range: start..<min(start + columns, width)))
            start += columns + gap
        }
    }

    /// The identifiers of the columns that fit, from left to right.
    var visible: [ID] { columns.map(\.id) }

    /// The range of a column; nil if it does not fit.
    subscript(id: ID) -> Range<Int>? {
        columns.first { $0.id == id }?.range
    }

    private static func minimum(of specs: [Spec], gap: Int) -> Int {
        specs.reduce(0) { $0 + $1.minimum } + max(specs.count - 1, 0) * gap
    }

    /// The index of the column to drop next: the lowest order, and the rightmost of equals.
    private static func firstToDrop(of specs: [Spec]) -> Int? {
        let candidates = specs.indices.compactMap { index in
            specs[index].dropOrder.map { order in (index: index, order: order) }
        }
        return candidates.min { ($0.order, $1.index) < ($1.order, $0.index) }?.index
    }

    private static func widths(of specs: [Spec], spare: Int) -> [Int] {
        var spare = spare
        var widths = specs.map { $0.minimum }
        for (index, spec) in specs.enumerated() {
            guard case .ideal(let ideal) = spec.growth else { continue }
            let more = min(max(ideal - spec.minimum, 0), spare)
            widths[index] += more
            spare -= more
        }
        // Repeated, because a column at its maximum leaves its share to the others.
        while spare > 0 {
            let open = specs.indices.filter { specs[$0].weight > 0 && widths[$0] < specs[$0].maximum }
            guard !open.isEmpty else { break }
            var weights = open.reduce(0) { $0 + specs[$1].weight }
            var share = spare
            for index in open {
                let part = share * specs[index].weight / weights
                let more = min(part, specs[index].maximum - widths[index])
                widths[index] += more
                spare -= more
                share -= part
                weights -= specs[index].weight
            }
        }
        return widths
    }
}

extension ColumnLayout {
    /// The requirements of one column.
    struct Spec: Sendable, Hashable {
        /// The identifier.
        let id: ID
        /// The smallest useful width.
        let minimum: Int
        /// The order in which columns are dropped when space runs out, lowest first; nil is never dropped.
        let dropOrder: Int?
        let growth: Growth

        /// How a column uses space beyond its minimum.
        enum Growth: Sendable, Hashable {
            /// Grows up to this width.
            case ideal(Int)
            /// Gets a share of the remaining space.
            case flexible(weight: Int, maximum: Int)
        }

        /// A column that grows to its ideal width.
        ///
        /// - Parameters:
        ///   - id: the identifier.
        ///   - minimum: the smallest useful width.
        ///   - ideal: the preferred width; the minimum if nil.
        ///   - dropOrder: the order in which columns are dropped, lowest first; nil is never dropped.
        init(_ id: ID, minimum: Int, ideal: Int? = nil, dropOrder: Int? = nil) {
            self.id = id
            self.minimum = max(minimum, 0)
            self.growth = .ideal(ideal ?? minimum)
            self.dropOrder = dropOrder
        }

        /// A column that gets a share of the remaining space.
        ///
        /// - Parameters:
        ///   - id: the identifier.
        ///   - minimum: the smallest useful width.
        ///   - weight: its share, relative to the weights of the other columns.
        ///   - maximum: the largest useful width.
        ///   - dropOrder: the order in which columns are dropped, lowest first; nil is never dropped.
        init(_ id: ID, minimum: Int, weight: Int, maximum: Int = .max, dropOrder: Int? = nil) {
            self.id = id
            self.minimum = max(minimum, 0)
            self.growth = .flexible(weight: max(weight, 0), maximum: max(maximum, minimum))
            self.dropOrder = dropOrder
        }

        var weight: Int {
            if case .flexible(let weight, _) = growth { weight } else { 0 }
        }

        var maximum: Int {
            if case .flexible(_, let maximum) = growth { maximum } else { minimum }
        }
    }
}

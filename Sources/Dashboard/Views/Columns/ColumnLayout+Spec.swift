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

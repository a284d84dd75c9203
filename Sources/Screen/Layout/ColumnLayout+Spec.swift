extension ColumnLayout {
    /// What a column asks for.
    public struct Spec: Sendable, Hashable {
        /// Which column it is.
        public let id: ID
        /// The columns below which it is of no use.
        public let minimum: Int
        /// When it leaves as space narrows, the lowest first; nil stays to the end.
        public let dropOrder: Int?
        let wish: Wish

        /// What a column does with room beyond its minimum.
        enum Wish: Sendable, Hashable {
            /// Grows to this width, and no further.
            case ideal(Int)
            /// Takes a share of what the others leave.
            case flexible(weight: Int, maximum: Int)
        }

        /// A column that grows to its ideal width.
        ///
        /// - Parameters:
        ///   - id: which column it is.
        ///   - minimum: the columns below which it is of no use.
        ///   - ideal: the columns that it would like; the minimum if not given.
        ///   - dropOrder: when it leaves as space narrows, the lowest first; nil stays to the end.
        public init(_ id: ID, minimum: Int, ideal: Int? = nil, dropOrder: Int? = nil) {
            self.id = id
            self.minimum = max(minimum, 0)
            self.wish = .ideal(ideal ?? minimum)
            self.dropOrder = dropOrder
        }

        /// A column that takes a share of the room that the others leave.
        ///
        /// - Parameters:
        ///   - id: which column it is.
        ///   - minimum: the columns below which it is of no use.
        ///   - weight: its share, in proportion to the weights of the others.
        ///   - maximum: the columns beyond which more is of no use.
        ///   - dropOrder: when it leaves as space narrows, the lowest first; nil stays to the end.
        public init(_ id: ID, minimum: Int, weight: Int, maximum: Int = .max, dropOrder: Int? = nil) {
            self.id = id
            self.minimum = max(minimum, 0)
            self.wish = .flexible(weight: max(weight, 0), maximum: max(maximum, minimum))
            self.dropOrder = dropOrder
        }

        var weight: Int {
            if case .flexible(let weight, _) = wish { weight } else { 0 }
        }

        var maximum: Int {
            if case .flexible(_, let maximum) = wish { maximum } else { minimum }
        }
    }
}

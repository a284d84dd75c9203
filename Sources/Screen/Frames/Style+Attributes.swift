extension Style {
    /// What a style adds to the colour; each works without any colour too.
    public struct Attributes: OptionSet, Sendable, Hashable {
        /// One bit for each attribute.
        public let rawValue: UInt8

        /// Attributes from their bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Heavy strokes.
        public static let bold = Attributes(rawValue: 1 << 0)
        /// Less intense than ordinary text.
        public static let faint = Attributes(rawValue: 1 << 1)
        /// A line below, blanks included.
        public static let underline = Attributes(rawValue: 1 << 2)
        /// Text and background change places, blanks included.
        public static let reversed = Attributes(rawValue: 1 << 3)
    }
}

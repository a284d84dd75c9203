/// The style of a cell. It has no background colour, so that screens stay readable on light and transparent terminals.
///
/// It takes seven bytes: every cell has one, and comparing two frames compares all of them.
public struct Style: Sendable, Hashable {
    /// The colour of the character; nil for the terminal's default.
    public var foreground: Color?
    /// Bold, faint, underlined, reversed.
    public var attributes: Attributes

    /// The terminal's default style.
    public static let plain = Style()

    /// A style from a colour and attributes.
    public init(_ foreground: Color? = nil, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.attributes = attributes
    }

    /// Whether a blank in this style differs from an empty cell.
    var marksBlanks: Bool {
        !attributes.isDisjoint(with: [.underline, .reversed])
    }
}

extension Style {
    /// The attributes of a style besides the colour; each also works without colours.
    public struct Attributes: OptionSet, Sendable, Hashable {
        /// One bit for each attribute.
        public let rawValue: UInt8

        /// Attributes from their bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Bold.
        public static let bold = Attributes(rawValue: 1 << 0)
        /// Less intense than ordinary text.
        public static let faint = Attributes(rawValue: 1 << 1)
        /// Underlined, including blanks.
        public static let underline = Attributes(rawValue: 1 << 2)
        /// Foreground and background exchanged, including blanks.
        public static let reversed = Attributes(rawValue: 1 << 3)
    }
}

/// One column of one row: a character, or the second half of a wide one.
public struct Cell: Sendable, Hashable {
    /// The character; a blank in a second half.
    public let character: Character
    /// The style.
    public internal(set) var style: Style
    /// Whether this is the second half of the wide character on its left.
    public let isContinuation: Bool

    /// The empty cell.
    public static let blank = Cell(" ", .plain)

    /// Creates the cell of a character that is one column wide; another one becomes ``Swift/Character/replacement``.
    public init(narrow character: Character, _ style: Style) {
        let isNarrow = character.isPlainlyNarrow || character.printable.columnsIfPrintable == 1
        self.init(isNarrow ? character.printable : .replacement, style)
    }

    init(_ character: Character, _ style: Style) {
        self.character = character
        self.style = style
        self.isContinuation = false
    }

    private init(continuationIn style: Style) {
        self.character = " "
        self.style = style
        self.isContinuation = true
    }

    /// The second half of a wide character.
    static func continuation(_ style: Style) -> Cell {
        Cell(continuationIn: style)
    }

    /// Whether nothing is visible: a blank in a style that does not mark blanks.
    var isInvisible: Bool {
        !style.marksBlanks && !isContinuation && character == " "
    }

    /// Whether both look the same on screen.
    func looksLike(_ other: Cell) -> Bool {
        self == other || (isInvisible && other.isInvisible)
    }
}

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

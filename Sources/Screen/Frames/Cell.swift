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

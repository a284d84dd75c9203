/// Adjacent cells of one row in one style, painted at once.
public struct Run: Sendable, Hashable {
    /// The position of the first cell.
    public let position: Position
    /// The style. A blank inside may have had another one that looks the same.
    public let style: Style
    /// The characters, printable ones only.
    public private(set) var text: String
    /// The columns that the text fills.
    public private(set) var columns: Int
    /// Whether it is one character about whose width terminals disagree, so that the cursor is unknown after it.
    public private(set) var isContested = false
    /// Whether a terminal that reorders right-to-left words may also reorder the figures after this one character.
    public private(set) var reordersFollowing = false

    init(position: Position, style: Style) {
        self.position = position
        self.style = style
        self.text = ""
        self.columns = 0
    }

    /// Appends the only character of a run.
    mutating func append(contested character: Character, width: Int, reordersFollowing: Bool = false) {
        append(character, width: width)
        isContested = true
        self.reordersFollowing = reordersFollowing
    }

    /// Appends a character.
    mutating func append(_ character: Character, width: Int) {
        text.append(character)
        columns += width
    }
}

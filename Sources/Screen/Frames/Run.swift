/// Neighbouring cells of one row and one style, to be painted in one go.
public struct Run: Sendable, Hashable {
    /// Where the first cell is.
    public let position: Position
    /// The look of all of them. A blank inside may have had another one that shows no difference.
    public let style: Style
    /// The characters, printable ones only.
    public private(set) var text: String
    /// The columns that the text fills.
    public private(set) var columns: Int
    /// Whether it is one character about whose columns terminals disagree, so that nobody knows where the cursor is then.
    public let isContested: Bool

    /// A run of nothing yet.
    init(position: Position, style: Style) {
        self.position = position
        self.style = style
        self.text = ""
        self.columns = 0
        self.isContested = false
    }

    /// A character of contested width.
    init(contested character: Character, width: Int, at position: Position, style: Style) {
        self.position = position
        self.style = style
        self.text = String(character)
        self.columns = width
        self.isContested = true
    }

    /// Appends a character.
    mutating func append(_ character: Character, width: Int) {
        text.append(character)
        columns += width
    }
}

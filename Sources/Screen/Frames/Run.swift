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
    public private(set) var isContested = false
    /// Whether a terminal that turns words around, which are written from right to left, may turn figures with them that
    /// stand behind this one character.
    public private(set) var turnsWhatFollows = false

    init(position: Position, style: Style) {
        self.position = position
        self.style = style
        self.text = ""
        self.columns = 0
    }

    /// Appends the one character of a run that is about nothing else.
    mutating func append(contested character: Character, width: Int, turnsWhatFollows: Bool = false) {
        append(character, width: width)
        isContested = true
        self.turnsWhatFollows = turnsWhatFollows
    }

    /// Appends a character.
    mutating func append(_ character: Character, width: Int) {
        text.append(character)
        columns += width
    }
}

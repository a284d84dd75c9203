/// The look of a cell. There is no background: a screen stays readable on light and on transparent terminals.
///
/// Two bytes in all, because every cell has one and the difference of two frames compares them all.
public struct Style: Sendable, Hashable {
    /// The palette colour of the character; nil is the terminal's own.
    public var foreground: Color?
    /// Weight and lines.
    public var attributes: Attributes

    /// The terminal's own look.
    public static let plain = Style()

    /// A look made of a colour and attributes.
    public init(_ foreground: Color? = nil, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.attributes = attributes
    }

    /// Whether a blank in this style differs from an empty cell.
    var marksBlanks: Bool {
        !attributes.isDisjoint(with: [.underline, .reversed])
    }
}

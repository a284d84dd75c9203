import Screen

/// The colours that a terminal supports and its user allows.
public enum ColorSupport: Sendable, Hashable, CaseIterable {
    /// No colour. Bold, faint, underlined and reversed text remain.
    case none
    /// The sixteen colours of the palette.
    case sixteen
    /// xterm's 256: the sixteen, a cube and greys.
    case indexed
    /// 24-bit colours.
    case direct
}

/// The characters that a terminal supports.
public enum CharacterSupport: Sendable, Hashable, CaseIterable {
    /// All of them, in UTF-8.
    case unicode
    /// ASCII only: the terminal would show other bytes as letters of another encoding, or execute them as controls.
    case ascii

    /// The text as it is sent. For ASCII, each column of another character becomes a question mark.
    public func sent(_ text: String) -> String {
        guard self == .ascii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.map { $0.isASCII ? String($0) : String(repeating: "?", count: $0.displayWidth) }.joined()
    }
}

import Screen

/// Which characters a terminal can be sent.
public enum CharacterSupport: Sendable, Hashable, CaseIterable {
    /// All of them, in UTF-8.
    case unicode
    /// ASCII alone: other bytes would be letters of another alphabet, or controls that the terminal obeys.
    case ascii

    /// The text as it is sent: for ASCII, with a question mark in each column of what is more.
    func sent(_ text: String) -> String {
        guard self == .ascii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.map { $0.isASCII ? String($0) : String(repeating: "?", count: $0.displayWidth) }.joined()
    }
}

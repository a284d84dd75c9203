/// What a terminal, or its user, allows.
public enum ColorSupport: Sendable, Hashable, CaseIterable {
    /// No colour. Bold, faint, underlined and reversed text remain.
    case none
    /// The sixteen colours of the palette.
    case sixteen
    /// xterm's 256: the sixteen, a cube and greys.
    case indexed
    /// Any colour, by its parts.
    case direct
}

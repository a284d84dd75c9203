/// What a terminal, or its user, allows.
public enum ColorSupport: Sendable, Hashable {
    /// The sixteen colours of the palette.
    case sixteen
    /// No colour. Bold, faint, underlined and reversed text remain.
    case none
}

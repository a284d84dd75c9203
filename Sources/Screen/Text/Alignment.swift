/// Where text stands in a field that is wider.
public enum Alignment: Sendable, Hashable {
    /// At the start: the blanks follow.
    case leading
    /// In the middle, an odd blank at the end.
    case center
    /// At the end: the blanks come first.
    case trailing
}

/// What text stands on.
public enum Background: Sendable, Hashable, CaseIterable {
    /// Light text stands on it.
    case dark
    /// Dark text stands on it.
    case light

    /// What a background of this colour is.
    public init(_ color: RGB) {
        self = color.luma > 0.5 ? .light : .dark
    }
}

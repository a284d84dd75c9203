/// What a target depends on: while it is down, nothing can be said of the target.
public enum Dependency: Sendable, Hashable {
    /// The target of this name.
    case target(String)
    /// A way out of this machine: some link that leads to others.
    case link

    /// What the settings call the way out; no target's name.
    public static let linkWord = "link"
}

/// What a target depends on: while it is down, nothing can be said of the target.
public enum Dependency: Sendable, Hashable {
    /// The target of this name.
    case target(String)
    /// A way out of this machine: some link that leads to others.
    case link

    /// What the settings call the way out; no target's name.
    public static let linkWord = "link"
}

/// What keeps a target from being asked: the nearest of all it depends on that is down by itself, and not blocked in
/// its turn.
public enum Blocker: Sendable, Hashable {
    /// The target that is known by this label is down.
    case target(String)
    /// Nothing leads out of this machine.
    case link

    /// What is down, as the settings name it.
    public var name: String {
        switch self {
        case .target(let label): label
        case .link: Dependency.linkWord
        }
    }
}

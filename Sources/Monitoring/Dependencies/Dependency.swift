/// A dependency of a target. While it is down, the target is neither probed nor judged.
public enum Dependency: Sendable, Hashable {
    /// The target with this name.
    case target(String)
    /// Any interface of this machine that leads out (an uplink).
    case link

    /// The settings' name of ``link``; no target may have it.
    public static let linkName = "link"
}

/// The reason that a target is blocked: the nearest of its direct and indirect dependencies that is down and not
/// blocked itself.
public enum Blocker: Sendable, Hashable {
    /// The target with this label is down.
    case target(String)
    /// No interface of this machine leads out.
    case link

    /// The name of the dependency in the settings.
    public var name: String {
        switch self {
        case .target(let label): label
        case .link: Dependency.linkName
        }
    }
}

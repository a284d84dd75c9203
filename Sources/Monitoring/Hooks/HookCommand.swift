/// What a hook runs.
public enum HookCommand: Sendable, Hashable, CustomStringConvertible {
    /// A line for `/bin/sh -c`.
    case shell(String)
    /// A program, found by `PATH`, and its arguments; no shell sees them.
    case program(String, arguments: [String])

    /// The command as a person would type it.
    public var description: String {
        switch self {
        case .shell(let line): line
        case .program(let name, let arguments): ([name] + arguments).joined(separator: " ")
        }
    }
}

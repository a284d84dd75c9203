/// Which of the processes with the same settings runs their hooks.
public enum HookOwner: Sendable, Hashable {
    /// This process.
    case thisProcess
    /// This process, and possibly others, for this reason: it runs hooks rather than none.
    case unknown(String)
    /// Another process, by its number if that is known.
    case process(Int32?)
    /// The user has switched hooks off for this process.
    case disabled

    /// Whether this process runs the hooks.
    public var isThisProcess: Bool {
        switch self {
        case .thisProcess, .unknown: true
        case .process, .disabled: false
        }
    }

    /// The message about a change; nil if there is nothing to say.
    ///
    /// - Parameter old: The owner before; nil at the start.
    package func message(after old: HookOwner?) -> String? {
        switch self {
        case old: nil
        case .thisProcess: old == nil ? nil : "hooks: this process runs them now"
        case .unknown(let reason):
            "hooks: \(reason) – other processes with the same settings run them too, unless they have --no-hooks"
        case .process where old != nil: "hooks: \(processName) runs them now"
        case .process:
            "hooks: \(processName) runs them for the same settings – this one runs them when that one ends, or with --hooks"
        case .disabled: nil
        }
    }

    /// The other process in words; empty for this one.
    private var processName: String {
        guard case .process(let number) = self else { return "" }
        return number.map { "process \($0)" } ?? "another process"
    }

    /// A short text for the screen; nil if this process runs the hooks.
    package var summary: String? {
        switch self {
        case .thisProcess, .unknown: nil
        case .process: "hooks run in \(processName)"
        case .disabled: "hooks are off"
        }
    }
}

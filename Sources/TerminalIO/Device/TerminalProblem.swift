/// Why the dashboard cannot be drawn.
public enum TerminalProblem: Error, Sendable, Hashable {
    /// The process has no terminal, as in a service or a background job.
    case noTerminal
    /// `TERM` is not set, or names a terminal without cursor movements.
    case unknownTerminal(String)
    /// The terminal's modes cannot be changed; the system's error message.
    case refused(String)
}

extension TerminalProblem: CustomStringConvertible {
    /// One line: the problem, and what to do instead.
    public var description: String {
        switch self {
        case .noTerminal:
            "there is no terminal to draw the dashboard on; `reach watch` works without one"
        case .unknownTerminal(""):
            "TERM is not set: no terminal to draw the dashboard on – set it, or use `reach watch`"
        case .unknownTerminal(let name):
            "TERM is \(name): the dashboard cannot be drawn without cursor movements – use `reach watch`"
        case .refused(let reason):
            "the terminal cannot be used for the dashboard (\(reason)); `reach watch` works without one"
        }
    }
}

/// Why there can be no dashboard.
public enum TerminalProblem: Error, Sendable, Hashable {
    /// The program runs without a terminal, as services and pipelines in the background do.
    case noTerminal
    /// The terminal would not let its modes be changed; the system's reason.
    case refused(String)
}

extension TerminalProblem: CustomStringConvertible {
    /// One line for a person, with what to do instead.
    public var description: String {
        switch self {
        case .noTerminal:
            "there is no terminal to draw the dashboard on; `reach watch` works without one"
        case .refused(let reason):
            "the terminal cannot be used for the dashboard (\(reason)); `reach watch` works without one"
        }
    }
}

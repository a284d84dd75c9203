extension HookDrop {
    /// Why the run was dropped, as part of a sentence.
    public var summary: String {
        switch self {
        case .coolingDown(let left): "cooling down for another \(left.spanText)"
        case .obsolete: "obsolete: the health changed while it waited"
        case .alreadyQueued: "already queued"
        case .quitting: "the program is ending"
        case .alreadySucceeded: "it runs once and has succeeded"
        }
    }
}

extension HookResult {
    /// How the run ended, as the rest of a sentence: `exited 0 in 1.2s`.
    public var summary: String {
        let took = "in \(duration.lapseText)"
        return switch status {
        case .exited(let code): "exited \(code) \(took)"
        case .signalled(let signal): "was killed by signal \(signal) \(took)"
        case .timedOut: "timed out after \(duration.lapseText)"
        case .cancelled: "was cancelled after \(duration.lapseText)"
        case .notStarted(let why): "did not start: \(why)"
        }
    }
}

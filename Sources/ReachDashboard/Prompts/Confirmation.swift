import ReachMonitoring
import ReachScreen

/// A question in the footer, before an action that is hard to undo: `y` performs the action, `n` and esc do not.
///
/// ```
///  pause all 12 targets?  y yes  n no
/// ```
struct Confirmation: Sendable, Hashable {
    /// The action that the question is about. ``Model`` performs it after `y`.
    enum Subject: Sendable, Hashable {
        case pauseAll
        case resumeAll
        case quit
        /// Forget the figures of the targets.
        case resetStatistics([Target.ID])
        /// Run the hooks of the target.
        case testHooks(Target.ID)
        /// Remove the target of this name.
        case remove(String)
        /// Send the silence to Alertmanager.
        case silence(Silence)
    }

    let subject: Subject
    /// The text, which ends with a question mark.
    let text: String
}

extension Model {
    /// Handles a key while a question is open. A key that is no answer is ignored.
    mutating func press(_ key: Key, in question: Confirmation) -> [Effect] {
        switch key {
        case .character("y"), .character("Y"):
            prompts.close()
            staleness = .urgent
            return perform(question.subject)
        case .control("c") where question.subject == .quit:
            return [.exit(.quit)]
        case .character("n"), .character("N"), .escape, .control("c"):
            prompts.close()
            staleness = .urgent
            return []
        case .click(let position):
            guard case .key(let key)? = footerLink(at: position) else { return [] }
            return press(key, in: question)
        default:
            return []
        }
    }

    /// Performs the action that a question was about.
    private mutating func perform(_ subject: Confirmation.Subject) -> [Effect] {
        switch subject {
        case .pauseAll: return setPaused(true, roster.states)
        case .resumeAll: return setPaused(false, roster.states)
        case .quit: return [.exit(.quit)]
        case .resetStatistics(let ids):
            resetStatistics(of: ids.compactMap { roster[$0] })
            return []
        case .testHooks(let id): return testHooks(of: id)
        case .remove(let name): return request(.remove(name))
        case .silence(let silence): return send(silence)
        }
    }

    /// Asks whether to pause all targets, or to resume them if all of them are paused.
    mutating func askToPauseAll() {
        let targets = roster.states
        guard !targets.isEmpty else { return }
        let isPausing = targets.contains { !$0.isPaused }
        let name = targets.count == 1 ? targets[0].target.label : "all \(targets.count) targets"
        prompts.ask(
            Confirmation(
                subject: isPausing ? .pauseAll : .resumeAll,
                text: "\(isPausing ? "pause" : "resume") \(name)?"
            )
        )
    }

    /// Leaves the view, as esc does. In the table, the wall and the graphs, quits; asks first if a command is armed.
    mutating func quit() -> [Effect] {
        guard navigation.isAtOverview else {
            back()
            return []
        }
        if askAboutUnsaved() { return [] }
        let armed = roster.states.reduce(0) { $0 + $1.armed.count }
        guard armed > 0 else { return [.exit(.quit)] }
        let commands = armed == 1 ? "1 command is" : "\(armed) commands are"
        prompts.ask(Confirmation(subject: .quit, text: "\(commands) armed – quit?"))
        return []
    }
}

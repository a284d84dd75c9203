import Monitoring
import Screen

extension Model {
    /// Adds lines that were entered in earlier runs, the newest last.
    public mutating func recall(_ lines: [PastLine]) {
        for line in lines { prompts.remember(line.text, for: line.purpose) }
    }

    /// Opens the prompt for what the selected targets are to run when they are reachable.
    mutating func askForCommand() {
        let targets = selectedTargets
        guard !targets.isEmpty else { return }
        // What the settings run is worth offering too, but what was typed comes first.
        let offered = roster.standings.flatMap { standing in
            standing.target.hooks.compactMap { rule -> String? in
                if case .command(.shell(let line)) = rule.action { line } else { nil }
            }
        }
        prompts.askForCommand(of: targets.map(\.id), called: Self.name(of: targets), offered: offered)
    }

    /// Handles a key while a line is typed.
    mutating func press(_ key: Key, in prompt: Prompt) -> [Effect] {
        switch key {
        case .enter:
            staleness = .urgent
            return enter(prompt)
        case .escape, .control("c"):
            staleness = .urgent
            prompts.close()
            if prompt.purpose == .filter { list.filter(by: Filter()) }
        default:
            guard prompts.take(key) else { return [] }
            staleness = .urgent
            if prompt.purpose == .filter { list.filter(by: Filter(prompts.current?.line.text ?? "")) }
        }
        return []
    }

    private mutating func enter(_ prompt: Prompt) -> [Effect] {
        let text = prompt.line.text
        switch prompt.purpose {
        case .filter:
            prompts.close()
            return remember(text, for: .filter)
        case .command(let ids, let name):
            switch ArmingLine(text) {
            case .empty:
                prompts.close()
                return []
            case .wrong(let why):
                prompts.complain(why)
                return []
            case .command(let line, let within):
                prompts.close()
                return remember(text, for: .command) + arm(ids, of: name, line, within: within)
            }
        }
    }

    private mutating func remember(_ text: String, for purpose: PastLine.Purpose) -> [Effect] {
        prompts.remember(text, for: purpose)
        guard let line = PastLine(purpose, text), line.isKept else { return [] }
        return [.remember(line)]
    }

    private mutating func arm(_ ids: [Target.ID], of name: String, _ line: String, within: Duration?) -> [Effect] {
        let consequences = live.change { $0.arm(ids, action: .shell(line), within: within, at: $1) }
        let armed = consequences.events.count { event in
            if case .armed = event { true } else { false }
        }
        let command = "`\(line.truncated(toColumns: 40))`"
        switch (consequences.runs.count, armed) {
        case (0, 0): say("\(name) is gone from the settings: nothing is armed")
        case (_, 0): say("\(command) runs now: \(name) \(ids.count == 1 ? "is" : "are") reachable")
        case (0, _): say("\(command) runs when \(name) \(ids.count == 1 ? "is" : "are each") reachable")
        case (let runs, let armed): say("\(command) runs now for \(runs), and is armed for \(armed)")
        }
        return passOn(consequences)
    }
}

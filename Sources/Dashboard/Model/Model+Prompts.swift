import Monitoring
import Screen

extension Model {
    /// Takes in what was typed in earlier runs, the newest last.
    public mutating func recall(_ lines: [PastLine]) {
        for line in lines {
            switch line.purpose {
            case .filter: filters.remember(line.text)
            case .command: commands.remember(line.text)
            }
        }
    }

    /// Asks which targets are to be shown.
    mutating func askForFilter() {
        prompt = Prompt(.filter, text: filter.text, earlier: filters.lines)
    }

    /// Asks what the selected targets are to run when they are reachable.
    mutating func askForCommand() {
        let targets = selectedTargets
        guard !targets.isEmpty else { return }
        // What the settings run is worth offering too, but what was typed comes first.
        var earlier = LineHistory()
        for standing in roster.standings {
            for case .command(.shell(let line)) in standing.target.hooks.map(\.action) { earlier.remember(line) }
        }
        for line in commands.lines { earlier.remember(line) }
        prompt = Prompt(
            .command(targets.map(\.id), of: Self.name(of: targets)),
            earlier: earlier.lines.filter { !$0.contains { $0.isNewline } }
        )
    }

    /// Takes a key while a line is typed.
    mutating func takeInPrompt(_ key: Key) -> [Effect] {
        guard var prompt else { return [] }
        switch key {
        case .enter:
            staleness = .urgent
            return enter(prompt)
        case .escape, .control("c"):
            staleness = .urgent
            self.prompt = nil
            if prompt.purpose == .filter { filter = Filter() }
        default:
            guard prompt.take(key) else { return [] }
            staleness = .urgent
            self.prompt = prompt
            if prompt.purpose == .filter { filter = Filter(prompt.line.text) }
        }
        return []
    }

    private mutating func enter(_ prompt: Prompt) -> [Effect] {
        self.prompt = nil
        switch prompt.purpose {
        case .filter:
            filters.remember(prompt.line.text)
            return keep(.filter, prompt.line.text)
        case .command(let ids, let name):
            switch ArmingLine(prompt.line.text) {
            case .empty:
                return []
            case .wrong(let why):
                self.prompt = prompt
                self.prompt?.complaint = why
                return []
            case .command(let line, let within):
                commands.remember(prompt.line.text)
                return keep(.command, prompt.line.text) + arm(ids, of: name, line, within: within)
            }
        }
    }

    private func keep(_ purpose: PastLine.Purpose, _ text: String) -> [Effect] {
        guard let line = PastLine(purpose, text), line.isKept else { return [] }
        return [.remember(line)]
    }

    private mutating func arm(_ ids: [Target.ID], of name: String, _ line: String, within: Duration?) -> [Effect] {
        let consequences = roster.arm(ids, action: .shell(line), within: within, at: now)
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
        return perform(consequences)
    }
}

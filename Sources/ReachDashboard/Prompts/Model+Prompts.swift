import ReachBasics
import ReachMonitoring
import ReachScreen

extension Model {
    /// Opens the prompt for a command that the selected targets run when they are reachable.
    mutating func openCommandPrompt() {
        let targets = selectedTargets
        guard !targets.isEmpty else { return }
        // Commands of the settings are suggested too, after the history.
        let suggestions = roster.states.flatMap { state in
            state.target.hooks.compactMap { rule -> String? in
                if case .command(.shell(let line)) = rule.action { line } else { nil }
            }
        }
        prompts.openCommandPrompt(
            for: targets.map(\.id),
            named: Self.name(of: targets),
            suggestions: suggestions
        )
    }

    /// Handles a key while a prompt is open.
    mutating func press(_ key: Key, in prompt: Prompt) -> [Effect] {
        if prompt.purpose == .action, let effects = pressPalette(key, prompt) { return effects }
        switch key {
        case .escape, .control("c"):
            staleness = .urgent
            prompts.close()
            editing.isWaiting = false
            if prompt.purpose == .filter { filter(by: Filter()) }
        case _ where editing.isWaiting:
            return []
        case .enter:
            staleness = .urgent
            return enter(prompt)
        default:
            guard prompts.handle(key) else { return [] }
            staleness = .urgent
            if prompt.purpose == .filter { filterAsTyped() }
        }
        return []
    }

    private mutating func filterAsTyped() {
        guard let prompt = prompts.current else { return }
        filter(by: Filter(prompt.line.text))
        guard prompt.problem == nil, let problem = filterProblem(whileTyping: true) else { return }
        prompts.show(problem: problem)
    }

    private mutating func enter(_ prompt: Prompt) -> [Effect] {
        let text = prompt.line.text
        switch prompt.purpose {
        case .target(let neighbour):
            return add(text, below: neighbour)
        case .file:
            return create(text.trimmed)
        case .filter:
            if let problem = filterProblem(whileTyping: false) {
                prompts.show(problem: problem)
                return []
            }
            prompts.close()
            return remember(text, for: .filter)
        case .action:
            return performSelected(of: prompt)
        case .command(let ids, let name):
            return enter(text, of: "command", whenEmpty: { _ in [] }) { model, line, within in
                model.prompts.close()
                return model.remember(text, for: .command) + model.arm(ids, of: name, line, within: within)
            }
        case .reason(let ids, let name, _):
            return enter(text, of: "reason", whenEmpty: { $0.removeAcknowledgements(of: ids, named: name) }) {
                model,
                reason,
                length in
                model.prompts.close()
                return model.remember(text, for: .reason) + model.acknowledge(ids, of: name, reason, for: length)
            }
        case .silence(let matcher, let name, let ids, _):
            return enter(text, of: "reason", whenEmpty: { $0.removeAcknowledgements(of: ids, named: name) }) {
                model,
                reason,
                length in
                model.askToSilence(matcher, ids, reason: reason, length: length)
                return model.prompts.question == nil ? [] : model.remember(text, for: .reason)
            }
        }
    }

    /// Performs what a text with a time requests. An empty text closes the prompt, and an invalid one stays in it.
    private mutating func enter(
        _ text: String,
        of kind: String,
        whenEmpty: (inout Model) -> [Effect],
        perform: (inout Model, String, Duration?) -> [Effect]
    ) -> [Effect] {
        switch TimedText(text, of: kind) {
        case .empty:
            prompts.close()
            return whenEmpty(&self)
        case .invalid(let problem):
            prompts.show(problem: problem)
            return []
        case .text(let text, let time):
            return perform(&self, text, time)
        }
    }

    private mutating func remember(_ text: String, for purpose: EnteredLine.Purpose) -> [Effect] {
        prompts.remember(text, for: purpose)
        guard let line = EnteredLine(purpose, text), line.isKept else { return [] }
        return [.remember(line)]
    }

    private mutating func arm(_ ids: [Target.ID], of name: String, _ line: String, within: Duration?) -> [Effect] {
        let consequences = live.change { $0.arm(ids, action: .shell(line), within: within, at: $1) }
        let armed = consequences.events.count { event in
            if case .armed = event.kind { true } else { false }
        }
        let command = "`\(line.truncated(toColumns: 40))`"
        switch (consequences.runs.count, armed) {
        case (0, 0): showStatus("\(name) was removed from the settings: no hook armed")
        case (_, 0): showStatus("\(command) runs now: \(name) \(ids.count == 1 ? "is" : "are") reachable")
        case (0, _): showStatus("\(command) runs when \(name) \(ids.count == 1 ? "is" : "are each") reachable")
        case (let runs, let armed): showStatus("\(command) runs now for \(runs), armed for \(armed)")
        }
        return forward(consequences)
    }
}

/// The parsed input of a prompt for a text with an optional duration: a command or a reason, or `30m: command`.
enum TimedText: Sendable, Hashable {
    /// An empty line.
    case empty
    /// A text, and how long it holds.
    case text(String, within: Duration?)
    /// An invalid line, with the problem.
    case invalid(String)

    /// Parses a line.
    ///
    /// - Parameter noun: what the text is, for the problem.
    init(_ text: String, of noun: String) {
        let text = text.trimmed
        guard let span = Self.span(before: text) else {
            self = text.isEmpty ? .empty : .text(text, within: nil)
            return
        }
        let rest = String(text.dropFirst(span.count + 1)).trimmed
        let positive = String(span.trimmed.drop { $0 == "-" })
        // `1h 30m` is `1h30m`.
        if let within = Duration(text: span.filter { $0 != " " }), within > .zero {
            self = rest.isEmpty ? .invalid("missing \(noun) after \(span.trimmed):") : .text(rest, within: within)
        } else if Int(span.trimmed) != nil {
            self = .invalid("\(span.trimmed) has no unit – \(span.trimmed)s or \(span.trimmed)m?")
        } else if positive != span.trimmed {
            self = .invalid("invalid duration \"\(span.trimmed)\" – \(positive)?")
        } else {
            let hint = span.nearestDuration.map { "\($0)?" } ?? "such as 90s, 30m, 2h"
            self = .invalid("invalid duration \"\(span)\" – \(hint)")
        }
    }

    /// Returns the duration at the beginning of a line, valid or not: the part before the first colon, or all of the line,
    /// if that is a duration or a negative one; or the part before a colon with a blank or the end after it, if the part is
    /// one word that begins with a digit, or several that can be numbers with units.
    private static func span(before text: String) -> String? {
        let span = text.prefix { $0 != ":" }
        let joined = String(span.filter { $0 != " " })
        if Duration(text: joined) != nil { return String(span) }
        if joined.hasPrefix("-"), span.endIndex < text.endIndex, Duration(text: String(joined.dropFirst())) != nil {
            return String(span)
        }
        let rest = text[span.endIndex...].dropFirst()
        guard span.first?.isNumber == true, span.endIndex < text.endIndex, rest.first ?? " " == " " else { return nil }
        let words = span.split(separator: " ")
        let isPlausible = words.count == 1 || String(span).nearestDuration != nil
        return isPlausible ? String(span) : nil
    }
}

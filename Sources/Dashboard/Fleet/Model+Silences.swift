import Monitoring

/// Silences in Alertmanager, for targets of the fleet.
extension Model {
    /// Opens the prompt for the reason and the length of a silence, if targets of the fleet are selected and there is an
    /// Alertmanager.
    ///
    /// - Returns: Whether it is open.
    mutating func openSilencePrompt() -> Bool {
        guard fleet.alertmanager != nil, let matcher = selectedMatcher else { return false }
        let targets = selectedTargets
        prompts.openSilencePrompt(
            matcher,
            named: targets.count > 1 ? matcher.text : Self.name(of: targets),
            targets.map(\.id),
            isAcknowledged: targets.contains { $0.isAcknowledged }
        )
        return true
    }

    /// What the alerts about the selected target or group have in common; nil if it is not of the fleet.
    private var selectedMatcher: LabelMatcher? {
        let questions = selectedTargets.compactMap { state -> FleetQuestion? in
            if case .fleet(let question) = state.target.question { question } else { nil }
        }
        return selectedTarget == nil ? questions.first?.groupMatcher : questions.first?.matcher
    }

    /// Asks whether to create a silence.
    mutating func askToSilence(_ matcher: LabelMatcher, _ targets: [Target.ID], reason: String, length: Duration?) {
        guard let server = fleet.alertmanager else { return prompts.close() }
        let length = length ?? Silence.defaultLength
        guard length <= Silence.longest else {
            return prompts.show(problem: "too long: at most \(Silence.longest.settingsText)")
        }
        let silence = Silence(server: server, matcher: matcher, length: length, reason: reason, targets: targets)
        let text = "silence \(matcher.text) for \(length.settingsText) at \(server.name)? \(reason)"
        prompts.ask(Confirmation(subject: .silence(silence), text: text))
    }

    /// Sends a silence.
    mutating func send(_ silence: Silence) -> [Effect] {
        showStatus("sending the silence to \(silence.server.name)")
        return [.silence(silence)]
    }

    /// Records the answer to a silence. If there is one, the failures of its targets are acknowledged as well.
    mutating func receive(_ report: SilenceReport) -> [Effect] {
        let silence = report.silence
        guard case .created = report.answer else {
            live.note(report.text, isProblem: true)
            showStatus(report.text)
            return []
        }
        live.note(report.text, isProblem: false)
        showStatus(report.text)
        return forward(
            live.change { $0.acknowledge(silence.targets, reason: silence.reason, for: silence.length, at: $1) }
        )
    }
}

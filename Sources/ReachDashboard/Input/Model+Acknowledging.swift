import ReachMonitoring

extension Model {
    /// Opens the prompt for the reason why the failure of the selected targets is known: of a silence, for targets of the
    /// fleet, or else of an acknowledgement. Selected targets that do not fail are left out of the latter.
    mutating func openReasonPrompt() {
        guard !openSilencePrompt() else { return }
        let selected = selectedTargets
        let targets = selected.filter(\.canBeAcknowledged)
        guard !targets.isEmpty else {
            guard !selected.isEmpty else { return }
            let name = Self.name(of: selected)
            if selected.allSatisfy({ !$0.target.question.method.probes }) { return showStatus(Self.noAlertmanager) }
            return showStatus(selected.count == 1 ? "\(name) is not failing now" : "none of \(name) is failing now")
        }
        prompts.openReasonPrompt(
            for: targets.map(\.id),
            named: Self.name(of: targets),
            isAcknowledged: targets.contains { $0.isAcknowledged }
        )
    }

    /// What is missing for silences.
    static let noAlertmanager =
        "no Alertmanager to silence alerts – add [alertmanager] to the settings, or start with --alertmanager URL"

    /// Acknowledges the failure of targets that still fail.
    mutating func acknowledge(
        _ ids: [Target.ID],
        of name: String,
        _ reason: String,
        for length: Duration?
    ) -> [Effect] {
        let consequences = live.change { $0.acknowledge(ids, reason: reason, for: length, at: $1) }
        let until = length.map { "for \($0.settingsText)" } ?? (ids.count == 1 ? "until it is up" : "until each is up")
        showStatus(consequences.events.isEmpty ? "\(name) is no longer failing" : "acknowledged \(name) \(until)")
        return forward(consequences)
    }

    /// Removes the acknowledgements of targets.
    mutating func removeAcknowledgements(of ids: [Target.ID], named name: String) -> [Effect] {
        let consequences = live.change { $0.removeAcknowledgements(of: ids, at: $1) }
        if !consequences.events.isEmpty { showStatus("\(name) no longer acknowledged") }
        return forward(consequences)
    }
}

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

import Monitoring

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

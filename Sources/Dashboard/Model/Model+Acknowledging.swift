import Monitoring

extension Model {
    /// Opens the prompt for the reason why the failure of the selected targets is known. Selected targets that do not
    /// fail are left out.
    mutating func openReasonPrompt() {
        let selected = selectedTargets
        let targets = selected.filter(\.canBeAcknowledged)
        guard !targets.isEmpty else {
            guard !selected.isEmpty else { return }
            let name = Self.name(of: selected)
            return showStatus(selected.count == 1 ? "\(name) is not failing now" : "none of \(name) is failing now")
        }
        prompts.openReasonPrompt(
            for: targets.map(\.id),
            named: Self.name(of: targets),
            isAcknowledged: targets.contains { $0.isAcknowledged }
        )
    }

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

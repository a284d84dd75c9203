import Monitoring

extension Model {
    /// Returns the effects of the alerts that are due. Ticks call it.
    mutating func alertEffects() -> [Effect] {
        let alert = alerts.due(in: live.roster, at: now).map(Effect.alert)
        let title = alerts.titleEffect(live.roster.states.healthCounts, appearance.glyphs.substitutes)
        return [title, alert].compactMap(\.self)
    }

    /// Switches bell and notifications on or off for the session.
    mutating func toggleAlerts() {
        alerts.toggle()
        let parts = [alerts.rings ? "bell" : nil, alerts.notifies ? "notifications" : nil].compactMap(\.self)
        showStatus(parts.isEmpty ? "bell and notifications off" : "\(parts.joined(separator: " and ")) on")
    }
}

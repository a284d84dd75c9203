extension HistoryEvent {
    /// The event as the rest of a sentence that begins with the target's name.
    package var summary: String {
        let text = detail ?? reason
        switch kind {
        case .transition:
            let length = length.map { " after \($0.outageText)" } ?? ""
            return switch (from, to) {
            case (_, .down?): "down: \(text ?? "timeout")"
            case (.down?, .up?): "up\(length)"
            case (.degraded?, .up?): "up again"
            case (.down?, .degraded?): "degraded\(length)\(text.map { ": \($0)" } ?? "")"
            default: [to?.rawValue ?? "unknown", text].compactMap(\.self).joined(separator: ": ")
            }
        case .paused: return RosterEvent.pausedSummary
        case .resumed: return RosterEvent.resumedSummary
        case .blocked: return Blocker.target(text ?? "a dependency").summary
        case .unblocked: return RosterEvent.unblockedSummary
        case .added: return "added to the settings"
        case .removed: return "removed from the settings"
        case .acknowledged:
            return "acknowledged\(length.map { " for \($0.settingsText)" } ?? ""): \(text ?? "")"
        case .acknowledgementEnded: return text ?? "acknowledgement ended"
        case .address: return RosterEvent.addressSummary(text ?? "")
        case .hook: return "hook \(text ?? "")"
        case .flapping: return RosterEvent.flappingSummary(share: nil)
        case .flappingEnded: return RosterEvent.flappingEndedSummary
        case .maintenance: return "maintenance begins\(text.map { ": \($0)" } ?? "")"
        case .maintenanceEnded: return RosterEvent.maintenanceEndedSummary
        case .fault: return RosterEvent.faultSummary(text ?? "")
        case .faultCleared: return RosterEvent.faultClearedSummary
        case .stalled: return RosterEvent.stalledSummary(length ?? .zero)
        case .clock: return "the clock was set by \((length ?? .zero).inSeconds) s"
        }
    }
}

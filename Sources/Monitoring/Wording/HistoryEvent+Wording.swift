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
        case .paused: return "paused"
        case .resumed: return "resumed"
        case .blocked: return "blocked by \(text ?? "a dependency")"
        case .unblocked: return RosterEvent.unblockedSummary
        case .added: return "added to the settings"
        case .removed: return "removed from the settings"
        case .acknowledged:
            return "acknowledged\(length.map { " for \($0.settingsText)" } ?? ""): \(text ?? "")"
        case .acknowledgementEnded: return text ?? "acknowledgement ended"
        case .address: return "has another address: \(text ?? "")"
        case .hook: return "hook \(text ?? "")"
        case .flapping: return "flapping: reports are held back"
        case .flappingEnded: return "no longer flapping"
        case .maintenance: return "maintenance begins\(text.map { ": \($0)" } ?? "")"
        case .maintenanceEnded: return RosterEvent.maintenanceEndedSummary
        case .fault: return "cannot be probed: \(text ?? "")"
        case .faultCleared: return "can be probed again"
        case .stalled: return RosterEvent.stalledSummary(length ?? .zero)
        case .clock: return "the clock was set by \((length ?? .zero).inSeconds) s"
        }
    }
}

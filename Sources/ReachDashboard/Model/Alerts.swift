import ReachMonitoring

/// What the terminal does to report outages, besides drawing.
public struct Alert: Sendable, Hashable {
    /// Whether the bell rings.
    public let rings: Bool
    /// The text of a desktop notification; nil for none.
    public let notification: String?
}

/// The outages and recoveries that were not reported yet, so that those of one cause make one alert; and what the user wants
/// to be reported.
struct Alerts: Sendable {
    /// An alert waits until no target went down or up for this long.
    static let debounceInterval = Duration.seconds(1)
    /// The maximum delay of an alert.
    static let maxDelay = Duration.seconds(5)
    /// The maximum number of names in a notification.
    private static let maxNames = 3

    private var settings = AlertSettings()
    /// What the user's key has set, in place of the settings: bell and notifications on or off.
    private var override: Bool?
    /// The targets that went down, and those that were up again.
    private var outages: Set<Target.ID> = []
    private var recoveries: Set<Target.ID> = []
    private var first: Duration?
    private var latest = Duration.zero
    /// The title that the window has; nil for its own.
    private var title: String?

    /// Whether the bell rings.
    var rings: Bool { isEnabled(settings.bell) }
    /// Whether notifications are shown.
    var notifies: Bool { isEnabled(settings.notify) }

    private func isEnabled(_ setting: Bool) -> Bool {
        guard let override else { return setting }
        // The key enables both if the settings have neither.
        return override && (setting || !settings.bell && !settings.notify)
    }

    mutating func apply(_ settings: AlertSettings) {
        self.settings = settings
    }

    /// Switches bell and notifications on or off until the program exits.
    mutating func toggle() {
        override = !(rings || notifies)
    }

    /// Records changes of health. A target's first verdict is not a change.
    mutating func record(_ events: [RosterEvent], at now: Duration) {
        guard rings || notifies else { return }
        for event in events {
            switch event.kind {
            case .transition(let transition):
                guard let id = event.targets.first, record(transition, of: id) else { continue }
            case .maintenanceEnded:
                guard !outages.union(recoveries).isDisjoint(with: event.targets) else { continue }
            default:
                continue
            }
            first = first ?? now
            latest = now
        }
    }

    /// Records a change of health; returns whether it is an outage or a recovery.
    private mutating func record(_ transition: Transition, of id: Target.ID) -> Bool {
        if transition.to == .down, transition.from != .unknown {
            if recoveries.remove(id) == nil { outages.insert(id) }
        } else if transition.from == .down, transition.to != .unknown {
            if outages.remove(id) == nil { recoveries.insert(id) }
        } else {
            return false
        }
        return true
    }

    /// Returns the alert that is due. Targets that are paused, blocked, flapping, acknowledged or in
    /// maintenance meanwhile are left out.
    mutating func due(in roster: Roster, at now: Duration) -> Alert? {
        guard let first, now >= min(latest + Self.debounceInterval, first + Self.maxDelay) else { return nil }
        // Those in maintenance wait for its end.
        let waiting = Set(roster.states.lazy.filter(\.isInMaintenance).map(\.id))
        defer {
            (self.first, outages, recoveries) = (nil, outages.intersection(waiting), recoveries.intersection(waiting))
        }
        let states = roster.states.filter { outages.contains($0.id) || recoveries.contains($0.id) }
            .filter { !$0.isPausedOrBlocked && !$0.isFlapping && !$0.isAcknowledged && !$0.isInMaintenance }
        let down = states.filter { $0.health == .down && outages.contains($0.id) }
        let up = states.filter { $0.health != .down && recoveries.contains($0.id) }
        let texts = [Self.text(down, "down"), Self.text(up, "up again")].compactMap(\.self)
        let alert = Alert(
            rings: rings && !down.isEmpty,
            notification: notifies && !texts.isEmpty ? texts.joined(separator: "; ") : nil
        )
        return alert.rings || alert.notification != nil ? alert : nil
    }

    /// Names the first targets, and counts the others.
    private static func text(_ states: [TargetState], _ health: String) -> String? {
        guard !states.isEmpty else { return nil }
        let names = states.prefix(maxNames).map(\.target.label).joined(separator: ", ")
        let others = states.count - maxNames
        return "\(names)\(others > 0 ? " and \(others) more" : "") \(health)"
    }

    /// Returns the effect that gives the window its title, if that has changed.
    ///
    /// - Parameter substitutes: substitutes for characters that the terminal lacks.
    mutating func titleEffect(_ counts: HealthCounts, _ substitutes: [Character: Character]) -> Effect? {
        let wanted = settings.title ? String(Self.title(counts).map { substitutes[$0] ?? $0 }) : nil
        guard wanted != title else { return nil }
        title = wanted
        return .title(wanted)
    }

    private static func title(_ counts: HealthCounts) -> String {
        let down = counts.down - counts.expectedDown
        let degraded = counts.degraded - counts.expectedDegraded
        if down > 0 { return "\(down) down – reach" }
        return degraded > 0 ? "\(degraded) slow – reach" : "reach"
    }
}

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

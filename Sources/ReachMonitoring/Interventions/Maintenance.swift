/// The present maintenance of a target, and its health before, with which hooks compare at the end.
package struct Maintenance: Sendable, Hashable {
    /// The name of the window; nil if it has none.
    package var name: String?
    /// When it began for the target.
    package let since: Duration
    /// When it ends, as far as is known.
    package var until: Duration
    /// The health when it began.
    let healthBefore: Health
}

/// The windows of the settings, and which of them are open.
struct MaintenancePlan: Sendable {
    var windows: [MaintenanceWindow] = []
    /// The ends of the open windows by their index, since 1970.
    var open: [Int: Duration] = [:]
    /// The edition of the roster whose targets were compared with the open windows.
    var edition = 0
    /// When the windows are to be evaluated again.
    var nextCheck: Duration?

    /// The longest time between two evaluations, since the wall clock may be set.
    static let maxPause = Duration.seconds(30)
}

// During maintenance, hooks wait as they do while a target flaps. At its end, each hook fires whose condition still holds.
extension Roster {
    /// Begins and ends the maintenance of targets by the windows of the settings.
    ///
    /// - Parameter wall: the wall time of the program's start.
    package mutating func updateMaintenance(at now: Duration, wall: WallTime) -> Consequences {
        var consequences = Consequences()
        let isDue = maintenance.nextCheck.map { now >= $0 } ?? false
        guard isDue || edition != maintenance.edition else { return consequences }
        let time = wall.start + now
        var open: [Int: Duration] = [:]
        for (index, window) in maintenance.windows.enumerated() {
            open[index] = window.span(at: time)?.upperBound
        }
        maintenance.nextCheck = nextCheck(of: maintenance.windows, open, at: now, wall)
        let hadOpen = !maintenance.open.isEmpty
        guard open != maintenance.open || edition != maintenance.edition else { return consequences }
        (maintenance.open, maintenance.edition) = (open, edition)
        if hadOpen || !open.isEmpty { changeMaintenance(to: open, at: now, wall, into: &consequences) }
        return consequences
    }

    /// When the first window begins or ends; at least every half minute, since the wall clock may be set.
    private func nextCheck(
        of windows: [MaintenanceWindow],
        _ open: [Int: Duration],
        at now: Duration,
        _ wall: WallTime
    ) -> Duration? {
        guard !windows.isEmpty else { return nil }
        let starts = windows.compactMap { $0.nextStart(after: wall.start + now) }
        let next = (starts + open.values).min().map { $0 - wall.start }
        let latest = now + MaintenancePlan.maxPause
        return min(next ?? latest, latest)
    }

    private mutating func changeMaintenance(
        to open: [Int: Duration],
        at now: Duration,
        _ wall: WallTime,
        into consequences: inout Consequences
    ) {
        let windows = open.sorted { $0.key < $1.key }.map { (window: maintenance.windows[$0.key], end: $0.value) }
        var begun: [(name: String?, until: Duration, ids: [Target.ID])] = []
        var ended: [Int] = []
        for position in states.indices {
            let target = states[position].target
            let present = windows.filter { $0.window.selection.contains(target) }.max { $0.end < $1.end }
            switch (present, states[position].maintenance) {
            case (nil, nil):
                break
            case (nil, .some):
                ended.append(position)
            case (let (window, end)?, var known?):
                (known.name, known.until) = (window.name, end - wall.start)
                guard states[position].maintenance != known else { break }
                states[position].maintenance = known
                remember(position, at: now)
            case (let (window, end)?, nil):
                begin(position, window.name, until: end - wall.start, at: now)
                let id = states[position].id
                let index = begun.firstIndex { $0.name == window.name && $0.until == end - wall.start }
                if let index {
                    begun[index].ids.append(id)
                } else {
                    begun.append((window.name, end - wall.start, [id]))
                }
            }
        }
        for (name, end, ids) in begun { consequences.report(.maintenance(name: name, until: end), of: ids, at: now) }
        guard !ended.isEmpty else { return }
        consequences.report(.maintenanceEnded, of: ended.map { states[$0].id }, at: now)
        for position in ended { end(position, at: now, into: &consequences) }
    }

    private mutating func begin(_ position: Int, _ name: String?, until end: Duration, at now: Duration) {
        let state = states[position]
        states[position].count(until: now)
        states[position].maintenance = Maintenance(
            name: name,
            since: now,
            until: end,
            healthBefore: state.health
        )
        remember(position, at: now)
    }

    private mutating func end(_ position: Int, at now: Duration, into consequences: inout Consequences) {
        guard let past = states[position].maintenance else { return }
        states[position].maintenance = nil
        states[position].countedSince = now
        remember(position, at: now)
        states[position].hookTracker.endMaintenance(at: states[position].health, before: past.healthBefore)
        // A target that is paused or blocked reports with its next probe.
        reportDeferred(position, at: now, into: &consequences)
    }
}

extension TargetState {
    /// Whether there is planned work at the target.
    package var isInMaintenance: Bool { maintenance != nil }
}

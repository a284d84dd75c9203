import ReachMonitoring
import ReachScreen

/// What is highlighted for a moment because it has just changed: bold, or reversed if it is bold anyway.
///
/// * The last round trip of a visible target, if it differs from the previous one by more than a tenth and by more than
///   three times the jitter. Smaller differences are usual, and a column of bold figures would hide the others.
/// * The loss of a visible target, with the first lost probe after a reply.
/// * The health of a target that changes, with the counts in the heading of its group and in the header. That a target is
///   up at first is expected.
struct Highlights: Sendable {
    /// How long a figure is highlighted at least. A highlight ends with the frame of the next second after that, so that
    /// it needs no frame of its own.
    private static let duration = Duration.milliseconds(300)
    /// How long a change of health is highlighted at least.
    private static let healthDuration = Duration.seconds(2)

    /// A part of the screen.
    enum Subject: Hashable {
        /// A figure of a target, in any view.
        case figure(TableColumn, Target.ID)
        /// The number of targets in a group that are up.
        case group(String?)
        /// The number of targets in the header, by its word.
        case count(String)
    }

    private var ends: [Subject: Duration] = [:]

    /// Whether a part is highlighted.
    func contains(_ subject: Subject) -> Bool {
        !ends.isEmpty && ends[subject] != nil
    }

    /// The targets whose health is highlighted.
    var changedTargets: [Target.ID] {
        ends.keys.compactMap { if case .figure(.health, let id) = $0 { id } else { nil } }
    }

    /// Highlights the last round trip and the loss of a target if they have changed noticeably.
    ///
    /// - Parameter old: the last sample before; nil if there was none.
    mutating func compare(_ old: Sample?, of target: Target.ID, in roster: Roster, at now: Duration) {
        guard let old, let new = roster.lastSample(of: target), old.time != new.time else { return }
        if new.isLoss, !old.isLoss { add(.figure(.loss, target), until: now + Self.duration) }
        guard let before = old.roundTrip, let after = new.roundTrip else { return }
        let difference = abs((after - before).nanoseconds)
        guard difference > before.nanoseconds / 10 else { return }
        guard difference > 3 * (roster[target]?.earlierJitter ?? .zero).nanoseconds else { return }
        add(.figure(.last, target), until: now + Self.duration)
    }

    /// Highlights changes of health, and the counts that change with them.
    mutating func record(_ events: [RosterEvent], in roster: Roster, at now: Duration) {
        let end = now + Self.healthDuration
        for event in events {
            switch event.kind {
            case .transition(let change):
                if change.from == .unknown, change.to == .up { continue }
                for name in change.from.countNames + change.to.countNames { add(.count(name), until: end) }
                for id in event.targets { addGroup(of: id, in: roster, until: end) }
            case .blocked, .unblocked:
                for id in event.targets { addGroup(of: id, in: roster, until: end) }
                add(.count("blocked"), until: end)
            case .flapping:
                add(.count("flapping"), until: end)
            case .maintenance, .maintenanceEnded:
                add(.count("maintenance"), until: end)
            default:
                continue
            }
            for id in event.targets { add(.figure(.health, id), until: end) }
        }
    }

    private mutating func addGroup(of id: Target.ID, in roster: Roster, until end: Duration) {
        add(.group(roster[id]?.target.group), until: end)
    }

    private mutating func add(_ subject: Subject, until end: Duration) {
        ends[subject] = max(end, ends[subject] ?? end)
    }

    /// Removes the highlights that have ended.
    mutating func removeEnded(at now: Duration) {
        if !ends.isEmpty { ends = ends.filter { $0.value > now } }
    }

    mutating func removeAll() {
        ends = [:]
    }
}

extension Health {
    /// The possible words for the number of targets in the header.
    var countNames: [String] { self == .degraded ? ["slow", "degraded"] : [rawValue] }
}

extension Style {
    /// The style of text that has just changed: bold, or reversed if it is bold anyway.
    var highlighted: Style {
        var style = self
        style.attributes.remove(.faint)
        style.attributes.insert(attributes.contains(.bold) ? .reversed : .bold)
        return style
    }
}

/// The state of a target at a moment, for a comparison with another one.
package struct ComparedTarget: Sendable, Hashable {
    package let name: String
    package let health: Health
    /// Why the target is down or degraded; nil if it is neither.
    package let reason: String?
    /// The probes of the minutes before.
    package let figures: ProbeFigures?
    /// The hops of the path; nil for one that is not known.
    package let hops: [String?]?
    /// How the path ends.
    package let pathEnd: String?

    package init(
        _ name: String,
        _ health: Health,
        reason: String? = nil,
        figures: ProbeFigures? = nil,
        hops: [String?]? = nil,
        pathEnd: String? = nil
    ) {
        (self.name, self.health, self.reason, self.figures) = (name, health, reason, figures)
        (self.hops, self.pathEnd) = (hops, pathEnd)
    }

    /// Creates the state of a target.
    ///
    /// - Parameter minutes: the minutes before the moment.
    package init(_ state: TargetState, minutes: [StoredMinute]) {
        var sum = FigureSum()
        for minute in minutes { sum.add(minute.figures) }
        let path = state.tracedPath
        let reason =
            switch state.health {
            case .down: state.failure?.detail ?? "timeout"
            case .degraded: state.lastReply?.concern
            case .up, .unknown: nil as String?
            }
        self.init(
            state.target.label,
            state.health,
            reason: reason,
            figures: sum.figures,
            hops: path?.hops,
            pathEnd: path?.end.summary
        )
    }
}

/// A difference of a target between two moments.
package struct MomentDifference: Sendable, Hashable {
    /// What differs.
    package enum Change: String, Sendable, Hashable {
        /// The health is worse, or better.
        case down, up, degraded
        case unknown
        /// It was down or degraded before for another reason.
        case reason
        /// The median of the round trips is longer, or shorter.
        case slower, faster
        /// More or fewer probes are lost.
        case lossier
        case lessLossy = "less_lossy"
        /// Another path.
        case path
        /// The target is only in the second, or the first one.
        case added, removed

        /// Whether it is worse than before.
        package var isWorse: Bool {
            switch self {
            case .down, .degraded, .slower, .lossier: true
            case .up, .unknown, .reason, .faster, .lessLossy, .path, .added, .removed: false
            }
        }
    }

    package let name: String
    package let change: Change
    /// The difference as the rest of a sentence that begins with the name.
    package let text: String

    /// The smallest relative and absolute difference of medians, as of a lasting change of latency.
    private static let (leastShare, leastTime) = (0.2, Duration.milliseconds(5))
    /// The smallest difference of the shares of lost probes.
    private static let leastLoss = 0.05

    /// The differences between two moments, in the order of the first, the worse ones first.
    package static func all(from before: [ComparedTarget], to after: [ComparedTarget]) -> [MomentDifference] {
        let new = Dictionary(after.map { ($0.name, $0) }) { first, _ in first }
        let old = Set(before.map(\.name))
        var differences: [MomentDifference] = []
        for target in before {
            guard let later = new[target.name] else {
                differences.append(.init(name: target.name, change: .removed, text: "no longer there"))
                continue
            }
            differences += changes(from: target, to: later)
        }
        for target in after where !old.contains(target.name) {
            let health = target.health == .down ? Change.down : .added
            differences.append(.init(name: target.name, change: health, text: "new, \(target.health.rawValue)"))
        }
        return differences.filter(\.change.isWorse) + differences.filter { !$0.change.isWorse }
    }

    private static func changes(from before: ComparedTarget, to after: ComparedTarget) -> [MomentDifference] {
        let name = before.name
        var found: [(Change, String)] = []
        let reason = after.reason.map { ": \($0)" } ?? ""
        if before.health != after.health {
            let change: Change =
                switch (before.health, after.health) {
                case (_, .down): .down
                case (.down, .degraded): .up
                case (_, .degraded): .degraded
                case (_, .unknown): .unknown
                case (_, .up): .up
                }
            found.append((change, "\(after.health.rawValue)\(reason), was \(before.health.rawValue)"))
        } else if before.reason != after.reason, let old = before.reason, let new = after.reason {
            found.append((.reason, "\(after.health.rawValue): \(new), was \(old)"))
        }
        // The losses of a target that went down or came up say nothing else.
        if before.health.isReachable == after.health.isReachable {
            found += figureChanges(from: before.figures, to: after.figures)
        }
        if let old = before.hops, let new = after.hops, old != new || before.pathEnd != after.pathEnd {
            let end = after.pathEnd.map { ", \($0)" } ?? ""
            let other = zip(old, new).enumerated().first { $1.0 != $1.1 && $1.0 != nil && $1.1 != nil }
            let hop = other.map { "hop \($0 + 1) is \($1.1 ?? ""), was \($1.0 ?? "")" }
            if hop != nil || before.pathEnd != after.pathEnd {
                found.append((.path, "path: \(hop ?? "another end")\(end)"))
            }
        }
        return found.map { MomentDifference(name: name, change: $0, text: $1) }
    }

    private static func figureChanges(from before: ProbeFigures?, to after: ProbeFigures?) -> [(Change, String)] {
        guard let before, let after else { return [] }
        var found: [(Change, String)] = []
        if let old = before.roundTrips?.p50.roundTrip, let new = after.roundTrips?.p50.roundTrip {
            let difference = max(old, new) - min(old, new)
            if difference >= leastTime, difference >= min(old, new) * leastShare {
                let text = "median \(new.roundTripText), was \(old.roundTripText)"
                found.append((new > old ? .slower : .faster, text))
            }
        }
        let loss = { (figures: ProbeFigures) in Double(figures.lost) / Double(max(1, figures.sent)) }
        let (old, new) = (loss(before), loss(after))
        if abs(new - old) >= leastLoss, before.received > 0, after.received > 0 {
            let text = "\(new.percentText) of probes lost, was \(old.percentText)"
            found.append((new > old ? .lossier : .lessLossy, text))
        }
        return found
    }
}

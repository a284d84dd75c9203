// Changes of levels that began together are compared as outages are: what nine tenths of the targets behind something have,
// and others have not, is named once for all of them.
extension Roster {
    /// Compares changes of levels after a batch of findings, if that is due.
    mutating func compareShifts(after findings: [Finding], into consequences: inout Consequences) {
        guard shifts?.recent.deadline != nil, let time = findings.lazy.compactMap(\.time).max() else { return }
        compareShifts(at: time, into: &consequences)
    }

    /// Compares changes of levels, if that is due, and reports what they have in common.
    mutating func compareShifts(at now: Duration, into consequences: inout Consequences) {
        guard let deadline = shifts?.recent.deadline, deadline <= now, let groups = shifts?.recent.takeDue(at: now)
        else { return }
        for group in groups {
            let entries = group.simultaneous(slack: { self[$0]?.target.interval ?? .zero })
            guard entries.count >= RecentShifts.fewest else { continue }
            for (cause, targets) in commonCauses(of: entries, at: now) {
                report(cause, of: targets, among: entries, at: now, into: &consequences)
            }
        }
    }

    /// What changes have in common, each with its targets.
    private mutating func commonCauses(
        of entries: [RecentShifts.Entry],
        at now: Duration
    ) -> [(CommonCause, [Target.ID])] {
        var finder = CauseFinder(confirmsHops: false)
        finder.nextCause = 1 + (shifts?.recent.named ?? 0)
        defer { shifts?.recent.named = finder.nextCause - 1 }
        let start = entries.map(\.began).min() ?? now
        var unchanged: [(target: Target.ID, condition: TargetCondition)] = []
        for state in states where state.isProbed && shifts?[state.id]?.level.isReady == true {
            var risks = risks(of: state)
            // The time of a change is known within two replies.
            risks.interval *= Self.datingReplies
            _ = finder.setRisks(risks, of: state.id, at: start)
            unchanged.append((state.id, .up))
        }
        _ = finder.update(unchanged, at: start)
        var events = finder.update(entries.map { ($0.target, .down(since: $0.began, .noAnswer)) }, at: now)
        // Nothing else is to come, so what waits for others is decided now.
        var time = now
        while let next = finder.nextDeadline, next <= now + Self.patience {
            time = max(time, next)
            events += finder.update([], at: time)
        }
        return events.compactMap { event in
            guard case .named(let id) = event, let cause = finder[id] else { return nil }
            return (cause, finder.targets(explainedBy: id))
        }
    }

    private static let datingReplies = 2
    /// The search waits for no longer than this.
    private static let patience = Duration.seconds(3_600)

    private mutating func report(
        _ cause: CommonCause,
        of targets: [Target.ID],
        among entries: [RecentShifts.Entry],
        at now: Duration,
        into consequences: inout Consequences
    ) {
        let found = targets.compactMap { positions[$0] }.sorted()
        let isReturn = found.allSatisfy { states[$0].levelShift?.ends != nil }
        let began = Dictionary(entries.map { ($0.target, $0.began) }) { $1 }
        for position in found {
            guard var shift = states[position].levelShift, shift.began == began[states[position].id] else { continue }
            shift.others = "\(cause.explained - 1) others: \(cause.place)"
            states[position].levelShift = shift
            remember(position, at: now)
        }
        let isRise = entries.first?.isRise ?? true
        let news = ShiftNews.common(CommonShift(cause, isRise: isRise, isReturn: isReturn))
        consequences.report(.shift(news), of: found.map { states[$0].id }, at: now)
    }
}

extension [RecentShifts.Entry] {
    /// The changes that began together with two others: of three successive ones, each within two intervals of the next.
    /// They are in the order of their times.
    fileprivate func simultaneous(slack: (Target.ID) -> Duration) -> [RecentShifts.Entry] {
        var groups: [[RecentShifts.Entry]] = []
        for entry in self {
            let reach = slack(entry.target) * 2 + .seconds(1)
            if let last = groups.last?.last, entry.began - last.began <= reach {
                groups[groups.count - 1].append(entry)
            } else {
                groups.append([entry])
            }
        }
        return groups.filter { $0.count >= RecentShifts.fewest }.flatMap(\.self)
    }
}

import Monitoring

extension ProbeLoop {
    /// Asks these targets from now on; known ones by their new settings, their probes counted on.
    func watch(_ assignments: [ProbeRequest.Assignment], at now: Duration) {
        var changed: [Place] = []
        for assignment in assignments {
            if let known = watches[assignment.id] {
                changed.append(known.place)
                known.update(to: assignment.target)
            } else {
                watchNumber += 1
                watches[assignment.id] = Watch(number: watchNumber, target: assignment.target)
            }
        }
        let entries = assignments.map { assignment in
            Schedule.Entry(
                id: assignment.id,
                interval: assignment.target.interval,
                spread: assignment.target.spread
            )
        }
        schedule.add(entries, at: now)
        if !changed.isEmpty { tidy(changed) }
    }

    /// Asks these no more.
    func forget(_ ids: [Target.ID]) {
        schedule.remove(ids)
        budget.forget(ids)
        let left = ids.compactMap { watches.removeValue(forKey: $0) }
        if !left.isEmpty { tidy(left.map(\.place)) }
    }

    /// Lets go of what no target needs any more.
    private func tidy(_ left: [Place]) {
        let needed = Set(watches.values.compactMap(\.place.name))
        for name in Set(left.compactMap(\.name)).subtracting(needed) { names.forget(name) }
        let questions = watches.values.map(\.target.question)
        for prober in probers.values { prober.keep(for: questions) }
    }
}

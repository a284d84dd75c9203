/// Targets with a row for each address of their name: the settings have one target, the roster a row for each address that
/// the name stands for. Until the name is resolved, the target is one row.
extension Roster {
    /// What a name of the settings stands for.
    struct Resolved: Sendable {
        /// The target as the settings have it.
        let target: Target
        /// Its addresses, in the order of preference; not empty.
        let addresses: [String]
    }

    /// The rows of the targets of settings.
    func rows(of targets: [Target]) -> [Target] {
        guard !resolved.isEmpty else { return targets }
        return targets.flatMap { target in
            resolved[target.label].map { $0.addresses.map(target.row(at:)) } ?? [target]
        }
    }

    /// Forgets the addresses of what the settings ask otherwise than before, or no longer.
    mutating func keepAddresses(of targets: [Target]) {
        guard !resolved.isEmpty else { return }
        let kept = Dictionary(targets.map { ($0.label, $0) }) { first, _ in first }
        resolved = resolved.filter { label, resolved in kept[label]?.asksTheSame(as: resolved.target) == true }
    }

    /// Takes over the addresses of a name, where each of them has a row.
    ///
    /// The row of an address that replaces another goes on with what was known of that, and is reported like the new address
    /// of any target. An address that is only added, or only removed, is reported together with the first one that stays.
    ///
    /// Only the first row that is probed counts: event loops resolve names on their own, and a resolver may give each of them
    /// another part of many addresses.
    mutating func record(
        addresses: [String],
        of position: Int,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        let target = standings[position].target.withoutRow
        guard target.addresses == .each, !addresses.isEmpty else { return }
        let before = resolved[target.label]?.addresses ?? []
        guard Set(before) != Set(addresses) else { return }
        let first = standings.first { $0.isAsked && $0.target.withoutRow.label == target.label }
        guard first?.id == standings[position].id else { return }
        let added = addresses.filter { !before.contains($0) }
        let removed = before.filter { !addresses.contains($0) }
        resolved[target.label] = Resolved(target: target, addresses: addresses)
        let replaced = Dictionary(
            zip(added, removed).map { (target.row(at: $0).label, target.row(at: $1).label) },
            uniquingKeysWith: { first, _ in first }
        )
        let change = apply(currentSettings, replacing: replaced, at: time)
        consequences.events += change.events
        consequences.requests += change.requests
        // The probe that found the addresses counts for one of them at most.
        let begun = change.requests.flatMap { request -> [Target.ID] in
            if case .watch(let assignments) = request { assignments.map(\.id) } else { [] }
        }
        if !begun.isEmpty { consequences.requests.append(.now(begun)) }
        consequences.removed += change.removed
        consequences.runs += change.runs
        guard !before.isEmpty else { return }
        for index in 0..<max(added.count, removed.count) {
            let old = index < removed.count ? removed[index] : before.first(where: addresses.contains) ?? before[0]
            let new = index < added.count ? added[index] : addresses[0]
            let label = target.row(at: new).label
            guard let row = standings.firstIndex(where: { $0.target.label == label }), standings[row].isAsked
            else { continue }
            standings[row].address = new
            consequences.events.append(.addressChanged(standings[row].id, from: old, to: new))
            let trigger = Occasion.Trigger.address(from: old, to: new)
            fireHooks(of: row, on: .address, by: trigger, at: time, into: &consequences)
        }
    }
}

extension Target {
    /// The row of one of its addresses.
    fileprivate func row(at address: String) -> Target {
        var target = self
        target.addresses = .only(address)
        return target
    }

    /// The target as the settings have it.
    var withoutRow: Target {
        guard case .only = addresses else { return self }
        var target = self
        target.addresses = .each
        return target
    }
}

/// Targets with a row for each address of their name. The settings have one target, and the roster has a row for each
/// address that the name resolves to. Until the name is resolved, the target has one row.
extension Roster {
    /// A target with its resolved addresses.
    struct ResolvedTarget: Sendable {
        /// The target of the settings.
        let target: Target
        /// Its addresses, in the order of preference; not empty.
        let addresses: [String]
    }

    /// Returns the rows for the targets of the settings.
    func rows(of targets: [Target]) -> [Target] {
        guard !resolved.isEmpty else { return targets }
        return targets.flatMap { target in
            resolved[target.label].map { $0.addresses.map(target.row(at:)) } ?? [target]
        }
    }

    /// Removes the addresses of targets that were removed, or that are probed differently than before.
    mutating func keepAddresses(of targets: [Target]) {
        guard !resolved.isEmpty else { return }
        let kept = Dictionary(targets.map { ($0.label, $0) }) { first, _ in first }
        resolved = resolved.filter { label, resolved in kept[label]?.probesTheSame(as: resolved.target) == true }
    }

    /// Takes over the resolved addresses of a target that has a row for each.
    ///
    /// The row of a new address takes over the state of the address that it replaces, and is reported like the new
    /// address of any target. An address that is only added, or only removed, is reported together with the first one
    /// that stays.
    ///
    /// Only reports of the first probed row count. Event loops resolve names independently, and a resolver may give
    /// each of them a different subset of many addresses.
    mutating func record(
        addresses: [String],
        of position: Int,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        let target = states[position].target.withoutRow
        guard target.addresses == .each, !addresses.isEmpty else { return }
        let before = resolved[target.label]?.addresses ?? []
        guard Set(before) != Set(addresses) else { return }
        let first = states.first { $0.isProbed && $0.target.withoutRow.label == target.label }
        guard first?.id == states[position].id else { return }
        let added = addresses.filter { !before.contains($0) }
        let removed = before.filter { !addresses.contains($0) }
        resolved[target.label] = ResolvedTarget(target: target, addresses: addresses)
        let replaced = Dictionary(
            zip(added, removed).map { (target.row(at: $0).label, target.row(at: $1).label) },
            uniquingKeysWith: { first, _ in first }
        )
        let change = apply(currentSettings, replacing: replaced, at: time)
        consequences.append(change)
        // The probe that resolved the name is the first probe of at most one row.
        let begun = change.requests.flatMap { request -> [Target.ID] in
            if case .watch(let assignments) = request { assignments.map(\.id) } else { [] }
        }
        if !begun.isEmpty { consequences.requests.append(.now(begun)) }
        guard !before.isEmpty else { return }
        for index in 0..<max(added.count, removed.count) {
            let old = index < removed.count ? removed[index] : before.first(where: addresses.contains) ?? before[0]
            let new = index < added.count ? added[index] : addresses[0]
            let label = target.row(at: new).label
            guard let row = states.firstIndex(where: { $0.target.label == label }), states[row].isProbed
            else { continue }
            states[row].address = new
            remember(row, at: time)
            consequences.report(.addressChanged(from: old, to: new), of: [states[row].id], at: time)
            fireAddressHooks(of: row, from: old, to: new, at: time, into: &consequences)
        }
    }
}

extension Target {
    /// The row for one address of the target.
    fileprivate func row(at address: String) -> Target {
        var target = self
        target.addresses = .only(address)
        return target
    }

    /// The target of the settings that a row belongs to.
    var withoutRow: Target {
        guard case .only = addresses else { return self }
        var target = self
        target.addresses = .each
        return target
    }
}

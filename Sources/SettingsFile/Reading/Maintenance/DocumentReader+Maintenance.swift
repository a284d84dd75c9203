import Monitoring

extension DocumentReader {
    /// Reads the windows of planned work from all files, and compares their names with the targets.
    mutating func readMaintenance(into settings: inout Settings) {
        var zones = ZoneCache()
        var drafts: [MaintenanceDraft] = []
        for table in maintenanceTables() {
            var table = table
            drafts.append(table.maintenance(&zones))
        }
        settings.maintenance = drafts.compactMap(\.window)
        guard drafts.contains(where: { !$0.names.allSatisfy(\.elements.isEmpty) }) else { return }
        var known: [String: Set<String>] = [:]
        for target in settings.targets {
            known["targets", default: []].insert(target.name)
            if let group = target.group { known["groups", default: []].insert(group) }
            known["tags", default: []].formUnion(target.tags)
        }
        // Those of disabled targets are valid too.
        known["targets", default: []].formUnion(disabledTargets)
        known["groups", default: []].formUnion(groups.keys)
        for draft in drafts { draft.check(against: known) }
    }
}

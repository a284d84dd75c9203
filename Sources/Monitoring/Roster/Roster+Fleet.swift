/// Targets that are read from servers, beside those of the settings.
extension Roster {
    /// Records what was read about the fleet. The targets of the settings stay as they are.
    package mutating func record(_ update: FleetUpdate, at now: Duration) -> Consequences {
        var consequences = Consequences()
        if let targets = update.targets, targets != fleet {
            fleet = targets
            var settings = currentSettings
            settings.targets = settings.targets.filter(\.question.method.probes)
            consequences = apply(settings, at: now)
        }
        if fleetEdition != edition { consequences.fleetNames = findFleet() }
        var findings: [Finding] = []
        for (name, reports) in update.earlier.sorted(by: { $0.key < $1.key }) {
            if let id = fleetIDs[name] { findings.append(.vantageReports(id, reports, at: now)) }
        }
        for (name, reports) in update.reports.sorted(by: { $0.key < $1.key }) {
            if let id = fleetIDs[name] { findings.append(.vantageReports(id, reports, at: now)) }
        }
        for (name, time) in update.reporting.sorted(by: { $0.key < $1.key }) {
            findings.append(.vantagePointsReporting([name], at: time))
        }
        if !findings.isEmpty { consequences.append(record(findings)) }
        return consequences
    }

    /// Finds the targets of the fleet.
    ///
    /// - Returns: the names of new ones.
    private mutating func findFleet() -> [Target.ID: String] {
        let before = fleetIDs
        var new: [Target.ID: String] = [:]
        fleetEdition = edition
        fleetIDs = [:]
        for state in states where !state.target.question.method.probes {
            fleetIDs[state.target.name] = state.id
            if before[state.target.name] != state.id { new[state.id] = state.target.label }
        }
        return new
    }
}

extension Consequences {
    /// Appends later consequences.
    fileprivate mutating func append(_ later: Consequences) {
        events += later.events
        requests += later.requests
        removed += later.removed
        runs += later.runs
        observations += later.observations
        fleetNames.merge(later.fleetNames) { $1 }
    }
}

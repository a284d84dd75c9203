public import Monitoring

/// What is counted of every target since the start, for `GET /metrics`: a fold of what happens. The owner of the roster
/// owns it too, and hands it what it hands the roster.
public struct Metrics: Sendable {
    private var tallies: [Target.ID: Tally] = [:]

    /// Nothing counted yet.
    public init() {}

    /// Takes over the targets that the roster has after new settings: the series of new ones begin, those of removed ones
    /// end. Labels have no secrets in them.
    public mutating func apply(_ roster: Roster, redaction: Redaction = Redaction()) {
        let before = tallies
        tallies = Dictionary(minimumCapacity: roster.standings.count)
        for standing in roster.standings {
            let labels = standing.target.metricLabels(redaction)
            tallies[standing.id] = before[standing.id] ?? Tally(labels: labels)
            tallies[standing.id]?.labels = labels
        }
    }

    /// Counts findings that the roster is about to record. What it will not judge, since it is nobody's, is not counted.
    public mutating func record(_ findings: [Finding], of roster: Roster) {
        for case .observation(let observation) in findings where roster.judges(observation) {
            tallies[observation.target]?.record(observation)
        }
    }

    /// Counts what followed.
    public mutating func record(_ events: [RosterEvent]) {
        for case .transition(let id, let transition) in events {
            tallies[id]?.record(transition)
        }
    }

    /// Counts a hook run that has ended or will not be. Its attempts are one run.
    public mutating func record(_ report: HookReport) {
        let status: Tally.HookSeries.Status
        switch report {
        case .started, .retrying: return
        case .finished(_, let result): status = result.isSuccess ? .success : .failure
        case .dropped: status = .dropped
        }
        let event = report.run.occasion.event
        tallies[report.run.target]?.record(Tally.HookSeries(event: event, status: status))
    }

    /// All that there is to write at this moment, to be handed to whoever writes it.
    ///
    /// - Parameter wall: the wall time of the program's start, as the clock has it now.
    public func exposition(of roster: Roster, version: String, wall: WallTime) -> Exposition {
        let rows = roster.standings.compactMap { standing in
            tallies[standing.id].map { Exposition.Row(standing, $0, wall: wall) }
        }
        return Exposition(rows: rows, version: version)
    }
}

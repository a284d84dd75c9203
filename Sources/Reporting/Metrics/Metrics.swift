public import Monitoring

/// The counters of all targets since the start, for `GET /metrics`. The owner of the roster also owns this value and passes
/// it the same findings and events.
public struct Metrics: Sendable {
    private var tallies: [Target.ID: Tally] = [:]
    private var bounds = RoundTripBuckets.Bounds(Settings.standardBuckets)

    /// Metrics with nothing counted.
    public init() {}

    /// Applies new settings: begins the series of new targets and ends those of removed ones. Labels contain no secrets.
    public mutating func apply(_ roster: Roster, redaction: Redaction = Redaction()) {
        let before = tallies
        tallies = Dictionary(minimumCapacity: roster.states.count)
        // Of the fleet, the vantage points have series themselves.
        for state in roster.states where state.target.question.method.probes && !state.target.isOfOtherShard {
            let labels = state.target.metricLabels(redaction)
            let information = state.target.informationLabels(redaction)
            var tally = before[state.id] ?? Tally(labels: labels, information: information, bounds: bounds)
            (tally.labels, tally.information) = (labels, information)
            tally.group = (redaction.group(of: state.target) ?? "").labelValue
            tallies[state.id] = tally
        }
    }

    /// Sets the upper bounds of the histograms. If they change, all histograms begin again, as after a restart.
    public mutating func setBuckets(_ buckets: [Duration]) {
        guard buckets != bounds.durations else { return }
        bounds = RoundTripBuckets.Bounds(buckets)
        for id in tallies.keys { tallies[id]?.setBounds(bounds) }
    }

    /// Counts findings, before the roster records them. Findings that the roster ignores are not counted.
    public mutating func record(_ findings: [Finding], of roster: Roster) {
        for case .observation(let observation) in findings where roster.judges(observation) {
            tallies[observation.target]?.record(observation)
        }
    }

    /// Counts the transitions and the skipped hooks among events.
    public mutating func record(_ events: [RosterEvent]) {
        for event in events {
            switch event {
            case .transition(let id, let transition): tallies[id]?.record(transition)
            case .hookSkipped(let id, _, let drop): tallies[id]?.record(drop)
            default: break
            }
        }
    }

    /// Counts a hook run that has ended or was dropped. All attempts are one run.
    public mutating func record(_ report: HookReport) {
        let status: Tally.HookSeries.Status
        switch report {
        case .started, .retrying: return
        case .finished(_, let result): status = result.isSuccess ? .success : .failure
        case .dropped(_, let drop):
            status = .dropped
            tallies[report.run.target]?.record(drop)
        }
        let event = report.run.context.event
        tallies[report.run.target]?.record(Tally.HookSeries(event: event, status: status))
    }

    /// A snapshot of all metrics.
    ///
    /// - Parameters:
    ///   - wall: the wall time of the program's start, by the present clock.
    ///   - detail: how many series each target has; by the number of targets by default.
    public func exposition(
        of roster: Roster,
        program: ProgramFigures,
        wall: WallTime,
        detail: MetricsDetail? = nil
    ) -> Exposition {
        let detail = detail ?? MetricsDetail(targets: roster.states.count)
        let rows = roster.states.compactMap { state in
            tallies[state.id].map { Exposition.Row(state, $0, wall: wall, detail: detail) }
        }
        var program = program
        program.schedule = roster.schedule
        return Exposition(rows: rows, program: program, detail: detail)
    }
}

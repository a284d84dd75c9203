public import ReachMonitoring

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
            switch event.kind {
            case .transition(let transition): for id in event.targets { tallies[id]?.record(transition) }
            case .hookSkipped(_, let drop): for id in event.targets { tallies[id]?.record(drop) }
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
            tallies[state.id].map {
                Exposition.Row(state, $0, level: roster.level(of: state.id), wall: wall, detail: detail)
            }
        }
        var program = program
        program.schedule = roster.schedule
        return Exposition(rows: rows, program: program, detail: detail)
    }
}

/// How many series each target has in `/metrics`.
public enum MetricsDetail: String, Sendable, Hashable, CaseIterable {
    /// All series, with a histogram of round trips: about 40 for each target.
    case histograms
    /// All series, with percentiles of the last 100 round trips in place of the histogram: about 25 for each target.
    case summary
    /// At most nine series for each target: whether it answers, round trip, loss, and what else it is.
    case basic

    /// The largest number of targets that have histograms by default.
    public static let targetsWithHistograms = 1_000

    /// The detail for a number of targets, if the user has not chosen one.
    public init(targets: Int) {
        self = targets > Self.targetsWithHistograms ? .basic : .histograms
    }
}

/// Figures of the program itself: its settings, and its process by the names of Prometheus's client libraries
/// (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics).
public struct ProgramFigures: Sendable, Hashable {
    /// The version of the program.
    public var version: String
    /// The commit that the program was built from, if it is known.
    public var revision: String?
    /// Whether the settings were valid when they were read last; the old ones stay in use otherwise.
    public var areSettingsValid = true
    /// How the probers keep the schedule.
    public var schedule = ScheduleState()
    /// When valid settings were read last, as the time since 1970.
    public var settingsTime: Duration
    /// When the program started, as the time since 1970.
    public var startTime: Duration
    /// The sources of targets; empty without any.
    public var sources: [SourceFigures] = []
    /// Whether there are modules for probes on request.
    public var hasModules = false
    /// The processor time used so far, of user and system.
    public var processorTime: Duration?
    /// The resident memory in bytes.
    public var residentMemory: Int?
    /// The virtual memory in bytes.
    public var virtualMemory: Int?
    /// The number of open file descriptors.
    public var openDescriptors: Int?
    /// The maximum number of open file descriptors.
    public var maximumDescriptors: Int?

    /// Figures of a program that has just started with valid settings. What the system does not report stays nil.
    public init(version: String, startTime: Duration) {
        self.version = version
        self.startTime = startTime
        settingsTime = startTime
    }
}

/// Figures of a source of targets.
public struct SourceFigures: Sendable, Hashable {
    /// The key of the settings that the source is written with.
    let type: String
    /// The name, without secrets.
    let name: String
    /// Whether the last refresh was successful.
    let isSuccessful: Bool
    /// When the last good list was read, as the time since 1970; nil before the first one.
    let lastSuccess: Duration?
    /// The number of targets in the last good list.
    let targets: Int

    /// Creates the figures of a source.
    public init(type: String, name: String, isSuccessful: Bool, lastSuccess: Duration?, targets: Int) {
        (self.type, self.name, self.isSuccessful) = (type, name, isSuccessful)
        (self.lastSuccess, self.targets) = (lastSuccess, targets)
    }
}

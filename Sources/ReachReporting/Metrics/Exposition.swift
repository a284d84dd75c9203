import ReachMonitoring

/// A snapshot of all metrics. Another task can write it while counting goes on.
public struct Exposition: Sendable {
    let rows: [Row]
    let program: ProgramFigures
    let detail: MetricsDetail

    /// The metrics of one target.
    struct Row: Sendable {
        let tally: Tally
        let health: Health
        let isBlocked: Bool
        let isPaused: Bool
        let isFlapping: Bool
        let isInMaintenance: Bool
        /// When the failure began of a target that is down or degraded, as the time since 1970.
        let failingSince: Duration?
        /// Why the target is down or degraded; nil for other targets.
        let failureReason: String?
        /// When the newest probe ended, as the time since 1970.
        let lastProbe: Duration?
        /// The events that the target's hooks are for, or have run for.
        let hookEvents: [HookEvent]
        let hasRoundTrips: Bool
        /// The newest round trip; nil while the target is down.
        let lastRoundTrip: Duration?
        /// Percentiles of the last round trips, by quantile; empty unless the detail is a summary.
        let quantiles: [(label: String, value: Duration)]
        let phases: [Reply.PhaseTime]
        let certificateExpiry: Int64?
        /// The HTTP status of the newest probe; 0 if it had none, and while the target is down.
        let httpStatus: Int?
        /// The number of hops of the path when it last reached the target; nil before.
        let pathHops: Int?
        /// The hop at which the path ended in the newest trace; nil before the first.
        let pathEnd: Int?
        /// The number of changes of the path; nil if it is not traced.
        let pathChanges: Int?
        /// The usual round trip at present; nil if it is not known.
        let level: Duration?
        /// When the newest change of the usual round trip or loss began, as the time since 1970; nil without one.
        let lastShift: Duration?

        /// The quantiles of a summary, and their percentiles.
        private static let percentiles = [("0.5", 50), ("0.95", 95), ("1.0", 100)]

        init(_ state: TargetState, _ tally: Tally, level: Duration?, wall: WallTime, detail: MetricsDetail) {
            (self.tally, self.level) = (tally, level)
            lastShift = [state.levelShift?.began, state.lossShift?.began].compactMap(\.self).max().map {
                wall.start + $0
            }
            health = state.health
            isBlocked = state.isBlocked
            isPaused = state.isPaused
            isFlapping = state.isFlapping
            isInMaintenance = state.isInMaintenance
            let isFailing = !isBlocked && !isPaused && (health == .down || health == .degraded)
            failingSince = isFailing ? wall.start + state.since : nil
            failureReason = state.failureReason
            lastProbe = tally.lastProbe.map { wall.start + $0 }
            let traced = state.tracedPath
            pathHops = traced.flatMap { ($0.end.isReached ? $0.hops : $0.before).nonEmpty?.count }
            pathEnd = traced.map { $0.end.hop ?? 0 }
            pathChanges = state.target.path == nil ? nil : state.pathChanges
            let counted = Set(tally.hookRuns.keys.map(\.event))
            let awaited = state.target.hooks.reduce(into: counted) { $0.formUnion($1.events) }
            hookEvents = awaited.isEmpty ? [] : HookEvent.allCases.filter(awaited.contains)
            hasRoundTrips = !state.target.question.method.isLocal
            let reply = state.health == .down ? nil : state.lastReply
            lastRoundTrip = reply?.roundTrip
            phases = reply?.phases ?? []
            let statistics = detail == .summary && hasRoundTrips ? state.statistics : nil
            quantiles = Self.percentiles.compactMap { label, percent in
                (statistics?.percentile(percent)).map { (label, $0) }
            }
            certificateExpiry = tally.certificateExpiry ?? state.lastReply?.certificateExpiry
            let isHTTP = [Method.http, .https].contains(state.target.question.method)
            let newest = tally.httpStatus ?? (isHTTP && tally.lastProbe != nil ? 0 : nil)
            httpStatus = newest.map { state.health == .down ? 0 : $0 }
        }
    }

    /// The snapshot in a text format.
    public func text(in format: MetricsFormat) -> ExpositionText {
        ExpositionText(self, in: format)
    }
}

/// The text of an exposition as a sequence of parts of bounded size. The text of ten thousand targets (30 MB with
/// histograms) is never in memory as a whole.
public struct ExpositionText: Sequence, IteratorProtocol, Sendable {
    private let exposition: Exposition
    private let format: MetricsFormat
    private var families: ArraySlice<MetricFamily>
    private var row = 0
    private var hasEnded = false

    /// The number of targets in a part.
    private static let rowsInPart = 100

    init(_ exposition: Exposition, in format: MetricsFormat) {
        self.exposition = exposition
        self.format = format
        families =
            MetricFamily.all(in: exposition.detail).filter { family in
                (!family.isOfSources || !exposition.program.sources.isEmpty)
                    && (!family.isOfModules || exposition.program.hasModules)
            }[...]
    }

    /// The next part; nil after the last.
    public mutating func next() -> String? {
        guard let family = families.first else {
            guard !hasEnded, format == .openMetrics else { return nil }
            hasEnded = true
            return "# EOF\n"
        }
        var samples = Samples(of: family, in: exposition.detail)
        if row == 0 {
            samples.text += family.header(format, in: exposition.detail)
            samples.add(exposition.program)
            if family == .targets { samples.addGroups(of: exposition.rows) }
        }
        if family.isOfTargets {
            for row in exposition.rows.dropFirst(row).prefix(Self.rowsInPart) { samples.add(row) }
            row += Self.rowsInPart
        }
        if !family.isOfTargets || row >= exposition.rows.count {
            row = 0
            families.removeFirst()
        }
        return samples.text
    }
}

/// A text format for metrics.
public enum MetricsFormat: Sendable, Hashable, CaseIterable {
    /// Prometheus's text format, version 0.0.4
    /// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
    case text
    /// OpenMetrics, version 1.0.0
    /// (https://github.com/prometheus/OpenMetrics/blob/v1.0.0/specification/OpenMetrics.md).
    case openMetrics

    /// The value of `Content-Type`.
    public var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// The format that a client prefers (RFC 9110 §12.5.1): OpenMetrics if `Accept` gives a supported version of it at least
    /// the weight of plain text, plain text otherwise.
    ///
    /// - Parameter accept: the value of `Accept`; nil if the request has none.
    public init(accepting accept: String?) {
        var weights: [Self: Double] = [:]
        for range in (accept ?? "").split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            let parameters = parts.dropFirst().map { $0.split(separator: "=", maxSplits: 1) }.filter { $0.count == 2 }
            let value = { (name: String) in parameters.first { $0[0] == name }.map { $0[1].filter { $0 != "\"" } } }
            let weight = value("q").map { Double($0) ?? 0 } ?? 1
            switch parts.first {
            case "application/openmetrics-text":
                guard ["1.0.0", "0.0.1", nil].contains(value("version")) else { continue }
                weights[.openMetrics] = max(weights[.openMetrics] ?? 0, weight)
            case "text/plain", "text/*", "*/*":
                weights[.text] = max(weights[.text] ?? 0, weight)
            default:
                continue
            }
        }
        let weight = weights[.openMetrics] ?? 0
        self = weight > 0 && weight >= weights[.text] ?? 0 ? .openMetrics : .text
    }
}

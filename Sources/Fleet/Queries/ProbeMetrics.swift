import Monitoring

/// The metrics of a server that say whether targets answer, and the queries about them.
struct ProbeMetrics: Sendable, Hashable {
    /// What exports the metrics.
    enum Exporter: String, Sendable, Hashable, CaseIterable {
        /// `reach watch --listen`.
        case reach
        /// blackbox_exporter, or an exporter with its metric names.
        case blackbox
        /// smokeping_prober (https://github.com/SuperQ/smokeping_prober).
        case smokeping
        /// Prometheus itself: whether it could scrape a target.
        case scrapes = "up"
        /// The expression of the settings.
        case expression
    }

    let exporter: Exporter
    /// The labels with the names of the target, its group and its vantage point. The last is nil if all results are
    /// from one vantage point.
    let targetLabel: String
    let groupLabel: String
    let vantageLabel: String?
    private let probes: ProbeExpression
    private let roundTrips: ProbeExpression?
    /// The age from which samples are left out, in seconds.
    private let staleAfter: Double
    /// Whether the vantage points export failing targets and counts as series of their own.
    private let hasSummaries: Bool

    /// The label that marks the round trips of a result.
    static let partLabel = "reach_part"
    /// The most series of failing targets.
    static let failingLimit = 5_000

    /// Chooses the metrics; nil if the server has none that are known.
    ///
    /// - Parameters:
    ///   - names: the names of the metrics of the server.
    ///   - labels: the names of its labels.
    init?(names: Set<String>, labels: Set<String>, settings: PrometheusSettings) {
        let exporter: Exporter
        if settings.probes != nil {
            exporter = .expression
        } else if names.contains("reach_up") {
            exporter = .reach
        } else if names.contains("probe_success") {
            exporter = .blackbox
        } else if names.contains("smokeping_response_duration_seconds_count") {
            exporter = .smokeping
        } else if names.contains("up") {
            exporter = .scrapes
        } else {
            return nil
        }
        self.exporter = exporter
        let isReach = exporter == .reach
        targetLabel = settings.targetLabel ?? (isReach ? "target" : exporter == .smokeping ? "host" : "instance")
        groupLabel = settings.groupLabel ?? (isReach ? "group" : "job")
        // The instance is the prober where a prober has several targets.
        let prober = isReach || exporter == .smokeping ? "instance" : nil
        vantageLabel = settings.vantageLabel ?? (labels.contains("vantage") ? "vantage" : prober)
        let rate = { (suffix: String) in "rate(smokeping_response_duration_seconds_\(suffix){$matchers}[1m])" }
        switch exporter {
        case .reach:
            probes = ProbeExpression(template: "reach_up{$matchers}")
            roundTrips = ProbeExpression(template: "reach_last_round_trip_seconds{$matchers}")
        case .blackbox:
            probes = ProbeExpression(template: "probe_success{$matchers}")
            roundTrips = ProbeExpression(template: "probe_duration_seconds{$matchers}")
        case .smokeping:
            probes = ProbeExpression(template: "\(rate("count")) > bool 0")
            roundTrips = ProbeExpression(template: "\(rate("sum")) / \(rate("count"))")
        case .scrapes:
            probes = ProbeExpression(template: "up{$matchers}")
            roundTrips = ProbeExpression(template: "scrape_duration_seconds{$matchers}")
        case .expression:
            probes = ProbeExpression(settings.probes ?? "")
            roundTrips = settings.roundTrips.map { ProbeExpression($0) }
        }
        staleAfter = settings.staleAfter.inSeconds
        hasSummaries = isReach && names.contains("reach_targets")
    }

    /// The expression for a question about the past; nil if the server has no such values.
    func expression(for question: RangeQuestion) -> String? {
        switch question.values {
        case .shares: probes.mean(where: targetLabel, is: question.target, step: question.span.step)
        case .probes: probes.text(where: targetLabel, isOneOf: [question.target])
        case .roundTrips: roundTrips?.text(where: targetLabel, isOneOf: [question.target])
        }
    }

    /// The labels by which counts and times are grouped.
    private var vantageList: String { vantageLabel ?? "" }

    /// When each vantage point reported last, by the clock of the server.
    var reports: String { "max by (\(vantageList)) (\(reportTimes))" }

    /// The same of the last hour, to the minute, with the vantage points that have ended since.
    var earlierReports: String { "max by (\(vantageList)) (max_over_time(\(reportTimes)[1h:1m]))" }

    // The labels that no expression keeps are left out, so that the server adds up few series.
    private var reportTimes: String {
        exporter == .reach ? "timestamp(reach_build_info)" : "timestamp((\(probes.text)))"
    }

    /// The number of targets of each group, by vantage point.
    var counts: String {
        let labels = [groupLabel, vantageLabel].compactMap(\.self).joined(separator: ", ")
        return hasSummaries ? "sum by (\(labels)) (reach_targets)" : "count by (\(labels)) (\(probes.text))"
    }

    /// The failing targets by vantage point. The values are the times since when, or zero if that is not known.
    var failing: String {
        hasSummaries
            ? "topk(\(Self.failingLimit), reach_failing_since_timestamp_seconds)"
            : "topk(\(Self.failingLimit), (\(probes.text)) == 0)"
    }

    /// Whether the values of ``failing`` are times.
    var hasFailureTimes: Bool { hasSummaries }

    /// When targets succeeded last within a window or, negative, the time of the first sample of those that did not.
    func outageStarts(of targets: [String], in window: OutageSearch.Window) -> String {
        let probes = probes.text(where: targetLabel, isOneOf: targets)
        return "max_over_time(timestamp((\(probes)) > 0)\(window.range))"
            + " or -min_over_time(timestamp(\(probes))\(window.range))"
    }

    /// Probes and round trips of all targets.
    var rows: String { joined(fresh(probes.text), roundTrips?.text) }

    /// Probes and round trips of some targets.
    func rows(of targets: [String]) -> String {
        joined(
            fresh(probes.text(where: targetLabel, isOneOf: targets)),
            roundTrips?.text(where: targetLabel, isOneOf: targets)
        )
    }

    /// Probes and round trips of a group.
    func rows(ofGroup group: String) -> String {
        joined(
            fresh(probes.text(where: groupLabel, isOneOf: [group])),
            roundTrips?.text(where: groupLabel, isOneOf: [group])
        )
    }

    /// Probes and round trips of a vantage point; nil without a label for it.
    func rows(ofVantagePoint name: String) -> String? {
        vantageLabel.map { label in
            joined(fresh(probes.text(where: label, isOneOf: [name])), roundTrips?.text(where: label, isOneOf: [name]))
        }
    }

    // MARK: Results

    /// The vantage point of a series; nil without a label for it.
    func vantagePoint(of sample: MetricSample) -> String? {
        vantageLabel.flatMap { sample.label($0) }
    }

    /// The number of targets by group, of the vantage point that has the most. Those of different vantage points are
    /// mostly the same, so they are not added up.
    func groupSizes(of result: QueryResult) -> [String: Int] {
        var counts: [String: [String: Double]] = [:]
        for sample in result.samples where sample.value.isFinite && sample.value >= 0 {
            counts[sample.label(groupLabel) ?? "", default: [:]][vantagePoint(of: sample) ?? "", default: 0] +=
                sample.value
        }
        return counts.mapValues { Int(min(1e9, $0.values.max() ?? 0)) }
    }

    /// The probes whose newest sample is not stale. A server looks back for five minutes, also where the series of a target
    /// has ended, but has no marker of that, since its samples have explicit timestamps. Other expressions than selectors
    /// have no times of samples.
    private func fresh(_ text: String) -> String {
        probes.isSelector ? "\(text) and timestamp(\(text)) > time() - \(staleAfter)" : text
    }

    private func joined(_ probes: String, _ roundTrips: String?) -> String {
        guard let roundTrips else { return probes }
        // `or` ignores the name of the metric, and would drop round trips with the labels of a probe.
        return "(\(probes)) or label_replace(\(roundTrips), \"\(Self.partLabel)\", \"round_trip\", \"\", \"\")"
    }
}

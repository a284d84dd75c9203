import ReachBasics
import ReachMonitoring

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

    /// Which vantage points export summaries: failing targets, counts and the build info, as series of their own beside
    /// those of each target. `reach watch --listen` does.
    enum Summaries: Sendable, Hashable {
        case none, some, all
    }

    let exporter: Exporter
    /// Of which vantage points there are summaries: all, until ``summaryCheck`` is answered.
    private(set) var summaries: Summaries
    /// The labels with the names of the target, its group and its vantage point. The last is nil if all results are
    /// from one vantage point.
    let targetLabel: String
    let groupLabel: String
    let vantageLabel: String?
    private let probes: ProbeExpression
    private let roundTrips: ProbeExpression?
    /// The age from which samples are left out, in seconds.
    private let staleAfter: Double

    /// The label that marks the round trips of a result.
    static let partLabel = "reach_part"
    private static let failingSince = ProbeExpression(template: "reach_failing_since_timestamp_seconds{$matchers}")
    private static let summaryNames: Set = ["reach_build_info", "reach_targets"]

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
        summaries = isReach && names.isSuperset(of: Self.summaryNames) ? .all : .none
    }

    /// The same metrics where some vantage points export no summaries, or all do.
    func mixed(_ isMixed: Bool) -> ProbeMetrics {
        var metrics = self
        if summaries != .none { metrics.summaries = isMixed ? .some : .all }
        return metrics
    }

    /// The query for the vantage points without summaries; nil if none exports them.
    var summaryCheck: String? {
        guard summaries != .none else { return nil }
        let lists = Self.summaryNames.sorted().map { "count by (\(vantageList)) (\($0))" }
        return "count by (\(vantageList)) (\(probes.text)) unless (\(lists.joined(separator: " and ")))"
    }

    /// The expression of a range query; nil if the server has no such values.
    func expression(for range: RangeQuery) -> String? {
        switch range.values {
        case .shares: probes.mean(where: targetLabel, is: range.target, step: range.span.step)
        case .probes: probes.text(where: targetLabel, isOneOf: [range.target])
        case .roundTrips: roundTrips?.text(where: targetLabel, isOneOf: [range.target])
        }
    }

    /// The labels by which counts and times are grouped.
    private var vantageList: String { vantageLabel ?? "" }

    /// When each vantage point reported last, by the clock of the server.
    var reports: String { "max by (\(vantageList)) (\(reportTimes))" }

    /// The same over the last hour in steps of a minute, including vantage points that have stopped reporting.
    var earlierReports: String { "max by (\(vantageList)) (max_over_time(\(reportTimes)[1h:1m]))" }

    // `reach_build_info` has one series for each vantage point, so that the server aggregates few.
    private var reportTimes: String {
        summaries == .all ? "timestamp(reach_build_info)" : "timestamp((\(probes.text)))"
    }

    /// The number of targets of each group, by vantage point.
    var counts: String {
        let labels = [groupLabel, vantageLabel].compactMap(\.self).joined(separator: ", ")
        return summaries == .all ? "sum by (\(labels)) (reach_targets)" : "count by (\(labels)) (\(probes.text))"
    }

    /// The failing targets by vantage point. The values are the times since when they fail, or zero where that is unknown. A
    /// target may have both.
    ///
    /// - Parameter name: the vantage point; nil for all. It is empty for series without the label.
    func failing(ofVantagePoint name: String? = nil) -> String {
        let matcher = vantageLabel.flatMap { label in name.map { (label, [$0]) } }
        let text = { (series: ProbeExpression) in
            matcher.map { series.text(where: $0.0, isOneOf: $0.1) } ?? series.text
        }
        return switch summaries {
        case .none: "(\(text(probes))) == 0"
        case .some: "\(text(Self.failingSince)) or ((\(text(probes))) == 0)"
        case .all: text(Self.failingSince)
        }
    }

    /// Whether the values of ``failing(ofVantagePoint:)`` are times, of all vantage points.
    var hasFailureTimes: Bool { summaries == .all }

    /// The times of the last success of targets in a window; without one, the negated time of the first sample.
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
    func vantagePoint(of series: MetricSeries) -> String? {
        vantageLabel.flatMap { series.label($0) }
    }

    /// The number of targets by group, of the vantage point that has the most. Those of different vantage points are
    /// mostly the same, so they are not added up.
    func groupSizes(of result: QueryResult) -> [String: Int] {
        var counts: [String: [String: Double]] = [:]
        for series in result.series where series.value.isFinite && series.value >= 0 {
            counts[series.label(groupLabel) ?? "", default: [:]][vantagePoint(of: series) ?? "", default: 0] +=
                series.value
        }
        return counts.mapValues { Int(min(1e9, $0.values.max() ?? 0)) }
    }

    /// Excludes probes whose newest sample is stale. A server looks back for five minutes, even after the end of a series
    /// whose samples have explicit timestamps, since it has no staleness marker. Only selectors have times of samples.
    private func fresh(_ text: String) -> String {
        probes.isSelector ? "\(text) and timestamp(\(text)) > time() - \(staleAfter)" : text
    }

    private func joined(_ probes: String, _ roundTrips: String?) -> String {
        guard let roundTrips else { return probes }
        // `or` ignores the name of the metric, and would drop round trips with the labels of a probe.
        return "(\(probes)) or label_replace(\(roundTrips), \"\(Self.partLabel)\", \"round_trip\", \"\", \"\")"
    }
}

/// A PromQL expression with a value for each probe, which can be restricted to some of them.
struct ProbeExpression: Sendable, Hashable {
    /// The place of the matchers in a template: `rate(requests{$matchers}[1m])`.
    static let placeholder = "$matchers"

    /// The expression, with placeholders if the matchers can be part of it.
    private let template: String

    /// Whether it is a selector, whose values over a time can be aggregated without a subquery.
    var isSelector: Bool {
        (template.hasSuffix("{\(Self.placeholder)}") || template.hasSuffix(",\(Self.placeholder)}"))
            && PromQL.isName(template.prefix { $0 != "{" })
    }

    /// An expression with placeholders.
    init(template: String) {
        self.template = template
    }

    /// An expression of the settings. The matchers become part of a selector such as `probe_success{job="web"}`.
    init(_ text: String) {
        let text = text.trimmed
        let name = text.prefix { $0 != "{" }
        guard PromQL.isName(name.trimmed[...]) else {
            template = text
            return
        }
        let rest = text.dropFirst(name.count)
        if rest.isEmpty {
            template = "\(name.trimmed){\(Self.placeholder)}"
        } else if let matchers = Self.matchers(rest) {
            let separator = matchers.isEmpty || matchers.hasSuffix(",") ? "" : ","
            template = "\(name.trimmed){\(matchers)\(separator)\(Self.placeholder)}"
        } else {
            template = text
        }
    }

    /// The matchers of `{…}`, if the braces are the first and the last character; nil otherwise.
    private static func matchers(_ text: Substring) -> String? {
        guard text.first == "{", text.last == "}" else { return nil }
        let inner = text.dropFirst().dropLast()
        var quote: Character?
        var isEscaped = false
        for character in inner {
            if isEscaped {
                isEscaped = false
            } else if let open = quote {
                if character == "\\", open != "`" { isEscaped = true }
                if character == open { quote = nil }
            } else if "\"'`".contains(character) {
                quote = character
            } else if "{}".contains(character) {
                return nil
            }
        }
        return quote == nil ? String(inner).trimmed : nil
    }

    /// The expression for all probes.
    var text: String { filled("") }

    /// The expression for the probes whose label has one of these values.
    func text(where label: String, isOneOf values: [String]) -> String {
        if template.contains(Self.placeholder) { return filled(PromQL.matcher(label, oneOf: values)) }
        // The server evaluates the whole expression, but returns only these.
        let wanted = values.map {
            "label_replace(vector(1), \"\(label)\", \(PromQL.quoted(Self.literal($0))), \"\", \"\")"
        }
        return "(\(template)) and on (\(label)) (\(wanted.joined(separator: " or ")))"
    }

    /// The mean values over steps, for the probes whose label has a value.
    func mean(where label: String, is value: String, step: Int64) -> String {
        let text = text(where: label, isOneOf: [value])
        // A subquery evaluates the expression once a minute.
        return isSelector ? "avg_over_time(\(text)[\(step)s])" : "avg_over_time((\(text))[\(step)s:60s])"
    }

    /// A text as the replacement of `label_replace`, where a dollar sign begins a group.
    private static func literal(_ text: String) -> String {
        text.replacing("$", with: "$$")
    }

    private func filled(_ matchers: String) -> String {
        template.replacing("," + Self.placeholder, with: matchers.isEmpty ? "" : "," + matchers)
            .replacing(Self.placeholder, with: matchers)
    }
}

/// Parts of PromQL expressions (https://prometheus.io/docs/prometheus/latest/querying/basics/).
enum PromQL {
    /// A text as a literal in double quotes.
    static func quoted(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += #"\""#
            case "\\": literal += #"\\"#
            case "\n": literal += #"\n"#
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// A matcher of one of several values. Only the characters that have a meaning in a regular expression (RE2) are
    /// escaped: Prometheus recognizes such an alternative of literals, and looks the values up in its index.
    static func matcher(_ label: String, oneOf values: [String]) -> String {
        if values.count == 1, let value = values.first { return "\(label)=\(quoted(value))" }
        return "\(label)=~\(quoted(values.map(escaped).joined(separator: "|")))"
    }

    private static func escaped(_ value: String) -> String {
        var pattern = ""
        for scalar in value.unicodeScalars {
            if #"\.+*?()|[]{}^$"#.unicodeScalars.contains(scalar) { pattern += "\\" }
            pattern.unicodeScalars.append(scalar)
        }
        return pattern
    }

    /// Whether a text is a name of a metric.
    static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !first.isASCIIDigit else { return false }
        return text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "_:".utf8.contains($0) }
    }
}

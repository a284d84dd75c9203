public import ReachMonitoring

/// The result of a check as one line for Nagios, Icinga and their relatives: the status, a text, and performance data
/// (Monitoring Plugins Development Guidelines, <https://www.monitoring-plugins.org/doc/guidelines.html>).
public struct PluginResult: Sendable, Hashable {
    /// The status of a service. The raw values are the exit statuses of plugins.
    public enum Status: Int32, Sendable, Hashable, CaseIterable {
        case ok = 0
        case warning = 1
        case critical = 2
        case unknown = 3

        /// The name at the beginning of the line.
        var name: String { "\(self)".uppercased() }
    }

    /// The worst status of the targets.
    public let status: Status
    /// The line, without a line end.
    public let line: String

    /// Creates the result of a check that could not begin, or did not end.
    public init(problem: String) {
        status = .unknown
        line = "\(status.name) - \(problem.plainForPlugins)"
    }

    /// Creates the result of a check: the state of one target, or the counts of several by health, the worst first.
    ///
    /// - Parameters:
    ///   - problems: What hides further targets, such as a list that cannot be read. They count as an unknown target.
    ///   - redaction: Removes secrets.
    public init(
        _ states: some Collection<TargetState>,
        problems: [String] = [],
        redaction: Redaction = .none
    ) {
        let found = Self.order.first { health in
            states.contains { $0.resultHealth == health } || health == .unknown && !problems.isEmpty
        }
        status = found.map(Status.init) ?? .unknown
        let text: String
        let others = problems.map { "; \(redaction.text($0))" }.joined()
        if states.count == 1, let state = states.first {
            let isSilent = state.isLosing && !state.health.isReachable || state.fault != nil
            let roundTrip = isSilent ? nil : state.meanRoundTrip.map { ", rta \($0.roundTripText)" }
            let loss = state.health.isReachable ? state.totals.loss.flatMap { $0 > 0 ? $0.percentText : nil } : nil
            let verb = state.health == .unknown ? "cannot be probed" : state.resultHealth.rawValue
            text =
                "\(redaction.label(of: state.target)) \(verb)\(state.note(redaction))\(roundTrip ?? "")"
                + (loss.map { ", loss \($0)" } ?? "")
        } else {
            text = Self.order.compactMap { Self.summary(of: states, $0, redaction) }.joined(separator: "; ")
        }
        let data = states.count == 1 ? [] : [Self.counts(of: states)]
        var labels: Set<String> = []
        let figures = states.compactMap { state in
            let label = redaction.label(of: state.target)
            return state.performanceData(name: states.count > 1 ? Self.label(label, in: &labels) : nil)
        }
        let performanceData = (data + figures).joined(separator: " ")
        let result = "\(status.name) - \((text + others).plainForPlugins)"
        line = performanceData.isEmpty ? result : "\(result) | \(performanceData)"
    }

    /// The healths from the worst to the best, as in the guidelines' `max_state_alt`: a warning is worse than unknown.
    private static let order: [Health] = [.down, .degraded, .unknown, .up]

    /// The most names of targets in one text.
    private static let maxNames = 5

    /// The number of targets with a health, with names and causes unless they are up; nil if there are none.
    private static func summary(
        of states: some Collection<TargetState>,
        _ health: Health,
        _ redaction: Redaction
    ) -> String? {
        let members = states.filter { $0.resultHealth == health }
        guard !members.isEmpty else { return nil }
        guard health != .up else { return "\(members.count) up" }
        let names = members.prefix(maxNames).map { redaction.label(of: $0.target) + $0.note(redaction) }
        let more = members.count > names.count ? " and \(members.count - names.count) more" : ""
        return "\(members.count) \(health.rawValue): \(names.joined(separator: ", "))\(more)"
    }

    /// The name of a target in labels, with a number if another target has the same one.
    private static func label(_ text: String, in labels: inout Set<String>) -> String {
        let name = text.pluginLabel
        var (label, number) = (name, 1)
        while !labels.insert(label).inserted {
            number += 1
            label = "\(name) \(number)"
        }
        return label
    }

    private static func counts(of states: some Collection<TargetState>) -> String {
        let counts = [Health.up, .degraded, .down, .unknown].map { health in
            "\(health.rawValue)=\(states.count { $0.resultHealth == health });;;0;\(states.count)"
        }
        return counts.joined(separator: " ")
    }
}

extension PluginResult.Status {
    /// The status of a target's health.
    fileprivate init(_ health: Health) {
        self =
            switch health {
            case .up: .ok
            case .degraded: .warning
            case .down: .critical
            case .unknown: .unknown
            }
    }
}

extension TargetState {
    fileprivate var meanRoundTrip: Duration? { statistics.mean }

    /// The health, with the limits of the performance data as thresholds: a target that is up is degraded when its mean
    /// round trip or its loss is over one.
    fileprivate var resultHealth: Health { health == .up && overLimits != nil ? .degraded : health }

    /// The figures that are over the limits of `slow` and `lossy`; nil if none is.
    private var overLimits: String? {
        var texts: [String] = []
        if let mean = meanRoundTrip, let limit = target.thresholds.slow, mean > limit {
            texts.append(Transition.slowDetail(of: mean, over: limit))
        }
        if let loss = totals.loss, let limit = target.thresholds.lossy, loss > limit {
            texts.append(Transition.lossyDetail(of: loss, over: limit))
        }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    /// The text beside the health, in parentheses.
    fileprivate func note(_ redaction: Redaction) -> String {
        let text = health == .up ? overLimits ?? resultRemark : resultRemark
        return text.map { " (\(redaction.text($0)))" } ?? ""
    }

    /// The round trip in milliseconds and the loss, with the limits of `slow` and `lossy` as warnings; nil without a
    /// finished probe. `U` is an unknown value.
    ///
    /// - Parameter name: The name of the target in labels; nil if they have none.
    fileprivate func performanceData(name: String?) -> String? {
        guard let loss = totals.loss else { return nil }
        let label = { (figure: String) in name.map { "'\($0) \(figure)'" } ?? figure }
        let milliseconds = { (time: Duration) in time.decimal(.milliseconds(1), places: 3) }
        var data: [String] = []
        // A reply of `link`, `route` and `exec` may have no round trip.
        if meanRoundTrip != nil || loss == 1 && !target.question.method.isLocal {
            let value = meanRoundTrip.map { "\(milliseconds($0))ms" } ?? "U"
            data.append("\(label("rta"))=\(value);\(target.thresholds.slow.map(milliseconds) ?? "");;0")
        }
        let limit = target.thresholds.lossy.map { Self.percent($0) } ?? ""
        data.append("\(label("pl"))=\(Self.percent(loss))%;\(limit);;0;100")
        return data.joined(separator: " ")
    }

    /// A share as a number of percent, without a fraction of zero.
    private static func percent(_ share: Double) -> String {
        let percent = (share * 10_000).rounded() / 100
        return percent == percent.rounded() ? String(Int(percent)) : String(percent)
    }
}

extension String {
    /// The text on one line, without the character that begins performance data.
    fileprivate var plainForPlugins: String {
        split(whereSeparator: \.isNewline).joined(separator: "; ").printable.replacing("|", with: "/")
    }

    /// The text in a quoted label: no equals sign, and quotes doubled.
    fileprivate var pluginLabel: String {
        plainForPlugins.replacing("=", with: "-").replacing("'", with: "''")
    }
}

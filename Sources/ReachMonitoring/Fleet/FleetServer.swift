/// The state of a server that is asked about the fleet.
public struct FleetServer: Sendable, Hashable {
    /// The name in the settings.
    public var name: String
    /// Why it does not answer as it should, as part of a sentence; nil if it does.
    public var problem: String?
    /// When the problem began, since the start of the program.
    public var problemSince: Duration?
    /// When it answered last, since the start of the program; nil if it never did.
    public var answered: Duration?
    /// How far its clock is ahead of that of this machine, if the difference matters.
    public var clockAhead: Duration?

    /// Creates the state before the first answer.
    public init(name: String) {
        self.name = name
    }

    /// The problem as a message, such as `prometheus:9090 for 40s: refused – values are 52s old`; nil without one.
    public func message(at now: Duration) -> String? {
        if let problem {
            let span = problemSince.map { " for \((now - $0).spanText)" } ?? ""
            let age = answered.map { " – values are \((now - $0).spanText) old" } ?? ""
            return "\(name)\(span): \(problem)\(age)"
        }
        guard let clockAhead else { return nil }
        let span = (clockAhead < .zero ? .zero - clockAhead : clockAhead).spanText
        return "\(name): its clock is \(span) \(clockAhead < .zero ? "behind" : "ahead of") ours – check NTP"
    }
}

/// What was read about the fleet since the last update.
public struct FleetUpdate: Sendable, Hashable {
    /// All targets of the fleet that are known by name, in order; nil if they are the same as before.
    public var targets: [Target]?
    /// What vantage points reported before their targets failed, by the names of targets that are new; it is recorded before
    /// ``reports``, so that a failure is a change.
    public var earlier: [String: [VantageReport]] = [:]
    /// The new reports by the names of the targets.
    public var reports: [String: [VantageReport]] = [:]
    /// The vantage points that still report, with the time, since the start of the program.
    public var reporting: [String: Duration] = [:]
    /// The number of targets by group that are only counted, since they do not fail and are not visible.
    public var counted: [String: Int] = [:]
    /// The health of these: `up`, or `unknown` while not all failing targets are known.
    public var countedHealth = Health.up
    /// The state of each server, in the order of the settings.
    public var servers: [FleetServer] = []

    /// An update without news.
    public init() {}

    /// Merges a later update that waits for the same consumer. Of the reports of a vantage point about a target, the newest
    /// one stays, so that the merged update is bounded.
    package mutating func merge(_ later: FleetUpdate) {
        targets = later.targets ?? targets
        earlier.merge(later.earlier) { first, _ in first }
        reports.merge(later.reports) { old, new in
            let renewed = Set(new.map(\.vantagePoint))
            return old.filter { !renewed.contains($0.vantagePoint) } + new
        }
        reporting.merge(later.reporting) { $1 }
        (counted, countedHealth, servers) = (later.counted, later.countedHealth, later.servers)
    }
}

/// Targets that are read from servers, beside those of the settings.
extension Roster {
    /// Applies a fleet update. The targets of the settings stay as they are.
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
        for reports in [update.earlier, update.reports] {
            for (name, reports) in reports.sorted(by: { $0.key < $1.key }) {
                if let id = fleetIDs[name] { findings.append(.vantageReports(id, reports, at: now)) }
            }
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

/// A target that other programs probe, and that is read from elsewhere, such as from a Prometheus. No prober probes it.
public struct FleetQuestion: Sendable, Hashable {
    /// What is probed, as the source calls it: a URL, a host and port, or any other text. It is one line without control
    /// characters.
    public let instance: String
    /// How many vantage points must agree.
    public let quorum: Quorum
    /// The time after a sample from which a vantage point counts as not reporting.
    public let staleAfter: Duration
    /// What the alerts about the target have in common, and those about its group; nil if the source is no Prometheus.
    package var matcher: LabelMatcher?
    package var groupMatcher: LabelMatcher?

    /// Two and a half scrapes at the default interval of Prometheus, a minute.
    public static let defaultStaleAfter = Duration.seconds(150)

    /// Creates a question. The text of the instance is cleaned and shortened.
    public init(
        instance: String,
        quorum: Quorum = .majority,
        staleAfter: Duration = FleetQuestion.defaultStaleAfter
    ) {
        self.instance = instance.plainLabel(limit: 500) ?? "unnamed"
        self.quorum = quorum
        self.staleAfter = max(staleAfter, .seconds(1))
    }

    /// The host of the instance, if that is a URL, or a host with or without a port; otherwise nil.
    public var host: String? { authority?.host }

    /// The port of the instance; nil if it is not written there.
    public var port: UInt16? { authority?.port }

    private var authority: URLAuthority? {
        let rest = instance.firstRange(of: "://").map { instance[$0.upperBound...] } ?? instance[...]
        let text = rest.prefix { !"/?#".contains($0) }
        return try? URLAuthority(text[(text.lastIndex(of: "@").map(text.index(after:)) ?? text.startIndex)...])
    }
}

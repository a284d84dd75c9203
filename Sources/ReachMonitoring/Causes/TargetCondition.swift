/// What a target contributes to the search for causes.
public enum TargetCondition: Sendable, Hashable {
    /// Paused, blocked, in maintenance, or not judged yet: neither accuses nor acquits.
    case undecided
    /// Answers. This acquits what the target shares with others.
    case up
    /// Lost probes, and its verdict is pending. A cause that may explain it as well waits for the verdict.
    case failing
    /// Down since its first failed probe was sent.
    case down(since: Duration, OutageKind)
}

/// The kind of an outage: how far the last probes came.
public enum OutageKind: UInt8, Sendable, Hashable, CaseIterable {
    /// No reply, or an unreachable network or host.
    case noAnswer
    /// The host refuses the connection: packets arrive.
    case refused
    /// The name was not resolved: nothing is known about the path.
    case unresolved
    /// The certificate is invalid: the host answers.
    case certificate
    /// The service answers, and not as expected.
    case wrongAnswer
}

/// What a target says about one of its risks.
enum Say: UInt32, Sendable {
    case nothing
    case up
    case failing
    case down
}

extension TargetCondition {
    /// What this condition says about a risk.
    ///
    /// An outage that shows that packets arrive acquits the network. One that does not reach the part in question, such
    /// as the certificate of a host that does not answer, says nothing about it.
    @inline(__always)
    func say(about risk: RiskKind) -> Say {
        switch self {
        case .undecided: .nothing
        case .up: .up
        case .failing: .failing
        case .down(_, let outage): outage.say(about: risk)
        }
    }

    /// When the outage began; nil for a target that is not down.
    var onset: Duration? {
        if case .down(let since, _) = self { since } else { nil }
    }
}

extension OutageKind {
    @inline(__always)
    func say(about risk: RiskKind) -> Say {
        switch (risk, self) {
        case (.any, _): .down
        case (.network, .noAnswer): .down
        case (.network, .unresolved): .nothing
        case (.network, _): .up
        case (.resolver, .unresolved): .down
        case (.resolver, .noAnswer): .nothing
        case (.resolver, _): .up
        case (.certificate, .certificate): .down
        case (.certificate, .wrongAnswer): .up
        case (.certificate, _): .nothing
        case (.host, .unresolved): .nothing
        case (.host, .certificate): .up
        case (.host, _): .down
        case (.proxy, .unresolved): .nothing
        case (.proxy, .certificate): .up
        case (.proxy, _): .down
        }
    }
}

/// What a target says about each kind of risk, in two bits for each: the hot path looks it up for every risk.
struct Statements: Sendable {
    private var bits: UInt32 = 0

    init(_ condition: TargetCondition) {
        for kind in RiskKind.allCases { bits |= condition.say(about: kind).rawValue << (2 * UInt32(kind.rawValue)) }
    }

    @inline(__always)
    subscript(kind: RiskKind) -> Say {
        switch (bits >> (2 * UInt32(kind.rawValue))) & 3 {
        case 0: .nothing
        case 1: .up
        case 2: .failing
        default: .down
        }
    }
}

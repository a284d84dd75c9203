import ReachMonitoring

/// The state machine of a reachability: findings about the subject's targets go in, changes of its status come out.
struct ReachabilityModel: SubscriptionModel {
    typealias Event = Report

    /// A status, and how recent the probes are that show it.
    struct Report: Sendable, Hashable {
        let status: Reachability.Status
        /// The status is the result of probes that were sent at this time or later; nil if there were none.
        let probed: Duration?
    }

    /// The destination of packets: a target, at the address that answered.
    struct Destination: Sendable, Hashable {
        let question: Question
        let address: String?
    }

    /// The status in the present run; unknown between two runs.
    private(set) var status = Reachability.Status.unknown
    /// The last known status of all runs.
    private(set) var lastStatus = Reachability.Status.unknown
    /// The cause of the last loss of the newest run, if no reply has followed.
    private var lossCause: Reachability.Cause?
    /// The destination that has answered and whose link has to be looked up; nil where there is none.
    private(set) var unknownRoute: Destination?
    private let subject: Reachability.Subject
    private let firstID: Int
    private var roster: Roster
    /// The different times for which a subscriber may wait for the result of a later probe, in order.
    private var checks: [Duration] = []
    private var lastProbes: [Target.ID: LastProbe] = [:]
    /// Whether the subject is a host that is probed by TCP, because ICMP is not permitted.
    private var usesTCP = false
    /// Whether there was an outcome other than a slow first lookup of the name, which is not a verdict.
    private var hasOutcome = false
    private var link: Reachability.Link?
    /// The destination that ``link`` was looked up for; nil once the network has changed.
    private var linkDestination: Destination?

    /// The newest probe of a target that has ended.
    private struct LastProbe {
        var sent: Duration
        var hasReply: Bool
    }

    init(_ subject: Reachability.Subject, firstID: Int) {
        self.subject = subject
        self.firstID = firstID
        // A run has subscribers, so a subject that is down is probed for its recovery without an end.
        roster = Roster(firstID: firstID, recoverySpan: nil)
        if case .invalid(let problem) = subject.kind { lastStatus = .unreachable(.invalidSubject(problem)) }
    }

    /// The last known status; before a verdict, with the cause of the last loss.
    var lastKnown: Reachability.Status {
        lastStatus == .unknown ? lossCause.map { .unreachable($0) } ?? .unknown : lastStatus
    }

    mutating func start(link: Finding?, at now: Duration) -> Step {
        var requests: [ProbeRequest] = []
        checks = [now]
        lossCause = nil
        switch subject.kind {
        case .targets(let targets): requests = probe(targets, at: now)
        case .host(let host): requests = probe([Target(probing: .icmp(host: host))], at: now)
        case .invalid(let problem): status = .unreachable(.invalidSubject(problem))
        }
        var step = step(from: .unknown, requests: requests)
        if let link { step.append(record([link])) }
        return step
    }

    /// Probes the subject at once: the last outcome can be as old as the interval.
    mutating func join(at now: Duration) -> Step {
        if checks.last != now { checks.append(now) }
        let ids = roster.states.map(\.id)
        return step(from: status, requests: ids.isEmpty ? [] : [.now(ids)])
    }

    /// Forgets the run except for what is known. The next run has other identities, so that late findings are ignored.
    mutating func stop(at now: Duration) -> [Target.ID] {
        let (ids, lastStatus, lossCause) = (roster.states.map(\.id), lastStatus, lossCause)
        self = ReachabilityModel(subject, firstID: (ids.map(\.rawValue).max() ?? firstID) + 1)
        (self.lastStatus, self.lossCause) = (lastStatus, lossCause)
        return ids
    }

    mutating func record(_ findings: [Finding]) -> Step {
        let before = status
        var requests: [ProbeRequest] = []
        var hasReplied = false
        for finding in findings.map({ usesTCP ? $0.countingRefusalAsReply : $0 }) {
            if case .link = finding { linkDestination = nil }
            guard case .observation(let observation) = finding else {
                requests += roster.record([finding]).requests
                continue
            }
            hasOutcome = hasOutcome || !observation.outcome.isAwaitingResolver
            guard hasOutcome, roster[observation.target] != nil else { continue }
            lossCause = Reachability.Cause(observation.outcome)
            let isReply = lossCause == nil
            hasReplied = hasReplied || isReply
            lastProbes[observation.target] = LastProbe(sent: observation.sent, hasReply: isReply)
            requests += roster.record([finding]).requests + probeByTCP(at: observation.time)
        }
        let destination = judge()
        // While the network changes there can be no route; after a reply there is one.
        unknownRoute = hasReplied ? destination : nil
        return step(from: before, requests: requests)
    }

    /// Applies the link that was looked up for a destination.
    mutating func record(_ link: Reachability.Link, to destination: Destination) -> Step {
        let before = status
        (self.link, linkDestination) = (link, destination)
        unknownRoute = nil
        _ = judge()
        return step(from: before)
    }

    private mutating func step(from before: Reachability.Status, requests: [ProbeRequest] = []) -> Step {
        let probed = probed
        let isChecked = probed.map { probed in checks.first.map { $0 <= probed } ?? false } ?? false
        if let probed, isChecked { checks.removeAll { $0 <= probed } }
        guard status != before || isChecked else { return Step(requests: requests) }
        lastStatus = status
        return Step(events: [Report(status: status, probed: probed)], requests: requests)
    }

    /// When the probes were sent that show the status; nil while there is none, or while a streak of outcomes may
    /// change it.
    private var probed: Duration? {
        switch status {
        case .unknown:
            return nil
        case .reachable:
            // One target that answers is enough.
            return lastProbes.values.filter(\.hasReply).map(\.sent).max()
        case .unreachable(.invalidSubject):
            return checks.last
        case .unreachable:
            let states = roster.states
            // A target that has replied makes the subject reachable as soon as its link is known.
            guard states.allSatisfy({ $0.pending == nil && !$0.health.isReachable }) else { return nil }
            let times = states.compactMap { lastProbes[$0.id]?.sent }
            return times.count == states.count ? times.min() : nil
        }
    }

    /// The present report.
    var report: Report { Report(status: status, probed: probed) }

    private mutating func probe(_ targets: [Target], at now: Duration) -> [ProbeRequest] {
        // Only the judge reads the history, and it needs none.
        let requests = roster.apply(Settings(targets: targets, history: .zero), at: now).requests
        // First probes are staggered within a request, and a verdict may need those of all targets.
        return requests.flatMap { request -> [ProbeRequest] in
            guard case .watch(let assignments) = request else { return [request] }
            return assignments.map { .watch([$0]) }
        }
    }

    /// Probes the host by TCP where echo requests are not permitted: a host that accepts or refuses a connection is
    /// there.
    private mutating func probeByTCP(at now: Duration) -> [ProbeRequest] {
        guard case .host(let host) = subject.kind, !usesTCP,
            roster.states.contains(where: { $0.fault?.problem == .permission && $0.health == .unknown })
        else { return [] }
        usesTCP = true
        let ports: [UInt16] = [443, 80, 7]
        return probe(ports.map { Target(probing: .tcp(host: host, port: $0)) }, at: now)
    }

    /// Updates the status.
    ///
    /// - Returns: The destination whose link is not known yet.
    private mutating func judge() -> Destination? {
        if let state = roster.states.first(where: \.health.isReachable) {
            let destination = Destination(question: state.target.question, address: state.address)
            if let link { status = .reachable(via: link) }
            return destination == linkDestination ? nil : destination
        }
        (link, linkDestination) = (nil, nil)
        if let cause = cause { status = .unreachable(cause) }
        return nil
    }

    /// Why the subject is unreachable, once all its targets are.
    private var cause: Reachability.Cause? {
        // A later detail of the same verdict does not change the status.
        if case .unreachable(let cause) = status, cause.isVerdict { return cause }
        let states = roster.states
        guard !states.isEmpty, states.allSatisfy({ $0.health == .down || $0.fault != nil }) else { return nil }
        if let down = states.first(where: { $0.health == .down }) {
            return down.failure.map { .failure($0) } ?? .timeout
        }
        return states.lazy.compactMap(\.fault).first.map { .fault($0) }
    }
}

extension Reachability.Cause {
    /// The cause that an outcome shows; nil for a reply.
    fileprivate init?(_ outcome: Outcome) {
        switch outcome {
        case .reply: return nil
        case .timeout: self = .timeout
        case .failure(let failure): self = .failure(failure)
        case .fault(let fault): self = .fault(fault)
        }
    }

    /// Whether it is about the subject, not about this machine.
    fileprivate var isVerdict: Bool {
        switch self {
        case .timeout, .failure: true
        case .fault, .invalidSubject: false
        }
    }
}

extension Outcome {
    fileprivate var isAwaitingResolver: Bool {
        if case .failure(let failure) = self { failure.isAwaitingResolver } else { false }
    }
}

extension Finding {
    /// The same finding, with a reply in place of `refused`: a host that refuses a connection is there.
    fileprivate var countingRefusalAsReply: Finding {
        guard case .observation(let observation) = self, case .failure(let failure) = observation.outcome,
            failure.reason == .refused
        else { return self }
        return .observation(
            Observation(
                target: observation.target,
                sequence: observation.sequence,
                sent: observation.sent,
                time: observation.time,
                outcome: .reply(Reply(roundTrip: nil)),
                address: observation.address
            )
        )
    }
}

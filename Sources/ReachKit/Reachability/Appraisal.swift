import Monitoring

/// What is believed of a subject, from the findings about its targets. It reads no clock and touches nothing: findings
/// go in, requests to the prober come out.
struct Appraisal: Sendable {
    /// What to do after findings.
    struct Step: Sendable, Hashable {
        var requests: [ProbeRequest] = []
        /// Whose link has to be found out: it answers, and may be reached by another link than before.
        var wayOf: Way?
    }

    /// Where packets go whose link is in question.
    struct Way: Sendable, Hashable {
        let question: Question
        let address: String?
    }

    private(set) var status = Reachability.Status.unknown
    private let inquiry: Reachability.Subject.Inquiry
    private var roster: Roster
    /// Whether the subject is a host that is asked by TCP, for want of permission to ask by ICMP.
    private var isStandIn = false
    /// Whether anything is known but that the first look-up of a name takes long: that is no verdict on anybody.
    private var hasHeard = false
    private var link: Reachability.Link?
    /// What the link was found out for; nil when the network has changed since.
    private var linkedWay: Way?

    init(_ subject: Reachability.Subject, firstID: Int) {
        inquiry = subject.inquiry
        roster = Roster(firstID: firstID)
    }

    /// Who is asked, to be asked no more.
    var ids: [Target.ID] { roster.standings.map(\.id) }

    /// Begins to ask.
    mutating func begin(at now: Duration) -> [ProbeRequest] {
        switch inquiry {
        case .targets(let targets):
            return ask(targets, at: now)
        case .host(let host):
            return ask([Target(asking: .icmp(host: host))], at: now)
        case .nothing(let problem):
            status = .unreachable(.misspelt(problem))
            return []
        }
    }

    /// Takes findings into account.
    mutating func record(_ findings: [Finding]) -> Step {
        var step = Step()
        var hasReplied = false
        for finding in findings.map({ isStandIn ? $0.takingRefusalForReply : $0 }) {
            if case .link = finding { linkedWay = nil }
            guard case .observation(let observation) = finding else {
                step.requests += roster.record([finding]).requests
                continue
            }
            hasHeard = hasHeard || !observation.outcome.isAwaitingResolver
            guard hasHeard, roster[observation.target] != nil else { continue }
            if case .reply = observation.outcome { hasReplied = true }
            step.requests += roster.record([finding]).requests + standIn(at: observation.time)
        }
        let way = judge()
        // While the network changes there may be none; with a reply there is.
        if hasReplied { step.wayOf = way }
        return step
    }

    /// Takes in by which link the way leads that was in question.
    mutating func record(_ link: Reachability.Link, of way: Way) {
        (self.link, linkedWay) = (link, way)
        _ = judge()
    }

    private mutating func ask(_ targets: [Target], at now: Duration) -> [ProbeRequest] {
        // Nobody looks farther back than the judge does.
        roster.apply(Settings(targets: targets, history: .zero), at: now).requests
    }

    /// Where the system does not let us send echo requests, whoever accepts or refuses a connection answers as well.
    private mutating func standIn(at now: Duration) -> [ProbeRequest] {
        guard case .host(let host) = inquiry, !isStandIn,
            roster.standings.contains(where: { $0.fault?.problem == .permission && $0.health == .unknown })
        else { return [] }
        isStandIn = true
        let ports: [UInt16] = [443, 80, 7]
        return ask(ports.map { Target(asking: .tcp(host: host, port: $0)) }, at: now)
    }

    /// Comes to a status, and says whose link has to be known for it.
    private mutating func judge() -> Way? {
        if let standing = roster.standings.first(where: \.health.isReachable) {
            let way = Way(question: standing.target.question, address: standing.address)
            if let link { status = .reachable(via: link) }
            return way == linkedWay ? nil : way
        }
        (link, linkedWay) = (nil, nil)
        if let cause = cause { status = .unreachable(cause) }
        return nil
    }

    /// Why the subject is unreachable, once all its targets are.
    private var cause: Reachability.Cause? {
        // What has become of the last verdict is no news while it stands.
        if case .unreachable(let cause) = status, cause.isVerdict { return cause }
        let standings = roster.standings
        guard !standings.isEmpty, standings.allSatisfy({ $0.health == .down || $0.fault != nil }) else { return nil }
        if let down = standings.first(where: { $0.health == .down }) {
            return down.failure.map { .failure($0) } ?? .noAnswer
        }
        return standings.lazy.compactMap(\.fault).first.map { .fault($0) }
    }
}

extension Reachability.Cause {
    /// Whether the subject itself was judged.
    fileprivate var isVerdict: Bool {
        switch self {
        case .noAnswer, .failure: true
        case .fault, .misspelt: false
        }
    }
}

extension Outcome {
    fileprivate var isAwaitingResolver: Bool {
        if case .failure(let failure) = self { failure.isAwaitingResolver } else { false }
    }
}

extension Finding {
    /// The same where a refused connection is an answer: somebody is there who refuses.
    fileprivate var takingRefusalForReply: Finding {
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

/// What is known at one moment about the way to the far side.
struct SideEvidence: Sendable, Hashable {
    /// What a host of the own network does.
    enum Peer: Sendable, Hashable {
        /// Nothing is known: it is not probed, or has not answered yet.
        case unknown
        case answers(String?)
        case silent(String?)
    }

    /// Whether this machine has an uplink; nil if that is unknown.
    var hasUplink: Bool?
    /// A link or route of this machine that is down.
    var downRoute: String?
    /// Whether every probe was lost since this machine has no route.
    var lacksRoute = false
    /// Whether a target on the far side has answered since.
    var hasAnswer = false
    /// Whether no target on the far side answers, of enough that did.
    var isQuorumLost = false
    /// The default gateway.
    var gateway = Peer.unknown
    /// The other hosts of the own network.
    var neighbours = Peer.unknown
    /// The trace that came farthest.
    var reach: TraceReach?
    /// Whether the user's network has routers behind the gateway.
    var hasInnerRouters = false

    /// The verdict.
    var verdict: SideVerdict {
        if hasAnswer || reach?.lastSide == .farSide { return SideVerdict(.farSide, .othersAnswer) }
        if hasUplink == false { return SideVerdict(.thisMachine, .noUplink) }
        if lacksRoute { return SideVerdict(.thisMachine, .noRoute) }
        if let downRoute { return SideVerdict(.thisMachine, .isDown(downRoute)) }
        // A gateway may ignore echo requests, and forward packets.
        if case .silent(let address) = gateway, (reach?.last?.number ?? 0) <= 1 {
            return SideVerdict(.network, .gatewaySilent(address))
        }
        return isQuorumLost ? nearVerdict : singleVerdict
    }

    /// The verdict when no target on the far side answers.
    private var nearVerdict: SideVerdict {
        let (found, reason) = traced
        if found == nil, gateway == .unknown, case .silent = neighbours {
            return SideVerdict(.network, .neighboursSilent)
        }
        var nearest = min(found?.nearest ?? .network, .provider)
        let farthest = min(found?.farthest ?? .provider, .provider)
        if farthest == .provider, isGatewayLast { nearest = .provider }
        return SideVerdict(Sides(nearest, through: farthest), reason)
    }

    /// The verdict when other targets on the far side are not known. A router of the provider that drops the packets to
    /// one target may have lost the route to that target's network.
    private var singleVerdict: SideVerdict {
        let (found, reason) = traced
        if let found, found.farthest <= .network { return SideVerdict(found, reason) }
        let isBeyond = isGatewayLast || found.map { $0.nearest > .network } ?? false
        return SideVerdict(Sides(isBeyond ? .provider : .network, through: .farSide), reason)
    }

    /// Whether the gateway answers, and is the only router of the user's network.
    private var isGatewayLast: Bool {
        if case .answers = gateway { !hasInnerRouters } else { false }
    }

    /// The sides by the traces, and the reason.
    private var traced: (Sides?, SideReason) {
        let answering: String? = if case .answers(let address) = gateway { address } else { nil }
        guard let reach else { return (nil, answering.map { .endsAfter($0) } ?? .nothingAnswers) }
        guard let last = reach.last else {
            // The first hop answers probes, so that the trace is older.
            if case .answers = gateway { return (nil, answering.map { .endsAfter($0) } ?? .nothingAnswers) }
            return (reach.sides, reach.next.map { .firstHopSilent($0) } ?? .nothingAnswers)
        }
        return (reach.sides, .endsAfter(last.address))
    }
}

/// The sides at which a fault is, and how that is known.
package struct SideVerdict: Sendable, Hashable {
    /// The sides.
    package let sides: Sides
    /// How that is known.
    package let reason: SideReason

    init(_ sides: Sides, _ reason: SideReason) {
        (self.sides, self.reason) = (sides, reason)
    }

    init(_ side: Side, _ reason: SideReason) { self.init(Sides(side), reason) }

    /// Whether the fault is before the far side for certain.
    package var isOwn: Bool { sides.areOwn }

    /// Whether packets do not even pass the first router.
    var endsAtGateway: Bool {
        switch reason {
        case .noUplink, .noRoute, .isDown, .gatewaySilent, .neighboursSilent: true
        case .firstHopSilent: sides == Sides(.network)
        case .endsAfter, .nothingAnswers, .resolverFails, .familySilent, .othersAnswer: false
        }
    }

    /// The verdict in one line: `your network: gateway 192.168.1.1 does not answer`.
    package var summary: String { "\(sides.name): \(reason.summary)" }
}

/// How a side is known.
package enum SideReason: Sendable, Hashable {
    /// No interface of this machine leads out.
    case noUplink
    /// This machine has no route to the targets.
    case noRoute
    /// A link or route of this machine is down.
    case isDown(String)
    /// The default gateway does not answer.
    case gatewaySilent(String?)
    /// This router, the first that is known, does not answer traces.
    case firstHopSilent(String)
    /// This router answers, and nothing beyond it.
    case endsAfter(String)
    /// No other host of the own network answers.
    case neighboursSilent
    /// No target on the far side answers, and nothing else is known.
    case nothingAnswers
    /// This resolver does not resolve names.
    case resolverFails(String?)
    /// No target answers by this family, and others do by the other one.
    case familySilent(Family)
    /// Targets on the far side answer.
    case othersAnswer

    /// The reason as part of a sentence.
    package var summary: String {
        switch self {
        case .noUplink: "no uplink"
        case .noRoute: "no route"
        case .isDown(let label): "\(label) is down"
        case .gatewaySilent(let address): "gateway\(address.map { " \($0)" } ?? "") does not answer"
        case .firstHopSilent(let address): "\(address) does not answer, nor anything beyond it"
        case .endsAfter(let address): "\(address) answers, nothing beyond it"
        case .neighboursSilent: "no host in it answers"
        case .nothingAnswers: "nothing on the far side answers"
        case .resolverFails(let address): "resolver\(address.map { " \($0)" } ?? "") does not resolve names"
        case .familySilent(let family): "nothing answers by IPv\(family.rawValue)"
        case .othersAnswer: "others answer"
        }
    }
}

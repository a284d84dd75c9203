@testable import ReachMonitoring
import Testing

@Suite struct SideVerdictTests {
    private static func evidence(_ change: (inout SideEvidence) -> Void) -> SideEvidence {
        var evidence = SideEvidence()
        change(&evidence)
        return evidence
    }

    /// A trace whose hops were `before`, the target last, and of which only the first `answering` answer now.
    private static func reach(_ before: [String?], answering: Int, shared: Set<String>? = nil) -> TraceReach? {
        let last = answering == 0 ? nil : before[answering - 1]
        let end = last.map { PathEnd.silent(hop: answering, address: $0, length: before.count) } ?? .nothing
        let path = TracedPath(end: end, hops: Array(before.prefix(answering)), before: before)
        return TraceReach(path, HopSides(systems: nil, shared: shared))
    }

    private static let way: [String?] = ["192.168.1.1", "100.64.0.1", "203.0.113.1", "198.51.100.1", "192.0.2.9"]
    private static let company: [String?] = ["10.0.0.1", "10.0.1.1", "203.0.113.1", "198.51.100.1", "192.0.2.9"]
    private static let shared: Set<String> = ["192.168.1.1", "10.0.0.1", "10.0.1.1", "100.64.0.1", "203.0.113.1"]

    static let cases: [(String, SideEvidence, Sides, SideReason)] = [
        ("others answer", evidence { $0.hasAnswer = true }, Sides(.farSide), .othersAnswer),
        (
            "others answer although the uplink seems to be missing",
            evidence { ($0.hasAnswer, $0.hasUplink) = (true, false) }, Sides(.farSide), .othersAnswer
        ),
        ("no uplink", evidence { $0.hasUplink = false }, Sides(.thisMachine), .noUplink),
        (
            "no uplink, so that the gateway does not answer either",
            evidence { ($0.hasUplink, $0.gateway, $0.isQuorumLost) = (false, .silent("192.168.1.1"), true) },
            Sides(.thisMachine), .noUplink
        ),
        ("no route", evidence { $0.lacksRoute = true }, Sides(.thisMachine), .noRoute),
        (
            "the route to the internet is down", evidence { $0.downRoute = "Way out" }, Sides(.thisMachine),
            .isDown("Way out")
        ),
        (
            "the gateway is silent, one target", evidence { $0.gateway = .silent("192.168.1.1") }, Sides(.network),
            .gatewaySilent("192.168.1.1")
        ),
        (
            "the gateway is silent, all targets",
            evidence { ($0.gateway, $0.isQuorumLost) = (.silent("192.168.1.1"), true) }, Sides(.network),
            .gatewaySilent("192.168.1.1")
        ),
        (
            "the gateway answers no echo requests, and forwards traces",
            evidence {
                ($0.gateway, $0.isQuorumLost) = (.silent("192.168.1.1"), true)
                $0.reach = reach(way, answering: 2, shared: shared)
            },
            Sides(.provider), .endsAfter("100.64.0.1")
        ),
        (
            "the gateway answers, one target is silent", evidence { $0.gateway = .answers("192.168.1.1") },
            Sides(.provider, through: .farSide), .endsAfter("192.168.1.1")
        ),
        (
            "one target is silent, and nothing is known", evidence { _ in }, Sides(.network, through: .farSide),
            .nothingAnswers
        ),
        (
            "the gateway answers, all targets are silent",
            evidence { ($0.gateway, $0.isQuorumLost) = (.answers("192.168.1.1"), true) }, Sides(.provider),
            .endsAfter("192.168.1.1")
        ),
        (
            "the gateway answers, and there are routers behind it",
            evidence {
                ($0.gateway, $0.isQuorumLost, $0.hasInnerRouters) = (.answers("10.0.0.1"), true, true)
            },
            Sides(.network, through: .provider), .endsAfter("10.0.0.1")
        ),
        (
            "all targets are silent, and nothing near is known", evidence { $0.isQuorumLost = true },
            Sides(.network, through: .provider), .nothingAnswers
        ),
        (
            "all targets are silent, and all neighbours",
            evidence { ($0.isQuorumLost, $0.neighbours) = (true, .silent("192.168.1.20")) }, Sides(.network),
            .neighboursSilent
        ),
        (
            "all targets are silent, a neighbour answers",
            evidence { ($0.isQuorumLost, $0.neighbours) = (true, .answers("192.168.1.20")) },
            Sides(.network, through: .provider), .nothingAnswers
        ),
        (
            "not even the first hop answers a trace", evidence { $0.reach = reach(way, answering: 0) }, Sides(.network),
            .firstHopSilent("192.168.1.1")
        ),
        (
            "not even the first hop answers a trace, and the gateway answers by now",
            evidence { ($0.reach, $0.gateway) = (reach(way, answering: 0), .answers("192.168.1.1")) },
            Sides(.provider, through: .farSide), .endsAfter("192.168.1.1")
        ),
        (
            "the trace ends between two routers of the network",
            evidence { $0.reach = reach(company, answering: 1) }, Sides(.network), .endsAfter("10.0.0.1")
        ),
        (
            "the trace to one target ends at the border of the network",
            evidence { $0.reach = reach(company, answering: 2, shared: shared) },
            Sides(.provider, through: .farSide), .endsAfter("10.0.1.1")
        ),
        (
            "the traces to all targets end at the border of the network",
            evidence { ($0.reach, $0.isQuorumLost) = (reach(company, answering: 2, shared: shared), true) },
            Sides(.provider), .endsAfter("10.0.1.1")
        ),
        (
            "the trace to one target ends in the provider's network: its route may be gone",
            evidence { $0.reach = reach(way, answering: 2, shared: shared) },
            Sides(.provider, through: .farSide), .endsAfter("100.64.0.1")
        ),
        (
            "the traces to all targets end at the border of the provider",
            evidence { ($0.reach, $0.isQuorumLost) = (reach(way, answering: 3, shared: shared), true) },
            Sides(.provider), .endsAfter("203.0.113.1")
        ),
        (
            "a router on the far side answers a trace",
            evidence { ($0.reach, $0.isQuorumLost) = (reach(way, answering: 4, shared: shared), true) },
            Sides(.farSide), .othersAnswer
        ),
    ]

    @Test(arguments: cases.indices)
    func `the evidence names the side`(index: Int) {
        let (name, evidence, sides, reason) = Self.cases[index]
        #expect(evidence.verdict == SideVerdict(sides, reason), "\(name)")
    }

    /// Whatever else is known, an answer from the far side acquits the own side, and a lost quorum never leaves the far
    /// side.
    @Test func `the verdict keeps its promises for all combinations`() {
        let peers: [SideEvidence.Peer] = [.unknown, .answers("192.168.1.1"), .silent("192.168.1.1")]
        let reaches =
            [nil]
            + (0...4).flatMap { count in
                [
                    Self.reach(Self.way, answering: count),
                    Self.reach(Self.company, answering: count, shared: Self.shared),
                ]
            }
        for hasUplink in [nil, true, false] {
            for (gateway, neighbours) in peers.flatMap({ one in peers.map { (one, $0) } }) {
                for reach in reaches {
                    for bits in 0..<16 {
                        let evidence = Self.evidence {
                            ($0.hasUplink, $0.gateway, $0.neighbours, $0.reach) = (
                                hasUplink, gateway, neighbours, reach
                            )
                            ($0.hasAnswer, $0.isQuorumLost) = (bits & 1 > 0, bits & 2 > 0)
                            ($0.lacksRoute, $0.hasInnerRouters) = (bits & 4 > 0, bits & 8 > 0)
                        }
                        let verdict = evidence.verdict
                        let isFar = evidence.hasAnswer || reach?.lastSide == .farSide
                        if isFar { #expect(verdict.sides == Sides(.farSide)) }
                        if !isFar, evidence.isQuorumLost { #expect(verdict.isOwn) }
                        if !isFar, hasUplink == false { #expect(verdict.sides == Sides(.thisMachine)) }
                        if !isFar, !evidence.isQuorumLost, !evidence.lacksRoute, hasUplink != false {
                            #expect(verdict.sides != Sides(.provider), "one target says nothing about the provider")
                        }
                    }
                }
            }
        }
    }

    @Test func `sides and reasons are words`() {
        #expect(Sides(.network, through: .provider).name == "your network or provider")
        #expect(Sides(.network, through: .farSide).name == "your network, provider or the far side")
        #expect(Sides(.farSide).name == "far side")
        #expect(
            SideVerdict(.network, .gatewaySilent("192.168.1.1")).summary
                == "your network: gateway 192.168.1.1 does not answer"
        )
    }
}

@Suite struct HopSidesTests {
    @Test(arguments: [
        ("127.0.0.1", AddressScope.thisMachine), ("::1", .thisMachine), ("10.1.2.3", .network),
        ("172.16.0.1", .network),
        ("172.32.0.1", .internet), ("192.168.1.1", .network), ("169.254.3.4", .network), ("fe80::1%eth0", .network),
        ("fd00::1", .network), ("100.64.0.1", .sharedByProvider), ("100.128.0.1", .internet), ("192.0.2.1", .internet),
        ("2001:db8::1", .internet), ("::ffff:10.0.0.1", .network),
    ])
    func `the range of an address is its scope`(address: String, scope: AddressScope) {
        #expect(AddressScope(address) == scope)
    }

    @Test func `a name has no scope`() {
        #expect(AddressScope("example.com") == nil)
        #expect("nas".isLocalName && "nas.local".isLocalName && "nas.home.arpa.".isLocalName)
        #expect(!"example.com".isLocalName && !"www.example.com.".isLocalName)
    }

    @Test func `targets of one network have one key`() {
        let key = { NetworkKey($0, systems: nil) }
        #expect(key("192.0.2.1") == key("192.0.100.9"))
        #expect(key("192.0.2.1") != key("192.1.2.1"))
        #expect(key("2001:db8::1") == key("2001:db8:ffff::1"))
        #expect(key("www.example.com") == key("mail.example.com"))
        #expect(key("www.example.com") != key("www.example.org"))
    }

    @Test func `the border is where the autonomous system changes`() throws {
        let text = "203.0.113.0\t203.0.113.255\t64500\tXX\tPROVIDER\n198.51.100.0\t198.51.100.255\t64501\tXX\tFAR\n"
        let systems = try AutonomousSystems(reading: Array(text.utf8))
        let hops: [String?] = [
            "192.168.1.1", "10.9.0.1", nil, "203.0.113.1", "10.1.1.1", "203.0.113.9", "198.51.100.1", "203.0.113.7",
        ]
        #expect(
            HopSides(systems: systems, shared: nil).sides(of: hops) == [
                .network, .network, nil, .provider, .provider, .provider, .farSide, .farSide,
            ]
        )
        #expect(HopSides(systems: nil, shared: nil).sides(of: hops)[3] == nil)
    }

    @Test func `without a file, the provider has the hops that paths share`() {
        let one: [String?] = ["192.168.1.1", "203.0.113.1", "198.51.100.1"]
        let other: [String?] = ["192.168.1.1", "203.0.113.1", "192.0.2.1"]
        #expect(HopSides.shared(by: [one]) == nil)
        let shared = HopSides.shared(by: [one, other])
        #expect(shared == ["192.168.1.1", "203.0.113.1"])
        #expect(HopSides(systems: nil, shared: shared).sides(of: one) == [.network, .provider, .farSide])
    }

    @Test func `a server in a data centre has its gateway as its network`() throws {
        let text = "203.0.113.0\t203.0.113.255\t64500\tXX\tHOSTER\n"
        let systems = try AutonomousSystems(reading: Array(text.utf8))
        let sides = HopSides(systems: systems, shared: nil).sides(of: ["203.0.113.1", "203.0.113.2", "10.0.0.1"])
        #expect(sides == [.network, .provider, .provider])
    }

    @Test func `what this machine reports itself is no answer of a hop`() throws {
        let before: [String?] = ["192.168.1.1", "100.64.0.1", "192.0.2.1"]
        let end = PathEnd.unreachable(.hostUnreachable, hop: 1, address: "192.168.1.2")
        let path = TracedPath(end: end, hops: ["192.168.1.2"], before: before)
        let own = [try #require(LocalAddress("192.168.1.2", prefixLength: 24))]
        let reach = try #require(TraceReach(path, HopSides(systems: nil, shared: nil, own: own)))
        #expect(reach.last == nil && reach.sides == Sides(.network))
    }
}

import ReachMonitoring
import ReachReporting
import Testing

/// The JSON of a path, and its division into networks.
struct PathRecordTests {
    private static let systems = try? AutonomousSystems(
        reading: Array(
            """
            192.0.2.0\t192.0.2.255\t64500\tZZ\tPROVIDER
            198.51.100.0\t198.51.100.255\t64501\tZZ\tFAR

            """.utf8
        )
    )

    /// A path by these addresses, which answered once each after as many milliseconds as their hop.
    private func path(
        through routers: [String?],
        to address: String = "198.51.100.9",
        labels: [MPLSLabel] = []
    ) -> PathReport {
        var plan = PathPlan()
        plan.add(
            Target.ID(0),
            destination: PathDestination(address: address, method: .tcp, port: 443),
            every: nil,
            at: .zero
        )
        plan.open(Target.ID(0), rounds: 1, at: .zero)
        var time = Duration.zero
        while let next = plan.nextDeadline, next <= .seconds(4) {
            time = max(time, next)
            for probe in plan.due(at: time) {
                let isBeyond = probe.hop > routers.count
                guard let source = isBeyond ? address : routers[probe.hop - 1] else { continue }
                let answer = PathAnswer(
                    probe: probe.number,
                    source: source,
                    kind: isBeyond ? .reached(.accepted) : .exceeded,
                    roundTrip: .milliseconds(probe.hop),
                    labels: isBeyond ? [] : labels
                )
                plan.record(answer, at: time)
            }
        }
        return PathReport(
            target: "shop",
            time: time,
            trace: plan.trace(of: Target.ID(0)),
            name: { $0 == "10.0.0.1" ? "gate.example" : nil },
            system: { Self.systems?.system(of: $0) }
        )
    }

    @Test func `the record of a path has its hops and its end`() throws {
        let path = path(through: ["10.0.0.1"], labels: [MPLSLabel(label: 24_015, trafficClass: 0, timeToLive: 1)])
        let hop = """
            {"addresses":["10.0.0.1"],"best_seconds":0.001,"hop":1,"kind":"ok",\
            "labels":[{"label":24015,"time_to_live":1,"traffic_class":0}],"last_seconds":0.001,"loss":0,"mean_seconds":0.001,\
            "name":"gate.example","received":1,"sent":1,"word":"ok","worst_seconds":0.001}
            """
        let target = """
            {"addresses":["198.51.100.9"],"as_name":"FAR","as_number":64501,"best_seconds":0.002,"hop":2,"kind":"ok",\
            "last_seconds":0.002,"loss":0,"mean_seconds":0.002,"received":1,"sent":1,"word":"ok","worst_seconds":0.002}
            """
        let end = #"{"address":"198.51.100.9","hop":2,"kind":"reached","words":"reaches the target"}"#
        #expect(
            PathsRecord([path]).json == """
                {"paths":[{"address":"198.51.100.9","end":\(end),"hops":[\(hop),\(target)],"method":"tcp","port":443,\
                "target":"shop"}]}
                """
        )
        #expect(path.isReached)
    }

    @Test func `a target without an address has a problem and no hops`() {
        let report = PathReport(target: "nowhere", time: .zero, trace: nil, problem: "nowhere not found")
        #expect(PathRecord(report).json == #"{"hops":[],"problem":"nowhere not found","target":"nowhere"}"#)
        #expect(!report.isReached)
    }

    @Test func `a path is divided into networks, and hops without one belong to the network before`() {
        let path = path(through: ["10.0.0.1", "10.1.0.1", "192.0.2.1", nil, "10.9.9.9", "192.0.2.7"])
        #expect(
            PathSection.sections(of: path).map(\.text) == [
                "hops 1–2 your network", "hops 3–6 AS64500 PROVIDER", "hop 7 AS64501 FAR",
            ]
        )
    }

    @Test func `a path without autonomous systems is not divided`() {
        let path = path(through: ["10.0.0.1", "10.1.0.1"], to: "203.0.113.9")
        #expect(path.isReached && PathSection.sections(of: path).isEmpty)
    }
}

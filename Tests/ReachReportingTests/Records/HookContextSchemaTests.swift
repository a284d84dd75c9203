import ReachMonitoring
import ReachReporting
import TestSupport
import Testing

/// The input of hooks, and its schema.
@Suite struct HookContextSchemaTests {
    private static let vantagePoints: [VantagePoint] = {
        var roster = Roster()
        let target = Target(name: "Shop", question: .fleet(FleetQuestion(instance: "https://shop.example.com")))
        _ = roster.apply(Settings(targets: [target]), at: .zero)
        let reports = [
            VantageReport(vantagePoint: "fra", health: .down, detail: "HTTP 503", sampled: .zero, time: .zero),
            VantageReport(vantagePoint: "nyc", health: .up, roundTrip: .milliseconds(9), sampled: .zero, time: .zero),
            VantageReport(vantagePoint: "sin", health: nil, sampled: .zero, time: .zero),
        ]
        _ = roster.record([.vantageReports(roster.states[0].id, reports, at: .zero)])
        return roster.states[0].vantagePoints?.points ?? []
    }()

    private func line(_ trigger: HookContext.Trigger, _ event: HookEvent, isKnown: Bool) -> String {
        var context = HookContext(
            event: event,
            trigger: trigger,
            at: .seconds(2),
            name: "NAS",
            question: .tcp(host: "nas.local", port: 445),
            group: isKnown ? "Home" : nil,
            tags: isKnown ? ["db"] : [],
            address: isKnown ? "192.0.2.5" : nil,
            health: .down,
            since: .zero,
            roundTrip: isKnown ? .milliseconds(2) : nil,
            loss: isKnown ? 0.25 : nil,
            acknowledged: isKnown ? "new switch" : nil
        )
        if isKnown {
            context.vantagePoints = Self.vantagePoints
            let end = PathEnd.silent(hop: 1, address: "10.0.0.1", length: 2)
            context.path = TracedPath(end: end, hops: ["10.0.0.1"], before: [nil, "192.0.2.5"])
        }
        return HookContextRecord(context, wall: WallTime(start: .seconds(1_795_183_339))).json
    }

    private func transition(from old: Health, _ cause: Cause) -> HookContext.Trigger {
        .transition(
            Transition(from: old, to: old == .down ? .up : .down, time: .seconds(2), lasted: .seconds(3), cause: cause)
        )
    }

    @Test func `the input of a hook matches the schema for every trigger, and every key of the schema occurs`() throws {
        let triggers: [HookContext.Trigger] = [
            transition(from: .up, .losses(3, Failure(.refused))), transition(from: .up, .losses(3, nil)),
            transition(from: .down, .replies(1)),
            transition(from: .up, .faults(3, Fault(.internal, detail: "no CA file"))),
            .address(from: "192.0.2.4", to: "192.0.2.5"),
            .path(.changed(PathChange(hop: 2, flow: 0, before: "10.1.0.1", after: "10.1.0.2"))),
            .shift(.level(.sample)), .shift(.loss(.sample)), .shift(.level(.sampleReturn)), .cause(.sample),
            .flapping(isFlapping: true, share: 0.42),
            .user,
        ]
        let schema = try Schema("hook-input")
        let problems = Fault.Problem.allCases.map(\.rawValue)
        let reasons = Set(Reason.allCases.map(\.rawValue) + problems + ["timeout", "slow", "lossy", "concern"])
        var lines: [String] = []
        for trigger in triggers {
            for event in HookEvent.allCases {
                for isKnown in [false, true] { lines.append(line(trigger, event, isKnown: isKnown)) }
            }
        }
        for line in lines { #expect(try schema.problems(of: line) == [], "\(line)") }
        for key in schema.keys("$defs", "traced_path") {
            #expect(lines.contains { $0.contains("\"\(key)\":") }, "no path has \(key)")
        }
        for key in schema.keys("$defs", "shift_facts") {
            #expect(lines.contains { $0.contains("\"\(key)\":") }, "no shift has \(key)")
        }
        for key in schema.keys("$defs", "cause_facts") {
            #expect(lines.contains { $0.contains("\"\(key)\":") }, "no cause has \(key)")
        }
        for key in schema.keys("$defs", "vantage_point") {
            #expect(lines.contains { $0.contains("\"\(key)\":") }, "no vantage point has \(key)")
        }
        for key in schema.keys() { #expect(lines.contains { $0.contains("\"\(key)\":") }, "no input has \(key)") }
        #expect(schema.choices("$defs", "hook_event") == Set(HookEvent.allCases.map(\.rawValue)))
        #expect(schema.choices("$defs", "reason") == reasons)
        #expect(try schema.problems(of: lines[0].replacing("\"url\"", with: "\"uri\"")).count == 2)
    }
}

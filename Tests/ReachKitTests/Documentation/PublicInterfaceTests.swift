import Foundation
import ReachKit
import Testing

/// The public interface for programs that import only ReachKit: names, and members of re-exported types.
@Suite struct PublicInterfaceTests {
    @Test func `the description of a subject is what is probed`() throws {
        #expect("\(Reachability(of: "example.com").subject)" == "example.com")
        // For a literal, Swift uses the other initializer, which does not throw (SE-0213).
        let text = "db:5432"
        let (service, target) = (try Reachability.Subject(text), try Target("tcp://nas:445", name: "NAS"))
        #expect("\(service)" == "tcp://db:5432")
        #expect(
            "\(Reachability.Subject.internet), \(Reachability.Subject.localNetwork)"
                == "the internet, the local network"
        )
        #expect("\(Reachability.Subject.route("192.0.2.1"))" == "route://192.0.2.1")
        #expect("\(Reachability.Subject(target))" == "NAS")
    }

    @Test func `the name of a target is its URL by default`() throws {
        let plain = try Target("nas.local:445")
        #expect(plain.name == "tcp://nas.local:445")
        #expect(plain.interval == plain.question.method.defaultInterval)
        let named = try Target("icmp://192.0.2.1", name: "Router", interval: .seconds(7))
        #expect(named.name == "Router")
        #expect(named.question == .icmp(host: "192.0.2.1"))
        #expect(named.interval == .seconds(7))
        #expect(throws: URLProblem.self) { try Target("tcp://nas.local") }
    }

    @Test func `failures and faults have readable descriptions`() {
        #expect("\(Failure(.refused))" == "refused")
        #expect(
            "\(Fault(.permission, detail: "no permission", cures: ["become root"]))" == "no permission: become root"
        )
    }

    @Test func `every type of the interface has a name in this module, and the dashboard's own are not in it`() throws {
        let list = URL(filePath: #filePath).appending(path: "../../../../Sources/ReachKit/API.txt").standardized
        let lines = try String(contentsOf: list, encoding: .utf8).components(separatedBy: "\n")
        let types = lines.compactMap { $0.wholeMatch(of: /ReachMonitoring\.(\w+): (?:struct|enum) .*/)?.1 }
        let names = Set(lines.compactMap { $0.wholeMatch(of: /ReachKit\.[\w.]+: typealias \w+ = (\w+).*/)?.1 })
        #expect(types.count > 20)
        #expect(types.filter { !names.contains($0) } == [])
        let dashboardTypes = ["HookRule", "HookEvent", "HookAction", "Webhook", "TargetSummary", "HealthCounts"]
        #expect(types.filter { dashboardTypes.contains(String($0)) } == [])
    }

    @Test func `values are encoded and decoded without loss`() throws {
        let fault = Fault(.permission, detail: "no permission", cures: ["become root"])
        let statuses: [Reachability.Status] = [
            .unknown, .reachable(via: .wifi), .unreachable(.timeout), .unreachable(.fault(fault)),
            .unreachable(.failure(Failure(.httpStatus, detail: "HTTP 503", httpStatus: 503))),
            .unreachable(.invalidSubject(URLProblem("the host is missing", hint: "such as example.com"))),
        ]
        #expect(try Self.decoded(statuses) == statuses)
        let states: [Session.State] = [.preparing, .ready(address: "192.0.2.1"), .failed(.fault(fault))]
        #expect(try Self.decoded(states) == states)
        let observations = [
            Outcome.timeout, .reply(Reply(roundTrip: nil)),
            .reply(Reply(roundTrip: .milliseconds(3), phases: [.init(.connect, .milliseconds(2))], detail: "ok")),
        ].map { Monitor.Observation(target: .init(7), sequence: 1, sent: .seconds(1), time: .seconds(2), outcome: $0) }
        #expect(try Self.decoded(observations) == observations)
        let transition = Monitor.Transition(
            from: .up,
            to: .down,
            time: .seconds(9),
            lasted: .seconds(5),
            cause: .losses(3, Failure(.refused))
        )
        #expect(try Self.decoded(transition) == transition)
    }

    private static func decoded<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test func `all types of the interface have a name`() throws {
        let target = try Target("192.0.2.1")
        let family: Target.Family = target.family
        let dependency: Target.Dependency = .link
        let method: Question.Method = target.question.method
        let thresholds: Thresholds = target.thresholds
        let outcome: Outcome = .reply(Reply(roundTrip: .milliseconds(3)))
        let cause: Monitor.Transition.Cause = .losses(thresholds.fall, nil)
        #expect(family == .any)
        #expect(dependency == .link)
        #expect(method == .icmp)
        #expect(!outcome.isLoss)
        #expect(cause == .losses(3, nil))
    }
}

import ReachKit
import Testing

/// What a stranger needs who imports ReachKit alone: names, and members of the types that it lends.
@Suite struct StrangerTests {
    @Test func `a subject is called by what is asked`() throws {
        #expect("\(Reachability(of: "example.com").subject)" == "example.com")
        // Of a literal, Swift makes the other initializer, which does not throw (SE-0213).
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

    @Test func `a target of a URL is called by it unless it has a name`() throws {
        let plain = try Target("nas.local:445")
        #expect(plain.name == "tcp://nas.local:445")
        #expect(plain.interval == plain.question.method.defaultInterval)
        let named = try Target("icmp://192.0.2.1", name: "Router", interval: .seconds(7))
        #expect(named.name == "Router")
        #expect(named.question == .icmp(host: "192.0.2.1"))
        #expect(named.interval == .seconds(7))
        #expect(throws: URLProblem.self) { try Target("tcp://nas.local") }
    }

    @Test func `failures and faults are words where they are printed`() {
        #expect("\(Failure(.refused))" == "connection refused")
        #expect(
            "\(Fault(.permission, detail: "no permission", cures: ["become root"]))" == "no permission: become root"
        )
    }

    @Test func `whatever a stranger meets has a name`() throws {
        let target = try Target("192.0.2.1")
        let family: Target.Family = target.family
        let dependency: Target.Dependency = .link
        let method: Question.Method = target.question.method
        let thresholds: Thresholds = target.thresholds
        let outcome: Outcome = .reply(Reply(roundTrip: .milliseconds(3)))
        let cause: Transition.Cause = .losses(thresholds.fall, nil)
        #expect(family == .any)
        #expect(dependency == .link)
        #expect(method == .icmp)
        #expect(!outcome.isLoss)
        #expect(cause == .losses(3, nil))
    }
}

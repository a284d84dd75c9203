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

    @Test func `all types of the interface have a name`() throws {
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

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

    @Test func `values in arrays are printed without the names of modules`() throws {
        #expect("\([Health.up, .down])" == "[up, down]")
        #expect("\([Reachability.Status.reachable(via: .wifi)])" == "[reachable by wifi]")
        #expect("\([Reachability.Link.wired])" == "[wired]")
        #expect("\([Optional(Reason.hostUnreachable)])" == "[Optional(host_unreachable)]")
        #expect("\([Outcome.failure(Failure(.refused)), .timeout])" == "[refused, timeout]")
        #expect("\([Target.Family.any, .v4])" == "[any, IPv4]")
        #expect("\([Question.Method.icmp])" == "[icmp]")
        #expect("\([try Target("icmp://192.0.2.1", name: "Router")])" == "[Router]")
        let refused = Monitor.Transition(
            from: .up,
            to: .down,
            time: .seconds(9),
            lasted: .seconds(5),
            cause: .losses(3, Failure(.refused))
        )
        let events: [Monitor.Event] = [.transition(Target.ID(7), refused), .dropped(2)]
        #expect("\(events)" == "[7: down after 3 losses: refused, 2 events dropped]")
        let monitor = try Monitor([try Target("icmp://192.0.2.1", name: "Router")])
        #expect("\(Array(monitor.states))" == "[Router: unknown]")
    }

    @Test func `a URL of Foundation is a subject and a target`() throws {
        let url = try #require(URL(string: "https://nas.local/health"))
        #expect("\(Reachability(of: url).subject)" == "https://nas.local/health")
        let target = try Target(url, name: "NAS", interval: .seconds(7))
        #expect(target == (try Target("https://nas.local/health", name: "NAS", interval: .seconds(7))))
        let wrong = try #require(URL(string: "gopher://nas.local"))
        #expect(throws: URLProblem.self) { try Target(wrong) }
        #expect("\(Reachability(of: wrong).subject)" == "invalid subject")
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

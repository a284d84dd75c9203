import Foundation
import Monitoring
import Testing

@testable import ReachKit

@Suite
struct SubjectTests {
    /// The URLs that are asked for a subject; a bare host stands as itself.
    private static func asked(_ subject: Reachability.Subject) -> [String] {
        switch subject.inquiry {
        case .targets(let targets): targets.map(\.question.url)
        case .host(let host): [host]
        case .nothing(let problem): ["\(problem)"]
        }
    }

    @Test(arguments: [
        ("example.com", "example.com"), ("192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"),
        ("icmp://example.com", "icmp://example.com"), ("db:5432", "tcp://db:5432"),
        ("tcp://db:5432", "tcp://db:5432"), ("https://example.com/health", "https://example.com/health"),
        ("link:eth0", "link:eth0"),
    ])
    func `a text is a host, or any target URL of the dashboard`(_ text: String, _ url: String) throws {
        #expect(Self.asked(try .init(text)) == [url])
    }

    @Test func `the internet is a default route by either family, a route asks for a way alone`() {
        #expect(Self.asked(.internet) == ["route://203.0.113.1", "route://[2001:db8::1]"])
        #expect(Self.asked(.localNetwork) == ["link:any"])
        #expect(Self.asked(.route("2001:db8::7")) == ["route://[2001:db8::7]"])
        #expect(Self.asked(.route("nas.local")) == ["route://nas.local"])
    }

    @Test(arguments: [
        ("https://example.com:8443/a?b#c", "example.com"), ("http://[2001:db8::1]/", "2001:db8::1"),
        ("ftp://192.0.2.1/file", "192.0.2.1"),
    ])
    func `a URL stands for its host`(_ text: String, _ host: String) throws {
        #expect(Self.asked(try .init(try #require(URL(string: text)))) == [host])
    }

    @Test func `a URL without a host is an error`() throws {
        let url = try #require(URL(string: "file:///etc/hosts"))
        #expect(throws: URLProblem.self) { try Reachability.Subject(url) }
    }

    @Test(arguments: ["", "a b", "htps://example.com", "exec:", "tcp://db", "example.com/health", "[::1"])
    func `a text that names nothing is an error in one line`(_ text: String) {
        let problem = #expect(throws: URLProblem.self) { try Reachability.Subject(text) }
        #expect(problem?.description.contains("\n") == false)
    }

    @Test func `a slip in the source is never reachable, and the status says what is wrong`() async {
        let network = ScriptedNetwork()
        let host = network.reachability(of: "htps://example.com")
        let status = await host.status
        #expect("\(status)" == "unreachable: unknown method \"htps\" – did you mean \"https\"?")
        #expect(network.asker?.asked.isEmpty == true)
    }

    @Test func `of a target, hooks and dependencies are left out`() throws {
        let question = try Question("tcp://db:5432")
        let target = Target(
            name: "db",
            question: question,
            dependsOn: [.link],
            interval: .seconds(7),
            hooks: [HookRule(on: [.up], run: .shell("true"))]
        )
        guard case .targets(let asked) = Reachability.Subject(target).inquiry else {
            Issue.record("no target")
            return
        }
        #expect(asked == [Target(name: "db", question: question, interval: .seconds(7))])
    }
}

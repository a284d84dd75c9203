import Foundation
import Monitoring
import Testing

@testable import ReachKit

@Suite
struct SubjectTests {
    /// The URLs that are probed for a subject. A bare host is returned as it is.
    private static func probedURLs(_ subject: Reachability.Subject) -> [String] {
        switch subject.kind {
        case .targets(let targets): targets.map(\.question.url)
        case .host(let host): [host]
        case .invalid(let problem): ["\(problem)"]
        }
    }

    @Test(arguments: [
        ("example.com", "example.com"), ("192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"),
        ("icmp://example.com", "icmp://example.com"), ("db:5432", "tcp://db:5432"),
        ("tcp://db:5432", "tcp://db:5432"), ("https://example.com/health", "https://example.com/health"),
        ("link:eth0", "link:eth0"),
    ])
    func `a text is a host, or any target URL of the dashboard`(_ text: String, _ url: String) throws {
        #expect(Self.probedURLs(try .init(text)) == [url])
    }

    @Test func `the internet is a default route in either family, and a route sends no packet`() {
        #expect(Self.probedURLs(.internet) == ["route://203.0.113.1", "route://[2001:db8::1]"])
        #expect(Self.probedURLs(.localNetwork) == ["link:any"])
        #expect(Self.probedURLs(.route("2001:db8::7")) == ["route://[2001:db8::7]"])
        #expect(Self.probedURLs(.route("nas.local")) == ["route://nas.local"])
    }

    @Test(arguments: ["https://example.com:8443/a?b", "http://[2001:db8::1]/", "tcp://db:5432"])
    func `the subject of a URL is the one of its text`(_ text: String) throws {
        #expect(try Reachability.Subject(try #require(URL(string: text))) == Reachability.Subject(text))
    }

    @Test(arguments: [
        ("https://example.com:8443/a?b#c", "example.com"), ("http://[2001:db8::1]/", "2001:db8::1"),
        ("ftp://192.0.2.1/file", "192.0.2.1"),
    ])
    func `the host of a URL has a label`(_ text: String, _ host: String) throws {
        #expect(Self.probedURLs(try .init(hostOf: try #require(URL(string: text)))) == [host])
    }

    @Test func `a URL without a host is an error`() throws {
        let url = try #require(URL(string: "file:///etc/hosts"))
        #expect(throws: URLProblem.self) { try Reachability.Subject(url) }
        #expect(throws: URLProblem.self) { try Reachability.Subject(hostOf: url) }
    }

    @Test func `a host and its port are a subject, in the ways in which they are written`() throws {
        let port = 5_432
        let expected = ["tcp://db:5432"]
        #expect(Self.probedURLs("db:\(port)") == expected)
        #expect(Self.probedURLs(Reachability(of: "db:\(port)").subject) == expected)
        #expect(Self.probedURLs(Reachability(of: "a db:5432".dropFirst(2)).subject) == expected)
        #expect(Self.probedURLs(Reachability(host: "db", port: port).subject) == expected)
        #expect(Self.probedURLs(try .init(host: "db", port: UInt16(port))) == expected)
        #expect(Self.probedURLs(try .init(host: "2001:db8::1", port: 80)) == ["tcp://[2001:db8::1]:80"])
    }

    @Test(arguments: [("", 80), ("-", 80), ("a b", 80), ("db", 0), ("db", 65_536), ("db", -1)])
    func `an invalid host or port is the same error for each type`(_ host: String, _ port: Int) async throws {
        let problem = try #require(throws: URLProblem.self) { try Reachability.Subject(host: host, port: port) }
        #expect(throws: problem) { try Session(to: host, port: port) }
        let status = await ScriptedNetwork().status(host: host, port: port)
        #expect(status == .unreachable(.invalidSubject(problem)))
    }

    @Test func `a host without a letter or digit is missing`() {
        for text in ["-", "_", ".", "-:80"] {
            let problem = #expect(throws: URLProblem.self) { try Reachability.Subject(text) }
            #expect(problem?.message == "the host is missing")
        }
    }

    @Test(arguments: ["", "a b", "htps://example.com", "exec:", "tcp://db", "example.com/health", "[::1"])
    func `an invalid text is an error in one line`(_ text: String) {
        let problem = #expect(throws: URLProblem.self) { try Reachability.Subject(text) }
        #expect(problem?.description.contains("\n") == false)
    }

    @Test func `an invalid literal is never reachable, and its status has the problem`() async {
        let network = ScriptedNetwork()
        let host = network.reachability(of: "htps://example.com")
        let status = await host.check()
        #expect("\(status)" == "unreachable: unknown method \"htps\" – did you mean \"https\"?")
        #expect(network.backend?.performed.isEmpty == true)
    }

    @Test func `hooks and dependencies of a target are ignored`() throws {
        let question = try Question("tcp://db:5432")
        let target = Target(
            name: "db",
            question: question,
            dependsOn: [.link],
            interval: .seconds(7),
            hooks: [HookRule(on: [.up], run: .shell("true"))]
        )
        guard case .targets(let targets) = Reachability.Subject(target).kind else {
            Issue.record("no target")
            return
        }
        #expect(targets == [Target(name: "db", question: question, interval: .seconds(7))])
    }
}

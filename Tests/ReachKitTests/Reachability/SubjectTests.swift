import Dispatch
import Foundation
import Logging
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachKit
@testable import ReachProbing

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
        var target = Target(name: "db", question: question, dependsOn: [.link], interval: .seconds(7))
        target.hooks = [HookRule(on: [.up], run: .shell("true"))]
        guard case .targets(let targets) = Reachability.Subject(target).kind else {
            Issue.record("no target")
            return
        }
        #expect(targets == [Target(name: "db", question: question, interval: .seconds(7))])
    }
}

/// The probes of a subject, and the outcomes that count as replies.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SubjectProbingTests {
    private let network = ScriptedNetwork()

    @Test func `where ICMP is not permitted, a refused connection is a reply`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        #expect(network.watched.map(\.target.question.url) == ["icmp://nas.example"])
        network.report(.fault(Fault(.permission, detail: "ICMP is not permitted")))
        while network.watched.count < 3 { await Task.yield() }
        let ports = [443, 80, 7].map { "tcp://nas.example:\($0)" }
        #expect(network.watched.map(\.target.question.url) == ports)
        network.report(.failure(Failure(.refused)), from: ports[1])
        #expect(await changes.next() == .reachable(via: .wired), "although the other ports have no verdict")
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        network.report(.reply(roundTrip: .milliseconds(1)), from: ports[0])
        #expect(await changes.next() == .reachable(via: .wired))
    }

    @Test func `an echo request by its URL is not replaced`() async {
        let host = network.reachability(of: "icmp://nas.example")
        var changes = host.changes.dropFirst().makeAsyncIterator()
        let fault = Fault(.permission, detail: "ICMP is not permitted")
        network.report(.fault(fault))
        #expect(await changes.next() == .unreachable(.fault(fault)))
    }

    @Test func `a refused connection is not a reply of a server`() async {
        var changes = network.reachability(of: "nas.example:445").changes.dropFirst().makeAsyncIterator()
        let refused = Outcome.failure(Failure(.refused))
        network.report(refused, refused, refused)
        #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
    }

    @Test func `one default route of two is the internet`() async {
        var changes = network.reachability(of: .internet).changes.dropFirst().makeAsyncIterator()
        let noRoute = Outcome.failure(Failure(.noRoute))
        network.report(noRoute, from: "route://203.0.113.1")
        network.report(.reply(Reply(roundTrip: nil)), from: "route://[2001:db8::1]")
        #expect(await changes.next() == .reachable(via: .wired))
        network.report(noRoute)
        #expect(await changes.next() == .unreachable(.failure(Failure(.noRoute))))
    }

    @Test func `a slow first lookup is not a verdict, and later outcomes count`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        let waiting = Outcome.failure(.awaitingResolver(of: "nas.example"))
        network.report(waiting, waiting, waiting, waiting)
        network.report(.failure(Failure(.nameNotFound)), waiting)
        network.reply()
        #expect(await changes.next() == .reachable(via: .wired))
        network.report(waiting, waiting, waiting)
        #expect(await changes.next() == .unreachable(.failure(.awaitingResolver(of: "nas.example"))))
    }

    @Test func `the status is unknown, and readable, during a slow lookup`() async throws {
        let listener = try LoopbackListener()
        try listener.open()
        let (lookups, lookup) = AsyncStream.makeStream(of: Void.self)
        let answers = DispatchSemaphore(value: 0)
        let address = try #require(IPAddress(literal: "127.0.0.1"))
        let prober = Prober(clock: ContinuousClock()) { now in
            ProbeEngine(now: now, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) { _ in
                lookup.yield()
                answers.wait()
                return .addresses([address])
            }
        }
        let target = Target(
            name: "slow",
            question: .tcp(host: "slow.example", port: listener.port),
            interval: .milliseconds(20),
            timeout: .milliseconds(20)
        )
        let host = Reachability(of: .init(target), prober: prober)
        var changes = host.changes.makeAsyncIterator()
        for await _ in lookups { break }
        // The lookup is in progress, and ends with the signal.
        #expect(host.currentStatus == .unknown)
        #expect(await changes.next() == .unknown)
        answers.signal()
        #expect(await changes.next() == .reachable(via: .loopback))
        #expect(await host.firstVerdict() == .reachable(via: .loopback))
    }

    @Test func `a subscriber may be cancelled during a delivery`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        for round in 1...500 {
            let subscribers = (0..<4).map { _ in Task { for await _ in host.changes {} } }
            if round.isMultiple(of: 2) { network.timeOut() } else { network.reply() }
            for subscriber in subscribers { subscriber.cancel() }
            for subscriber in subscribers { await subscriber.value }
            #expect(await changes.next() != nil)
        }
    }
}

import Dispatch
import Logging
import Monitoring
import Synchronization
import Testing
import TestSupport

@testable import Probing
@testable import ReachKit

/// The probes of a subject, and the outcomes that count as replies.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SubjectProbingTests {
    private let network = ScriptedNetwork()

    @Test func `where ICMP is not permitted, a refused connection is a reply`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
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
        var changes = host.changes.makeAsyncIterator()
        let fault = Fault(.permission, detail: "ICMP is not permitted")
        network.report(.fault(fault))
        #expect(await changes.next() == .unreachable(.fault(fault)))
    }

    @Test func `a refused connection is not a reply of a server`() async {
        var changes = network.reachability(of: "nas.example:445").changes.makeAsyncIterator()
        let refused = Outcome.failure(Failure(.refused))
        network.report(refused, refused, refused)
        #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
    }

    @Test func `one default route of two is the internet`() async {
        var changes = network.reachability(of: .internet).changes.makeAsyncIterator()
        let noRoute = Outcome.failure(Failure(.noRoute))
        network.report(noRoute, from: "route://203.0.113.1")
        network.report(.reply(Reply(roundTrip: nil)), from: "route://[2001:db8::1]")
        #expect(await changes.next() == .reachable(via: .wired))
        network.report(noRoute)
        #expect(await changes.next() == .unreachable(.failure(Failure(.noRoute))))
    }

    @Test func `a slow first lookup is not a verdict, and later outcomes count`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
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
        var changes = host.changes(startingWithCurrent: true).makeAsyncIterator()
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
        var changes = host.changes.makeAsyncIterator()
        for round in 1...500 {
            let subscribers = (0..<4).map { _ in Task { for await _ in host.changes {} } }
            if round.isMultiple(of: 2) { network.timeOut() } else { network.reply() }
            for subscriber in subscribers { subscriber.cancel() }
            for subscriber in subscribers { await subscriber.value }
            #expect(await changes.next() != nil)
        }
    }
}

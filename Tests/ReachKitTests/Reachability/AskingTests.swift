import Dispatch
import Logging
import Monitoring
import Synchronization
import Testing
import TestSupport

@testable import Probing
@testable import ReachKit

/// How a subject is asked, and what counts as its answer.
@Suite(.timeLimit(.minutes(1)))
struct AskingTests {
    private let network = ScriptedNetwork()

    @Test func `where echo requests are not permitted, a refused connection is an answer`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        #expect(network.asked.map(\.target.question.url) == ["icmp://nas.example"])
        network.find(.fault(Fault(.permission, detail: "ICMP is not permitted")))
        while network.asked.count < 3 { await Task.yield() }
        let ports = [443, 80, 7].map { "tcp://nas.example:\($0)" }
        #expect(network.asked.map(\.target.question.url) == ports)
        network.find(.failure(Failure(.refused)), from: ports[1])
        #expect(await changes.next() == .reachable(via: .wired), "though nobody knows of the others")
        network.fallSilent()
        #expect(await changes.next() == .unreachable(.noAnswer))
        network.find(.reply(roundTrip: .milliseconds(1)), from: ports[0])
        #expect(await changes.next() == .reachable(via: .wired))
    }

    @Test func `an echo request that is asked for by its URL is not replaced`() async {
        let host = network.reachability(of: "icmp://nas.example")
        var changes = host.changes.makeAsyncIterator()
        let fault = Fault(.permission, detail: "ICMP is not permitted")
        network.find(.fault(fault))
        #expect(await changes.next() == .unreachable(.fault(fault)))
    }

    @Test func `a refused connection is no answer of a server`() async {
        var changes = network.reachability(of: "nas.example:445").changes.makeAsyncIterator()
        let refused = Outcome.failure(Failure(.refused))
        network.find(refused, refused, refused)
        #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
    }

    @Test func `one default route of two is the internet`() async {
        var changes = network.reachability(of: .internet).changes.makeAsyncIterator()
        let noRoute = Outcome.failure(Failure(.noRoute))
        network.find(noRoute, from: "route://203.0.113.1")
        network.find(.reply(Reply(roundTrip: nil)), from: "route://[2001:db8::1]")
        #expect(await changes.next() == .reachable(via: .wired))
        network.find(noRoute)
        #expect(await changes.next() == .unreachable(.failure(Failure(.noRoute))))
    }

    @Test func `a first look-up that takes long is no verdict; what comes after it counts`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        let waiting = Outcome.failure(.awaitingResolver(of: "nas.example"))
        network.find(waiting, waiting, waiting, waiting)
        network.find(.failure(Failure(.nameNotFound)), waiting)
        network.answer()
        #expect(await changes.next() == .reachable(via: .wired))
        network.find(waiting, waiting, waiting)
        #expect(await changes.next() == .unreachable(.failure(.awaitingResolver(of: "nas.example"))))
    }

    @Test func `the status is unknown while the resolver takes its time, and can be read`() async throws {
        let door = try Doorway()
        try door.open()
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
            question: .tcp(host: "slow.example", port: door.port),
            interval: .milliseconds(20),
            timeout: .milliseconds(20)
        )
        let host = Reachability(of: .init(target), by: prober)
        var changes = host.changes(startingWithCurrent: true).makeAsyncIterator()
        for await _ in lookups { break }
        // The look-up is under way, and ends only when it is told to.
        #expect(host.lastStatus == .unknown)
        #expect(await changes.next() == .unknown)
        answers.signal()
        #expect(await changes.next() == .reachable(via: .loopback))
        #expect(await host.firstVerdict == .reachable(via: .loopback))
    }

    @Test func `a listener may be cancelled just as it is told`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        for round in 1...500 {
            let listeners = (0..<4).map { _ in Task { for await _ in host.changes {} } }
            if round.isMultiple(of: 2) { network.fallSilent() } else { network.answer() }
            for listener in listeners { listener.cancel() }
            for listener in listeners { await listener.value }
            #expect(await changes.next() != nil)
        }
    }
}

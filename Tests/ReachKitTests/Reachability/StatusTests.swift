import Monitoring
import ReachKit
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(1)))
struct StatusTests {
    private let network = ScriptedNetwork()

    @Test func `the status is unknown before anybody has asked, and nobody asks`() {
        #expect(network.reachability().lastStatus == .unknown)
        #expect(network.askings == 0)
    }

    @Test func `whoever wants to know the status has it asked for afresh, and nobody asks afterwards`() async throws {
        let host = network.reachability()
        for round in 1...2 {
            async let status = host.status
            while network.askings < round { await Task.yield() }
            let asker = try #require(network.asker)
            for await request in asker.requests { if case .watch = request { break } }
            if round == 1 { network.answer() } else { network.fallSilent() }
            #expect(await status == (round == 1 ? .reachable(via: .wired) : .unreachable(.noAnswer)))
            for await _ in asker.requests {}
        }
    }

    @Test func `while somebody listens, the status is the present one`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        network.answer()
        #expect(await changes.next() == .reachable(via: .wired))
        #expect(await host.status == .reachable(via: .wired))
        #expect(network.askings == 1)
        #expect(await host.firstVerdict == .reachable(via: .wired))
    }

    @Test func `one lost packet makes nobody unreachable`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        network.find(.timeout, .timeout, .reply(roundTrip: .milliseconds(1)), .timeout, .timeout)
        #expect(await changes.next() == .reachable(via: .wired))
        network.find(.failure(Failure(.hostUnreachable)))
        #expect(await changes.next() == .unreachable(.failure(Failure(.hostUnreachable))))
    }

    @Test func `only changes are told`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        for _ in 1...3 { network.answer() }
        #expect(await changes.next() == .reachable(via: .wired))
        for _ in 1...3 { network.answer() }
        network.fallSilent()
        network.fallSilent()
        #expect(await changes.next() == .unreachable(.noAnswer))
        network.answer()
        #expect(await changes.next() == .reachable(via: .wired))
    }

    @Test func `the present status comes first if asked for`() async {
        let host = network.reachability()
        var fresh = host.changes(startingWithCurrent: true).makeAsyncIterator()
        #expect(await fresh.next() == .unknown)
        network.answer()
        #expect(await fresh.next() == .reachable(via: .wired))
        var later = host.changes(startingWithCurrent: true).makeAsyncIterator()
        #expect(await later.next() == .reachable(via: .wired))
        var silent = host.changes.makeAsyncIterator()
        network.fallSilent()
        for status in [await fresh.next(), await later.next(), await silent.next()] {
            #expect(status == .unreachable(.noAnswer))
        }
    }

    @Test func `the changes end when their task is cancelled, and with the last listener the asking`() async throws {
        let host = network.reachability()
        let listeners = (0..<3).map { _ in Task { for await _ in host.changes {} } }
        while network.asked.isEmpty { await Task.yield() }
        let asker = try #require(network.asker)
        for listener in listeners { listener.cancel() }
        for listener in listeners { await listener.value }
        // They end with the asking.
        for await _ in asker.requests {}
        #expect(network.askings == 1)
    }

    @Test func `a listener that breaks off leaves, and the next begins anew`() async {
        let host = network.reachability()
        for round in 1...3 {
            var changes: Reachability.Changes.AsyncIterator? = host.changes.makeAsyncIterator()
            #expect(network.askings == round)
            network.answer()
            // The first verdict of each asking is a change, whatever the last one was.
            #expect(await changes?.next() == .reachable(via: .wired))
            changes = nil
            #expect(host.lastStatus == .reachable(via: .wired))
        }
    }

    @Test func `another link is a change`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        network.answer()
        #expect(await changes.next() == .reachable(via: .wired))
        network.lead(by: .vpn)
        network.answer()
        #expect(await changes.next() == .reachable(via: .vpn))
    }

    @MainActor
    @Test func `on the main actor, the changes come on the main actor`() async {
        let host = network.reachability()
        var seen: [Reachability.Status] = []
        let start = Task.detached { [network] in
            while network.asked.isEmpty { await Task.yield() }
            network.answer()
        }
        for await status in host.changes {
            MainActor.assertIsolated()
            seen.append(status)
            if seen.count == 2 { break }
            network.fallSilent()
        }
        await start.value
        #expect(seen == [.reachable(via: .wired), .unreachable(.noAnswer)])
    }

    @Test func `a fault is no verdict on the host, but there is none before it is mended`() async {
        let host = network.reachability(of: "tcp://nas.example:445")
        var changes = host.changes.makeAsyncIterator()
        let fault = Fault(.tooManyFiles, detail: "too many open files")
        network.find(.fault(fault))
        #expect(await changes.next() == .unreachable(.fault(fault)))
        network.answer()
        #expect(await changes.next() == .reachable(via: .wired))
        network.find(.fault(fault))
        network.fallSilent()
        #expect(await changes.next() == .unreachable(.noAnswer))
    }
}

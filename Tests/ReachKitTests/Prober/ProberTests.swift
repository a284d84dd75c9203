import Monitoring
import Synchronization
import Testing

@testable import ReachKit

@Suite(.timeLimit(.minutes(1)))
struct ProberTests {
    /// A prober by a script, and the askers that it has made.
    private func prober() -> (Prober, @Sendable () -> [ScriptedAsker]) {
        let made = Constant(Mutex<[ScriptedAsker]>([]))
        let prober = Prober(clock: ContinuousClock()) { _ in
            let asker = ScriptedAsker()
            made.value.withLock { $0.append(asker) }
            return asker
        }
        return (prober, { made.value.withLock { $0 } })
    }

    private final class Constant<Value: ~Copyable & Sendable>: Sendable {
        let value: Value
        init(_ value: consuming Value) { self.value = value }
    }

    private static func reply(of watch: ProberWatch, number: Int = 0) -> Finding {
        let target = Target.ID(watch.firstID + number)
        return .observation(Observation(target: target, sequence: 1, time: .zero, outcome: .timeout))
    }

    @Test func `nothing asks before anybody wants to know`() {
        let (prober, askers) = prober()
        #expect(askers().isEmpty)
        let watch = prober.watch { _ in }
        #expect(askers().count == 1)
        watch.end(asking: [])
    }

    @Test func `each watch hears of its own targets, and all hear of the link`() async throws {
        let (prober, askers) = prober()
        let (one, hearOne) = AsyncStream.makeStream(of: [Finding].self)
        let (two, hearTwo) = AsyncStream.makeStream(of: [Finding].self)
        let first = prober.watch { hearOne.yield($0) }
        let second = prober.watch { hearTwo.yield($0) }
        let link = Finding.link(isUp: true, at: .zero)
        askers()[0].find([Self.reply(of: second), link, Self.reply(of: first, number: 7)])
        var batches = one.makeAsyncIterator()
        #expect(await batches.next() == [link, Self.reply(of: first, number: 7)])
        batches = two.makeAsyncIterator()
        #expect(await batches.next() == [Self.reply(of: second), link])
        first.end(asking: [])
        second.end(asking: [])
    }

    @Test func `who comes later is told at once whether there is a way out`() async throws {
        let (prober, askers) = prober()
        let (one, hearOne) = AsyncStream.makeStream(of: [Finding].self)
        let first = prober.watch { hearOne.yield($0) }
        let link = Finding.link(isUp: false, at: .seconds(1))
        askers()[0].find([link])
        var batches = one.makeAsyncIterator()
        _ = await batches.next()
        let heard = Constant(Mutex<[Finding]>([]))
        let second = prober.watch { findings in heard.value.withLock { $0 += findings } }
        #expect(heard.value.withLock { $0 } == [link])
        first.end(asking: [])
        second.end(asking: [])
    }

    @Test func `the last one to leave ends the asking, and the next begins anew`() async throws {
        let (prober, askers) = prober()
        let first = prober.watch { _ in }
        let second = prober.watch { _ in }
        let ids = [Target.ID(first.firstID)]
        first.end(asking: ids)
        #expect(askers()[0].asked == [.forget(ids)])
        second.end(asking: [])
        for await _ in askers()[0].requests {}
        let third = prober.watch { _ in }
        #expect(askers().count == 2)
        third.end(asking: [])
    }

    @Test func `findings from before the shutdown do not reach the next run of a watch`() async throws {
        let (prober, askers) = prober()
        let (batches, batch) = AsyncStream.makeStream(of: [Finding].self)
        let watch = prober.reserve()
        _ = prober.begin(watch) { _ in }
        watch.end(asking: [])
        _ = prober.begin(watch) { batch.yield($0) }
        askers()[0].find([Self.reply(of: watch, number: 1)])
        askers()[1].find([Self.reply(of: watch, number: 2)])
        var iterator = batches.makeAsyncIterator()
        #expect(await iterator.next() == [Self.reply(of: watch, number: 2)])
        watch.end(asking: [])
    }

    @Test func `a prober that nobody uses is gone`() async throws {
        weak var gone: Prober?
        var asker: ScriptedAsker?
        do {
            let (prober, askers) = prober()
            let watch = prober.watch { _ in }
            asker = askers()[0]
            watch.end(asking: [])
            gone = prober
        }
        for await _ in try #require(asker).requests {}
        for await _ in try #require(asker).batches {}
        // The task that listened lets go in its own time.
        while gone != nil { await Task.yield() }
        #expect(gone == nil)
    }
}

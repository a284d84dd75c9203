@testable import ReachHistory
import ReachMonitoring
import Testing

@Suite struct MinuteCollectorTests {
    private let id = Target.ID(3)
    /// A program that started half a minute after a full minute, the tenth since 1970.
    private let start = Duration.seconds(630)

    private func samples(_ seconds: Range<Int>) -> [(target: Target.ID, sample: Sample)] {
        seconds.map { (id, Sample(time: .seconds($0), roundTrip: .milliseconds(1))) }
    }

    @Test func `samples are divided by the minutes of the wall clock`() {
        var collector = MinuteCollector()
        #expect(collector.add(samples(0..<100), startingAt: start).isEmpty)
        #expect(collector.end(before: .seconds(659)).isEmpty)
        let ended = collector.end(before: .seconds(721))
        #expect(ended.map(\.number) == [10, 11])
        #expect(ended.map { $0.samples[id]?.count } == [30, 60])
        #expect(collector.removeAll().map { $0.samples[id]?.count } == [10])
        #expect(collector.isEmpty)
    }

    @Test func `a late sample counts for the minute in progress`() {
        var collector = MinuteCollector()
        _ = collector.add(samples(0..<5), startingAt: start)
        #expect(collector.end(before: .seconds(660)).map(\.number) == [10])
        _ = collector.add(samples(29..<31), startingAt: start)
        #expect(collector.end(before: .seconds(720)).map { $0.samples[id]?.count } == [2])
    }

    @Test(arguments: [3_600, -3_600])
    func `when the clock is set, all minutes until then are over`(step: Int) {
        var collector = MinuteCollector()
        _ = collector.add(samples(0..<5), startingAt: start)
        let ended = collector.add(samples(5..<8), startingAt: start + .seconds(step))
        #expect(ended.map(\.number) == [10] && ended.first?.samples[id]?.count == 5)
        let next = collector.end(before: .seconds(660 + step))
        #expect(next.map(\.number) == [10 + Int64(step / 60)] && next.first?.samples[id]?.count == 3)
    }
}

import Monitoring
import Testing

@Suite struct HistoryTests {
    private func history(_ seconds: ClosedRange<Int>, capacity: Int) -> History {
        var history = History(capacity: capacity)
        for second in seconds { history.append(Sample(time: .seconds(second), roundTrip: .milliseconds(second))) }
        return history
    }

    @Test func `the newest sample replaces the oldest`() {
        let history = history(1...10, capacity: 4)
        #expect(history.map(\.time) == [7, 8, 9, 10].map { .seconds($0) })
    }

    @Test func `since returns the samples from a time on`() {
        let history = history(1...10, capacity: 100)
        #expect(history.since(.seconds(8)).map(\.time) == [8, 9, 10].map { .seconds($0) })
        #expect(history.since(.zero).count == 10)
        #expect(history.since(.seconds(11)).isEmpty)
    }

    @Test func `a smaller capacity drops the oldest`() {
        var history = history(1...10, capacity: 100)
        history.resize(to: 3)
        #expect(history.map(\.time) == [8, 9, 10].map { .seconds($0) })
    }

    @Test func `a sample keeps nanoseconds and losses`() {
        let sample = Sample(time: .nanoseconds(1_234_567_891), roundTrip: .nanoseconds(41))
        #expect(sample.time == .nanoseconds(1_234_567_891))
        #expect(sample.roundTrip == .nanoseconds(41))
        #expect(Sample(time: .zero, roundTrip: nil).roundTrip == nil)
    }
}

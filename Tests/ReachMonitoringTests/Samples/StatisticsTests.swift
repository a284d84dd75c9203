import ReachMonitoring
import Testing

@Suite struct StatisticsTests {
    /// Milliseconds of replies in arrival order; nil is a loss.
    private func statistics(_ milliseconds: [Int?]) -> Statistics {
        Statistics(
            milliseconds.enumerated().map { index, value in
                Sample(time: .seconds(index), roundTrip: value.map { .milliseconds($0) })
            }
        )
    }

    @Test func `alternating 10 and 50 ms have a jitter of 40 ms`() {
        #expect(statistics([10, 50, 10, 50, 10, 50]).jitter == .milliseconds(40))
    }

    @Test func `jitter depends on the order of arrival`() {
        #expect(statistics([10, 10, 50, 50]).jitter == .nanoseconds(13_333_333))
    }

    @Test func `loss does not move the mean`() {
        let whole = statistics([10, 20, 30])
        let lossy = statistics([10, nil, 20, nil, nil, 30])
        #expect(whole.mean == .milliseconds(20))
        #expect(lossy.mean == whole.mean)
        #expect(lossy.deviation == whole.deviation)
        #expect(lossy.loss == 0.5)
    }

    @Test func `the 95th percentile of five replies is the largest of them`() {
        #expect(statistics([5, 1, 4, 2, 3]).percentile(95) == .milliseconds(5))
    }

    @Test func `percentiles are values that occurred`() {
        let hundred = statistics((1...100).map { $0 })
        #expect(hundred.percentile(50) == .milliseconds(50))
        #expect(hundred.percentile(90) == .milliseconds(90))
        #expect(hundred.percentile(99) == .milliseconds(99))
        #expect(hundred.percentile(100) == .milliseconds(100))
        #expect(hundred.percentile(0) == .milliseconds(1))
    }

    @Test func `no samples have no statistics`() {
        let nothing = statistics([])
        #expect(nothing.loss == nil)
        #expect(nothing.mean == nil)
        #expect(nothing.jitter == nil)
        #expect(nothing.percentile(95) == nil)
        #expect(statistics([nil, nil]).loss == 1)
        #expect(statistics([7]).jitter == nil)
    }

    @Test func `the last round trip is nil when the newest probe was lost`() {
        #expect(statistics([7, 8]).last == .milliseconds(8))
        #expect(statistics([7, 8, nil]).last == nil)
    }

    @Test func `the deviation is the population's`() {
        #expect(statistics([2, 4, 4, 4, 5, 5, 7, 9]).deviation == .milliseconds(2))
    }

    @Test func `totals since the start equal the statistics of all samples`() {
        let milliseconds = [10, 50, nil, 10, 50, 7, nil, 131_072, 9, 9]
        var totals = RoundTripTotals()
        for case let value? in milliseconds { totals.record(.milliseconds(value)) }
        let window = statistics(milliseconds)
        #expect(totals.count == window.received)
        #expect(totals.min == window.min)
        #expect(totals.max == window.max)
        #expect(totals.mean == window.mean)
        #expect(totals.deviation == window.deviation)
        #expect(totals.jitter == window.jitter)
        #expect(RoundTripTotals().mean == nil)
        #expect(RoundTripTotals().jitter == nil)
    }

    @Test func `the deviation since the start is accurate after a million equal pairs`() {
        var totals = RoundTripTotals()
        for _ in 0..<100_000 {
            totals.record(.seconds(1_000) + .microseconds(1))
            totals.record(.seconds(1_000) - .microseconds(1))
        }
        #expect(totals.deviation == .microseconds(1))
    }
}

import TestSupport
import Testing

@testable import ReachMonitoring

@Suite struct StripAxisTests {
    private let utc = ZoneOffsets(.zero)
    private static let hour = Duration.seconds(3_600)
    private static let day = Duration.seconds(86_400)

    /// Europe/Berlin in 2026: summer time begins on 29 March and ends on 25 October, both at 01:00 UTC.
    private let berlin = ZoneOffsets(
        .seconds(3_600),
        changes: [
            .init(at: .seconds(1_774_746_000), to: .seconds(7_200)),
            .init(at: .seconds(1_792_890_000), to: .seconds(3_600)),
        ]
    )
    /// Local midnight of 29 March and of 25 October.
    private let spring = Duration.seconds(1_774_738_800)
    private let autumn = Duration.seconds(1_792_879_200)

    private func lengths(_ axis: StripAxis) -> [Int] {
        (0..<axis.count).map { Int((axis.slice($0).upperBound - axis.slice($0).lowerBound).components.seconds) }
    }

    @Test func `slices begin at multiples of their length, and the ends are cut`() {
        let axis = StripAxis(from: .seconds(1_000), until: .seconds(8_000), step: Self.hour, zone: utc)
        #expect(axis.boundaries == [.seconds(1_000), .seconds(3_600), .seconds(7_200), .seconds(8_000)])
        #expect(axis.count == 3 && axis.index(of: .seconds(3_600)) == 1 && axis.index(of: .seconds(3_599)) == 0)
        #expect(axis.index(of: .seconds(999)) == nil && axis.index(of: .seconds(8_000)) == nil)
    }

    @Test func `the shortest slices that fit are chosen`() {
        let step = { (days: Int, limit: Int) in
            StripAxis(from: .zero, until: Self.day * days, limit: limit, zone: utc).step
        }
        #expect(step(30, 92) == .seconds(28_800))
        #expect(step(30, 91) == .seconds(43_200))
        #expect(step(90, 92) == .seconds(86_400))
        #expect(step(1, 50) == .seconds(1_800))
        #expect(step(90, 1) == .seconds(2_592_000))
    }

    @Test func `a day is an hour shorter or longer when the clock changes`() {
        let days = { (midnight: Duration) in
            lengths(StripAxis(from: midnight, until: midnight + Self.day * 2, step: Self.day, zone: berlin))
        }
        #expect(days(spring) == [82_800, 86_400, 3_600])
        #expect(days(autumn) == [90_000, 82_800])
        let eight = { (midnight: Duration) in
            lengths(StripAxis(from: midnight, until: midnight + Self.day, step: Self.hour * 8, zone: berlin))
        }
        #expect(eight(spring) == [25_200, 28_800, 28_800, 3_600])
        #expect(eight(autumn) == [32_400, 28_800, 25_200])
        // Two o'clock does not exist in spring.
        let two = StripAxis(from: spring, until: spring + Self.hour * 5, step: Self.hour * 2, zone: berlin)
        #expect(lengths(two) == [10_800, 7_200])
        // Slices of an hour keep their length; the hour from two to three is there twice.
        let one = StripAxis(from: autumn, until: autumn + Self.hour * 5, step: Self.hour, zone: berlin)
        #expect(lengths(one) == [3_600, 3_600, 3_600, 3_600, 3_600])
    }

    @Test func `a slice shows its worst state`() {
        let span = { (state: WatchedSpan.State, from: Int, until: Int) in
            WatchedSpan(state, from: .seconds(from), until: .seconds(until))
        }
        let spans = [
            span(.unknown, 50, 110), span(.up, 110, 250), span(.degraded, 250, 260), span(.down, 260, 301),
            span(.up, 301, 400), span(.paused, 430, 500),
            span(.unknown, 510, 520), span(.blocked, 520, 600),
        ]
        let axis = StripAxis(from: .zero, until: .seconds(700), step: .seconds(100), zone: utc)
        #expect(axis.worstStates(of: spans) == [.unknown, .up, .down, .down, .paused, .blocked, .unwatched])
        #expect(axis.worstStates(of: []) == Array(repeating: .unwatched, count: 7))
        let order: [WatchedSpan.State] = [
            .down, .degraded, .maintenance, .up, .blocked, .unknown, .paused, .unwatched,
        ]
        #expect(WatchedSpan.State.worstFirst == order)
    }

    @Test func `random histories: each slice shows the worst state of its seconds`() {
        var random = TestSupport.SplitMix(seed: 90)
        for _ in 0..<2_000 {
            var spans: [WatchedSpan] = []
            var time = Int.random(in: -200..<300, using: &random)
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let start = time + (Bool.random(using: &random) ? 0 : Int.random(in: 0..<40, using: &random))
                time = start + Int.random(in: 1..<80, using: &random)
                let state = WatchedSpan.State.allCases.randomElement(using: &random) ?? .up
                spans.append(WatchedSpan(state, from: .seconds(start), until: .seconds(time)))
            }
            let start = Int.random(in: 0..<300, using: &random)
            let end = start + Int.random(in: 1..<600, using: &random)
            let step = [10, 15, 30, 60, 120].randomElement(using: &random) ?? 10
            let axis = StripAxis(
                from: .seconds(start),
                until: .seconds(end),
                step: .seconds(step),
                zone: ZoneOffsets(.zero, changes: [.init(at: .seconds(400), to: .seconds(20))])
            )
            #expect(axis.start == .seconds(start) && axis.end == .seconds(end))
            let expected = (0..<axis.count).map { index in
                let slice = axis.slice(index)
                let states = (slice.lowerBound.components.seconds..<slice.upperBound.components.seconds).map { second in
                    let present = Duration.seconds(second)
                    return spans.first { $0.start <= present && present < $0.end }?.state ?? .unwatched
                }
                return WatchedSpan.State.worstFirst.first { states.contains($0) }
            }
            #expect(axis.worstStates(of: spans) == expected)
        }
    }

    @Test func `random periods: slices fill the period, and their times sum up to those of the period`() {
        var random = TestSupport.SplitMix(seed: 7)
        for _ in 0..<300 {
            let days = [1, 7, 30, 90].randomElement(using: &random) ?? 1
            let end = [spring, autumn].randomElement(using: &random) ?? spring
            let until = end + .seconds(Int.random(in: 0..<20 * 86_400, using: &random))
            let from = until - Self.day * days
            let limit = Int.random(in: 10..<200, using: &random)
            let axis = StripAxis(from: from, until: until, limit: limit, zone: berlin)
            #expect(axis.boundaries.first == from && axis.boundaries.last == until)
            #expect(axis.count <= max(limit, 5))
            for (one, next) in zip(axis.boundaries, axis.boundaries.dropFirst()) { #expect(one < next) }
            for boundary in axis.boundaries.dropFirst().dropLast() {
                #expect(berlin.local(boundary).components.seconds % axis.step.components.seconds == 0)
            }
            var spans: [WatchedSpan] = []
            var time = from - Self.day
            while time < until, spans.count < 400 {
                let next = time + .seconds(Int.random(in: 1..<days * 9_000, using: &random))
                let state = WatchedSpan.State.allCases.randomElement(using: &random) ?? .up
                spans.append(WatchedSpan(state, from: time, until: next))
                time = next
            }
            let whole = Availability(spans, from: from, until: until)
            var sum: [WatchedSpan.State: Duration] = [:]
            for index in 0..<axis.count {
                let slice = axis.slice(index)
                let part = Availability(spans, from: slice.lowerBound, until: slice.upperBound)
                #expect(part.times.values.reduce(.zero, +) == slice.upperBound - slice.lowerBound)
                sum.merge(part.times, uniquingKeysWith: +)
            }
            #expect(sum == whole.times)
        }
    }
}

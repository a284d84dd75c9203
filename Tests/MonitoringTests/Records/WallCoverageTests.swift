import Testing

@testable import Monitoring

struct WallCoverageTests {
    private func text(_ coverage: WallCoverage, until end: Int) -> [String] {
        coverage.ranges(until: .seconds(end)).map {
            "\($0.lowerBound.components.seconds)-\($0.upperBound.components.seconds)"
        }
    }

    @Test func `without a change of the clock, there is one range`() {
        #expect(text(WallCoverage(from: .seconds(100)), until: 500) == ["100-500"])
    }

    @Test func `a clock that is set forward leaves a gap, and one that is set back overlaps`() {
        var coverage = WallCoverage(from: .seconds(1_000))
        coverage.set(from: .seconds(1_600), to: .seconds(5_200))
        #expect(text(coverage, until: 5_300) == ["1000-1600", "5200-5300"])
        coverage.set(from: .seconds(5_300), to: .seconds(1_700))
        // Less than a minute later is the same range.
        #expect(text(coverage, until: 1_750) == ["1000-1600", "1700-1750", "5200-5300"])
        coverage.set(from: .seconds(1_750), to: .seconds(200))
        #expect(text(coverage, until: 950) == ["200-1600", "1700-1750", "5200-5300"])
        #expect(coverage.programStart == .seconds(1_000))
    }

    @Test func `small steps stay one range`() {
        var coverage = WallCoverage(from: .seconds(1_000))
        for second in 0..<1_000 {
            coverage.set(from: .seconds(1_010 + second), to: .seconds(1_010 + second) + .milliseconds(150))
        }
        #expect(text(coverage, until: 3_000) == ["1000-3000"])
    }
}

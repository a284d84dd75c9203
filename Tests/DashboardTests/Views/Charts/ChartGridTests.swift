import Monitoring
import TestSupport
import Testing

@testable import Dashboard

@Suite struct ChartGridTests {
    @Test(
        arguments: [
            (1_500, 9, 9, ["1.5s", "1.0s", "0.5s"]), (1_000, 10, 10, ["1.0s", "0.8s", "0.6s", "0.4s", "0.2s"]),
            (1_000, 14, 12, ["1.00s", "0.75s", "0.50s", "0.25s"]), (70, 15, 14, ["70ms", "60ms", "50ms"]),
            (2, 8, 8, ["2.0ms", "1.5ms", "1.0ms", "0.5ms"]), (3, 4, 4, ["3ms"]), (5, 1, 1, ["5ms"]),
        ]
    )
    func `marks are round figures in one unit, at equal distances`(
        milliseconds: Int,
        height: Int,
        used: Int,
        marks: [String]
    ) {
        let grid = ChartGrid(top: .milliseconds(milliseconds), height: height)
        #expect(grid.height == used)
        #expect(Array(grid.marks.sorted { $0.key < $1.key }.map(\.value).prefix(marks.count)) == marks)
    }

    @Test func `a grid leaves at most two lines unused, on any scale`() {
        for power in [1, 10, 100, 1_000, 10_000] {
            for step in [1, 1.5, 2, 3, 5, 7] {
                for height in 1...60 {
                    let grid = ChartGrid(top: .microseconds(10) * (step * Double(power)), height: height)
                    #expect((max(1, height - 2)...height).contains(grid.height))
                    #expect(grid.marks.values.allSatisfy { $0.count <= 7 })
                }
            }
        }
    }
}

@Suite struct DetailBarTests {
    @Test func `shares fill the bar, with a column for each nonzero duration`() {
        let parts = [3, 0, 64, 771, 43].map { Duration.milliseconds($0) }
        for columns in 4...120 {
            let shares = PhasesPart.shares(of: parts, columns: columns)
            #expect(shares.reduce(0, +) == columns)
            #expect(shares[1] == 0)
            #expect(shares[0] >= 1 && shares[4] >= 1)
        }
        #expect(PhasesPart.shares(of: [.zero, .zero], columns: 9) == [0, 0])
    }

    @Test func `every round trip is in one bin`() {
        var random = SplitMix(seed: 5)
        for _ in 0..<2_000 {
            let top = Double.random(in: 0...12, using: &random)
            let values = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                Duration.nanoseconds(Int64(Double.random(in: 0...1, using: &random) * top * top * top * 1e6))
            }
            guard let bins = DistributionPart.Bins(values, lines: 10) else { continue }
            #expect(bins.counts.reduce(bins.above, +) == values.count)
            #expect(bins.counts.count <= 10)
            #expect(bins.start <= values.min() ?? .zero)
        }
        #expect(DistributionPart.Bins([], lines: 10) == nil)
    }
}

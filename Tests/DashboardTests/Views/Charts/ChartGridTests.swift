import Monitoring
import TestSupport
import Testing

@testable import Dashboard

@Suite struct ChartGridTests {
    private func marks(_ microseconds: [Int], height: Int) throws -> [Int: String] {
        let columns = microseconds.map { ChartColumn(roundTrips: [.microseconds($0)], losses: 0) }
        return ChartGrid(try #require(ChartScale(columns, height: height)), height: height).marks
    }

    @Test(
        arguments: [
            (912_000, 14, [0: "1.0s", 2: "0.8s", 5: "0.6s", 8: "0.4s", 11: "0.2s", 13: "0"]),
            (2_600, 12, [0: "3ms", 4: "2ms", 8: "1ms", 11: "0"]),
            (70_000, 4, [0: "75ms", 3: "0"]), (44, 3, [0: "60µs", 2: "0"]), (70_000, 1, [0: "75ms"]),
        ] as [(Int, Int, [Int: String])]
    )
    func `marks are round figures in one unit`(microseconds: Int, height: Int, marks: [Int: String]) throws {
        // The second value keeps the scale at zero.
        #expect(try self.marks([microseconds, microseconds / 9], height: height) == marks)
    }

    @Test func `a scale that does not start at zero shows its lower edge`() throws {
        #expect(try marks([600_000, 640_000], height: 8) == [0: "700ms", 2: "600ms", 5: "500ms", 7: "400ms"])
    }

    @Test func `marks are never in adjacent lines and fit the margin`() throws {
        for power in [1, 10, 100, 1_000, 10_000] {
            for value in [10, 13, 17, 21, 24, 29, 33, 41, 55, 61, 78, 99] {
                for height in 3...60 {
                    let marks = try marks([value * power, value * power / 9], height: height)
                    let lines = marks.keys.sorted()
                    #expect(lines.first == 0 && lines.last == height - 1)
                    #expect(zip(lines, lines.dropFirst()).allSatisfy { $1 - $0 >= 2 })
                    #expect(marks.values.allSatisfy { $0.count <= 7 })
                    #expect(Set(marks.values).count == marks.count)
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

import Monitoring
import TestSupport
import Testing

@testable import Dashboard

@Suite struct ChartGridTests {
    private func grid(_ microseconds: [Int], height: Int, slow: Duration? = nil) throws -> ChartGrid {
        let columns = microseconds.map { ChartColumn(roundTrips: [.microseconds($0)], losses: 0) }
        return ChartGrid(try #require(ChartScale(columns, height: height, slow: slow)), height: height, slow: slow)
    }

    private func marks(_ microseconds: [Int], height: Int) throws -> [Int: String] {
        try grid(microseconds, height: height).marks
    }

    @Test(
        arguments: [
            (912_000, 14, [1: "800ms", 4: "600ms", 7: "400ms", 10: "200ms", 13: "0"]),
            (2_600, 12, [1: "2.5ms", 3: "2.0ms", 5: "1.5ms", 7: "1.0ms", 9: "0.5ms", 11: "0"]),
            (960, 14, [1: "1.00ms", 4: "0.75ms", 7: "0.50ms", 10: "0.25ms", 13: "0"]),
            (70_000, 4, [1: "50ms", 3: "0"]), (44, 3, [0: "60µs", 2: "0"]), (70_000, 1, [0: "75ms"]),
        ] as [(Int, Int, [Int: String])]
    )
    func `marks are round figures in one unit`(microseconds: Int, height: Int, marks: [Int: String]) throws {
        // The second value keeps the scale at zero.
        #expect(try self.marks([microseconds, microseconds / 9], height: height) == marks)
    }

    @Test func `a scale that does not start at zero shows its lower edge`() throws {
        #expect(try marks([600_000, 640_000], height: 8) == [1: "600ms", 3: "550ms", 5: "500ms", 7: "450ms"])
    }

    @Test(
        arguments: [
            (350, 5, "350ms"), (300, 6, "300ms"), (250, 6, "250ms"), (100, 8, "100ms"), (40, nil, nil), (900, nil, nil),
        ] as [(Int, Int?, String?)]
    )
    func `the limit of slow replies is marked where it is on the scale`(slow: Int, line: Int?, mark: String?) throws {
        let grid = try grid([800_000, 200_000], height: 10, slow: .milliseconds(slow))
        #expect(grid.marks == [9: "0", 6: "250ms", 3: "500ms", 0: "750ms"])
        #expect(grid.limit?.line == line)
        #expect(grid.limit?.mark == mark)
    }

    @Test(
        arguments: [
            (350, 3, true, [2: "0", 0: "300ms"]), (800, 3, true, [2: "0", 1: "300ms", 0: "600ms"]),
            (500, 2, true, [1: "0", 0: "300ms"]), (1_000, 3, false, [2: "0", 0: "1.0s"]),
        ] as [(Int, Int, Bool, [Int: String])]
    )
    func `a low chart has a mark at the limit that is exceeded`(
        longest: Int,
        height: Int,
        isMarked: Bool,
        marks: [Int: String]
    ) throws {
        let grid = try grid([longest * 1_000, 9_000], height: height, slow: .milliseconds(300))
        #expect(grid.marks == marks)
        #expect(grid.limit.map { grid.marks[$0.line] } == (isMarked ? "300ms" : nil))
    }

    @Test func `the mark of the limit has the unit of the others`() throws {
        let grid = try grid([1_800_000, 200_000], height: 10, slow: .milliseconds(250))
        #expect(grid.limit?.mark == "0.25s")
        #expect(grid.marks.values.allSatisfy { $0 == "0" || $0.hasSuffix("s") && !$0.hasSuffix("ms") })
    }

    @Test func `marks are whole lines apart, never in adjacent ones, and fit the margin`() throws {
        for power in [1, 10, 100, 1_000, 10_000] {
            for value in [10, 13, 17, 21, 24, 29, 33, 41, 55, 61, 78, 99] {
                for height in 3...60 {
                    let marks = try marks([value * power, value * power / 9], height: height)
                    let lines = marks.keys.sorted()
                    #expect(lines.count >= 2 && lines.count <= 7 && lines.last == height - 1)
                    let distances = Set(zip(lines, lines.dropFirst()).map { $1 - $0 })
                    #expect(distances.count == 1 && distances.allSatisfy { $0 >= 2 })
                    #expect(marks.values.allSatisfy { $0.count <= 7 })
                    #expect(Set(marks.values).count == marks.count)
                }
            }
        }
    }
}

@Suite struct DetailBarTests {
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

import ReachMonitoring
import TestSupport
import Testing

@testable import ReachDashboard

@Suite struct ChartScaleTests {
    private func columns(_ microseconds: [Int?]) -> [ChartColumn] {
        microseconds.map { ChartColumn(Sample(time: .zero, roundTrip: $0.map { .microseconds($0) })) }
    }

    private func scale(_ microseconds: [Int?], height: Int = 20) throws -> ChartScale {
        try #require(ChartScale(columns(microseconds), height: height))
    }

    @Test(
        arguments: [
            ([1_000, 900, 300], 1_000, 200, 4), ([1_010, 300], 1_250, 250, 4), ([3_600, 700], 4_000, 1_000, 5),
            ([912_000, 300_000], 1_000_000, 200_000, 4), ([41, 12], 50, 10, 4),
        ] as [([Int], Int, Int, Int)]
    )
    func `marks are round figures and whole lines apart`(values: [Int], top: Int, step: Int, lines: Int) throws {
        let scale = try scale(values)
        #expect(scale.bottom == .zero)
        #expect(scale.top == .microseconds(top))
        #expect(scale.step == .microseconds(step))
        #expect(scale.linesPerStep == lines)
    }

    @Test func `the values use the upper two thirds of any scale`() throws {
        var random = SplitMix(seed: 11)
        for _ in 0..<2_000 {
            let sizes: [Double] = [10, 100, 1_000, 10_000, 100_000, 1_000_000]
            let size = sizes.randomElement(using: &random) ?? 10
            let spread = Double.random(in: 0...1, using: &random)
            let values = (0..<Int.random(in: 1...9, using: &random)).map { _ -> Int in
                Int(size * Double.random(in: (1 - spread)...1, using: &random)) + 1
            }
            let height = Int.random(in: 1...30, using: &random)
            let scale = try scale(values, height: height)
            let longest = Duration.microseconds(values.max() ?? 0)
            let isClipped = longest > scale.top
            let shown = values.map { Duration.microseconds($0) }.filter { $0 <= scale.top }.max() ?? .zero
            #expect((shown - scale.bottom) / (scale.top - scale.bottom) > 0.66, "\(values) in \(height) lines")
            #expect((scale.top - scale.bottom) / scale.step <= max(3, Double(height) / 2) + 0.01)
            #expect(!isClipped || values.count >= 4)
            #expect(values.allSatisfy { .microseconds($0) >= scale.bottom })
            #expect(scale.step * Int((scale.bottom / scale.step).rounded()) == scale.bottom)
            // Each mark is at the lowest level of a line.
            guard let lines = scale.linesPerStep else { continue }
            for part in 0...(height - 1) / lines {
                let mark = scale.bottom + scale.step * part
                #expect(scale.level(ofNanoseconds: mark.nanoseconds, count: height * 4) == part * lines * 4)
            }
        }
    }

    @Test func `a scale starts at zero, unless all values are far above it`() throws {
        #expect(try scale([300_000, 420_000]).bottom == .zero)
        let far = try scale([600_000, 612_000, 640_000])
        #expect(far.bottom == .milliseconds(450))
        #expect(far.top == .milliseconds(650))
        // A low chart, and one of equal values, start at zero.
        #expect(try scale([600_000, 612_000, 640_000], height: 7).bottom == .zero)
        #expect(try scale([9, 9, 9]).bottom == .zero)
    }

    @Test func `a scale shows the limit that its values exceed`() throws {
        for (slow, bottom) in [(300, 0), (600, 0), (640, 0), (641, 450), (900, 450)] {
            let columns = columns([600_000, 612_000, 640_000])
            let scale = try #require(ChartScale(columns, height: 20, slow: .milliseconds(slow)))
            #expect(scale.bottom == .milliseconds(bottom))
        }
    }

    @Test func `outliers are clipped, and their columns do not set the scale`() throws {
        let spiked = try scale(Array(repeating: 10_000, count: 40) + [12_000, 900_000])
        #expect(spiked.top < .milliseconds(20))
        #expect(spiked.level(ofNanoseconds: 900_000_000, count: 8) == nil)
        #expect(spiked.level(ofNanoseconds: 10_000_000, count: 8) != nil)
        // A tenth of the probes are no outliers.
        let bimodal = Array(repeating: 10_000, count: 36) + [800_000, 900_000, 850_000, 870_000]
        #expect(try scale(bimodal).top >= .milliseconds(900))
        // Two values cannot tell which one is the outlier.
        #expect(try scale([10_000, 900_000]).top >= .milliseconds(900))
    }

    @Test func `the scale includes the usual maxima, so that few columns are clipped`() throws {
        let steady = Array(repeating: Duration.milliseconds(10), count: 2)
        let usual = ChartColumn(roundTrips: steady + [.milliseconds(30)], losses: 0)
        let columns = Array(repeating: usual, count: 30)
        #expect(try #require(ChartScale(columns, height: 20)).top >= .milliseconds(30))
        let spike = ChartColumn(roundTrips: steady + [.milliseconds(900)], losses: 0)
        let top = try #require(ChartScale(columns + [spike], height: 20)).top
        #expect((.milliseconds(30)...(.milliseconds(60))).contains(top))
    }

    @Test func `a repeated outlier counts once`() throws {
        var scene = Scene([.make(interval: .seconds(10))])
        for value in [10.0, 10, 11, 10, 900] {
            scene.wait(.seconds(9))
            scene.receive([value], from: "NAS")
        }
        scene.wait(.seconds(9))
        let state = try #require(scene.model.roster.states.first)
        let axis = TimeAxis(.seconds(60), until: scene.now, cells: 60)
        let scale = try #require(ChartScale(ChartColumn.columns(of: state, along: axis), height: 20))
        #expect(scale.top < .milliseconds(20))
    }

    @Test func `without a round trip there is no scale`() {
        #expect(ChartScale([], height: 9) == nil)
        #expect(ChartScale(columns([nil, nil]), height: 9) == nil)
        #expect(ChartScale([ChartColumn(Sample(replyWithoutRoundTripAt: .zero)), .blank], height: 9) == nil)
    }
}

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

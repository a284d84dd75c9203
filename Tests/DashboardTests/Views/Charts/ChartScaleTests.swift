import Monitoring
import TestSupport
import Testing

@testable import Dashboard

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
        let steady = Array(repeating: Duration.milliseconds(10), count: 19)
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

import Monitoring
import TestSupport
import Testing

@testable import Dashboard

@Suite struct BrailleChartTests {
    /// A chart whose top is 8 ms, one level per millisecond with two lines. A negative value is a lost probe, nil is
    /// blank.
    private func chart(_ values: [Double?], height: Int = 2, glyphs: Glyphs = .unicode) -> BrailleChart {
        let columns = values.map { value -> ChartColumn in
            guard let value else { return .blank }
            return ChartColumn(
                Sample(time: .zero, roundTrip: value < 0 ? nil : .microseconds(Int(value * 1_000)))
            )
        }
        return chart(columns, height: height, glyphs: glyphs)
    }

    private func chart(_ columns: [ChartColumn], height: Int = 2, glyphs: Glyphs = .unicode) -> BrailleChart {
        BrailleChart(columns, scale: ChartScale(top: .milliseconds(8)), height: height, glyphs: glyphs)
    }

    private func text(_ chart: BrailleChart) -> [String] {
        chart.lines.map { String($0.map(\.character)) }
    }

    private func kinds(_ chart: BrailleChart) -> [String] {
        let letters: [BrailleChart.Kind: Character] = [.blank: ".", .area: "a", .maximum: "m", .clipped: "c"]
        return chart.lines.map { line in String(line.map { letters[$0.kind] ?? "?" }) }
    }

    @Test(
        arguments: [
            (0, [" ", "⣀"]), (1, [" ", "⣤"]), (2, [" ", "⣶"]), (3, [" ", "⣿"]),
            (4, ["⣀", "⣿"]), (5, ["⣤", "⣿"]), (6, ["⣶", "⣿"]), (7, ["⣿", "⣿"]),
        ] as [(Int, [String])]
    )
    func `an area reaches up to its level`(level: Int, picture: [String]) {
        let value = Double(level) + 0.5
        #expect(text(chart([value, value])) == picture)
    }

    @Test func `the maximum is a dot above the median`() {
        let columns = [[1, 1, 7], [1, 1, 3], [1, 1, 1]].map { values in
            ChartColumn(roundTrips: values.map { .milliseconds($0) + .microseconds(500) }, losses: 0)
        }
        let drawn = chart(columns)
        #expect(text(drawn) == ["⠁ ", "⣬⡄"])
        #expect(kinds(drawn) == ["m.", "aa"])
    }

    @Test func `a lost probe is a gap`() {
        #expect(text(chart([4.5, 4.5, -1, -1, 4.5, 4.5])) == ["⣀ ⣀", "⣿ ⣿"])
        #expect(text(chart([0.5, -1])) == [" ", "⡀"])
    }

    @Test func `a value above the scale is marked at the top, and the rest keeps its level`() {
        let spiked = chart([2.5, 2.5, nil, 900, nil, nil, 2.5, 2.5])
        #expect(text(spiked) == [" ▲  ", "⣶⢸ ⣶"])
        #expect(kinds(spiked) == [".c..", "aa.a"])
        #expect(spiked.clipped == [1: .milliseconds(900)])
    }

    @Test func `a maximum above the scale does not hide the median`() {
        let column = ChartColumn(roundTrips: [1.5, 1.5, 90].map { .microseconds(Int($0 * 1_000)) }, losses: 0)
        #expect(text(chart([column, column])) == ["▲", "⣤"])
    }

    @Test func `time without probes is blank`() {
        #expect(text(chart([nil, nil, 0.5, 0.5, nil, nil])) == ["   ", " ⣀ "])
    }

    @Test func `without a scale, replies are drawn at the lower edge`() {
        let link = ChartColumn(Sample(replyWithoutRoundTripAt: .zero))
        let chart = BrailleChart([link, link, .blank, link], scale: nil, height: 2, glyphs: .unicode)
        #expect(text(chart) == ["  ", "⣀⢀"])
    }

    @Test func `ASCII shows which half of a character has dots`() {
        #expect(text(chart([0.5, 0.5, 2.5, 2.5, nil, nil, -1, 9], glyphs: .ascii)) == ["   ^", ".: :"])
    }

    @Test func `scrolling does not change the other columns`() throws {
        var scene = Scene([.make()])
        scene.receive((0..<100).map { Double($0 / 3 % 7 + 1) }, from: "NAS")
        let axis = { TimeAxis(.seconds(60), until: $0, cells: 15, columnsPerCell: BrailleChart.columnsPerCell) }
        let draw = { (scene: Scene) throws -> [String] in
            let state = try #require(scene.model.roster.states.first)
            return text(chart(ChartColumn.columns(of: state, along: axis(scene.now)), height: 4))
        }
        let before = try draw(scene)
        scene.receive([3, 3, 3, 3, 3, 3, 3, 3], from: "NAS")
        // The newest character was not complete.
        let after = try draw(scene)
        #expect(before.map { $0.dropFirst(2).dropLast() } == after.map { $0.dropLast(3) })
    }
}

@Suite struct AreaChartTests {
    /// The lines of the chart of one probe per second.
    private func lines(_ milliseconds: [Double?], slow: Duration? = nil) throws -> [String] {
        var scene = Scene([.make("NAS", slow: slow)])
        scene.receive(milliseconds, from: "NAS")
        let state = try #require(scene.model.roster.states.first)
        let axis = TimeAxis(.seconds(60), until: scene.now, cells: 30, columnsPerCell: 2)
        let appearance = Appearance(theme: .roles, glyphs: .unicode)
        let chart = AreaChart(state, along: axis, height: 6, cursor: nil, appearance: appearance)
        return chart.lines.map { $0.map(\.text).joined() }
    }

    @Test func `a clipped value is written beside its mark`() throws {
        let values = Array(repeating: 10.0, count: 50).enumerated().map { $0 == 20 ? 900 : $0 % 2 == 0 ? 8.1 : $1 - 7 }
        let line = try lines(values)[0]
        #expect(line.contains("▲900ms "))
        #expect(line.count == 30)
        // At the right edge, the value is on the left.
        let late = try lines(values.dropFirst(21).map { $0 } + [800])[0]
        #expect(late.contains("800ms▲"))
    }

    @Test func `the largest clipped value is written even over the area`() throws {
        let values = Array(repeating: 10.0, count: 59).enumerated().map { $0 == 20 ? 900 : $0 == 40 ? 700 : $1 }
        let line = try lines(values)[0]
        #expect(line.contains("▲900ms"))
        #expect(!line.contains("700ms"))
    }

    @Test func `adjacent marks share the largest value`() throws {
        let outliers: [Int: Double] = [20: 800, 21: 900]
        let values = (0..<50).map { index -> Double in outliers[index] ?? (index.isMultiple(of: 2) ? 8.1 : 3) }
        let line = try lines(values)[0]
        #expect(line.contains(" ▲▲900ms ") && !line.contains("800ms"))
    }

    @Test func `the limit of slow replies is a line in the blank part`() throws {
        let chart = try lines([10, 10, 10, 4, nil, 10, 10], slow: .milliseconds(5))
        #expect(chart.count { $0.contains("┄") } == 1)
        #expect(try lines([10, 10, 10, 4], slow: .milliseconds(500)).allSatisfy { !$0.contains("┄") })
    }
}

import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

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

    /// A column with this median and this maximum in milliseconds.
    private func column(_ median: Double, _ maximum: Double) -> ChartColumn {
        ChartColumn(roundTrips: [median, median, maximum].map { .microseconds(Int($0 * 1_000)) }, losses: 0)
    }

    private func text(_ chart: BrailleChart) -> [String] {
        chart.lines.map { String($0.map(\.character)) }
    }

    private func kinds(_ chart: BrailleChart) -> [String] {
        let letters: [BrailleChart.Kind: Character] = [.blank: ".", .area: "a", .full: "f", .maximum: "m"]
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
        let drawn = chart([column(1.5, 7.5), column(1.5, 3.5), column(1.5, 1.5)])
        #expect(text(drawn) == ["⠁ ", "⣬⡄"])
        #expect(kinds(drawn) == ["m.", "aa"])
    }

    @Test func `a lost probe is a gap`() {
        #expect(text(chart([4.5, 4.5, -1, -1, 4.5, 4.5])) == ["⣀ ⣀", "⣿ ⣿"])
        #expect(text(chart([0.5, -1])) == [" ", "⡀"])
    }

    @Test func `a median above the scale fills the height, and the rest keeps its level`() {
        let spiked = chart([2.5, 2.5, nil, 900, nil, nil, 2.5, 2.5])
        #expect(text(spiked) == [" ⢸  ", "⣶⢸ ⣶"])
        #expect(spiked.clipped == [1: .milliseconds(900)])
    }

    @Test func `a maximum above the scale does not hide the median`() {
        let spiked = chart([column(1.5, 90), column(1.5, 80)])
        #expect(text(spiked) == [" ", "⣤"])
        #expect(spiked.clipped == [0: .milliseconds(90)])
    }

    @Test func `on a scale that does not start at zero, the medians are a line`() throws {
        let columns = [600, 600, 600, 612, 640, 600, nil, 640].map { value in
            value.map { ChartColumn(roundTrips: [.milliseconds($0)], losses: 0) } ?? .blank
        }
        let scale = try #require(ChartScale(columns, height: 8))
        #expect(scale.bottom > .zero)
        let drawn = BrailleChart(columns, scale: scale, height: 8, glyphs: .unicode)
        #expect(!drawn.lines.joined().contains { $0.kind == .full })
        #expect(text(drawn).last == "    ")
        // From 640 ms back to 600 ms, the line goes on without a gap; after a blank column, it begins anew.
        let dots = text(drawn).map { Array($0) }
        #expect(dots.count { $0[0] != " " } == 1)
        #expect(dots.count { $0[2] != " " } >= 2)
        #expect(dots.count { $0[3] != " " } == 1)
    }

    @Test(arguments: [(Glyphs.console, ["·", "▄"]), (.ascii, ["'", "."])])
    func `without braille, a maximum has a character of its own`(glyphs: Glyphs, picture: [String]) {
        #expect(text(chart([column(0.5, 7.5), column(0.5, 0.5)], glyphs: glyphs)) == picture)
        // The character of an area does not grow by a maximum.
        #expect(text(chart([column(0.5, 3.5), column(0.5, 3.5)], glyphs: glyphs)) == [" ", picture[1]])
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
        #expect(text(chart([0.5, 0.5, 2.5, 2.5, nil, nil, -1, 9], glyphs: .ascii)) == ["   :", ".: :"])
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
    /// The chart of one probe per second.
    private func chart(_ milliseconds: [Double?], slow: Duration? = nil, height: Int = 6) throws -> AreaChart {
        var scene = Scene([.make("NAS", slow: slow)])
        scene.receive(milliseconds, from: "NAS")
        let state = try #require(scene.model.roster.states.first)
        let axis = TimeAxis(.seconds(60), until: scene.now, cells: 30, columnsPerCell: 2)
        let appearance = Appearance(theme: .roles, glyphs: .unicode)
        return AreaChart(state, along: axis, height: height, cursor: nil, appearance: appearance)
    }

    private func lines(_ milliseconds: [Double?], slow: Duration? = nil, height: Int = 6) throws -> [String] {
        try chart(milliseconds, slow: slow, height: height).lines.map { String($0.map(\.character)) }
    }

    /// The letters of the colours of a chart's lines.
    private func colors(_ milliseconds: [Double?], slow: Duration?, height: Int) throws -> [String] {
        try chart(milliseconds, slow: slow, height: height).lines.map { line in
            String(line.map { Theme.letter(of: $0.style) })
        }
    }

    @Test func `a clipped value is written beside its mark`() throws {
        let values = (0..<50).map { $0 == 20 ? 900 : $0 % 2 == 0 ? 8.1 : 3 }
        let line = try lines(values)[0]
        #expect(line.contains("▲900ms "))
        #expect(line.count == 30)
        // At the right edge, the value is on the left.
        let late = try lines(values.dropFirst(21).map { $0 } + [800])[0]
        #expect(late.contains("800ms▲"))
    }

    @Test(arguments: 2...9)
    func `clipped values have a line of their own and hide no other value`(height: Int) throws {
        let outliers: [Int: Double] = [20: 900, 40: 700]
        let values = (0..<59).map { outliers[$0] ?? 10 }
        let lines = try lines(values, height: height)
        #expect(lines.count == height)
        #expect(lines[0].contains("▲900ms") && lines[0].contains("▲700ms"))
        #expect(lines[0].allSatisfy { " ▲msz0123456789".contains($0) })
        // The rest is as without them.
        let steady = try self.lines(Array(repeating: 10, count: 59), height: height - 1)
        #expect(lines.last?.filter { $0 == "⣿" }.count == steady.last?.filter { $0 == "⣿" }.count)
        // Without clipped values, there is no such line.
        #expect(try self.lines(Array(repeating: 10, count: 59), height: 3)[0].contains("⣿"))
    }

    @Test func `adjacent marks share the largest value`() throws {
        let outliers: [Int: Double] = [20: 800, 21: 900]
        let values = (0..<50).map { index -> Double in outliers[index] ?? (index.isMultiple(of: 2) ? 8.1 : 3) }
        let line = try lines(values)[0]
        #expect(line.contains(" ▲▲900ms ") && !line.contains("800ms"))
    }

    @Test func `the limit of slow replies is a line that the area does not hide, with a mark`() throws {
        let values: [Double?] = [10, 10, 10, 4, nil] + Array(repeating: 10, count: 40)
        let chart = try chart(values, slow: .milliseconds(5))
        let lines = chart.lines.map { String($0.map(\.character)) }
        let limit = try #require(lines.firstIndex { $0.contains("┄") })
        #expect(lines.count { $0.contains("┄") } == 1)
        #expect(lines[limit].count { $0 == "┄" } >= 28)
        #expect(chart.marks[limit] == Segment("5ms", Theme.roles[.degraded]))
        #expect(try self.lines([10, 10, 10, 4], slow: .milliseconds(500)).allSatisfy { !$0.contains("┄") })
    }

    @Test(arguments: 1...20)
    func `a value has a warning's colour only above the limit`(height: Int) throws {
        let values = Array(repeating: 22.0, count: 20) + Array(repeating: 500.0, count: 20)
        let colors = try colors(values, slow: .milliseconds(100), height: height)
        #expect(try #require(colors.last).first { $0 != " " } == "u")
        #expect(colors.joined().contains("s") && !colors.joined().contains("d"))
        // The short values are in the lowest lines, also of a low chart, where these reach above the limit.
        #expect(colors.allSatisfy { !$0.contains("s") || !$0.drop { $0 != "s" }.contains("u") })
        #expect(try !self.colors(values, slow: .milliseconds(500), height: height).joined().contains("s"))
    }
}

import Monitoring
import TestSupport
import Testing

@testable import Dashboard

@Suite struct BrailleChartTests {
    /// A chart whose top is 8 ms, one level per millisecond with two lines. A negative value is a lost probe, nil is
    /// blank.
    private func chart(_ values: [Double?], slow: Duration? = nil, height: Int = 2, glyphs: Glyphs = .unicode)
        -> BrailleChart
    {
        let columns = values.map { value -> ChartColumn in
            value.map { $0 < 0 ? .lost : .roundTrip(.microseconds(Int($0 * 1_000))) } ?? .blank
        }
        let scale = ChartScale(top: .milliseconds(8))
        return BrailleChart(columns, scale: scale, slow: slow, height: height, glyphs: glyphs)
    }

    private func text(_ chart: BrailleChart) -> [String] {
        chart.lines.map { String($0.map(\.character)) }
    }

    private func kinds(_ chart: BrailleChart) -> [String] {
        let letters: [BrailleChart.Kind: Character] = [
            .blank: ".", .normal: "n", .slow: "s", .clipped: "c", .loss: "l",
        ]
        return chart.lines.map { line in String(line.map { letters[$0.kind] ?? "?" }) }
    }

    @Test(
        arguments: [
            (0, [" ", "⣀"]), (1, [" ", "⠤"]), (2, [" ", "⠒"]), (3, [" ", "⠉"]),
            (4, ["⣀", " "]), (5, ["⠤", " "]), (6, ["⠒", " "]), (7, ["⠉", " "]),
        ] as [(Int, [String])]
    )
    func `each of the four levels of a character has its own dots`(level: Int, picture: [String]) {
        let value = Double(level) + 0.5
        #expect(text(chart([value, value])) == picture)
    }

    @Test func `a jump is drawn as a vertical line`() {
        #expect(text(chart([0.5, 7.5, 0.5, 0.5])) == ["⢸⡇", "⣸⣇"])
    }

    @Test func `a lost probe is marked at the bottom and breaks the line`() {
        let broken = chart([4.5, 4.5, -1, -1, 4.5, 4.5])
        #expect(text(broken) == ["⣀ ⣀", " × "])
        #expect(kinds(broken) == ["n.n", ".l."])
        // A loss in one half of a character marks the whole character.
        #expect(text(chart([0.5, -1])) == [" ", "×"])
        #expect(text(chart([-1, 0.5])) == [" ", "×"])
    }

    @Test func `a value above the scale is marked at the top, and the rest keeps its level`() {
        let spiked = chart([2.5, 2.5, nil, 900, nil, nil, 2.5, 2.5])
        #expect(text(spiked).map { $0.last } == [" ", "⠒"])
        #expect(kinds(spiked) == [".c..", "n..n"])
        #expect(text(spiked)[0] == " ▲  ")
    }

    @Test func `time without probes is blank`() {
        #expect(text(chart([nil, nil, 0.5, 0.5, nil, nil])) == ["   ", " ⣀ "])
    }

    @Test func `slow round trips have their own kind`() {
        #expect(kinds(chart([1, 1, 5, 5], slow: .milliseconds(4)))[0] == ".s")
        #expect(kinds(chart([1, 1, 5, 5]))[0] == ".n")
    }

    @Test func `ASCII shows which half of a character has dots`() {
        #expect(text(chart([0.5, 0.5, 2.5, 2.5, nil, nil, -1, 9], glyphs: .ascii)) == ["   ^", ".: x"])
        #expect(text(chart([2.5, 2.5], glyphs: .ascii)) == [" ", "'"])
    }

    @Test func `a chart of one line has the same marks`() {
        #expect(text(chart([1, 1, 7, 7, -1, -1, 9, 9], height: 1)) == ["⣀⡏×▲"])
    }

    @Test func `scrolling does not change the other columns`() throws {
        var scene = Scene([.make()])
        scene.receive((0..<100).map { Double($0 / 3 % 7 + 1) }, from: "NAS")
        let axis = { TimeAxis(.seconds(60), until: $0, cells: 15, columnsPerCell: BrailleChart.columnsPerCell) }
        let draw = { (scene: Scene) throws -> [String] in
            let state = try #require(scene.model.roster.states.first)
            let columns = ChartColumn.columns(of: state, along: axis(scene.now))
            let scale = ChartScale(top: .milliseconds(8))
            return text(BrailleChart(columns, scale: scale, slow: nil, height: 4, glyphs: .unicode))
        }
        let before = try draw(scene)
        scene.receive([3, 3, 3, 3, 3, 3, 3, 3], from: "NAS")
        // The leftmost character may lose its line from the left, and the newest one was not complete.
        let after = try draw(scene)
        #expect(before.map { $0.dropFirst(3).dropLast() } == after.map { $0.dropFirst(1).dropLast(3) })
    }
}

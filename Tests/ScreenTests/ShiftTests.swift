import TestSupport
import Testing

@testable import Screen

@Suite struct ShiftTests {
    private let bars = Array("▁▂▃▄▅▆▇█")

    private func frame(_ lines: [(text: String, style: Style)], columns: Int = 40) -> Frame {
        var frame = Frame(size: Size(columns: columns, rows: lines.count))
        for (row, line) in lines.enumerated() {
            frame.write(line.text, at: Position(column: 8, row: row), style: line.style)
            frame.write("\(row)s", at: Position(column: columns - 2, row: row))
        }
        return frame
    }

    @Test(arguments: 1...4)
    func `a shifted chart is found, with its distance`(distance: Int) {
        let line = String((0..<30).map { bars[$0 * $0 % 7] })
        let old = frame([(String(line.prefix(25)), Style(.green))])
        let new = frame([(String(line.dropFirst(distance).prefix(25)), Style(.green))])
        let shifts = new.shifts(from: old)
        #expect(shifts.map(\.distance) == [distance])
        // One more: the blank into which the last bar overflows.
        #expect(new.changes(from: old.applying(shifts)).map(\.columns).reduce(0, +) <= distance + 1)
    }

    @Test func `a single high bar in a flat chart moves with the bars behind it, which would be painted after it`() {
        let old = frame([("▁▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁", Style(.green))])
        let new = frame([("▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁▁", Style(.green))])
        let shifts = new.shifts(from: old)
        #expect(shifts == [Shift(row: 0, columns: 8..<26, distance: 1)])
        #expect(new.changes(from: old.applying(shifts)).map(\.text) == ["▁ "])
    }

    @Test func `equal rows and rows that change without a shift are not shifted`() {
        let old = frame([("▁▂▃▄▅▆▇█▇▆▅▄▃▂▁", .plain), ("a name", .plain)])
        #expect(old.shifts(from: old) == [])
        let new = frame([("█▂▁▁▆▅▂▂▁▁▄▃▁▄▃", .plain), ("another one that is longer", .plain)])
        #expect(new.shifts(from: old) == [])
        #expect(new.shifts(from: Frame(size: Size(columns: 3, rows: 3))) == [])
    }

    @Test func `a row with a wide character in the shifted part is not shifted`() {
        let old = frame([("▁▂▃▄▅▆▇█▇▆▅▄▃▂▁▂▃", .plain)])
        let new = frame([("▂▃▄▅▆▇█▇▆▅▄▃▂▁▂▃▄", .plain)])
        #expect(new.shifts(from: old).count == 1)
        let wide = [old, new].map { frame in
            var frame = frame
            frame.write("日", at: Position(column: 30, row: 0))
            return frame
        }
        #expect(wide[1].shifts(from: wide[0]) == [])
    }

    @Test func `charts beside each other are shifted, and figures between them stay`() {
        let charts = { (step: Int) in
            let chart = String((step..<step + 16).map { bars[$0 * $0 % 7] })
            return [("\(chart) the figures between them │\(chart)", Style(.green))]
        }
        let (old, new) = (frame(charts(0), columns: 90), frame(charts(1), columns: 90))
        #expect(new.shifts(from: old).map(\.columns) == [8..<24, 51..<67])
    }

    @Test func `the rows of a chart are shifted in the same columns, even where less has changed`() {
        let lines = { (step: Int) in
            let letters = Array("⣀⣤⣶⡇⢸")
            return (0..<4).map { row in
                let dots = (step..<step + 24).map { $0 < 20 && row == 2 ? "⣿" : letters[$0 * $0 % 5] }
                return (String(dots), Style(.green))
            }
        }
        let shifts = frame(lines(1)).shifts(from: frame(lines(0)))
        #expect(shifts.map(\.row) == [0, 1, 2, 3])
        #expect(Set(shifts.map(\.columns)) == [8..<32])
    }

    @Test func `a line of labels is shifted`() {
        let (old, new) = ("10:03:35    10:03:40    10:03:45", "  10:03:35    10:03:40    10:03:45")
        let shifts = frame([(old, .plain)], columns: 60).shifts(from: frame([(new, .plain)], columns: 60))
        #expect(shifts.map(\.distance) == [2])
    }

    /// A terminal that deletes cells and then inserts blanks.
    @Test func `shifts within its columns like a terminal`() {
        var random = SplitMix(seed: 7)
        for _ in 0..<200 {
            let line = String((0..<40).map { _ in bars.randomElement(using: &random) ?? "▁" })
            let old = frame([(line, .plain)], columns: 50)
            let lower = Int.random(in: 0..<30, using: &random)
            let shift = Shift(
                row: 0,
                columns: lower..<Int.random(in: lower + 5...50, using: &random),
                distance: Int.random(in: 1...4, using: &random)
            )
            var cells = old.lines[0].map(\.character)
            cells.removeSubrange(lower..<lower + shift.distance)
            cells += repeatElement(" ", count: shift.distance)
            let end = shift.columns.upperBound - shift.distance
            cells.insert(contentsOf: repeatElement(" ", count: shift.distance), at: end)
            #expect(old.applying([shift]).lines[0].map(\.character) == Array(cells.prefix(50)))
        }
    }
}

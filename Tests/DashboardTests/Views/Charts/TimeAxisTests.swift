import Testing

@testable import Dashboard

@Suite struct TimeAxisTests {
    @Test func `columns and characters begin at fixed times`() {
        let axis = TimeAxis(.seconds(60), until: .seconds(101), cells: 15, columnsPerCell: 2)
        #expect(axis.step == .seconds(2))
        #expect(axis.start(ofColumn: 0) == .seconds(44))
        #expect(axis.column(of: .seconds(101)) == 28)
        #expect(
            TimeAxis(.seconds(60), until: .seconds(103), cells: 15, columnsPerCell: 2).start(ofColumn: 0)
                == .seconds(44)
        )
        #expect(
            TimeAxis(.seconds(60), until: .seconds(104), cells: 15, columnsPerCell: 2).start(ofColumn: 0)
                == .seconds(48)
        )
        #expect(axis.column(of: .seconds(43)) == -1)
    }

    @Test(
        arguments: [
            (60, 150, 400), (60, 138, 440), (60, 208, 300), (60, 60, 1_000), (60, 65, 1_000), (60, 67, 900),
            (300, 150, 2_000), (900, 156, 6_000), (3_600, 208, 18_000), (3_600, 150, 24_000), (60, 1, 60_000),
            (60, 2, 30_000),
        ]
    )
    func `the length of a column has at most two digits`(seconds: Int, count: Int, milliseconds: Int) {
        let axis = TimeAxis(.seconds(seconds), until: .seconds(10_000), cells: count)
        #expect(axis.step == .milliseconds(milliseconds))
        for column in 0..<axis.count { #expect(axis.column(of: axis.start(ofColumn: column)) == column) }
    }

    @Test(arguments: TimeAxis.spans, [1, 2])
    func `the columns cover the span and less than a character more, and use the room`(span: Duration, perCell: Int) {
        for cells in 1...300 {
            let axis = TimeAxis(span, until: .seconds(10_000), cells: cells, columnsPerCell: perCell)
            let covered = axis.step * axis.count
            #expect(covered >= span && covered - axis.step * perCell < span, "\(cells)")
            #expect(axis.cells <= cells && axis.cells * 11 >= cells * 10 - 11, "\(cells): \(axis.cells)")
        }
    }

    @Test func `a chart moves when the time of its newest character is over`() {
        func start(at milliseconds: Int) -> Duration {
            TimeAxis(.seconds(60), until: .milliseconds(milliseconds), cells: 60, columnsPerCell: 2).start(ofColumn: 0)
        }
        #expect(start(at: 70_000) == .seconds(11))
        #expect(start(at: 70_999) == .seconds(11))
        #expect(start(at: 71_000) == .seconds(12))
    }
}

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
}

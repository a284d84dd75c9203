import ReachMonitoring
import Testing

@testable import ReachDashboard

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

@Suite struct ClockTicksTests {
    @Test(
        arguments: [
            (60, 60, ["14:02:30", "14:02:45", "14:03:00", "14:03:15"]),
            (60, 110, ["14:02:30", "14:02:40", "14:02:50", "14:03:00", "14:03:10", "14:03:20"]),
            (300, 75, ["13:59", "14:00", "14:01", "14:02", "14:03"]),
            (3_600, 75, ["13:10", "13:20", "13:30", "13:40", "13:50", "14:00"]), (60, 5, []),
        ] as [(Int, Int, [String])]
    )
    func `ticks are at round times of the day`(seconds: Int, cells: Int, labels: [String]) {
        let now = Duration.milliseconds(55_300)
        let axis = TimeAxis(.seconds(seconds), until: now, cells: cells, columnsPerCell: 2)
        let ticks = ClockTicks(axis, wall: Scene.wall)
        #expect(ticks.ticks.map(\.label) == labels)
        for tick in ticks.ticks {
            let range = axis.start(ofColumn: tick.cell * 2)..<axis.start(ofColumn: tick.cell * 2 + 2)
            let times = [range.lowerBound, range.upperBound - .nanoseconds(1)].map { Scene.wall.timeOfDay(at: $0) }
            #expect(times[0] <= tick.label + ":99" && tick.label <= times[1])
        }
        let text = ticks.labels(margin: 9, cells: cells)
        #expect(text.count <= 9 + cells)
        #expect(text.split(separator: " ").allSatisfy { labels.contains(String($0)) })
    }

    @Test(
        arguments: [
            (7_200, 3_600, ["02:40", "02:50", "02:00", "02:10", "02:20", "02:30"]),
            (3_600, 7_200, ["01:40", "01:50", "03:00", "03:10", "03:20", "03:30"]),
            // Lord Howe Island: half an hour.
            (39_600, 37_800, ["11:40", "11:50", "11:30", "11:40", "11:50", "12:00"]),
        ] as [(Int, Int, [String])]
    )
    func `ticks have the offset of their time`(before: Int, after: Int, labels: [String]) {
        let change = Duration.seconds(1_792_890_000)
        let zone = ZoneOffsets(.seconds(before), changes: [.init(at: change, to: .seconds(after))])
        let axis = TimeAxis(.seconds(3_600), until: .seconds(3_600), cells: 75, columnsPerCell: 2)
        let ticks = ClockTicks(axis, wall: WallTime(start: change - .seconds(1_500), zone: zone)).ticks
        #expect(ticks.map(\.label) == labels)
    }

    @Test(arguments: [40, 60, 71, 110])
    func `each tick has a label`(cells: Int) {
        for second in 0..<60 {
            let axis = TimeAxis(.seconds(60), until: .seconds(second), cells: cells, columnsPerCell: 2)
            let ticks = ClockTicks(axis, wall: Scene.wall)
            let labels = ticks.labels(margin: 9, cells: cells).split(separator: " ").map(String.init)
            #expect(labels == ticks.ticks.map(\.label))
            #expect(!labels.isEmpty)
        }
    }

    @Test func `the legend names the aggregation only if a column covers several probes`() {
        let axis = TimeAxis(.seconds(900), until: .seconds(9), cells: 60)
        #expect(axis.legend(interval: .seconds(1), glyphs: .unicode) == "median, ⠂ max per 15s")
        #expect(axis.legend(interval: .seconds(1), glyphs: .ascii) == "median, ' max per 15s")
        #expect(axis.legend(interval: .seconds(15), glyphs: .unicode) == nil)
    }
}

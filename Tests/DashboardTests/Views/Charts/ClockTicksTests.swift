import Monitoring
import Testing

@testable import Dashboard

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

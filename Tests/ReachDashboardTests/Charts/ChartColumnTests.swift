import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

@Suite struct ChartColumnTests {
    private func columns(_ scene: Scene, seconds: Int, cells: Int) throws -> [ChartColumn] {
        let state = try #require(scene.model.roster.states.first)
        return ChartColumn.columns(of: state, along: TimeAxis(.seconds(seconds), until: scene.now, cells: cells))
    }

    @Test func `a column of several probes has their median, maximum and losses`() throws {
        var scene = Scene([.make()])
        scene.receive([1, 1, 1, 1, 1, 3, nil, 900, 2, 4], from: "NAS")
        // Ten seconds in two columns of five; the second one begins at second 5.
        let column = try columns(scene, seconds: 60, cells: 12)[11 - 1]
        #expect(column.median == .milliseconds(2))
        #expect(column.maximum == .milliseconds(900))
        #expect(column.replies == 4 && column.losses == 1)
        #expect(!column.isRepeated && !column.isLost && !column.isBlank)
    }

    @Test(
        arguments: [([7], 7), ([7, 1], 1), ([3, 1, 2], 2), ([4, 3, 2, 1], 2), ([5, 4, 3, 2, 1], 3)] as [([Int], Int)]
    )
    func `the median is by nearest rank, so it is a value that occurred`(values: [Int], median: Int) {
        let column = ChartColumn(roundTrips: values.map { .milliseconds($0) }, losses: 0)
        #expect(column.median == .milliseconds(median))
        #expect(column.maximum == values.max().map { .milliseconds($0) })
        let samples = values.map { Sample(time: .zero, roundTrip: .milliseconds($0)) }
        #expect(column.median == Statistics(samples).percentile(50))
    }

    @Test func `a column without a reply is lost, and one without a probe is blank`() {
        let lost = ChartColumn(Sample(time: .zero, roundTrip: nil))
        #expect(lost.isLost && !lost.isBlank && lost.median == nil && lost.maximum == nil)
        #expect(ChartColumn.blank.isBlank && !ChartColumn.blank.isLost)
        let link = ChartColumn(Sample(replyWithoutRoundTripAt: .zero))
        #expect(link.median == .zero && !link.isLost)
    }

    @Test func `a column between two probes repeats the last one`() throws {
        var scene = Scene([.make(interval: .seconds(20), timeout: .seconds(5))])
        scene.wait(.seconds(4))
        scene.receive([6], from: "NAS")
        scene.wait(.seconds(19))
        scene.receive([nil], from: "NAS")
        scene.wait(.seconds(6))
        let shown = try columns(scene, seconds: 60, cells: 12).suffix(6)
        #expect(shown.map(\.isRepeated) == [false, true, true, true, false, true])
        #expect(shown.map(\.isLost) == [false, false, false, false, true, true])
    }

    @Test func `the newest column waits for its own probe if it is not to repeat the last one`() throws {
        var scene = Scene([.make()])
        scene.receive([6, 7], from: "NAS")
        scene.wait(.seconds(1))
        let state = try #require(scene.model.roster.states.first)
        let axis = TimeAxis(.seconds(60), until: scene.now, cells: 60)
        let newest = [true, false].map { ChartColumn.columns(of: state, along: axis, repeatsNewest: $0).suffix(2) }
        #expect(newest[0].map(\.isBlank) == [false, false])
        #expect(newest[1].map(\.isBlank) == [false, true])
        scene.receive([8], from: "NAS")
        let next = try #require(scene.model.roster.states.first)
        #expect(ChartColumn.columns(of: next, along: axis, repeatsNewest: false).last?.replies == 1)
    }

    @Test func `every probe is in one column`() throws {
        var random = SplitMix(seed: 3)
        var scene = Scene([.make()])
        let values = (0..<120).map { _ in Int.random(in: 0...3, using: &random) == 0 ? nil : 5.0 }
        scene.receive(values, from: "NAS")
        for cells in [7, 12, 30, 100, 240, 600] {
            let own = try columns(scene, seconds: 300, cells: cells).filter { !$0.isRepeated }
            #expect(own.reduce(0) { $0 + $1.losses } == values.count { $0 == nil })
            #expect(own.reduce(0) { $0 + $1.replies } == values.count { $0 != nil })
        }
    }
}

@Suite struct LossRailTests {
    /// The rail of cells with this many replies and losses.
    private func rail(_ cells: [(replies: Int, losses: Int)], glyphs: Glyphs = .unicode) -> [Segment] {
        let columns = cells.map { cell in
            ChartColumn(roundTrips: Array(repeating: .milliseconds(1), count: cell.replies), losses: cell.losses)
        }
        let appearance = Appearance(theme: .roles, glyphs: glyphs)
        let rail = LossRail(columns, columnsPerCell: 1).cells(appearance: appearance)
        return rail.chunked(by: \.style).map { Segment(String($1.map(\.character)), $0) }
    }

    @Test(arguments: [("unicode", " ▂▃▆"), ("console", " _▄█"), ("ascii", " .:#")])
    func `shares of 5, 20 and 100 percent look different`(name: String, picture: String) {
        let glyphs: Glyphs = name == "unicode" ? .unicode : name == "console" ? .console : .ascii
        let rail = rail([(100, 0), (95, 5), (80, 20), (0, 9)], glyphs: glyphs)
        #expect(rail.map(\.text).joined() == picture)
    }

    @Test func `few losses have another colour than many`() {
        let rail = rail([(95, 5), (80, 20), (1, 0), (0, 0)])
        #expect(rail.map(\.style) == [Theme.roles[.degraded], Theme.roles[.down], .plain])
    }

    @Test func `a repeated column is no further probe`() throws {
        var scene = Scene([.make(interval: .seconds(1))])
        scene.receive([5, nil, 5, 5, 5, 5], from: "NAS")
        let state = try #require(scene.model.roster.states.first)
        let axis = TimeAxis(.seconds(60), until: scene.now, cells: 60, columnsPerCell: 2)
        let columns = ChartColumn.columns(of: state, along: axis)
        let shares = LossRail(columns, columnsPerCell: 2).shares.suffix(6)
        #expect(shares == [0, 1, 0, 0, 0, 0])
    }
}

extension ChartColumn {
    /// Creates the column of some probes, from the round trips of the replies.
    init(roundTrips: [Duration], losses: Int) {
        self.init(nanoseconds: roundTrips.map(\.nanoseconds), losses: losses)
    }
}

import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

@Suite struct SparklineTests {
    /// The columns as letters: `.` blank, `x` lost, digits whole milliseconds of the longest round trip.
    private func columns(_ scene: Scene, _ name: String, now: Duration? = nil, width: Int = 12) throws -> String {
        let state = try #require(scene.model.roster.states.first { $0.target.name == name })
        let sparkline = Sparkline(state, along: TimeAxis(.seconds(60), until: now ?? scene.now, cells: width))
        return sparkline.columns.map { column in
            column.isLost ? "x" : column.maximum?.decimal(.milliseconds(1), places: 0) ?? "."
        }.joined()
    }

    @Test func `a column shows its longest round trip`() throws {
        var scene = Scene([.make()])
        scene.receive([1, 1, 1, 1, 2, 7, 3, 1, 1, 4, nil, 4, 1, 1, 1], from: "NAS")
        #expect(try columns(scene, "NAS") == "........1741")
    }

    @Test(arguments: [(Glyphs.unicode, "⡆", "×"), (.console, "│", "x"), (.ascii, "|", "x")])
    func `one loss among replies marks a part of the cell, and only losses the whole cell`(
        glyphs: Glyphs,
        part: String,
        whole: String
    ) throws {
        var scene = Scene([.make()])
        scene.receive([1, 1, 1, 1, 1, 1, nil, 1, 1, nil, nil, nil, nil, nil, 1, 1, 1, 1], from: "NAS")
        let state = try #require(scene.model.roster.states.first)
        let segments = Sparkline(state, along: TimeAxis(.seconds(60), until: scene.now, cells: 12))
            .segments(slow: nil, state.statistics, appearance: Appearance(theme: .roles, glyphs: glyphs))
        let text = segments.map(\.text).joined().suffix(4)
        #expect(text.dropFirst(1).prefix(2) == part + whole)
        #expect(!text.dropLast().hasPrefix(part) && !text.hasSuffix(part))
        #expect(segments.contains(Segment(part + whole, Theme.roles[.down])))
    }

    @Test(
        arguments: [(Glyphs.unicode, "⡀⡄⡆⡇"), (.console, "ii││"), (.ascii, "ii||")] as [(Glyphs, String)]
    )
    func `a column with losses keeps the height of its round trip`(glyphs: Glyphs, picture: String) throws {
        var scene = Scene([.make()])
        scene.receive([1, 3, 5, 8].flatMap { [$0, $0, nil, $0, $0] }, from: "NAS")
        let state = try #require(scene.model.roster.states.first)
        let statistics = Statistics((0..<40).map { _ in Sample(time: .zero, roundTrip: .microseconds(5_100)) })
        #expect(ChartScale(statistics).top == .milliseconds(10))
        let axis = TimeAxis(.seconds(60), until: scene.now - .seconds(1), cells: 12)
        let segments = Sparkline(state, along: axis)
            .segments(slow: nil, statistics, appearance: Appearance(theme: .roles, glyphs: glyphs))
        #expect(segments.map(\.text).joined().hasSuffix(picture))
    }

    @Test func `the colour of losses is that of their column`() {
        #expect([0, 0.05, 0.2, 1].map { Role(loss: $0) } == [nil, .degraded, .down, .down])
    }

    @Test func `scrolling does not change the other columns`() throws {
        var scene = Scene([.make()])
        scene.receive((0..<100).map { Double($0 / 5 % 7 + 1) }, from: "NAS")
        let before = try columns(scene, "NAS")
        scene.receive([3, 3, 3, 3, 3], from: "NAS")
        let after = try columns(scene, "NAS")
        #expect(before.dropFirst().dropLast() == after.dropLast(2))
    }

    @Test func `the last probe is repeated until the next one is due`() throws {
        var scene = Scene([.make(interval: .seconds(20), timeout: .seconds(5))])
        scene.wait(.seconds(4))
        scene.receive([6], from: "NAS")
        #expect(try columns(scene, "NAS", now: .seconds(24)) == "........6666")
        #expect(try columns(scene, "NAS", now: .seconds(60)).hasSuffix("."))
    }

    @Test func `time without probes is blank`() throws {
        var scene = Scene([.make()])
        scene.receive([2, 2, 2, 2, 2], from: "NAS")
        scene.press(.character(" "))
        scene.wait(.seconds(30))
        #expect(try columns(scene, "NAS").hasSuffix("......"))
    }

    @Test func `a spike is clipped and does not flatten the rest`() {
        let values = Array(repeating: 10, count: 40) + [900]
        let samples = values.enumerated().map { Sample(time: .seconds($0), roundTrip: .milliseconds($1)) }
        let scale = ChartScale(Statistics(samples))
        #expect(scale.top == .milliseconds(20))
        #expect(scale.level(ofNanoseconds: 10_000_000, count: 8) == 4)
        #expect(scale.level(ofNanoseconds: 900_000_000, count: 8) == nil)
        #expect(scale.level(ofNanoseconds: 20_000_000, count: 8) == 7)
        #expect(scale.level(ofNanoseconds: 0, count: 8) == 0)
    }

    @Test(
        arguments: [(0, 10), (11, 15), (160, 200), (1_000, 1_000), (1_001, 1_500), (3_100, 5_000), (71_000, 100_000)]
            as [(Int, Int)]
    )
    func `the top of a scale is a round figure`(microseconds: Int, top: Int) {
        #expect(ChartScale.rounded(up: .microseconds(microseconds)) == .microseconds(top))
    }
}

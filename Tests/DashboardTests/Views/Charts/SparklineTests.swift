import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

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

    @Test(arguments: [(Glyphs.unicode, "▎", "×"), (.console, "│", "x"), (.ascii, "|", "x")])
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

    @Test func `shares of lost probes mark more of the cell, in the colour of their column`() {
        #expect(String([0.05, 0.2, 0.5, 0.9, 1].map { Glyphs.unicode.loss($0) }) == "▏▎▍▌×")
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
        #expect(scale.level(of: .milliseconds(10), count: 8) == 4)
        #expect(scale.level(of: .milliseconds(900), count: 8) == nil)
        #expect(scale.level(of: .milliseconds(20), count: 8) == 7)
        #expect(scale.level(of: .zero, count: 8) == 0)
    }

    @Test(
        arguments: [(0, 10), (11, 15), (160, 200), (1_000, 1_000), (1_001, 1_500), (3_100, 5_000), (71_000, 100_000)]
            as [(Int, Int)]
    )
    func `the top of a scale is a round figure`(microseconds: Int, top: Int) {
        #expect(ChartScale.rounded(up: .microseconds(microseconds)) == .microseconds(top))
    }
}

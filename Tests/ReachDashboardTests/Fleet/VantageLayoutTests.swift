import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The columns and headings of the matrix of vantage points.
@Suite struct VantageLayoutTests {
    private static let names = (1...50).map { "p\($0)" }

    @Test func `the columns are in order and within the screen at any width`() {
        for columns in 1...220 {
            for count in [0, 1, 2, 3, 6, 50] {
                for nameWidth in [0, 7, 30] {
                    let names = Array(Self.names.prefix(count))
                    let layout = VantageLayout(first: 3, of: names, nameWidth: nameWidth, columns: columns)
                    let ranges = [layout.name] + [layout.verdict].compactMap(\.self) + layout.cells
                    for (one, other) in zip(ranges, ranges.dropFirst()) {
                        #expect(one.upperBound < other.lowerBound, "\(columns) columns, \(count) vantage points")
                    }
                    #expect(layout.visible.upperBound <= count)
                    #expect(layout.cells.isEmpty == (count == 0))
                    guard columns >= 20, let last = ranges.last else { continue }
                    #expect(last.upperBound <= columns - 2, "\(columns) columns, \(count) vantage points")
                }
            }
        }
    }

    @Test func `each vantage point can be scrolled to`() {
        for columns in [20, 40, 80, 120, 200] {
            var seen: Set<Int> = []
            for first in 0...60 {
                let layout = VantageLayout(first: first, of: Self.names, nameWidth: 10, columns: columns)
                #expect(layout.first == min(first, 50 - layout.cells.count))
                seen.formUnion(layout.visible)
            }
            #expect(seen == Set(0..<50))
        }
    }

    @Test(arguments: [
        (["fra", "nyc"], 9, ["fra", "nyc"]),
        (["frankfurt-am-main", "nyc"], 9, ["frankfur…", "nyc"]),
        (["eu-central-1", "eu-central-2"], 9, ["…entral-1", "…entral-2"]),
        (["aaaa-eu-zz", "bbbb-eu-zz", "aaaa-us-zz"], 6, ["aaaa-…", "bbbb-…", "aaaa-…"]),
        (["prod-1-eu-a", "prod-2-eu-a", "prod-1-eu-b"], 9, ["prod…eu-a", "prod…eu-a", "prod…eu-b"]),
        (["東京東京東京", "大阪"], 9, ["東京東京…", "大阪"]),
    ])
    func `names are cut so that they differ where they can`(names: [String], width: Int, expected: [String]) {
        let texts = VantageHeadings(names, width: width, ellipsis: "…").texts
        #expect(texts.allSatisfy { $0.displayWidth <= width })
        if Set(expected).count == names.count { #expect(texts == expected) }
        #expect(Set(texts).count <= names.count)
    }

    @Test func `labels of any text draw a screen of the usual form`() {
        let labels = [
            "", "\u{1B}[2J\u{1B}]0;title\u{7}", "\u{202E}desrever\u{2066}", String(repeating: "w", count: 4_000),
            "東京東京東京東京東京",
            "👩‍💻👩‍💻👩‍💻", "a\nb\tc\u{0}", "e\u{301}\u{301}\u{301}",
        ]
        let targets = labels.enumerated().map { index, label in
            Target(
                name: label.plainLabel(limit: 200) ?? "target \(index)",
                question: .fleet(FleetQuestion(instance: label)),
                group: label.plainLabel(limit: 200)
            )
        }
        for size in [Size(columns: 20, rows: 5), Size(columns: 80, rows: 24), Size(columns: 200, rows: 50)] {
            var scene = Scene(targets, columns: size.columns, rows: size.rows)
            for (index, state) in scene.model.roster.states.enumerated() {
                let reports = labels.map { label in
                    VantageReport(
                        vantagePoint: label,
                        health: Health.allCases[(index + label.count) % 4],
                        detail: label,
                        sampled: .zero,
                        time: .zero
                    )
                }
                scene.send(.findings([.vantageReports(state.id, reports, at: .zero)]))
            }
            scene.tick()
            for view in ["1", "2", "5"] {
                scene.press(.character(Character(view)))
                let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.count == size.rows)
                #expect(lines.allSatisfy { String($0).displayWidth <= size.columns })
                let controls = scene.screen.unicodeScalars.filter {
                    $0 != "\n" && $0.properties.generalCategory == .control || $0.value == 0x202E || $0.value == 0x2066
                }
                #expect(controls.isEmpty, "\(size)")
            }
            scene.press(.enter)
            #expect(scene.screen.split(separator: "\n", omittingEmptySubsequences: false).count == size.rows)
        }
    }
}

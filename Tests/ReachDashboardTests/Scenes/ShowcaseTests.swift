import Foundation
import ReachDashboard
import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

/// The screen and the keys in docs/screen.md. The tests run serially, since both may write the page.
@Suite(.serialized) struct ShowcaseTests {
    @Test func `the page lists the keys of the key table`() throws {
        let sections = KeyTable.sections.map { section in
            let rows = section.bindings.map { binding in
                "| \(binding.names.map { "`\($0)`" }.joined(separator: " ")) | \(binding.sentence) |"
            }
            return (["### \(section.title)", "", "| key | action |", "|---|---|"] + rows).joined(separator: "\n")
        }
        try expectPage(
            "docs/screen.md",
            has: "\n" + sections.joined(separator: "\n\n") + "\n\n",
            between: "<!-- keys: begin -->\n",
            and: "<!-- keys: end -->"
        )
    }

    @Test func `the page shows the drawn screen`() throws {
        try expectPage("docs/screen.md", has: Self.showcase().screen, between: "```text\n", and: "\n```")
    }

    /// A minute of five targets, with random round trips from a seeded generator.
    private static func showcase() -> Scene {
        var scene = Scene(
            [
                .make("Router", url: "icmp://192.168.1.1", group: "Home"),
                .make("NAS", url: "tcp://nas.local:445", group: "Home", timeout: .milliseconds(500)),
                .make("Printer", url: "icmp://192.168.1.9", group: "Home"),
                .make("Shop", url: "tcp://shop.example.com:443", group: "Cloud", slow: .milliseconds(500)),
                .make("API", url: "tcp://api.example.com:443", group: "Cloud"),
            ],
            columns: 100,
            rows: 18
        )
        var random = SplitMix(seed: 11)
        for second in 0..<75 {
            let slow = second > 55 ? 620.0 : 110
            scene.receiveOnce([
                "Router": .random(in: 0.9...2.1, using: &random) * (second == 31 ? 6 : 1),
                "NAS": second > 60 ? nil : .random(in: 0.5...0.9, using: &random),
                "Printer": .random(in: 2...5, using: &random),
                "Shop": slow * .random(in: 0.9...1.3, using: &random),
                "API": second == 50 || second > 72 ? nil : .random(in: 38...52, using: &random),
            ])
        }
        scene.press(.down)
        return scene
    }
}

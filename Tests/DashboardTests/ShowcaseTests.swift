import Dashboard
import Foundation
import Monitoring
import Screen
import TestSupport
import Testing

/// The picture in README.
@Suite struct ShowcaseTests {
    @Test func `README shows what the program draws`() throws {
        let picture = Self.showcase().screen
        let file = URL(filePath: #filePath).appending(path: "../../../README.md").standardized
        var readme = try String(contentsOf: file, encoding: .utf8)
        let parts = readme.split(separator: "```", maxSplits: 2, omittingEmptySubsequences: false)
        if isUpdatingGolden, parts.count == 3 {
            readme = "\(parts[0])```\n\(picture)\n```\(parts[2])"
            try readme.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(readme.contains("```\n\(picture)\n```"))
    }

    /// A minute at home and in the cloud, its round trips invented by a seeded generator.
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
            scene.hearOnce([
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

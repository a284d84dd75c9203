import Dashboard
import Monitoring
import Screen
import TestSupport

/// A shop that was down, came back, and is slow now: everything that the detail view can show.
enum DetailScene {
    static func shop(columns: Int, rows: Int, glyphs: Glyphs = .unicode, theme: ThemeChoice? = nil) -> Scene {
        let hook = HookRule.make(on: [.down, .degraded], "notify-send 'Shop is in trouble'", cooldown: .seconds(600))
        var target = Target.make(
            "Shop",
            url: "https://shop.example.com/health",
            group: "Cloud",
            slow: .milliseconds(500),
            hooks: [hook]
        )
        target.dependsOn = [.target("Router"), .link]
        var scene = Scene(
            [.make("Router", url: "icmp://192.168.1.1", group: "Home"), target],
            columns: columns,
            rows: rows,
            glyphs: glyphs,
            theme: theme
        )
        var random = SplitMix(seed: 4)
        for second in 0..<150 {
            let isLost = (60..<66).contains(second) || second == 96
            let mean = second > 120 ? 780.0 : second == 30 ? 4_800 : 120
            scene.hearReply(isLost ? nil : mean * .random(in: 0.9...1.25, using: &random), from: "Shop")
            scene.hear(.reply(roundTrip: .milliseconds(1)), from: "Router", after: .zero)
        }
        if let run = scene.effects.reversed().lazy.compactMap(Self.run).first {
            scene.send(.hook(.started(run), at: scene.now))
            let result = HookResult(
                status: .exited(1),
                duration: .milliseconds(2_040),
                output: "connecting to the session bus\ncannot open display\n"
            )
            scene.send(.hook(.finished(run, result), at: scene.now))
        }
        scene.select("Shop")
        scene.press(.enter)
        scene.wait(.seconds(2))
        return scene
    }

    private static func run(_ effect: Effect) -> HookRun? {
        guard case .run(let runs) = effect else { return nil }
        return runs.first
    }
}

extension Scene {
    /// Selects a target by its name.
    mutating func select(_ name: String) {
        press(.character("g"))
        for _ in 0..<20 where !isSelected(name) { press(.down) }
    }

    private func isSelected(_ name: String) -> Bool {
        screen.split(separator: "\n").contains { "▸>".contains($0.first ?? " ") && $0.contains(" \(name) ") }
    }

    /// Hands over the reply of a server, in milliseconds, with all that one can tell; nil is HTTP 503.
    mutating func hearReply(_ milliseconds: Double?, from name: String) {
        let outcome: Outcome =
            if let milliseconds {
                .reply(Self.reply(.microseconds(Int(milliseconds * 1_000))))
            } else {
                .failure(Failure(.httpStatus, detail: "HTTP 503 Service Unavailable"))
            }
        hear(outcome, from: name, address: "198.51.100.7")
    }

    private static func reply(_ roundTrip: Duration) -> Reply {
        let parts: [(Phase, Double)] = [
            (.resolve, 0.004), (.connect, 0.034), (.tls, 0.07), (.processing, 0.845), (.transfer, 0.047),
        ]
        return Reply(
            roundTrip: roundTrip,
            phases: parts.map { Reply.PhaseTime($0, roundTrip * $1) },
            detail: "HTTP 200",
            certificateExpiry: Int64(Self.wall.start.components.seconds) + 61 * 86_400
        )
    }
}

import Dashboard
import Monitoring
import Screen
import TestSupport

/// A dashboard with target names whose width differs between terminals, and a sequence of frames through all views.
struct NameShowcase {
    /// Target names. Text after a name must stay in its column.
    static let names = [
        "Router", "打印机", "プリンター", "ｶﾒﾗ 2", "라우터 3", "\u{1112}\u{1161}\u{11AB} jamo", "cafe\u{301}",
        "a\u{300}\u{301}\u{302}b",
        "น้ำแข็ง", "नमस्ते का", "שלום 12", "خادم 7", "می\u{200C}خواهم", "👨‍👩‍👧‍👦 home", "🇩🇪🇫🇷 line", "👍🏽 good",
        "👩🏽‍🚀", "1\u{FE0F}\u{20E3} key", "❤\u{FE0F} heart", "❤\u{FE0E} text", "⌚ clock",
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} scot",
        "\u{E0B0} font", "🫠 new", "﷽ long", "zero\u{200B}width", "turn\u{202E}ed", "bell\u{7}", "\u{1B}[31mred",
        "𝒳 maths", "Straße",
    ]

    private(set) var model: Model

    init(columns: Int, rows: Int, glyphs: Glyphs = .unicode) {
        model = Model(
            source: "dashboard.toml",
            size: Size(columns: columns, rows: rows),
            glyphs: glyphs,
            themeOverride: .dark,
            wall: WallTime(start: .seconds(1_795_183_351))
        )
        let targets = Self.names.enumerated().map { index, name in
            Target.make(name, url: "tcp://192.0.2.\(index + 1):80", group: index < 12 ? "Büro 東京" : "👨‍👩‍👧 rest")
        }
        _ = model.update(.settings(Settings(targets: targets), at: .zero))
        for step in 1...20 { record(step) }
    }

    /// Records a probe of every target; some are lost.
    private mutating func record(_ step: Int) {
        let now = Duration.seconds(step)
        let findings = model.roster.states.enumerated().map { index, state in
            let isLost = index % 5 == 3 && step > 14
            let outcome: Outcome =
                isLost ? .failure(Failure(.refused)) : .reply(roundTrip: .milliseconds(1 + (index * 7 + step * 3) % 40))
            return Finding.observation(
                Observation(target: state.id, sequence: step, time: now, outcome: outcome)
            )
        }
        _ = model.update(.findings(findings, at: now))
        _ = model.update(.tick(now, WallTime(start: .seconds(1_795_183_351))))
    }

    /// Returns the frames of key presses through every view, with several names selected.
    mutating func frames() -> [Frame] {
        let pages: [[Key]] = [
            [], [.home, .down], [.pageDown], [.end], [.up, .up], [.character("2")], [.right, .down], [.character("3")],
            [.pageDown], [.enter], [.escape, .character("1"), .pageUp, .enter], [.escape, .character("e")],
            [.pageUp], [.character("h")], [.escape, .character("?")], [.escape, .character("1")],
            [.character("/"), .character("👍"), .character("é")], [.escape, .home, .left], [.right],
        ]
        let views = pages.map { keys in
            for key in keys { _ = model.update(.key(key)) }
            return model.draw()
        }
        // The charts advance by one or several columns.
        return views
            + [21, 22, 25, 30, 32].map { step in
                record(step)
                return model.draw()
            }
    }
}

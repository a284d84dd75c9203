import Dashboard
import Foundation
import Monitoring
import Screen
import TestSupport
import Testing

/// The table as it is drawn, letter by letter and style by style.
@Suite struct GoldenTests {
    /// An evening at home: something up, slow, pending, down, paused, unknown and faulty.
    static func evening(columns: Int, rows: Int, glyphs: Glyphs = .unicode, theme: ThemeChoice? = nil) -> Scene {
        let hook = HookRule.make(on: [.up], "mount /mnt/nas")
        var scene = Scene(
            [
                .make("Router", url: "icmp://192.168.1.1", group: "Home"),
                .make("NAS", url: "tcp://nas.local:445", group: "Home", hooks: [hook]),
                .make("打印机", url: "icmp://printer.local", group: "Home"),
                .make("Gateway v6", url: "icmp://fe80::1%eth0", group: "Home"),
                .make("Shop", url: "tcp://shop.example.com:443", group: "Cloud", slow: .milliseconds(500)),
                .make("API", url: "tcp://api.example.com:443", group: "Cloud"),
                .make("Staging 🚧", url: "tcp://staging.example.com:443", group: "Cloud"),
                .make("Camera 4", url: "icmp://10.0.4.4", group: "Cloud"),
            ],
            columns: columns,
            rows: rows,
            glyphs: glyphs,
            theme: theme
        )
        scene.hearTogether([
            "Router": "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr",
            "NAS": "rrrrrrrrrrxxxxrrrrrrrrrrrrrrrrrrrrrrxxxx",
            "打印机": "rrrtrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr",
            "Gateway v6": "ffff",
            "Shop": "rrrrrrrrrrrrrrrrrrrrrrrrrrrrsrrrssssssss",
            "API": "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrxx",
            "Staging 🚧": "rrrrrr",
        ])
        if let staging = scene.id("Staging 🚧") {
            scene.send(.key(.character("G")))
            scene.press(.up, .character(" "))
            _ = staging
        }
        if let nas = scene.id("NAS") {
            let occasion = Occasion(
                event: .up,
                trigger: .user,
                at: .seconds(15),
                name: "NAS",
                question: .tcp(host: "nas.local", port: 445),
                health: .up,
                since: .seconds(15)
            )
            let run = HookRun(id: 1, target: nas, rule: hook, occasion: occasion)
            let result = HookResult(
                status: .exited(32),
                duration: .milliseconds(1_200),
                output: "mount: /mnt/nas: already mounted\ntry umount first\n"
            )
            scene.send(.hook(.started(run), at: scene.now))
            scene.send(.hook(.finished(run, result), at: scene.now))
        }
        scene.press(.character("g"), .down, .down)
        scene.wait(.seconds(5))
        return scene
    }

    @Test(arguments: [(40, 10), (80, 24), (120, 36), (200, 50)])
    func `the table is drawn like this`(columns: Int, rows: Int) throws {
        try expectGolden(Self.evening(columns: columns, rows: rows).screen, "table-\(columns)x\(rows)")
    }

    @Test func `a tiny terminal shows the most urgent part`() throws {
        try expectGolden(Self.evening(columns: 20, rows: 5).screen, "table-20x5")
    }

    @Test func `ASCII draws the same table with other letters`() throws {
        let screen = Self.evening(columns: 120, rows: 36, glyphs: .ascii).screen
        try expectGolden(screen, "table-ascii-120x36")
        let names = ["打印机", "Staging 🚧"]
        let drawn = names.reduce(screen) { $0.replacing($1, with: "") }
        #expect(!drawn.contains { !$0.isASCII })
    }

    @Test(arguments: [ThemeChoice.dark, .light, .colourBlind, .mono])
    func `styles stand where they mean something`(theme: ThemeChoice) throws {
        let frame = Self.evening(columns: 120, rows: 36, theme: theme).model.draw()
        try expectGolden(frame.map(Self.letter), "styles-\(theme.rawValue)-120x36")
    }

    /// A letter for each style: the colour's, upper case when bold, underlined or reversed.
    static func letter(_ style: Style) -> Character {
        let letters: [Color: Character] = [
            .red: "r", .green: "g", .yellow: "y", .blue: "b", .magenta: "m", .cyan: "c", .brightBlack: "k",
            .ash: "k", .slate: "k", .forest: "g", .bronze: "y", .crimson: "r", .marine: "b", .sky: "b", .straw: "y",
            .orange: "o", .rust: "o", .orchid: "m",
        ]
        if style.attributes.contains(.reversed) { return "#" }
        guard let foreground = style.foreground else { return style.attributes.isEmpty ? "." : "*" }
        let letter = letters[foreground] ?? "?"
        return style.attributes.contains(.bold) ? Character(letter.uppercased()) : letter
    }

    @Test(arguments: [(40, 10), (80, 24), (120, 36)])
    func `the hook runs are drawn like this`(columns: Int, rows: Int) throws {
        var scene = Self.evening(columns: columns, rows: rows)
        // The NAS came back once already; now it is down, and two commands wait for it.
        for line in ["mount /mnt/nas", "30m: rsync -a ~/photos /mnt/nas/photos"] {
            scene.press(.character("x"))
            scene.type(line)
            scene.press(.enter)
        }
        scene.press(.character("h"), .down, .down)
        try expectGolden(scene.screen, "hooks-\(columns)x\(rows)")
    }

    /// A switch is down with two behind it; a third was down before, and a fourth flaps.
    private static func outage(glyphs: Glyphs) -> Scene {
        let behind = { (name: String, url: String) in
            var target = Target.make(name, url: url, group: "Home")
            target.dependsOn = [.target("Switch")]
            return target
        }
        var scene = Scene(
            [
                .make("Switch", url: "icmp://192.168.1.2", group: "Home"),
                behind("NAS", "tcp://nas.local:445"),
                behind("Printer", "icmp://192.168.1.9"),
                behind("Camera", "icmp://192.168.1.7"),
                .make("Radio", url: "icmp://192.168.1.8", group: "Home", fall: 1),
                .make("Shop", url: "tcp://shop.example.com:443", group: "Cloud"),
            ],
            columns: 110,
            rows: 24,
            glyphs: glyphs
        )
        scene.hearTogether([
            "Switch": "rrrrrrrrrrrrrrrrrrrrrrrrrxxx",
            "NAS": "rrrrrrrrrrrrrrrrrrrrrrrrrxxx",
            "Printer": "rrrrrrrrrrrrrrrrrrrrrrrrrtt",
            "Camera": "rrrrrrrrrrtttt",
            "Radio": "rrrrrrrrrrrrrrrrrrrtrtrtrtrr",
            "Shop": "rrrrrrrrrrrrrrrrrrrrrrrrrrrr",
        ])
        scene.wait(.seconds(20))
        scene.send(.findings([.stalled(gap: .seconds(8), at: scene.now)], at: scene.now))
        scene.tick()
        return scene
    }

    @Test func `what is blocked, down since before, and flapping is drawn like this`() throws {
        try expectGolden(Self.outage(glyphs: .unicode).screen, "outage-110x24")
        try expectGolden(Self.outage(glyphs: .ascii).screen, "outage-ascii-110x24")
    }

    @Test(arguments: [
        ("is:blocked", ["NAS", "Printer"]), ("is:flapping", ["Radio"]), ("is:down", ["Switch", "Camera"]),
    ])
    func `the filter knows what is blocked and what flaps`(filter: String, names: [String]) {
        var scene = Self.outage(glyphs: .unicode)
        scene.press(.character("/"))
        scene.type(filter)
        scene.press(.enter)
        let rows = scene.screen.split(separator: "\n").prefix { !$0.contains("Events") }
        let all = ["Switch", "NAS", "Printer", "Camera", "Radio", "Shop"]
        #expect(all.filter { name in rows.contains { $0.dropFirst(3).hasPrefix(name + " ") } } == names)
    }

    @Test func `sorted by health, what is blocked comes after what fails, and n passes it over`() {
        var scene = Self.outage(glyphs: .unicode)
        scene.press(.character("s"))
        let rows = scene.screen.split(separator: "\n").map { $0.dropFirst(3).prefix { $0 != " " } }
        let home = rows.filter { ["Switch", "NAS", "Printer", "Camera", "Radio"].contains($0) }.prefix(5)
        #expect(home == ["Switch", "Camera", "NAS", "Printer", "Radio"])
        scene.press(.character("g"), .character("n"))
        #expect(scene.line("▸○").contains("Switch"))
        scene.press(.character("n"))
        #expect(scene.line("▸○").contains("Camera"))
        scene.press(.character("n"))
        #expect(scene.line("▸○").contains("Switch"))
    }

    @Test func `help is made from the key table`() throws {
        var scene = Self.evening(columns: 120, rows: 36)
        scene.press(.character("?"))
        try expectGolden(scene.screen, "help-120x36")
        scene.send(.resize(Size(columns: 120, rows: 60)))
        for binding in KeyTable.bindings { #expect(scene.screen.contains(binding.help), "help lacks \(binding.name)") }
    }

    @Test func `events at full height show what hooks said`() throws {
        var scene = Self.evening(columns: 120, rows: 36)
        scene.press(.character("e"))
        try expectGolden(scene.screen, "events-120x36")
    }

    @Test func `the farewell has every row and no footer`() throws {
        var scene = Self.evening(columns: 100, rows: 10)
        scene.press(.end)
        try expectGolden(scene.model.farewell().text, "farewell-100")
    }

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

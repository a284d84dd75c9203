import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The table: stable widths and visible ports.
@Suite struct TableViewTests {
    private func headings(_ scene: Scene) -> String { scene.line("TARGET") }

    @Test func `changing figures do not move the columns`() {
        var scene = Scene([.make("NAS", url: "tcp://nas.local:445"), .make("Shop", url: "tcp://shop:80")])
        scene.receive("rrr", from: "NAS")
        let before = headings(scene)
        for milliseconds in [0.04, 4, 999, 12_345, 0.9] {
            scene.receive([milliseconds, nil, milliseconds], from: "NAS")
            #expect(headings(scene) == before)
        }
    }

    @Test func `the health grows for a long cause, and keeps its width until the targets change`() {
        let targets = [Target.make("NAS", url: "tcp://nas.local:445")]
        var scene = Scene(targets, columns: 180)
        scene.receive("rrr", from: "NAS")
        let before = headings(scene)
        let failure = Failure(.hostUnreachable, detail: "no route to host, says the gateway")
        for _ in 0..<3 { scene.receive(.failure(failure), from: "NAS") }
        let wide = headings(scene)
        #expect(wide != before)
        #expect(scene.line("▸").contains("down  no route to host, says the gateway"))
        for _ in 0..<3 { scene.receive(.reply(roundTrip: .milliseconds(1)), from: "NAS") }
        #expect(headings(scene) == wide)
        scene.send(.settings(Settings(targets: targets + [.make("API")])))
        #expect(headings(scene) == before)
    }

    @Test func `a running hook does not move the columns`() throws {
        let hook = HookRule.make(on: [.down], "mount /mnt/nas")
        var scene = Scene([.make("NAS", url: "tcp://nas.local:445", hooks: [hook])], columns: 120)
        scene.receive("rrrttt", from: "NAS")
        let before = headings(scene)
        let run = try #require(scene.effects.flatMap(\.runs).first)
        scene.send(.hook(.started(run)))
        scene.wait(.seconds(1))
        #expect(headings(scene) == before)
        #expect(scene.line("nas.local").contains("down  timeout ⚑"))
    }

    @Test(arguments: [
        ("tcp://a-very-long-host-name.example.com:8443", 16, "a-very-lon…:8443"),
        ("tcp://short:80", 16, "short:80"),
        ("https://shop.example.com:8443/health", 24, "shop.example.com:8443/h…"),
        ("https://shop.example.com:8443/health", 23, "shop.example.com:8443/…"),
        ("https://shop.example.com:8443/health", 22, "shop.example.com:8443"),
        ("https://shop.example.com:8443/health", 21, "shop.example.com:8443"),
        ("https://shop.example.com:8443/health", 20, "shop.example.c…:8443"),
        ("https://shop.example.com/health", 17, "shop.example.com"),
        ("https://shop.example.com/health", 12, "shop.exampl…"),
        ("https://shop.example.com/health", 20, "shop.example.com/he…"),
        ("tcp://[2001:db8::1:2:3]:443", 14, "[2001:db8…:443"),
        ("tcp://a-very-long-host-name.example.com:8443", 6, "a-ver…"),
    ])
    func `a shortened URL keeps its port visible`(url: String, width: Int, expected: String) {
        let text = Target.make("t", url: url).question.authority(fitting: width, ellipsis: "…")
        #expect(text.displayWidth <= width)
        #expect(text == expected)
    }

    @Test func `a narrow column hides the method before it shortens the host`() {
        let targets = [
            Target.make("NAS", url: "tcp://127.0.0.2:21999"), .make("Session", url: "session://127.0.0.4:21100"),
            .make("Uplink", url: "link:any"),
        ]
        let narrow = Scene(targets, columns: 80)
        #expect(narrow.line("NAS").contains(" 127.0.0.2:21999 "))
        #expect(!narrow.line("NAS").contains("tcp"))
        #expect(narrow.line("Uplink").contains(" link:any "))
        let wide = Scene(targets, columns: 120)
        #expect(wide.line("NAS").contains(" tcp     127.0.0.2:21999 "))
    }
}

/// The marks of hidden rows and lines, and the range of the visible ones.
@Suite struct ScrollMarkTests {
    @Test func `hidden rows are marked, and the visible targets are counted`() {
        var scene = Scene.halls([20, 10], columns: 80, rows: 24)
        let last = { (row: Int) in scene.screen.split(separator: "\n", omittingEmptySubsequences: false)[row].suffix(1)
        }
        #expect(scene.line("Events").hasSuffix(" 1–16 of 30 ──"))
        #expect(last(2) != "▲")
        #expect(last(18) == "▼")
        scene.press(.end)
        #expect(scene.line("Events").hasSuffix(" 16–30 of 30 ──"))
        #expect(last(2) == "▲")
        #expect(last(18) != "▼")
        scene.press(.home, .left)
        #expect(!scene.line("Events").contains(" of "))
    }

    @Test func `the rows of folded groups count as visible`() {
        var scene = Scene.halls([20, 30, 10], columns: 80, rows: 24)
        scene.press(.home, .left)
        #expect(scene.line("Events").hasSuffix(" 1–35 of 60 ──"))
    }

    @Test func `the details count their visible lines`() {
        var scene = Scene.evening
        scene.send(.resize(Size(columns: 120, rows: 24)))
        scene.open("Shop")
        let first = scene.line("   lines ")
        #expect(first.contains(" 1–"))
        scene.press(.end)
        #expect(scene.line("   lines ") != first)
    }

    @Test func `events and hook runs count their visible lines`() {
        var scene = Scene.evening
        scene.send(.resize(Size(columns: 80, rows: 10)))
        scene.press(.character("e"))
        #expect(scene.line("Events").contains(" 1–6 of "))
        scene.press(.end)
        #expect(scene.line("Events").contains(" 20–25 of 25 "))
        scene.press(.escape, .character("h"))
        scene.send(.resize(Size(columns: 80, rows: 5)))
        #expect(scene.line("Hook runs").contains(" 1–"))
        scene.send(.resize(Size(columns: 80, rows: 50)))
        #expect(!scene.line("Hook runs").contains(" of "))
    }
}

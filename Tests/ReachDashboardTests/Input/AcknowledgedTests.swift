import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// Acknowledged targets in table, wall, header, details and filter.
@Suite struct AcknowledgedTests {
    private func failing(columns: Int = 120, glyphs: Glyphs = .unicode) -> Scene {
        let targets = ["NAS", "Web", "Router"].map { Target.make($0, group: "Home", fall: 1) }
        var scene = Scene(targets, columns: columns, glyphs: glyphs)
        scene.receiveTogether(["NAS": "rx", "Web": "rx", "Router": "rr"])
        return scene
    }

    private func acknowledged(_ reason: String = "new switch", glyphs: Glyphs = .unicode) -> Scene {
        var scene = failing(glyphs: glyphs)
        scene.type("A\(reason)")
        scene.press(.enter)
        return scene
    }

    private func role(_ scene: Scene, _ name: String) -> Role? {
        scene.id(name).flatMap { scene.model.roster[$0]?.role }
    }

    @Test(arguments: [(Glyphs.unicode, "✓"), (.console, "√"), (.ascii, "#")])
    func `the row shows the reason in place of the cause`(glyphs: Glyphs, mark: String) {
        let scene = acknowledged(glyphs: glyphs)
        #expect(scene.line("NAS").contains("down \(mark) new switch"))
        #expect(!scene.line("NAS").contains("refused"))
        #expect(scene.line("Web").contains("refused"))
    }

    @Test func `a long reason is truncated`() {
        let scene = acknowledged(String(repeating: "new switch ", count: 20))
        #expect(scene.line("NAS").contains("new swit"))
        #expect(scene.line("NAS").contains("…"))
        #expect(scene.line("NAS").displayWidth <= 120)
    }

    @Test func `a narrow column shows the mark alone`() {
        var scene = acknowledged()
        scene.send(.resize(Size(columns: 20, rows: 10)))
        #expect(scene.line("NAS").hasSuffix("down ✓"))
    }

    @Test func `acknowledged targets recede`() {
        var scene = acknowledged()
        #expect(role(scene, "NAS") == .waiting)
        #expect(role(scene, "Web") == .down)
        #expect(scene.screen.contains("○ 2 down  (✓ 1 acknowledged)"))
        scene.receive("r", from: "NAS")
        #expect(role(scene, "NAS") == .up)
        #expect(!scene.screen.contains("✓"))
    }

    @Test func `nothing in an acknowledged row stands out`() throws {
        var scene = failing()
        let columns = TableColumn.standard + [.availability]
        scene.send(.settings(Settings(targets: scene.model.roster.targets, columns: columns)))
        func styles(_ name: String) throws -> Set<Style> {
            let state = try #require(scene.id(name).flatMap { scene.model.roster[$0] })
            let row = TableRow(state: state, context: ViewContext(scene.model), methodWidth: 4)
            return Set(columns.flatMap { row.segments(of: $0, width: 20) }.map(\.style))
        }
        let appearance = scene.model.appearance
        let loud = [appearance[.down], appearance[.degraded]]
        #expect(try styles("NAS").contains(loud[0]))
        scene.type("Aswitch")
        scene.press(.enter)
        #expect(try styles("NAS").isDisjoint(with: loud))
        #expect(try styles("Web").contains(loud[0]))
    }

    @Test func `failing first puts them after the others`() {
        var scene = acknowledged()
        scene.press(.character("s"))
        #expect(scene.model.list.sort == .health)
        let order = scene.model.list.order.positions.map { scene.model.roster.states[$0].target.name }
        #expect(order == ["Web", "NAS", "Router"])
    }

    @Test func `the keys for failing targets skip them`() throws {
        var scene = acknowledged()
        let web = try #require(scene.id("Web"))
        for key in ["n", "n", "N", "N"] {
            scene.press(.character(Character(key)))
            #expect(scene.model.selection.id == .target(web))
        }
        scene.type("Aknown")
        scene.press(.enter, .character("n"))
        #expect(scene.screen.contains("only acknowledged targets are failing"))
    }

    @Test func `the filter finds them`() {
        var scene = acknowledged()
        scene.type("/is:acknowledged")
        #expect(scene.model.list.order.positions == [0])
    }

    @Test func `a key on a group acknowledges its failing targets`() {
        var scene = failing()
        scene.press(.home)
        scene.type("A2h: power cut")
        #expect(scene.screen.contains("acknowledge 2 targets: 2h: power cut"))
        scene.press(.enter)
        #expect(scene.screen.contains("acknowledged 2 targets for 2h"))
        #expect(scene.model.roster.states.map(\.isAcknowledged) == [true, true, false])
    }

    @Test func `the details show reason and time left`() {
        var scene = acknowledged("2h: new switch")
        scene.wait(.seconds(120))
        scene.press(.enter)
        #expect(scene.screen.contains("✓ acknowledged: new switch, 1h58m left"))
        scene.press(.character("A"), .enter)
        #expect(!scene.screen.contains("✓ acknowledged"))
        scene.type("Apower cut")
        scene.press(.enter)
        #expect(scene.screen.contains("✓ acknowledged: power cut, until it is up"))
    }

    @Test func `the time ends without a reply`() {
        var scene = acknowledged("2h: new switch")
        scene.wait(.seconds(7_200))
        scene.tick()
        #expect(scene.line("tcp").contains("refused"))
        #expect(scene.screen.contains("acknowledgement ended after 2h"))
    }
}

/// The key A on targets of the fleet: a silence in Alertmanager.
struct SilenceTests {
    private func target(_ name: String) -> Target {
        var question = FleetQuestion(instance: name)
        question.matcher = LabelMatcher("target", name)
        question.groupMatcher = LabelMatcher("group", "Web")
        return Target(name: name, question: .fleet(question), group: "Web")
    }

    private func makeScene(_ alertmanager: AlertmanagerSettings?, columns: Int = 120) -> Scene {
        var scene = Scene([.make("NAS", group: "Home", fall: 1)], columns: columns)
        var settings = Settings(targets: [.make("NAS", group: "Home", fall: 1)])
        settings.alertmanager = alertmanager
        scene.send(.settings(settings))
        scene.receive("x", from: "NAS")
        var update = FleetUpdate()
        update.targets = [target("API"), target("Shop")]
        for (name, health) in [("API", Health.up), ("Shop", .down)] {
            update.reports[name] = ["fra", "nyc"].map {
                VantageReport(vantagePoint: $0, health: health, sampled: .zero, time: .zero)
            }
        }
        var server = FleetServer(name: "prometheus:9090")
        server.answered = .seconds(1)
        update.servers = [server]
        scene.send(.fleet(update))
        scene.tick()
        return scene
    }

    private let server = AlertmanagerSettings(url: "http://alertmanager:9093")

    private func silences(_ scene: Scene) -> [Silence] {
        scene.effects.compactMap { if case .silence(let silence) = $0 { silence } else { nil } }
    }

    @Test func `a reason and a length, then a confirmation with the matcher, then the silence`() throws {
        var scene = makeScene(server)
        scene.select("Shop")
        scene.type("A")
        #expect(scene.screen.contains("silence Shop:"))
        scene.type("4h: new switch")
        scene.press(.enter)
        #expect(scene.screen.contains(#"silence target="Shop" for 4h at alertmanager:9093? new switch  y yes  n no"#))
        #expect(silences(scene).isEmpty)
        scene.type("y")
        let id = try #require(scene.id("Shop"))
        let silence = Silence(
            server: server,
            matcher: LabelMatcher("target", "Shop"),
            length: .seconds(4 * 3_600),
            reason: "new switch",
            targets: [id]
        )
        #expect(silences(scene) == [silence])
        #expect(scene.screen.contains("sending the silence to alertmanager:9093"))
        #expect(scene.model.roster.states.healthCounts.acknowledged == 0)
        scene.send(.silenced(SilenceReport(silence, .created(id: "37d37b10"))))
        #expect(scene.screen.contains(#"silenced target="Shop" for 4h: new switch (37d37b10)"#))
        #expect(scene.model.roster.states.healthCounts.acknowledged == 1)
        scene.press(.character("e"))
        #expect(scene.screen.contains(#"silenced target="Shop" for 4h: new switch (37d37b10)"#))
    }

    @Test func `the words of the server are shown if there is no silence, and nothing is acknowledged`() {
        var scene = makeScene(server)
        scene.select("Shop")
        scene.type("Anew switch")
        scene.press(.enter)
        #expect(scene.screen.contains(#"silence target="Shop" for 2h at alertmanager:9093?"#))
        scene.type("y")
        let report = SilenceReport(silences(scene)[0], .failed("HTTP 401: it requires credentials, or rejected them"))
        scene.send(.silenced(report))
        let text = #"alertmanager:9093: target="Shop" not silenced: HTTP 401: it requires credentials"#
        #expect(scene.screen.contains(text))
        scene.press(.character("e"))
        #expect(scene.screen.contains(text))
        #expect(scene.model.roster.states.healthCounts.acknowledged == 0)
    }

    @Test func `n, esc, an empty line and too long a time send nothing`() {
        var scene = makeScene(server)
        scene.select("Shop")
        scene.type("Anew switch")
        scene.press(.enter)
        scene.type("n")
        scene.type("Anew switch")
        scene.press(.escape)
        scene.type("A")
        scene.press(.enter)
        scene.type("A400d: new switch")
        scene.press(.enter)
        #expect(scene.screen.contains("too long: at most 366d"))
        scene.press(.escape)
        #expect(silences(scene).isEmpty && scene.model.prompts.current == nil && scene.model.prompts.question == nil)
    }

    @Test func `a target that is up can be silenced, and a group by its label`() {
        var scene = makeScene(server)
        scene.select("API")
        scene.type("A1h: upgrade")
        scene.press(.enter, .character("y"))
        scene.press(.home, .end, .up, .up)
        #expect(scene.model.selection.id == .group("Web"))
        scene.type("A1h: upgrade")
        scene.press(.enter)
        #expect(scene.screen.contains(#"silence group="Web" for 1h at"#))
        scene.press(.character("y"))
        #expect(silences(scene).map(\.matcher.text) == [#"target="API""#, #"group="Web""#])
        #expect(silences(scene).map(\.targets.count) == [1, 2])
    }

    @Test func `an empty line removes the acknowledgement that came with the silence`() {
        var scene = makeScene(server)
        scene.select("Shop")
        scene.type("Anew switch")
        scene.press(.enter, .character("y"))
        scene.send(.silenced(SilenceReport(silences(scene)[0], .created(id: "1"))))
        scene.type("A")
        #expect(scene.screen.contains("a new reason, or enter to remove it here"))
        scene.press(.enter)
        #expect(scene.model.roster.states.healthCounts.acknowledged == 0)
    }

    @Test func `targets of this machine are acknowledged`() {
        var scene = makeScene(server)
        scene.select("NAS")
        scene.type("Anew switch")
        #expect(scene.screen.contains("acknowledge NAS: new switch"))
        scene.press(.enter)
        #expect(scene.model.roster.states.healthCounts.acknowledged == 1 && silences(scene).isEmpty)
    }

    @Test func `without an Alertmanager, a failure is acknowledged here, and the key says what is missing`() {
        var scene = makeScene(nil)
        scene.select("Shop")
        scene.type("A")
        #expect(
            scene.screen.contains("acknowledge Shop:") && scene.screen.contains("no [alertmanager] in the settings")
        )
        scene.type("new switch")
        scene.press(.enter)
        #expect(scene.model.roster.states.healthCounts.acknowledged == 1)
        scene.select("API")
        scene.type("A")
        #expect(scene.screen.contains("no Alertmanager to silence alerts – add [alertmanager] to the settings"))
        #expect(scene.model.prompts.current == nil && silences(scene).isEmpty)
    }

    @Test func `the answers stay visible in a narrow terminal`() {
        var scene = makeScene(server, columns: 60)
        scene.select("Shop")
        scene.type("Anew switch ordered, and more words than there is room for")
        scene.press(.enter)
        #expect(scene.line("silence target").contains(#"silence target="Shop" for 2h at alertmanager…  y yes  n no"#))
    }
}

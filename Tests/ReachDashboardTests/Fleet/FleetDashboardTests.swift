import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The dashboard with targets that are read from servers.
struct FleetDashboardTests {
    private func target(_ name: String, group: String? = "Web") -> Target {
        Target(name: name, question: .fleet(FleetQuestion(instance: name)), group: group)
    }

    private func update(_ change: (inout FleetUpdate) -> Void = { _ in }) -> FleetUpdate {
        var update = FleetUpdate()
        update.targets = [target("Shop")]
        update.reports = [
            "Shop": ["fra", "nyc"].map {
                VantageReport(vantagePoint: $0, health: .down, detail: "refused", sampled: .zero, time: .zero)
            }
        ]
        update.counted = ["Web": 999, "DB": 500]
        var server = FleetServer(name: "prometheus:9090")
        server.answered = .seconds(1)
        update.servers = [server]
        change(&update)
        return update
    }

    private func makeScene(_ update: FleetUpdate) -> Scene {
        var scene = Scene([.make("NAS", group: "Home")])
        scene.receive("r", from: "NAS")
        scene.send(.fleet(update))
        scene.tick()
        return scene
    }

    @Test func `targets of a server are rows beside those of the settings, with the verdict`() {
        let screen = makeScene(update()).screen
        #expect(screen.contains("Shop") && screen.contains("everywhere") && screen.contains("NAS"))
        #expect(screen.contains("dashboard.toml  prometheus:9090"))
    }

    @Test func `groups count the targets that are not read, also those without a row`() {
        let screen = makeScene(update()).screen
        #expect(screen.contains(" 999/1000 up, 1 down"))
        #expect(screen.contains(" 500/500 up"))
        #expect(screen.contains("1501 targets") && screen.contains("1500 up"))
    }

    @Test func `targets that are only counted are unknown while not all failing ones are known`() {
        let screen = makeScene(update { $0.countedHealth = .unknown }).screen
        #expect(screen.contains(" 0/1000 up, 1 down, 999 unknown"))
        #expect(screen.contains(" 0/500 up, 500 unknown"))
        #expect(screen.contains("1499 unknown") && !screen.contains("1500 up"))
    }

    @Test func `the visible targets are requested once`() {
        var scene = makeScene(update())
        let shown = scene.effects.filter { if case .showFleet = $0 { true } else { false } }
        #expect(shown == [.showFleet(["Shop"], groups: [])])
        scene.tick()
        #expect(scene.effects.count { if case .showFleet = $0 { true } else { false } } == 1)
    }

    @Test func `unfolding a group with targets that are only counted reads all of it`() {
        var scene = makeScene(update())
        scene.press(.end, .right)
        #expect(scene.effects.last == .showFleet(["Shop"], groups: ["DB"]))
        scene.press(.left)
        #expect(scene.effects.last == .showFleet(["Shop"], groups: []))
    }

    @Test func `a problem with a server is named with its cause and the age of the values`() {
        var failing = update()
        failing.servers[0].problem = "refused"
        failing.servers[0].problemSince = .seconds(1)
        var scene = makeScene(failing)
        #expect(scene.screen.contains("prometheus:9090 for "))
        #expect(scene.screen.contains(": refused – values are "))
        scene.press(.character("e"))
        #expect(scene.screen.contains("prometheus:9090: refused"))
        scene.send(.fleet(update { $0.targets = nil }))
        scene.tick()
        #expect(scene.screen.contains("prometheus:9090: answers again"))
    }

    @Test func `a reload of the settings keeps the fleet`() {
        var scene = makeScene(update())
        scene.send(.settings(Settings(targets: [.make("NAS", group: "Home"), .make("Pi")])))
        #expect(scene.model.roster.states.map(\.target.name) == ["NAS", "Pi", "Shop"])
        #expect(scene.model.roster.states.last?.health == .down)
    }

    @Test func `a target of the fleet cannot be edited or removed here`() {
        var scene = makeScene(update())
        scene.select("Shop")
        for key in ["E", "D"] {
            scene.type(key)
            #expect(scene.screen.contains("Shop is not in the file but in Prometheus – change it where it is probed"))
            #expect(scene.model.prompts.question == nil)
            scene.press(.up, .down)
        }
        #expect(!scene.effects.contains { if case .edit = $0 { true } else { false } })
    }

    @Test func `tab also shows the vantage points if there are any`() {
        var scene = makeScene(update())
        var views: [Navigation.View] = []
        for _ in 0..<5 {
            scene.press(.tab)
            views.append(scene.model.navigation.view)
        }
        #expect(views == [.wall, .graphs, .strips, .vantagePoints, .table])
        scene = Scene([.make("NAS")], hasPaths: true)
        for _ in 0..<4 { scene.press(.tab) }
        #expect(scene.model.navigation.view == .paths)
        scene.press(.tab)
        #expect(scene.model.navigation.view == .table)
        scene = Scene([.make("Link", url: "link:any")])
        for _ in 0..<4 { scene.press(.tab) }
        #expect(scene.model.navigation.view == .table)
    }

    @Test func `the detail view asks for the past, and shows it`() {
        var scene = makeScene(update())
        scene.press(.character("n"), .enter)
        #expect(scene.effects.contains(.readFleetHistory(of: "Shop")))
        #expect(scene.screen.contains("reading …"))
        var history = FleetHistory()
        history.record([.seconds(-300): [1, 0], .zero: [0, 0]], step: .seconds(300), quorum: .majority)
        scene.send(.fleetHistory(history, of: "Shop"))
        scene.tick()
        #expect(scene.screen.contains("uptime 50.000%   reachability 25.000%   outage 1"))
    }
}

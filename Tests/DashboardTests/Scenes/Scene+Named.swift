import Monitoring
import Screen
import TestSupport

@testable import Dashboard

extension Scene {
    /// Returns the scene of a story by its name.
    static func named(_ name: String) -> Scene? {
        switch name {
        case "home": home
        case "evening": evening
        case "editing": editing
        case "unsaved": unsaved
        case "empty": Scene([])
        case "one": one
        case "thousands": thousands
        case "fleet": fleet
        case "many-vantage-points": manyVantagePoints
        default: nil
        }
    }

    /// Five targets in two groups: one is down, and one is slow.
    private static let home: Scene = {
        var scene = Scene(home(["Router", "NAS", "Camera", "Shop", "API"]))
        scene.receiveTogether([
            "Router": "rrrrrrrr", "NAS": "rrrrrxxx", "Camera": "rrrrrrrr", "Shop": "rrrrrsss", "API": "rrrrrrrr",
        ])
        return scene
    }()

    /// The home, with a text that a simulated store made.
    private static let editing: Scene = {
        var scene = Scene(home(["Router", "NAS", "Camera", "Shop", "API"]), document: SimulatedStore.document)
        scene.receiveTogether(["Router": "rrrr", "NAS": "rrrr", "Camera": "rrrr", "Shop": "rrrr", "API": "rrrr"])
        return scene
    }()

    /// Targets by their URLs, which are in no file yet.
    private static let unsaved = Scene(
        [.make("192.0.2.1", url: "icmp://192.0.2.1"), .make("nas.local:445")],
        document: SettingsDocument(file: nil, text: SimulatedStore.document.text)
    )

    /// Targets of the home by their names; an unknown name is a new target.
    static func home(_ names: [String]) -> [Target] {
        let known: [Target] = [
            .make("Router", url: "icmp://192.168.1.1", group: "Home"),
            .make("NAS", url: "tcp://nas.local:445", group: "Home", hooks: [.make(on: [.up])]),
            .make("Camera", url: "icmp://192.168.1.7", group: "Home"),
            .make("Shop", url: "tcp://shop.example:443", group: "Cloud", slow: .milliseconds(500)),
            .make("API", url: "tcp://api.example:443", group: "Cloud"),
        ]
        return names.map { name in
            known.first { $0.name == name } ?? .make(name, url: "tcp://\(name.lowercased()).local:80")
        }
    }

    private static let one: Scene = {
        var scene = Scene([.make("NAS", url: "tcp://nas.local:445")])
        scene.receive("rrr", from: "NAS")
        return scene
    }()

    private static let thousands = halls([2_400, 1_700, 3_100, 900, 1_900], columns: 60, rows: 8)
}

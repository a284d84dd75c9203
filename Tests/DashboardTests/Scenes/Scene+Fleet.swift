import Monitoring
import Screen
import TestSupport

@testable import Dashboard

extension Scene {
    /// Nine targets of a fleet with six vantage points, one of which has stopped reporting, and a target of this machine.
    static let fleet: Scene = {
        var scene = Scene(
            ["Shop", "API", "Login", "Images", "Search", "Mail"].map { target($0, group: "Shop") }
                + ["DNS a", "DNS b", "VPN"].map { target($0, group: "Network") }
                + [.make("NAS", url: "tcp://nas.local:445", group: "Network")]
        )
        scene.receive("r", from: "NAS")
        let first: [String: String] = [
            "Shop": "fra=12ms nyc=87ms sin=190ms syd=255ms gru=degraded:911ms jnb=870ms",
            "API": "fra=11ms nyc=86ms sin=178ms syd=276ms gru=184ms jnb=157ms",
            "Login": "fra=12ms nyc=90ms sin=180ms syd=229ms gru=190ms jnb=184ms",
            "Images": "fra=13ms nyc=89ms sin=down:HTTP_503 syd=227ms gru=205ms jnb=147ms",
            "Search": "fra=11ms nyc=81ms sin=152ms syd=255ms gru=201ms jnb=179ms",
            "Mail": "fra=20ms nyc=80ms sin=170ms syd=240ms gru=200ms jnb=180ms",
            "DNS a": "fra=14ms nyc=97ms sin=186ms syd=270ms gru=195ms jnb=154ms",
            "DNS b": "fra=12ms nyc=77ms sin=183ms syd=221ms gru=221ms jnb=160ms",
            "VPN": "fra=14ms nyc=93ms sin=151ms gru=224ms jnb=unknown",
        ]
        scene.report(first)
        for _ in 0..<6 {
            scene.wait(.seconds(30))
            scene.report(
                first.mapValues { $0.split(separator: " ").filter { !$0.hasPrefix("syd") }.joined(separator: " ") }
            )
        }
        scene.report([
            "Login": "fra=down:timeout nyc=down:timeout gru=down:timeout",
            "Shop": "jnb=degraded:870ms sin=degraded:1190ms",
        ])
        scene.wait(.seconds(20))
        scene.report(["Mail": "fra=down:refused nyc=down:refused sin=down:refused gru=down:refused jnb=down:refused"])
        scene.wait(.seconds(12))
        return scene
    }()

    /// A fleet with fifty vantage points of long names.
    static let manyVantagePoints: Scene = {
        var scene = Scene(["Shop", "Login"].map { target($0) })
        let names = (1...50).map { "probe-eu-central-\($0 < 10 ? "0" : "")\($0)" }
        scene.report([
            "Shop": names.enumerated().map { "\($1)=\(10 + $0)ms" }.joined(separator: " "),
            "Login": names.enumerated().map { $0 % 3 == 1 ? "\($1)=down:timeout" : "\($1)=\(20 + $0)ms" }
                .joined(separator: " "),
        ])
        scene.wait(.seconds(5))
        return scene
    }()

    private static func target(_ name: String, group: String? = nil) -> Target {
        let instance = "https://\(name.lowercased().filter { $0 != " " }).example.com/"
        return Target(name: name, question: .fleet(FleetQuestion(instance: instance)), group: group)
    }

    /// Receives reports of vantage points on targets, by their names.
    mutating func report(_ reports: [String: String]) {
        let findings = reports.sorted { $0.key < $1.key }.compactMap { name, text -> Finding? in
            guard let id = id(name) else { return nil }
            let reports = text.split(separator: " ").compactMap { try? VantageReport(story: String($0), time: now) }
            return .vantageReports(id, reports, at: now)
        }
        send(.findings(findings, at: now))
        tick()
    }

    /// Shows the fleet on the same terminal.
    mutating func showFleet(_ fleet: Scene) {
        let (size, glyphs) = (model.size, model.appearance.glyphs)
        self = fleet
        model.appearance.glyphs = glyphs
        send(.resize(size))
    }
}

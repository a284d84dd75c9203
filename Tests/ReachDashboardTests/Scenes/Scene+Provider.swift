@testable import ReachMonitoring
import ReachScreen
import TestSupport

@testable import ReachDashboard

extension Scene {
    /// Ninety-seven targets behind a router, a provider and a switch. One router of the provider has not answered for four
    /// minutes, another one is slower than before, and one limits its answers.
    static let provider: Scene = {
        var scene = Scene(
            ["Shop", "API", "Mail"].map { .make($0, url: "tcp://\($0.lowercased()).example:443", group: "Cloud") }
                + numbered("Branch", 11, behind: "203.0.113")
                + numbered("Site", 31, behind: "198.51.100")
                + numbered("Office", 7, behind: "192.0.2")
                + numbered("Partner", 9, behind: "10.1.7")
                + numbered("Printer", 36, behind: "192.168.1"),
            hasPaths: true
        )
        var random = SplitMix(seed: 11)
        for second in stride(from: 20, through: length, by: 20) {
            scene.wait(.seconds(20 - 1))
            scene.receiveAll { _, state in
                let hops = hops(to: state.target)
                guard let last = hops.last, !last.loses(.seconds(second)) else { return .timeout }
                let factor = last.factor(.seconds(second))
                return .reply(
                    roundTrip: .microseconds(Int(.random(in: last.roundTrip, using: &random) * factor * 1_000))
                )
            }
        }
        return scene
    }()

    /// The seconds of the scene.
    private static let length = 1_800
    /// When the router of the provider has stopped, and when another one has become slower.
    private static let (stop, slowing) = (Duration.seconds(1_560), Duration.seconds(1_100))

    private static func numbered(_ name: String, _ count: Int, behind network: String) -> [Target] {
        (1...count).map { .make("\(name) \($0)", url: "icmp://\(network).\($0 + 9)", group: name) }
    }

    private static func hops(to target: Target) -> [SimulatedHop] {
        let router = SimulatedHop("192.168.1.1", 0.4...0.8)
        let provider = SimulatedHop("10.1.0.1", 3.4...5)
        var core = SimulatedHop("10.4.2.9", 4.6...6)
        core.factor = { $0 > slowing ? 1.9 : 1 }
        let address = address(of: target)
        switch target.group {
        case "Cloud", "Branch":
            return [router, provider, SimulatedHop("10.1.3.3", 7...9), .end(address, 8...11)].enumerated().map {
                $0 < 2 ? $1 : $1.losing { $0 > stop }
            }
        case "Site":
            var end = SimulatedHop.end(address, 5...7)
            end.factor = core.factor
            return [router, provider, core, end]
        case "Office":
            let limited = SimulatedHop("198.51.100.4", 9...13).losing { Int($0.components.seconds / 7) % 3 != 0 }
            return [router, provider, core, limited, .end(address, 10...14)]
        case "Partner": return [router, provider, .end(address, 4...6)]
        default: return [router, SimulatedHop("192.168.1.2", 0.5...0.9), .end(address, 0.6...1)]
        }
    }

    private static func address(of target: Target) -> String {
        guard case .icmp(let host, _) = target.question else { return "203.0.113.\(target.name.utf8.count)" }
        return host
    }

    /// The names and systems of the provider's routers.
    private static let names = [
        "192.168.1.1": "router.lan", "192.168.1.2": "switch.lan", "10.1.0.1": "bng1.isp.example",
        "10.4.2.9": "core2.isp.example",
    ]
    private static let systems = ["10.4.2.9": AutonomousSystems.System(number: 64_500, name: "ISP")]

    /// The snapshots of all paths, each of which is traced every two and a half minutes.
    var providerPaths: [Target.ID: PathSnapshot] {
        var random = SplitMix(seed: 5)
        let states = model.roster.states
        var snapshots: [Target.ID: PathSnapshot] = [:]
        for (index, state) in states.enumerated() where state.hasPath {
            let offset = 150.0 * Double(index) / Double(states.count)
            let times = (0..<12).map { Duration.seconds(Double($0) * 150 + offset) }.filter { $0 < now }
            snapshots[state.id] = snapshot(of: state, at: times, isWatched: false, using: &random)
        }
        return snapshots
    }

    /// The snapshot of the path to a target, which is traced every second.
    func providerPath(to name: String) -> [Target.ID: PathSnapshot] {
        guard let id = id(name), let state = model.roster[id] else { return [:] }
        var random = SplitMix(seed: 6)
        let times = (0..<120).map { now - .milliseconds(119_500) + .seconds($0) }
        return [id: snapshot(of: state, at: times, isWatched: true, using: &random)]
    }

    private func snapshot(
        of state: TargetState,
        at times: [Duration],
        isWatched: Bool,
        using random: inout SplitMix
    ) -> PathSnapshot {
        let method = state.target.question.pathMethod ?? (.icmp, 0)
        let destination = PathDestination(
            address: Self.address(of: state.target),
            method: method.method,
            port: method.port
        )
        let trace = PathTrace.simulated(
            Self.hops(to: state.target),
            to: destination,
            at: times,
            isWatched: isWatched,
            using: &random
        )
        return PathSnapshot(time: now, trace: trace, names: Self.names, systems: Self.systems)
    }

    /// The provider with its tree of paths.
    static let providerWithPaths: Scene = {
        var scene = provider
        scene.showProvider()
        return scene
    }()

    /// Shows the provider on the same terminal, with its paths as a tree.
    mutating func showProvider() {
        showFleet(.provider)
        press(.character("6"))
        send(.paths(providerPaths, isComplete: true))
    }

    /// Shows the path to a target of the provider on the same terminal.
    mutating func showProviderPath(to name: String) {
        showFleet(.provider)
        select(name)
        press(.character("p"))
        send(.paths(providerPath(to: name), isComplete: true))
    }
}

extension Target {
    /// The target with a path, as in settings that do not turn it off.
    var traced: Target {
        var target = self
        if hasPath { target.path = PathSettings() }
        return target
    }
}

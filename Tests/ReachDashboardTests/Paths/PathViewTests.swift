import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The views of paths: what they request, and what they show.
@Suite struct PathViewTests {
    /// The requests for paths so far.
    private static func requests(_ scene: Scene) -> [PathRequest] {
        scene.effects.compactMap { if case .showPaths(let request) = $0 { request } else { nil } }
    }

    @Test func `paths are requested while they are shown`() throws {
        var scene = Scene(Scene.home(["Router", "NAS"]) + [.make("Link", url: "link:any")], hasPaths: true)
        let (router, nas) = (try #require(scene.id("Router")), try #require(scene.id("NAS")))
        scene.select("Router")
        scene.press(.character("p"))
        #expect(Self.requests(scene) == [.one(router)])
        scene.press(.down)
        #expect(Self.requests(scene).last == .one(nas))
        scene.press(.down)
        #expect(Self.requests(scene).last == PathRequest.none)
        #expect(scene.screen.contains("no path: link sends no packet to a host on the network"))
        scene.press(.up, .character("e"), .escape)
        #expect(Self.requests(scene).count == 4)
        scene.press(.character("6"))
        #expect(Self.requests(scene).last == .all)
        // After a reload that changes targets, again.
        scene.send(.settings(Settings(targets: Scene.home(["Router", "Camera"]).map(\.traced))))
        #expect(Self.requests(scene).count == 6 && Self.requests(scene).last == .all)
        scene.press(.character("1"))
        #expect(Self.requests(scene).last == PathRequest.none)
        let count = Self.requests(scene).count
        scene.wait(.seconds(5))
        #expect(Self.requests(scene).count == count)
    }

    @Test func `a path that the settings turn off is named as such`() {
        var scene = Scene(Scene.home(["NAS"]))
        scene.select("NAS")
        scene.press(.character("p"))
        #expect(scene.screen.contains("no path: the settings have path = false"))
        #expect(Self.requests(scene).isEmpty)
    }

    @Test func `the path of a paused target is neither waited for nor requested`() throws {
        var scene = Scene(Scene.home(["NAS"]), hasPaths: true)
        let nas = try #require(scene.id("NAS"))
        scene.select("NAS")
        scene.press(.character("p"))
        scene.send(.paths([nas: .simulated(["10.0.0.1", "192.168.1.20"])], isComplete: false))
        #expect(scene.screen.contains("reaches the target"))
        scene.press(.character(" "))
        #expect(scene.screen.contains("no path: the target is paused"))
        #expect(!scene.screen.contains("reaches the target"))
        #expect(Self.requests(scene).last == PathRequest.none)
        scene.press(.character(" "))
        #expect(scene.screen.contains("waiting for the first answers"))
        #expect(Self.requests(scene).last == .one(nas))
    }

    @Test func `the path of the details leads back to them`() {
        var scene = Scene(Scene.home(["Router", "NAS", "Camera"]), hasPaths: true)
        scene.open("Router")
        scene.press(.character("p"), .down, .escape)
        #expect(scene.line("NAS").contains("tcp://nas.local:445"))
        scene.press(.character("p"), .enter)
        #expect(scene.model.navigation.detailState != nil && scene.model.navigation.pathState == nil)
        scene.press(.character("p"), .character("p"), .escape)
        #expect(scene.model.navigation.view == .table)
    }

    @Test func `a path has its hops, their words and its end`() {
        var scene = Scene.provider
        scene.showProviderPath(to: "Office 3")
        #expect(scene.line("198.51.100.4").contains("limits its answers"))
        #expect(scene.screen.contains("reaches the target"))
        scene.showProviderPath(to: "Shop")
        #expect(scene.screen.contains("10.1.0.1 answers, nothing beyond it"))
        #expect(scene.line("  3  *").contains("silent"))
    }

    @Test func `a shared hop has no figures`() {
        var scene = Scene(Scene.home(["Router", "NAS"]), hasPaths: true)
        scene.select("NAS")
        scene.press(.character("p"))
        var shared = SimulatedHop("192.168.1.1")
        shared.isShared = true
        var random = SplitMix(seed: 3)
        let trace = PathTrace.simulated(
            [shared, .end("192.168.1.20")],
            to: PathDestination(address: "192.168.1.20", method: .tcp, port: 445),
            at: [.seconds(1), .seconds(2)],
            using: &random
        )
        scene.send(.paths([scene.id("NAS")!: PathSnapshot(time: .seconds(3), trace: trace)], isComplete: false))
        let words = scene.line("192.168.1.1 ").split(separator: " ").prefix(5)
        #expect(words == ["1", "192.168.1.1", "–", "–", "–"])
        #expect(scene.line("192.168.1.1 ").contains("shared"))
    }

    @Test func `other addresses, labels and a problem are shown`() {
        var scene = Scene(Scene.home(["Router"]), hasPaths: true)
        scene.press(.down, .character("p"))
        var labelled = SimulatedHop("10.0.0.1")
        labelled.labels = [MPLSLabel(label: 24_001, trafficClass: 0, timeToLive: 1)]
        var random = SplitMix(seed: 3)
        let destination = PathDestination(address: "192.168.1.1", method: .icmp)
        let trace = PathTrace.simulated(
            [labelled, .end("192.168.1.1")],
            to: destination,
            at: [.seconds(1), .seconds(2)],
            using: &random
        )
        let snapshot = PathSnapshot(time: .seconds(3), trace: trace, problem: "no permission")
        scene.send(.paths([scene.id("Router")!: snapshot], isComplete: false))
        #expect(scene.screen.contains("MPLS 24001"))
        #expect(scene.screen.contains("no permission"))
        #expect(!scene.screen.contains("reaches the target"))
    }

    @Test func `a frozen path shows what was known at the time cursor`() {
        var scene = Scene.provider
        scene.showProviderPath(to: "Shop")
        scene.wait(.seconds(1))
        scene.press(.character("f"))
        let frozen = scene.screen
        scene.wait(.seconds(30))
        scene.send(.paths(scene.providerPath(to: "Shop"), isComplete: true))
        #expect(scene.screen == frozen)
        for _ in 0..<30 { scene.press(.left) }
        #expect(scene.screen != frozen && scene.screen.contains("at 14:3"))
        #expect(scene.screen.contains("10.1.0.1 answers, nothing beyond it"))
        scene.press(.escape)
        #expect(scene.model.frozen == nil && scene.model.navigation.pathState != nil)
    }

    @Test func `a frozen tree shows the paths before an outage`() {
        var scene = Scene.provider
        scene.showProvider()
        #expect(scene.line("10.1.3.3").contains("silent"))
        scene.press(.character("f"))
        while (scene.model.cursor ?? .seconds(1_800)) > .seconds(1_500) { scene.press(.left) }
        #expect(!scene.line("10.1.3.3").contains("silent"))
        #expect(scene.line("14 targets").contains("all up"))
    }

    @Test(arguments: [(20, 5), (40, 10), (40, 12), (60, 20), (80, 24), (120, 36), (200, 60), (1, 1), (7, 3)])
    func `both views fit any size`(columns: Int, rows: Int) {
        for name in ["Shop", "Office 3"] {
            for isTree in [true, false] {
                var scene = Scene.provider
                if isTree { scene.showProvider() } else { scene.showProviderPath(to: name) }
                scene.send(.resize(Size(columns: columns, rows: rows)))
                scene.press(.down, .pageDown, .end, .home)
                let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.count == rows)
            }
        }
    }

    @Test func `p on a hop shows the path to the only target behind it`() {
        var scene = Scene(Scene.home(["Router"]), hasPaths: true)
        scene.press(.character("6"))
        scene.send(.paths([scene.id("Router")!: .simulated(["10.0.0.1", "192.168.1.1"])], isComplete: true))
        scene.press(.home, .character("p"))
        #expect(scene.model.navigation.pathState?.target == scene.id("Router"))
        scene.press(.escape)
        #expect(scene.model.navigation.view == .paths)
        var provider = Scene.provider
        provider.showProvider()
        provider.press(.home, .character("p"))
        #expect(provider.screen.contains("select one target: p shows its path"))
    }

    @Test func `the tree has the age of results that are older than the last refresh`() throws {
        var scene = Scene(Scene.home(["Router"]), hasPaths: true)
        let id = try #require(scene.id("Router"))
        scene.press(.character("6"))
        scene.send(.paths([id: .simulated(["10.0.0.1", "192.168.1.1"])], isComplete: true))
        #expect(!scene.screen.contains(" ago"))
        scene.wait(.seconds(1_500))
        scene.send(.paths([id: .simulated(["10.0.0.1", "192.168.1.1"])], isComplete: true))
        #expect(scene.line("10.0.0.1").contains("24m55s ago"))
    }

    @Test func `names are shown and hidden`() {
        var scene = Scene.provider
        scene.showProviderPath(to: "Office 3")
        #expect(scene.screen.contains("router.lan"))
        scene.press(.character("C"))
        #expect(!scene.screen.contains("router.lan"))
    }

    @Test func `levels of heat grow with round trips, and with growth`() {
        let level = { (milliseconds: Double, usual: Double) in
            HeatScale.level(of: Int64(milliseconds * 1e6), usual: Int64(usual * 1e6))
        }
        #expect([0.5, 2, 10, 100].map { level($0, $0) } == [0, 1, 2, 3])
        #expect([5, 7.5, 9.5, 14].map { level($0, 5) } == [2, 4, 5, 6])
        #expect(HeatScale.level(of: 600_000_000, usual: 580_000_000, slow: 500_000_000) == HeatScale.levels - 1)
    }
}

import Monitoring
import Testing

@testable import Probing

/// What becomes of a session when the network of this machine changes.
struct SessionNetworkTests {
    typealias Scene = SessionScene

    private let pulled = SessionState.Cause.failure(Scene.pulled)

    @Test func `a connection that nothing can leave for waits at once, and the next probe tells why`() throws {
        var scene = Scene()
        scene.getReady()
        let acts = scene.networkChanged(at: 60, lackOfWayOut: Scene.pulled)
        #expect(acts == [.close, .announce(.waiting(Scene.pulled)), .hasten])
        #expect(scene.ask(at: 60, lackOfWayOut: Scene.pulled) == [Scene.loss(2, pulled)])
    }

    @Test func `a change that leaves a way out is none to a connection`() throws {
        var scene = Scene()
        scene.getReady()
        #expect(scene.networkChanged(at: 60) == [])
        #expect(scene.ask(at: 65) == [Scene.reply(2, 3, "1m05s")])
    }

    @Test func `an attempt that nothing can leave for waits at once`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        #expect(scene.networkChanged(at: 0.5) == [])
        let acts = scene.networkChanged(at: 1, lackOfWayOut: Scene.pulled)
        #expect(acts == [.close, .announce(.waiting(Scene.pulled)), Scene.loss(1, pulled)])
    }

    @Test func `when the way is back it connects at once, and its age begins anew`() throws {
        var scene = Scene()
        scene.getReady()
        _ = scene.networkChanged(at: 60, lackOfWayOut: Scene.pulled)
        _ = scene.ask(at: 60, lackOfWayOut: Scene.pulled)
        #expect(scene.networkChanged(at: 61, lackOfWayOut: Scene.pulled) == [])
        #expect(scene.networkChanged(at: 90) == [.announce(.preparing), .connect])
        #expect(scene.connected(at: 90) == [.announce(.ready), .hasten])
        #expect(scene.ask(at: 92) == [Scene.reply(3, 3, "2s")])
    }

    @Test func `when the way is back, the pauses begin anew`() throws {
        var scene = Scene()
        scene.getReady()
        var now = 60.0
        _ = scene.networkChanged(at: now, lackOfWayOut: Scene.pulled)
        _ = scene.ask(at: now, lackOfWayOut: Scene.pulled)
        for pause in [0.5, 1, 2, 4, 5] {
            now += pause
            #expect(scene.expire(at: now, lackOfWayOut: Scene.pulled) == [], "it looks for a way out, and goes none")
        }
        _ = scene.networkChanged(at: now)
        _ = scene.broke(Scene.refused, at: now)
        #expect(scene.machine.deadline == .seconds(now + 0.5))
    }

    @Test func `without a way out every probe is told so, and nothing is tried`() throws {
        var scene = Scene()
        scene.getReady()
        _ = scene.networkChanged(at: 60, lackOfWayOut: Scene.pulled)
        for sequence in 2...4 {
            #expect(scene.ask(at: 61, lackOfWayOut: Scene.pulled) == [Scene.loss(sequence, pulled)])
        }
        #expect(scene.ask(at: 62) == [.announce(.preparing), .connect], "the way is back, though nobody said so")
    }

    @Test func `whoever refuses is not asked the sooner for a change of the network`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        _ = scene.broke(Scene.refused, at: 0)
        #expect(scene.networkChanged(at: 0.1) == [])
        #expect(scene.machine.deadline == .seconds(0.5))
    }

    @Test func `before the first probe a change of the network is nobody's`() throws {
        var scene = Scene()
        #expect(scene.networkChanged(at: 1, lackOfWayOut: Scene.pulled) == [])
        #expect(scene.machine.deadline == nil)
    }
}

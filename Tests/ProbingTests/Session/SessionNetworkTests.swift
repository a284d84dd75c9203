import Monitoring
import Testing

@testable import Probing

/// Sessions after changes of this machine's network.
struct SessionNetworkTests {
    typealias Scene = SessionScene

    private static let unreachable = SessionState.Cause.failure(Failure(.hostUnreachable))
    private let noCarrier = SessionState.Cause.failure(Scene.noCarrier)

    @Test func `a connection without a route waits at once and the next probe reports why`() throws {
        var scene = Scene()
        scene.becomeReady()
        let actions = scene.networkChanged(at: 60, routeFailure: Scene.noCarrier)
        #expect(actions == [.close, .announce(.waiting(Scene.noCarrier)), .probeNow])
        #expect(scene.startProbe(at: 60, routeFailure: Scene.noCarrier) == [Scene.loss(2, noCarrier)])
    }

    @Test func `a change that keeps the route does not affect a connection`() throws {
        var scene = Scene()
        scene.becomeReady()
        #expect(scene.networkChanged(at: 60) == [])
        #expect(scene.startProbe(at: 65) == [Scene.reply(2, 3, "1m05s")])
    }

    @Test func `an attempt without a route waits at once`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        #expect(scene.networkChanged(at: 0.5) == [])
        let actions = scene.networkChanged(at: 1, routeFailure: Scene.noCarrier)
        #expect(actions == [.close, .announce(.waiting(Scene.noCarrier)), Scene.loss(1, noCarrier)])
    }

    @Test func `it connects as soon as the route is back and its age restarts`() throws {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.networkChanged(at: 60, routeFailure: Scene.noCarrier)
        _ = scene.startProbe(at: 60, routeFailure: Scene.noCarrier)
        #expect(scene.networkChanged(at: 61, routeFailure: Scene.noCarrier) == [])
        #expect(scene.networkChanged(at: 90) == [.announce(.preparing), .connect])
        #expect(scene.connected(at: 90) == [.announce(.ready), .probeNow])
        #expect(scene.startProbe(at: 92) == [Scene.reply(3, 3, "2s")])
    }

    @Test func `the backoff is reset when the route is back`() throws {
        var scene = Scene()
        scene.becomeReady()
        var now = 60.0
        _ = scene.networkChanged(at: now, routeFailure: Scene.noCarrier)
        _ = scene.startProbe(at: now, routeFailure: Scene.noCarrier)
        for pause in [0.5, 1, 2, 4, 5] {
            now += pause
            #expect(scene.expire(at: now, routeFailure: Scene.noCarrier) == [], "there is no route yet")
        }
        _ = scene.networkChanged(at: now)
        _ = scene.failed(Scene.refused, at: now)
        #expect(scene.machine.deadline == .seconds(now + 0.5))
    }

    @Test func `a change that does not bring the route back starts no attempt`() throws {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.networkChanged(at: 60, routeFailure: Scene.noCarrier)
        _ = scene.startProbe(at: 60, routeFailure: Scene.noCarrier)
        #expect(scene.networkChanged(at: 60.2, routeFailure: Scene.noCarrier) == [])
        #expect(scene.retry(at: 60.2) == [], "its packets would start a neighbour resolution that fails")
        #expect(scene.machine.isWaiting)
        #expect(scene.networkChanged(at: 63) == [.announce(.preparing), .connect])
    }

    @Test func `a neighbour resolution from before the route's return does not fail the session`() throws {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.networkChanged(at: 60, routeFailure: Scene.noCarrier)
        _ = scene.startProbe(at: 60, routeFailure: Scene.noCarrier)
        _ = scene.networkChanged(at: 63)
        _ = scene.startProbe(at: 63.05)
        #expect(scene.retry(at: 63.1) == [.close, .announce(.preparing), .connect])
        #expect(scene.failed(Self.unreachable, at: 63.8) == [.close, .announce(.preparing), .connect])
        #expect(scene.connected(at: 63.9) == [.announce(.ready), Scene.reply(3, 2, "0s")])
    }

    @Test func `only the first failure after the route's return is ignored`() throws {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.networkChanged(at: 60, routeFailure: Scene.noCarrier)
        _ = scene.networkChanged(at: 63)
        _ = scene.failed(Self.unreachable, at: 64)
        #expect(scene.failed(Self.unreachable, at: 64).contains(.announce(.failed(Self.unreachable))))
        #expect(scene.machine.deadline == .seconds(64.5), "the backoff was reset")
    }

    @Test func `a host that is still unreachable after a whole resolution fails the session`() throws {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.networkChanged(at: 60, routeFailure: Scene.noCarrier)
        _ = scene.networkChanged(at: 63)
        #expect(scene.failed(Self.unreachable, at: 66).contains(.announce(.failed(Self.unreachable))))
    }

    @Test func `a refusal after the route's return fails the session`() throws {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.networkChanged(at: 60, routeFailure: Scene.noCarrier)
        _ = scene.networkChanged(at: 63)
        #expect(scene.failed(Scene.refused, at: 63.1).contains(.announce(.failed(Scene.refused))))
    }

    @Test func `without a route every probe fails and no connection is tried`() throws {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.networkChanged(at: 60, routeFailure: Scene.noCarrier)
        for sequence in 2...4 {
            #expect(scene.startProbe(at: 61, routeFailure: Scene.noCarrier) == [Scene.loss(sequence, noCarrier)])
        }
        #expect(
            scene.startProbe(at: 62) == [.announce(.preparing), .connect],
            "the route is back without a notification"
        )
    }

    @Test func `a network change does not shorten the pause after a refusal`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        _ = scene.failed(Scene.refused, at: 0)
        #expect(scene.networkChanged(at: 0.1) == [])
        #expect(scene.machine.deadline == .seconds(0.5))
    }

    @Test func `before the first probe a network change has no effect`() throws {
        var scene = Scene()
        #expect(scene.networkChanged(at: 1, routeFailure: Scene.noCarrier) == [])
        #expect(scene.machine.deadline == nil)
    }
}

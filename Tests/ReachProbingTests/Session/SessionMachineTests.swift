import ReachMonitoring
import Testing

@testable import ReachProbing

struct SessionMachineTests {
    typealias Scene = SessionScene

    @Test func `the first probe connects and the open connection answers the next ones`() throws {
        var scene = Scene()
        #expect(scene.machine.deadline == nil)
        #expect(scene.startProbe(at: 0) == [.announce(.preparing), .connect])
        #expect(scene.machine.deadline == .seconds(5))
        #expect(scene.connected(at: 1) == [.announce(.ready), Scene.reply(1, 2, "0s")])
        #expect(scene.machine.deadline == nil)
        #expect(scene.startProbe(at: 5) == [Scene.reply(2, 3, "4s")])
        #expect(scene.startProbe(at: 243) == [Scene.reply(3, 3, "4m02s")])
        #expect(scene.receive("unexpected", at: 244) == [])
    }

    @Test func `a failed connection is reported at once and reopened`() throws {
        var scene = Scene()
        scene.becomeReady()
        #expect(scene.failed(Scene.reset, at: 60) == [.close, .announce(.failed(Scene.reset)), .probeNow])
        #expect(scene.machine.knowsPeer)
        #expect(scene.startProbe(at: 60) == [Scene.loss(2, Scene.reset)])
        #expect(!scene.machine.knowsPeer)
        #expect(scene.machine.deadline == .seconds(60.5))
        #expect(scene.expire(at: 60.4) == [])
        #expect(scene.expire(at: 60.5) == [.announce(.preparing), .connect])
        #expect(scene.connected(at: 60.6) == [.announce(.ready), .probeNow])
        #expect(scene.startProbe(at: 61) == [Scene.reply(3, 3, "0s")])
    }

    @Test func `an end is reported even after a reconnect`() throws {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.failed(Scene.reset, at: 60)
        _ = scene.expire(at: 61)
        _ = scene.connected(at: 61)
        #expect(scene.startProbe(at: 61) == [Scene.loss(2, Scene.reset), .probeNow])
        #expect(scene.startProbe(at: 61) == [Scene.reply(3, 3, "0s")])
    }

    @Test func `while disconnected, probes report the last cause and the pauses grow up to the interval`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        #expect(
            scene.failed(Scene.refused, at: 0)
                == [.close, .announce(.failed(Scene.refused)), Scene.loss(1, Scene.refused)]
        )
        var now = 0.0
        for pause in [0.5, 1, 2, 4, 5, 5] {
            #expect(scene.machine.deadline == .seconds(now + pause))
            now += pause
            #expect(scene.expire(at: now) == [.announce(.preparing), .connect])
            #expect(scene.failed(Scene.refused, at: now) == [.close, .announce(.failed(Scene.refused))])
        }
        #expect(scene.startProbe(at: now) == [Scene.loss(2, Scene.refused)])
    }

    @Test func `without a route it waits and every probe retries`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        let waiting: [Scene.Action] = [.close, .announce(.waiting(Failure(.networkUnreachable)))]
        #expect(scene.failed(Scene.networkUnreachable, at: 0) == waiting + [Scene.loss(1, Scene.networkUnreachable)])
        #expect(scene.startProbe(at: 0.1) == [.announce(.preparing), .connect])
        #expect(scene.failed(Scene.networkUnreachable, at: 0.1) == waiting + [Scene.loss(2, Scene.networkUnreachable)])
        #expect(scene.expire(at: 1.1) == [.announce(.preparing), .connect])
        #expect(scene.connected(at: 1.2) == [.announce(.ready), .probeNow])
    }

    @Test func `the backoff is reset after the route is back`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        _ = scene.failed(Scene.networkUnreachable, at: 0)
        var now = 0.5
        for _ in 0..<5 {
            _ = scene.expire(at: now)
            _ = scene.failed(Scene.networkUnreachable, at: now)
            now += 30
        }
        _ = scene.expire(at: now)
        _ = scene.failed(Scene.refused, at: now)
        #expect(scene.machine.deadline == .seconds(now + 0.5))
    }

    @Test func `an attempt longer than the timeout is a timeout`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        #expect(scene.expire(at: 5) == [.close, .announce(.failed(.timeout)), Scene.loss(1, .timeout)])
    }

    @Test func `an attempt without a route waits for one`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        let actions = scene.expire(at: 5, routeFailure: Scene.noCarrier)
        #expect(actions == [.close, .announce(.waiting(Scene.noCarrier)), Scene.loss(1, .failure(Scene.noCarrier))])
    }

    @Test func `a probe during an attempt shares its outcome`() throws {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.failed(Scene.reset, at: 60)
        _ = scene.startProbe(at: 60)
        _ = scene.expire(at: 61)
        #expect(scene.startProbe(at: 63) == [])
        #expect(scene.failed(Scene.refused, at: 64).last == Scene.loss(3, Scene.refused))
    }

    @Test func `a peer that repeatedly accepts and closes does not reset the backoff`() throws {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.failed(Scene.reset, at: 0.1)
        #expect(scene.machine.deadline == .seconds(0.6))
        _ = scene.expire(at: 0.6)
        _ = scene.connected(at: 0.6)
        _ = scene.failed(Scene.reset, at: 0.7)
        #expect(scene.machine.deadline == .seconds(1.7))
        _ = scene.expire(at: 1.7)
        _ = scene.connected(at: 1.7)
        _ = scene.failed(Scene.reset, at: 7)
        #expect(scene.machine.deadline == .seconds(7.5), "the connection was stable")
    }

    @Test func `a stop of the process keeps the connection and restarts the timeout of attempts`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        scene.machine.discardInFlight(at: .seconds(3_600))
        #expect(scene.machine.deadline == .seconds(3_605))
        #expect(scene.connected(at: 3_601) == [.announce(.ready), .probeNow])
        scene.machine.discardInFlight(at: .seconds(7_200))
        #expect(scene.startProbe(at: 7_201) == [Scene.reply(2, 3, "1h00m")])
        _ = scene.failed(Scene.reset, at: 7_202)
        scene.machine.discardInFlight(at: .seconds(9_000))
        #expect(scene.machine.deadline == .seconds(9_000))
    }

    @Test func `a shortage of descriptors is a fault`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        let fault = Outcome.fault(Fault(.tooManyFiles, detail: "out of file descriptors"))
        #expect(scene.failed(fault, at: 0).last == Scene.loss(1, fault))
    }
}

/// Sessions after changes of this machine's network.
struct SessionNetworkTests {
    typealias Scene = SessionScene

    private static let unreachable = Outcome.failure(Failure(.hostUnreachable))
    private let noCarrier = Outcome.failure(Scene.noCarrier)

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

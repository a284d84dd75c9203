import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

/// The times at which a session reconnects.
struct SessionRetryTests {
    typealias Scene = SessionScene

    @Test func `a shorter interval shortens the pauses, including the current one`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        for now in [0, 0.5, 1.5] {
            _ = scene.expire(at: now)
            _ = scene.failed(Scene.refused, at: now)
        }
        #expect(scene.machine.deadline == .seconds(3.5))
        #expect(scene.startProbe(at: 2, every: 1) == [Scene.loss(2, Scene.refused, every: 1)])
        #expect(scene.machine.deadline == .seconds(3))
        _ = scene.expire(at: 3)
        _ = scene.failed(Scene.refused, at: 3)
        #expect(scene.machine.deadline == .seconds(4))
        #expect(scene.startProbe(at: 3.5) == [Scene.loss(3, Scene.refused)])
        _ = scene.expire(at: 4)
        _ = scene.failed(Scene.refused, at: 4)
        #expect(scene.machine.deadline == .seconds(9), "the pause is limited by the interval of five seconds")
    }

    /// After half a minute of refusals the peer is back. By then no pause is longer than the interval.
    @Test(arguments: [15.0, 50])
    func `it reconnects within the interval after an outage`(outage: Double) throws {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.failed(Scene.reset, at: 0)
        var retry = try #require(scene.machine.deadline)
        while retry < .seconds(outage) {
            let now = retry / .seconds(1)
            _ = scene.expire(at: now)
            _ = scene.failed(Scene.refused, at: now)
            retry = try #require(scene.machine.deadline)
        }
        #expect(retry - .seconds(outage) <= .seconds(5))
    }

    @Test(arguments: [0.0, -1, 0.001])
    func `without an interval, a peer that refuses is left alone for a moment`(_ interval: Double) {
        var scene = Scene()
        _ = scene.startProbe(at: 0, every: interval)
        _ = scene.failed(Scene.refused, at: 0)
        #expect(scene.machine.deadline == .seconds(0.1))
        _ = scene.startProbe(at: 0.05, every: interval)
        #expect(scene.machine.deadline == .seconds(0.1))
    }

    @Test func `the pauses are random between zero and the limit`() throws {
        var machine = SessionMachine(SessionOptions(), generator: Constant.low)
        _ = machine.startProbe(Scene.probe(1), at: .zero, roundTrip: nil, routeFailure: nil)
        _ = machine.failed(Scene.refused, at: .seconds(1))
        let pause = try #require(machine.deadline) - .seconds(1)
        #expect(pause < .microseconds(1))
    }

    @Test func `it reconnects at once after an unanswered attempt longer than the pause`() {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        _ = scene.expire(at: 5)
        #expect(scene.machine.deadline == .seconds(5))
        #expect(scene.expire(at: 5) == [.announce(.preparing), .connect])
    }

    @Test func `the pause after an unanswered attempt counts from its start`() {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        for now in [0, 0.5, 1.5, 3.5] {
            _ = scene.expire(at: now)
            _ = scene.failed(Scene.refused, at: now)
        }
        _ = scene.expire(at: 7.5)
        _ = scene.startProbe(at: 8, timeout: .seconds(1))
        _ = scene.expire(at: 9)
        #expect(scene.machine.deadline == .seconds(12.5), "five seconds after the start")
    }

    @Test(arguments: [(5, nil), (1, 1), (0.1, 0.625)] as [(Double, Double?)])
    func `an unanswered attempt opens further connections at a short interval`(
        interval: Double,
        repetition: Double?
    ) {
        var scene = Scene()
        _ = scene.startProbe(at: 0, every: interval)
        #expect(scene.machine.repetition == repetition.map { .seconds($0) })
    }

    @Test func `an attempt from before the target was down is restarted once`() {
        var scene = Scene()
        scene.becomeReady()
        _ = scene.failed(Scene.reset, at: 10)
        _ = scene.expire(at: 10.5)
        #expect(scene.startProbe(at: 11, every: 5) == [Scene.loss(2, Scene.reset)])
        #expect(scene.startProbe(at: 12, every: 1) == [.close, .announce(.preparing), .connect])
        #expect(scene.machine.repetition == .seconds(1))
        #expect(scene.machine.deadline == .seconds(17))
        #expect(scene.startProbe(at: 13, every: 1) == [])
    }

    @Test func `a packet from the host retries at once and resets the backoff`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        for now in [0, 0.5, 1.5] {
            _ = scene.expire(at: now)
            _ = scene.failed(Scene.refused, at: now)
        }
        #expect(scene.retry(at: 2) == [.announce(.preparing), .connect])
        _ = scene.failed(Scene.refused, at: 2)
        #expect(scene.machine.deadline == .seconds(2.5))
    }

    @Test func `a packet from the host restarts an unanswered attempt and keeps its probe`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        #expect(scene.retry(at: 2) == [.close, .announce(.preparing), .connect])
        #expect(scene.machine.deadline == .seconds(7))
        #expect(scene.connected(at: 2.1) == [.announce(.ready), Scene.reply(1, 2, "0s")])
    }

    @Test func `a retry does not affect a session that is ready, new or closed by the peer`() throws {
        var scene = Scene(SessionOptions(idleClose: .ok))
        #expect(scene.retry(at: 0) == [])
        scene.becomeReady()
        #expect(scene.retry(at: 1) == [])
        _ = scene.closed(at: 2)
        #expect(scene.retry(at: 3) == [])
    }
}

import Monitoring
import TestSupport
import Testing

@testable import Probing

/// When a held connection that ended is made again.
struct SessionRetryTests {
    typealias Scene = SessionScene

    @Test func `while the target is probed more often, the pauses are shorter too, the present one included`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        for now in [0, 0.5, 1.5] {
            _ = scene.expire(at: now)
            _ = scene.broke(Scene.refused, at: now)
        }
        #expect(scene.machine.deadline == .seconds(3.5))
        #expect(scene.ask(at: 2, every: 1) == [Scene.loss(2, Scene.refused, every: 1)])
        #expect(scene.machine.deadline == .seconds(3))
        _ = scene.expire(at: 3)
        _ = scene.broke(Scene.refused, at: 3)
        #expect(scene.machine.deadline == .seconds(4))
        #expect(scene.ask(at: 3.5) == [Scene.loss(3, Scene.refused)])
        _ = scene.expire(at: 4)
        _ = scene.broke(Scene.refused, at: 4)
        #expect(scene.machine.deadline == .seconds(9), "probed every five seconds, it is made again every five")
    }

    /// Half a minute of refusals, and then the peer is back: by then no pause is longer than the interval.
    @Test(arguments: [15.0, 50])
    func `after an outage it is made again within the interval`(outage: Double) throws {
        var scene = Scene()
        scene.getReady()
        _ = scene.broke(Scene.reset, at: 0)
        var retry = try #require(scene.machine.deadline)
        while retry < .seconds(outage) {
            let now = retry / .seconds(1)
            _ = scene.expire(at: now)
            _ = scene.broke(Scene.refused, at: now)
            retry = try #require(scene.machine.deadline)
        }
        #expect(retry - .seconds(outage) <= .seconds(5))
    }

    @Test func `the pauses are random from nothing to the limit`() throws {
        var machine = SessionMachine(SessionOptions(), generator: Constant.low)
        _ = machine.ask(Scene.probe(1), at: .zero, roundTrip: nil, lackOfWayOut: nil)
        _ = machine.broke(Scene.refused, at: .seconds(1))
        let pause = try #require(machine.deadline) - .seconds(1)
        #expect(pause < .microseconds(1))
    }

    @Test func `after an attempt without an answer, which took longer than the pause, it is made again at once`() {
        var scene = Scene()
        _ = scene.ask(at: 0)
        _ = scene.expire(at: 5)
        #expect(scene.machine.deadline == .seconds(5))
        #expect(scene.expire(at: 5) == [.announce(.preparing), .connect])
    }

    @Test func `a pause after an attempt without an answer counts from the beginning of the attempt`() {
        var scene = Scene()
        _ = scene.ask(at: 0)
        for now in [0, 0.5, 1.5, 3.5] {
            _ = scene.expire(at: now)
            _ = scene.broke(Scene.refused, at: now)
        }
        _ = scene.expire(at: 7.5)
        _ = scene.ask(at: 8, timeout: .seconds(1))
        _ = scene.expire(at: 9)
        #expect(scene.machine.deadline == .seconds(12.5), "five seconds after the beginning")
    }

    @Test(arguments: [(5, nil), (1, 1), (0.1, 0.625)] as [(Double, Double?)])
    func `while the target is probed more often than an attempt lasts, the attempt connects again as often`(
        interval: Double,
        repetition: Double?
    ) {
        var scene = Scene()
        _ = scene.ask(at: 0, every: interval)
        #expect(scene.machine.repetition == repetition.map { .seconds($0) })
    }

    @Test func `an attempt that began before the target was down begins anew once, to connect again from then on`() {
        var scene = Scene()
        scene.getReady()
        _ = scene.broke(Scene.reset, at: 10)
        _ = scene.expire(at: 10.5)
        #expect(scene.ask(at: 11, every: 5) == [Scene.loss(2, Scene.reset)])
        #expect(scene.ask(at: 12, every: 1) == [.close, .announce(.preparing), .connect])
        #expect(scene.machine.repetition == .seconds(1))
        #expect(scene.machine.deadline == .seconds(17))
        #expect(scene.ask(at: 13, every: 1) == [])
    }

    @Test func `when its host is heard it is made again at once, and later pauses begin anew`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        for now in [0, 0.5, 1.5] {
            _ = scene.expire(at: now)
            _ = scene.broke(Scene.refused, at: now)
        }
        #expect(scene.retry(at: 2) == [.announce(.preparing), .connect])
        _ = scene.broke(Scene.refused, at: 2)
        #expect(scene.machine.deadline == .seconds(2.5))
    }

    @Test func `an attempt without an answer begins anew when the host is heard, and its probe waits for it`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        #expect(scene.retry(at: 2) == [.close, .announce(.preparing), .connect])
        #expect(scene.machine.deadline == .seconds(7))
        #expect(scene.connected(at: 2.1) == [.announce(.ready), Scene.reply(1, 2, "0s")])
    }

    @Test func `what is ready, or has not begun, or hung up in order is left as it is`() throws {
        var scene = Scene(SessionOptions(idleClose: .ok))
        #expect(scene.retry(at: 0) == [])
        scene.getReady()
        #expect(scene.retry(at: 1) == [])
        _ = scene.closed(at: 2)
        #expect(scene.retry(at: 3) == [])
    }
}

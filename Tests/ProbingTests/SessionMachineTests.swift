import Monitoring
import Testing

@testable import Probing

struct SessionMachineTests {
    typealias Scene = SessionScene

    @Test func `the first probe connects, and what is held answers the next ones`() throws {
        var scene = Scene()
        #expect(scene.machine.deadline == nil)
        #expect(scene.ask(at: 0) == [.announce(.preparing), .connect])
        #expect(scene.machine.deadline == .seconds(5))
        #expect(scene.connected(at: 1) == [.announce(.ready), Scene.reply(1, 2, "0s")])
        #expect(scene.machine.deadline == nil)
        #expect(scene.ask(at: 5) == [Scene.reply(2, 3, "4s")])
        #expect(scene.ask(at: 243) == [Scene.reply(3, 3, "4m02s")])
        #expect(scene.hear("what nobody asked for", at: 244) == [])
    }

    @Test func `a connection that breaks is told at once, and made again`() throws {
        var scene = Scene()
        scene.getReady()
        #expect(scene.broke(Scene.reset, at: 60) == [.close, .announce(.failed(Scene.reset)), .hasten])
        #expect(scene.machine.knowsPeer)
        #expect(scene.ask(at: 60) == [Scene.loss(2, Scene.reset)])
        #expect(!scene.machine.knowsPeer)
        #expect(scene.machine.deadline == .seconds(60.5))
        #expect(scene.expire(at: 60.4) == [])
        #expect(scene.expire(at: 60.5) == [.announce(.preparing), .connect])
        #expect(scene.connected(at: 60.6) == [.announce(.ready), .hasten])
        #expect(scene.ask(at: 61) == [Scene.reply(3, 3, "0s")])
    }

    @Test func `an end is told though the connection stands again before anybody asks`() throws {
        var scene = Scene()
        scene.getReady()
        _ = scene.broke(Scene.reset, at: 60)
        _ = scene.expire(at: 61)
        _ = scene.connected(at: 61)
        #expect(scene.ask(at: 61) == [Scene.loss(2, Scene.reset), .hasten])
        #expect(scene.ask(at: 61) == [Scene.reply(3, 3, "0s")])
    }

    @Test func `while it is apart, probes have the last cause, and the pauses grow up to the interval`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        #expect(
            scene.broke(Scene.refused, at: 0)
                == [.close, .announce(.failed(Scene.refused)), Scene.loss(1, Scene.refused)]
        )
        var now = 0.0
        for pause in [0.5, 1, 2, 4, 5, 5] {
            #expect(scene.machine.deadline == .seconds(now + pause))
            now += pause
            #expect(scene.expire(at: now) == [.announce(.preparing), .connect])
            #expect(scene.broke(Scene.refused, at: now) == [.close, .announce(.failed(Scene.refused))])
        }
        #expect(scene.ask(at: now) == [Scene.loss(2, Scene.refused)])
    }

    @Test func `without a way out it waits, and any probe tries again`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        let waiting: [Scene.Act] = [.close, .announce(.waiting(Failure(.networkUnreachable)))]
        #expect(scene.broke(Scene.noWayOut, at: 0) == waiting + [Scene.loss(1, Scene.noWayOut)])
        #expect(scene.ask(at: 0.1) == [.announce(.preparing), .connect])
        #expect(scene.broke(Scene.noWayOut, at: 0.1) == waiting + [Scene.loss(2, Scene.noWayOut)])
        #expect(scene.expire(at: 1.1) == [.announce(.preparing), .connect])
        #expect(scene.connected(at: 1.2) == [.announce(.ready), .hasten])
    }

    @Test func `once the way is back, the pauses begin anew`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        _ = scene.broke(Scene.noWayOut, at: 0)
        var now = 0.5
        for _ in 0..<5 {
            _ = scene.expire(at: now)
            _ = scene.broke(Scene.noWayOut, at: now)
            now += 30
        }
        _ = scene.expire(at: now)
        _ = scene.broke(Scene.refused, at: now)
        #expect(scene.machine.deadline == .seconds(now + 0.5))
    }

    @Test func `an attempt that takes longer than a probe may is a timeout`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        #expect(scene.expire(at: 5) == [.close, .announce(.failed(.timeout)), Scene.loss(1, .timeout)])
    }

    @Test func `an attempt that nothing could leave for waits for a way out`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        let acts = scene.expire(at: 5, lackOfWayOut: Scene.pulled)
        #expect(acts == [.close, .announce(.waiting(Scene.pulled)), Scene.loss(1, .failure(Scene.pulled))])
    }

    @Test func `a probe that comes to an attempt shares its end`() throws {
        var scene = Scene()
        scene.getReady()
        _ = scene.broke(Scene.reset, at: 60)
        _ = scene.ask(at: 60)
        _ = scene.expire(at: 61)
        #expect(scene.ask(at: 63) == [])
        #expect(scene.broke(Scene.refused, at: 64).last == Scene.loss(3, Scene.refused))
    }

    @Test func `who accepts and hangs up over and over is asked ever more rarely`() throws {
        var scene = Scene()
        scene.getReady()
        _ = scene.broke(Scene.reset, at: 0.1)
        #expect(scene.machine.deadline == .seconds(0.6))
        _ = scene.expire(at: 0.6)
        _ = scene.connected(at: 0.6)
        _ = scene.broke(Scene.reset, at: 0.7)
        #expect(scene.machine.deadline == .seconds(1.7))
        _ = scene.expire(at: 1.7)
        _ = scene.connected(at: 1.7)
        _ = scene.broke(Scene.reset, at: 7)
        #expect(scene.machine.deadline == .seconds(7.5), "it has held for a while")
    }

    @Test func `a stopped process keeps what it holds, and gives attempts their time again`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        scene.machine.void(at: .seconds(3_600))
        #expect(scene.machine.deadline == .seconds(3_605))
        #expect(scene.connected(at: 3_601) == [.announce(.ready), .hasten])
        scene.machine.void(at: .seconds(7_200))
        #expect(scene.ask(at: 7_201) == [Scene.reply(2, 3, "1h00m")])
        _ = scene.broke(Scene.reset, at: 7_202)
        scene.machine.void(at: .seconds(9_000))
        #expect(scene.machine.deadline == .seconds(9_000))
    }

    @Test func `what this machine lacks is a fault`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        let fault = SessionState.Cause.fault(Fault(.tooManyFiles, detail: "out of file descriptors"))
        #expect(scene.broke(fault, at: 0).last == Scene.loss(1, fault))
    }
}

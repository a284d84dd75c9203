import Monitoring
import Testing

@testable import Probing

struct SessionTalkTests {
    typealias Scene = SessionScene

    @Test func `a greeting that is expected makes it ready`() throws {
        var scene = Scene(SessionOptions(expect: #"^220 .*\r\n"#))
        _ = scene.ask(at: 0)
        #expect(scene.connected(at: 1) == [])
        #expect(scene.hear("220 mail", at: 2) == [])
        #expect(scene.hear(".example\r\n", at: 3) == [.announce(.ready), Scene.reply(1, 2, "0s")])
        #expect(scene.ask(at: 8) == [Scene.reply(2, 3, "5s")])
    }

    @Test func `a peer that does not greet in time is silent`() throws {
        var scene = Scene(SessionOptions(expect: "^220"))
        _ = scene.ask(at: 0)
        _ = scene.connected(at: 4)
        #expect(scene.machine.deadline == .seconds(5))
        #expect(scene.expire(at: 5) == [.close, .announce(.failed(.timeout)), Scene.loss(1, .timeout)])
    }

    @Test func `a peer that greets otherwise and then waits, or answers a heartbeat so, is a mismatch`() throws {
        var scene = Scene(SessionOptions(expect: "^220"))
        _ = scene.ask(at: 0)
        _ = scene.connected(at: 1)
        #expect(scene.hear("421 busy", at: 2) == [])
        let (busy, loading) = (Scene.mismatch("421 busy"), Scene.mismatch("LOADING"))
        #expect(scene.expire(at: 5) == [.close, .announce(.failed(busy)), Scene.loss(1, busy)])

        var other = Scene(SessionOptions(send: "PING", expect: "PONG"))
        _ = other.ask(at: 0)
        _ = other.connected(at: 0)
        _ = other.hear("PONG", at: 0)
        _ = other.ask(at: 5)
        #expect(other.hear("LOADING", at: 6) == [])
        #expect(other.expire(at: 10) == [.close, .announce(.failed(loading)), Scene.loss(2, loading)])
        // What was said of an earlier heartbeat is no answer to this one.
        _ = other.expire(at: 11)
        _ = other.connected(at: 11)
        #expect(other.expire(at: 16) == [.close, .announce(.failed(.timeout))])
    }

    @Test func `another greeting is a mismatch once the peer hangs up or has said too much`() throws {
        for ending in [{ $0.closed(at: 1) }, { $0.hear(String(repeating: "!", count: 5_000), at: 1) }]
            as [(inout Scene) -> [Scene.Act]]
        {
            var scene = Scene(SessionOptions(expect: "^220"))
            _ = scene.ask(at: 0)
            _ = scene.connected(at: 0)
            #expect(scene.hear("421 busy", at: 1) == [])
            guard case .end(_, .failure(let failure))? = ending(&scene).last else {
                Issue.record("no end")
                continue
            }
            #expect(failure.reason == .answerMismatch)
        }
    }

    @Test func `a heartbeat is sent with every probe, the first before it is ready`() throws {
        var scene = Scene(SessionOptions(send: "PING\r\n", expect: "PONG"))
        _ = scene.ask(at: 0)
        #expect(scene.connected(at: 1) == [.send("PING\r\n")])
        #expect(scene.hear("PONG\r\n", at: 1.25) == [.announce(.ready), Scene.reply(1, 250, "0s")])
        #expect(scene.ask(at: 5.25) == [.send("PING\r\n")])
        #expect(scene.machine.deadline == .seconds(10.25))
        #expect(scene.hear("PO", at: 5.5) == [])
        #expect(scene.hear("NG\r\n", at: 5.75) == [Scene.reply(2, 500, "4s")])
        #expect(scene.machine.deadline == nil)
    }

    @Test func `without an expectation any word answers a heartbeat`() throws {
        var scene = Scene(SessionOptions(send: "\n"))
        _ = scene.ask(at: 0)
        _ = scene.connected(at: 0)
        #expect(scene.hear("?", at: 1).last == Scene.reply(1, 1_000, "0s"))
    }

    @Test func `an unanswered heartbeat ends the connection`() throws {
        var scene = Scene(SessionOptions(send: "PING\r\n"))
        _ = scene.ask(at: 0)
        _ = scene.connected(at: 0)
        _ = scene.hear("PONG", at: 0)
        _ = scene.ask(at: 5)
        #expect(scene.expire(at: 10) == [.close, .announce(.failed(.timeout)), Scene.loss(2, .timeout)])
        #expect(scene.machine.deadline == .seconds(10.5))
    }

    @Test func `a server that hangs up on idle peers stays up`() throws {
        var scene = Scene(SessionOptions(idleClose: .ok))
        scene.getReady()
        #expect(scene.closed(at: 60) == [.close, .announce(.failed(Scene.closed))])
        #expect(scene.expire(at: 60.5) == [.announce(.preparing), .connect])
        #expect(scene.connected(at: 60.6) == [.announce(.ready)])
        #expect(scene.ask(at: 61) == [Scene.reply(2, 3, "0s")])
    }

    @Test func `a probe after an idle close connects at once`() throws {
        var scene = Scene(SessionOptions(idleClose: .ok))
        scene.getReady()
        _ = scene.closed(at: 60)
        #expect(scene.ask(at: 60.1) == [.announce(.preparing), .connect])
        #expect(scene.connected(at: 60.2) == [.announce(.ready), Scene.reply(2, 2, "0s")])
    }

    @Test func `a server that does not come back after an idle close is told at once`() throws {
        var scene = Scene(SessionOptions(idleClose: .ok))
        scene.getReady()
        _ = scene.closed(at: 60)
        _ = scene.expire(at: 61)
        #expect(scene.broke(Scene.refused, at: 61) == [.close, .announce(.failed(Scene.refused)), .hasten])
        #expect(scene.ask(at: 61) == [Scene.loss(2, Scene.refused)])
    }

    @Test func `a close amid a heartbeat is no idle close`() throws {
        var scene = Scene(SessionOptions(send: "PING\r\n", idleClose: .ok))
        _ = scene.ask(at: 0)
        _ = scene.connected(at: 0)
        _ = scene.hear("PONG", at: 0)
        _ = scene.ask(at: 5)
        #expect(scene.closed(at: 6) == [.close, .announce(.failed(Scene.closed)), Scene.loss(2, Scene.closed)])
        #expect(scene.ask(at: 6) == [Scene.loss(3, Scene.closed)], "the next probe does not connect")
    }

    @Test func `a later probe may have a shorter timeout, and none makes it longer`() throws {
        var scene = Scene()
        _ = scene.ask(at: 0)
        #expect(scene.machine.deadline == .seconds(5))
        _ = scene.ask(at: 1)
        #expect(scene.machine.deadline == .seconds(5))
        _ = scene.ask(at: 2, timeout: .seconds(1))
        #expect(scene.machine.deadline == .seconds(3))
        _ = scene.ask(at: 2.5)
        #expect(scene.machine.deadline == .seconds(3))
        #expect(scene.expire(at: 3) == [.close, .announce(.failed(.timeout)), Scene.loss(4, .timeout)])
    }

    @Test func `an answer that matches at its end counts at the close and at the timeout`() throws {
        for isClosed in [true, false] {
            var scene = Scene(SessionOptions(expect: "^220 .*$"))
            _ = scene.ask(at: 0)
            _ = scene.connected(at: 0)
            #expect(scene.hear("220 rea", at: 1) == [])
            #expect(scene.hear("dy", at: 2) == [])
            if isClosed {
                let acts = scene.closed(at: 3)
                #expect(acts.prefix(2) == [.announce(.ready), Scene.reply(1, 2, "0s")])
                #expect(acts.dropFirst(2) == [.close, .announce(.failed(Scene.closed)), .hasten])
            } else {
                #expect(scene.expire(at: 5) == [.announce(.ready), Scene.reply(1, 2, "0s")])
                #expect(scene.machine.deadline == nil)
            }
        }
    }

    @Test func `without idle_close every close is an end`() throws {
        var scene = Scene()
        scene.getReady()
        #expect(scene.closed(at: 60) == [.close, .announce(.failed(Scene.closed)), .hasten])
    }

    @Test func `a search that takes its time has the round trip of what it found`() {
        var scene = Scene(SessionOptions(send: "PING", expect: "PONG"))
        _ = scene.ask(at: 0)
        _ = scene.connected(at: 0)
        #expect(scene.hearSlowly("PO", at: 1) == [.search(Search(pattern: "PONG", text: Array("PO".utf8)), talk: 1)])
        #expect(scene.hearSlowly("NG", at: 2) == [])
        let next = Scene.Act.search(Search(pattern: "PONG", text: Array("PONG".utf8)), talk: 1)
        #expect(scene.searched(.success(.none), talk: 1, at: 3) == [next])
        let acts = scene.searched(.success(.found), talk: 1, at: 4)
        #expect(acts == [.announce(.ready), Scene.reply(1, 2_000, "0s")])
    }

    @Test func `a close while the last words are searched waits for what they are`() {
        var scene = Scene(SessionOptions(expect: "^220"))
        _ = scene.ask(at: 0)
        _ = scene.connected(at: 0)
        _ = scene.hearSlowly("220", at: 1)
        #expect(scene.closed(at: 1) == [])
        let acts = scene.searched(.success(.found), talk: 1, at: 1)
        let end: [Scene.Act] = [.close, .announce(.failed(Scene.closed)), .hasten]
        #expect(acts == [.announce(.ready), Scene.reply(1, 2, "0s")] + end)

        var other = Scene(SessionOptions(expect: "^220"))
        _ = other.ask(at: 0)
        _ = other.connected(at: 0)
        _ = other.hearSlowly("421", at: 1)
        #expect(other.closed(at: 1) == [])
        let mismatch = Scene.mismatch("421")
        #expect(
            other.searched(.success(.none), talk: 1, at: 1)
                == [.close, .announce(.failed(mismatch)), Scene.loss(1, mismatch)]
        )
    }

    @Test func `a search that does not end is a timeout, and what it finds later is nobody's`() {
        var scene = Scene(SessionOptions(expect: "^220"))
        _ = scene.ask(at: 0)
        _ = scene.connected(at: 0)
        _ = scene.hearSlowly("220", at: 1)
        #expect(scene.expire(at: 5) == [.close, .announce(.failed(.timeout)), Scene.loss(1, .timeout)])
        _ = scene.expire(at: 6)
        _ = scene.connected(at: 6)
        #expect(scene.searched(.success(.found), talk: 1, at: 7) == [])
    }

    @Test func `a pattern that cannot be searched for is a fault`() {
        var scene = Scene(SessionOptions(expect: "("))
        _ = scene.ask(at: 0)
        _ = scene.connected(at: 0)
        let fault = SessionState.Cause.fault(Fault(.internal, detail: "no regular expression: ("))
        #expect(scene.hear("220", at: 1) == [.close, .announce(.failed(fault)), Scene.loss(1, fault)])
    }
}

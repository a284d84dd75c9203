import ReachMonitoring
import Testing

@testable import ReachProbing

struct SessionConversationTests {
    typealias Scene = SessionScene

    @Test func `the expected greeting makes the session ready`() throws {
        var scene = Scene(SessionOptions(expect: #"^220 .*\r\n"#))
        _ = scene.startProbe(at: 0)
        #expect(scene.connected(at: 1) == [])
        #expect(scene.receive("220 mail", at: 2) == [])
        #expect(scene.receive(".example\r\n", at: 3) == [.announce(.ready), Scene.reply(1, 2, "0s")])
        #expect(scene.startProbe(at: 8) == [Scene.reply(2, 3, "5s")])
    }

    @Test func `a missing greeting is a timeout`() throws {
        var scene = Scene(SessionOptions(expect: "^220"))
        _ = scene.startProbe(at: 0)
        _ = scene.connected(at: 4)
        #expect(scene.machine.deadline == .seconds(5))
        #expect(scene.expire(at: 5) == [.close, .announce(.failed(.timeout)), Scene.loss(1, .timeout)])
    }

    @Test func `an unexpected greeting or answer is a mismatch at the timeout`() throws {
        var scene = Scene(SessionOptions(expect: "^220"))
        _ = scene.startProbe(at: 0)
        _ = scene.connected(at: 1)
        #expect(scene.receive("421 busy", at: 2) == [])
        let (busy, loading) = (Scene.mismatch("421 busy"), Scene.mismatch("LOADING"))
        #expect(scene.expire(at: 5) == [.close, .announce(.failed(busy)), Scene.loss(1, busy)])

        var other = Scene(SessionOptions(send: "PING", expect: "PONG"))
        _ = other.startProbe(at: 0)
        _ = other.connected(at: 0)
        _ = other.receive("PONG", at: 0)
        _ = other.startProbe(at: 5)
        #expect(other.receive("LOADING", at: 6) == [])
        #expect(other.expire(at: 10) == [.close, .announce(.failed(loading)), Scene.loss(2, loading)])
        // The answer to an earlier heartbeat does not count for this one.
        _ = other.expire(at: 11)
        _ = other.connected(at: 11)
        #expect(other.expire(at: 16) == [.close, .announce(.failed(.timeout))])
    }

    @Test func `an unexpected greeting is a mismatch at the close or at the limit`() throws {
        for ending in [{ $0.closed(at: 1) }, { $0.receive(String(repeating: "!", count: 5_000), at: 1) }]
            as [(inout Scene) -> [Scene.Action]]
        {
            var scene = Scene(SessionOptions(expect: "^220"))
            _ = scene.startProbe(at: 0)
            _ = scene.connected(at: 0)
            #expect(scene.receive("421 busy", at: 1) == [])
            guard case .end(_, .failure(let failure))? = ending(&scene).last else {
                Issue.record("no end")
                continue
            }
            #expect(failure.reason == .answerMismatch)
        }
    }

    @Test func `every probe sends a heartbeat, the first before the session is ready`() throws {
        var scene = Scene(SessionOptions(send: "PING\r\n", expect: "PONG"))
        _ = scene.startProbe(at: 0)
        #expect(scene.connected(at: 1) == [.send("PING\r\n")])
        #expect(scene.receive("PONG\r\n", at: 1.25) == [.announce(.ready), Scene.reply(1, 250, "0s")])
        #expect(scene.startProbe(at: 5.25) == [.send("PING\r\n")])
        #expect(scene.machine.deadline == .seconds(10.25))
        #expect(scene.receive("PO", at: 5.5) == [])
        #expect(scene.receive("NG\r\n", at: 5.75) == [Scene.reply(2, 500, "4s")])
        #expect(scene.machine.deadline == nil)
    }

    @Test func `without an expectation any data answers a heartbeat`() throws {
        var scene = Scene(SessionOptions(send: "\n"))
        _ = scene.startProbe(at: 0)
        _ = scene.connected(at: 0)
        #expect(scene.receive("?", at: 1).last == Scene.reply(1, 1_000, "0s"))
    }

    @Test func `an unanswered heartbeat ends the connection`() throws {
        var scene = Scene(SessionOptions(send: "PING\r\n"))
        _ = scene.startProbe(at: 0)
        _ = scene.connected(at: 0)
        _ = scene.receive("PONG", at: 0)
        _ = scene.startProbe(at: 5)
        #expect(scene.expire(at: 10) == [.close, .announce(.failed(.timeout)), Scene.loss(2, .timeout)])
        #expect(scene.machine.deadline == .seconds(10.5))
    }

    @Test func `an expected idle close keeps the target up`() throws {
        var scene = Scene(SessionOptions(idleClose: .ok))
        scene.becomeReady()
        #expect(scene.closed(at: 60) == [.close, .announce(.preparing)])
        #expect(scene.expire(at: 60.5) == [.announce(.preparing), .connect])
        #expect(scene.connected(at: 60.6) == [.announce(.ready)])
        #expect(scene.startProbe(at: 61) == [Scene.reply(2, 3, "0s")])
    }

    @Test func `a probe after an idle close connects at once`() throws {
        var scene = Scene(SessionOptions(idleClose: .ok))
        scene.becomeReady()
        _ = scene.closed(at: 60)
        #expect(scene.startProbe(at: 60.1) == [.announce(.preparing), .connect])
        #expect(scene.connected(at: 60.2) == [.announce(.ready), Scene.reply(2, 2, "0s")])
    }

    @Test func `a refusal after an idle close is reported at once`() throws {
        var scene = Scene(SessionOptions(idleClose: .ok))
        scene.becomeReady()
        _ = scene.closed(at: 60)
        _ = scene.expire(at: 61)
        #expect(scene.failed(Scene.refused, at: 61) == [.close, .announce(.failed(Scene.refused)), .probeNow])
        #expect(scene.startProbe(at: 61) == [Scene.loss(2, Scene.refused)])
    }

    @Test func `a close during a heartbeat is not an idle close`() throws {
        var scene = Scene(SessionOptions(send: "PING\r\n", idleClose: .ok))
        _ = scene.startProbe(at: 0)
        _ = scene.connected(at: 0)
        _ = scene.receive("PONG", at: 0)
        _ = scene.startProbe(at: 5)
        #expect(scene.closed(at: 6) == [.close, .announce(.failed(Scene.closed)), Scene.loss(2, Scene.closed)])
        #expect(scene.startProbe(at: 6) == [Scene.loss(3, Scene.closed)], "the next probe does not connect")
    }

    @Test func `a later probe can only shorten the deadline`() throws {
        var scene = Scene()
        _ = scene.startProbe(at: 0)
        #expect(scene.machine.deadline == .seconds(5))
        _ = scene.startProbe(at: 1)
        #expect(scene.machine.deadline == .seconds(5))
        _ = scene.startProbe(at: 2, timeout: .seconds(1))
        #expect(scene.machine.deadline == .seconds(3))
        _ = scene.startProbe(at: 2.5)
        #expect(scene.machine.deadline == .seconds(3))
        #expect(scene.expire(at: 3) == [.close, .announce(.failed(.timeout)), Scene.loss(4, .timeout)])
    }

    @Test func `an answer that matches at its end counts at the close and at the timeout`() throws {
        for isClosed in [true, false] {
            var scene = Scene(SessionOptions(expect: "^220 .*$"))
            _ = scene.startProbe(at: 0)
            _ = scene.connected(at: 0)
            #expect(scene.receive("220 rea", at: 1) == [])
            #expect(scene.receive("dy", at: 2) == [])
            if isClosed {
                let actions = scene.closed(at: 3)
                #expect(actions.prefix(2) == [.announce(.ready), Scene.reply(1, 2, "0s")])
                #expect(actions.dropFirst(2) == [.close, .announce(.failed(Scene.closed)), .probeNow])
            } else {
                #expect(scene.expire(at: 5) == [.announce(.ready), Scene.reply(1, 2, "0s")])
                #expect(scene.machine.deadline == nil)
            }
        }
    }

    @Test func `without idle_close every close is a failure`() throws {
        var scene = Scene()
        scene.becomeReady()
        #expect(scene.closed(at: 60) == [.close, .announce(.failed(Scene.closed)), .probeNow])
    }

    @Test func `a slow search does not lengthen the round trip`() {
        var scene = Scene(SessionOptions(send: "PING", expect: "PONG"))
        _ = scene.startProbe(at: 0)
        _ = scene.connected(at: 0)
        #expect(
            scene.receiveWithoutSearch("PO", at: 1) == [
                .search(PatternSearch(pattern: "PONG", text: Array("PO".utf8)), conversation: 1)
            ]
        )
        #expect(scene.receiveWithoutSearch("NG", at: 2) == [])
        let next = Scene.Action.search(PatternSearch(pattern: "PONG", text: Array("PONG".utf8)), conversation: 1)
        #expect(scene.searched(.success(.none), conversation: 1, at: 3) == [next])
        let actions = scene.searched(.success(.found), conversation: 1, at: 4)
        #expect(actions == [.announce(.ready), Scene.reply(1, 2_000, "0s")])
    }

    @Test func `a close during a search waits for the result`() {
        var scene = Scene(SessionOptions(expect: "^220"))
        _ = scene.startProbe(at: 0)
        _ = scene.connected(at: 0)
        _ = scene.receiveWithoutSearch("220", at: 1)
        #expect(scene.closed(at: 1) == [])
        let actions = scene.searched(.success(.found), conversation: 1, at: 1)
        let end: [Scene.Action] = [.close, .announce(.failed(Scene.closed)), .probeNow]
        #expect(actions == [.announce(.ready), Scene.reply(1, 2, "0s")] + end)

        var other = Scene(SessionOptions(expect: "^220"))
        _ = other.startProbe(at: 0)
        _ = other.connected(at: 0)
        _ = other.receiveWithoutSearch("421", at: 1)
        #expect(other.closed(at: 1) == [])
        let mismatch = Scene.mismatch("421")
        #expect(
            other.searched(.success(.none), conversation: 1, at: 1)
                == [.close, .announce(.failed(mismatch)), Scene.loss(1, mismatch)]
        )
    }

    @Test func `a search beyond the timeout is a timeout and its result is ignored`() {
        var scene = Scene(SessionOptions(expect: "^220"))
        _ = scene.startProbe(at: 0)
        _ = scene.connected(at: 0)
        _ = scene.receiveWithoutSearch("220", at: 1)
        #expect(scene.expire(at: 5) == [.close, .announce(.failed(.timeout)), Scene.loss(1, .timeout)])
        _ = scene.expire(at: 6)
        _ = scene.connected(at: 6)
        #expect(scene.searched(.success(.found), conversation: 1, at: 7) == [])
    }

    @Test func `an invalid pattern is a fault`() {
        var scene = Scene(SessionOptions(expect: "("))
        _ = scene.startProbe(at: 0)
        _ = scene.connected(at: 0)
        let fault = Outcome.fault(Fault(.internal, detail: "invalid regular expression \"(\": expected ')'"))
        #expect(scene.receive("220", at: 1) == [.close, .announce(.failed(fault)), Scene.loss(1, fault)])
    }
}

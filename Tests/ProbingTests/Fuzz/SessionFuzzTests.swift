import Monitoring
import TestSupport
import Testing

@testable import Probing

struct SessionFuzzTests {
    private static let options = [
        SessionOptions(), SessionOptions(send: "PING\r\n", expect: "^\\+PONG"), SessionOptions(expect: "^SSH-2"),
        SessionOptions(send: "?", idleClose: .ok), SessionOptions(idleClose: .ok),
    ]

    @Test func `for any sequence of events, each probe of a session ends once and in time`() async throws {
        // Stories are read from their end. Each byte is an event with the time before it.
        let stories: [[SessionFuzzScene.Action]] = [
            [.ask, .connect, .wait, .ask, .close], [.ask, .connect, .hear, .ask, .hear, .wait, .ask, .expire],
            [.ask, .refuse, .wait, .expire, .connect, .ask], [.ask, .loseWay, .ask, .connect, .hear, .lose, .ask],
            [.ask, .wait, .expire, .void, .ask, .expire, .connect],
            [.ask, .connect, .hear, .close, .ask, .wait, .expire],
        ]
        let corpus =
            stories.map { $0.reversed().map(\.rawValue) } + stories.map { $0.reversed().map { $0.rawValue | 0x50 } }
        let machines = Self.options.map { options in
            SessionMachine(options, generator: SplitMix(seed: 1))
        }
        let fuzz = Fuzz(name: "session", corpus: corpus + [corpus.flatMap { $0 }])
        await fuzz.run(often: ["reply", "failure", "timeout", "nothing"]) { input in
            // One machine in four also receives events of other connections.
            let isWild = input.number(below: 4) == 0
            var scene = SessionFuzzScene(machine: machines[input.number(below: machines.count)], isWild: isWild)
            while let byte = input.next() { try scene.live(through: byte, by: &input) }
            try scene.settle()
            return scene.last
        }
    }

    @Test func `an expected reply is found in any fragments`() async throws {
        let corpus = [
            "SSH-2.0-OpenSSH_9.2\r\n", "+PONG\r\n", "220 mail ESMTP\r\n", "-LOADING\r\n", "é\u{1B}[2J\u{202E}OK",
        ]
        let expectations = ["^SSH-2", "OK"].map { Expectation($0) }
        let fuzz = Fuzz(
            name: "expect",
            corpus: corpus.map { Array($0.utf8) },
            words: [Array("SSH-2".utf8), [79, 75]],
            cost: 4
        )
        await fuzz.run(often: ["match", "wait"]) { input in
            if input.number(below: 512) == 0 { input.swell(to: Expectation.limit + 100) }
            let isAtStart = input.number(below: 2) == 0
            var expectation = expectations[isAtStart ? 0 : 1]
            var matches: Bool?
            for fragment in input.fragments() where matches == nil { matches = try expectation.judge(fragment) }
            let heard = input.bytes.prefix(Expectation.limit)
            let shouldMatch = isAtStart ? heard.starts(with: "SSH-2".utf8) : heard.contains("OK".utf8)
            let isOver = heard.count == Expectation.limit
            try hold(matches == (shouldMatch ? true : isOver ? false : nil), "\(String(describing: matches))")
            try holdShort(expectation.failure.detail)
            return shouldMatch ? "match" : "wait"
        }
    }
}
